/** One condition of a rule as a line of a form, for rules of each kind. */
import type { WireClause } from '../../contract/console-rules.ts'
import { ruleConditionsMax, ruleNumberMax, rulePerDayMax, ruleWordCharactersMax, ruleWordsMax } from '../../limits.ts'

/** What rules of any kind may ask. */
export type AnyCondition = Exclude<WireClause['asked'], { readonly field: 'per_day' | 'per_day_gib' | 'same_release' }>
export type ConditionField = AnyCondition['field']
export type Operator = AnyCondition['op']
type NumberField = Extract<AnyCondition, { readonly op: 'at_least' | 'at_most' }>['field']
type TitleOperator = Extract<AnyCondition, { readonly field: 'title' }>['op']

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
  owned: ['is'],
  ratio: ofNumbers,
  seeding_hours: ofNumbers,
  added_hours: ofNumbers,
  uploaded_gib: ofNumbers,
  peers: ofNumbers,
  free_gib: ofNumbers,
  bonus_per_gib: ofNumbers,
  downloader: ofSets,
  state: ofSets,
  complete: ['is'],
  unregistered: ['is'],
  duty_done: ['is'],
}

export function operatorsOf(field: ConditionField): readonly Operator[] {
  return operators[field]
}

type FlagField = Extract<AnyCondition, { readonly op: 'is' }>['field']

/** Asked with yes or no. */
export function isFlag(field: ConditionField): field is FlagField {
  return operators[field][0] === 'is'
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

export function newCondition(key: number, field: ConditionField = 'title'): ConditionDraft {
  const value = isFlag(field) ? (isHeld(field) ? 'yes' : 'no') : field === 'promotion' ? 'FREE, 2XFREE' : ''
  return { key, field, op: operatorsOf(field)[0] ?? 'is', value, orUnknown: false }
}

/** Of a torrent that a downloader holds: what is asked there is mostly that it is so. */
function isHeld(field: ConditionField): boolean {
  return field === 'complete' || field === 'unregistered' || field === 'duty_done'
}

export function conditionDraftOf(condition: AnyCondition, key: number): ConditionDraft {
  return {
    key,
    field: condition.field,
    op: condition.op,
    value: writtenOf(condition),
    orUnknown: 'or_unknown' in condition && condition.or_unknown === true,
  }
}

function writtenOf({ op, value }: AnyCondition): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'number' ? String(value) : value.join(isPattern(op) ? ' || ' : ', ')
}

/** A comma means something in a pattern, so patterns stand apart by two bars. */
function isPattern(op: Operator): boolean {
  return op === 'matches' || op === 'not_matches'
}

export function readCondition({ field, op, value, orUnknown }: ConditionDraft): AnyCondition | undefined {
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

/** Not a number where it is none. */
export function numberIn(text: string): number {
  return /^\s*[0-9]{1,10}(?:\.[0-9]{1,6})?\s*$/.test(text) ? Number(text) : Number.NaN
}

export function wordsIn(text: string, between = /[,，]/): string[] {
  return text
    .split(between)
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

/** What the forms of rules of each kind have. */
export interface RuleHeadDraft {
  readonly name: string
  readonly enabled: boolean
  readonly conditions: readonly ConditionDraft[]
  readonly perDay: string
}

export function ruleHeadDraftOf(stored: {
  readonly name: string
  readonly enabled: boolean
  readonly rule: { readonly conditions: readonly AnyCondition[]; readonly per_day_max?: number | undefined }
}): RuleHeadDraft {
  const { conditions, per_day_max } = stored.rule
  return {
    name: stored.name,
    enabled: stored.enabled,
    conditions: conditions.map(conditionDraftOf),
    perDay: per_day_max === undefined ? '' : String(per_day_max),
  }
}

export type RuleFault = 'name' | 'perDay' | 'perDayGib' | 'conditions' | `condition ${number}`

export function readRuleHead(draft: RuleHeadDraft): {
  readonly name: string
  readonly conditions: readonly AnyCondition[]
  readonly perDay: { readonly per_day_max?: number }
  readonly faults: ReadonlySet<RuleFault>
} {
  const faults = new Set<RuleFault>()
  if (draft.name.trim() === '') faults.add('name')
  if (draft.conditions.length === 0 || draft.conditions.length > ruleConditionsMax) faults.add('conditions')
  const perDay = draft.perDay.trim() === '' ? undefined : numberIn(draft.perDay)
  if (perDay !== undefined && !(Number.isInteger(perDay) && perDay >= 1 && perDay <= rulePerDayMax))
    faults.add('perDay')
  const conditions = draft.conditions.flatMap((line) => {
    const condition = readCondition(line)
    if (condition === undefined) faults.add(`condition ${line.key}`)
    return condition ?? []
  })
  return { name: draft.name.trim(), conditions, perDay: perDay === undefined ? {} : { per_day_max: perDay }, faults }
}
