import { entryOf, isRecord, type JsonRecord, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { textFromBase64 } from '../../base64.ts'
import { type Failure, failure } from '../../failure.ts'
import type {
  ContentBlock,
  ConverseRequest,
  ConverseTurn,
  DocumentBlock,
  ToolChoice,
  ToolResultBlock,
} from '../../wire/converse-request.ts'
import type { Asked, Asking } from '../provider-dialect.ts'
import { geminiSchema } from './gemini-schema.ts'
import { demandsSignatures, ownSignature, thinkingConfig, unsignedCall } from './gemini-thinking.ts'

const json = 'application/json'
const modelPattern = /^[\w.-]{1,200}$/

/** A request of the inner form in the words of the provider. What it has no place for is refused. */
export function geminiBody({ model, request, isStream }: Asking): Result<Asked, Failure> {
  const input = inputMembers(model, request)
  if (!input.ok) return input
  const { maxTokens, temperature, topP, stopSequences } = request.inferenceConfig ?? {}
  const effort = textOf(request.additionalModelRequestFields?.['reasoning_effort'])
  const thinking = thinkingConfig(model, effort, maxTokens)
  const schema = request.outputConfig?.textFormat.structure.jsonSchema.schema
  const config: JsonRecord = {
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(stopSequences === undefined ? {} : { stopSequences }),
    ...(thinking === undefined ? {} : { thinkingConfig: thinking }),
    ...(schema !== undefined
      ? { responseMimeType: json, responseJsonSchema: geminiSchema(JSON.parse(schema)) }
      : // Beside functions only some models take it; the words are there in any case.
        request.wantsJson === true && request.toolConfig === undefined
        ? { responseMimeType: json }
        : {}),
  }
  const operation = isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  const body = { ...input.value, ...(Object.keys(config).length === 0 ? {} : { generationConfig: config }) }
  return succeed({ path: `/models/${model}:${operation}`, body })
}

/** The same of what is only to be counted. */
export function geminiCountBody(model: string, request: ConverseRequest): Result<Asked, Failure> {
  const input = inputMembers(model, request)
  if (!input.ok) return input
  const body = { generateContentRequest: { model: `models/${model}`, ...input.value } }
  return succeed({ path: `/models/${model}:countTokens`, body })
}

export function isGeminiModel(model: string): boolean {
  return modelPattern.test(model)
}

function inputMembers(model: string, request: ConverseRequest): Result<JsonRecord, Failure> {
  if (!isGeminiModel(model)) {
    return failWith(failure('bad_request', 'the provider has no model of this name', { param: 'model' }))
  }
  const contents: JsonRecord[] = []
  const names = new Map<string, string>()
  for (const turn of request.messages) {
    const parts = turn.role === 'user' ? userParts(turn, names) : modelParts(turn, names, demandsSignatures(model))
    if (!parts.ok) return parts
    if (parts.value.length > 0) contents.push({ role: turn.role === 'user' ? 'user' : 'model', parts: parts.value })
  }
  const system = (request.system ?? []).flatMap((block) => ('text' in block ? [{ text: block.text }] : []))
  return succeed({
    contents,
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }),
    ...toolMembers(request),
  })
}

function toolMembers({ toolConfig }: ConverseRequest): JsonRecord {
  const functions = (toolConfig?.tools ?? []).flatMap((tool) => {
    if (!('toolSpec' in tool)) return []
    const { name, description, inputSchema } = tool.toolSpec
    const parameters = geminiSchema({ type: 'object', ...inputSchema.json })
    return [{ name, ...(description === undefined ? {} : { description }), parametersJsonSchema: parameters }]
  })
  if (functions.length === 0) return {}
  const choice = toolConfig?.toolChoice
  return {
    tools: [{ functionDeclarations: functions }],
    ...(choice === undefined ? {} : { toolConfig: { functionCallingConfig: callingOf(choice) } }),
  }
}

function callingOf(choice: ToolChoice): JsonRecord {
  if ('tool' in choice) return { mode: 'ANY', allowedFunctionNames: [choice.tool.name] }
  return { mode: 'any' in choice ? 'ANY' : 'AUTO' }
}

type Parts = Result<readonly JsonRecord[], Failure>

/**
 * What the model said, with its signatures where they were: one belongs to the call behind it, else to the text behind
 * it. Of the thoughts themselves nothing goes back.
 */
function modelParts({ content }: ConverseTurn, names: Map<string, string>, demandsSigned: boolean): Parts {
  const parts: JsonRecord[] = []
  let signature: string | undefined
  let hasCall = false
  for (const [index, block] of content.entries()) {
    if ('reasoningContent' in block) {
      const own = ownSignature(block)
      if (own !== undefined) signature = own
    } else if ('toolUse' in block) {
      const { toolUseId: id, name, input } = block.toolUse
      names.set(id, name)
      // Of calls that are made together the first is signed for all.
      const signed = signature ?? (demandsSigned && !hasCall ? unsignedCall : undefined)
      const args = isRecord(input) ? input : {}
      parts.push({
        functionCall: { id, name, args },
        ...(signed === undefined ? {} : { thoughtSignature: signed }),
      })
      signature = undefined
      hasCall = true
    } else if ('text' in block) {
      const isForText = signature !== undefined && !leadsToCall(content.slice(index + 1))
      parts.push({ text: block.text, ...(isForText ? { thoughtSignature: signature } : {}) })
      if (isForText) signature = undefined
    }
  }
  if (signature !== undefined) parts.push({ text: '', thoughtSignature: signature })
  return succeed(parts)
}

/** Whether a call comes before more is thought. */
function leadsToCall(blocks: readonly ContentBlock[]): boolean {
  const next = blocks.find((block) => 'toolUse' in block || 'reasoningContent' in block)
  return next !== undefined && 'toolUse' in next
}

function userParts({ content }: ConverseTurn, names: ReadonlyMap<string, string>): Parts {
  const parts: JsonRecord[] = []
  for (const block of content) {
    if ('cachePoint' in block) continue
    const part = 'toolResult' in block ? responsePart(block, names) : partOf(block)
    if (!part.ok) return part
    parts.push(part.value)
  }
  return succeed(parts)
}

/** The kinds of sound the provider names otherwise than by their ending. */
const soundTypes: Readonly<Record<string, string>> = { mp3: 'audio/mpeg' }
const videoTypes: Readonly<Record<string, string>> = { mkv: 'video/x-matroska', mov: 'video/quicktime' }

function partOf(block: ContentBlock): Result<JsonRecord, Failure> {
  if ('text' in block) return succeed({ text: block.text })
  if ('image' in block) return succeed(inline(`image/${block.image.format}`, block.image.source.bytes))
  if ('document' in block) return documentPart(block)
  if ('audio' in block) {
    const { format, source } = block.audio
    return succeed(inline(entryOf(soundTypes, format) ?? `audio/${format}`, source.bytes))
  }
  if ('video' in block) {
    const { format, source } = block.video
    return succeed(inline(entryOf(videoTypes, format) ?? `video/${format}`, source.bytes))
  }
  return failWith(failure('unsupported', 'this provider has no place for a part of the request'))
}

function inline(mimeType: string, data: string): JsonRecord {
  return { inlineData: { mimeType, data } }
}

/** Kinds of documents that are text. */
const textFormats: readonly string[] = ['txt', 'md', 'csv', 'html']

function documentPart({ document }: DocumentBlock): Result<JsonRecord, Failure> {
  const { format, name, source, context } = document
  if (format === 'pdf' && 'bytes' in source) return succeed(inline('application/pdf', source.bytes))
  const text = 'text' in source ? source.text : textFormats.includes(format) ? textFromBase64(source.bytes) : undefined
  if (text === undefined) {
    return failWith(failure('unsupported', `this provider takes no documents of the kind ${format}`))
  }
  return succeed({ text: [`${name}:`, context, text].filter((part) => part !== undefined).join('\n') })
}

/** Pictures and documents of a result are parts of it, its words its output or the error. */
function responsePart(
  { toolResult }: ToolResultBlock,
  names: ReadonlyMap<string, string>,
): Result<JsonRecord, Failure> {
  const words: string[] = []
  const media: JsonRecord[] = []
  for (const block of toolResult.content) {
    const part = partOf(block)
    if (!part.ok) return part
    const text = textOf(part.value['text'])
    if (text === undefined) media.push(part.value)
    else words.push(text)
  }
  const said = words.join('\n')
  const { toolUseId: id, status } = toolResult
  const response = status === 'error' ? { error: said } : { output: said }
  const functionResponse = { id, name: names.get(id) ?? id, response, ...(media.length === 0 ? {} : { parts: media }) }
  return succeed({ functionResponse })
}
