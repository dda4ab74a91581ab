/** What a rule would ask so that it took what it left: the least change of each condition that was against it. */
import { numberReaders } from './candidate-facts.ts'
import { type Clause, prepareCondition } from './clause.ts'
import { dayBoundFields } from './day-bound.ts'
import type { NumberCondition, RuleCondition, RulePlace, SetCondition } from './filter-rule.ts'
import type { Subject } from './subject.ts'

export interface WidenBounds {
  readonly numberMax: number
  readonly wordsMax: number
  readonly wordCharactersMax: number
}

export interface Widened {
  /** All that the rule would ask. */
  readonly conditions: readonly RuleCondition[]
  /** `now` is left out for what would not be asked any more. */
  readonly changed: readonly { readonly was: RuleCondition; readonly now?: RuleCondition }[]
}

/**
 * From how a rule's clauses came out for the subject. Undefined where no such change is to be had: its day is full, nobody
 * can guess which words a title should have had, or nothing would be left to ask. What the rule took before it takes still.
 */
export function widened(
  clauses: readonly Clause[],
  subject: Subject,
  place: RulePlace,
  bounds: WidenBounds,
): Widened | undefined {
  const conditions: RuleCondition[] = []
  const changed: { was: RuleCondition; now?: RuleCondition }[] = []
  for (const { asked, state } of clauses) {
    if (!isCondition(asked)) {
      if (state === 'met') continue
      return undefined
    }
    if (state === 'met') {
      conditions.push(asked)
      continue
    }
    const now = state === 'unknown' && asked.field !== 'title' ? { ...asked, or_unknown: true } : undefined
    const wider = now ?? letIn(asked, subject, place, bounds)
    if (wider === undefined) return undefined
    changed.push({ was: asked, ...(wider === 'nothing' ? {} : { now: wider }) })
    if (wider !== 'nothing') conditions.push(wider)
  }
  return changed.length === 0 || conditions.length === 0 ? undefined : { conditions, changed }
}

function isCondition(asked: Clause['asked']): asked is RuleCondition {
  return asked.field !== 'same_release' && !(dayBoundFields as readonly string[]).includes(asked.field)
}

function letIn(
  asked: RuleCondition,
  subject: Subject,
  place: RulePlace,
  bounds: WidenBounds,
): RuleCondition | 'nothing' | undefined {
  switch (asked.op) {
    case 'at_least':
    case 'at_most':
      return reaching(asked, subject, place, bounds)
    case 'is':
      return 'nothing'
    case 'is_any':
      return joined(asked, subject, place, bounds)
    case 'has_any':
    case 'like':
    case 'matches':
      return undefined
    default: {
      const alone = (word: string) => ({ ...asked, value: [word] }) as RuleCondition
      const value = asked.value.filter((word) => prepareCondition(alone(word), place).state(subject) === 'met')
      if (value.length > 0) return { ...asked, value }
      return asked.op === 'has_all' ? undefined : 'nothing'
    }
  }
}

/** The next round number that lets it in: whole ones from ten on, tenths below. */
function reaching(asked: NumberCondition, subject: Subject, place: RulePlace, bounds: WidenBounds) {
  const found = numberReaders[asked.field](subject, place)
  if (found === undefined) return undefined
  const parts = found < 10 ? 10 : 1
  const value = (asked.op === 'at_most' ? Math.ceil(found * parts) : Math.floor(found * parts)) / parts
  return value > bounds.numberMax ? undefined : { ...asked, value }
}

function joined(asked: SetCondition, subject: Subject, place: RulePlace, bounds: WidenBounds) {
  const found = asked.field === 'tag' ? subject.candidate.tags?.[0] : prepareCondition(asked, place).found(subject)
  if (typeof found !== 'string' || found === '' || [...found].length > bounds.wordCharactersMax) return undefined
  return asked.value.length >= bounds.wordsMax ? undefined : { ...asked, value: [...asked.value, found] }
}
