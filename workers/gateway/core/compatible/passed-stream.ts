import { type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { dataFrame, eventFrame } from '#shared/sse/frame.ts'
import { ServerSentDecoder } from '#shared/sse/server-sent-decode.ts'
import { errorObject } from '../error-object.ts'
import { failure } from '../failure.ts'
import { messageError } from '../messages/message-error.ts'

/** Looks along at a stream that is passed on unchanged, to know how it must be ended. */
export interface PassedStreamWatch {
  /** False when the stream must not go on: it holds an event past all bounds. */
  look(chunk: Uint8Array): boolean
  /** What is missing at the end of the stream; empty for a stream that ended by itself. */
  closing(): string
  /** A comment may only stand between two frames. */
  isBetweenFrames(): boolean
}

const cutOff = failure('upstream_error', 'the provider ended the answer early')
const lineFeed = 0x0a

abstract class Watch implements PassedStreamWatch {
  readonly #decoder: ServerSentDecoder
  #isBetween = true

  constructor(eventCharactersMax: number) {
    this.#decoder = new ServerSentDecoder(eventCharactersMax)
  }

  look(chunk: Uint8Array): boolean {
    if (chunk.length === 0) return true
    this.#isBetween = chunk.at(-1) === lineFeed && chunk.at(-2) === lineFeed
    const events = this.#decoder.push(chunk)
    for (const event of events.ok ? events.value : []) this.see(event.data)
    return events.ok
  }

  isBetweenFrames(): boolean {
    return this.#isBetween
  }

  closing(): string {
    const missing = this.missing()
    return missing === '' || this.#isBetween ? missing : `\n\n${missing}`
  }

  protected abstract see(data: string): void
  protected abstract missing(): string
}

/** Some models end their chat stream without its last frame. */
export class PassedChatWatch extends Watch {
  #isDone = false
  #isFinished = false

  protected override see(data: string): void {
    if (data === '[DONE]') this.#isDone = true
    const event = recordOf(parseJson(data))
    if (event?.['error'] !== undefined && event['error'] !== null) this.#isDone = true
    if (listOf(event?.['choices']).some((choice) => textOf(recordOf(choice)?.['finish_reason']) !== undefined)) {
      this.#isFinished = true
    }
  }

  protected override missing(): string {
    if (this.#isDone) return ''
    return this.#isFinished ? dataFrame('[DONE]') : eventFrame('error', JSON.stringify(errorObject(cutOff)))
  }
}

/** A stream of the messages dialect, which ends with an event of its own or an error. */
export class PassedMessagesWatch extends Watch {
  #isOver = false

  protected override see(data: string): void {
    const type = textOf(recordOf(parseJson(data))?.['type'])
    if (type === 'message_stop' || type === 'error') this.#isOver = true
  }

  protected override missing(): string {
    return this.#isOver ? '' : eventFrame('error', JSON.stringify(messageError(cutOff, undefined)))
  }
}

const lastEvents = ['response.completed', 'response.incomplete', 'response.failed', 'error']

export class PassedResponsesWatch extends Watch {
  #response: JsonRecord = {}
  #sequence = -1
  #isOver = false

  protected override see(data: string): void {
    const event = recordOf(parseJson(data))
    if (event === undefined) return
    this.#sequence = numberOf(event['sequence_number']) ?? this.#sequence
    this.#response = recordOf(event['response']) ?? this.#response
    if (lastEvents.includes(textOf(event['type']) ?? '')) this.#isOver = true
  }

  protected override missing(): string {
    if (this.#isOver) return ''
    const error = { code: 'server_is_overloaded', message: cutOff.message }
    const response = { ...this.#response, status: 'failed', error }
    const type = 'response.failed'
    return eventFrame(type, JSON.stringify({ type, sequence_number: this.#sequence + 1, response }))
  }
}
