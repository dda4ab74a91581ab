import { parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../core/failure.ts'
import { type ConverseEvent, readConverseEvent } from '../core/wire/converse-answer.ts'
import {
  EventStreamDecoder,
  type EventStreamMessage,
  type FrameFault,
  frameFaultWords,
  HeaderBlocks,
} from '../core/wire/event-stream.ts'
import { frameBytesMax, frameHeaderBytesMax } from '../limits.ts'
import type { EventBatches } from '../ports.ts'
import { type ProviderRefusal, readStreamException } from './call-outcome.ts'
import { type AttemptTimer, lost } from './retries.ts'

type Batch = Result<readonly ConverseEvent[], ProviderRefusal>

const textDecoder = new TextDecoder()
const headerBlocks = new HeaderBlocks()
const bounds = { frameBytesMax, headerBytesMax: frameHeaderBytesMax }
const over = { done: true, value: undefined } as const

/**
 * The events of one streamed call, a batch for each piece that its connection brings. Nothing of a batch is kept once it is
 * given out: a generator holds what it gave last for as long as it waits, and of many streams that is most of what a
 * collection of the young heap has to move.
 */
export class ProviderEvents implements EventBatches {
  readonly #pieces: AsyncIterator<Uint8Array>
  readonly #timer: AttemptTimer
  readonly #idleMs: number
  readonly #decoder = new EventStreamDecoder(bounds, headerBlocks)
  #sawAny = false
  #isOver = false
  /** What was read before anybody asked for it. */
  #first: Batch | undefined
  /** What stood behind the events of one piece. */
  #refused: Batch | undefined

  constructor(body: AsyncIterable<Uint8Array>, timer: AttemptTimer, idleMs: number) {
    this.#pieces = body[Symbol.asyncIterator]()
    this.#timer = timer
    this.#idleMs = idleMs
  }

  /** Reads the first batch, which decides: a refusal that comes first can still be repeated and still has a status. */
  async begin(): Promise<Result<undefined, ProviderRefusal>> {
    const first = await this.#read()
    if (first === undefined) {
      return failWith({ failure: failure('upstream_error', 'the provider sent an empty answer'), isRetryable: true })
    }
    if (!first.ok) return first
    this.#first = first
    return succeed(undefined)
  }

  async next(): Promise<IteratorResult<Result<readonly ConverseEvent[], Failure>, undefined>> {
    const first = this.#first
    this.#first = undefined
    const batch = first ?? (await this.#read())
    if (batch === undefined) return over
    return { done: false, value: batch.ok ? batch : failWith(batch.failure.failure) }
  }

  async #read(): Promise<Batch | undefined> {
    const refused = this.#refused
    this.#refused = undefined
    if (refused !== undefined) return refused
    try {
      while (!this.#isOver) {
        const piece = await this.#pieces.next()
        const batch = piece.done === true ? this.#end() : this.#eventsIn(piece.value)
        if (batch !== undefined) return batch
      }
      return undefined
    } catch (cause) {
      return this.#fault({ failure: lost(this.#timer, cause), isRetryable: !this.#sawAny && !this.#timer.hasFired() })
    }
  }

  #end(): Batch | undefined {
    const cut = this.#decoder.end()
    if (cut !== undefined) return this.#broken(cut, false)
    this.#isOver = true
    this.#timer.stop()
    return undefined
  }

  #eventsIn(piece: Uint8Array): Batch | undefined {
    this.#timer.expectNextWithin(this.#idleMs)
    const decoded = this.#decoder.push(piece)
    if (!decoded.ok) return this.#broken(decoded.failure, !this.#sawAny)
    const batch: ConverseEvent[] = []
    for (const message of decoded.value) {
      const { headers, bytes, start, end } = message
      if (headers.get(':message-type') !== 'event') {
        const refused = this.#fault(refusalIn(message))
        if (batch.length === 0) return refused
        this.#refused = refused
        break
      }
      const event = readConverseEvent(headers.get(':event-type') ?? '', bytes, start, end)
      if (event !== undefined) batch.push(event)
    }
    if (batch.length === 0) return undefined
    this.#sawAny = true
    return succeed(batch)
  }

  #broken(why: FrameFault, isRetryable: boolean): Batch {
    return this.#fault({ failure: failure('upstream_error', `broken stream: ${frameFaultWords[why]}`), isRetryable })
  }

  /** Nobody reads on behind a fault, so what is left of the call is given up before it is told. */
  #fault(refusal: ProviderRefusal): Batch {
    this.#isOver = true
    this.#timer.abort()
    return failWith(refusal)
  }
}

/** What a message that is no event says: an exception of the model, or an error of the stream itself. */
function refusalIn({ headers, payload }: EventStreamMessage): ProviderRefusal {
  if (headers.get(':message-type') !== 'exception') {
    return readStreamException(headers.get(':error-code') ?? '', headers.get(':error-message') ?? '')
  }
  const body = recordOf(parseJson(textDecoder.decode(payload)))
  const words = textOf(body?.['originalMessage']) ?? textOf(body?.['message']) ?? ''
  return readStreamException(headers.get(':exception-type') ?? '', words)
}
