/**
 * Decides about a torrent that turned up, and says why: every clause of the rule that decided, with what was found. Feeds,
 * brush tasks and searches for subscriptions are decided here, by their own rules.
 */
import { type Clause, clauseOf, type PreparedCondition, prepareCondition } from './clause.ts'
import { type DayBound, dayBoundsOf, noneTaken, type TakenToday } from './day-bound.ts'
import {
  defaultTarget,
  type FilterRule,
  type RuleAction,
  type RuleCondition,
  type RulePlace,
  ruleActions,
  theFree,
} from './filter-rule.ts'
import type { Subject } from './subject.ts'

export const verdictActs = [...ruleActions, 'wait', 'leave'] as const

export interface Verdict<Action extends string = RuleAction> {
  /** `wait`: what decides is not known yet, and may be before long. `leave`: no rule wants it. */
  readonly act: Action | 'wait' | 'leave'
  /** Of the rule that decided or, where none did, of the one that came nearest. Undefined for the rule of free ones. */
  readonly ruleId: number | undefined
  readonly clauses: readonly Clause[]
}

/** Of feeds, unless it names other things that rules do. */
export interface OrderedRule<Action extends string = RuleAction> {
  readonly id: number
  readonly rule: Pick<FilterRule, 'conditions' | 'per_day_max' | 'per_day_gib_max'> & {
    readonly action: Action
    /** Left out by rules that send nothing anywhere. */
    readonly target?: RulePlace | undefined
  }
}

/** Rules in their order, ready to be asked of many. */
export type PreparedRules<Action extends string = RuleAction> = readonly PreparedRule<Action>[]

interface PreparedRule<Action extends string = string> {
  readonly id: number | undefined
  readonly action: Action
  readonly dayBounds: readonly DayBound[]
  readonly conditions: readonly PreparedCondition[]
  /** The same, what costs little first. */
  readonly cheapFirst: readonly PreparedCondition['state'][]
}

export interface JudgedAt {
  /** The candidate may still be told more about. */
  readonly mayWait: boolean
  /** What a rule took in the last 24 hours. */
  readonly takenToday?: ((ruleId: number) => TakenToday) | undefined
}

/** Where there is no rule at all: what is free is taken, and nothing that is billed. */
const freeOnly: OrderedRule['rule'] = {
  action: 'take',
  conditions: [{ field: 'promotion', op: 'is_any', value: theFree }],
}

export function prepareRules(rules: readonly OrderedRule[]): PreparedRules {
  return prepareInOrder(rules.length === 0 ? [{ id: undefined, rule: freeOnly }] : rules)
}

export function prepareInOrder<Action extends string>(
  rules: readonly { readonly id: number | undefined; readonly rule: OrderedRule<Action>['rule'] }[],
): PreparedRules<Action> {
  // What several rules ask in the same words is one condition, which remembers what it found of a candidate.
  const known = new Map<string, PreparedCondition>()
  const prepared = (asked: RuleCondition, place: RulePlace) => {
    const key = JSON.stringify(asked.field === 'free_gib' ? [asked, place.downloader_id, place.save_path] : asked)
    const condition = known.get(key) ?? prepareCondition(asked, place)
    known.set(key, condition)
    return condition
  }
  return rules.map(({ id, rule }) => {
    const conditions = rule.conditions.map((asked) => prepared(asked, rule.target ?? defaultTarget))
    return {
      id,
      action: rule.action,
      dayBounds: boundless.has(rule.action) ? [] : dayBoundsOf(rule),
      conditions,
      cheapFirst: [...conditions]
        .sort((left, right) => costOf(left.asked) - costOf(right.asked))
        .map(({ state }) => state),
    }
  })
}

/** What leaves everything as it is may be done any number of times. */
const boundless: ReadonlySet<string> = new Set(['notify', 'skip', 'keep'])

/** Reading a name costs more than all else, and a pattern more than a word. */
function costOf(asked: RuleCondition): number {
  switch (asked.field) {
    case 'title':
      return asked.op === 'matches' || asked.op === 'not_matches' ? 2 : 1
    case 'year':
    case 'leaked':
    case 'resolution':
    case 'source':
    case 'group':
      return 3
    default:
      return 0
  }
}

/**
 * The first rule whose clauses are all met. While a candidate may still be told more about (`mayWait`), a rule that only
 * lacks what the site's list has not shown yet makes it wait: a later rule could take what an earlier one would skip.
 */
export function judge<Action extends string = RuleAction>(
  subject: Subject,
  rules: PreparedRules<Action>,
  now: JudgedAt,
): Verdict<Action> {
  let nearest: PreparedRule<Action> | undefined
  let least = Number.POSITIVE_INFINITY
  for (const rule of rules) {
    const lacking = lackingOf(subject, rule, now, least)
    if (lacking === 0 || lacking === mayBeMet) {
      const act = lacking === 0 ? rule.action : 'wait'
      return { act, ruleId: rule.id, clauses: clausesOf(subject, rule, now) }
    }
    if (lacking >= least) continue
    least = lacking
    nearest = rule
  }
  return {
    act: 'leave',
    ruleId: nearest?.id,
    clauses: nearest === undefined ? [] : clausesOf(subject, nearest, now),
  }
}

/** How each of them comes out, in their order. */
export function clausesByRule(subject: Subject, rules: PreparedRules, now: JudgedAt): (readonly Clause[])[] {
  return rules.map((rule) => clausesOf(subject, rule, now))
}

const mayBeMet = -1

/**
 * How many clauses are not met, counted no further than where another rule is nearer. Unknown is not met, and worth
 * waiting for only where nothing else is against it.
 */
function lackingOf(subject: Subject, rule: PreparedRule, now: JudgedAt, least: number): number {
  let isAgainst = !now.mayWait
  let lacking = 0
  for (const bound of rule.dayBounds) {
    const state = bound.state(subject.candidate.sizeBytes, takenBy(rule, now))
    if (state === 'met') continue
    lacking += 1
    if (state === 'unmet') isAgainst = true
    if (isAgainst && lacking >= least) return lacking
  }
  for (const stateOf of rule.cheapFirst) {
    const state = stateOf(subject)
    if (state === 'met') continue
    lacking += 1
    if (state === 'unmet') isAgainst = true
    if (isAgainst && lacking >= least) return lacking
  }
  return lacking > 0 && !isAgainst ? mayBeMet : lacking
}

function takenBy({ id }: PreparedRule, { takenToday }: JudgedAt): TakenToday {
  return id === undefined ? noneTaken : (takenToday?.(id) ?? noneTaken)
}

function clausesOf(subject: Subject, rule: PreparedRule, now: JudgedAt): Clause[] {
  const clauses = rule.conditions.map((condition) => clauseOf(condition, subject))
  for (const { asked, state, found } of rule.dayBounds) {
    const taken = takenBy(rule, now)
    clauses.push({ asked, state: state(subject.candidate.sizeBytes, taken), found: found(taken), from: 'pushes' })
  }
  return clauses
}
