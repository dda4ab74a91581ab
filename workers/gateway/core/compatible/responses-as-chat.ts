import { isRecord, type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { dataFrame, eventFrame } from '#shared/sse/frame.ts'
import type { ServerSentEvent } from '#shared/sse/server-sent-decode.ts'
import { errorObject } from '../error-object.ts'
import { type Failure, failure } from '../failure.ts'
import type {
  AnswerIdentity,
  CapsuleMaker,
  ChatCompletion,
  ChatToolCallWire,
} from '../from-provider/chat-completion.ts'
import type { ChatUsage } from '../from-provider/chat-usage.ts'
import type { FinishReason } from '../from-provider/finish-reason.ts'
import { sealItemsCapsule } from '../reasoning-capsule.ts'

/** Writes a response object of the compatible endpoint as a chat completion; its reasoning summary goes between think tags. */
export async function responseAsChat(
  response: JsonRecord,
  identity: AnswerIdentity,
  capsules: CapsuleMaker,
): Promise<Result<ChatCompletion, Failure>> {
  const failed = failureOf(response)
  if (failed !== undefined) return failWith(failed)
  const items = listOf(response['output']).filter(isRecord)
  const reasoning = items.filter(isReasoning)
  const thoughts = reasoning.flatMap(summaryTexts)
  const text = items
    .filter((item) => item['type'] === 'message')
    .map(messageText)
    .join('')
  const toolCalls: ChatToolCallWire[] = []
  for (const [index, item] of items.entries()) {
    if (!isCall(item)) continue
    const id = await callId(item, items.slice(0, index).filter(isReasoning), capsules)
    toolCalls.push({ id, ...callWire(item) })
  }
  const thinking = thoughts.join('\n\n')
  const content = thinking === '' ? text : `<think>${thinking}</think>${text}`
  return succeed({
    id: identity.id,
    object: 'chat.completion',
    created: identity.createdUnix,
    model: identity.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: content === '' && toolCalls.length > 0 ? null : content,
          refusal: null,
          ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
        },
        logprobs: null,
        finish_reason: finishOf(response, toolCalls.length > 0),
      },
    ],
    usage: usageOf(response),
  })
}

function isCall(item: JsonRecord): boolean {
  return item['type'] === 'function_call' || item['type'] === 'custom_tool_call'
}

function callWire(item: JsonRecord) {
  const name = textOf(item['name']) ?? ''
  return item['type'] === 'custom_tool_call'
    ? ({ type: 'custom', custom: { name, input: textOf(item['input']) ?? '' } } as const)
    : ({ type: 'function', function: { name, arguments: textOf(item['arguments']) ?? '{}' } } as const)
}

function isReasoning(item: JsonRecord): boolean {
  return item['type'] === 'reasoning'
}

/** The texts of a reasoning item that people may read. */
export function summaryTexts(item: JsonRecord): readonly string[] {
  return listOf(item['summary']).map((part) => textOf(recordOf(part)?.['text']) ?? '')
}

function messageText(item: JsonRecord): string {
  return listOf(item['content'])
    .map((part) => textOf(recordOf(part)?.['text']) ?? textOf(recordOf(part)?.['refusal']) ?? '')
    .join('')
}

function finishOf(response: JsonRecord, hasCalls: boolean): FinishReason {
  const reason = recordOf(response['incomplete_details'])?.['reason']
  if (response['status'] === 'incomplete') return reason === 'content_filter' ? 'content_filter' : 'length'
  return hasCalls ? 'tool_calls' : 'stop'
}

function usageOf(response: JsonRecord): ChatUsage {
  const usage = recordOf(response['usage']) ?? {}
  const input = recordOf(usage['input_tokens_details']) ?? {}
  const output = recordOf(usage['output_tokens_details']) ?? {}
  return {
    prompt_tokens: numberOf(usage['input_tokens']) ?? 0,
    completion_tokens: numberOf(usage['output_tokens']) ?? 0,
    total_tokens: numberOf(usage['total_tokens']) ?? 0,
    prompt_tokens_details: {
      cached_tokens: numberOf(input['cached_tokens']) ?? 0,
      cache_write_tokens: numberOf(input['cache_write_tokens']) ?? 0,
    },
    completion_tokens_details: { reasoning_tokens: numberOf(output['reasoning_tokens']) ?? 0 },
  }
}

function failureOf(response: JsonRecord): Failure | undefined {
  const error = recordOf(response['error'])
  if (response['status'] !== 'failed' && error === undefined) return undefined
  const code = error?.['code'] === 'rate_limit_exceeded' ? 'rate_limit_exceeded' : 'upstream_error'
  return failure(code, textOf(error?.['message']) ?? 'the compatible endpoint failed')
}

/** Reasoning behind a call comes back with it where it can, and this interface has no other place for it than the id. */
async function callId(item: JsonRecord, reasoning: readonly JsonRecord[], capsules: CapsuleMaker): Promise<string> {
  const id = textOf(item['call_id']) ?? ''
  if (reasoning.length === 0 || capsules.keyring.activeKeyId === undefined) return id
  const capsule = { callId: id, modelId: capsules.modelId, items: reasoning }
  return (await sealItemsCapsule(capsule, capsules.keyring, capsules.mac)) ?? id
}

/** Writes the events of a streamed response as chat completion chunks. */
export class ResponsesAsChatWriter {
  readonly #identity: AnswerIdentity
  readonly #capsules: CapsuleMaker
  readonly #includesUsage: boolean
  readonly #reasoning: JsonRecord[] = []
  #calls = 0
  #isThinking = false
  #isOver = false

  constructor(identity: AnswerIdentity, capsules: CapsuleMaker, includesUsage: boolean) {
    this.#identity = identity
    this.#capsules = capsules
    this.#includesUsage = includesUsage
  }

  isOver(): boolean {
    return this.#isOver
  }

  open(): string {
    return this.#chunk({ role: 'assistant', content: '', refusal: null })
  }

  async accept(sent: ServerSentEvent): Promise<string> {
    const event = recordOf(parseJson(sent.data))
    if (event === undefined || this.#isOver) return ''
    switch (event['type'] ?? sent.event) {
      case 'response.reasoning_summary_text.delta': {
        const opening = this.#isThinking ? '' : this.#chunk({ content: '<think>' })
        this.#isThinking = true
        return opening + this.#chunk({ content: textOf(event['delta']) ?? '' })
      }
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return this.#closeThinking() + this.#chunk({ content: textOf(event['delta']) ?? '' })
      case 'response.output_item.done':
        return this.#item(recordOf(event['item']) ?? {})
      case 'response.completed':
      case 'response.incomplete':
        return this.#end(recordOf(event['response']) ?? {})
      case 'response.failed':
        return this.fail(
          failureOf(recordOf(event['response']) ?? {}) ?? failure('upstream_error', 'the compatible endpoint failed'),
        )
      case 'error':
        return this.fail(failure('upstream_error', textOf(event['message']) ?? 'the compatible endpoint failed'))
      default:
        return ''
    }
  }

  fail(failed: Failure): string {
    this.#isOver = true
    return eventFrame('error', JSON.stringify(errorObject(failed)))
  }

  /** The finished item is the source of truth, so a call goes out in one piece. */
  async #item(item: JsonRecord): Promise<string> {
    if (isReasoning(item)) this.#reasoning.push(item)
    if (!isCall(item)) return ''
    const id = await callId(item, this.#reasoning, this.#capsules)
    const index = this.#calls
    this.#calls += 1
    return this.#closeThinking() + this.#chunk({ tool_calls: [{ index, id, ...callWire(item) }] })
  }

  #end(response: JsonRecord): string {
    this.#isOver = true
    const last = this.#frame(
      [{ index: 0, delta: {}, logprobs: null, finish_reason: finishOf(response, this.#calls > 0) }],
      null,
    )
    const usage = this.#includesUsage ? this.#frame([], usageOf(response)) : ''
    return this.#closeThinking() + last + usage + dataFrame('[DONE]')
  }

  #closeThinking(): string {
    if (!this.#isThinking) return ''
    this.#isThinking = false
    return this.#chunk({ content: '</think>' })
  }

  #chunk(delta: JsonRecord): string {
    return this.#frame([{ index: 0, delta, logprobs: null, finish_reason: null }], null)
  }

  #frame(choices: readonly JsonRecord[], usage: ChatUsage | null): string {
    const { id, createdUnix: created, model } = this.#identity
    const head = { id, object: 'chat.completion.chunk', created, model, choices }
    return dataFrame(JSON.stringify(this.#includesUsage ? { ...head, usage } : head))
  }
}
