import type { Result } from '#shared/kernel/result.ts'
import type { PlacedFault } from '../core/cardigann/checked-definition.ts'
import type { Announces } from '../core/feeds/announce.ts'
import type { AnnounceReason, Reason } from '../core/reason/reason.ts'
import type { Clause } from '../core/rules/clause.ts'
import type { TakenToday } from '../core/rules/day-bound.ts'
import type { Candidate, DiskLeft, FilterRule } from '../core/rules/filter-rule.ts'
import type { FeedItemStatus } from '../core/vocabulary.ts'

/** Where torrents turn up by themselves. Never its address: that holds the owner's key. */
export interface Feed {
  readonly id: number
  readonly name: string
  readonly enabled: boolean
  /** As it is called now; as it was last called once it is gone. */
  readonly site: string
  /** False also for a site that is gone. */
  readonly siteEnabled: boolean
  /** All that is shown of its address. Empty for the site's own newest list. */
  readonly host: string
  readonly everyMinutes: number
  /** Of a channel that says what is new; `host` is its server. */
  readonly announces?: Announces
  /** A command that opens the channel is stored, with the owner's key. */
  readonly hasEnter?: true
  readonly dueAtUnix: number
  readonly lastFinishedAtUnix?: number
  readonly lastItemAtUnix?: number
  readonly lastReason?: Reason
  /** In the last 24 hours. */
  readonly found: number
  readonly taken: number
}

export interface FeedChange extends Pick<Feed, 'name' | 'enabled' | 'everyMinutes' | 'announces'> {
  readonly siteId: number
  /** Undefined keeps the stored one; empty for the site's own newest list. */
  readonly address?: string
  /** Undefined keeps the stored one, unless the address is another one. */
  readonly enter?: string
}

export interface Feeds {
  /** All of them, by id. */
  list(): Promise<Feed[]>
  add(change: FeedChange): Promise<Result<Feed, 'name_taken' | 'too_many' | 'secrets'>>
  update(id: number, change: FeedChange): Promise<Result<Feed, 'not_found' | 'name_taken' | 'secrets'>>
  /** What it brought stays in the downloader. */
  remove(id: number): Promise<boolean>
  /** As soon as its site is free. False when there is no such feed, or it is switched off. */
  runSoon(id: number): Promise<boolean>
  items(wish: FeedItemQuery): Promise<FeedItem[]>
  item(id: number): Promise<FeedItem | undefined>
  /** What was pushed by hand, as long as nothing else was decided about it meanwhile. */
  overrule(item: Pick<FeedItem, 'id' | 'decidedAtUnix'>, status: 'overruled' | 'present'): Promise<void>
  /** What was found since then, newest first and bounded, to try rules on. */
  candidates(
    sinceUnix: number,
  ): Promise<readonly { readonly candidate: Candidate; readonly atUnix: number; readonly isTaken: boolean }[]>
  /** How many were found since then that no rule wanted. */
  leftSince(unix: number): Promise<number>
}

interface FeedItemQuery {
  readonly feedId?: number
  readonly statuses?: readonly FeedItemStatus[]
  /** Items with smaller numbers. */
  readonly beforeId?: number
}

/** What turned up, and what was decided about it. */
export interface FeedItem {
  readonly id: number
  readonly feed: string
  readonly candidate: Candidate
  readonly status: FeedItemStatus
  /** Of the rule that decided or came nearest; empty for the rule of free ones. */
  readonly rule: string
  readonly clauses: readonly Clause[]
  readonly reason?: Reason
  readonly foundAtUnix: number
  readonly decidedAtUnix: number
}

export interface NamedRule {
  readonly id: number
  readonly name: string
  readonly rule: FilterRule
}

export interface StoredRule extends NamedRule {
  readonly enabled: boolean
  /** In the last 30 days, and in the last 24 hours. */
  readonly taken: number
  readonly takenToday: TakenToday
}

export type RuleChange = Pick<StoredRule, 'name' | 'enabled' | 'rule'>

export interface FilterRules {
  /** In their order. */
  list(): Promise<StoredRule[]>
  /** Those that decide, in their order, without counting what they took. */
  active(): Promise<NamedRule[]>
  /** What each took in the 24 hours up to then. */
  takenBefore(unix: number): Promise<ReadonlyMap<number, TakenToday>>
  /** At the end. */
  add(change: RuleChange): Promise<Result<StoredRule, 'name_taken' | 'too_many'>>
  update(id: number, change: RuleChange): Promise<Result<StoredRule, 'not_found' | 'name_taken'>>
  remove(id: number): Promise<boolean>
  /** In their order, in place of all there are. One that keeps its name stays what it is. */
  replace(changes: readonly RuleChange[]): Promise<void>
  /** False when it does not name each rule once. */
  order(ids: readonly number[]): Promise<boolean>
}

/** What the disks have left that these rules ask about, as a push would count it. One that does not tell is left out. */
export type RuleDisks = (rules: readonly Pick<NamedRule, 'rule'>[]) => Promise<readonly DiskLeft[]>

/** What is known of a candidate's being there: nothing where no rule asks. */
export type OwnedFacts = Pick<Candidate, 'isOwned' | 'ownedFrom' | 'ownedLack' | 'isOwnedNow'>

/**
 * Whether all that a candidate brings is there already. Of candidates of the past (`isPast`) it is told as it is now, beside what
 * they brought themselves.
 */
export type RuleOwned = (
  rules: readonly Pick<NamedRule, 'rule'>[],
  candidates: readonly Candidate[],
  isPast?: true,
) => Promise<(one: Pick<Candidate, 'site' | 'torrentId'>) => OwnedFacts>

/** All rules as one text in YAML. */
export interface RulesText {
  write(rules: readonly RuleChange[]): string
  read(text: string): Result<readonly RuleChange[], readonly PlacedFault[]>
}

/** A channel as the host joins it. */
export interface AnnounceSource extends Pick<Announces, 'channel' | 'announcers' | 'certificate'> {
  readonly feedId: number
  readonly signIn: Announces['sign_in']
  readonly server: string
  readonly port: number
  readonly isEncrypted: boolean
  readonly nick: string
  readonly password: string
  /** Said once we are signed in, to whom its first word names: it opens the channel. */
  readonly enter?: string
}

/** What the host on one's own machine asks, which is in the channels. */
export interface AnnounceService {
  sources(): Promise<readonly AnnounceSource[]>
  /** Decides about one line and pushes what is taken. */
  hear(feedId: number, said: string): Promise<void>
  /** Undefined once it is heard. */
  state(feedId: number, reason: AnnounceReason | undefined): Promise<void>
}
