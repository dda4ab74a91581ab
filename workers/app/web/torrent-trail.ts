/** The list of torrents that was looked at last, for the pages of those in it. */
import { signal } from '@preact/signals'
import type { WireTorrent } from '../contract/torrents.ts'
import { torrentPageHash } from './model/hash-route.ts'
import { torrentKey } from './model/torrent-query.ts'

interface Trail {
  /** The address of the list. */
  readonly hash: string
  readonly total: number
  /** Those that were read of it, by place. */
  readonly at: ReadonlyMap<number, WireTorrent>
}

export const torrentTrail = signal<Trail | undefined>(undefined)

/** Where one stands in that list; undefined for those that were not seen there. */
export function placeInTrail(trail: Trail | undefined, target: Parameters<typeof torrentKey>[0]) {
  const key = torrentKey(target)
  const place = [...(trail?.at ?? [])].find(([, torrent]) => torrentKey(torrent) === key)?.[0]
  if (trail === undefined || place === undefined) return undefined
  const neighbour = (torrent: WireTorrent | undefined) =>
    torrent === undefined ? undefined : { hash: torrentPageHash(torrent), name: torrent.title }
  return {
    at: place + 1,
    count: trail.total,
    before: neighbour(trail.at.get(place - 1)),
    after: neighbour(trail.at.get(place + 1)),
  }
}
