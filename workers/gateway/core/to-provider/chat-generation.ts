import { isRecord, type JsonRecord, parseJson } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../failure.ts'
import type { ResolvedModel } from '../model-resolution.ts'
import { isCapsule, type Keyring, type Mac, openCapsule } from '../reasoning-capsule.ts'
import { type ClientTool, type ClientTools, readClientTools } from '../responses/client-tools.ts'
import { readableReasoning } from '../wire/converse-answer.ts'
import type { AudioBlock, ContentBlock, ReasoningBlock, VideoBlock } from '../wire/converse-request.ts'
import { Conversation, type ResultContent } from './conversation.ts'
import type { Generation, ToolChoiceWish } from './generation.ts'
import { type DownloadedImages, imageBlock } from './image-reference.ts'
import { audioBlock, DocumentNames, documentBlock, videoBlock } from './media.ts'
import type { OutputSchema } from './output-schema.ts'
import type { CacheWish } from './prompt-cache.ts'
import type { ReasoningEffort } from './reasoning-fields.ts'

/** A chat request as the wire has it; contract/chat-request.ts checks the shape. */
export interface ChatInput {
  readonly messages: readonly ChatInputMessage[]
  readonly max_completion_tokens?: number | null | undefined
  readonly max_tokens?: number | null | undefined
  readonly temperature?: number | null | undefined
  readonly top_p?: number | null | undefined
  readonly stop?: string | readonly string[] | null | undefined
  readonly tools?: readonly ChatTool[] | null | undefined
  readonly tool_choice?: ChatToolChoice | null | undefined
  readonly parallel_tool_calls?: boolean | null | undefined
  readonly functions?: readonly OfferedFunction[] | null | undefined
  readonly function_call?: 'auto' | 'none' | { readonly name: string } | null | undefined
  readonly response_format?: ResponseFormat | null | undefined
  readonly reasoning_effort?: ReasoningEffort | null | undefined
  readonly extra_body?: ExtraBody | null | undefined
  readonly thinking?: unknown
  readonly output_config?: unknown
  readonly anthropic_beta?: unknown
}

interface CacheMarks {
  readonly cache_control?: { readonly ttl?: '5m' | '1h' | null | undefined } | null | undefined
  readonly prompt_cache_breakpoint?: { readonly ttl?: string | null | undefined } | null | undefined
}

type TextPart = { readonly type: 'text'; readonly text: string } & CacheMarks
type ImagePart = { readonly type: 'image_url'; readonly image_url: { readonly url: string } } & CacheMarks
type FilePart = {
  readonly type: 'file'
  readonly file: {
    readonly file_data?: string | null | undefined
    readonly file_id?: string | null | undefined
    readonly filename?: string | null | undefined
  }
} & CacheMarks
type AudioPart = {
  readonly type: 'input_audio'
  readonly input_audio: { readonly data: string; readonly format: string }
}
type VideoPart = { readonly type: 'video_url'; readonly video_url: { readonly url: string } }
type RefusalPart = { readonly type: 'refusal'; readonly refusal: string }
type RichPart = TextPart | ImagePart | FilePart | AudioPart | VideoPart
type RichContent = string | readonly RichPart[]

interface CalledFunction {
  readonly name: string
  readonly arguments: string
}

type ChatToolCall =
  | { readonly id: string; readonly function: CalledFunction }
  | { readonly id: string; readonly custom: { readonly name: string; readonly input: string } }

type ChatInputMessage =
  | { readonly role: 'system' | 'developer'; readonly content: string | readonly TextPart[] }
  | { readonly role: 'user'; readonly content: RichContent }
  | {
      readonly role: 'assistant'
      readonly content?: string | readonly (TextPart | RefusalPart)[] | null | undefined
      readonly refusal?: string | null | undefined
      readonly tool_calls?: readonly ChatToolCall[] | null | undefined
      readonly function_call?: CalledFunction | null | undefined
    }
  | { readonly role: 'tool'; readonly content: RichContent; readonly tool_call_id: string }
  | { readonly role: 'function'; readonly name: string; readonly content?: string | null | undefined }

interface OfferedFunction {
  readonly name: string
  readonly description?: string | null | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | null | undefined
  readonly strict?: boolean | null | undefined
}

type ChatTool = CacheMarks &
  (
    | { readonly type: 'function'; readonly function: OfferedFunction }
    | {
        readonly type: 'custom'
        readonly custom: {
          readonly name: string
          readonly description?: string | null | undefined
          readonly format?:
            | { readonly type: 'text' }
            | { readonly type: 'grammar'; readonly grammar: { readonly definition: string; readonly syntax: string } }
            | null
            | undefined
        }
      }
  )

type NamedTool =
  | { readonly type: 'function'; readonly function: { readonly name: string } }
  | { readonly type: 'custom'; readonly custom: { readonly name: string } }

type ChatToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | NamedTool
  | {
      readonly type: 'allowed_tools'
      readonly allowed_tools: { readonly mode: 'auto' | 'required'; readonly tools: readonly NamedTool[] }
    }

type ResponseFormat =
  | { readonly type: 'text' | 'json_object' }
  | {
      readonly type: 'json_schema'
      readonly json_schema: {
        readonly name?: string | null | undefined
        readonly description?: string | null | undefined
        readonly schema?: Readonly<Record<string, unknown>> | null | undefined
        readonly strict?: boolean | null | undefined
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

export interface ChatGeneration {
  readonly generation: Generation
  readonly clientTools: ClientTools
  /** What of the request has no place with the provider. */
  readonly leftOut: readonly string[]
}

/** Translates a chat request. Capsules in tool call ids are opened here and nowhere else. */
export async function chatGeneration(
  input: ChatInput,
  context: TranslationContext,
): Promise<Result<ChatGeneration, Failure>> {
  const offered = input.tools ?? []
  const functions = input.functions ?? []
  const clientTools = readClientTools([...offered.map(plainTool), ...functions.map(plainFunction)])
  if (!clientTools.ok) return clientTools
  const conversation = await chatConversation(input.messages, context, clientTools.value)
  if (!conversation.ok) return conversation
  const choice = chatChoice(input, clientTools.value)
  if (!choice.ok) return choice
  // Without capsules the signed reasoning behind a tool call could not come back, and the next turn would be refused.
  const losesReasoning =
    clientTools.value.tools.length > 0 && context.keyring.activeKeyId === undefined && signsReasoning(context.model)
  const marked = offered.findLast((tool) => markOf(tool) !== undefined)
  return succeed({
    clientTools: clientTools.value,
    leftOut: leftOutOf(input),
    generation: {
      model: context.model,
      conversation: conversation.value,
      tools: choice.value.tools.map((tool) => tool.specification),
      toolChoice: choice.value.wish,
      maxTokens: input.max_completion_tokens ?? input.max_tokens ?? undefined,
      temperature: input.temperature ?? undefined,
      topP: input.top_p ?? undefined,
      stop: stopSequences(input.stop),
      effort: input.reasoning_effort ?? undefined,
      cannotReason: losesReasoning,
      outputSchema: outputSchemaOf(input.response_format),
      wantsJson: isSchemaless(input.response_format),
      marksTools: marked === undefined ? undefined : markOf(marked),
      caching: cacheWish(input.extra_body?.prompt_caching, context.caching),
      additionalFields: additionalFieldsOf(input),
    },
  })
}

/** A tool as the responses interface writes it, which both share from here on. */
function plainTool(tool: ChatTool): JsonRecord {
  if (tool.type === 'function') return plainFunction(tool.function)
  const { format, ...custom } = tool.custom
  return { type: 'custom', ...custom, ...(format?.type === 'grammar' ? { format: format.grammar } : {}) }
}

function plainFunction(offered: OfferedFunction): JsonRecord {
  return { type: 'function', ...offered }
}

function markOf({ cache_control: own, prompt_cache_breakpoint: other }: CacheMarks): '5m' | '1h' | undefined {
  if (own == null && other == null) return undefined
  return own?.ttl === '1h' || other?.ttl === '1h' ? '1h' : '5m'
}

function chatChoice(
  input: ChatInput,
  clientTools: ClientTools,
): Result<{ readonly wish: ToolChoiceWish; readonly tools: readonly ClientTool[] }, Failure> {
  const { tools } = clientTools
  const choice = input.tool_choice ?? input.function_call ?? 'auto'
  if (typeof choice === 'string') return succeed({ wish: choice, tools })
  const named = ({ kind, name }: { kind: 'function' | 'custom'; name: string }) =>
    tools.find((tool) => tool.kind === kind && tool.name === name)
  const missing = (name: string, param: string) =>
    failWith(failure('bad_request', `${param} names ${name}, which is not among tools`, { param }))
  if (!('type' in choice)) {
    const tool = named({ kind: 'function', name: choice.name })
    return tool === undefined
      ? missing(choice.name, 'function_call')
      : succeed({ wish: { name: tool.providerName }, tools })
  }
  if (choice.type !== 'allowed_tools') {
    const wanted = nameOf(choice)
    const tool = named(wanted)
    return tool === undefined
      ? missing(wanted.name, 'tool_choice')
      : succeed({ wish: { name: tool.providerName }, tools })
  }
  const allowed: ClientTool[] = []
  for (const one of choice.allowed_tools.tools) {
    const wanted = nameOf(one)
    const tool = named(wanted)
    if (tool === undefined) return missing(wanted.name, 'tool_choice')
    if (!allowed.includes(tool)) allowed.push(tool)
  }
  return succeed({ wish: choice.allowed_tools.mode, tools: allowed })
}

/** Of a format without a schema the description describes nothing, and nothing can be insisted on. */
function leftOutOf({ response_format: format }: ChatInput): readonly string[] {
  if (format?.type !== 'json_schema' || !isSchemaless(format)) return []
  const { description, strict } = format.json_schema
  return [
    ...(description ? ['response_format.json_schema.description'] : []),
    ...(strict === true ? ['response_format.json_schema.strict'] : []),
  ]
}

function nameOf(tool: NamedTool): { readonly kind: 'function' | 'custom'; readonly name: string } {
  return tool.type === 'function'
    ? { kind: 'function', name: tool.function.name }
    : { kind: 'custom', name: tool.custom.name }
}

function signsReasoning(model: ResolvedModel): boolean {
  return model.traits.capabilities.has('reasoning_adaptive') || model.traits.capabilities.has('reasoning_budget')
}

async function chatConversation(
  messages: readonly ChatInputMessage[],
  context: TranslationContext,
  clientTools: ClientTools,
): Promise<Result<Conversation, Failure>> {
  const conversation = new Conversation()
  const names = new DocumentNames()
  /** Calls of the old kind have no ids. */
  let functionCalls = 0
  for (const message of messages) {
    switch (message.role) {
      case 'system':
      case 'developer': {
        takeSystem(conversation, message.content)
        break
      }
      case 'user': {
        const taken = takeRich(conversation, message.content, context, names)
        if (!taken.ok) return taken
        break
      }
      case 'assistant': {
        if (message.function_call != null) functionCalls += 1
        const taken = await takeAssistant(conversation, message, context, clientTools, functionCallId(functionCalls))
        if (!taken.ok) return taken
        break
      }
      case 'tool': {
        const id = await restoredId(message.tool_call_id, context)
        const blocks = resultBlocks(message.content, context, names)
        if (!id.ok) return id
        if (!blocks.ok) return blocks
        conversation.toolResult(id.value, blocks.value)
        const mark = typeof message.content === 'string' ? undefined : message.content.map(markOfPart).findLast(Boolean)
        if (mark !== undefined) conversation.mark('user', mark)
        break
      }
      case 'function':
        conversation.toolResult(functionCallId(functionCalls), [{ text: message.content ?? '' }])
        break
    }
  }
  return succeed(conversation)
}

/** Parts are one text, as far as no mark stands between them. */
function takeSystem(conversation: Conversation, content: string | readonly TextPart[]): void {
  let texts: string[] = []
  for (const part of typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content) {
    texts.push(part.text)
    const mark = markOf(part)
    if (mark === undefined) continue
    conversation.system(texts.join('\n'))
    conversation.mark('system', mark)
    texts = []
  }
  if (texts.length > 0) conversation.system(texts.join('\n'))
}

function functionCallId(number: number): string {
  return `function_call_${number}`
}

function markOfPart(part: RichPart): '5m' | '1h' | undefined {
  return part.type === 'input_audio' || part.type === 'video_url' ? undefined : markOf(part)
}

async function takeAssistant(
  conversation: Conversation,
  message: Extract<ChatInputMessage, { role: 'assistant' }>,
  context: TranslationContext,
  clientTools: ClientTools,
  functionId: string,
): Promise<Result<undefined, Failure>> {
  const legacy = message.function_call == null ? [] : [{ id: functionId, function: message.function_call }]
  const calls: { readonly reasoning: readonly ReasoningBlock[]; readonly block: ContentBlock }[] = []
  for (const call of [...(message.tool_calls ?? []), ...legacy]) {
    let id = call.id
    let reasoning: readonly ReasoningBlock[] = []
    if (isCapsule(id)) {
      const capsule = await openCapsule(id, context.keyring, context.mac)
      if (!capsule.ok) return capsule
      id = capsule.value.toolUseId
      // Signed blocks are only worth something to the model that made them.
      if (capsule.value.modelId === context.model.foundationId) reasoning = capsule.value.blocks
    }
    calls.push({ reasoning, block: { toolUse: { toolUseId: id, ...calledTool(call, clientTools) } } })
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

function calledTool(call: ChatToolCall, clientTools: ClientTools) {
  if ('custom' in call) {
    const { name, input } = call.custom
    return { name: clientTools.nameFor({ kind: 'custom', name, namespace: undefined }), input: { input } }
  }
  const { name, arguments: json } = call.function
  return {
    name: clientTools.nameFor({ kind: 'function', name, namespace: undefined }),
    input: toolInput(json),
  }
}

/** The input of an earlier call. One that was cut off is kept as the text it was: it cannot become whole any more. */
export function toolInput(json: string): JsonRecord {
  const input = json.trim() === '' ? {} : parseJson(json)
  return isRecord(input) ? input : { incomplete_arguments: json }
}

async function restoredId(id: string, context: TranslationContext): Promise<Result<string, Failure>> {
  if (!isCapsule(id)) return succeed(id)
  const capsule = await openCapsule(id, context.keyring, context.mac)
  return capsule.ok ? succeed(capsule.value.toolUseId) : capsule
}

/** What the assistant said; an answer that was a refusal has it in a member of its own. */
export function assistantText({ content, refusal }: Extract<ChatInputMessage, { role: 'assistant' }>): string {
  const texts =
    typeof content === 'string'
      ? [content]
      : (content ?? []).map((part) => (part.type === 'text' ? part.text : part.refusal))
  return [...texts, ...(refusal ? [refusal] : [])].join('\n')
}

/** Without the readable copy of reasoning that goes back as it was signed: in front, and between what was said. */
export function withoutThinking(text: string, told: readonly string[]): string {
  const all = told.join('')
  return text
    .replace(/^\s*<think>[\s\S]*?<\/think>/, '')
    .replace(/<think>([\s\S]*?)<\/think>/g, (segment, inner: string) => (all.includes(inner) ? '' : segment))
}

function takeRich(
  conversation: Conversation,
  content: RichContent,
  context: TranslationContext,
  names: DocumentNames,
): Result<undefined, Failure> {
  if (typeof content === 'string') {
    conversation.user([{ text: content }])
    return succeed(undefined)
  }
  for (const part of content) {
    const block = partBlock(part, context, names)
    if (!block.ok) return failWith({ ...block.failure, param: 'messages' })
    conversation.user([block.value])
    const mark = markOfPart(part)
    if (mark !== undefined) conversation.mark('user', mark)
  }
  return succeed(undefined)
}

function partBlock(
  part: RichPart,
  context: TranslationContext,
  names: DocumentNames,
): Result<ResultContent | AudioBlock | VideoBlock, Failure> {
  switch (part.type) {
    case 'text':
      return succeed({ text: part.text })
    case 'file':
      return documentBlock({ data: part.file.file_data ?? undefined, filename: part.file.filename ?? undefined }, names)
    case 'input_audio':
      return audioBlock(part.input_audio.data, part.input_audio.format)
    case 'video_url':
      return videoBlock(part.video_url.url)
    case 'image_url':
      return context.model.hasImages === false
        ? failWith(failure('bad_request', `model ${context.model.id} takes no images`))
        : imageBlock(part.image_url.url, context.images)
  }
}

function resultBlocks(
  content: RichContent,
  context: TranslationContext,
  names: DocumentNames,
): Result<readonly ResultContent[], Failure> {
  if (typeof content === 'string') return succeed([{ text: content }])
  const blocks: ResultContent[] = []
  for (const part of content) {
    const block = partBlock(part, context, names)
    if (!block.ok) return failWith({ ...block.failure, param: 'messages' })
    if ('audio' in block.value || 'video' in block.value) {
      return failWith(failure('bad_request', `a tool answers with no ${part.type}`, { param: 'messages' }))
    }
    blocks.push(block.value)
  }
  return succeed(blocks)
}

export function stopSequences(stop: string | readonly string[] | null | undefined): readonly string[] {
  if (stop === null || stop === undefined) return []
  return (typeof stop === 'string' ? [stop] : stop).filter((sequence) => sequence.trim() !== '')
}

function outputSchemaOf(format: ResponseFormat | null | undefined): OutputSchema | undefined {
  if (format === null || format === undefined || format.type === 'text') return undefined
  if (!('json_schema' in format)) return undefined
  const { name, description, schema } = format.json_schema
  if (schema == null) return undefined
  return { ...(name ? { name } : {}), ...(description ? { description } : {}), schema }
}

/** JSON is wished for, but nothing is said of its shape: a schema without members would allow nothing but `{}`. */
function isSchemaless(format: ResponseFormat | null | undefined): boolean {
  if (format === null || format === undefined || format.type === 'text') return false
  return !('json_schema' in format) || format.json_schema.schema == null
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
