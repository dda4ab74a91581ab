import { entryOf, type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../../failure.ts'
import {
  type AnswerBlock,
  type ConverseAnswer,
  type ConverseEvent,
  noUsage,
  type ProviderUsage,
} from '../../wire/converse-answer.ts'
import { geminiFault } from './gemini-refusal.ts'
import { markedSignature } from './gemini-thinking.ts'

const stopReasons: Readonly<Record<string, string>> = {
  STOP: 'end_turn',
  MAX_TOKENS: 'max_tokens',
  CONTINUATION: 'max_tokens',
  SAFETY: 'content_filtered',
  RECITATION: 'content_filtered',
  LANGUAGE: 'content_filtered',
  BLOCKLIST: 'content_filtered',
  PROHIBITED_CONTENT: 'content_filtered',
  SPII: 'content_filtered',
  IMAGE_SAFETY: 'content_filtered',
  IMAGE_PROHIBITED_CONTENT: 'content_filtered',
  IMAGE_RECITATION: 'content_filtered',
  ESCALATION: 'content_filtered',
  MODEL_ARMOR: 'content_filtered',
  PUP_LIMITED_DISABLED: 'content_filtered',
  MALFORMED_FUNCTION_CALL: 'malformed_tool_use',
  UNEXPECTED_TOOL_CALL: 'malformed_tool_use',
  TOO_MANY_TOOL_CALLS: 'malformed_tool_use',
  MALFORMED_RESPONSE: 'malformed_model_output',
  MISSING_THOUGHT_SIGNATURE: 'malformed_model_output',
}

/** Thoughts are counted beside the answer, and what came from a cache as part of the prompt. */
function usageOf(value: unknown): ProviderUsage | undefined {
  const usage = recordOf(value)
  if (usage === undefined) return undefined
  const count = (name: string) => numberOf(usage[name]) ?? 0
  const cached = count('cachedContentTokenCount')
  const thoughts = count('thoughtsTokenCount')
  return {
    inputTokens: Math.max(0, count('promptTokenCount') + count('toolUsePromptTokenCount') - cached),
    outputTokens: count('candidatesTokenCount') + thoughts,
    cacheReadTokens: cached,
    cacheWriteTokens: 0,
    reasoningTokens: thoughts,
  }
}

/** A whole answer; undefined when it has not the shape of one. Calls without an id are given one. */
export function readGeminiAnswer(body: unknown, newId: () => string): ConverseAnswer | undefined {
  const reader = new GeminiChunkReader('', newId)
  const read = reader.readChunk(recordOf(body))
  if (!read.ok || !reader.isWhole()) return undefined
  const blocks = new Map<number, AnswerBlock>()
  let stopReason = 'end_turn'
  let usage = noUsage
  for (const event of [...read.value, ...reader.end()]) {
    if (event.kind === 'text') {
      const before = blocks.get(event.block)
      blocks.set(event.block, { kind: 'text', text: (before?.kind === 'text' ? before.text : '') + event.text })
    } else if (event.kind === 'toolStart') {
      blocks.set(event.block, { kind: 'toolUse', id: event.id, name: event.name, input: {} })
    } else if (event.kind === 'toolInput') {
      const before = blocks.get(event.block)
      if (before?.kind === 'toolUse') blocks.set(event.block, { ...before, input: parseJson(event.json) })
    } else if (event.kind === 'reasoningText' || event.kind === 'reasoningSignature') {
      blocks.set(event.block, withThought(blocks.get(event.block), event))
    } else if (event.kind === 'stop') stopReason = event.stopReason
    else if (event.kind === 'metadata') usage = event.usage
  }
  return { blocks: [...blocks.values()], stopReason, usage }
}

function withThought(
  before: AnswerBlock | undefined,
  event: Extract<ConverseEvent, { kind: 'reasoningText' | 'reasoningSignature' }>,
): AnswerBlock {
  const content = before?.kind === 'reasoning' ? before.block.reasoningContent : undefined
  const thought = content !== undefined && 'reasoningText' in content ? content.reasoningText : { text: '' }
  const reasoningText =
    event.kind === 'reasoningText'
      ? { ...thought, text: thought.text + event.text }
      : { ...thought, signature: event.signature }
  return { kind: 'reasoning', block: { reasoningContent: { reasoningText } } }
}

/** Turns the pieces of one streamed answer into events of the inner form. */
export class GeminiChunkReader {
  readonly #provider: string
  readonly #newId: () => string
  #block = -1
  #open: 'text' | 'reasoning' | undefined
  #hasStarted = false
  #hasCall = false
  #stopReason: string | undefined
  #isOver = false
  #usage: ProviderUsage | undefined

  constructor(provider: string, newId: () => string) {
    this.#provider = provider
    this.#newId = newId
  }

  read(data: string): Result<readonly ConverseEvent[], Failure> {
    return this.readChunk(recordOf(parseJson(data)))
  }

  readChunk(chunk: JsonRecord | undefined): Result<readonly ConverseEvent[], Failure> {
    if (chunk === undefined) {
      return failWith(failure('upstream_error', `${this.#provider}: an answer that cannot be read`))
    }
    const error = recordOf(chunk['error'])
    if (error !== undefined) return failWith(geminiFault(this.#provider, error, numberOf(error['code']) ?? 500))
    const events: ConverseEvent[] = []
    if (!this.#hasStarted) events.push({ kind: 'start' })
    this.#hasStarted = true
    this.#usage = usageOf(chunk['usageMetadata']) ?? this.#usage
    const candidate = recordOf(listOf(chunk['candidates'])[0])
    for (const part of listOf(recordOf(candidate?.['content'])?.['parts'])) this.#part(recordOf(part) ?? {}, events)
    const reason = textOf(candidate?.['finishReason'])
    if (reason !== undefined) this.#stopReason = entryOf(stopReasons, reason) ?? 'end_turn'
    // A prompt that the provider will not answer has no candidate at all.
    if (textOf(recordOf(chunk['promptFeedback'])?.['blockReason']) !== undefined) this.#stopReason = 'content_filtered'
    return succeed(events)
  }

  /** What is due when nothing more comes. */
  end(): readonly ConverseEvent[] {
    const events: ConverseEvent[] = []
    this.#close(events)
    if (this.#stopReason !== undefined) {
      const isCall = this.#hasCall && this.#stopReason === 'end_turn'
      events.push({ kind: 'stop', stopReason: isCall ? 'tool_use' : this.#stopReason })
      events.push({ kind: 'metadata', usage: this.#usage ?? noUsage })
    }
    this.#isOver ||= this.#stopReason !== undefined
    this.#stopReason = undefined
    return events
  }

  isWhole(): boolean {
    return this.#isOver || this.#stopReason !== undefined
  }

  #part(part: JsonRecord, events: ConverseEvent[]): void {
    const text = textOf(part['text']) ?? ''
    if (part['thought'] === true) {
      if (text !== '') events.push({ kind: 'reasoningText', block: this.#enter('reasoning', events), text })
      return
    }
    const signature = textOf(part['thoughtSignature'])
    if (signature !== undefined) {
      const block = this.#enter('reasoning', events)
      events.push({ kind: 'reasoningSignature', block, signature: markedSignature(signature) })
      this.#close(events)
    }
    const call = recordOf(part['functionCall'])
    const name = textOf(call?.['name'])
    if (call !== undefined && name !== undefined) {
      this.#close(events)
      this.#hasCall = true
      this.#block += 1
      events.push({ kind: 'toolStart', block: this.#block, id: textOf(call['id']) ?? this.#newId(), name })
      events.push({ kind: 'toolInput', block: this.#block, json: JSON.stringify(call['args'] ?? {}) })
      events.push({ kind: 'blockStop', block: this.#block })
    } else if (text !== '') events.push({ kind: 'text', block: this.#enter('text', events), text })
  }

  #enter(kind: 'text' | 'reasoning', events: ConverseEvent[]): number {
    if (this.#open === kind) return this.#block
    this.#close(events)
    this.#open = kind
    this.#block += 1
    return this.#block
  }

  #close(events: ConverseEvent[]): void {
    if (this.#open !== undefined) events.push({ kind: 'blockStop', block: this.#block })
    this.#open = undefined
  }
}
