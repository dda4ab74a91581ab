// What the service model (`bedrock-runtime`, API 2023-09-30) does not tell: to it `additionalModelRequestFields` is any
// document. The source of Claude's rules about thinking and tools is its maker's documentation; of budgets, signatures and
// marks the declarations in `@anthropic-ai/sdk` 1.14.0 say the same. Which fields the other families take is from
// the provider's documentation of inference parameters, the words of refusals from reports of users.
import { isRecord, type JsonRecord, numberOf, recordOf, textOf } from '#shared/kernel/json-record.ts'
import type { CallBlock, CallTurn, ConverseCall } from './converse-call.ts'
import type { ModelCard } from './model-cards.ts'
import { reasoningSignature } from './reasoning-signature.ts'

/** Whether a signature is one that was given out with these words, other than by the stand-in's own models. */
export type IsIssued = (signature: string, text: string) => boolean

/**
 * What single models refuse. Claude's own interface speaks through the service here, so its faults carry its words;
 * for the others the documented ones. Undefined when there is nothing.
 */
export function modelFault(call: ConverseCall, card: ModelCard, isIssued: IsIssued): string | undefined {
  const told = fieldsFault(call, card) ?? outputFault(call, card)
  if (told !== undefined) return told
  if (!card.id.startsWith('anthropic.')) return undefined
  const fault = claudeFault(call, card, isIssued)
  return fault === undefined ? undefined : `The model returned the following errors: ${fault}`
}

/** A cache point that the model does not take is refused with another status than the rest. */
export function isCacheDenied(call: ConverseCall, card: ModelCard): boolean {
  const isMarked = cachePoints(call).length > 0
  const marksTools = call.toolConfig?.tools.some((tool) => tool.cachePoint !== undefined) === true
  return isMarked && (!card.abilities.has('prompt_caching') || (marksTools && !card.id.startsWith('anthropic.')))
}

/** Which members each family takes besides the service's own fields. */
const ownFields: readonly (readonly [prefix: string, names: readonly string[]])[] = [
  [
    'anthropic.',
    ['thinking', 'output_config', 'anthropic_beta', 'top_k', 'reasoning_config', 'context_management', 'metadata'],
  ],
  ['amazon.nova', ['inferenceConfig', 'reasoningConfig']],
  ['deepseek.', ['reasoning_config']],
  ['openai.', ['reasoning_effort', 'reasoning']],
  ['meta.', []],
]

function fieldsFault(call: ConverseCall, card: ModelCard): string | undefined {
  const given = call.additionalModelRequestFields
  if (given === undefined) return undefined
  if (!isRecord(given)) return 'additionalModelRequestFields must be an object'
  const known = ownFields.find(([prefix]) => card.id.startsWith(prefix))?.[1] ?? []
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  return card.id.startsWith('anthropic.')
    ? `The model returned the following errors: ${unknown}: Extra inputs are not permitted`
    : `Malformed input request: #: extraneous key [${unknown}] is not permitted, please reformat your input and try again.`
}

function outputFault(call: ConverseCall, card: ModelCard): string | undefined {
  const schema = call.outputConfig?.textFormat?.structure.jsonSchema?.schema
  if (schema === undefined) return undefined
  if (!card.abilities.has('structured_output')) {
    return "This model doesn't support the outputConfig.textFormat field. Remove outputConfig.textFormat and try again."
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(schema)
  } catch {
    return 'The schema at outputConfig.textFormat.structure.jsonSchema.schema is not valid JSON.'
  }
  return card.id.startsWith('anthropic.') && hasOpenObject(parsed)
    ? "The model returned the following errors: output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"
    : undefined
}

function hasOpenObject(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasOpenObject)
  if (!isRecord(schema)) return false
  if (schema['type'] === 'object' && schema['additionalProperties'] !== false) return true
  return Object.values(schema).some(hasOpenObject)
}

function claudeFault(call: ConverseCall, card: ModelCard, isIssued: IsIssued): string | undefined {
  const fields = recordOf(call.additionalModelRequestFields) ?? {}
  const thinking = recordOf(fields['thinking']) ?? recordOf(fields['reasoning_config'])
  return (
    samplingFault(call, card) ??
    thinkingFault(call, card, thinking) ??
    effortFault(fields, card) ??
    blocksFault(call.messages ?? [], card, isIssued) ??
    continuationFault(call.messages ?? [], thinking) ??
    endFault(call.messages ?? [], card) ??
    cacheFault(call)
  )
}

function samplingFault({ inferenceConfig }: ConverseCall, card: ModelCard): string | undefined {
  const { temperature, topP } = inferenceConfig ?? {}
  if (!card.abilities.has('sampling')) {
    if (temperature !== undefined && temperature !== 1) return '`temperature` is deprecated for this model.'
    return topP === undefined ? undefined : '`top_p` is deprecated for this model.'
  }
  return temperature !== undefined && topP !== undefined && !card.abilities.has('both_samplings')
    ? '`temperature` and `top_p` cannot both be specified for this model. Please use only one.'
    : undefined
}

const budgetTokensMin = 1_024
/** What the service assumes where a call says nothing. */
const maxTokensAssumed = 4_096

function thinkingFault(call: ConverseCall, card: ModelCard, thinking: JsonRecord | undefined): string | undefined {
  const type = textOf(thinking?.['type'])
  if (thinking === undefined || type === 'disabled') return undefined
  if (type !== 'enabled' && type !== 'adaptive') {
    return "thinking: Input tag does not match any of the expected tags: 'disabled', 'enabled', 'adaptive'"
  }
  if (!card.thinking.includes(type)) {
    if (type === 'adaptive') return 'adaptive thinking is not supported on this model'
    return card.thinking.length === 0
      ? 'thinking is not supported on this model'
      : '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
  }
  if (type === 'enabled') {
    const budget = numberOf(thinking['budget_tokens'])
    if (budget === undefined) return 'thinking.enabled.budget_tokens: Field required'
    if (budget < budgetTokensMin) {
      return `thinking.enabled.budget_tokens: Input should be greater than or equal to ${budgetTokensMin}`
    }
    if ((call.inferenceConfig?.maxTokens ?? maxTokensAssumed) <= budget) {
      return '`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size'
    }
  }
  const { temperature, topP } = call.inferenceConfig ?? {}
  if (temperature !== undefined && temperature !== 1) {
    return '`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.'
  }
  if (topP !== undefined && topP < 0.95) {
    return '`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled or in adaptive mode.'
  }
  const choice = call.toolConfig?.toolChoice
  return choice?.any !== undefined || choice?.tool !== undefined
    ? 'Thinking may not be enabled when tool_choice forces tool use.'
    : undefined
}

const efforts = ['low', 'medium', 'high', 'xhigh', 'max']

function effortFault(fields: JsonRecord, card: ModelCard): string | undefined {
  const effort = recordOf(fields['output_config'])?.['effort']
  if (effort === undefined) return undefined
  if (!efforts.includes(String(effort))) {
    return `output_config.effort: Input should be ${efforts.map((one) => `'${one}'`).join(', ')}`
  }
  return card.thinking.includes('adaptive') ? undefined : 'This model does not support the effort parameter.'
}

/** Reasoning comes first in its turn and exactly as it was given out. */
function blocksFault(turns: readonly CallTurn[], card: ModelCard, isIssued: IsIssued): string | undefined {
  for (const [at, turn] of turns.entries()) {
    if (turn.role !== 'assistant') continue
    const first = turn.content[0]
    if (turn.content.some(isThinking) && first !== undefined && !isThinking(first)) {
      return `messages.${at}.content.0: If an assistant message contains any thinking blocks, the first block must be \`thinking\` or \`redacted_thinking\`. Found \`${typeOf(first)}\`.`
    }
    for (const [index, block] of turn.content.entries()) {
      const told = block.reasoningContent?.reasoningText
      if (told === undefined) continue
      const path = `messages.${at}.content.${index}`
      if (told.signature === undefined) return `${path}.thinking.signature: Field required`
      if (told.signature === reasoningSignature(card.id, told.text) || isIssued(told.signature, told.text)) continue
      return `${path}: Invalid \`signature\` in \`thinking\` block`
    }
  }
  return undefined
}

/** A model that thinks under a budget goes on after a tool only where it sees what it thought before. */
function continuationFault(turns: readonly CallTurn[], thinking: JsonRecord | undefined): string | undefined {
  const isContinued = turns.at(-1)?.content.some((block) => block.toolResult !== undefined) === true
  const last = turns.at(-2)?.content[0]
  if (thinking?.['type'] !== 'enabled' || !isContinued || last === undefined || isThinking(last)) return undefined
  // Of several steps of one answer the first one counts.
  const at = turns.length - 2
  return `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${typeOf(last)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`
}

function isThinking(block: CallBlock): boolean {
  return block.reasoningContent !== undefined
}

function typeOf(block: CallBlock): string {
  return block.toolUse === undefined ? 'text' : 'tool_use'
}

function endFault(turns: readonly CallTurn[], card: ModelCard): string | undefined {
  const last = turns.at(-1)
  if (last?.role !== 'assistant') return undefined
  if (!card.abilities.has('prefill')) {
    return 'This model does not support assistant message prefill. The conversation must end with a user message.'
  }
  const text = last.content.at(-1)?.text
  return text !== undefined && /\s$/.test(text)
    ? 'messages: final assistant content cannot end with trailing whitespace'
    : undefined
}

const cachePointsMax = 4

function cacheFault(call: ConverseCall): string | undefined {
  const points = cachePoints(call)
  if (points.length > cachePointsMax) {
    return `A maximum of ${cachePointsMax} blocks with cache_control may be provided. Found ${points.length}.`
  }
  const short = points.indexOf('5m')
  return short >= 0 && points.lastIndexOf('1h') > short
    ? "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block"
    : undefined
}

/** How long each point asks to be kept, in the order the service reads a call. */
function cachePoints(call: ConverseCall): readonly string[] {
  return [
    ...(call.toolConfig?.tools ?? []),
    ...(call.system ?? []),
    ...(call.messages ?? []).flatMap((turn) => turn.content),
  ].flatMap(({ cachePoint }) => (cachePoint === undefined ? [] : [cachePoint.ttl ?? '5m']))
}
