import { type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { tokensOf } from '../../keys/usage-in-text.ts'
import {
  type AnswerBlock,
  type ConverseAnswer,
  type ConverseEvent,
  noUsage,
  type ProviderUsage,
} from '../../wire/converse-answer.ts'

const stopReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'content_filtered',
}

function usageOf(value: unknown): ProviderUsage | undefined {
  const usage = recordOf(value)
  const tokens = usage === undefined ? undefined : tokensOf(usage)
  if (tokens === undefined) return undefined
  return {
    inputTokens: tokens.input,
    outputTokens: tokens.output,
    cacheReadTokens: tokens.cacheRead,
    cacheWriteTokens: tokens.cacheWrite,
    ...(tokens.reasoning === 0 ? {} : { reasoningTokens: tokens.reasoning }),
  }
}

/** Servers of open models have two names for what was thought. */
function reasoningOf(message: JsonRecord): string {
  return textOf(message['reasoning_content']) ?? textOf(message['reasoning']) ?? ''
}

/** A whole answer in the reference's chat dialect; undefined when it has not the shape of one. */
export function readChatAnswer(body: unknown): ConverseAnswer | undefined {
  const answer = recordOf(body)
  const choice = recordOf(listOf(answer?.['choices'])[0])
  const message = recordOf(choice?.['message'])
  if (answer === undefined || message === undefined) return undefined
  const blocks: AnswerBlock[] = []
  const reasoning = reasoningOf(message)
  if (reasoning !== '') {
    blocks.push({ kind: 'reasoning', block: { reasoningContent: { reasoningText: { text: reasoning } } } })
  }
  const text = textOf(message['content']) ?? textOf(message['refusal'])
  if (text !== undefined && text !== '') blocks.push({ kind: 'text', text })
  for (const call of listOf(message['tool_calls'])) {
    const parts = recordOf(recordOf(call)?.['function'])
    const [id, name] = [textOf(recordOf(call)?.['id']), textOf(parts?.['name'])]
    if (id === undefined || name === undefined) return undefined
    blocks.push({ kind: 'toolUse', id, name, input: parseJson(textOf(parts?.['arguments']) || '{}') ?? {} })
  }
  const reason = stopReasons[textOf(choice?.['finish_reason']) ?? ''] ?? 'end_turn'
  return { blocks, stopReason: reason, usage: usageOf(answer['usage']) ?? noUsage }
}

type Open = { readonly kind: 'text' | 'reasoning' } | { readonly kind: 'tool'; readonly index: number }

/** Turns the chunks of one streamed answer into events of the inner form. */
export class ChatChunkReader {
  #block = -1
  #open: Open | undefined
  #hasStarted = false
  #stopReason: string | undefined
  #usage: ProviderUsage | undefined
  #isOver = false

  /** Undefined: no chunk of this dialect. */
  read(data: string): readonly ConverseEvent[] | undefined {
    if (data === '[DONE]') return this.end()
    const chunk = recordOf(parseJson(data))
    if (chunk === undefined || chunk['error'] !== undefined) return undefined
    const events: ConverseEvent[] = []
    if (!this.#hasStarted) events.push({ kind: 'start' })
    this.#hasStarted = true
    this.#usage = usageOf(chunk['usage']) ?? this.#usage
    const choice = recordOf(listOf(chunk['choices'])[0])
    const delta = recordOf(choice?.['delta'])
    if (delta !== undefined) this.#delta(delta, events)
    const reason = textOf(choice?.['finish_reason'])
    if (reason !== undefined) this.#stopReason = stopReasons[reason] ?? 'end_turn'
    return events
  }

  /** What is due when nothing more comes. Empty when that was told before. */
  end(): readonly ConverseEvent[] {
    const events: ConverseEvent[] = []
    this.#close(events)
    if (this.#stopReason !== undefined) events.push({ kind: 'stop', stopReason: this.#stopReason })
    this.#isOver ||= this.#stopReason !== undefined
    if (this.#usage !== undefined) events.push({ kind: 'metadata', usage: this.#usage })
    this.#stopReason = undefined
    this.#usage = undefined
    return events
  }

  /** Whether the provider said why it stopped: the answer is whole. */
  isWhole(): boolean {
    return this.#isOver || this.#stopReason !== undefined
  }

  #delta(delta: JsonRecord, events: ConverseEvent[]): void {
    const reasoning = reasoningOf(delta)
    if (reasoning !== '') {
      events.push({ kind: 'reasoningText', block: this.#enter('reasoning', events), text: reasoning })
    }
    const text = textOf(delta['content']) ?? textOf(delta['refusal']) ?? ''
    if (text !== '') events.push({ kind: 'text', block: this.#enter('text', events), text })
    for (const item of listOf(delta['tool_calls'])) {
      const call = recordOf(item)
      const parts = recordOf(call?.['function'])
      const index = numberOf(call?.['index']) ?? 0
      const [id, name] = [textOf(call?.['id']), textOf(parts?.['name'])]
      const isOpen = this.#open?.kind === 'tool' && this.#open.index === index
      if (!isOpen && id !== undefined && name !== undefined) {
        this.#close(events)
        this.#open = { kind: 'tool', index }
        this.#block += 1
        events.push({ kind: 'toolStart', block: this.#block, id, name })
      }
      const json = textOf(parts?.['arguments']) ?? ''
      if (json !== '') events.push({ kind: 'toolInput', block: this.#block, json })
    }
  }

  #enter(kind: 'text' | 'reasoning', events: ConverseEvent[]): number {
    if (this.#open?.kind === kind) return this.#block
    this.#close(events)
    this.#open = { kind }
    this.#block += 1
    return this.#block
  }

  #close(events: ConverseEvent[]): void {
    if (this.#open !== undefined) events.push({ kind: 'blockStop', block: this.#block })
    this.#open = undefined
  }
}
