import { unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import {
  attendSite,
  getFavicon,
  listSites,
  type WireAttendance,
  type WireSite,
  type WireSiteUser,
} from '../../contract/sites.ts'
import { failure } from '../../core/failure.ts'
import { localDay } from '../../core/local-day.ts'
import { loginStanding } from '../../core/login-tier.ts'
import { siteReason } from '../../core/reason/of-fault.ts'
import type { Say } from '../../core/reason/say.ts'
import { cutTo } from '../../core/redact.ts'
import { canSignIn } from '../../core/site.ts'
import { absentFigures, type FigureName } from '../../core/site-figures.ts'
import { iconSeconds, signInMessageCharactersMax } from '../../limits.ts'
import type { FetchedUser, SignInDay, SiteRecord } from '../../ports/sites.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { replyPicture } from '../reply-picture.ts'

const noSite = failure('not_found', { kind: 'none', what: 'site' })

export function siteRoutes(
  deps: Pick<AppDeps, 'sites' | 'siteFigures' | 'siteFleet' | 'siteSignIns' | 'clock' | 'locale'>,
): BoundRoute[] {
  return [
    bind(listSites, async ({ say }) => {
      const nowUnix = unixSeconds(deps.clock)
      const { timeZone } = await deps.locale.read()
      const day = localDay(nowUnix, timeZone)
      const [entries, users, signIns] = await Promise.all([
        deps.sites.list(),
        deps.siteFigures.users(),
        deps.siteFigures.signIns(day),
      ])
      return succeed({
        body: {
          items: entries.map(({ record }) =>
            toWireSite(
              record,
              signIns.get(record.id) ?? { day, status: 'pending', attempts: 0 },
              users.ok ? users.value.get(record.id) : undefined,
              nowUnix,
              say,
            ),
          ),
          ...(users.ok ? {} : { user_error: say(users.failure), reason: users.failure }),
        },
      })
    }),
    bind(attendSite, async ({ params, say }) => {
      const entry = await deps.sites.find(params.site)
      if (entry === undefined) return failWith(noSite)
      // The owner switched the site off: nothing is sent to it.
      if (!entry.record.enabled) return failWith(failure('not_found', { kind: 'off', what: 'site' }))
      const signedIn = await deps.siteSignIns.signInNow(entry)
      if (signedIn.ok) return succeed({ body: toWireAttendance(entry.record, signedIn.value, say) })
      return failWith(
        signedIn.failure.kind === 'busy'
          ? failure('busy_conflict', { kind: 'sign_in.busy' })
          : failure('attend_failed', { kind: 'sign_in.failed', reason: siteReason(signedIn.failure) }),
      )
    }),
    bind(getFavicon, async ({ params, headers }) => {
      const entry = await deps.sites.find(params.site)
      if (entry === undefined) return failWith(noSite)
      const icon = await deps.siteFleet.icon(entry.target)
      if (icon === undefined) return failWith(failure('not_found', { kind: 'none', what: 'icon' }))
      return succeed(replyPicture(icon, iconSeconds, headers))
    }),
  ]
}

function toWireSite(
  record: SiteRecord,
  signIn: SignInDay,
  user: FetchedUser | undefined,
  nowUnix: number,
  say: Say,
): WireSite {
  const { tier, daysRemaining } = loginStanding(record.lastActiveAtUnix, record, nowUnix)
  return {
    name: record.name,
    display_name: record.displayName === '' ? record.name : record.displayName,
    enabled: record.enabled,
    login: {
      tier,
      days_remaining: daysRemaining,
      ...(record.lastActiveAtUnix === undefined ? {} : { last_active_at: record.lastActiveAtUnix }),
      ...(record.lastProbeAtUnix === undefined ? {} : { last_probe_at: record.lastProbeAtUnix }),
      ...(record.lastProbeStatus === undefined ? {} : { last_probe_status: record.lastProbeStatus }),
    },
    attendance: toWireAttendance(record, signIn, say),
    ...(user === undefined ? {} : { user: toWireUser(user) }),
  }
}

function toWireAttendance(record: SiteRecord, signIn: SignInDay, say: Say): WireAttendance {
  const supported = canSignIn(record.kind, record.profile)
  return {
    supported,
    enabled: supported && record.autoSignIn,
    day: signIn.day,
    status: supported ? signIn.status : 'unsupported',
    ...(signIn.reason === undefined
      ? {}
      : { message: cutTo(say(signIn.reason), signInMessageCharactersMax), reason: signIn.reason }),
    ...(signIn.lastAttemptAtUnix === undefined ? {} : { last_attempt_at: signIn.lastAttemptAtUnix }),
  }
}

/** Clients count on these fields; what else is not told is left out. */
const documentedNumbers: ReadonlySet<FigureName> = new Set([
  'uploaded',
  'downloaded',
  'ratio',
  'bonus',
  'seeding',
  'leeching',
  'unread_messages',
])

/** The documented numbers are there whatever the site tells; which of them are none is said beside them. */
function toWireUser(user: FetchedUser): WireSiteUser {
  const unknown = absentFigures(user).filter((name) => documentedNumbers.has(name))
  return {
    username: user.username,
    ...(user.level === undefined ? {} : { level: user.level }),
    uploaded: user.uploadedBytes ?? 0,
    downloaded: user.downloadedBytes ?? 0,
    ratio: user.ratio ?? 0,
    bonus: user.bonus ?? 0,
    ...(user.bonusPerHour === undefined ? {} : { bonus_per_hour: user.bonusPerHour }),
    seeding: user.seeding ?? 0,
    leeching: user.leeching ?? 0,
    ...(user.seedingSizeBytes === undefined ? {} : { seeding_size: user.seedingSizeBytes }),
    unread_messages: user.unreadMessages ?? 0,
    ...(user.hnrUnsatisfied === undefined ? {} : { hnr_unsatisfied: user.hnrUnsatisfied }),
    ...(unknown.length === 0 ? {} : { unknown }),
    ...(user.doubts === undefined ? {} : { doubtful: [...user.doubts] }),
    updated_at: user.fetchedAtUnix,
  }
}
