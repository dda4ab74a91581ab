import type { ActionOutcome } from './downloader.ts'
import type { Reason } from './reason/reason.ts'
import type { TorrentAction, TorrentState } from './vocabulary.ts'

export interface ActionTarget {
  readonly downloaderId: number
  readonly taskId: string
}

export interface TargetResult extends ActionTarget {
  readonly title?: string
  readonly success: boolean
  readonly reason?: Reason
}

export const unknownTorrent: Reason = { kind: 'none', what: 'torrent' }
export const unknownDownloader: Reason = { kind: 'none', what: 'downloader_on' }

/**
 * An info hash and nothing else. Downloaders read words such as `all` and lists such as `a|b` as more torrents than were
 * meant, so no other text ever reaches one.
 */
const infoHashPattern = /^[0-9a-f]{40}([0-9a-f]{24})?$/

/** Hashes by downloader, each once, in the order they were named. Targets that are no info hash are left out. */
export function groupTargets(targets: readonly ActionTarget[]): Map<number, string[]> {
  const groups = new Map<number, Set<string>>()
  for (const { downloaderId, taskId } of targets) {
    if (!infoHashPattern.test(taskId)) continue
    const group = groups.get(downloaderId) ?? new Set()
    group.add(taskId)
    groups.set(downloaderId, group)
  }
  return new Map([...groups].map(([downloaderId, hashes]) => [downloaderId, [...hashes]]))
}

/** What came of a downloader's share: one outcome a hash, or a reason that holds for all of them. */
export type GroupOutcome =
  | { readonly kind: 'outcomes'; readonly outcomes: readonly ActionOutcome[] }
  | { readonly kind: 'refused'; readonly reason: Reason }

/** One result for each target as it was sent, in that order. */
export function resultsInOrder(
  targets: readonly ActionTarget[],
  groups: ReadonlyMap<number, GroupOutcome>,
): TargetResult[] {
  const byHash = new Map<number, ReadonlyMap<string, ActionOutcome>>()
  for (const [downloaderId, group] of groups) {
    if (group.kind !== 'outcomes') continue
    byHash.set(downloaderId, new Map(group.outcomes.map((outcome) => [outcome.infoHash, outcome])))
  }
  return targets.map((target) => {
    if (!infoHashPattern.test(target.taskId)) return { ...target, success: false, reason: unknownTorrent }
    const group = groups.get(target.downloaderId)
    if (group === undefined) return { ...target, success: false, reason: unknownDownloader }
    if (group.kind === 'refused') return { ...target, success: false, reason: group.reason }
    const outcome = byHash.get(target.downloaderId)?.get(target.taskId)
    if (outcome === undefined) return { ...target, success: false, reason: unknownTorrent }
    const { infoHash: _, ...what } = outcome
    return { ...target, ...what }
  })
}

/** Whether a torrent looks as an action leaves it; `undefined` stands for a torrent that is gone. */
export function isSettled(action: TorrentAction, state: TorrentState | undefined): boolean {
  switch (action) {
    case 'delete':
    case 'delete_with_files':
      return state === undefined
    case 'pause':
      return state === undefined || state === 'paused' || state === 'stopped' || state === 'error'
    case 'resume':
      return state !== 'paused' && state !== 'stopped'
  }
}
