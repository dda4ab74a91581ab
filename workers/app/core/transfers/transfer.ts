/** A torrent that moves from one downloader to another while its files stay where they are. */
import type { Torrent } from '../torrent.ts'

/**
 * `waiting`: nothing was done. `adding`: the other one is told of it, paused. `checking`: it looks whether all is there.
 * `switching`: all is there; the old one stops, the new one starts, the old one forgets it.
 */
export const transferStates = ['waiting', 'adding', 'checking', 'switching', 'done', 'failed'] as const
export type TransferState = (typeof transferStates)[number]

/** The same folder as two machines call it. Both without a slash at the end; empty for the same name on both. */
export interface FolderMapping {
  readonly from: string
  readonly to: string
}

/** Undefined for a folder that the mapping does not speak of. */
export function mappedFolder(folder: string, { from, to }: FolderMapping): string | undefined {
  if (from === '') return folder
  const bare = folder.replace(/\/+$/, '')
  if (bare === from) return to
  return bare.startsWith(`${from}/`) ? `${to}${bare.slice(from.length)}` : undefined
}

/** What a check came to: nothing yet, all of it, or the share that was found. */
export function checkOutcome(
  { state, progressPercent }: Pick<Torrent, 'state' | 'progressPercent'>,
  seconds: { readonly waited: number; readonly startMax: number; readonly endMax: number },
): 'wait' | 'whole' | 'too_slow' | { readonly percent: number } {
  if (state === 'checking') return seconds.waited >= seconds.endMax ? 'too_slow' : 'wait'
  // One that was just added tells the progress it had before the check: only what it says once it began counts.
  if (progressPercent >= 100) return 'whole'
  return seconds.waited >= seconds.startMax ? { percent: progressPercent } : 'wait'
}
