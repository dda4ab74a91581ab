import { type JsonRecord, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../../failure.ts'
import type {
  ContentBlock,
  ConverseRequest,
  ConverseTurn,
  DocumentBlock,
  ImageBlock,
  ToolChoice,
  ToolResultBlock,
} from '../../wire/converse-request.ts'

const documentTypes: Readonly<Record<string, string>> = { pdf: 'application/pdf' }

/** A request of the inner form in the reference's chat dialect. What the dialect has no place for is refused. */
export function chatBody(
  model: string,
  request: ConverseRequest,
  maxTokensName: 'max_tokens' | 'max_completion_tokens',
): Result<JsonRecord, Failure> {
  const messages: JsonRecord[] = []
  const system = (request.system ?? []).flatMap((block) => ('text' in block ? [block.text] : []))
  if (system.length > 0) messages.push({ role: 'system', content: system.join('\n\n') })
  for (const turn of request.messages) {
    const written = turn.role === 'user' ? userMessages(turn) : succeed([assistantMessage(turn)])
    if (!written.ok) return written
    messages.push(...written.value)
  }
  const { maxTokens, temperature, topP, stopSequences } = request.inferenceConfig ?? {}
  const effort = textOf(request.additionalModelRequestFields?.['reasoning_effort'])
  const schema = request.outputConfig?.textFormat.structure.jsonSchema
  return succeed({
    model,
    messages,
    ...(maxTokens === undefined ? {} : { [maxTokensName]: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(stopSequences === undefined ? {} : { stop: stopSequences }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...toolFields(request),
    ...(schema === undefined
      ? request.wantsJson === true
        ? { response_format: { type: 'json_object' } }
        : {}
      : {
          response_format: {
            type: 'json_schema',
            json_schema: {
              name: schema.name ?? 'answer',
              ...(schema.description === undefined ? {} : { description: schema.description }),
              schema: JSON.parse(schema.schema),
            },
          },
        }),
  })
}

function toolFields({ toolConfig }: ConverseRequest): JsonRecord {
  const tools = (toolConfig?.tools ?? []).flatMap((tool) => {
    if (!('toolSpec' in tool)) return []
    const { name, description, inputSchema, strict } = tool.toolSpec
    const parts = {
      name,
      ...(description === undefined ? {} : { description }),
      parameters: inputSchema.json,
      ...(strict === undefined ? {} : { strict }),
    }
    return [{ type: 'function', function: parts }]
  })
  if (tools.length === 0) return {}
  const choice = toolConfig?.toolChoice
  return { tools, ...(choice === undefined ? {} : { tool_choice: choiceOf(choice) }) }
}

function choiceOf(choice: ToolChoice): unknown {
  if ('tool' in choice) return { type: 'function', function: { name: choice.tool.name } }
  return 'any' in choice ? 'required' : 'auto'
}

/** Results of tools are messages of their own, before what else the turn says; their pictures go with that. */
function userMessages({ content }: ConverseTurn): Result<readonly JsonRecord[], Failure> {
  const messages: JsonRecord[] = []
  const parts: JsonRecord[] = []
  for (const block of content) {
    if ('toolResult' in block) {
      messages.push(resultMessage(block))
      for (const part of block.toolResult.content) if ('image' in part) parts.push(imagePart(part))
      continue
    }
    const part = partOf(block)
    if (!part.ok) return part
    if (part.value !== undefined) parts.push(part.value)
  }
  const [only] = parts
  if (parts.length === 1 && only?.['type'] === 'text') messages.push({ role: 'user', content: only['text'] })
  else if (parts.length > 0) messages.push({ role: 'user', content: parts })
  return succeed(messages)
}

function resultMessage({ toolResult }: ToolResultBlock): JsonRecord {
  const texts = toolResult.content.flatMap((part) => ('text' in part ? [part.text] : []))
  return { role: 'tool', tool_call_id: toolResult.toolUseId, content: texts.join('\n') }
}

/** Undefined: a mark that this dialect has no need of. */
function partOf(block: ContentBlock): Result<JsonRecord | undefined, Failure> {
  if ('text' in block) return succeed({ type: 'text', text: block.text })
  if ('image' in block) return succeed(imagePart(block))
  if ('document' in block) return documentPart(block)
  if ('audio' in block) {
    const { format, source } = block.audio
    return succeed({ type: 'input_audio', input_audio: { data: source.bytes, format } })
  }
  if ('cachePoint' in block) return succeed(undefined)
  return failWith(failure('unsupported', 'this provider has no place for a part of the request'))
}

function imagePart({ image }: ImageBlock): JsonRecord {
  return { type: 'image_url', image_url: { url: `data:image/${image.format};base64,${image.source.bytes}` } }
}

function documentPart({ document }: DocumentBlock): Result<JsonRecord, Failure> {
  if ('text' in document.source) return succeed({ type: 'text', text: document.source.text })
  const type = documentTypes[document.format]
  if (type === undefined) {
    return failWith(failure('unsupported', `this provider takes no documents of the kind ${document.format}`))
  }
  const data = `data:${type};base64,${document.source.bytes}`
  return succeed({ type: 'file', file: { filename: `${document.name}.${document.format}`, file_data: data } })
}

/** Reasoning stays with the provider that signed it. */
function assistantMessage({ content }: ConverseTurn): JsonRecord {
  const texts = content.flatMap((block) => ('text' in block ? [block.text] : []))
  const calls = content.flatMap((block) =>
    'toolUse' in block
      ? [
          {
            id: block.toolUse.toolUseId,
            type: 'function',
            function: { name: block.toolUse.name, arguments: JSON.stringify(block.toolUse.input) },
          },
        ]
      : [],
  )
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join(''),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}
