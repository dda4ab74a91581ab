/** Decides about a torrent that turned up, and says why: every clause of the rule that decided, with what was found. */
import { readReleaseName } from '../media/release-name.ts'
import { isFree } from '../site.ts'
import type { Discount } from '../vocabulary.ts'
import {
  type Candidate,
  type CandidateRelease,
  type FilterRule,
  type RuleAction,
  type RuleCondition,
  ruleActions,
} from './filter-rule.ts'
import { isLike } from './wildcard.ts'

const gibBytes = 1024 ** 3
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

export const verdictActs = [...ruleActions, 'wait', 'leave'] as const

export interface Verdict {
  /** `wait`: what decides is not known yet, and may be before long. `leave`: no rule wants it. */
  readonly act: (typeof verdictActs)[number]
  /** Of the rule that decided or, where none did, of the one that came nearest. Undefined for the rule of free ones. */
  readonly ruleId: number | undefined
  readonly clauses: readonly Clause[]
}

export interface OrderedRule {
  readonly id: number
  readonly rule: FilterRule
  /** Taken by it in the last 24 hours. */
  readonly takenToday: number
}

/** Where there is no rule at all: what is free is taken, and nothing that is billed. */
const freeOnly: readonly RuleCondition[] = [{ field: 'promotion', op: 'is_any', value: ['FREE', '2XFREE'] }]

interface Subject {
  readonly candidate: Candidate
  readonly words: string
  readonly release: () => CandidateRelease
}

/**
 * The first rule whose clauses are all met. While a candidate may still be told more about (`mayWait`), a rule that only
 * lacks what the site's list has not shown yet makes it wait: a later rule could take what an earlier one would skip.
 */
export function judge(
  candidate: Candidate,
  rules: readonly OrderedRule[],
  now: { readonly unix: number; readonly mayWait: boolean },
): Verdict {
  const subject = subjectOf(candidate)
  if (rules.length === 0) {
    const clauses = freeOnly.map((condition) => clauseOf(subject, condition, now.unix))
    return { act: actOf(clauses, 'take', now.mayWait), ruleId: undefined, clauses }
  }
  let nearest: { readonly id: number; readonly clauses: Clause[]; readonly lacking: number } | undefined
  for (const { id, rule, takenToday } of rules) {
    const clauses = rule.conditions.map((condition) => clauseOf(subject, condition, now.unix))
    if (rule.action === 'take' && rule.per_day_max !== undefined) clauses.push(perDay(rule.per_day_max, takenToday))
    const act = actOf(clauses, rule.action, now.mayWait)
    if (act !== 'leave') return { act, ruleId: id, clauses }
    const lacking = clauses.filter(({ state }) => state !== 'met').length
    if (nearest === undefined || lacking < nearest.lacking) nearest = { id, clauses, lacking }
  }
  return { act: 'leave', ruleId: nearest?.id, clauses: nearest?.clauses ?? [] }
}

/** Unknown is not met, and worth waiting for only where nothing else is against it. */
function actOf(clauses: readonly Clause[], action: RuleAction, mayWait: boolean): Verdict['act'] {
  if (clauses.every(({ state }) => state === 'met')) return action
  const isOpen = mayWait && clauses.every(({ state }) => state !== 'unmet')
  return isOpen ? 'wait' : 'leave'
}

function perDay(value: number, taken: number): Clause {
  return { asked: { field: 'per_day', op: 'at_most', value }, state: taken < value ? 'met' : 'unmet', found: taken }
}

function subjectOf(candidate: Candidate): Subject {
  let read: CandidateRelease | undefined
  return {
    candidate,
    words: `${candidate.title}\n${candidate.subtitle}`.toLowerCase(),
    // Most rules ask for nothing that a name says, and reading one costs more than all else.
    release() {
      if (read === undefined) {
        const { year, quality } = readReleaseName(candidate.title, candidate.subtitle)
        read = { year, resolution: quality.resolution, source: quality.source, group: quality.group }
      }
      return read
    },
  }
}

function clauseOf(subject: Subject, asked: RuleCondition, nowUnix: number): Clause {
  switch (asked.field) {
    case 'title':
      return { asked, state: isTitled(subject, asked) ? 'met' : 'unmet' }
    case 'hit_and_run':
      return told(asked, subject.candidate.hasHr, (found) => found === asked.value)
    case 'size_gib':
    case 'seeders':
    case 'leechers':
    case 'age_minutes':
    case 'free_hours':
    case 'year':
      return told(asked, numberOf(subject, asked.field, nowUnix), (found) =>
        asked.op === 'at_least' ? found >= asked.value : found <= asked.value,
      )
    default:
      return listed(asked, wordsOf(subject, asked.field, nowUnix))
  }
}

function told<Found extends number | boolean>(
  asked: Exclude<RuleCondition, { readonly field: 'title' }>,
  found: Found | undefined,
  isMet: (found: Found) => boolean,
): Clause {
  if (found === undefined) return { asked, state: asked.or_unknown === true ? 'met' : 'unknown' }
  return { asked, state: isMet(found) ? 'met' : 'unmet', found: typeof found === 'number' ? rounded(found) : found }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

function listed(
  asked: Extract<RuleCondition, { readonly op: 'is_any' | 'is_none' }>,
  found: readonly string[] | undefined,
): Clause {
  if (found === undefined) return { asked, state: asked.or_unknown === true ? 'met' : 'unknown' }
  const has = found.some((one) => asked.value.some((wanted) => wanted.toLowerCase() === one.toLowerCase()))
  return { asked, state: has === (asked.op === 'is_any') ? 'met' : 'unmet', found: found.join(', ') }
}

function isTitled({ candidate, words }: Subject, asked: Extract<RuleCondition, { readonly field: 'title' }>): boolean {
  const has = (word: string) => words.includes(word.toLowerCase())
  const isAs = (pattern: string) => isLike(candidate.title.toLowerCase(), pattern.toLowerCase())
  switch (asked.op) {
    case 'has_all':
      return asked.value.every(has)
    case 'has_any':
      return asked.value.some(has)
    case 'has_none':
      return !asked.value.some(has)
    case 'like':
      return asked.value.some(isAs)
    case 'not_like':
      return !asked.value.some(isAs)
  }
}

function numberOf(
  { candidate, release }: Subject,
  field: Extract<RuleCondition, { readonly op: 'at_least' | 'at_most' }>['field'],
  nowUnix: number,
): number | undefined {
  const { sizeBytes, uploadedAtUnix } = candidate
  switch (field) {
    case 'size_gib':
      return sizeBytes === undefined ? undefined : sizeBytes / gibBytes
    case 'seeders':
      return candidate.seeders
    case 'leechers':
      return candidate.leechers
    case 'age_minutes':
      return uploadedAtUnix === undefined ? undefined : Math.max(0, nowUnix - uploadedAtUnix) / minuteSeconds
    case 'free_hours':
      return freeHours(candidate, nowUnix)
    case 'year':
      return release().year
  }
}

/** None for one that is billed; unknown for a free one whose end nobody told. */
function freeHours({ promotion, freeUntilUnix }: Candidate, nowUnix: number): number | undefined {
  if (promotion === undefined) return undefined
  if (!isFree(promotion)) return 0
  return freeUntilUnix === undefined ? undefined : Math.max(0, freeUntilUnix - nowUnix) / hourSeconds
}

function wordsOf(
  { candidate, release }: Subject,
  field: Extract<RuleCondition, { readonly op: 'is_any' | 'is_none' }>['field'],
  nowUnix: number,
): readonly string[] | undefined {
  switch (field) {
    case 'site':
      return [candidate.site]
    case 'feed':
      return [candidate.feed]
    case 'category':
      return oneOrNone(candidate.category)
    case 'tag':
      return candidate.tags
    case 'promotion':
      return oneOrNone(promotionAt(candidate, nowUnix))
    case 'resolution':
      return oneOrNone(release().resolution)
    case 'source':
      return oneOrNone(release().source)
    case 'group':
      return oneOrNone(release().group)
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
