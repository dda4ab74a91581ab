import type { Result } from '#shared/kernel/result.ts'
import type { EndRule } from '../core/ends/end-rule.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { Clause } from '../core/rules/clause.ts'
import type { EndAction, EndMode, EndStatus } from '../core/vocabulary.ts'

export interface StoredEndRule {
  readonly id: number
  readonly name: string
  readonly enabled: boolean
  readonly rule: EndRule
  /** In the last 30 days, and in the last 24 hours. */
  readonly ended: number
  readonly endedToday: number
}

type EndRuleChange = Pick<StoredEndRule, 'name' | 'enabled' | 'rule'>

/** When torrents come to their end, whoever added them. */
export interface EndRules {
  /** In their order. */
  list(): Promise<StoredEndRule[]>
  /** At the end. */
  add(change: EndRuleChange): Promise<Result<StoredEndRule, 'name_taken' | 'too_many'>>
  update(id: number, change: EndRuleChange): Promise<Result<StoredEndRule, 'not_found' | 'name_taken'>>
  remove(id: number): Promise<boolean>
  /** False when it does not name each rule once. */
  order(ids: readonly number[]): Promise<boolean>
}

/** A torrent that is due to be ended, or was. */
export interface TorrentEnd {
  readonly id: number
  readonly downloaderId: number
  readonly downloader: string
  readonly infoHash: string
  readonly title: string
  readonly site: string
  readonly sizeBytes: number
  readonly action: EndAction
  readonly status: EndStatus
  readonly rule: string
  readonly clauses: readonly Clause[]
  readonly reason?: Reason
  readonly dueSinceUnix: number
  readonly decidedAtUnix: number
}

/** What rules would end of what the downloaders hold now. */
export interface EndTrial {
  readonly judged: number
  readonly ended: number
  /** That the disks would have more. */
  readonly freedBytes: number
  /** The first few, in the order in which they would go. */
  readonly items: readonly Pick<
    TorrentEnd,
    'downloader' | 'infoHash' | 'title' | 'sizeBytes' | 'action' | 'rule' | 'clauses'
  >[]
  /** Those that could not be read, and are not in it. */
  readonly unread: readonly { readonly name: string; readonly reason: Reason }[]
}

export interface TorrentEnds {
  mode(): Promise<EndMode>
  setMode(mode: EndMode): Promise<void>
  /** Due ones first, then what was ended, newest first, bounded. */
  list(): Promise<TorrentEnd[]>
  /** Without writing anything. */
  tryRules(rules: readonly { readonly id: number; readonly name: string; readonly rule: EndRule }[]): Promise<EndTrial>
  /** Rules or the mode changed. */
  lookSoon(): Promise<void>
}
