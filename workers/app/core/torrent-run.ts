/** Something done to every torrent that matches, however many: planned once, carried out in batches. */
import type { ActionOutcome } from './downloader.ts'
import type { Reason } from './reason/reason.ts'
import type { TorrentChange } from './torrent-details.ts'
import type { TorrentAction } from './vocabulary.ts'

export type RunDeed =
  | { readonly kind: 'action'; readonly action: TorrentAction }
  | { readonly kind: 'change'; readonly change: TorrentChange }

/** As it was when it was chosen. */
export interface RunTarget {
  readonly infoHash: string
  readonly title: string
  /** Paused or stopped: what takes an action back leaves it so. */
  readonly isHeld: boolean
}

export interface RunBatch {
  readonly downloaderId: number
  readonly targets: readonly RunTarget[]
}

export interface RunFailure {
  readonly infoHash: string
  readonly title: string
  readonly reason: Reason
}

export interface BatchOutcome {
  readonly succeeded: readonly RunTarget[]
  readonly failed: readonly RunFailure[]
}

export function batchesOf(chosen: readonly RunBatch[], size: number): RunBatch[] {
  return chosen.flatMap(({ downloaderId, targets }) => {
    const batches: RunBatch[] = []
    for (let at = 0; at < targets.length; at += size)
      batches.push({ downloaderId, targets: targets.slice(at, at + size) })
    return batches
  })
}

/**
 * What came of a batch. One that was begun before and cut off is done again, and what a deletion does not find any more
 * was deleted then.
 */
export function outcomeOf(
  deed: RunDeed,
  targets: readonly RunTarget[],
  outcomes: readonly ActionOutcome[],
  wasBegun: boolean,
): BatchOutcome {
  const byHash = new Map(outcomes.map((outcome) => [outcome.infoHash, outcome]))
  const mayBeGone = wasBegun && deed.kind === 'action' && deed.action.startsWith('delete')
  const succeeded: RunTarget[] = []
  const failed: RunFailure[] = []
  for (const target of targets) {
    const outcome = byHash.get(target.infoHash)
    const reason: Reason = outcome?.reason ?? { kind: 'none', what: 'torrent' }
    const isGone = reason.kind === 'none' && reason.what === 'torrent'
    if (outcome?.success === true || (mayBeGone && isGone)) succeeded.push(target)
    else failed.push({ infoHash: target.infoHash, title: target.title, reason })
  }
  return { succeeded, failed }
}

/** Whether what one batch met with awaits the next one at that downloader just as well. */
export function holdsForAll({ kind }: Reason): boolean {
  return kind.startsWith('downloader.') && kind !== 'downloader.rejected'
}

/** What takes a run back, and which of its torrents that is for; undefined where nothing can. */
export function undoOfRun(deed: RunDeed): { readonly deed: RunDeed; readonly wasHeld: boolean } | undefined {
  if (deed.kind !== 'action') return undefined
  if (deed.action === 'pause') return { deed: { kind: 'action', action: 'resume' }, wasHeld: false }
  if (deed.action === 'resume') return { deed: { kind: 'action', action: 'pause' }, wasHeld: true }
  return undefined
}
