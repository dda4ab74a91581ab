import type { JsonRecord } from '#shared/kernel/json-record.ts'
import type { ModelTraits } from '../registry.ts'

export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type ReasoningEffort = (typeof reasoningEfforts)[number]

export interface ReasoningPlan {
  readonly fields: JsonRecord
  /** The output limit that the budget was taken from. */
  readonly maxTokens?: number
  /** The wish has no effect. */
  readonly isIgnored?: true
  readonly dropsTopP: boolean
  readonly dropsTemperature: boolean
  readonly dropsMaxTokens: boolean
}

const noPlan: ReasoningPlan = { fields: {}, dropsTopP: false, dropsTemperature: false, dropsMaxTokens: false }
/** What a budget is taken from, and the limit, when the client set none. Every model with a budget gives as much. */
const assumedMaxTokens = 32_000
const budgetTokensFloor = 1_024
/** Never more than this share of the client's limit is thought away. */
const budgetShareMax = 0.8

/** Says in the words of the model's family how hard it should think. */
export function planReasoning(
  effort: ReasoningEffort | undefined,
  traits: ModelTraits,
  maxTokens: number | undefined,
): ReasoningPlan {
  if (effort === undefined || effort === 'none') return noPlan
  const has = (name: Parameters<typeof traits.capabilities.has>[0]) => traits.capabilities.has(name)
  const level = threeLevels(effort)
  if (has('reasoning_adaptive')) {
    return {
      ...noPlan,
      fields: {
        thinking: { type: 'adaptive', display: 'summarized' },
        output_config: { effort: effort === 'minimal' ? 'low' : effort },
      },
      dropsTopP: true,
      dropsTemperature: true,
    }
  }
  if (has('reasoning_budget')) return planBudget(level, traits, maxTokens)
  if (has('reasoning_string')) return { ...noPlan, fields: { reasoning_config: level } }
  if (has('reasoning_nova')) {
    const isHigh = level === 'high'
    return {
      fields: { reasoningConfig: { type: 'enabled', maxReasoningEffort: level } },
      dropsTopP: isHigh,
      dropsTemperature: isHigh,
      dropsMaxTokens: isHigh,
    }
  }
  if (has('reasoning_flat_effort')) return { ...noPlan, fields: { reasoning_effort: level } }
  if (has('reasoning_nested_effort')) return { ...noPlan, fields: { reasoning: { effort } } }
  return { ...noPlan, isIgnored: true }
}

function planBudget(
  level: 'low' | 'medium' | 'high',
  traits: ModelTraits,
  maxTokens: number | undefined,
): ReasoningPlan {
  const whole = maxTokens ?? traits.parameters.maxTokens ?? assumedMaxTokens
  const ratios = traits.parameters.budgetRatios ?? { low: 0.3, medium: 0.6, high: budgetShareMax }
  const least = traits.parameters.budgetTokensMin ?? budgetTokensFloor
  const most = Math.floor(whole * budgetShareMax)
  // The least budget leaves no room for an answer: the client's limit stands.
  if (least > most) return { ...noPlan, isIgnored: true }
  const budget = Math.min(most, Math.max(least, Math.floor(whole * ratios[level])))
  return {
    ...noPlan,
    fields: { thinking: { type: 'enabled', budget_tokens: budget } },
    maxTokens: whole,
    dropsTopP: true,
    dropsTemperature: true,
  }
}

function threeLevels(effort: Exclude<ReasoningEffort, 'none'>): 'low' | 'medium' | 'high' {
  if (effort === 'minimal' || effort === 'low') return 'low'
  return effort === 'medium' ? 'medium' : 'high'
}
