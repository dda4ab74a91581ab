/**
 * What the owner asks of a torrent that turns up by itself, in the words in which it is sent and stored: a rule is data
 * from the form to the decision. Rules stand in an order; the first whose conditions are all met decides.
 */
import type { Discount, ReleaseSource, Resolution, TorrentState } from '../vocabulary.ts'

export const ruleActions = ['take', 'notify', 'skip'] as const
export type RuleAction = (typeof ruleActions)[number]

/**
 * Compared as numbers. Ages and times that are left are counted from the moment of the decision. `free_gib` is what the disk
 * has left then: the one that the rule would have it written to or, of a torrent that a downloader holds, the one it lies on.
 */
export const numberFields = [
  'size_gib',
  'seeders',
  'leechers',
  'age_minutes',
  'free_hours',
  'year',
  'free_gib',
] as const
type NumberField = (typeof numberFields)[number]
export const numberOperators = ['at_least', 'at_most'] as const

/** Compared with a list of words, in any case. */
export const setFields = ['site', 'feed', 'category', 'tag', 'promotion', 'resolution', 'source', 'group'] as const
type SetField = (typeof setFields)[number]
export const setOperators = ['is_any', 'is_none'] as const

/**
 * Looked for in title and subtitle, in any case and width. `like` knows `*` and `?` and wants the whole title; `matches`
 * is a regular expression in linear time, somewhere in the title.
 */
export const titleOperators = ['has_all', 'has_any', 'has_none', 'like', 'not_like', 'matches', 'not_matches'] as const

/** `owned`: all that it brings is there, in the library or in a downloader. */
export const flagFields = ['hit_and_run', 'leaked', 'owned'] as const
type FlagField = (typeof flagFields)[number]

/**
 * Asked of a torrent that a downloader holds. `bonus_per_gib` is what the site gives in an hour for each GiB that is seeded;
 * `duty_done`: it need not be seeded any longer.
 */
export const heldNumberFields = [
  'ratio',
  'seeding_hours',
  'added_hours',
  'uploaded_gib',
  'peers',
  'bonus_per_gib',
] as const
export const heldSetFields = ['downloader', 'state'] as const
export const heldFlagFields = ['complete', 'unregistered', 'duty_done'] as const

export type RuleCondition =
  | {
      readonly field: NumberField | (typeof heldNumberFields)[number]
      readonly op: (typeof numberOperators)[number]
      readonly value: number
      /** What the site does not tell counts as met. */
      readonly or_unknown?: boolean | undefined
    }
  | {
      readonly field: SetField | (typeof heldSetFields)[number]
      readonly op: (typeof setOperators)[number]
      readonly value: readonly string[]
      readonly or_unknown?: boolean | undefined
    }
  | {
      readonly field: 'title'
      readonly op: (typeof titleOperators)[number]
      readonly value: readonly string[]
    }
  | {
      readonly field: FlagField | (typeof heldFlagFields)[number]
      readonly op: 'is'
      readonly value: boolean
      readonly or_unknown?: boolean | undefined
    }

export type NumberCondition = Extract<RuleCondition, { readonly op: 'at_least' | 'at_most' }>
export type SetCondition = Extract<RuleCondition, { readonly op: 'is_any' | 'is_none' }>
export type FlagCondition = Extract<RuleCondition, { readonly op: 'is' }>
export type TitleCondition = Extract<RuleCondition, { readonly field: 'title' }>

/** Where what is taken goes. */
export interface RuleTarget {
  /** 0 for the default one. */
  readonly downloader_id: number
  readonly category: string
  readonly tags: readonly string[]
  readonly save_path: string
  /** Added without being started; left out: it starts. */
  readonly paused?: boolean | undefined
}

/** As far as it says which disk is written to. */
export type RulePlace = Pick<RuleTarget, 'downloader_id' | 'save_path'>

/** Promotions under which a download costs nothing. */
export const theFree: readonly Discount[] = ['FREE', '2XFREE']

export interface FilterRule {
  readonly action: RuleAction
  readonly conditions: readonly RuleCondition[]
  readonly target: RuleTarget
  /** Taken in any 24 hours; left out for no bound. */
  readonly per_day_max?: number | undefined
  /** The same of their size, in GiB. */
  readonly per_day_gib_max?: number | undefined
}

export function asksFor(wanted: RuleCondition['field'], { conditions }: Pick<FilterRule, 'conditions'>): boolean {
  return conditions.some(({ field }) => field === wanted)
}

export const defaultTarget: RuleTarget = { downloader_id: 0, category: '', tags: [], save_path: '' }

/** What one of the downloaders had left for a folder when it was asked. An empty folder is its own. */
export interface DiskLeft {
  readonly downloaderId: number
  readonly isDefault: boolean
  readonly folder: string
  readonly leftBytes: number
}

/** Where a fact that decided was read. */
export const factSources = [
  'name',
  'feed',
  'list',
  'subscription',
  'library',
  'downloader',
  'pushes',
  'tracker',
  'site',
] as const
export type FactSource = (typeof factSources)[number]
export type OwnedSource = Extract<FactSource, 'subscription' | 'library' | 'downloader' | 'pushes'>

/**
 * Why nobody can say whether it is there: its name does not say what it brings, nothing of that title is known, a downloader
 * keeps still, or of a whole season only episodes are there.
 */
export const factLacks = ['unnamed', 'unheard', 'silent', 'partly'] as const
export type FactLack = (typeof factLacks)[number]

/** What is known of a torrent that turned up. What nobody told is undefined, and never a number. */
export interface Candidate {
  readonly site: string
  readonly feed: string
  readonly torrentId: string
  readonly title: string
  readonly subtitle: string
  readonly sizeBytes?: number | undefined
  readonly seeders?: number | undefined
  readonly leechers?: number | undefined
  readonly uploadedAtUnix?: number | undefined
  readonly category?: string | undefined
  readonly tags?: readonly string[] | undefined
  /** Undefined while the site's own list has not shown it. */
  readonly promotion?: Discount | undefined
  readonly freeUntilUnix?: number | undefined
  readonly hasHr?: boolean | undefined
  /** It is in the site's own list, which says more than a feed and is believed before it. */
  readonly isListed?: boolean | undefined
  /** Undefined while no rule asked, too; so of the disks. */
  readonly isOwned?: boolean | undefined
  /** Who said so, or why nobody can. */
  readonly ownedFrom?: OwnedSource | undefined
  readonly ownedLack?: FactLack | undefined
  /** That is how it is now: then no rule asked. */
  readonly isOwnedNow?: boolean | undefined
  /** Those that rules asked about. */
  readonly disks?: readonly DiskLeft[] | undefined
}

/** What is known of it where a downloader holds it. */
export interface HeldFacts {
  readonly downloader: string
  readonly state: TorrentState
  readonly isComplete: boolean
  /** Uploaded by size. */
  readonly ratio?: number | undefined
  readonly seedingSeconds?: number | undefined
  readonly addedAtUnix?: number | undefined
  readonly uploadedBytes: number
  /** That are connected now, those it loads from and those it gives to. */
  readonly peers: number
  readonly freeBytes?: number | undefined
  readonly bonusPerGib?: number | undefined
  /** The tracker said that it does not know it, or that it knows it. */
  readonly isUnregistered?: boolean | undefined
  readonly isDutyDone?: boolean | undefined
}

/** Of its name, as the reader of releases has it. */
export interface CandidateRelease {
  readonly isLeaked: boolean
  readonly year?: number | undefined
  readonly resolution?: Resolution | undefined
  readonly source?: ReleaseSource | undefined
  readonly group?: string | undefined
}
