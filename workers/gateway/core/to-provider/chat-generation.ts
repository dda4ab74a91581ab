import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../failure.ts'
import { isRecord, parseJson } from '../json-record.ts'
import type { ResolvedModel } from '../model-resolution.ts'
import { isCapsule, type Keyring, type Mac, openCapsule } from '../reasoning-capsule.ts'
import { readableReasoning } from '../wire/converse-answer.ts'
import type { ContentBlock, ReasoningBlock, ToolSpecification } from '../wire/converse-request.ts'
import { Conversation, type ResultContent } from './conversation.ts'
import type { Generation, ToolChoiceWish } from './generation.ts'
import { type DownloadedImages, imageBlock } from './image-reference.ts'
import { anyObjectSchema, type OutputSchema } from './output-schema.ts'
import type { CacheWish } from './prompt-cache.ts'
import type { ReasoningEffort } from './reasoning-fields.ts'
import { toolInputSchema } from './tool-input-schema.ts'

/** A chat request as the wire has it; contract/chat-request.ts checks the shape. */
export interface ChatInput {
  readonly messages: readonly ChatInputMessage[]
  readonly max_completion_tokens?: number | null | undefined
  readonly max_tokens?: number | null | undefined
  readonly temperature?: number | null | undefined
  readonly top_p?: number | null | undefined
  readonly stop?: string | readonly string[] | null | undefined
  readonly tools?: readonly ChatTool[] | null | undefined
  readonly tool_choice?:
    | 'auto'
    | 'none'
    | 'required'
    | { readonly function: { readonly name: string } }
    | null
    | undefined
  readonly response_format?: ResponseFormat | null | undefined
  readonly reasoning_effort?: ReasoningEffort | null | undefined
  readonly extra_body?: ExtraBody | null | undefined
  readonly thinking?: unknown
  readonly output_config?: unknown
  readonly anthropic_beta?: unknown
}

type TextPart = { readonly type: 'text'; readonly text: string }
type ImagePart = { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
type RefusalPart = { readonly type: 'refusal'; readonly refusal: string }
type RichContent = string | readonly (TextPart | ImagePart)[]

interface ChatToolCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

type ChatInputMessage =
  | { readonly role: 'system' | 'developer'; readonly content: string | readonly TextPart[] }
  | { readonly role: 'user'; readonly content: RichContent }
  | {
      readonly role: 'assistant'
      readonly content?: string | readonly (TextPart | RefusalPart)[] | null | undefined
      readonly refusal?: string | null | undefined
      readonly tool_calls?: readonly ChatToolCall[] | null | undefined
    }
  | { readonly role: 'tool'; readonly content: RichContent; readonly tool_call_id: string }

interface ChatTool {
  readonly function: {
    readonly name: string
    readonly description?: string | null | undefined
    readonly parameters?: Readonly<Record<string, unknown>> | null | undefined
  }
}

type ResponseFormat =
  | { readonly type: 'text' | 'json_object' }
  | {
      readonly type: 'json_schema'
      readonly json_schema: {
        readonly name?: string | null | undefined
        readonly description?: string | null | undefined
        readonly schema?: Readonly<Record<string, unknown>> | null | undefined
      }
    }

interface ExtraBody {
  readonly prompt_caching?:
    | {
        readonly system?: boolean | null | undefined
        readonly messages?: boolean | null | undefined
        readonly ttl?: '5m' | '1h' | null | undefined
      }
    | null
    | undefined
  readonly [member: string]: unknown
}

export interface TranslationContext {
  readonly model: ResolvedModel
  readonly images: DownloadedImages
  readonly keyring: Keyring
  readonly mac: Mac
  readonly caching: CacheWish
}

/** Translates a chat request. Capsules in tool call ids are opened here and nowhere else. */
export async function chatGeneration(
  input: ChatInput,
  context: TranslationContext,
): Promise<Result<Generation, Failure>> {
  const conversation = await chatConversation(input.messages, context)
  if (!conversation.ok) return conversation
  const tools = (input.tools ?? []).map(toolSpecification)
  const toolChoice = toolChoiceWish(input.tool_choice)
  if (typeof toolChoice === 'object' && !tools.some((tool) => tool.toolSpec.name === toolChoice.name)) {
    return failWith(
      failure('bad_request', `tool_choice names ${toolChoice.name}, which is not among tools`, {
        param: 'tool_choice',
      }),
    )
  }
  // Without capsules the signed reasoning behind a tool call could not come back, and the next turn would be refused.
  const losesReasoning = tools.length > 0 && context.keyring.activeKeyId === undefined && signsReasoning(context.model)
  return succeed({
    model: context.model,
    conversation: conversation.value,
    tools,
    toolChoice,
    maxTokens: input.max_completion_tokens ?? input.max_tokens ?? undefined,
    temperature: input.temperature ?? undefined,
    topP: input.top_p ?? undefined,
    stop: stopSequences(input.stop),
    effort: losesReasoning ? undefined : (input.reasoning_effort ?? undefined),
    outputSchema: outputSchemaOf(input.response_format),
    caching: cacheWish(input.extra_body?.prompt_caching, context.caching),
    additionalFields: additionalFieldsOf(input),
  })
}

function signsReasoning(model: ResolvedModel): boolean {
  return model.traits.capabilities.has('reasoning_adaptive') || model.traits.capabilities.has('reasoning_budget')
}

async function chatConversation(
  messages: readonly ChatInputMessage[],
  context: TranslationContext,
): Promise<Result<Conversation, Failure>> {
  const conversation = new Conversation()
  for (const message of messages) {
    switch (message.role) {
      case 'system':
      case 'developer':
        conversation.system(
          typeof message.content === 'string' ? message.content : message.content.map((part) => part.text).join('\n'),
        )
        break
      case 'user': {
        const blocks = richBlocks(message.content, context)
        if (!blocks.ok) return blocks
        conversation.user(blocks.value)
        break
      }
      case 'assistant': {
        const taken = await takeAssistant(conversation, message, context)
        if (!taken.ok) return taken
        break
      }
      case 'tool': {
        const id = await restoredId(message.tool_call_id, context)
        const blocks = richBlocks(message.content, context)
        if (!id.ok) return id
        if (!blocks.ok) return blocks
        conversation.toolResult(id.value, blocks.value)
        break
      }
    }
  }
  return succeed(conversation)
}

async function takeAssistant(
  conversation: Conversation,
  message: Extract<ChatInputMessage, { role: 'assistant' }>,
  context: TranslationContext,
): Promise<Result<undefined, Failure>> {
  const calls: { readonly reasoning: readonly ReasoningBlock[]; readonly block: ContentBlock }[] = []
  for (const call of message.tool_calls ?? []) {
    let id = call.id
    let reasoning: readonly ReasoningBlock[] = []
    if (isCapsule(id)) {
      const capsule = await openCapsule(id, context.keyring, context.mac)
      if (!capsule.ok) return capsule
      id = capsule.value.toolUseId
      // Signed blocks are only worth something to the model that made them.
      if (capsule.value.modelId === context.model.foundationId) reasoning = capsule.value.blocks
    }
    const input = call.function.arguments.trim() === '' ? {} : parseJson(call.function.arguments)
    if (!isRecord(input)) {
      return failWith(failure('bad_request', `the arguments of tool call ${call.function.name} are not a JSON object`))
    }
    calls.push({ reasoning, block: { toolUse: { toolUseId: id, name: call.function.name, input } } })
  }
  const replayed = calls.flatMap((call) => call.reasoning)
  const text = assistantText(message)
  const told = replayed.map(readableReasoning)
  conversation.assistant([{ text: replayed.length === 0 ? text : withoutThinking(text, told) }])
  for (const { reasoning, block } of calls) {
    conversation.reasoning(reasoning)
    conversation.assistant([block])
  }
  return succeed(undefined)
}

async function restoredId(id: string, context: TranslationContext): Promise<Result<string, Failure>> {
  if (!isCapsule(id)) return succeed(id)
  const capsule = await openCapsule(id, context.keyring, context.mac)
  return capsule.ok ? succeed(capsule.value.toolUseId) : capsule
}

/** What the assistant said; an answer that was a refusal has it in a member of its own. */
export function assistantText({ content, refusal }: Extract<ChatInputMessage, { role: 'assistant' }>): string {
  if (content === null || content === undefined) return refusal ?? ''
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : part.refusal)).join('\n')
}

/** Without the readable copy of reasoning that goes back as it was signed: in front, and between what was said. */
export function withoutThinking(text: string, told: readonly string[]): string {
  const all = told.join('')
  return text
    .replace(/^\s*<think>[\s\S]*?<\/think>/, '')
    .replace(/<think>([\s\S]*?)<\/think>/g, (segment, inner: string) => (all.includes(inner) ? '' : segment))
}

function richBlocks(content: RichContent, context: TranslationContext): Result<readonly ResultContent[], Failure> {
  if (typeof content === 'string') return succeed([{ text: content }])
  const blocks: ResultContent[] = []
  for (const part of content) {
    if (part.type === 'text') {
      blocks.push({ text: part.text })
      continue
    }
    if (context.model.hasImages === false) {
      return failWith(failure('bad_request', `model ${context.model.id} takes no images`, { param: 'messages' }))
    }
    const image = imageBlock(part.image_url.url, context.images)
    if (!image.ok) return failWith({ ...image.failure, param: 'messages' })
    blocks.push(image.value)
  }
  return succeed(blocks)
}

function toolSpecification(tool: ChatTool): ToolSpecification {
  const { name, description, parameters } = tool.function
  return {
    toolSpec: {
      name,
      ...(description ? { description } : {}),
      inputSchema: { json: toolInputSchema(parameters) },
    },
  }
}

function toolChoiceWish(choice: ChatInput['tool_choice']): ToolChoiceWish {
  if (choice === null || choice === undefined) return 'auto'
  return typeof choice === 'string' ? choice : { name: choice.function.name }
}

export function stopSequences(stop: string | readonly string[] | null | undefined): readonly string[] {
  if (stop === null || stop === undefined) return []
  return (typeof stop === 'string' ? [stop] : stop).filter((sequence) => sequence.trim() !== '')
}

function outputSchemaOf(format: ResponseFormat | null | undefined): OutputSchema | undefined {
  if (format === null || format === undefined || format.type === 'text') return undefined
  if (!('json_schema' in format)) return anyObjectSchema
  const { name, description, schema } = format.json_schema
  return {
    ...(name ? { name } : {}),
    ...(description ? { description } : {}),
    schema: schema ?? anyObjectSchema.schema,
  }
}

function cacheWish(asked: ExtraBody['prompt_caching'], otherwise: CacheWish): CacheWish {
  return {
    system: asked?.system ?? otherwise.system,
    messages: asked?.messages ?? otherwise.messages,
    ttl: asked?.ttl ?? otherwise.ttl,
  }
}

function additionalFieldsOf(input: ChatInput): Readonly<Record<string, unknown>> {
  const { prompt_caching: _, ...extra } = input.extra_body ?? {}
  return {
    ...(input.thinking == null ? {} : { thinking: input.thinking }),
    ...(input.output_config == null ? {} : { output_config: input.output_config }),
    ...(input.anthropic_beta == null ? {} : { anthropic_beta: input.anthropic_beta }),
    ...extra,
  }
}
