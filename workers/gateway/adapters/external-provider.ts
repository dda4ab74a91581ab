import type { Clock } from '#shared/kernel/clock.ts'
import { type JsonRecord, parseJson } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { ServerSentDecoder } from '#shared/sse/server-sent-decode.ts'
import { collectText } from '../core/collect-text.ts'
import { type Failure, failure } from '../core/failure.ts'
import { dialects } from '../core/providers/dialects.ts'
import type { Asked, Asking } from '../core/providers/provider-dialect.ts'
import type { ExternalProvider } from '../core/providers/provider-list.ts'
import type { ConverseEvent } from '../core/wire/converse-answer.ts'
import type { ConverseRequest } from '../core/wire/converse-request.ts'
import { providerAnswerBytesMax, providerErrorBytesMax, serverSentEventCharactersMax } from '../limits.ts'
import type {
  CallContext,
  CompatibleEndpoint,
  EventBatches,
  Log,
  Outgoing,
  OutgoingAnswer,
  Provider,
  Random,
  Timers,
} from '../ports.ts'
import { AttemptTimer, withRetries } from './retries.ts'
import { tappedBytes } from './tapped-bytes.ts'

interface ExternalParts {
  readonly outgoing: Outgoing
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  readonly log: Log
  readonly attemptsMax: number
  readonly streamIdleTimeoutMs: number
  /** As much as a model gives, where that is known. */
  readonly outputTokensMax: (model: string) => number | undefined
}

interface Sent {
  readonly answer: OutgoingAnswer
  readonly timer: AttemptTimer
}

export interface CallsUnderWay {
  callsUnderWay(): number
}

/** A provider beside the account's own, by the inner form, and for its own dialect by bytes. */
export function externalProvider(
  external: ExternalProvider,
  parts: ExternalParts,
): Provider & CompatibleEndpoint & CallsUnderWay {
  const { name } = external
  const dialect = dialects[external.dialect]
  const policy = { attemptsMax: parts.attemptsMax, timers: parts.timers, random: parts.random, log: parts.log }
  const newId = () => `call_${parts.random.hex(12)}`
  let open = 0

  /** One call, up to its status line, with its retries. `onEnd` of what is given back frees the place. */
  async function send({ path, body, headers }: Asked, context: CallContext): Promise<Result<Sent, Failure>> {
    if (open >= external.callsMax) {
      return failWith(failure('rate_limit_exceeded', `${name}: too many calls at once`, { retryAfterSeconds: 1 }))
    }
    open += 1
    const text = JSON.stringify(body)
    const sent = await withRetries(policy, context, async () => {
      const firstByteMs = Math.min(external.firstByteTimeoutMs, context.firstByteMs ?? Number.POSITIVE_INFINITY)
      const timer = new AttemptTimer(context.signal, parts.timers, parts.clock, firstByteMs)
      try {
        const answer = await parts.outgoing({
          method: 'POST',
          url: `${external.address}${path}`,
          headers: {
            accept: 'application/json, text/event-stream',
            'content-type': 'application/json',
            'x-request-id': context.requestId.replace(/[^\x20-\x7e]/g, ''),
            ...dialect.headers(external.key),
            ...headers,
          },
          body: text,
          signal: timer.signal,
        })
        if (answer.status >= 200 && answer.status < 300) return succeed({ answer, timer })
        const words = await collectText(answer.body, providerErrorBytesMax).catch(() => undefined)
        timer.stop()
        return failWith(dialect.refusal(name, answer.status, words ?? '', (header) => answer.header(header)))
      } catch (cause) {
        timer.stop()
        return failWith({ failure: lost(timer, cause), isRetryable: !timer.hasFired() })
      }
    })
    if (!sent.ok) open -= 1
    return sent
  }

  function lost(timer: AttemptTimer, cause: unknown): Failure {
    const isLate = timer.hasFired()
    const words = isLate ? 'did not answer in time' : 'the connection failed'
    return failure('upstream_error', `${name}: ${words}`, { cause, isLate })
  }

  function unreadable(): Failure {
    return failure('upstream_error', `${name}: an answer that cannot be read`)
  }

  async function* events({ answer, timer }: Sent): AsyncGenerator<Result<readonly ConverseEvent[], Failure>, void> {
    const decoder = new ServerSentDecoder(serverSentEventCharactersMax)
    const reader = dialect.reading(name, newId)
    let hasBegun = false
    try {
      for await (const chunk of answer.body) {
        timer.expectNextWithin(parts.streamIdleTimeoutMs)
        const decoded = decoder.push(chunk)
        if (!decoded.ok) return yield failWith(unreadable())
        const batch: ConverseEvent[] = []
        for (const { data } of decoded.value) {
          const read = reader.read(data)
          if (!read.ok) {
            // Of an answer that has not begun nothing is told but why: another provider may still be asked.
            if (hasBegun && batch.length > 0) yield succeed(batch)
            return yield read
          }
          batch.push(...read.value)
        }
        if (batch.length === 0) continue
        hasBegun = true
        yield succeed(batch)
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

  /** A whole answer, read as `read` says. */
  async function whole<T>(asked: Asked, context: CallContext, read: (body: unknown) => T | undefined) {
    const sent = await send(asked, context)
    if (!sent.ok) return sent
    const { answer, timer } = sent.value
    try {
      const text = await collectText(answer.body, providerAnswerBytesMax)
      const value = text === undefined ? undefined : read(parseJson(text))
      return value === undefined ? failWith(unreadable()) : succeed(value)
    } catch (cause) {
      return failWith(lost(timer, cause))
    } finally {
      open -= 1
      timer.stop()
    }
  }

  function asking(model: string, request: ConverseRequest, isStream: boolean): Asking {
    const { maxTokensName } = external
    return { model, request, isStream, maxTokensName, outputTokensMax: parts.outputTokensMax(model) }
  }

  return {
    async converse(modelId, request, context) {
      const asked = dialect.asked(asking(modelId, request, false))
      return asked.ok ? whole(asked.value, context, (body) => dialect.readAnswer(body, newId)) : asked
    },
    async converseStream(modelId, request, context) {
      const asked = dialect.asked(asking(modelId, request, true))
      if (!asked.ok) return asked
      const sent = await send(asked.value, context)
      return sent.ok ? firstRead(events(sent.value)) : sent
    },
    async countTokens(modelId, request, context) {
      const asked = dialect.counting?.asked(modelId, request)
      if (asked === undefined) return failWith(failure('bad_request', `${name} does not count tokens`))
      return asked.ok ? whole(asked.value, context, (body) => dialect.counting?.read(body)) : asked
    },
    async embed({ modelId, body }, context) {
      const path = dialect.embedding?.path(modelId)
      if (path === undefined) {
        return failWith(failure('bad_request', `${name} does not embed with ${modelId}`, { param: 'model' }))
      }
      return whole({ path, body }, context, (answered) => ({
        body: answered,
        inputTokens: dialect.embedding?.tokens(answered),
      }))
    },
    callsUnderWay: () => open,
    async send(surface, body, context) {
      const path = surface === 'responses' ? undefined : dialect.paths[surface]
      if (path === undefined) return failWith(failure('unsupported', `${name} does not speak this dialect`))
      const betas = context.betas ?? []
      const headers = betas.length === 0 ? {} : { 'anthropic-beta': betas.join(',') }
      const sent = await send({ path, body: body as JsonRecord, headers }, context)
      if (!sent.ok) return sent
      const { answer, timer } = sent.value
      const header = (wanted: string) => answer.header(wanted)
      const begun = await begin(watched(sent.value, timer), timer, context.waitsFor)
      return begun.ok ? succeed({ status: answer.status, header, body: begun.value }) : begun
    },
  }

  /** The bytes of an answer, once so much of it has come as is waited for. */
  async function begin(
    bytes: AsyncIterableIterator<Uint8Array>,
    timer: AttemptTimer,
    waitsFor: CallContext['waitsFor'],
  ): Promise<Result<AsyncIterable<Uint8Array>, Failure>> {
    if (waitsFor === undefined) return succeed(bytes)
    try {
      if (waitsFor === 'all') {
        const text = await collectText(bytes, providerAnswerBytesMax)
        return text === undefined || parseJson(text) === undefined
          ? failWith(unreadable())
          : succeed(inPieces([new TextEncoder().encode(text)]))
      }
      const first = await bytes.next()
      if (first.done === true) return failWith(failure('upstream_error', `${name}: an empty answer`))
      const refused = refusalIn(first.value)
      if (refused === undefined) return succeed(inPieces([first.value], bytes))
      await bytes.return?.()
      return failWith(refused)
    } catch (cause) {
      return failWith(lost(timer, cause))
    }
  }

  /** Why a stream ends that begins with an error. */
  function refusalIn(piece: Uint8Array): Failure | undefined {
    const decoded = new ServerSentDecoder(serverSentEventCharactersMax).push(piece)
    const [event] = decoded.ok ? decoded.value : []
    if (event === undefined) return undefined
    const read = dialect.reading(name, newId).read(event.data)
    return read.ok ? undefined : read.failure
  }

  function watched({ answer }: Sent, timer: AttemptTimer): AsyncIterableIterator<Uint8Array> {
    return tappedBytes(answer.body, {
      piece: () => timer.expectNextWithin(parts.streamIdleTimeoutMs),
      end(isWhole) {
        open -= 1
        if (isWhole) timer.stop()
        else timer.abort()
        return undefined
      },
    })
  }
}

async function* inPieces(pieces: Iterable<Uint8Array>, rest?: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* pieces
  if (rest !== undefined) yield* rest
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
