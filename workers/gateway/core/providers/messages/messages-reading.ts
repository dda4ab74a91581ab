import { type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../../failure.ts'
import {
  type AnswerBlock,
  type ConverseAnswer,
  type ConverseEvent,
  noUsage,
  type ProviderUsage,
} from '../../wire/converse-answer.ts'
import { messagesFault } from './messages-refusal.ts'

/** Counts that a later event does not repeat stay as they were told first. */
function usageOf(value: unknown, before: ProviderUsage): ProviderUsage {
  const usage = recordOf(value) ?? {}
  const reasoning = numberOf(recordOf(usage['output_tokens_details'])?.['thinking_tokens']) ?? before.reasoningTokens
  return {
    inputTokens: numberOf(usage['input_tokens']) ?? before.inputTokens,
    outputTokens: numberOf(usage['output_tokens']) ?? before.outputTokens,
    cacheReadTokens: numberOf(usage['cache_read_input_tokens']) ?? before.cacheReadTokens,
    cacheWriteTokens: numberOf(usage['cache_creation_input_tokens']) ?? before.cacheWriteTokens,
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  }
}

/** A whole answer in the messages dialect; undefined when it has not the shape of one. */
export function readMessage(body: unknown): ConverseAnswer | undefined {
  const message = recordOf(body)
  const stopReason = textOf(message?.['stop_reason'])
  if (message === undefined || message['type'] !== 'message' || stopReason === undefined) return undefined
  const blocks: AnswerBlock[] = []
  for (const item of listOf(message['content'])) {
    const block = recordOf(item)
    if (block === undefined) return undefined
    const read = readBlock(block)
    if (read !== undefined) blocks.push(read)
  }
  return { blocks, stopReason, usage: usageOf(message['usage'], noUsage) }
}

/** Undefined: a block of the provider's own tools, which the inner form has no place for. */
function readBlock(block: JsonRecord): AnswerBlock | undefined {
  switch (block['type']) {
    case 'text':
      return { kind: 'text', text: textOf(block['text']) ?? '' }
    case 'thinking': {
      const signature = textOf(block['signature'])
      const text = textOf(block['thinking']) ?? ''
      const reasoningText = signature === undefined ? { text } : { text, signature }
      return { kind: 'reasoning', block: { reasoningContent: { reasoningText } } }
    }
    case 'redacted_thinking':
      return { kind: 'reasoning', block: { reasoningContent: { redactedContent: textOf(block['data']) ?? '' } } }
    case 'tool_use': {
      const [id, name] = [textOf(block['id']), textOf(block['name'])]
      return id === undefined || name === undefined
        ? undefined
        : { kind: 'toolUse', id, name, input: block['input'] ?? {} }
    }
    default:
      return undefined
  }
}

/** Turns the events of one streamed answer into those of the inner form. */
export class MessageEventReader {
  readonly #provider: string
  #usage: ProviderUsage = noUsage
  #isOver = false

  constructor(provider: string) {
    this.#provider = provider
  }

  read(data: string): Result<readonly ConverseEvent[], Failure> {
    const event = recordOf(parseJson(data))
    const block = numberOf(event?.['index']) ?? 0
    switch (event?.['type']) {
      case 'message_start':
        this.#usage = usageOf(recordOf(event['message'])?.['usage'], this.#usage)
        return succeed([{ kind: 'start' }])
      case 'content_block_start':
        return succeed(startOf(block, recordOf(event['content_block']) ?? {}))
      case 'content_block_delta':
        return succeed(deltaOf(block, recordOf(event['delta']) ?? {}))
      case 'content_block_stop':
        return succeed([{ kind: 'blockStop', block }])
      case 'message_delta': {
        this.#usage = usageOf(event['usage'], this.#usage)
        const stopReason = textOf(recordOf(event['delta'])?.['stop_reason'])
        return succeed(stopReason === undefined ? [] : [{ kind: 'stop', stopReason }])
      }
      case 'message_stop':
        this.#isOver = true
        return succeed([{ kind: 'metadata', usage: this.#usage }])
      case 'error':
        return failWith(messagesFault(this.#provider, recordOf(event['error'])))
      case undefined:
        return failWith(failure('upstream_error', `${this.#provider}: an answer that cannot be read`))
      default:
        // Kinds that are added later are to be passed over.
        return succeed([])
    }
  }

  end(): readonly ConverseEvent[] {
    return []
  }

  isWhole(): boolean {
    return this.#isOver
  }
}

function startOf(block: number, content: JsonRecord): readonly ConverseEvent[] {
  switch (content['type']) {
    case 'tool_use': {
      const [id, name] = [textOf(content['id']), textOf(content['name'])]
      return id === undefined || name === undefined ? [] : [{ kind: 'toolStart', block, id, name }]
    }
    case 'redacted_thinking':
      return [{ kind: 'reasoningRedacted', block, data: textOf(content['data']) ?? '' }]
    case 'text': {
      const text = textOf(content['text']) ?? ''
      return text === '' ? [] : [{ kind: 'text', block, text }]
    }
    default:
      return []
  }
}

function deltaOf(block: number, delta: JsonRecord): readonly ConverseEvent[] {
  switch (delta['type']) {
    case 'text_delta':
      return [{ kind: 'text', block, text: textOf(delta['text']) ?? '' }]
    case 'input_json_delta':
      return [{ kind: 'toolInput', block, json: textOf(delta['partial_json']) ?? '' }]
    case 'thinking_delta':
      return [{ kind: 'reasoningText', block, text: textOf(delta['thinking']) ?? '' }]
    case 'signature_delta':
      return [{ kind: 'reasoningSignature', block, signature: textOf(delta['signature']) ?? '' }]
    default:
      return []
  }
}
