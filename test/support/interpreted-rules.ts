/**
 * The answer to every rule, found the long way: each condition is read anew for each candidate, in its own words, and
 * nothing is remembered or left out. What the engine answers is held against it.
 */
import { readReleaseName } from '../../workers/app/core/media/release-name.ts'
import type { Clause } from '../../workers/app/core/rules/clause.ts'
import {
  type Candidate,
  defaultTarget,
  type FactSource,
  type HeldFacts,
  type RuleCondition,
  type RulePlace,
  theFree,
} from '../../workers/app/core/rules/filter-rule.ts'
import type { JudgedAt, OrderedRule, Verdict } from '../../workers/app/core/rules/judge.ts'

const gib = 1024 ** 3
const fold = (text: string) => text.normalize('NFKC').toLowerCase()

interface Asked {
  readonly candidate: Candidate
  readonly held: HeldFacts | undefined
  readonly nowUnix: number
}

/** Undefined where nobody told. */
function factOf({ candidate, held, nowUnix }: Asked, field: RuleCondition['field'], place: RulePlace): unknown {
  const release = () => readReleaseName(candidate.title, candidate.subtitle)
  const isOver = candidate.freeUntilUnix !== undefined && candidate.freeUntilUnix <= nowUnix
  const over = (from: number | undefined, by: number) =>
    from === undefined ? undefined : Math.max(0, nowUnix - from) / by
  const by = (number: number | undefined, unit: number) => (number === undefined ? undefined : number / unit)
  switch (field) {
    case 'site':
      return candidate.site === '' ? undefined : [candidate.site]
    case 'feed':
    case 'category':
      return candidate[field] === undefined ? undefined : [candidate[field]]
    case 'tag':
      return candidate.tags
    case 'promotion':
      return candidate.promotion && [isOver ? 'NONE' : candidate.promotion]
    case 'resolution':
    case 'source':
    case 'group':
      return release().quality[field] && [release().quality[field]]
    case 'downloader':
    case 'state':
      return held && [held[field]]
    case 'size_gib':
      return by(candidate.sizeBytes, gib)
    case 'seeders':
    case 'leechers':
      return candidate[field]
    case 'age_minutes':
      return over(candidate.uploadedAtUnix, 60)
    case 'free_hours':
      if (candidate.promotion === undefined) return undefined
      if (!theFree.includes(candidate.promotion)) return 0
      return candidate.freeUntilUnix === undefined ? undefined : Math.max(0, candidate.freeUntilUnix - nowUnix) / 3600
    case 'year':
      return release().year
    case 'ratio':
    case 'peers':
      return held?.[field]
    case 'seeding_hours':
      return by(held?.seedingSeconds, 3600)
    case 'added_hours':
      return over(held?.addedAtUnix, 3600)
    case 'uploaded_gib':
      return by(held?.uploadedBytes, gib)
    case 'free_gib':
      if (held !== undefined) return by(held.freeBytes, gib)
      for (const { downloaderId, isDefault, folder, leftBytes } of candidate.disks ?? []) {
        if (folder !== place.save_path) continue
        if (place.downloader_id === downloaderId || (place.downloader_id === 0 && isDefault)) return leftBytes / gib
      }
      return undefined
    case 'bonus_per_gib':
      return held?.bonusPerGib
    case 'hit_and_run':
      return candidate.hasHr
    case 'leaked':
      return release().isLeaked
    case 'owned':
      return candidate.isOwned
    case 'complete':
      return held?.isComplete
    case 'unregistered':
      return held?.isUnregistered
    case 'duty_done':
      return held?.isDutyDone
    case 'title':
      return undefined
  }
}

function titleHolds(
  { title, subtitle }: Candidate,
  { op, value }: Extract<RuleCondition, { field: 'title' }>,
): boolean {
  const text = `${fold(title)}\n${fold(subtitle)}`
  const escaped = (word: string) => word.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  const isLike = (word: string) =>
    new RegExp(`^${escaped(fold(word)).replaceAll('*', '[^]*').replaceAll('?', '[^]')}$`).test(fold(title))
  switch (op) {
    case 'has_all':
      return value.every((word) => text.includes(fold(word)))
    case 'has_any':
      return value.some((word) => text.includes(fold(word)))
    case 'has_none':
      return value.every((word) => !text.includes(fold(word)))
    case 'like':
      return value.some(isLike)
    case 'not_like':
      return !value.some(isLike)
    case 'matches':
      return value.some((pattern) => new RegExp(pattern, 'i').test(title))
    case 'not_matches':
      return !value.some((pattern) => new RegExp(pattern, 'i').test(title))
  }
}

/** Where a fact was read, by what each is read from. */
const readFrom: Readonly<Partial<Record<FactSource, readonly RuleCondition['field'][]>>> = {
  name: ['title', 'resolution', 'source', 'group', 'year', 'leaked'],
  tracker: ['unregistered'],
  site: ['duty_done', 'bonus_per_gib'],
  downloader: ['free_gib', 'downloader', 'state', 'complete', 'ratio', 'seeding_hours', 'added_hours', 'uploaded_gib'],
}

function sourceOf({ candidate, held }: Asked, field: RuleCondition['field']): FactSource | undefined {
  if (field === 'site' || field === 'feed') return undefined
  if (field === 'owned') return candidate.ownedFrom
  for (const [source, fields] of Object.entries(readFrom)) if (fields.includes(field)) return source as FactSource
  if (held !== undefined) return 'downloader'
  return candidate.feed !== '' && candidate.isListed !== true ? 'feed' : 'list'
}

function clauseOf(asked: Asked, condition: RuleCondition, place: RulePlace): Clause {
  if (condition.field === 'title')
    return { asked: condition, state: titleHolds(asked.candidate, condition) ? 'met' : 'unmet', from: 'name' }
  const fact = factOf(asked, condition.field, place)
  if (fact === undefined) {
    const lack = condition.field === 'owned' ? asked.candidate.ownedLack : undefined
    return { asked: condition, state: condition.or_unknown === true ? 'met' : 'unknown', lack }
  }
  return { ...foundClause(condition, fact), from: sourceOf(asked, condition.field) }
}

function foundClause(condition: Exclude<RuleCondition, { field: 'title' }>, fact: unknown): Clause {
  const named = (isMet: boolean) => (isMet ? 'met' : 'unmet')
  switch (condition.op) {
    case 'at_least':
    case 'at_most': {
      const isMet = condition.op === 'at_least' ? Number(fact) >= condition.value : Number(fact) <= condition.value
      return { asked: condition, state: named(isMet), found: Math.round(Number(fact) * 100) / 100 }
    }
    case 'is':
      return { asked: condition, state: named(fact === condition.value), found: fact === true }
    default: {
      const words = fact as readonly string[]
      const isAny = words.some((word) => condition.value.some((wanted) => fold(wanted) === fold(word)))
      return { asked: condition, state: named(isAny === (condition.op === 'is_any')), found: words.join(', ') }
    }
  }
}

export function interpretedVerdict(asked: Asked, rules: readonly OrderedRule[], now: JudgedAt): Verdict {
  let nearest: Verdict | undefined
  let least = Number.POSITIVE_INFINITY
  for (const { id, rule } of rules) {
    const clauses = rule.conditions.map((condition) => clauseOf(asked, condition, rule.target ?? defaultTarget))
    const { count, bytes } = now.takenToday?.(id) ?? { count: 0, bytes: 0 }
    const { per_day_max: most, per_day_gib_max: mostGib } = rule
    const bounded = (field: 'per_day' | 'per_day_gib', value: number, state: Clause['state'], found: number) =>
      clauses.push({ asked: { field, op: 'at_most', value }, state, found, from: 'pushes' })
    if (most !== undefined && rule.action === 'take') bounded('per_day', most, count < most ? 'met' : 'unmet', count)
    if (mostGib !== undefined && rule.action === 'take') {
      const size = asked.candidate.sizeBytes
      const isOver = bytes >= mostGib * gib || (size !== undefined && size > mostGib * gib - bytes)
      const state = isOver ? 'unmet' : size === undefined ? 'unknown' : 'met'
      bounded('per_day_gib', mostGib, state, Math.round((bytes / gib) * 100) / 100)
    }
    const lacking = clauses.filter(({ state }) => state !== 'met')
    if (lacking.length === 0) return { act: rule.action, ruleId: id, clauses }
    if (now.mayWait && lacking.every(({ state }) => state === 'unknown')) return { act: 'wait', ruleId: id, clauses }
    if (lacking.length >= least) continue
    least = lacking.length
    nearest = { act: 'leave', ruleId: id, clauses }
  }
  return nearest ?? { act: 'leave', ruleId: undefined, clauses: [] }
}
