import type { Events } from '../../adapters/d1/events.ts'
import { siteReason } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { canSignIn } from '../../core/site.ts'
import type { SiteFault } from '../../core/site-fault.ts'
import type { SignInStatus } from '../../core/vocabulary.ts'
import type { SignInDay, SiteFigures, SiteRecord, SiteStore } from '../../ports/sites.ts'

/**
 * What the service's own work on sites has to tell. Told before it is noted that it is so, under a key: a crash in between
 * repeats the work, and what is told then is known already.
 */
export interface SiteNews {
  /** Once for each kind of fault in a row. */
  siteFailed(record: SiteRecord, fault: SiteFault): Promise<void>
  signInFailed(record: SiteRecord, day: string, reason: Reason, attempts: number): Promise<void>
  /** Tells the day's sign-ins once all of them have ended. */
  dayMayBeOver(day: string): Promise<void>
}

/** These pass by themselves, or say nothing about the site. */
const passing: readonly SiteFault['kind'][] = [
  'busy',
  'rate_limited',
  'timeout',
  'interrupted',
  'unsupported',
  'maintenance',
]

export function createSiteNews(deps: {
  readonly events: Pick<Events, 'record'>
  readonly store: Pick<SiteStore, 'list'>
  readonly figures: Pick<SiteFigures, 'signIns'>
}): SiteNews {
  const { events, store, figures } = deps
  return {
    async siteFailed(record, fault) {
      if (passing.includes(fault.kind) || record.lastProbeStatus === fault.kind) return
      await events.record({
        type: 'site.failed',
        key: `site.failed:${record.id}:${fault.kind}:${record.lastProbeAtUnix ?? 0}`,
        facts: {
          site: nameOf(record),
          reason: siteReason(fault),
          expired: fault.kind === 'login_expired' || fault.kind === 'sign_in_refused',
        },
      })
    },

    async signInFailed(record, day, reason, attempts) {
      await events.record({
        type: 'attendance.failed',
        key: `attendance.failed:${record.id}:${day}`,
        facts: { site: nameOf(record), reason, attempts },
      })
    },

    async dayMayBeOver(day) {
      const entries = (await store.list()).filter(
        ({ record }) => record.enabled && record.autoSignIn && canSignIn(record.kind, record.profile),
      )
      const signIns = await figures.signIns(day)
      const ended = entries.flatMap(({ record }) => {
        const signIn = signIns.get(record.id)
        return signIn === undefined || signIn.status === 'pending' ? [] : [itemOf(record, signIn, signIn.status)]
      })
      if (ended.length === 0 || ended.length < entries.length) return
      const failed = ended.filter(({ isFailed }) => isFailed).length
      await events.record({
        type: 'attendance.summary',
        key: `attendance.summary:${day}`,
        facts: {
          total: ended.length,
          done: ended.length - failed,
          failed,
          items: ended.map(({ item }) => item),
        },
      })
    },
  }
}

function nameOf({ displayName, name }: SiteRecord): string {
  return displayName || name
}

function itemOf(record: SiteRecord, { reason }: SignInDay, status: Exclude<SignInStatus, 'pending'>) {
  return {
    isFailed: status === 'failed',
    item: { site: nameOf(record), status_text: { kind: 'news.sign_in', status } as const, message: reason ?? '' },
  }
}
