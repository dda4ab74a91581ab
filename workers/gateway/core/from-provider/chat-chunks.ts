import { dataFrame, eventFrame } from '#shared/sse/frame.ts'
import { errorObject } from '../error-object.ts'
import { type Failure, failure } from '../failure.ts'
import { type ConverseEvent, noUsage, type ProviderUsage } from '../wire/converse-answer.ts'
import type { AnswerWriter } from './answer-writer.ts'
import { type AnswerIdentity, type CapsuleMaker, toolCallId } from './chat-completion.ts'
import { chatUsage, estimateTokens } from './chat-usage.ts'
import { type FinishReason, finishReasonOf } from './finish-reason.ts'
import { OpenReasoning } from './open-reasoning.ts'

/** Writes a streamed answer as chat completion chunks. Frames share their head, which is written once. */
export class ChatChunkWriter implements AnswerWriter {
  readonly #head: string
  readonly #contentHead: string
  readonly #tail: string
  readonly #contentTail: string
  readonly #capsules: CapsuleMaker
  readonly #includesUsage: boolean
  readonly #reasoning = new OpenReasoning()
  readonly #toolCalls = new Map<number, { readonly index: number; hasArguments: boolean }>()
  #isThinking = false
  #finish: FinishReason | undefined
  #usage: ProviderUsage | undefined
  #failure: Failure | undefined

  constructor(identity: AnswerIdentity, capsules: CapsuleMaker, includesUsage: boolean) {
    this.#capsules = capsules
    this.#includesUsage = includesUsage
    const { id, createdUnix: created, model } = identity
    const shared = JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1)
    this.#head = `data: ${shared},"choices":[`
    this.#contentHead = `${this.#head}{"index":0,"delta":{"content":`
    this.#tail = includesUsage ? '],"usage":null}\n\n' : ']}\n\n'
    this.#contentTail = `},"logprobs":null,"finish_reason":null}${this.#tail}`
  }

  open(): string {
    return this.#chunk('{"role":"assistant","content":"","refusal":null}')
  }

  accept(event: ConverseEvent): string | Promise<string> {
    switch (event.kind) {
      case 'text':
        return this.#closeThinking() + this.#content(event.text)
      case 'toolInput':
        return this.#toolArguments(event.block, event.json)
      case 'reasoningText': {
        this.#reasoning.accept(event)
        const opening = this.#isThinking ? '' : this.#content('<think>')
        this.#isThinking = true
        return opening + this.#content(event.text)
      }
      case 'reasoningSignature':
      case 'reasoningRedacted':
        this.#reasoning.accept(event)
        return ''
      case 'blockStop':
        this.#reasoning.accept(event)
        return this.#finishArguments(event.block)
      case 'toolStart':
        return this.#toolStart(event.block, event.id, event.name)
      case 'stop': {
        const finish = finishReasonOf(event.stopReason)
        if (!finish.ok) this.#failure = finish.failure
        else this.#finish = finish.value
        return ''
      }
      case 'metadata':
        this.#usage = event.usage
        return ''
      case 'start':
        return ''
    }
  }

  isComplete(): boolean {
    return this.#finish !== undefined && this.#usage !== undefined
  }

  revealedFailure(): Failure | undefined {
    return this.#failure
  }

  end(): string {
    const finish = this.#finish
    if (finish === undefined) return this.fail(failure('upstream_error', 'the provider ended the answer early'))
    const last = `${this.#head}{"index":0,"delta":{},"logprobs":null,"finish_reason":"${finish}"}${this.#tail}`
    return this.#closeThinking() + last + this.#usageChunk() + dataFrame('[DONE]')
  }

  fail(failed: Failure): string {
    return eventFrame('error', JSON.stringify(errorObject(failed)))
  }

  #usageChunk(): string {
    if (!this.#includesUsage) return ''
    const usage = chatUsage(this.#usage ?? noUsage, estimateTokens(this.#reasoning.characters))
    return `${this.#head}],"usage":${JSON.stringify(usage)}}\n\n`
  }

  #chunk(delta: string): string {
    return `${this.#head}{"index":0,"delta":${delta},"logprobs":null,"finish_reason":null}${this.#tail}`
  }

  #content(text: string): string {
    return this.#contentHead + JSON.stringify(text) + this.#contentTail
  }

  #closeThinking(): string {
    if (!this.#isThinking) return ''
    this.#isThinking = false
    return this.#content('</think>')
  }

  async #toolStart(block: number, id: string, name: string): Promise<string> {
    const reasoning = this.#reasoning.blocks()
    if (this.#capsules.keyring.activeKeyId !== undefined && this.#reasoning.isUnsigned()) {
      this.#failure = failure(
        'upstream_error',
        'the model reasoned without signing it, so its tool call cannot be continued',
      )
      return ''
    }
    const wireId = await toolCallId(id, reasoning, this.#capsules)
    if (!wireId.ok) {
      this.#failure = wireId.failure
      return ''
    }
    const index = this.#toolCalls.size
    this.#toolCalls.set(block, { index, hasArguments: false })
    const call = { index, id: wireId.value, type: 'function', function: { name, arguments: '' } }
    return this.#closeThinking() + this.#chunk(`{"tool_calls":[${JSON.stringify(call)}]}`)
  }

  #toolArguments(block: number, json: string): string {
    const call = this.#toolCalls.get(block)
    if (call === undefined || json === '') return ''
    call.hasArguments = true
    return this.#chunk(`{"tool_calls":[{"index":${call.index},"function":{"arguments":${JSON.stringify(json)}}}]}`)
  }

  /** A tool without parameters is called with no input at all; clients expect a JSON object. */
  #finishArguments(block: number): string {
    const call = this.#toolCalls.get(block)
    return call === undefined || call.hasArguments ? '' : this.#toolArguments(block, '{}')
  }
}
