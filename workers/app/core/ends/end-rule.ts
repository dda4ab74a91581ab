/**
 * What the owner asks of the torrents that downloaders hold, whoever added them. Rules of the same kind as those of feeds,
 * asked by the same judge: the first whose conditions are all met decides.
 */
import {
  flagFields,
  heldFlagFields,
  heldNumberFields,
  heldSetFields,
  type RuleCondition,
  setFields,
} from '../rules/filter-rule.ts'
import { type OrderedRule, type PreparedRules, prepareInOrder } from '../rules/judge.ts'
import type { EndAction } from '../vocabulary.ts'

export const endNumberFields = ['size_gib', 'year', 'free_gib', ...heldNumberFields] as const
export const endSetFields = [
  ...setFields.filter((field) => field !== 'feed' && field !== 'promotion'),
  ...heldSetFields,
]
export const endFlagFields = [flagFields[0], ...heldFlagFields] as const

export interface EndRule {
  readonly action: EndAction
  readonly conditions: readonly RuleCondition[]
  /** Ended by it in any 24 hours; left out for no bound. */
  readonly per_day_max?: number | undefined
}

/** What has to be seeded is not taken away by a rule that does not speak of it. */
const dutyDone: RuleCondition = { field: 'duty_done', op: 'is', value: true, or_unknown: true }

export function prepareEndRules(
  rules: readonly { readonly id: number; readonly rule: EndRule }[],
): PreparedRules<EndAction> {
  return prepareInOrder(rules.map(guarded))
}

function guarded({ id, rule }: { readonly id: number; readonly rule: EndRule }): OrderedRule<EndAction> {
  const speaksOfDuty = rule.conditions.some(({ field }) => field === 'duty_done')
  if (rule.action === 'keep' || speaksOfDuty) return { id, rule }
  return { id, rule: { ...rule, conditions: [...rule.conditions, dutyDone] } }
}
