import { isRecord, type JsonRecord, recordOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../failure.ts'
import type { ResolvedModel } from '../model-resolution.ts'
import type { ConverseRequest, ConverseTurn, ToolChoice, ToolSpecification } from '../wire/converse-request.ts'
import { type Conversation, isToolUse } from './conversation.ts'
import { type OutputSchema, withClosedObjects } from './output-schema.ts'
import { type CacheWish, keepMarks, placeCachePoints } from './prompt-cache.ts'
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
  /** Reasoning could not come back with the next turn, so there must be none. */
  readonly cannotReason?: boolean
  readonly outputSchema: OutputSchema | undefined
  /** The answer is to be a JSON object of any shape. */
  readonly wantsJson?: boolean
  /** The client placed a mark behind the last tool. */
  readonly marksTools?: '5m' | '1h' | undefined
  readonly caching: CacheWish
  /** Sent as the client gave them; they win over what the gateway would set itself. */
  readonly additionalFields: JsonRecord
}

export interface GenerationRules {
  readonly context1mBetaHeader: string
}

/** What a client asked for that this model's answer does not follow. */
export type Ignored =
  | 'effort'
  | 'temperature'
  | 'top_p'
  | 'stop'
  | 'tool_choice'
  | 'strict'
  | 'cache'
  | 'cache_ttl'
  | 'cache_tools'
  | 'unpaired'

export interface Translated {
  readonly request: ConverseRequest
  readonly ignored: readonly Ignored[]
}

const jsonWish = 'Answer with exactly one JSON object and nothing else: no words around it and no code fence.'

/** Writes the provider's request. */
export function toConverseRequest(generation: Generation, rules: GenerationRules): Result<Translated, Failure> {
  const { model, outputSchema } = generation
  const ignored = new Set<Ignored>()
  const has = (name: Parameters<typeof model.traits.capabilities.has>[0]) => model.traits.capabilities.has(name)
  if ((outputSchema !== undefined || generation.wantsJson === true) && !has('structured_output')) {
    return failWith(failure('bad_request', `model ${model.id} has no structured output`, { param: 'response_format' }))
  }
  const turns = generation.conversation.turns({ canEndOnAssistant: !has('no_prefill') })
  if (generation.conversation.hasUnpaired()) ignored.add('unpaired')
  if (turns.length === 0) return failWith(failure('bad_request', 'the conversation is empty'))
  const cannotReason = generation.cannotReason === true || (has('reasoning_budget') && continuesUnreasonedCall(turns))
  const reasoning = planReasoning(cannotReason ? undefined : generation.effort, model.traits, generation.maxTokens)
  const isReasoningWished = generation.effort !== undefined && generation.effort !== 'none'
  if (isReasoningWished && (cannotReason || reasoning.isIgnored === true)) ignored.add('effort')
  const isForced = generation.toolChoice === 'required' || typeof generation.toolChoice === 'object'
  if (isForced && 'thinking' in reasoning.fields) {
    return failWith(
      failure('bad_request', 'tool_choice cannot force a tool while this model reasons', { param: 'tool_choice' }),
    )
  }
  const specifications = strictWhereServed(
    toolSpecifications(generation, turns.flatMap((turn) => turn.content).filter(isToolUse)),
    has('strict_tools'),
    ignored,
  )
  const system = generation.conversation.systemBlocks()
  const marks = { isOn: generation.conversation.hasMarks() || generation.marksTools !== undefined }
  if (marks.isOn && !has('prompt_caching')) ignored.add('cache')
  else if (marks.isOn) {
    const hasLong = generation.conversation.hasLongMarks() || generation.marksTools === '1h'
    if (hasLong && !has('prompt_cache_1h')) ignored.add('cache_ttl')
    if (generation.marksTools !== undefined && !has('prompt_cache_tools')) ignored.add('cache_tools')
  }
  const cached = marks.isOn
    ? keepMarks(specifications, generation.marksTools, system, turns, model.traits)
    : placeCachePoints(specifications, system, turns, generation.caching, model.traits)
  const toolChoice = has('no_tool_choice') ? undefined : toolChoiceOf(generation)
  if (isForced && toolChoice === undefined) ignored.add('tool_choice')
  const additional = additionalFields(generation, reasoning.fields, has('context_1m_beta') ? rules : undefined)
  const inference = inferenceConfig(generation, reasoning, ignored)
  const systemBlocks = generation.wantsJson === true ? [...cached.system, { text: jsonWish }] : cached.system
  const schema = has('closed_schema_objects') ? withClosedObjects(outputSchema?.schema) : outputSchema?.schema
  const request: ConverseRequest = {
    messages: cached.turns,
    ...(systemBlocks.length === 0 ? {} : { system: systemBlocks }),
    ...(generation.wantsJson === true ? { wantsJson: true } : {}),
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
  }
  return succeed({ request, ignored: [...ignored] })
}

/** Schemas that bind the model are a wish that only some models know; those want every object closed. */
function strictWhereServed(
  specifications: readonly ToolSpecification[],
  isServed: boolean,
  ignored: Set<Ignored>,
): readonly ToolSpecification[] {
  return specifications.map((specification) => {
    const { strict, ...toolSpec } = specification.toolSpec
    if (strict !== true) return { toolSpec }
    if (!isServed) {
      ignored.add('strict')
      return { toolSpec }
    }
    const json = recordOf(withClosedObjects(toolSpec.inputSchema.json)) ?? {}
    return { toolSpec: { ...toolSpec, inputSchema: { json }, strict } }
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

function inferenceConfig(generation: Generation, reasoning: ReturnType<typeof planReasoning>, ignored: Set<Ignored>) {
  const has = (name: Parameters<typeof generation.model.traits.capabilities.has>[0]) =>
    generation.model.traits.capabilities.has(name)
  const samples = !has('drop_sampling')
  const temperature = samples && !reasoning.dropsTemperature ? generation.temperature : undefined
  const dropsTopP = reasoning.dropsTopP || (has('drop_top_p_with_temperature') && temperature !== undefined)
  const topP = samples && !dropsTopP ? generation.topP : undefined
  const stop = samples ? generation.stop : []
  if (temperature === undefined && generation.temperature !== undefined) ignored.add('temperature')
  if (topP === undefined && generation.topP !== undefined) ignored.add('top_p')
  if (stop.length < generation.stop.length) ignored.add('stop')
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
