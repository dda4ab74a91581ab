import type { JsonRecord } from '#shared/kernel/json-record.ts'
import { eventFrame } from '#shared/sse/frame.ts'
import { type Failure, failure } from '../failure.ts'
import type { AnswerWriter } from '../from-provider/answer-writer.ts'
import type { AnswerIdentity } from '../from-provider/chat-completion.ts'
import type { ClientTools } from '../responses/client-tools.ts'
import { type ConverseEvent, noUsage, type ProviderUsage } from '../wire/converse-answer.ts'
import { messageError } from './message-error.ts'
import { messageCounts, messageObject, stopReasonOf, toolUseBlock } from './message-object.ts'

/** Writes a streamed answer as the events of the messages dialect. The provider counts tokens last, and so does this. */
export class MessageEventWriter implements AnswerWriter {
  readonly #identity: AnswerIdentity
  readonly #clientTools: ClientTools
  /** Numbers of the blocks that are open. */
  readonly #open = new Map<number, number>()
  #blocks = 0
  #stopReason: string | undefined
  #usage: ProviderUsage | undefined
  #failure: Failure | undefined
  /** A signature without words, until something follows it: clients take the last block for what was said. */
  #held: { readonly event: Extract<ConverseEvent, { kind: 'reasoningSignature' }>; isOver: boolean } | undefined

  constructor(identity: AnswerIdentity, clientTools: ClientTools) {
    this.#identity = identity
    this.#clientTools = clientTools
  }

  open(): string {
    const message = messageObject(this.#identity, [], null, noUsage)
    return this.#event('message_start', { message }) + this.#event('ping', {})
  }

  accept(event: ConverseEvent): string {
    return (opensBlock.has(event.kind) ? this.#released() : '') + this.#written(event)
  }

  #written(event: ConverseEvent): string {
    switch (event.kind) {
      case 'text':
        return this.#delta(event.block, openText, { type: 'text_delta', text: event.text })
      case 'reasoningText':
        return this.#delta(event.block, openThinking, { type: 'thinking_delta', thinking: event.text })
      case 'reasoningSignature':
        if (this.#open.has(event.block)) return this.#signature(event)
        this.#held = { event, isOver: false }
        return ''
      case 'reasoningRedacted':
        return this.#start(event.block, { type: 'redacted_thinking', data: event.data })
      case 'toolStart':
        return this.#start(event.block, toolUseBlock(event.id, event.name, {}, this.#clientTools))
      case 'toolInput':
        return event.json === ''
          ? ''
          : this.#delta(event.block, {}, { type: 'input_json_delta', partial_json: event.json })
      case 'blockStop':
        if (this.#held?.event.block === event.block) this.#held.isOver = true
        return this.#stop(event.block)
      case 'stop': {
        const stopReason = stopReasonOf(event.stopReason)
        if (stopReason.ok) this.#stopReason = stopReason.value
        else this.#failure = stopReason.failure
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
    return this.#stopReason !== undefined && this.#usage !== undefined
  }

  revealedFailure(): Failure | undefined {
    return this.#failure
  }

  end(): string {
    if (this.#stopReason === undefined) {
      return this.fail(failure('upstream_error', 'the provider ended the answer early'))
    }
    const delta = { stop_reason: this.#stopReason, stop_sequence: null, stop_details: null, container: null }
    return (
      [...this.#open.keys()].map((block) => this.#stop(block)).join('') +
      this.#event('message_delta', { delta, usage: messageCounts(this.#usage ?? noUsage) }) +
      this.#event('message_stop', {})
    )
  }

  fail(failed: Failure): string {
    return eventFrame('error', JSON.stringify(messageError(failed, undefined)))
  }

  #released(): string {
    const held = this.#held
    if (held === undefined) return ''
    this.#held = undefined
    return this.#signature(held.event) + (held.isOver ? this.#stop(held.event.block) : '')
  }

  #signature({ block, signature }: Extract<ConverseEvent, { kind: 'reasoningSignature' }>): string {
    return this.#delta(block, openThinking, { type: 'signature_delta', signature })
  }

  #event(type: string, content: JsonRecord): string {
    return eventFrame(type, JSON.stringify({ type, ...content }))
  }

  #start(block: number, content: JsonRecord): string {
    const index = this.#blocks
    this.#blocks += 1
    this.#open.set(block, index)
    return this.#event('content_block_start', { index, content_block: content })
  }

  #delta(block: number, content: JsonRecord, delta: JsonRecord): string {
    const opening = this.#open.has(block) ? '' : this.#start(block, content)
    return opening + this.#event('content_block_delta', { index: this.#open.get(block), delta })
  }

  #stop(block: number): string {
    const index = this.#open.get(block)
    this.#open.delete(block)
    return index === undefined ? '' : this.#event('content_block_stop', { index })
  }
}

const opensBlock: ReadonlySet<ConverseEvent['kind']> = new Set([
  'text',
  'reasoningText',
  'reasoningRedacted',
  'toolStart',
])
const openText = { type: 'text', text: '' }
const openThinking: JsonRecord = { type: 'thinking', thinking: '', signature: '' }
