import type { JsonRecord } from '#shared/kernel/json-record.ts'
import { eventFrame } from '#shared/sse/frame.ts'
import { type Failure, failure, streamFailureCode } from '../failure.ts'
import type { AnswerWriter } from '../from-provider/answer-writer.ts'
import type { AnswerIdentity } from '../from-provider/chat-completion.ts'
import { estimateTokens } from '../from-provider/chat-usage.ts'
import { type FinishReason, finishReasonOf } from '../from-provider/finish-reason.ts'
import { OpenReasoning } from '../from-provider/open-reasoning.ts'
import { type ConverseEvent, noUsage, type ProviderUsage } from '../wire/converse-answer.ts'
import type { ClientTool, ClientTools } from './client-tools.ts'
import { CustomInput } from './custom-input.ts'
import {
  inputOf,
  isShownWhole,
  itemIdPrefix,
  messageItem,
  type OutputItem,
  outputText,
  reasoningItem,
  summaryText,
  toolCallItem,
  toolOf,
} from './output-items.ts'
import { type EchoedRequest, type Ending, endingOf, responseObject, responseUsage } from './response-object.ts'

export interface ResponseWriterParts {
  readonly identity: AnswerIdentity
  readonly echoed: EchoedRequest
  readonly clientTools: ClientTools
  /** The foundation model, to which reasoning sent back belongs. */
  readonly modelId: string
  readonly includesEnvelope: boolean
  /** A new item id with the prefix of its kind. */
  readonly newItemId: (prefix: string) => string
  /** Called when the answer is whole, with its items in the form in which they can go back. */
  readonly onFinished?: (response: JsonRecord, items: readonly JsonRecord[]) => void
}

interface OpenMessage {
  readonly kind: 'message'
  readonly id: string
  readonly index: number
  text: string
}
interface OpenThought {
  readonly kind: 'reasoning'
  readonly id: string
  readonly index: number
  readonly reasoning: OpenReasoning
  text: string
}
interface OpenCall {
  readonly kind: 'call'
  readonly id: string
  /** Undefined while the item is not shown yet. */
  index: number | undefined
  readonly callId: string
  readonly providerName: string
  readonly tool: ClientTool | undefined
  readonly customInput: CustomInput | undefined
  shownInput: string
  json: string
}
type OpenItem = OpenMessage | OpenThought | OpenCall

/**
 * Writes a streamed answer as the typed events of the responses interface. Every item that is added is also done, in
 * the order of the blocks; a call whose input was cut is never called complete.
 */
export class ResponseEventWriter implements AnswerWriter {
  readonly #parts: ResponseWriterParts
  readonly #open = new Map<number, OpenItem>()
  readonly #output: (OutputItem | undefined)[] = []
  readonly #kept: JsonRecord[] = []
  #sequence = 0
  #reasoningCharacters = 0
  #finish: FinishReason | undefined
  #usage: ProviderUsage | undefined
  #failure: Failure | undefined

  constructor(parts: ResponseWriterParts) {
    this.#parts = parts
  }

  open(): string {
    const response = this.#response({ status: 'in_progress' })
    return this.#event('response.created', { response }) + this.#event('response.in_progress', { response })
  }

  accept(event: ConverseEvent): string {
    switch (event.kind) {
      case 'text':
        return this.#text(event.block, event.text)
      case 'reasoningText':
      case 'reasoningSignature':
      case 'reasoningRedacted':
        return this.#thought(event)
      case 'toolStart':
        return this.#callStart(event.block, event.id, event.name)
      case 'toolInput':
        return this.#callInput(event.block, event.json)
      case 'blockStop':
        return this.#blockStop(event.block)
      case 'stop':
        return this.#stop(event.stopReason)
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
    if (this.#finish === undefined) return this.fail(failure('upstream_error', 'the provider ended the answer early'))
    const ending = endingOf(this.#finish)
    const closing = [...this.#open.keys()].map((block) => this.#close(block, ending)).join('')
    const response = this.#response(ending)
    this.#parts.onFinished?.(response, this.#kept)
    return closing + this.#event(`response.${ending.status}`, { response })
  }

  fail(failed: Failure): string {
    const ending = { status: 'failed', code: streamFailureCode(failed), message: failed.message } as const
    return this.#event('response.failed', { response: this.#response(ending) })
  }

  /** The finished object of an answer that was not streamed. */
  finished(): JsonRecord {
    return this.#response(endingOf(this.#finish ?? 'stop'))
  }

  #response(ending: Ending): JsonRecord {
    const { identity, echoed } = this.#parts
    const isOver = ending.status === 'completed' || ending.status === 'incomplete'
    const usage = isOver ? responseUsage(this.#usage ?? noUsage, estimateTokens(this.#reasoningCharacters)) : undefined
    const output = this.#output.filter((item) => item !== undefined)
    return responseObject(identity, echoed, ending, output, usage)
  }

  #event(type: string, content: JsonRecord): string {
    const sequence_number = this.#sequence
    this.#sequence += 1
    return eventFrame(type, JSON.stringify({ type, sequence_number, ...content }))
  }

  #nextIndex(): number {
    return this.#output.push(undefined) - 1
  }

  #added(index: number, item: OutputItem): string {
    return this.#event('response.output_item.added', { output_index: index, item })
  }

  #done(index: number, item: OutputItem, kept: JsonRecord = item): string {
    this.#output[index] = item
    this.#kept.push(kept)
    return this.#event('response.output_item.done', { output_index: index, item })
  }

  #text(block: number, text: string): string {
    const found = this.#open.get(block)
    if (found !== undefined && found.kind !== 'message') return ''
    const opening = found === undefined ? this.#openMessage(block) : ''
    const message = this.#open.get(block)
    if (message?.kind !== 'message') return opening
    message.text += text
    return opening + this.#event('response.output_text.delta', { ...contentPlace(message), delta: text, logprobs: [] })
  }

  #openMessage(block: number): string {
    const message: OpenMessage = {
      kind: 'message',
      id: this.#parts.newItemId('msg_'),
      index: this.#nextIndex(),
      text: '',
    }
    this.#open.set(block, message)
    const part = outputText('')
    return (
      this.#added(message.index, messageItem(message.id, '', 'in_progress')) +
      this.#event('response.content_part.added', { ...contentPlace(message), part })
    )
  }

  #thought(
    event: Extract<ConverseEvent, { kind: 'reasoningText' | 'reasoningSignature' | 'reasoningRedacted' }>,
  ): string {
    let opening = ''
    let thought = this.#open.get(event.block)
    if (thought === undefined) {
      thought = {
        kind: 'reasoning',
        id: this.#parts.newItemId('rs_'),
        index: this.#nextIndex(),
        reasoning: new OpenReasoning(),
        text: '',
      }
      this.#open.set(event.block, thought)
      opening = this.#added(thought.index, { id: thought.id, type: 'reasoning', summary: [] })
    }
    if (thought.kind !== 'reasoning') return opening
    thought.reasoning.accept(event)
    if (event.kind !== 'reasoningText' || event.text === '') return opening
    const place = summaryPlace(thought)
    const part =
      thought.text === ''
        ? this.#event('response.reasoning_summary_part.added', { ...place, part: summaryText('') })
        : ''
    thought.text += event.text
    this.#reasoningCharacters += event.text.length
    return opening + part + this.#event('response.reasoning_summary_text.delta', { ...place, delta: event.text })
  }

  #callStart(block: number, callId: string, providerName: string): string {
    const tool = toolOf(this.#parts.clientTools, providerName)
    const call: OpenCall = {
      kind: 'call',
      id: this.#parts.newItemId(itemIdPrefix(tool)),
      index: undefined,
      callId,
      providerName,
      tool,
      customInput: tool?.kind === 'custom' ? new CustomInput() : undefined,
      shownInput: '',
      json: '',
    }
    this.#open.set(block, call)
    return isShownWhole(tool) ? '' : this.#showCall(call)
  }

  #showCall(call: OpenCall): string {
    call.index = this.#nextIndex()
    return this.#added(call.index, toolCallItem(call, 'in_progress'))
  }

  #callInput(block: number, json: string): string {
    const call = this.#open.get(block)
    if (call?.kind !== 'call' || json === '') return ''
    call.json += json
    if (call.index === undefined) return ''
    const place = { item_id: call.id, output_index: call.index }
    if (call.customInput === undefined) {
      return this.#event('response.function_call_arguments.delta', { ...place, delta: json })
    }
    const delta = call.customInput.accept(json)
    call.shownInput += delta
    return delta === '' ? '' : this.#event('response.custom_tool_call_input.delta', { ...place, delta })
  }

  #blockStop(block: number): string {
    const item = this.#open.get(block)
    // A call that was cut is closed when it is known why the answer ended.
    if (item === undefined || (item.kind === 'call' && inputOf(item.json) === undefined)) return ''
    return this.#close(block, { status: 'completed' })
  }

  #stop(stopReason: string): string {
    const finish = finishReasonOf(stopReason)
    if (!finish.ok) this.#failure = finish.failure
    else this.#finish = finish.value
    if (this.#finish === 'stop' || this.#finish === 'tool_calls') {
      const isCut = [...this.#open.values()].some((item) => item.kind === 'call' && inputOf(item.json) === undefined)
      if (isCut) this.#failure = failure('upstream_error', 'the model called a tool with malformed input')
    }
    return ''
  }

  #close(block: number, ending: Ending): string {
    const item = this.#open.get(block)
    this.#open.delete(block)
    const status = ending.status === 'incomplete' ? 'incomplete' : 'completed'
    if (item?.kind === 'message') return this.#closeMessage(item, status)
    if (item?.kind === 'reasoning') return this.#closeThought(item)
    if (item?.kind !== 'call') return ''
    return this.#closeCall(item, inputOf(item.json) === undefined ? 'incomplete' : status)
  }

  #closeMessage(message: OpenMessage, status: 'completed' | 'incomplete'): string {
    const place = contentPlace(message)
    return (
      this.#event('response.output_text.done', { ...place, text: message.text, logprobs: [] }) +
      this.#event('response.content_part.done', { ...place, part: outputText(message.text) }) +
      this.#done(message.index, messageItem(message.id, message.text, status))
    )
  }

  #closeThought(thought: OpenThought): string {
    const { modelId, includesEnvelope } = this.#parts
    const place = summaryPlace(thought)
    const summary =
      thought.text === ''
        ? ''
        : this.#event('response.reasoning_summary_text.done', { ...place, text: thought.text }) +
          this.#event('response.reasoning_summary_part.done', { ...place, part: summaryText(thought.text) })
    const blocks = thought.reasoning.blocks()
    const item = (isWhole: boolean) => reasoningItem(thought.id, thought.text, blocks, modelId, isWhole)
    return summary + this.#done(thought.index, item(includesEnvelope), item(true))
  }

  #closeCall(call: OpenCall, status: 'completed' | 'incomplete'): string {
    // A cut call that was never shown has nothing a client could use.
    if (call.index === undefined && status === 'incomplete') return ''
    const item = toolCallItem(call, status)
    if (isShownWhole(call.tool)) {
      const opening = this.#showCall(call)
      return call.index === undefined ? opening : opening + this.#done(call.index, item)
    }
    if (call.index === undefined) return ''
    const place = { item_id: call.id, output_index: call.index }
    if (call.customInput !== undefined) {
      const input = String(item['input'])
      // The input came in another order than expected and could not be shown while it arrived.
      const rest = input.startsWith(call.shownInput) ? input.slice(call.shownInput.length) : ''
      const delta = rest === '' ? '' : this.#event('response.custom_tool_call_input.delta', { ...place, delta: rest })
      return (
        delta + this.#event('response.custom_tool_call_input.done', { ...place, input }) + this.#done(call.index, item)
      )
    }
    const args = String(item['arguments'])
    const missing =
      call.json === '' ? this.#event('response.function_call_arguments.delta', { ...place, delta: args }) : ''
    return (
      missing +
      this.#event('response.function_call_arguments.done', { ...place, name: String(item['name']), arguments: args }) +
      this.#done(call.index, item)
    )
  }
}

function contentPlace(message: OpenMessage): JsonRecord {
  return { item_id: message.id, output_index: message.index, content_index: 0 }
}

function summaryPlace(thought: OpenThought): JsonRecord {
  return { item_id: thought.id, output_index: thought.index, summary_index: 0 }
}
