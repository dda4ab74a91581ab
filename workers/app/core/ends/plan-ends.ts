/** Which torrents of one downloader come to their end, by the owner's rules, and in which order. */
import type { Clause } from '../rules/clause.ts'
import type { HeldFacts } from '../rules/filter-rule.ts'
import { judge, type PreparedRules } from '../rules/judge.ts'
import { Subject } from '../rules/subject.ts'
import type { Torrent } from '../torrent.ts'
import type { EndAction } from '../vocabulary.ts'

/** What is known of a torrent beside what its downloader tells. */
export interface HeldTorrent {
  readonly torrent: Torrent
  readonly downloader: string
  /** Of the site it was pushed from. */
  readonly site?: string | undefined
  readonly hasHr?: boolean | undefined
  readonly isDutyDone?: boolean | undefined
  readonly bonusPerGib?: number | undefined
}

export interface EndVerdict {
  readonly held: HeldTorrent
  readonly ruleId: number
  /** `remove` also where files were to go that another torrent lives on. */
  readonly action: Exclude<EndAction, 'keep'>
  readonly clauses: readonly Clause[]
}

export interface EndsAt {
  readonly nowUnix: number
  /** What the disk of the downloader has left; undefined where it does not tell. */
  readonly freeBytes: number | undefined
  /** Ended by a rule in the last 24 hours. */
  readonly endedToday: (ruleId: number) => number
}

/**
 * Those seeded longest come first. What one leaves free is free for the next: rules that ask for room on the disk stop
 * once there is enough.
 */
export function planEnds(held: readonly HeldTorrent[], rules: PreparedRules<EndAction>, at: EndsAt): EndVerdict[] {
  let { freeBytes } = at
  const planned = new Map<number, number>()
  const takenToday = (id: number) => ({ count: at.endedToday(id) + (planned.get(id) ?? 0), bytes: 0 })
  const sharers = Map.groupBy(held, filesOf)
  const isGone = new Set<HeldTorrent>()
  const verdicts: EndVerdict[] = []
  for (const one of [...held].sort(longestSeeded)) {
    const subject = subjectOf(one, freeBytes, at.nowUnix)
    const { act, ruleId, clauses } = judge(subject, rules, { mayWait: false, takenToday })
    if (act === 'leave' || act === 'wait' || act === 'keep' || ruleId === undefined) continue
    if (act === 'pause' && isHeld(one)) continue
    planned.set(ruleId, (planned.get(ruleId) ?? 0) + 1)
    if (act !== 'pause') isGone.add(one)
    const isLivedOn = (sharers.get(filesOf(one)) ?? []).some((other) => !isGone.has(other))
    const action = act === 'remove_with_files' && isLivedOn ? 'remove' : act
    if (action === 'remove_with_files' && freeBytes !== undefined) freeBytes += bytesOnDisk(one.torrent)
    verdicts.push({ held: one, ruleId, action, clauses })
  }
  return verdicts
}

/**
 * Of what is due, what may be carried out now: a bounded number, and files only together with all that live on them.
 * What leaves files behind comes first.
 */
export function endsToCarryOut<Verdict extends EndVerdict>(
  verdicts: readonly Verdict[],
  held: readonly HeldTorrent[],
  isRipe: (verdict: Verdict) => boolean,
  max: number,
): Verdict[] {
  const chosen = verdicts.filter(isRipe).slice(0, max)
  const leaving = new Set(chosen.flatMap((one) => (one.action === 'pause' ? [] : [one.held.torrent.infoHash])))
  const sharers = Map.groupBy(held, filesOf)
  const isAlone = (one: Verdict) =>
    (sharers.get(filesOf(one.held)) ?? []).every(({ torrent }) => leaving.has(torrent.infoHash))
  const withFiles = chosen.filter((one) => one.action === 'remove_with_files' && isAlone(one))
  return [...chosen.filter(({ action }) => action !== 'remove_with_files'), ...withFiles]
}

/** One that was reseeded lies on the files of another: same folder, same name, same size. */
function filesOf({ torrent: { savePath, title, sizeBytes } }: HeldTorrent): string {
  return JSON.stringify([savePath.replace(/\/+$/, ''), title, sizeBytes])
}

function isHeld({ torrent: { state } }: HeldTorrent): boolean {
  return state === 'paused' || state === 'stopped'
}

function bytesOnDisk({ sizeBytes, progressPercent }: Torrent): number {
  return Math.floor((sizeBytes * progressPercent) / 100)
}

function longestSeeded(one: HeldTorrent, other: HeldTorrent): number {
  const seconds = ({ torrent }: HeldTorrent) => torrent.seedingSeconds ?? 0
  return (
    seconds(other) - seconds(one) ||
    one.torrent.addedAtUnix - other.torrent.addedAtUnix ||
    (one.torrent.infoHash < other.torrent.infoHash ? -1 : 1)
  )
}

function subjectOf(held: HeldTorrent, freeBytes: number | undefined, nowUnix: number): Subject {
  const { torrent, site, hasHr } = held
  const candidate = {
    site: site ?? '',
    feed: '',
    torrentId: torrent.infoHash,
    title: torrent.title,
    subtitle: '',
    sizeBytes: torrent.sizeBytes > 0 ? torrent.sizeBytes : undefined,
    category: torrent.category,
    tags: torrent.tags === '' ? [] : torrent.tags.split(','),
    hasHr,
  }
  return new Subject(candidate, nowUnix, undefined, factsOf(held, freeBytes))
}

function factsOf({ torrent, downloader, ...known }: HeldTorrent, freeBytes: number | undefined): HeldFacts {
  return {
    downloader,
    state: torrent.state,
    isComplete: torrent.progressPercent >= 100,
    ratio: torrent.sizeBytes > 0 ? torrent.uploadedBytes / torrent.sizeBytes : undefined,
    seedingSeconds: torrent.seedingSeconds,
    addedAtUnix: torrent.addedAtUnix > 0 ? torrent.addedAtUnix : undefined,
    uploadedBytes: torrent.uploadedBytes,
    peers: torrent.seeds + torrent.peers,
    freeBytes,
    bonusPerGib: known.bonusPerGib,
    isUnregistered: isUnregistered(torrent),
    isDutyDone: known.isDutyDone,
  }
}

/**
 * What trackers say of a torrent that they do not have, or have no longer: NexusPHP and those made of TBDev "torrent not
 * registered with this tracker", Ocelot "unregistered torrent", UNIT3D and others that it was not found, opentracker that
 * it is not authorized. What is wrong with the account or the tracker says none of this.
 */
const unregisteredWords =
  /not registered|unregistered torrent|(?:torrent|info.?hash) (?:was )?not found|torrent (?:has been|was) (?:deleted|removed)|not authorized for use with this tracker|种子(?:不存在|已(?:被)?删除)/i

function isUnregistered({ condition }: Torrent): boolean | undefined {
  if (condition?.kind !== 'tracker_error' && condition?.kind !== 'tracker_warning') return false
  // One that only failed to answer said nothing of it.
  return condition.said === undefined ? undefined : unregisteredWords.test(condition.said)
}
