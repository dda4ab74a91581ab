import type { Reason } from '../core/reason/reason.ts'
import type { Clause } from '../core/rules/clause.ts'
import type { TaskSource } from '../core/vocabulary.ts'

/** Something that this service did about a torrent, from what its tables hold. */
export interface TorrentEvent {
  /** Unix seconds. */
  readonly at: number
  readonly kind:
    | 'found'
    | 'pushed'
    | 'not_pushed'
    | 'completed'
    | 'organised'
    | 'brush_taken'
    | 'brush_removed'
    | 'end_due'
    | 'ended'
  readonly site?: string
  readonly torrentId?: string
  readonly source?: TaskSource
  /** Of the rule that decided; empty where only what is free is taken. */
  readonly rule?: string
  /** The feed, the brush task, or the library that it is of. */
  readonly by?: string
  readonly path?: string
  readonly clauses?: readonly Clause[]
  readonly reason?: Reason
}

export interface TorrentHistory {
  /** Newest first, a bounded number. */
  of(downloaderId: number, infoHash: string): Promise<TorrentEvent[]>
}
