/** Whether a torrent may go into a downloader, and which one. */

import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Reason } from './reason/reason.ts'
import type { Discount } from './vocabulary.ts'

/** The one that was asked for; 0 asks for the default, or the first where there is none. */
export function chooseDownloader<One extends { readonly id: number; readonly isDefault: boolean }>(
  enabled: readonly One[],
  wantedId: number,
): Result<One, 'unknown' | 'none'> {
  if (wantedId !== 0) {
    const wanted = enabled.find(({ id }) => id === wantedId)
    return wanted === undefined ? failWith('unknown') : succeed(wanted)
  }
  const chosen =
    enabled.find(({ isDefault }) => isDefault) ??
    enabled.reduce<One | undefined>((first, one) => (first === undefined || one.id < first.id ? one : first), undefined)
  return chosen === undefined ? failWith('none') : succeed(chosen)
}

/** In the order in which a push comes to them: the site's own credentials first. */
export const pushGates = ['site', 'present', 'capacity', 'space'] as const

/** What a push would meet at one gate, with the figures it would go by. */
export interface PushGate {
  readonly gate: (typeof pushGates)[number]
  /** `unknown`: only the torrent file can tell. */
  readonly state: 'open' | 'shut' | 'unknown'
  readonly reason?: Reason
  /** Of a capacity that is limited: what counts against it, where that could be read. */
  readonly capacity?: SeedingCapacity
  readonly space?: DiskSpace
}

export interface DiskSpace {
  /** Undefined when the downloader could not tell. */
  readonly freeBytes: number | undefined
  /** What torrents that are not complete will still write, and what was sent and does not show yet. */
  readonly pendingBytes: number
  readonly minFreeBytes: number
}

/** Why there is no room; undefined when there is. A torrent of unknown size needs no more than the minimum. */
export function stopForSpace(space: DiskSpace, sizeBytes: number | undefined): Reason | undefined {
  if (space.freeBytes === undefined) return { kind: 'push.space_unread' }
  const leftBytes = space.freeBytes - space.pendingBytes
  if (leftBytes <= space.minFreeBytes) return { kind: 'push.space_low', left: leftBytes, kept: space.minFreeBytes }
  if (leftBytes - (sizeBytes ?? 0) < space.minFreeBytes)
    return { kind: 'push.space_too_little', left: leftBytes, size: sizeBytes ?? 0, kept: space.minFreeBytes }
  return undefined
}

export interface SeedingCapacity {
  /** 0 for no limit. */
  readonly capacityBytes: number
  /** What the account seeds at the site, with what was pushed since that was read. Undefined when it could not be read. */
  readonly seedingBytes: number | undefined
}

/** Why the site's share is full; undefined when it is not. */
export function stopForCapacity(capacity: SeedingCapacity, sizeBytes: number | undefined): Reason | undefined {
  const { capacityBytes, seedingBytes } = capacity
  if (capacityBytes === 0) return undefined
  if (seedingBytes === undefined) return { kind: 'push.capacity_unread' }
  if (seedingBytes + (sizeBytes ?? 0) > capacityBytes)
    return { kind: 'push.capacity_full', seeding: seedingBytes, size: sizeBytes ?? 0, limit: capacityBytes }
  return undefined
}

/** What a search said about a torrent shortly before, as far as a push needs it. */
export interface FoundTorrent {
  readonly torrentId: string
  /** Undefined when the site does not say. */
  readonly sizeBytes?: number | undefined
  /** Undefined when the site does not say. */
  readonly discount?: Discount
  readonly discountEndAtUnix?: number
  readonly hasHr: boolean
  /** A secret: a link or a key of the owner's account. */
  readonly downloadKey?: string
}

/** Sites round what they show and files are exact: a gate goes by the larger one. */
export function gateSize(fileBytes: number | undefined, found: FoundTorrent | undefined): number | undefined {
  const shown = found?.sizeBytes
  if (fileBytes === undefined || shown === undefined) return fileBytes ?? shown
  return Math.max(fileBytes, shown)
}
