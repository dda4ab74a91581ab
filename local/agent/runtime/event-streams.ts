/**
 * The two event streams. A session's stream replays the log and follows it: the replay reads pages until one is empty
 * and subscribes in the same turn of the event loop, so that no commit can fall in between. Both wait for their reader.
 */
import type { LoggedEvent } from '#shared/event-log/event-log.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { BoundedSubscriber } from '#shared/sse/bounded-subscriber.ts'
import { commentFrame, dataFrame, eventFrame } from '#shared/sse/frame.ts'
import { formatEventCursor } from '../core/cursor.ts'
import { type Failure, failure } from '../core/failure.ts'
import { heartbeatMs, replayPageEvents, subscriberBytesMax, subscriberEventsMax, subscribersMax } from '../limits.ts'
import type { Streams } from '../ports.ts'
import type { Identifiers } from './identifiers.ts'
import type { SessionStore } from './session-store.ts'

export interface StreamBounds {
  readonly heartbeatMs: number
  readonly subscribersMax: number
  readonly itemsMax: number
  readonly bytesMax: number
}

export const defaultStreamBounds: StreamBounds = {
  heartbeatMs,
  subscribersMax,
  itemsMax: subscriberEventsMax,
  bytesMax: subscriberBytesMax,
}

export interface LiveEvent {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly directory?: string | undefined
}

/** Bytes, made once for all who follow: with many of them that is most of what an event costs. */
type Frame = Uint8Array

interface DurableFrame {
  readonly seq: number
  readonly frame: Frame
}

const encoder = new TextEncoder()
const heartbeat = encoder.encode(commentFrame('heartbeat'))
const connected = encoder.encode(commentFrame('connected'))

function joined(frames: readonly Frame[]): Frame {
  const [only] = frames
  return only !== undefined && frames.length === 1 ? only : Buffer.concat(frames)
}

export class EventStreams implements Streams {
  readonly #store: SessionStore
  readonly #ids: Identifiers
  readonly #bounds: StreamBounds
  readonly #ofProcess = new Set<BoundedSubscriber<Frame>>()
  readonly #ofSession = new Map<string, Set<BoundedSubscriber<DurableFrame>>>()
  #open = 0

  constructor(store: SessionStore, ids: Identifiers, bounds: StreamBounds = defaultStreamBounds) {
    this.#store = store
    this.#ids = ids
    this.#bounds = bounds
    store.onCommit((events, record) => this.#publish(events, record.location.directory))
  }

  /** Sends something that is not stored, after what was stored before it: only the process stream carries it. */
  notify(event: LiveEvent): void {
    if (this.#ofProcess.size > 0) this.#store.settling.tell(() => this.#notify(event))
  }

  #notify(event: LiveEvent): void {
    const location = event.directory === undefined ? {} : { location: { directory: event.directory } }
    const data = JSON.stringify({ id: this.#ids.make('event'), type: event.type, data: event.data, ...location })
    const frame = encoder.encode(dataFrame(data))
    for (const subscriber of this.#ofProcess) subscriber.offer(frame)
  }

  /** Ends the streams of a session that is no more. */
  endSession(sessionId: string): void {
    for (const subscriber of this.#ofSession.get(sessionId) ?? []) subscriber.close()
  }

  /** Ends every stream, after what is queued in it. */
  close(): void {
    for (const subscriber of this.#ofProcess) subscriber.close()
    for (const subscribers of this.#ofSession.values()) for (const subscriber of subscribers) subscriber.close()
  }

  process(): Result<ReadableStream<Uint8Array>, Failure> {
    if (this.#open >= this.#bounds.subscribersMax) return tooMany
    const subscriber = new BoundedSubscriber<Frame>(this.#bounds, (frame) => frame.length)
    this.#ofProcess.add(subscriber)
    return succeed(
      this.#stream(
        this.#followProcess(subscriber),
        () => subscriber.close(),
        () => this.#ofProcess.delete(subscriber),
      ),
    )
  }

  session(sessionId: string, after: number | undefined): Result<ReadableStream<Uint8Array>, Failure> {
    if (after !== undefined && after > this.#store.newestSeq(sessionId)) {
      return failWith(failure('invalid_event_request', { kind: 'cursor_beyond' }, { kind: 'cursor' }))
    }
    if (this.#open >= this.#bounds.subscribersMax) return tooMany
    const subscriber = new BoundedSubscriber<DurableFrame>(this.#bounds, (item) => item.frame.length)
    return succeed(
      this.#stream(
        this.#followSession(sessionId, after ?? -1, subscriber),
        () => subscriber.close(),
        () => this.#forget(sessionId, subscriber),
      ),
    )
  }

  async *#followProcess(subscriber: BoundedSubscriber<Frame>): AsyncGenerator<Frame> {
    yield encoder.encode(dataFrame(JSON.stringify({ id: this.#ids.make('event'), type: 'server.connected', data: {} })))
    for (;;) {
      const taken = await subscriber.take(this.#bounds.heartbeatMs)
      if (taken.kind === 'closed') return
      if (taken.kind === 'lagged') {
        yield this.#laggedFrame({ dropped: taken.dropped, action: 'reconnect' })
        return
      }
      yield taken.kind === 'quiet' ? heartbeat : joined(taken.items)
    }
  }

  async *#followSession(
    sessionId: string,
    after: number,
    subscriber: BoundedSubscriber<DurableFrame>,
  ): AsyncGenerator<Frame> {
    let last = after
    // The comment opens the stream at once, also when there is nothing to replay.
    yield connected
    for (;;) {
      const page = this.#store.events(sessionId, {
        after: last,
        upTo: Number.MAX_SAFE_INTEGER,
        limit: replayPageEvents,
      })
      const newest = page.at(-1)
      if (newest === undefined) {
        const subscribers = this.#ofSession.get(sessionId) ?? new Set()
        this.#ofSession.set(sessionId, subscribers.add(subscriber))
        break
      }
      last = newest.seq
      // What was read may be published by this: there is no subscriber yet.
      this.#store.settling.settle()
      yield encoder.encode(page.map((event) => durableFrame(event)).join(''))
    }
    for (;;) {
      const taken = await subscriber.take(this.#bounds.heartbeatMs)
      if (taken.kind === 'closed') return
      if (taken.kind === 'lagged') {
        const lastCursor = last < 0 ? null : formatEventCursor(sessionId, last)
        yield this.#laggedFrame({ sessionID: sessionId, dropped: taken.dropped, lastCursor, action: 'reconnect' })
        return
      }
      if (taken.kind === 'quiet') yield heartbeat
      else {
        last = taken.items.at(-1)?.seq ?? last
        yield joined(taken.items.map((item) => item.frame))
      }
    }
  }

  #forget(sessionId: string, subscriber: BoundedSubscriber<DurableFrame>): void {
    const subscribers = this.#ofSession.get(sessionId)
    subscribers?.delete(subscriber)
    if (subscribers?.size === 0) this.#ofSession.delete(sessionId)
  }

  #laggedFrame(data: Readonly<Record<string, unknown>>): Frame {
    return encoder.encode(
      dataFrame(JSON.stringify({ id: this.#ids.make('event'), type: 'server.stream.lagged', data })),
    )
  }

  /** Bytes of a generator, pulled by the reader. A reader that goes wakes the generator, which then ends. */
  #stream(frames: AsyncGenerator<Frame>, wake: () => void, forget: () => void): ReadableStream<Uint8Array> {
    this.#open += 1
    let isOpen = true
    const end = () => {
      if (!isOpen) return
      isOpen = false
      this.#open -= 1
      forget()
    }
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const next = await frames.next().catch((error: unknown) => {
            // One that fails is over as well: it must not keep its place among those that are open.
            end()
            throw error
          })
          if (!isOpen) return
          if (next.done === true) {
            end()
            controller.close()
          } else controller.enqueue(next.value)
        },
        cancel() {
          end()
          wake()
        },
      },
      { highWaterMark: 0 },
    )
  }

  #publish(events: readonly LoggedEvent[], directory: string): void {
    for (const event of events) {
      const followers = this.#ofSession.get(event.aggregateId)
      if (followers !== undefined && followers.size > 0) {
        const item = { seq: event.seq, frame: encoder.encode(durableFrame(event)) }
        for (const subscriber of followers) subscriber.offer(item)
      }
      if (this.#ofProcess.size > 0) {
        const frame = encoder.encode(durableFrame(event, directory))
        for (const subscriber of this.#ofProcess) subscriber.offer(frame)
      }
    }
  }
}

const tooMany = failWith(failure('backend_unavailable', { kind: 'streams' }))

/** The event as its readers know it: also a line of the history. */
export function durableJson(event: LoggedEvent, directory?: string): string {
  const location = directory === undefined ? '' : `,"location":{"directory":${JSON.stringify(directory)}}`
  const durable = `{"aggregateID":"${event.aggregateId}","seq":${event.seq},"version":${event.version}}`
  return `{"id":"${event.id}","type":"${event.type}","durable":${durable}${location},"data":${event.data}}`
}

function durableFrame(event: LoggedEvent, directory?: string): string {
  return eventFrame('message', durableJson(event, directory), formatEventCursor(event.aggregateId, event.seq))
}
