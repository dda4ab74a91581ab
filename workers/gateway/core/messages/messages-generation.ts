import { isRecord, type JsonRecord, listOf, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../failure.ts'
import type { ResolvedModel } from '../model-resolution.ts'
import { type ClientTools, readClientTools } from '../responses/client-tools.ts'
import { Conversation, type ResultContent } from '../to-provider/conversation.ts'
import type { Generation, ToolChoiceWish } from '../to-provider/generation.ts'
import { type DownloadedImages, imageBlock } from '../to-provider/image-reference.ts'
import { DocumentNames, documentBlock, textDocument } from '../to-provider/media.ts'
import type { CacheWish } from '../to-provider/prompt-cache.ts'
import { type ReasoningEffort, reasoningEfforts } from '../to-provider/reasoning-fields.ts'
import { unreadMembers } from '../unread-members.ts'
import type { ContentBlock } from '../wire/converse-request.ts'
import { readBlockMembers, readToolMembers } from './read-members.ts'

/** A messages request as the wire has it; contract/messages-request.ts checks the shape around its blocks. */
export interface MessagesInput {
  readonly messages: readonly { readonly role: 'user' | 'assistant' | 'system'; readonly content: Content }[]
  readonly system?: Content | null | undefined
  readonly tools?: readonly JsonRecord[] | null | undefined
  readonly tool_choice?:
    | { readonly type: 'auto' | 'any' | 'tool' | 'none'; readonly name?: string | null | undefined }
    | null
    | undefined
  readonly thinking?: JsonRecord | null | undefined
  readonly output_config?:
    | {
        readonly effort?: string | null | undefined
        readonly format?: { readonly schema: JsonRecord } | null | undefined
      }
    | null
    | undefined
  readonly cache_control?: { readonly ttl?: '5m' | '1h' | null | undefined } | null | undefined
  readonly max_tokens?: number | undefined
  readonly stop_sequences?: readonly string[] | null | undefined
  readonly temperature?: number | null | undefined
  readonly top_p?: number | null | undefined
  readonly top_k?: number | null | undefined
}

type Content = string | readonly JsonRecord[]

export interface MessagesContext {
  readonly model: ResolvedModel
  readonly images: DownloadedImages
  readonly caching: CacheWish
  /** Features that are tried out, as the client's header names them. */
  readonly betas: readonly string[]
}

export interface MessagesGeneration {
  readonly generation: Generation
  readonly clientTools: ClientTools
  /** What of the request has no place with the provider. */
  readonly leftOut: readonly string[]
}

/** Addresses of images, in order. */
export function messagesImages({ messages }: MessagesInput): readonly string[] {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return [...blocks, ...blocks.flatMap((block) => listOf(block['content']).filter(isRecord))].flatMap((block) => {
    const source = recordOf(block['source'])
    const url = block['type'] === 'image' && source?.['type'] === 'url' ? textOf(source['url']) : undefined
    return url === undefined ? [] : [url]
  })
}

/** Translates a messages request. */
export function messagesGeneration(
  input: MessagesInput,
  context: MessagesContext,
): Result<MessagesGeneration, Failure> {
  const tools = readTools(input.tools ?? [])
  if (!tools.ok) return tools
  const { clientTools, marksTools } = tools.value
  const conversation = new Conversation()
  const system = takeSystem(conversation, input.system ?? '')
  if (!system.ok) return system
  const taking = { conversation, context, clientTools, names: new DocumentNames() }
  for (const [index, message] of input.messages.entries()) {
    const taken = takeMessage(message, taking)
    if (!taken.ok) return failWith({ ...taken.failure, param: `messages.${index}` })
  }
  // A mark of the whole request stands behind all of it.
  if (input.cache_control != null) conversation.mark('user', markOf({ cache_control: input.cache_control }))
  const choice = choiceOf(input.tool_choice, clientTools)
  if (!choice.ok) return choice
  const thinking = thinkingOf(input, context)
  const format = input.output_config?.format
  return succeed({
    clientTools,
    leftOut: [...passedOver(input), ...thinking.leftOut],
    generation: {
      model: context.model,
      conversation,
      tools: clientTools.tools.map((tool) => tool.specification),
      toolChoice: choice.value,
      maxTokens: input.max_tokens,
      temperature: input.temperature ?? undefined,
      topP: input.top_p ?? undefined,
      stop: (input.stop_sequences ?? []).filter((sequence) => sequence.trim() !== ''),
      effort: thinking.effort,
      outputSchema: format == null ? undefined : { schema: format.schema },
      marksTools,
      caching: context.caching,
      additionalFields: thinking.fields,
    },
  })
}

const interleavedThinking = 'interleaved-thinking-2025-05-14'

/** Models of this dialect's own maker take its words; for others they become an effort. */
function thinkingOf(
  input: MessagesInput,
  { model, betas }: MessagesContext,
): { readonly effort: ReasoningEffort | undefined; readonly fields: JsonRecord; readonly leftOut: readonly string[] } {
  const { thinking, output_config: output, top_k: topK } = input
  const effort = reasoningEfforts.find((known) => known === output?.effort)
  if (model.dialect !== 'messages' && !model.foundationId.startsWith('anthropic.')) {
    const isOn = thinking != null && thinking['type'] !== 'disabled'
    const leftOut = [
      ...(topK == null ? [] : ['top_k']),
      // What becomes an effort has no budget of its own.
      ...(isOn ? Object.keys(thinking).filter((name) => name !== 'type') : []).map((name) => `thinking.${name}`),
    ]
    return { effort: isOn || effort !== undefined ? (effort ?? 'medium') : undefined, fields: {}, leftOut }
  }
  const takesEffort = model.traits.capabilities.has('reasoning_adaptive') && output?.effort != null
  const takesTopK = topK != null && !model.traits.capabilities.has('drop_sampling')
  return {
    effort: undefined,
    leftOut: [
      ...(output?.effort == null || takesEffort ? [] : ['output_config.effort']),
      ...(topK == null || takesTopK ? [] : ['top_k']),
    ],
    fields: {
      ...(thinking == null ? {} : { thinking }),
      ...(takesEffort ? { output_config: { effort: output.effort } } : {}),
      ...(takesTopK ? { top_k: topK } : {}),
      ...(betas.includes(interleavedThinking) ? { anthropic_beta: [interleavedThinking] } : {}),
    },
  }
}

/** Kinds and members that are read by nobody; tools that the vendor would run on its own servers among them. */
function passedOver({ messages, system, tools }: MessagesInput): readonly string[] {
  return [
    ...unreadMembers(tools, readToolMembers, 'tools', 'custom'),
    ...unreadMembers(system, readBlockMembers, 'system', 'text'),
    ...messages.flatMap(({ content }) => unreadMembers(content, readBlockMembers, 'messages.content', 'text')),
  ]
}

interface Tools {
  readonly clientTools: ClientTools
  readonly marksTools: '5m' | '1h' | undefined
}

/** Runs at the vendor; everything else of this dialect's own tools runs at the client and needs the vendor's schema. */
const vendorRun = /^(?:web_search|web_fetch|code_execution|tool_search_tool)/

function readTools(wire: readonly JsonRecord[]): Result<Tools, Failure> {
  const plain: JsonRecord[] = []
  let marksTools: '5m' | '1h' | undefined
  for (const tool of wire) {
    const type = textOf(tool['type']) ?? 'custom'
    if (vendorRun.test(type)) continue
    if (type !== 'custom') {
      return failWith(failure('unsupported', `tools of type ${type.slice(0, 64)} are not served`, { param: 'tools' }))
    }
    const { input_schema: parameters, name, description, strict } = tool
    if (textOf(name) === undefined || !isRecord(parameters)) {
      return failWith(failure('bad_request', 'a tool needs name and input_schema', { param: 'tools' }))
    }
    plain.push({ type: 'function', name, description, parameters, strict })
    marksTools = markOf(tool) ?? marksTools
  }
  const clientTools = readClientTools(plain)
  return clientTools.ok ? succeed({ clientTools: clientTools.value, marksTools }) : clientTools
}

function choiceOf(choice: MessagesInput['tool_choice'], { tools }: ClientTools): Result<ToolChoiceWish, Failure> {
  switch (choice?.type) {
    case 'any':
      return succeed('required')
    case 'none':
      return succeed('none')
    case 'tool': {
      const tool = tools.find(({ name }) => name === choice.name)
      return tool === undefined
        ? failWith(failure('bad_request', 'tool_choice names a tool that is not among tools', { param: 'tool_choice' }))
        : succeed({ name: tool.providerName })
    }
    default:
      return succeed('auto')
  }
}

function markOf(block: JsonRecord): '5m' | '1h' | undefined {
  const mark = recordOf(block['cache_control'])
  return mark === undefined ? undefined : mark['ttl'] === '1h' ? '1h' : '5m'
}

const taken = succeed(undefined)

function takeSystem(conversation: Conversation, content: Content): Result<undefined, Failure> {
  for (const block of typeof content === 'string' ? [{ type: 'text', text: content }] : content) {
    const text = textOf(block['text'])
    if (block['type'] !== 'text' || text === undefined) {
      return failWith(failure('bad_request', 'the system prompt takes text blocks', { param: 'system' }))
    }
    conversation.system(text)
    const mark = markOf(block)
    if (mark !== undefined) conversation.mark('system', mark)
  }
  return taken
}

interface Taking {
  readonly conversation: Conversation
  readonly context: MessagesContext
  readonly clientTools: ClientTools
  readonly names: DocumentNames
}

function takeMessage({ role, content }: MessagesInput['messages'][number], taking: Taking): Result<undefined, Failure> {
  if (role === 'system') return takeSystem(taking.conversation, content)
  for (const block of typeof content === 'string' ? [{ type: 'text', text: content }] : content) {
    const done = role === 'user' ? takeUserBlock(block, taking) : takeAssistantBlock(block, taking)
    if (!done.ok) return done
    const mark = markOf(block)
    if (mark !== undefined) taking.conversation.mark(role, mark)
  }
  return taken
}

function takeUserBlock(block: JsonRecord, taking: Taking): Result<undefined, Failure> {
  if (block['type'] !== 'tool_result') {
    const content = contentBlock(block, taking)
    if (!content.ok) return content
    taking.conversation.user([content.value])
    return taken
  }
  const id = textOf(block['tool_use_id'])
  if (id === undefined) return failWith(failure('bad_request', 'a tool_result needs tool_use_id'))
  const given = block['content']
  const blocks: ResultContent[] = []
  for (const part of typeof given === 'string' ? [{ type: 'text', text: given }] : listOf(given).filter(isRecord)) {
    const content = contentBlock(part, taking)
    if (!content.ok) return content
    blocks.push(content.value)
  }
  taking.conversation.toolResult(id, blocks, block['is_error'] === true ? 'error' : undefined)
  return taken
}

/** What only the vendor's own servers make: it means nothing elsewhere. */
const vendorBlocks = /^(?:server_tool_use|.*_tool_result|container_upload|tool_reference)$/

function takeAssistantBlock(block: JsonRecord, { conversation, clientTools }: Taking): Result<undefined, Failure> {
  const blocks = assistantBlock(block, clientTools)
  if (blocks === undefined) {
    return vendorBlocks.test(String(block['type']))
      ? taken
      : failWith(failure('bad_request', `a block of type ${shown(block)} is not served in an answer`))
  }
  conversation.assistant([blocks])
  return taken
}

function assistantBlock(block: JsonRecord, clientTools: ClientTools): ContentBlock | undefined {
  switch (block['type']) {
    case 'text':
      return { text: textOf(block['text']) ?? '' }
    case 'thinking': {
      const signature = textOf(block['signature'])
      const text = textOf(block['thinking']) ?? ''
      return { reasoningContent: { reasoningText: signature === undefined ? { text } : { text, signature } } }
    }
    case 'redacted_thinking':
      return { reasoningContent: { redactedContent: textOf(block['data']) ?? '' } }
    case 'tool_use': {
      const name = clientTools.nameFor({ kind: 'function', name: textOf(block['name']) ?? '', namespace: undefined })
      return { toolUse: { toolUseId: textOf(block['id']) ?? '', name, input: recordOf(block['input']) ?? {} } }
    }
    default:
      return undefined
  }
}

function contentBlock(block: JsonRecord, { context, names }: Taking): Result<ResultContent, Failure> {
  const source = recordOf(block['source']) ?? {}
  switch (block['type']) {
    case 'text':
      return succeed({ text: textOf(block['text']) ?? '' })
    case 'image': {
      if (context.model.hasImages === false) {
        return failWith(failure('bad_request', `model ${context.model.id} takes no images`))
      }
      const url =
        source['type'] === 'base64'
          ? `data:${String(source['media_type'])};base64,${String(source['data'])}`
          : (textOf(source['url']) ?? '')
      return imageBlock(url, context.images)
    }
    case 'document':
      return documentOf(block, source, names)
    case 'search_result': {
      const text = listOf(block['content'])
        .map((part) => textOf(recordOf(part)?.['text']) ?? '')
        .join('\n')
      return succeed(textDocument(text, textOf(block['title']), names))
    }
    default:
      return failWith(failure('bad_request', `a block of type ${shown(block)} is not served`))
  }
}

function documentOf(block: JsonRecord, source: JsonRecord, names: DocumentNames): Result<ResultContent, Failure> {
  const title = textOf(block['title'])
  const made = documentSource(source, title, names)
  if (!made.ok || !('document' in made.value)) return made
  const context = textOf(block['context'])
  const citations = recordOf(block['citations'])?.['enabled'] === true ? { citations: { enabled: true } } : {}
  return succeed({ document: { ...made.value.document, ...(context ? { context } : {}), ...citations } })
}

function documentSource(
  source: JsonRecord,
  title: string | undefined,
  names: DocumentNames,
): Result<ResultContent, Failure> {
  switch (source['type']) {
    case 'base64': {
      const mediaType = textOf(source['media_type']) ?? 'application/pdf'
      return documentBlock({ data: textOf(source['data']), filename: title, mediaType }, names)
    }
    case 'text':
      return succeed(textDocument(textOf(source['data']) ?? '', title, names))
    case 'content': {
      const content = source['content']
      const texts =
        typeof content === 'string' ? [content] : listOf(content).map((part) => textOf(recordOf(part)?.['text']) ?? '')
      return succeed(textDocument(texts.join('\n'), title, names))
    }
    default:
      return failWith(failure('unsupported', 'a document comes inside the request: files and addresses are not read'))
  }
}

function shown(block: JsonRecord): string {
  return String(block['type']).slice(0, 40)
}
