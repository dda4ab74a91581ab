/** The form of a filter rule: what is written in its boxes, and the rule that it makes. */
import type { RuleBody, WireCondition, WireStoredRule } from '../../contract/console-rules.ts'
import { ruleConditionsMax, ruleNumberMax, rulePerDayMax, ruleWordCharactersMax, ruleWordsMax } from '../../limits.ts'

export type ConditionField = WireCondition['field']
export type Operator = WireCondition['op']
type RuleAction = RuleBody['rule']['action']
type NumberField = Extract<WireCondition, { readonly op: 'at_least' | 'at_most' }>['field']
type TitleOperator = Extract<WireCondition, { readonly field: 'title' }>['op']

const ofTitle: readonly TitleOperator[] = [
  'has_all',
  'has_any',
  'has_none',
  'like',
  'not_like',
  'matches',
  'not_matches',
]
const ofSets: readonly Operator[] = ['is_any', 'is_none']
const ofNumbers: readonly Operator[] = ['at_least', 'at_most']
const operators: Readonly<Record<ConditionField, readonly Operator[]>> = {
  title: ofTitle,
  site: ofSets,
  feed: ofSets,
  category: ofSets,
  tag: ofSets,
  promotion: ofSets,
  resolution: ofSets,
  source: ofSets,
  group: ofSets,
  size_gib: ofNumbers,
  seeders: ofNumbers,
  leechers: ofNumbers,
  age_minutes: ofNumbers,
  free_hours: ofNumbers,
  year: ofNumbers,
  hit_and_run: ['is'],
  leaked: ['is'],
}
export const conditionFields = Object.keys(operators) as ConditionField[]

export function operatorsOf(field: ConditionField): readonly Operator[] {
  return operators[field]
}

type FlagField = Extract<WireCondition, { readonly op: 'is' }>['field']

/** Asked with yes or no. */
export function isFlag(field: ConditionField): field is FlagField {
  return field === 'hit_and_run' || field === 'leaked'
}

function isNumber(field: ConditionField): field is NumberField {
  return operators[field] === ofNumbers
}

/** One line of the form. Words stand apart by commas, patterns by two bars; flags are `yes` or `no`. */
export interface ConditionDraft {
  readonly key: number
  readonly field: ConditionField
  readonly op: Operator
  readonly value: string
  readonly orUnknown: boolean
}

export interface RuleDraft {
  readonly name: string
  readonly enabled: boolean
  readonly action: RuleAction
  readonly conditions: readonly ConditionDraft[]
  readonly downloaderId: number
  readonly category: string
  readonly tags: string
  readonly savePath: string
  readonly paused: boolean
  readonly perDay: string
}

export function newCondition(key: number, field: ConditionField = 'title'): ConditionDraft {
  const value = isFlag(field) ? 'no' : field === 'promotion' ? 'FREE, 2XFREE' : ''
  return { key, field, op: operatorsOf(field)[0] ?? 'is', value, orUnknown: false }
}

export function ruleDraftOf(stored: WireStoredRule | undefined): RuleDraft {
  if (stored === undefined)
    return {
      name: '',
      enabled: true,
      action: 'take',
      conditions: [newCondition(0, 'promotion')],
      downloaderId: 0,
      category: '',
      tags: '',
      savePath: '',
      paused: false,
      perDay: '',
    }
  const { action, conditions, target, per_day_max } = stored.rule
  return {
    name: stored.name,
    enabled: stored.enabled,
    action,
    conditions: conditions.map((condition, key) => ({
      key,
      field: condition.field,
      op: condition.op,
      value: writtenOf(condition),
      orUnknown: 'or_unknown' in condition && condition.or_unknown === true,
    })),
    downloaderId: target.downloader_id,
    category: target.category,
    tags: target.tags.join(', '),
    savePath: target.save_path,
    paused: target.paused === true,
    perDay: per_day_max === undefined ? '' : String(per_day_max),
  }
}

function writtenOf({ op, value }: WireCondition): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'number' ? String(value) : value.join(isPattern(op) ? ' || ' : ', ')
}

/** A comma means something in a pattern, so patterns stand apart by two bars. */
function isPattern(op: Operator): boolean {
  return op === 'matches' || op === 'not_matches'
}

export type RuleFault = 'name' | 'perDay' | 'conditions' | `condition ${number}`

/** The rule, and what is wrong with what was written: by box, lines of conditions by their key. */
export function readRule(draft: RuleDraft): { readonly body: RuleBody; readonly faults: ReadonlySet<RuleFault> } {
  const faults = new Set<RuleFault>()
  if (draft.name.trim() === '') faults.add('name')
  if (draft.conditions.length === 0 || draft.conditions.length > ruleConditionsMax) faults.add('conditions')
  const perDay = draft.perDay.trim() === '' ? undefined : numberIn(draft.perDay)
  if (perDay !== undefined && !(Number.isInteger(perDay) && perDay >= 1 && perDay <= rulePerDayMax))
    faults.add('perDay')
  const conditions = draft.conditions.map((line) => {
    const condition = readCondition(line)
    if (condition === undefined) faults.add(`condition ${line.key}`)
    return condition
  })
  return {
    faults,
    body: {
      name: draft.name.trim(),
      enabled: draft.enabled,
      rule: {
        action: draft.action,
        conditions: conditions.filter((one) => one !== undefined),
        target: {
          downloader_id: draft.downloaderId,
          category: draft.category.trim(),
          tags: wordsIn(draft.tags),
          save_path: draft.savePath.trim(),
          ...(draft.paused ? { paused: true } : {}),
        },
        ...(perDay === undefined ? {} : { per_day_max: perDay }),
      },
    },
  }
}

function readCondition({ field, op, value, orUnknown }: ConditionDraft): WireCondition | undefined {
  const unknown = orUnknown ? { or_unknown: true } : {}
  if (isFlag(field)) return { field, op: 'is', value: value === 'yes', ...unknown }
  if (isNumber(field)) {
    const number = numberIn(value)
    if (!(number >= 0 && number <= ruleNumberMax)) return
    return { field, op: op === 'at_least' ? 'at_least' : 'at_most', value: number, ...unknown }
  }
  const list = wordsIn(value, isPattern(op) ? /\|\|/ : undefined)
  if (list.length === 0 || list.length > ruleWordsMax || list.some((word) => word.length > ruleWordCharactersMax))
    return
  if (field === 'title') {
    const known = ofTitle.find((one) => one === op)
    return known === undefined ? undefined : { field, op: known, value: list }
  }
  return { field, op: op === 'is_none' ? 'is_none' : 'is_any', value: list, ...unknown }
}

function numberIn(text: string): number {
  return /^\s*[0-9]{1,10}(?:\.[0-9]{1,6})?\s*$/.test(text) ? Number(text) : Number.NaN
}

function wordsIn(text: string, between = /[,，]/): string[] {
  return text
    .split(between)
    .map((word) => word.trim())
    .filter((word) => word !== '')
}
