import type { Clock } from '#shared/kernel/clock.ts'
import { commentFrame } from '#shared/sse/frame.ts'
import type { Cancellation } from '../core/cancellation.ts'
import { type Failure, failure } from '../core/failure.ts'
import type { AnswerWriter } from '../core/from-provider/answer-writer.ts'
import type { ConverseEvent } from '../core/wire/converse-answer.ts'
import { drainAfterEndMs } from '../limits.ts'
import type { BodySink, BodySource, EventBatches, Timers } from '../ports.ts'

export interface AnswerStreamParts {
  readonly clock: Clock
  readonly timers: Timers
  readonly keepAliveMs: number
  /** Fires when the client leaves. */
  readonly left: Cancellation
  /** Called once, whichever way the stream ends. */
  readonly onEnd: (failed: Failure | undefined) => void
  /** The end of a whole answer goes out when this is done. */
  readonly beforeEnd?: () => Promise<void>
  /** Ends the call to the provider. */
  readonly abort: () => void
}

/**
 * The body of a streamed answer. The provider is read only as fast as the client reads, so that a slow client holds
 * no more than one batch. When the client leaves, the provider's call ends with it.
 */
export function answerStream(events: EventBatches, writer: AnswerWriter, parts: AnswerStreamParts): BodySource {
  let sink: BodySink | undefined
  let lastWriteMs = parts.clock.nowMs()
  let isOver = false
  let head = writer.open()
  let stopKeepAlive = () => {}

  const finish = (failed: Failure | undefined) => {
    if (isOver) return
    isOver = true
    stopKeepAlive()
    parts.onEnd(failed)
  }

  /** Text of the next batch that has any, and whether it is the last. */
  const next = async (): Promise<{ readonly text: string; readonly isLast: boolean }> => {
    let text = head
    head = ''
    for (;;) {
      const batch = await events.next()
      const failed = batch.done === true ? undefined : batch.value.ok ? undefined : batch.value.failure
      if (failed !== undefined) {
        finish(failed)
        return { text: text + writer.fail(failed), isLast: true }
      }
      const given = batch.done === true || !batch.value.ok ? [] : batch.value.value
      // By its number: in a function that waits, an iterator makes an object for each event.
      for (let at = 0; at < given.length; at += 1) {
        const written = writer.accept(given[at] as ConverseEvent)
        text += typeof written === 'string' ? written : await written
        const revealed = writer.revealedFailure()
        if (revealed !== undefined) {
          finish(revealed)
          parts.abort()
          return { text: text + writer.fail(revealed), isLast: true }
        }
      }
      if (batch.done === true || writer.isComplete()) {
        if (batch.done !== true) drain(events, parts)
        const last = text + writer.end()
        await parts.beforeEnd?.()
        finish(undefined)
        return { text: last, isLast: true }
      }
      if (text !== '') return { text, isLast: false }
    }
  }

  const leave = () => finish(failure('internal_error', 'the client left'))
  parts.left.addEventListener('abort', leave, { once: true })

  return {
    start(given) {
      sink = given
      stopKeepAlive = parts.timers.watch(parts.keepAliveMs, () => {
        if (isOver || !given.hasRoom() || parts.clock.nowMs() - lastWriteMs < parts.keepAliveMs) return
        lastWriteMs = parts.clock.nowMs()
        given.enqueue(commentFrame('keep-alive'))
      })
    },
    async pull() {
      const { text, isLast } = await next()
      lastWriteMs = parts.clock.nowMs()
      if (text !== '') sink?.enqueue(text)
      if (isLast) sink?.close()
    },
    cancel() {
      leave()
      parts.abort()
    },
  }
}

/** Lets the provider close its side, so that the connection can be used again; it does not get long for it. */
function drain(events: EventBatches, parts: AnswerStreamParts): void {
  const stop = parts.timers.every(drainAfterEndMs, () => {
    stop()
    parts.abort()
  })
  const readOn = async () => {
    while ((await events.next()).done !== true);
  }
  readOn().then(stop, stop)
}
