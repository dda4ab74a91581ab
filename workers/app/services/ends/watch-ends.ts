/** Looks at all torrents of all downloaders by the owner's rules, and ends those that came to their end. */

import { unixSeconds } from '#shared/kernel/clock.ts'
import { type Result, succeed } from '#shared/kernel/result.ts'
import type { HeldRecord, NamedVerdict, TorrentEndStore } from '../../adapters/d1/torrent-ends.ts'
import type { SiteRules } from '../../contract/site-rules.ts'
import type { DownloaderTarget } from '../../core/downloader.ts'
import { type EndRule, prepareEndRules } from '../../core/ends/end-rule.ts'
import { endsToCarryOut, type HeldTorrent, planEnds } from '../../core/ends/plan-ends.ts'
import { gibBytes } from '../../core/gib-bytes.ts'
import { isAskedOfAll, seedingStanding } from '../../core/hit-and-run.ts'
import type { NamedReason, Reason } from '../../core/reason/reason.ts'
import type { Torrent } from '../../core/torrent.ts'
import { endLookSeconds, endsPerLookMax, endTrialShown } from '../../limits.ts'
import type { DownloaderFleet, DownloaderStore } from '../../ports/downloaders.ts'
import type { EndRules, EndTrial, TorrentEnds } from '../../ports/ends.ts'
import type { OwnerSettings } from '../../ports/settings.ts'
import type { SiteFigures, SiteStore } from '../../ports/sites.ts'
import { actOnOne } from '../downloaders/act-on-one.ts'
import { allTorrentsOf } from '../downloaders/all-torrents.ts'
import { type AuditDeps, ownEntry, writtenDown } from '../written-down.ts'

export interface EndDeps extends AuditDeps {
  readonly settings: Pick<OwnerSettings, 'read'>
  readonly rules: Pick<EndRules, 'list'>
  readonly store: TorrentEndStore
  readonly sites: Pick<SiteStore, 'list'>
  readonly figures: Pick<SiteFigures, 'users'>
  readonly rulesOf: (definition: string) => SiteRules
  readonly downloaders: Pick<DownloaderStore, 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'select' | 'status' | 'act'>
  /** What a plan for the level of a site counts on. */
  kept(): Promise<{ readonly sites: ReadonlySet<string>; readonly infoHashes: ReadonlySet<string> }>
}

type AskedRule = { readonly id: number; readonly name: string; readonly rule: EndRule }

/** What the sites tell of what is held of theirs. */
interface SiteFacts {
  /** Whether a torrent need not be seeded any longer; undefined where nobody knows. */
  isDutyDone(record: HeldRecord, torrent: Torrent): boolean
  bonusPerGib(site: string): number | undefined
}

interface Look {
  readonly held: readonly HeldTorrent[]
  readonly verdicts: readonly NamedVerdict[]
}

const command = 'torrent-end'
export async function areEndsWatched({ settings, rules }: Pick<EndDeps, 'settings' | 'rules'>): Promise<boolean> {
  if ((await settings.read('ends')).value.mode === 'off') return false
  return (await rules.list()).some(({ enabled }) => enabled)
}

/** Gives back when to look again. */
export async function watchEnds(
  deps: EndDeps,
): Promise<{ readonly dueAtUnix: number | undefined; readonly reason?: Reason }> {
  await deps.store.trim()
  if (!(await areEndsWatched(deps))) {
    await deps.store.forgetDue()
    return { dueAtUnix: undefined }
  }
  const { mode } = (await deps.settings.read('ends')).value
  const rules = (await deps.rules.list()).filter(({ enabled }) => enabled)
  const endedToday = new Map(rules.map(({ id, endedToday: count }) => [id, count]))
  const facts = await siteFacts(deps)
  const errors: NamedReason[] = []
  // Side by side: one that hangs holds up none of the others.
  await Promise.all(
    (await deps.downloaders.targets()).map(async (target) => {
      const look = await lookAt(deps, target, rules, facts, (id) => endedToday.get(id) ?? 0)
      if (!look.ok) errors.push({ name: target.name, reason: look.failure })
      else errors.push(...(await carryOut(deps, target, look.value, mode === 'on')))
    }),
  )
  return {
    dueAtUnix: unixSeconds(deps.clock) + endLookSeconds,
    ...(errors.length === 0 ? {} : { reason: { kind: 'several', of: errors } }),
  }
}

export function createTorrentEnds(
  deps: EndDeps & { readonly wake: () => Promise<void>; readonly plan: () => Promise<unknown> } & {
    readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  },
): TorrentEnds {
  const { settings, store } = deps
  return {
    list: () => store.list(),
    mode: async () => (await settings.read('ends')).value.mode,
    async setMode(mode) {
      await settings.write('ends', { mode })
    },
    async lookSoon() {
      await deps.plan()
      await deps.wake()
    },
    tryRules: (rules) => tryEndRules(deps, rules),
  }
}

async function tryEndRules(deps: EndDeps, rules: readonly AskedRule[]): Promise<EndTrial> {
  const facts = await siteFacts(deps)
  const targets = await deps.downloaders.targets()
  const looks = await Promise.all(
    targets.map(async ({ name }, at) => {
      const target = targets[at]
      return target === undefined ? undefined : { name, look: await lookAt(deps, target, rules, facts, () => 0) }
    }),
  )
  const read = looks.flatMap((one) => (one?.look.ok === true ? [one.look.value] : []))
  const verdicts = read.flatMap((one) => one.verdicts)
  return {
    judged: read.reduce((sum, { held }) => sum + held.length, 0),
    ended: verdicts.length,
    freedBytes: verdicts.reduce(
      (sum, { action, held }) => sum + (action === 'remove_with_files' ? held.torrent.sizeBytes : 0),
      0,
    ),
    items: verdicts.slice(0, endTrialShown).map(({ held: { torrent, downloader }, action, rule, clauses }) => ({
      ...{ downloader, infoHash: torrent.infoHash, title: torrent.title, sizeBytes: torrent.sizeBytes },
      ...{ action, rule, clauses },
    })),
    unread: looks.flatMap((one) => (one?.look.ok === false ? [{ name: one.name, reason: one.look.failure }] : [])),
  }
}

/** All that a downloader holds, and what the rules say of it. */
async function lookAt(
  deps: EndDeps,
  target: DownloaderTarget,
  rules: readonly AskedRule[],
  facts: SiteFacts,
  endedToday: (ruleId: number) => number,
): Promise<Result<Look, Reason>> {
  const status = await deps.fleet.status(target)
  if (!status.ok) return status
  const torrents = await allTorrentsOf(deps.fleet, target)
  if (!torrents.ok) return torrents
  const byHash = new Map<string, HeldRecord>()
  for (const record of await deps.store.records(target.id))
    for (const infoHash of record.infoHashes) if (!byHash.has(infoHash)) byHash.set(infoHash, record)
  const held = torrents.value.map((torrent): HeldTorrent => {
    const record = byHash.get(torrent.infoHash)
    if (record === undefined) return { torrent, downloader: target.name }
    return {
      torrent,
      downloader: target.name,
      site: record.site,
      hasHr: record.hasHr,
      isDutyDone: facts.isDutyDone(record, torrent),
      bonusPerGib: facts.bonusPerGib(record.site),
    }
  })
  const [wasPaused, kept] = await Promise.all([deps.store.paused(target.id), deps.kept()])
  const names = new Map(rules.map(({ id, name }) => [id, name]))
  const planned = planEnds(held, prepareEndRules(rules), {
    nowUnix: unixSeconds(deps.clock),
    freeBytes: status.value.freeSpaceBytes,
    endedToday,
  })
  const verdicts = planned
    .filter(({ action, held: { torrent } }) => action !== 'pause' || !wasPaused.has(torrent.infoHash))
    .filter(({ held: { site, torrent } }) => !kept.sites.has(site ?? '') && !kept.infoHashes.has(torrent.infoHash))
    .map((one) => ({ ...one, rule: names.get(one.ruleId) ?? '' }))
  return succeed({ held, verdicts })
}

/** Writes down what is due, and where it is meant ends what was due at the look before, too. */
async function carryOut(
  deps: EndDeps,
  target: DownloaderTarget,
  { held, verdicts }: Look,
  isMeant: boolean,
): Promise<NamedReason[]> {
  const { store, clock, fleet } = deps
  const due = await store.settle(target.id, new Set(held.map(({ torrent }) => torrent.infoHash)), verdicts)
  if (!isMeant) return []
  // Due at the look before, too: a downloader that starts, or a tracker that stumbles, ends nothing.
  const ripeAtUnix = unixSeconds(clock) - endLookSeconds
  const rowOf = ({ held: { torrent } }: Pick<NamedVerdict, 'held'>) => due.get(torrent.infoHash)
  const chosen = endsToCarryOut(
    verdicts,
    held,
    (one) => (rowOf(one)?.dueSinceUnix ?? Number.POSITIVE_INFINITY) <= ripeAtUnix,
    endsPerLookMax,
  )
  await store.begin(chosen.flatMap((one) => rowOf(one)?.id ?? []))
  const errors: NamedReason[] = []
  for (const verdict of chosen) {
    const { torrent } = verdict.held
    // Files stay where something that lives on them could not be taken away.
    if (verdict.action === 'remove_with_files' && errors.length > 0) break
    const id = rowOf(verdict)?.id ?? 0
    const ended: Reason = { kind: 'torrent.ended', action: verdict.action, rule: verdict.rule, title: torrent.title }
    const written = await writtenDown(
      deps,
      ownEntry(command, id),
      async () => {
        const failure = await actOnOne(fleet, target, actionOf[verdict.action], torrent.infoHash)
        await store.finish(id, failure)
        return failure
      },
      (failure) =>
        failure === undefined
          ? { result: 'ok', status: 200, reason: ended }
          : { result: 'error', status: 502, reason: failure },
    )
    // What is not written down stays due, and is looked at again.
    const failure = written.ok ? written.value : written.failure
    if (failure !== undefined) errors.push({ name: target.name, reason: failure })
  }
  return errors
}

const actionOf = { remove_with_files: 'delete_with_files', remove: 'delete', pause: 'pause' } as const

async function siteFacts({ sites, figures, rulesOf }: EndDeps): Promise<SiteFacts> {
  const records = new Map((await sites.list()).map(({ record }) => [record.name, record]))
  const users = await figures.users()
  return {
    isDutyDone({ site, hasHr, seededSeconds = 0 }, torrent) {
      const record = records.get(site)
      const rule = record === undefined ? undefined : rulesOf(record.definition).hit_and_run
      const isAsked = hasHr || (rule !== undefined && record !== undefined && isAskedOfAll(record.kind))
      if (!isAsked) return true
      const given = {
        sizeBytes: torrent.sizeBytes,
        isComplete: torrent.progressPercent >= 100,
        seededSeconds: Math.max(seededSeconds, torrent.seedingSeconds ?? 0),
        givenBytes: torrent.uploadedBytes,
        isSeeding: torrent.state === 'seeding',
        isMissing: false,
        givenAtUnix: undefined,
      }
      // Of a site that does not say what it asks nothing is ever done.
      return seedingStanding(given, rule, true).state === 'free'
    },
    bonusPerGib(site) {
      const record = records.get(site)
      const user = users.ok && record !== undefined ? users.value.get(record.id) : undefined
      const isDoubtful = user?.doubts?.some(({ figure }) => figure === 'bonus_per_hour' || figure === 'seeding_size')
      if (user?.bonusPerHour === undefined || !user.seedingSizeBytes || isDoubtful === true) return undefined
      return user.bonusPerHour / (user.seedingSizeBytes / gibBytes)
    },
  }
}
