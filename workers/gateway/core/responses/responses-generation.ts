import { isRecord, type JsonRecord, listOf, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../failure.ts'
import type { ResolvedModel } from '../model-resolution.ts'
import { toolInput } from '../to-provider/chat-generation.ts'
import { Conversation, type ResultContent } from '../to-provider/conversation.ts'
import type { Generation, ToolChoiceWish } from '../to-provider/generation.ts'
import { type DownloadedImages, imageBlock } from '../to-provider/image-reference.ts'
import { DocumentNames, documentBlock } from '../to-provider/media.ts'
import type { OutputSchema } from '../to-provider/output-schema.ts'
import type { CacheWish } from '../to-provider/prompt-cache.ts'
import type { ReasoningEffort } from '../to-provider/reasoning-fields.ts'
import { unreadMembers } from '../unread-members.ts'
import { type ClientTool, type ClientToolKind, type ClientTools, readClientTools } from './client-tools.ts'
import { readItemMembers, readToolMembers } from './read-members.ts'
import { openEnvelope } from './reasoning-envelope.ts'

type Items = readonly JsonRecord[]

/** A responses request as the wire has it; contract/responses-request.ts checks the shape around its items. */
export interface ResponsesInput {
  readonly input: string | Items
  readonly instructions?: string | Items | null | undefined
  readonly tools?: Items | null | undefined
  readonly tool_choice?: 'auto' | 'none' | 'required' | JsonRecord | null | undefined
  readonly max_output_tokens?: number | null | undefined
  readonly temperature?: number | null | undefined
  readonly top_p?: number | null | undefined
  readonly reasoning?: { readonly effort?: ReasoningEffort | null | undefined } | null | undefined
  readonly text?: { readonly format?: TextFormat | null | undefined } | null | undefined
  readonly extra_body?:
    | { readonly prompt_caching?: { readonly ttl?: '5m' | '1h' | null | undefined } | null | undefined }
    | null
    | undefined
}

type TextFormat =
  | { readonly type: 'text' | 'json_object' }
  | {
      readonly type: 'json_schema'
      readonly schema: JsonRecord
      readonly name?: string | null | undefined
      readonly description?: string | null | undefined
    }

interface TakingContext extends ResponsesContext {
  readonly names: DocumentNames
}

export interface ResponsesContext {
  readonly model: ResolvedModel
  readonly images: DownloadedImages
  readonly caching: CacheWish
}

export interface ResponsesGeneration {
  readonly generation: Generation
  readonly clientTools: ClientTools
  /** What of the request has no place with the provider. */
  readonly leftOut: readonly string[]
}

/** Image addresses of the request, in order. */
export function responsesImages(input: ResponsesInput): readonly string[] {
  if (typeof input.input === 'string') return []
  const parts = input.input.flatMap((item) => [...listOf(item['content']), ...listOf(item['output'])])
  return parts.flatMap((part) => {
    const record = recordOf(part)
    const url = record?.['type'] === 'input_image' ? textOf(record['image_url']) : undefined
    return url === undefined ? [] : [url]
  })
}

/** Translates a responses request. */
export function responsesGeneration(
  input: ResponsesInput,
  context: ResponsesContext,
): Result<ResponsesGeneration, Failure> {
  const items: Items = typeof input.input === 'string' ? [{ role: 'user', content: input.input }] : input.input
  const lateTools = items.flatMap((item) => (item['type'] === 'additional_tools' ? listOf(item['tools']) : []))
  const clientTools = readClientTools([...(input.tools ?? []), ...lateTools])
  if (!clientTools.ok) return clientTools
  const choice = readToolChoice(input.tool_choice, clientTools.value)
  if (!choice.ok) return choice

  const conversation = new Conversation()
  const names = new DocumentNames()
  for (const text of instructionTexts(input.instructions)) conversation.system(text)
  for (const [index, item] of items.entries()) {
    const taken = takeItem(item, { conversation, context: { ...context, names }, clientTools: clientTools.value })
    if (!taken.ok) return failWith({ ...taken.failure, param: `input[${index}]` })
  }
  return succeed({
    clientTools: clientTools.value,
    leftOut: [
      ...unreadMembers(input.tools, readToolMembers, 'tools', ''),
      ...unreadMembers(items, readItemMembers, 'input', 'message'),
      ...(items.some(isUnsealed) ? ['input.reasoning'] : []),
      ...(choice.value.isLeftOut === true ? ['tool_choice'] : []),
    ],
    generation: {
      model: context.model,
      conversation,
      tools: choice.value.tools.map((tool) => tool.specification),
      toolChoice: choice.value.wish,
      maxTokens: input.max_output_tokens ?? undefined,
      temperature: input.temperature ?? undefined,
      topP: input.top_p ?? undefined,
      stop: [],
      effort: input.reasoning?.effort ?? undefined,
      outputSchema: outputSchemaOf(input.text?.format),
      wantsJson: input.text?.format?.type === 'json_object',
      caching: { ...context.caching, ttl: input.extra_body?.prompt_caching?.ttl ?? context.caching.ttl },
      additionalFields: {},
    },
  })
}

function instructionTexts(instructions: ResponsesInput['instructions']): readonly string[] {
  if (typeof instructions === 'string') return [instructions]
  return (instructions ?? []).map((item) => plainText(item['content']))
}

function outputSchemaOf(format: TextFormat | null | undefined): OutputSchema | undefined {
  if (format === null || format === undefined || format.type === 'text') return undefined
  if (!('schema' in format)) return undefined
  return {
    schema: format.schema,
    ...(format.name ? { name: format.name } : {}),
    ...(format.description ? { description: format.description } : {}),
  }
}

interface Choice {
  readonly wish: ToolChoiceWish
  readonly tools: readonly ClientTool[]
  /** The tool that was chosen is one that is left out. */
  readonly isLeftOut?: boolean
}

function readToolChoice(choice: ResponsesInput['tool_choice'], clientTools: ClientTools): Result<Choice, Failure> {
  const { tools } = clientTools
  if (choice === null || choice === undefined) return succeed({ wish: 'auto', tools })
  if (typeof choice === 'string') return succeed({ wish: choice, tools })
  if (choice['type'] === 'allowed_tools') {
    const named = listOf(choice['tools']).map((entry) => toolNamed(recordOf(entry) ?? {}, tools))
    const allowed = tools.filter((tool) => named.includes(tool))
    return succeed({ wish: choice['mode'] === 'required' && allowed.length > 0 ? 'required' : 'auto', tools: allowed })
  }
  const tool = toolNamed(choice, tools)
  if (tool !== undefined) return succeed({ wish: { name: tool.providerName }, tools })
  if (choice['type'] === 'function' || choice['type'] === 'custom') {
    return failWith(
      failure('bad_request', 'tool_choice names a tool that is not among tools', { param: 'tool_choice' }),
    )
  }
  // A tool the vendor would run was left out, and with it the wish to use it.
  return succeed({ wish: 'auto', tools, isLeftOut: true })
}

function toolNamed(choice: JsonRecord, tools: readonly ClientTool[]): ClientTool | undefined {
  const namespace = textOf(choice['namespace'])
  const name = textOf(choice['name']) ?? choice['type']
  return tools.find(
    (tool) =>
      tool.kind === choice['type'] && tool.name === name && (namespace === undefined || tool.namespace === namespace),
  )
}

interface Taking {
  readonly conversation: Conversation
  readonly context: TakingContext
  readonly clientTools: ClientTools
}

const taken = succeed(undefined)

/**
 * Items of kinds the provider has no place for are passed over: they belong to tools that were left out. A reference
 * stands for an item of the conversation, which would go on without it.
 */
function takeItem(item: JsonRecord, taking: Taking): Result<undefined, Failure> {
  const type = textOf(item['type']) ?? (item['role'] === undefined ? '' : 'message')
  switch (type) {
    case 'message':
      return takeMessage(item, taking)
    case 'reasoning':
      return takeReasoning(item, taking)
    case 'function_call':
      return takeCall(item, 'function', toolInput(textOf(item['arguments']) ?? ''), taking)
    case 'custom_tool_call':
      return takeCall(item, 'custom', { input: textOf(item['input']) ?? '' }, taking)
    case 'local_shell_call':
      return takeCall({ ...item, name: 'local_shell' }, 'local_shell', localShellInput(item['action']), taking)
    case 'shell_call':
      return takeCall({ ...item, name: 'shell' }, 'shell', withoutNulls(item['action']), taking)
    case 'apply_patch_call':
      return takeCall({ ...item, name: 'apply_patch' }, 'apply_patch', { operation: item['operation'] }, taking)
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
    case 'shell_call_output':
    case 'apply_patch_call_output':
      return takeOutput(item, taking)
    case '':
      return failWith(failure('bad_request', 'an item needs a type, or a role'))
    default:
      return taken
  }
}

function takeMessage(item: JsonRecord, { conversation, context }: Taking): Result<undefined, Failure> {
  const role = textOf(item['role'])
  if (role === 'system' || role === 'developer') conversation.system(plainText(item['content']))
  else if (role === 'assistant') conversation.assistant([{ text: plainText(item['content']) }])
  else if (role === 'user') {
    const content = readContent(item['content'], context)
    if (!content.ok) return content
    conversation.user(content.value)
  } else return failWith(failure('bad_request', 'a message needs the role user, assistant, system or developer'))
  markCached(conversation, role === 'developer' ? 'system' : role, item['content'])
  return taken
}

/** A client's own mark stands behind the last part that has one. */
function markCached(conversation: Conversation, role: 'system' | 'user' | 'assistant', content: unknown): void {
  const mark = listOf(content)
    .map((part) => recordOf(recordOf(part)?.['prompt_cache_breakpoint']))
    .findLast((one) => one !== undefined)
  if (mark !== undefined) conversation.mark(role, mark['ttl'] === '1h' ? '1h' : '5m')
}

/** Of reasoning that comes without its seal, and of no answer that is kept, there are only words for people to read. */
function isUnsealed(item: JsonRecord): boolean {
  return item['type'] === 'reasoning' && textOf(item['encrypted_content']) === undefined
}

function takeReasoning(item: JsonRecord, { conversation, context }: Taking): Result<undefined, Failure> {
  const envelope = textOf(item['encrypted_content'])
  if (envelope === undefined) return taken
  const blocks = openEnvelope(envelope, context.model.foundationId)
  if (!blocks.ok) return blocks
  conversation.assistant(blocks.value)
  return taken
}

function takeCall(
  item: JsonRecord,
  kind: ClientToolKind,
  input: JsonRecord | undefined,
  { conversation, clientTools }: Taking,
): Result<undefined, Failure> {
  const callId = textOf(item['call_id']) ?? textOf(item['id'])
  const name = textOf(item['name'])
  if (callId === undefined || name === undefined)
    return failWith(failure('bad_request', 'a tool call needs call_id and name'))
  if (input === undefined)
    return failWith(failure('bad_request', `the arguments of tool call ${name} are not a JSON object`))
  const providerName = clientTools.nameFor({ kind, name, namespace: textOf(item['namespace']) })
  conversation.assistant([{ toolUse: { toolUseId: callId, name: providerName, input } }])
  return taken
}

function takeOutput(item: JsonRecord, { conversation, context }: Taking): Result<undefined, Failure> {
  const callId = textOf(item['call_id']) ?? textOf(item['id'])
  if (callId === undefined) return failWith(failure('bad_request', 'a tool output needs call_id'))
  const isShell = item['type'] === 'shell_call_output'
  const content: Result<readonly ResultContent[], Failure> = isShell
    ? succeed([{ text: JSON.stringify(item['output'] ?? []) }])
    : readContent(item['output'] ?? textOf(item['status']) ?? '', context)
  if (!content.ok) return content
  conversation.toolResult(callId, content.value, item['status'] === 'failed' ? 'error' : undefined)
  markCached(conversation, 'user', item['output'])
  return taken
}

function localShellInput(action: unknown): JsonRecord | undefined {
  const { type: _, ...rest } = recordOf(action) ?? {}
  return withoutNulls(rest)
}

function withoutNulls(value: unknown): JsonRecord | undefined {
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined))
    : undefined
}

const textParts = ['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text']

function plainText(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => {
      const record = recordOf(part)
      return textOf(record?.['text']) ?? textOf(record?.['refusal']) ?? ''
    })
    .filter((text) => text !== '')
    .join('\n')
}

function readContent(content: unknown, context: TakingContext): Result<readonly ResultContent[], Failure> {
  if (typeof content === 'string') return succeed([{ text: content }])
  const blocks: ResultContent[] = []
  for (const part of listOf(content)) {
    const record = recordOf(part) ?? {}
    const type = textOf(record['type']) ?? ''
    if (textParts.includes(type)) blocks.push({ text: textOf(record['text']) ?? '' })
    else if (type === 'input_image') {
      const url = textOf(record['image_url'])
      if (url === undefined)
        return failWith(failure('bad_request', 'an image needs image_url; files are not kept here'))
      if (context.model.hasImages === false) {
        return failWith(failure('bad_request', `model ${context.model.id} takes no images`))
      }
      const image = imageBlock(url, context.images)
      if (!image.ok) return image
      blocks.push(image.value)
    } else if (type === 'input_file') {
      const file = documentBlock(
        { data: textOf(record['file_data']), filename: textOf(record['filename']) },
        context.names,
      )
      if (!file.ok) return file
      blocks.push(file.value)
    } else
      return failWith(
        failure('bad_request', `a part of type ${type === '' ? '(none)' : type.slice(0, 40)} is not served`),
      )
  }
  return succeed(blocks)
}
