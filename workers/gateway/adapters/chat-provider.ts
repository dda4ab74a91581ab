import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { ServerSentDecoder } from '#shared/sse/server-sent-decode.ts'
import { type Failure, failure } from '../core/failure.ts'
import { type JsonRecord, parseJson } from '../core/json-record.ts'
import { chatBody } from '../core/providers/chat/chat-body.ts'
import { ChatChunkReader, readChatAnswer } from '../core/providers/chat/chat-reading.ts'
import { chatRefusal } from '../core/providers/chat/chat-refusal.ts'
import type { ExternalProvider } from '../core/providers/provider-list.ts'
import type { ConverseEvent } from '../core/wire/converse-answer.ts'
import { providerAnswerBytesMax, providerErrorBytesMax, serverSentEventCharactersMax } from '../limits.ts'
import type {
  CallContext,
  Chance,
  CompatibleEndpoint,
  EventBatches,
  Log,
  Outgoing,
  OutgoingAnswer,
  Provider,
  Timers,
} from '../ports.ts'
import { collectText } from './collect-text.ts'
import { AttemptTimer, withRetries } from './retries.ts'

interface ChatProviderParts {
  readonly outgoing: Outgoing
  readonly clock: Clock
  readonly chance: Chance
  readonly timers: Timers
  readonly log: Log
  readonly attemptsMax: number
  readonly streamIdleTimeoutMs: number
}

interface Sent {
  readonly answer: OutgoingAnswer
  readonly timer: AttemptTimer
}

/** A provider that speaks the reference's chat dialect, by the inner form, and for its own dialect by bytes. */
export function chatProvider(external: ExternalProvider, parts: ChatProviderParts): Provider & CompatibleEndpoint {
  const { name } = external
  const policy = { attemptsMax: parts.attemptsMax, timers: parts.timers, chance: parts.chance, log: parts.log }
  let open = 0

  /** One call, up to its status line, with its retries. `onEnd` of what is given back frees the place. */
  async function send(body: JsonRecord, context: CallContext): Promise<Result<Sent, Failure>> {
    if (open >= external.callsMax) {
      return failWith(failure('rate_limit_exceeded', `${name}: too many calls at once`, { retryAfterSeconds: 1 }))
    }
    open += 1
    const text = JSON.stringify(body)
    const sent = await withRetries(policy, context, async () => {
      const timer = new AttemptTimer(context.signal, parts.timers, parts.clock, external.firstByteTimeoutMs)
      const authorization = external.key === undefined ? {} : { authorization: `Bearer ${external.key}` }
      try {
        const answer = await parts.outgoing({
          method: 'POST',
          url: `${external.address}/chat/completions`,
          headers: {
            accept: 'application/json, text/event-stream',
            'content-type': 'application/json',
            'x-request-id': context.requestId.replace(/[^\x20-\x7e]/g, ''),
            ...authorization,
          },
          body: text,
          signal: timer.signal,
        })
        if (answer.status >= 200 && answer.status < 300) return succeed({ answer, timer })
        const words = await collectText(answer.body, providerErrorBytesMax).catch(() => undefined)
        timer.stop()
        return failWith(chatRefusal(name, answer.status, words ?? '', answer.header('retry-after')))
      } catch (cause) {
        timer.stop()
        return failWith({ failure: lost(timer, cause), isRetryable: !timer.hasFired() })
      }
    })
    if (!sent.ok) open -= 1
    return sent
  }

  function lost(timer: AttemptTimer, cause: unknown): Failure {
    const words = timer.hasFired() ? 'did not answer in time' : 'the connection failed'
    return failure('upstream_error', `${name}: ${words}`, { cause })
  }

  function unreadable(): Failure {
    return failure('upstream_error', `${name}: an answer that cannot be read`)
  }

  async function* events({ answer, timer }: Sent): AsyncGenerator<Result<readonly ConverseEvent[], Failure>, void> {
    const decoder = new ServerSentDecoder(serverSentEventCharactersMax)
    const reader = new ChatChunkReader()
    try {
      for await (const chunk of answer.body) {
        timer.expectNextWithin(parts.streamIdleTimeoutMs)
        const decoded = decoder.push(chunk)
        if (!decoded.ok) return yield failWith(unreadable())
        const batch: ConverseEvent[] = []
        for (const { data } of decoded.value) {
          const read = reader.read(data)
          if (read === undefined) return yield failWith(unreadable())
          batch.push(...read)
        }
        if (batch.length > 0) yield succeed(batch)
      }
      const isWhole = reader.isWhole()
      const last = reader.end()
      if (!isWhole) yield failWith(failure('upstream_error', `${name}: the answer ended early`))
      else if (last.length > 0) yield succeed(last)
      timer.stop()
    } catch (cause) {
      yield failWith(lost(timer, cause))
    } finally {
      open -= 1
      timer.abort()
    }
  }

  return {
    async converse(modelId, request, context) {
      const body = chatBody(modelId, request, external.maxTokensName)
      if (!body.ok) return body
      const sent = await send(body.value, context)
      if (!sent.ok) return sent
      const { answer, timer } = sent.value
      try {
        const text = await collectText(answer.body, providerAnswerBytesMax)
        const read = text === undefined ? undefined : readChatAnswer(parseJson(text))
        return read === undefined ? failWith(unreadable()) : succeed(read)
      } catch (cause) {
        return failWith(lost(timer, cause))
      } finally {
        open -= 1
        timer.stop()
      }
    },
    async converseStream(modelId, request, context) {
      const body = chatBody(modelId, request, external.maxTokensName)
      if (!body.ok) return body
      const sent = await send({ ...body.value, stream: true, stream_options: { include_usage: true } }, context)
      if (!sent.ok) return sent
      return firstRead(events(sent.value))
    },
    countTokens: async () => failWith(failure('bad_request', `${name} does not count tokens`)),
    embed: async () => failWith(failure('unsupported', `${name} is not asked for embeddings`)),
    async send(_surface, body, context) {
      const sent = await send(body as JsonRecord, context)
      if (!sent.ok) return sent
      const { answer, timer } = sent.value
      const header = (wanted: string) => answer.header(wanted)
      return succeed({ status: answer.status, header, body: watched(sent.value, timer) })
    },
  }

  async function* watched({ answer }: Sent, timer: AttemptTimer): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of answer.body) {
        timer.expectNextWithin(parts.streamIdleTimeoutMs)
        yield chunk
      }
      timer.stop()
    } finally {
      open -= 1
      timer.abort()
    }
  }
}

/** Waits for the first batch: a refusal that comes first still has a status, and another provider may be asked. */
async function firstRead(
  events: AsyncGenerator<Result<readonly ConverseEvent[], Failure>, void>,
): Promise<Result<EventBatches, Failure>> {
  const first = await events.next()
  if (first.done === true) return failWith(failure('upstream_error', 'the provider sent an empty answer'))
  if (!first.value.ok) {
    await events.return()
    return first.value
  }
  let isFirst = true
  return succeed({
    next() {
      if (!isFirst) return events.next()
      isFirst = false
      return Promise.resolve(first)
    },
  })
}
