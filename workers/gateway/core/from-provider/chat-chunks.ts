import { dataFrame, eventFrame } from '#shared/sse/frame.ts'
import { errorObject } from '../error-object.ts'
import { type Failure, failure } from '../failure.ts'
import { noClientTools } from '../responses/client-tools.ts'
import { CustomInput } from '../responses/custom-input.ts'
import { toolOf } from '../responses/output-items.ts'
import { type ConverseEvent, noUsage, type ProviderUsage } from '../wire/converse-answer.ts'
import type { AnswerWriter } from './answer-writer.ts'
import { type AnswerIdentity, type CapsuleMaker, type ChatToolForm, toolCallId } from './chat-completion.ts'
import { type ChatUsage, chatUsage, estimateTokens } from './chat-usage.ts'
import { type FinishReason, finishReasonOf } from './finish-reason.ts'
import { OpenReasoning } from './open-reasoning.ts'

interface OpenCall {
  readonly index: number
  hasArguments: boolean
  readonly customInput: CustomInput | undefined
}

/** Writes a streamed answer as chat completion chunks. Frames share their head, which is written once. */
export class ChatChunkWriter implements AnswerWriter {
  readonly #head: string
  readonly #contentHead: string
  readonly #tail: string
  readonly #contentTail: string
  readonly #plainHead: string
  readonly #plainTail: string
  readonly #capsules: CapsuleMaker
  readonly #includesUsage: boolean
  readonly #reasoning = new OpenReasoning()
  readonly #toolCalls = new Map<number, OpenCall>()
  readonly #form: ChatToolForm
  readonly #index: number
  #isThinking = false
  #finish: FinishReason | undefined
  #usage: ProviderUsage | undefined
  #failure: Failure | undefined

  constructor(
    identity: AnswerIdentity,
    capsules: CapsuleMaker,
    includesUsage: boolean,
    form: ChatToolForm = { clientTools: noClientTools, asFunctions: false },
    index = 0,
  ) {
    this.#capsules = capsules
    this.#includesUsage = includesUsage
    this.#form = form
    this.#index = index
    const { id, createdUnix: created, model } = identity
    const shared = JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1)
    this.#head = `data: ${shared},"choices":[`
    this.#contentHead = `${this.#head}{"index":${index},"delta":{"content":`
    this.#tail = includesUsage ? '],"usage":null}\n\n' : ']}\n\n'
    this.#contentTail = `},"logprobs":null,"finish_reason":null}${this.#tail}`
    this.#plainHead = `${this.#contentHead}"`
    this.#plainTail = `"${this.#contentTail}`
  }

  open(): string {
    return this.#chunk('{"role":"assistant","content":"","refusal":null}')
  }

  accept(event: ConverseEvent): string | Promise<string> {
    switch (event.kind) {
      case 'text':
        return this.#closeThinking() + (event.isPlain === true ? this.#plain(event.text) : this.#content(event.text))
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
    return this.finish(finish) + (this.#includesUsage ? this.usageChunk(this.usage()) : '') + dataFrame('[DONE]')
  }

  /** The last chunk of the choice, without what ends the whole answer. */
  finish(finish = this.#finish ?? 'stop'): string {
    const told = finish === 'tool_calls' && this.#form.asFunctions ? 'function_call' : finish
    const last = `{"index":${this.#index},"delta":{},"logprobs":null,"finish_reason":"${told}"}`
    return this.#closeThinking() + this.#head + last + this.#tail
  }

  usage(): ChatUsage {
    return chatUsage(this.#usage ?? noUsage, estimateTokens(this.#reasoning.characters))
  }

  usageChunk(usage: ChatUsage): string {
    return `${this.#head}],"usage":${JSON.stringify(usage)}}\n\n`
  }

  fail(failed: Failure): string {
    return eventFrame('error', JSON.stringify(errorObject(failed)))
  }

  #chunk(delta: string): string {
    return `${this.#head}{"index":${this.#index},"delta":${delta},"logprobs":null,"finish_reason":null}${this.#tail}`
  }

  #content(text: string): string {
    return this.#contentHead + JSON.stringify(text) + this.#contentTail
  }

  /** The same without asking what has to be escaped. */
  #plain(text: string): string {
    return this.#plainHead + text + this.#plainTail
  }

  #closeThinking(): string {
    if (!this.#isThinking) return ''
    this.#isThinking = false
    return this.#content('</think>')
  }

  async #toolStart(block: number, id: string, name: string): Promise<string> {
    const wireId = await toolCallId(id, this.#reasoning.blocks(), this.#capsules)
    const index = this.#toolCalls.size
    const tool = toolOf(this.#form.clientTools, name)
    const told = tool?.name ?? name
    const customInput = tool?.kind === 'custom' ? new CustomInput() : undefined
    this.#toolCalls.set(block, { index, hasArguments: false, customInput })
    const called = { name: told, arguments: '' }
    if (this.#form.asFunctions) {
      return this.#closeThinking() + this.#chunk(JSON.stringify({ function_call: called }))
    }
    const call =
      customInput === undefined
        ? { index, id: wireId, type: 'function', function: called }
        : { index, id: wireId, type: 'custom', custom: { name: told, input: '' } }
    return this.#closeThinking() + this.#chunk(`{"tool_calls":[${JSON.stringify(call)}]}`)
  }

  #toolArguments(block: number, json: string): string {
    const call = this.#toolCalls.get(block)
    if (call === undefined || json === '') return ''
    call.hasArguments = true
    if (call.customInput !== undefined) {
      const input = call.customInput.accept(json)
      if (input === '') return ''
      return this.#chunk(`{"tool_calls":[{"index":${call.index},"custom":{"input":${JSON.stringify(input)}}}]}`)
    }
    if (this.#form.asFunctions) return this.#chunk(`{"function_call":{"arguments":${JSON.stringify(json)}}}`)
    return this.#chunk(`{"tool_calls":[{"index":${call.index},"function":{"arguments":${JSON.stringify(json)}}}]}`)
  }

  /** A tool without parameters is called with no input at all; clients expect a JSON object. */
  #finishArguments(block: number): string {
    const call = this.#toolCalls.get(block)
    return call === undefined || call.hasArguments ? '' : this.#toolArguments(block, '{}')
  }
}
