import { isRecord, type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import type { ReasoningBlock } from './converse-request.ts'
import { readPlainText } from './plain-text.ts'

/** What the provider counted. Cache reads and writes are not part of `inputTokens`. */
export interface ProviderUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  /** As part of the output; undefined: the provider does not count it apart. */
  readonly reasoningTokens?: number
}

export const noUsage: ProviderUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }

export type AnswerBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly block: ReasoningBlock }
  | { readonly kind: 'toolUse'; readonly id: string; readonly name: string; readonly input: unknown }

export interface ConverseAnswer {
  readonly blocks: readonly AnswerBlock[]
  readonly stopReason: string
  readonly usage: ProviderUsage
}

/** A streamed answer, event by event. `exception` is the provider's own word for a failure. */
export type ConverseEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'toolStart'; readonly block: number; readonly id: string; readonly name: string }
  /** `isPlain`: nothing in the text is escaped where it is written as JSON. */
  | { readonly kind: 'text'; readonly block: number; readonly text: string; readonly isPlain?: true }
  | { readonly kind: 'toolInput'; readonly block: number; readonly json: string }
  | { readonly kind: 'reasoningText'; readonly block: number; readonly text: string }
  | { readonly kind: 'reasoningSignature'; readonly block: number; readonly signature: string }
  | { readonly kind: 'reasoningRedacted'; readonly block: number; readonly data: string }
  | { readonly kind: 'blockStop'; readonly block: number }
  | { readonly kind: 'stop'; readonly stopReason: string }
  | { readonly kind: 'metadata'; readonly usage: ProviderUsage }

/** Reads a whole answer; undefined when it has not the shape of one. Unknown members are ignored. */
export function readConverseAnswer(body: unknown): ConverseAnswer | undefined {
  const answer = recordOf(body)
  const message = recordOf(recordOf(answer?.['output'])?.['message'])
  const stopReason = textOf(answer?.['stopReason'])
  if (answer === undefined || message === undefined || stopReason === undefined) return undefined
  const blocks: AnswerBlock[] = []
  for (const block of listOf(message['content'])) {
    const read = isRecord(block) ? readBlock(block) : undefined
    if (read !== undefined) blocks.push(read)
  }
  return { blocks, stopReason, usage: readUsage(answer['usage']) }
}

function readBlock(block: JsonRecord): AnswerBlock | undefined {
  const text = textOf(block['text'])
  if (text !== undefined) return { kind: 'text', text }
  const toolUse = recordOf(block['toolUse'])
  if (toolUse !== undefined) {
    const id = textOf(toolUse['toolUseId'])
    const name = textOf(toolUse['name'])
    if (id === undefined || name === undefined) return undefined
    return { kind: 'toolUse', id, name, input: toolUse['input'] ?? {} }
  }
  const reasoning = recordOf(block['reasoningContent'])
  const reasoningBlock = reasoning === undefined ? undefined : readReasoningBlock(reasoning)
  return reasoningBlock === undefined ? undefined : { kind: 'reasoning', block: reasoningBlock }
}

/** Reads the content of a reasoning block in the provider's own shape. */
export function readReasoningBlock(reasoning: JsonRecord): ReasoningBlock | undefined {
  const redactedContent = textOf(reasoning['redactedContent'])
  if (redactedContent !== undefined) return { reasoningContent: { redactedContent } }
  const reasoningText = recordOf(reasoning['reasoningText'])
  const text = textOf(reasoningText?.['text'])
  if (text === undefined) return undefined
  const signature = textOf(reasoningText?.['signature'])
  return { reasoningContent: { reasoningText: signature === undefined ? { text } : { text, signature } } }
}

/** What of a block people can read. */
export function readableReasoning({ reasoningContent }: ReasoningBlock): string {
  return 'reasoningText' in reasoningContent ? reasoningContent.reasoningText.text : ''
}

function readUsage(usage: unknown): ProviderUsage {
  const counts = recordOf(usage) ?? {}
  return {
    inputTokens: numberOf(counts['inputTokens']) ?? 0,
    outputTokens: numberOf(counts['outputTokens']) ?? 0,
    cacheReadTokens: numberOf(counts['cacheReadInputTokens']) ?? 0,
    cacheWriteTokens: numberOf(counts['cacheWriteInputTokens']) ?? 0,
  }
}

const decoder = new TextDecoder()

/** Reads one event of a stream, its payload being `bytes` from `start` to `end`; undefined for kinds without use here. */
export function readConverseEvent(
  eventType: string,
  bytes: Uint8Array,
  start = 0,
  end = bytes.length,
): ConverseEvent | undefined {
  const plain = eventType === 'contentBlockDelta' ? readPlainText(bytes, start, end) : undefined
  return plain ?? parseConverseEvent(eventType, decoder.decode(bytes.subarray(start, end)))
}

/** The same for every event, however it is written. */
export function parseConverseEvent(eventType: string, payload: string): ConverseEvent | undefined {
  const body = parseJson(payload)
  if (!isRecord(body)) return undefined
  const block = numberOf(body['contentBlockIndex']) ?? 0
  switch (eventType) {
    case 'contentBlockDelta':
      return readDelta(block, recordOf(body['delta']))
    case 'contentBlockStart': {
      const toolUse = recordOf(recordOf(body['start'])?.['toolUse'])
      const id = textOf(toolUse?.['toolUseId'])
      const name = textOf(toolUse?.['name'])
      return id === undefined || name === undefined ? undefined : { kind: 'toolStart', block, id, name }
    }
    case 'contentBlockStop':
      return { kind: 'blockStop', block }
    case 'messageStart':
      return { kind: 'start' }
    case 'messageStop':
      return { kind: 'stop', stopReason: textOf(body['stopReason']) ?? '' }
    case 'metadata':
      return { kind: 'metadata', usage: readUsage(body['usage']) }
    default:
      return undefined
  }
}

function readDelta(block: number, delta: JsonRecord | undefined): ConverseEvent | undefined {
  if (delta === undefined) return undefined
  const text = textOf(delta['text'])
  if (text !== undefined) return { kind: 'text', block, text }
  const json = textOf(recordOf(delta['toolUse'])?.['input'])
  if (json !== undefined) return { kind: 'toolInput', block, json }
  const reasoning = recordOf(delta['reasoningContent'])
  if (reasoning === undefined) return undefined
  const signature = textOf(reasoning['signature'])
  if (signature !== undefined) return { kind: 'reasoningSignature', block, signature }
  const data = textOf(reasoning['redactedContent'])
  if (data !== undefined) return { kind: 'reasoningRedacted', block, data }
  const reasoningText = textOf(reasoning['text'])
  return reasoningText === undefined ? undefined : { kind: 'reasoningText', block, text: reasoningText }
}
