/** One thing that a rule asks of a candidate: made ready once, asked of many, and said again with what was found. */

import { matchesWildcard } from '#shared/kernel/wildcard.ts'
import { gibBytes } from '../gib-bytes.ts'
import { readReleaseName } from '../media/release-name.ts'
import { isFree } from '../site.ts'
import type { Discount } from '../vocabulary.ts'
import {
  type Candidate,
  type CandidateRelease,
  type HeldFacts,
  type heldNumberFields,
  heldSetFields,
  type RuleCondition,
  setFields,
} from './filter-rule.ts'
import { titlePattern } from './title-pattern.ts'

const minuteSeconds = 60
const hourSeconds = 3600

export const clauseStates = ['met', 'unmet', 'unknown'] as const
type ClauseState = (typeof clauseStates)[number]

/** One thing that was asked, and what was found. */
export interface Clause {
  readonly asked:
    | RuleCondition
    | { readonly field: 'per_day'; readonly op: 'at_most'; readonly value: number }
    /** The same release was taken before, from the site that was found. */
    | { readonly field: 'same_release'; readonly op: 'is'; readonly value: false }
  readonly state: ClauseState
  /** What the candidate has; left out where nobody told. */
  readonly found?: string | number | boolean | undefined
}

/** A condition, ready to be asked of many. */
export interface PreparedCondition {
  readonly asked: RuleCondition
  state(subject: Subject): ClauseState
  found(subject: Subject): Clause['found']
}

const allSetFields = [...setFields, ...heldSetFields] as const
type SetField = (typeof allSetFields)[number]
type NumberCondition = Extract<RuleCondition, { readonly op: 'at_least' | 'at_most' }>
type SetCondition = Extract<RuleCondition, { readonly op: 'is_any' | 'is_none' }>
type FlagCondition = Extract<RuleCondition, { readonly op: 'is' }>
type TitleCondition = Extract<RuleCondition, { readonly field: 'title' }>

/** A candidate at a moment. What several rules ask of it is worked out once, and what none asks not at all. */
export class Subject {
  readonly candidate: Candidate
  readonly nowUnix: number
  /** Of one that a downloader holds. */
  readonly held: HeldFacts | undefined
  readonly #sets: (readonly string[] | null | undefined)[] = []
  #release: CandidateRelease | undefined
  #words: string | undefined
  #title: string | undefined

  constructor(candidate: Candidate, nowUnix: number, release?: CandidateRelease, held?: HeldFacts) {
    this.candidate = candidate
    this.nowUnix = nowUnix
    this.held = held
    this.#release = release
  }

  get release(): CandidateRelease {
    this.#release ??= releaseOf(this.candidate)
    return this.#release
  }

  /** Title and subtitle, folded. */
  get words(): string {
    this.#words ??= `${this.title}\n${folded(this.candidate.subtitle)}`
    return this.#words
  }

  get title(): string {
    this.#title ??= folded(this.candidate.title)
    return this.#title
  }

  /** Undefined where nobody told. */
  set(field: SetField, at: number): readonly string[] | undefined {
    let words = this.#sets[at]
    if (words === undefined) {
      words = wordsOf(this, field)?.map(folded) ?? null
      this.#sets[at] = words
    }
    return words ?? undefined
  }
}

export function releaseOf({ title, subtitle }: Pick<Candidate, 'title' | 'subtitle'>): CandidateRelease {
  const { year, quality, isLeaked } = readReleaseName(title, subtitle)
  return { year, isLeaked, resolution: quality.resolution, source: quality.source, group: quality.group }
}

const beyondAscii = /[^ -~]/

/** In any case and width. Most words are plain, and folding widths costs ten times what case does. */
function folded(text: string): string {
  return (beyondAscii.test(text) ? text.normalize('NFKC') : text).toLowerCase()
}

export function clauseOf({ asked, state, found }: PreparedCondition, subject: Subject): Clause {
  const value = found(subject)
  return { asked, state: state(subject), ...(value === undefined ? {} : { found: value }) }
}

export function prepareCondition(asked: RuleCondition): PreparedCondition {
  switch (asked.field) {
    case 'title': {
      const isMet = titleTest(asked)
      return { asked, state: (subject) => (isMet(subject) ? 'met' : 'unmet'), found: () => undefined }
    }
    case 'hit_and_run':
    case 'leaked':
    case 'complete':
    case 'unregistered':
    case 'duty_done':
      return prepareFlag(asked)
    case 'size_gib':
    case 'seeders':
    case 'leechers':
    case 'age_minutes':
    case 'free_hours':
    case 'year':
    case 'ratio':
    case 'seeding_hours':
    case 'added_hours':
    case 'uploaded_gib':
    case 'peers':
    case 'free_gib':
    case 'bonus_per_gib':
      return prepareNumber(asked)
    default:
      return prepareSet(asked)
  }
}

function prepareNumber(asked: NumberCondition): PreparedCondition {
  const { field, op, value } = asked
  const untold = untoldOf(asked)
  return {
    asked,
    state(subject) {
      const found = numberOf(subject, field)
      if (found === undefined) return untold
      return (op === 'at_least' ? found >= value : found <= value) ? 'met' : 'unmet'
    },
    found(subject) {
      const found = numberOf(subject, field)
      return found === undefined ? undefined : Math.round(found * 100) / 100
    },
  }
}

function prepareFlag(asked: FlagCondition): PreparedCondition {
  const read = (subject: Subject) => flagOf(subject, asked.field)
  const untold = untoldOf(asked)
  return {
    asked,
    state(subject) {
      const found = read(subject)
      return found === undefined ? untold : found === asked.value ? 'met' : 'unmet'
    },
    found: read,
  }
}

function prepareSet(asked: SetCondition): PreparedCondition {
  const { field, op } = asked
  const at = allSetFields.indexOf(field)
  const wanted = new Set(asked.value.map(folded))
  const untold = untoldOf(asked)
  return {
    asked,
    state(subject) {
      const found = subject.set(field, at)
      if (found === undefined) return untold
      return hasAny(found, wanted) === (op === 'is_any') ? 'met' : 'unmet'
    },
    found: (subject) => wordsOf(subject, field)?.join(', '),
  }
}

function hasAny(found: readonly string[], wanted: ReadonlySet<string>): boolean {
  for (const word of found) if (wanted.has(word)) return true
  return false
}

/** Unknown is not met, unless the rule says otherwise. */
function untoldOf(asked: { readonly or_unknown?: boolean | undefined }): ClauseState {
  return asked.or_unknown === true ? 'met' : 'unknown'
}

function titleTest({ op, value }: TitleCondition): (subject: Subject) => boolean {
  const words = value.map(folded)
  switch (op) {
    case 'has_all':
      return (subject) => words.every((word) => subject.words.includes(word))
    case 'has_any':
      return (subject) => words.some((word) => subject.words.includes(word))
    case 'has_none':
      return (subject) => !words.some((word) => subject.words.includes(word))
    case 'like':
      return ({ title }) => words.some((pattern) => matchesWildcard(pattern, title))
    case 'not_like':
      return ({ title }) => !words.some((pattern) => matchesWildcard(pattern, title))
    case 'matches':
    case 'not_matches': {
      const patterns = value.map(titlePattern)
      const isAny = ({ candidate }: Subject) => patterns.some((fits) => fits(candidate.title))
      return op === 'matches' ? isAny : (subject) => !isAny(subject)
    }
  }
}

function numberOf(subject: Subject, field: NumberCondition['field']): number | undefined {
  const { candidate, nowUnix } = subject
  switch (field) {
    case 'size_gib':
      return candidate.sizeBytes === undefined ? undefined : candidate.sizeBytes / gibBytes
    case 'seeders':
      return candidate.seeders
    case 'leechers':
      return candidate.leechers
    case 'age_minutes': {
      const { uploadedAtUnix } = candidate
      return uploadedAtUnix === undefined ? undefined : Math.max(0, nowUnix - uploadedAtUnix) / minuteSeconds
    }
    case 'free_hours':
      return freeHours(candidate, nowUnix)
    case 'year':
      return subject.release.year
    default:
      return subject.held === undefined ? undefined : heldNumberOf(subject.held, field, nowUnix)
  }
}

function heldNumberOf(held: HeldFacts, field: (typeof heldNumberFields)[number], nowUnix: number): number | undefined {
  const { seedingSeconds, addedAtUnix, freeBytes } = held
  switch (field) {
    case 'ratio':
      return held.ratio
    case 'seeding_hours':
      return seedingSeconds === undefined ? undefined : seedingSeconds / hourSeconds
    case 'added_hours':
      return addedAtUnix === undefined ? undefined : Math.max(0, nowUnix - addedAtUnix) / hourSeconds
    case 'uploaded_gib':
      return held.uploadedBytes / gibBytes
    case 'peers':
      return held.peers
    case 'free_gib':
      return freeBytes === undefined ? undefined : freeBytes / gibBytes
    case 'bonus_per_gib':
      return held.bonusPerGib
  }
}

function flagOf(subject: Subject, field: FlagCondition['field']): boolean | undefined {
  switch (field) {
    case 'hit_and_run':
      return subject.candidate.hasHr
    case 'leaked':
      return subject.release.isLeaked
    case 'complete':
      return subject.held?.isComplete
    case 'unregistered':
      return subject.held?.isUnregistered
    case 'duty_done':
      return subject.held?.isDutyDone
  }
}

/** None for one that is billed; unknown for a free one whose end nobody told. */
function freeHours({ promotion, freeUntilUnix }: Candidate, nowUnix: number): number | undefined {
  if (promotion === undefined) return undefined
  if (!isFree(promotion)) return 0
  return freeUntilUnix === undefined ? undefined : Math.max(0, freeUntilUnix - nowUnix) / hourSeconds
}

function wordsOf(subject: Subject, field: SetField): readonly string[] | undefined {
  const { candidate, nowUnix } = subject
  switch (field) {
    case 'site':
      return oneOrNone(candidate.site === '' ? undefined : candidate.site)
    case 'feed':
      return [candidate.feed]
    case 'category':
      return oneOrNone(candidate.category)
    case 'tag':
      return candidate.tags
    case 'promotion':
      return oneOrNone(promotionAt(candidate, nowUnix))
    case 'resolution':
      return oneOrNone(subject.release.resolution)
    case 'source':
      return oneOrNone(subject.release.source)
    case 'group':
      return oneOrNone(subject.release.group)
    case 'downloader':
      return oneOrNone(subject.held?.downloader)
    case 'state':
      return oneOrNone(subject.held?.state)
  }
}

/** A list may be older than the end of what it calls free. */
function promotionAt({ promotion, freeUntilUnix }: Candidate, nowUnix: number): Discount | undefined {
  const isOver = promotion !== undefined && freeUntilUnix !== undefined && freeUntilUnix <= nowUnix
  return isOver ? 'NONE' : promotion
}

function oneOrNone(word: string | undefined): readonly string[] | undefined {
  return word === undefined ? undefined : [word]
}
