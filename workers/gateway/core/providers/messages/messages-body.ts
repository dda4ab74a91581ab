import { type JsonRecord, listOf, recordOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { textFromBase64 } from '../../base64.ts'
import { type Failure, failure } from '../../failure.ts'
import type {
  CachePoint,
  ContentBlock,
  ConverseRequest,
  ConverseTurn,
  DocumentBlock,
  ImageBlock,
  SystemBlock,
  ToolChoice,
  ToolResultBlock,
} from '../../wire/converse-request.ts'
import type { Asked, Asking } from '../provider-dialect.ts'

/** The dialect demands a limit. Without one of the client's it is the model's, as far as an answer in one piece may take. */
const assumedOutputTokensMax = 32_000
/** What every model gives. */
const leastOutputTokensMax = 4_096

/** A request of the inner form in the messages dialect. What the dialect has no place for is refused. */
export function messagesBody({ model, request, isStream, outputTokensMax }: Asking): Result<Asked, Failure> {
  const counted = countedMembers(model, request)
  if (!counted.ok) return counted
  const { maxTokens, temperature, topP, stopSequences } = request.inferenceConfig ?? {}
  const topK = request.additionalModelRequestFields?.['top_k']
  const limit = maxTokens ?? Math.min(outputTokensMax ?? leastOutputTokensMax, assumedOutputTokensMax)
  const body: JsonRecord = {
    ...counted.value,
    max_tokens: limit,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(topK === undefined ? {} : { top_k: topK }),
    ...(stopSequences === undefined ? {} : { stop_sequences: stopSequences }),
    ...(isStream ? { stream: true } : {}),
  }
  return succeed({ path: '/messages', body, ...betaHeader(request) })
}

/** The same of what is only to be counted. */
export function countBody(model: string, request: ConverseRequest): Result<Asked, Failure> {
  const counted = countedMembers(model, request)
  if (!counted.ok) return counted
  return succeed({ path: '/messages/count_tokens', body: counted.value, ...betaHeader(request) })
}

function betaHeader({ additionalModelRequestFields: fields }: ConverseRequest): Pick<Asked, 'headers'> {
  const betas = listOf(fields?.['anthropic_beta']).filter((beta) => typeof beta === 'string')
  return betas.length === 0 ? {} : { headers: { 'anthropic-beta': betas.join(',') } }
}

function countedMembers(model: string, request: ConverseRequest): Result<JsonRecord, Failure> {
  const messages: JsonRecord[] = []
  for (const turn of request.messages) {
    const content = contentOf(turn)
    if (!content.ok) return content
    messages.push({ role: turn.role, content: content.value })
  }
  const system = marked(request.system ?? [], ({ text }: Exclude<SystemBlock, CachePoint>) => ({ type: 'text', text }))
  const { thinking, output_config: wished } = request.additionalModelRequestFields ?? {}
  const schema = request.outputConfig?.textFormat.structure.jsonSchema.schema
  const output = {
    ...recordOf(wished),
    ...(schema === undefined ? {} : { format: { type: 'json_schema', schema: JSON.parse(schema) } }),
  }
  return succeed({
    model,
    messages,
    ...(system.length === 0 ? {} : { system }),
    ...toolMembers(request),
    ...(thinking === undefined ? {} : { thinking }),
    ...(Object.keys(output).length === 0 ? {} : { output_config: output }),
  })
}

function toolMembers({ toolConfig }: ConverseRequest): JsonRecord {
  const tools = marked(toolConfig?.tools ?? [], (tool) => {
    const { name, description, inputSchema, strict } = (tool as Exclude<typeof tool, CachePoint>).toolSpec
    return {
      name,
      ...(description === undefined ? {} : { description }),
      input_schema: { type: 'object', ...inputSchema.json },
      ...(strict === undefined ? {} : { strict }),
    }
  })
  if (tools.length === 0) return {}
  const choice = toolConfig?.toolChoice
  return { tools, ...(choice === undefined ? {} : { tool_choice: choiceOf(choice) }) }
}

function choiceOf(choice: ToolChoice): JsonRecord {
  if ('tool' in choice) return { type: 'tool', name: choice.tool.name }
  return { type: 'any' in choice ? 'any' : 'auto' }
}

/** A mark of the inner form is a block of its own; here it is a member of the block before. */
function marked<T extends object>(
  blocks: readonly (T | CachePoint)[],
  write: (block: Exclude<T, CachePoint>) => JsonRecord,
): readonly JsonRecord[] {
  const written: JsonRecord[] = []
  for (const block of blocks) {
    if ('cachePoint' in block) mark(written, block as CachePoint)
    else written.push(write(block as Exclude<T, CachePoint>))
  }
  return written
}

function mark(written: JsonRecord[], { cachePoint }: CachePoint): void {
  const last = written.pop()
  const { ttl } = cachePoint
  const control = { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) }
  if (last !== undefined) written.push(takesMark(last) ? { ...last, cache_control: control } : last)
}

function takesMark({ type }: JsonRecord): boolean {
  return type !== 'thinking' && type !== 'redacted_thinking'
}

function contentOf({ content }: ConverseTurn): Result<readonly JsonRecord[], Failure> {
  const written: JsonRecord[] = []
  for (const block of content) {
    if ('cachePoint' in block) {
      mark(written, block)
      continue
    }
    const one = blockOf(block)
    if (!one.ok) return one
    if (one.value !== undefined) written.push(one.value)
  }
  return succeed(written)
}

/** Undefined: reasoning that nobody signed, which may not come back. */
function blockOf(block: Exclude<ContentBlock, CachePoint>): Result<JsonRecord | undefined, Failure> {
  if ('text' in block) return succeed({ type: 'text', text: block.text })
  if ('image' in block) return succeed(imageBlock(block))
  if ('document' in block) return documentBlock(block)
  if ('toolUse' in block) {
    const { toolUseId, name, input } = block.toolUse
    return succeed({ type: 'tool_use', id: toolUseId, name, input })
  }
  if ('toolResult' in block) return resultBlock(block)
  if ('reasoningContent' in block) {
    const { reasoningContent } = block
    if ('redactedContent' in reasoningContent)
      return succeed({ type: 'redacted_thinking', data: reasoningContent.redactedContent })
    const { text, signature } = reasoningContent.reasoningText
    return succeed(signature === undefined ? undefined : { type: 'thinking', thinking: text, signature })
  }
  return failWith(failure('unsupported', 'this provider takes neither audio nor video'))
}

function resultBlock({ toolResult }: ToolResultBlock): Result<JsonRecord, Failure> {
  const content: JsonRecord[] = []
  for (const part of toolResult.content) {
    const one = blockOf(part)
    if (!one.ok) return one
    if (one.value !== undefined) content.push(one.value)
  }
  const failed = toolResult.status === 'error' ? { is_error: true } : {}
  return succeed({ type: 'tool_result', tool_use_id: toolResult.toolUseId, content, ...failed })
}

function imageBlock({ image }: ImageBlock): JsonRecord {
  return {
    type: 'image',
    source: { type: 'base64', media_type: `image/${image.format}`, data: image.source.bytes },
  }
}

/** Kinds of documents that are text. */
const textFormats: readonly string[] = ['txt', 'md', 'csv', 'html']

function documentBlock({ document }: DocumentBlock): Result<JsonRecord, Failure> {
  const { format, name, source, context, citations } = document
  const about = {
    title: name,
    ...(context === undefined ? {} : { context }),
    ...(citations === undefined ? {} : { citations }),
  }
  if (format === 'pdf' && 'bytes' in source) {
    const pdf = { type: 'base64', media_type: 'application/pdf', data: source.bytes }
    return succeed({ type: 'document', source: pdf, ...about })
  }
  const text = 'text' in source ? source.text : textFormats.includes(format) ? textFromBase64(source.bytes) : undefined
  if (text === undefined) {
    return failWith(failure('unsupported', `this provider takes no documents of the kind ${format}`))
  }
  return succeed({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...about })
}
