import type { Result } from '#shared/kernel/result.ts'
import type { BrushRules } from '../core/brush/brush-rules.ts'
import type { Removal } from '../core/brush/brushed-torrent.ts'
import type { leftReasons } from '../core/brush/choose-torrents.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { Clause } from '../core/rules/clause.ts'
import type { BrushReason, BrushStatus } from '../core/vocabulary.ts'

export interface BrushFigures {
  readonly uploadedBytes: number
  readonly downloadedBytes: number
  readonly added: number
  readonly removed: number
}

/** What takes fresh torrents of a site and removes them when they no longer pay. */
export interface BrushTask {
  readonly id: number
  readonly name: string
  readonly enabled: boolean
  /** As it is called now; as it was last called once it is gone. */
  readonly site: string
  /** False also for a site that is gone. */
  readonly siteEnabled: boolean
  /** 0 for the default one. */
  readonly downloaderId: number
  /** The one that is meant; empty while there is none. */
  readonly downloader: string
  readonly everyMinutes: number
  readonly rules: BrushRules
  readonly active: number
  readonly downloading: number
  readonly activeBytes: number
  readonly today: BrushFigures
  readonly total: BrushFigures
  readonly dueAtUnix: number
  /** A run of it was begun at some time. */
  readonly hasBegun?: true
  readonly lastFinishedAtUnix?: number
  readonly lastReason?: Reason
}

export interface BrushTaskChange
  extends Pick<BrushTask, 'name' | 'enabled' | 'downloaderId' | 'everyMinutes' | 'rules'> {
  readonly siteId: number
}

/** A torrent that a brush task wanted. */
export interface BrushTorrent {
  readonly torrentId: string
  readonly title: string
  readonly status: BrushStatus
  readonly reason?: BrushReason
  readonly removal?: Omit<Removal, 'reason'>
  /** Why it was taken: none where nothing had written that down yet. */
  readonly clauses: readonly Clause[]
  readonly sizeBytes: number
  readonly uploadedBytes: number
  readonly downloadedBytes: number
  readonly takenAtUnix: number
  readonly completedAtUnix?: number
  readonly freeEndAtUnix?: number
  readonly endedAtUnix?: number
}

/** A torrent that the last look saw and did not take, and why. */
export interface BrushLeft {
  readonly torrentId: string
  readonly title: string
  readonly sizeBytes?: number
  readonly why: (typeof leftReasons)[number]
  readonly clauses: readonly Clause[]
}

/** What a task's last look at the newest list came to. */
export interface BrushLook {
  /** Torrents of the list, and how many of them were had or tried before. */
  readonly seen: number
  readonly known: number
  /** There was no place left, so the list was not looked at. */
  readonly isFull: boolean
  /** A bounded number, what came nearest to being taken first. */
  readonly left: readonly BrushLeft[]
}

export interface BrushTasks {
  /** All of them, by id. */
  list(): Promise<BrushTask[]>
  add(change: BrushTaskChange): Promise<Result<BrushTask, 'name_taken' | 'too_many'>>
  update(id: number, change: BrushTaskChange): Promise<Result<BrushTask, 'not_found' | 'name_taken'>>
  /** What it took stays in the downloader. */
  remove(id: number): Promise<boolean>
  /** As soon as its site is free. False when there is no such task, or it is switched off. */
  runSoon(id: number): Promise<boolean>
  /** Those in its care, then those it had, the newest first. Undefined when there is no such task. */
  torrents(id: number): Promise<BrushTorrent[] | undefined>
  /** False when there is no such task; undefined while it never looked. */
  lastLook(id: number): Promise<(BrushLook & { readonly atUnix: number }) | undefined | false>
}
