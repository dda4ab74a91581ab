import type { Result } from '#shared/kernel/result.ts'
import type { Reason } from '../core/reason/reason.ts'

export interface ReseedServiceTorrent {
  /** The service's number of the site. */
  readonly sid: number
  readonly torrentId: string
  readonly infoHash: string
}

export interface ReseedServiceRefusal {
  readonly reason: Reason
  /** For so long it is not asked. */
  readonly restSeconds: number
  readonly isThrottled: boolean
}

/** What opens it, and where it is. */
export interface ReseedServicePlace {
  readonly address: string
  readonly token: string
  readonly proxy: string | undefined
}

type Answer<T> = Promise<Result<T, ReseedServiceRefusal>>

/** Knows by info hash which torrents of other sites are of the same files. */
export interface ReseedService {
  /** Its numbers of sites, by their hosts. */
  sites(place: ReseedServicePlace): Answer<ReadonlyMap<string, number>>
  /** Tells it which sites the owner has; gives back what it calls them. */
  tell(place: ReseedServicePlace, sids: readonly number[]): Answer<string>
  find(
    place: ReseedServicePlace,
    wanted: { readonly infoHashes: readonly string[]; readonly sidSha1: string },
  ): Answer<ReadonlyMap<string, readonly ReseedServiceTorrent[]>>
}
