import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../failure.ts'
import { isRecord, type JsonRecord } from '../json-record.ts'
import type { ResolvedModel } from '../model-resolution.ts'
import type { ConverseRequest, ConverseTurn, ToolChoice, ToolSpecification } from '../wire/converse-request.ts'
import { type Conversation, isToolUse } from './conversation.ts'
import { type OutputSchema, withClosedObjects } from './output-schema.ts'
import { type CacheWish, placeCachePoints } from './prompt-cache.ts'
import { planReasoning, type ReasoningEffort } from './reasoning-fields.ts'

export type ToolChoiceWish = 'auto' | 'none' | 'required' | { readonly name: string }

/** One answer to be generated, whichever of the gateway's interfaces asked for it. */
export interface Generation {
  readonly model: ResolvedModel
  readonly conversation: Conversation
  readonly tools: readonly ToolSpecification[]
  readonly toolChoice: ToolChoiceWish
  readonly maxTokens: number | undefined
  readonly temperature: number | undefined
  readonly topP: number | undefined
  readonly stop: readonly string[]
  readonly effort: ReasoningEffort | undefined
  readonly outputSchema: OutputSchema | undefined
  readonly caching: CacheWish
  /** Sent as the client gave them; they win over what the gateway would set itself. */
  readonly additionalFields: JsonRecord
}

export interface GenerationRules {
  readonly context1mBetaHeader: string
}

/** Writes the provider's request. */
export function toConverseRequest(generation: Generation, rules: GenerationRules): Result<ConverseRequest, Failure> {
  const { model, outputSchema } = generation
  const has = (name: Parameters<typeof model.traits.capabilities.has>[0]) => model.traits.capabilities.has(name)
  if (outputSchema !== undefined && !has('structured_output')) {
    return failWith(failure('bad_request', `model ${model.id} has no structured output`, { param: 'response_format' }))
  }
  const turns = generation.conversation.turns({ canEndOnAssistant: !has('no_prefill') })
  if (turns.length === 0) return failWith(failure('bad_request', 'the conversation is empty'))
  const effort = has('reasoning_budget') && continuesUnreasonedCall(turns) ? undefined : generation.effort
  const reasoning = planReasoning(effort, model.traits, generation.maxTokens)
  const isForced = generation.toolChoice === 'required' || typeof generation.toolChoice === 'object'
  if (isForced && 'thinking' in reasoning.fields) {
    return failWith(
      failure('bad_request', 'tool_choice cannot force a tool while this model reasons', { param: 'tool_choice' }),
    )
  }
  const specifications = toolSpecifications(generation, turns.flatMap((turn) => turn.content).filter(isToolUse))
  const cached = placeCachePoints(
    specifications,
    generation.conversation.systemBlocks(),
    turns,
    generation.caching,
    model.traits,
  )
  const toolChoice = has('no_tool_choice') ? undefined : toolChoiceOf(generation)
  const additional = additionalFields(generation, reasoning.fields, has('context_1m_beta') ? rules : undefined)
  const inference = inferenceConfig(generation, reasoning)
  const schema = has('closed_schema_objects') ? withClosedObjects(outputSchema?.schema) : outputSchema?.schema
  return succeed({
    messages: cached.turns,
    ...(cached.system.length === 0 ? {} : { system: cached.system }),
    ...(Object.keys(inference).length === 0 ? {} : { inferenceConfig: inference }),
    ...(cached.tools.length === 0
      ? {}
      : { toolConfig: { tools: cached.tools, ...(toolChoice === undefined ? {} : { toolChoice }) } }),
    ...(Object.keys(additional).length === 0 ? {} : { additionalModelRequestFields: additional }),
    ...(outputSchema === undefined
      ? {}
      : {
          outputConfig: {
            textFormat: {
              type: 'json_schema',
              structure: {
                jsonSchema: {
                  schema: JSON.stringify(schema),
                  ...(outputSchema.name === undefined ? {} : { name: outputSchema.name }),
                  ...(outputSchema.description === undefined ? {} : { description: outputSchema.description }),
                },
              },
            },
          },
        }),
  })
}

/**
 * Whether the model is to go on after a tool call that has no reasoning in front of it. Models with a budget refuse to
 * reason then: the call was made without reasoning, or the client could not bring it back.
 */
function continuesUnreasonedCall(turns: readonly ConverseTurn[]): boolean {
  const isContinuation = turns.at(-1)?.content.some((block) => 'toolResult' in block) === true
  return isContinuation && turns.at(-2)?.content.some((block) => 'reasoningContent' in block) !== true
}

/**
 * The tools of the request. When earlier turns hold tool calls the provider demands their description even if the
 * client no longer offers tools, or wants none called now: then the least that names them is sent.
 */
function toolSpecifications(
  generation: Generation,
  calls: readonly { readonly toolUse: { readonly name: string } }[],
): readonly ToolSpecification[] {
  if (generation.tools.length > 0 && (generation.toolChoice !== 'none' || calls.length > 0)) return generation.tools
  return [...new Set(calls.map((call) => call.toolUse.name))].map((name) => ({
    toolSpec: { name, description: `Tool ${name} of earlier turns`, inputSchema: { json: { type: 'object' } } },
  }))
}

function toolChoiceOf(generation: Generation): ToolChoice | undefined {
  if (generation.tools.length === 0) return undefined
  if (generation.toolChoice === 'required') return { any: {} }
  if (typeof generation.toolChoice === 'object') return { tool: { name: generation.toolChoice.name } }
  return undefined
}

function inferenceConfig(generation: Generation, reasoning: ReturnType<typeof planReasoning>) {
  const has = (name: Parameters<typeof generation.model.traits.capabilities.has>[0]) =>
    generation.model.traits.capabilities.has(name)
  const samples = !has('drop_sampling')
  const temperature = samples && !reasoning.dropsTemperature ? generation.temperature : undefined
  const dropsTopP = reasoning.dropsTopP || (has('drop_top_p_with_temperature') && temperature !== undefined)
  const topP = samples && !dropsTopP ? generation.topP : undefined
  const stop = samples ? generation.stop : []
  const maxTokens = reasoning.dropsMaxTokens ? undefined : (reasoning.maxTokens ?? generation.maxTokens)
  return {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(stop.length === 0 ? {} : { stopSequences: stop }),
  }
}

function additionalFields(
  generation: Generation,
  reasoning: JsonRecord,
  context1m: GenerationRules | undefined,
): JsonRecord {
  const fields: Record<string, unknown> = { ...reasoning }
  for (const [member, value] of Object.entries(generation.additionalFields)) {
    const present = fields[member]
    fields[member] = isRecord(present) && isRecord(value) ? { ...present, ...value } : value
  }
  if (context1m !== undefined)
    fields['anthropic_beta'] = withBeta(fields['anthropic_beta'], context1m.context1mBetaHeader)
  return fields
}

function withBeta(present: unknown, header: string): unknown {
  if (present === undefined) return [header]
  if (typeof present === 'string') return present === header ? [header] : [present, header]
  if (!Array.isArray(present)) return present
  return present.includes(header) ? present : [...present, header]
}
