import type { JsonRecord } from '../json-record.ts'
import type { ModelTraits } from '../registry.ts'

export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type ReasoningEffort = (typeof reasoningEfforts)[number]

export interface ReasoningPlan {
  readonly fields: JsonRecord
  /** Replaces the output limit where a budget has to fit under it. */
  readonly maxTokens?: number
  readonly dropsTopP: boolean
  readonly dropsTemperature: boolean
  readonly dropsMaxTokens: boolean
}

const noPlan: ReasoningPlan = { fields: {}, dropsTopP: false, dropsTemperature: false, dropsMaxTokens: false }
/** What a budget is taken from when the client set no output limit. */
const assumedMaxTokens = 16_384
const budgetTokensFloor = 1_024
/** Room for the answer behind the thinking. */
const answerTokensMin = 256

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
  return noPlan
}

function planBudget(
  level: 'low' | 'medium' | 'high',
  traits: ModelTraits,
  maxTokens: number | undefined,
): ReasoningPlan {
  const whole = maxTokens ?? traits.parameters.maxTokens ?? assumedMaxTokens
  const ratios = traits.parameters.budgetRatios ?? { low: 0.3, medium: 0.6, high: 1 }
  const wanted = ratios[level] >= 1 ? whole - 1 : Math.floor(whole * ratios[level])
  const budget = Math.max(wanted, traits.parameters.budgetTokensMin ?? budgetTokensFloor)
  return {
    ...noPlan,
    fields: { thinking: { type: 'enabled', budget_tokens: budget } },
    maxTokens: Math.max(whole, budget + answerTokensMin),
    dropsTopP: true,
    dropsTemperature: true,
  }
}

function threeLevels(effort: Exclude<ReasoningEffort, 'none'>): 'low' | 'medium' | 'high' {
  if (effort === 'minimal' || effort === 'low') return 'low'
  return effort === 'medium' ? 'medium' : 'high'
}
