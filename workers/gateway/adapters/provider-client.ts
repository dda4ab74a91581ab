import type { Clock } from '#shared/kernel/clock.ts'
import { numberOf, parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { EmbeddingAnswer, EmbeddingCall } from '../core/embeddings/embedding-call.ts'
import { type Failure, failure } from '../core/failure.ts'
import {
  type ConverseAnswer,
  type ConverseEvent,
  readConverseAnswer,
  readConverseEvent,
} from '../core/wire/converse-answer.ts'
import type { ConverseRequest } from '../core/wire/converse-request.ts'
import {
  EventStreamDecoder,
  type EventStreamMessage,
  type FrameFault,
  frameFaultWords,
} from '../core/wire/event-stream.ts'
import { frameBytesMax, frameHeaderBytesMax, providerAnswerBytesMax, providerErrorBytesMax } from '../limits.ts'
import type { CallContext, EventBatches, Log, Outgoing, OutgoingAnswer, Provider, Random, Timers } from '../ports.ts'
import type { Settings } from '../settings.ts'
import { type ProviderRefusal, readRefusal, readStreamException } from './call-outcome.ts'
import { collectText } from './collect-text.ts'
import type { Authentication } from './provider-authentication.ts'
import { AttemptTimer, type RetryPolicy, withRetries } from './retries.ts'

export interface ProviderClientParts {
  readonly outgoing: Outgoing
  readonly authentication: Authentication
  readonly settings: Pick<
    Settings,
    'region' | 'endpoints' | 'attemptsMax' | 'firstByteTimeoutMs' | 'streamIdleTimeoutMs'
  >
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  readonly log: Log
}

interface Call {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly body?: string
  readonly accept: string
  readonly context: CallContext
}

const textDecoder = new TextDecoder()

/** Speaks the provider's own interface. Every failure that can be expected comes back as a value. */
export class ProviderClient implements Provider {
  readonly #parts: ProviderClientParts

  constructor(parts: ProviderClientParts) {
    this.#parts = parts
  }

  converse(modelId: string, request: ConverseRequest, context: CallContext): Promise<Result<ConverseAnswer, Failure>> {
    return this.#json(this.#modelCall(modelId, 'converse', request, context), readConverseAnswer)
  }

  async converseStream(
    modelId: string,
    request: ConverseRequest,
    context: CallContext,
  ): Promise<Result<EventBatches, Failure>> {
    const call = {
      ...this.#modelCall(modelId, 'converse-stream', request, context),
      accept: 'application/vnd.amazon.eventstream',
    }
    return withRetries(this.#retryPolicy(), context, async () => {
      const timer = this.#timer(context)
      const sent = await this.#send(call, timer)
      if (!sent.ok) return sent
      const events = this.#events(sent.value, timer)
      // The first batch decides: a refusal that comes first can still be repeated and still has a status.
      const first = await events.next()
      if (first.done === true) {
        timer.stop()
        return failWith({ failure: failure('upstream_error', 'the provider sent an empty answer'), isRetryable: true })
      }
      if (!first.value.ok) return first.value
      return succeed(withFirst(succeed(first.value.value), events, timer))
    })
  }

  countTokens(
    foundationId: string,
    request: Omit<ConverseRequest, 'inferenceConfig' | 'outputConfig'>,
    context: CallContext,
  ): Promise<Result<number, Failure>> {
    const body = { input: { converse: request } }
    return this.#json(this.#modelCall(foundationId, 'count-tokens', body, context), (answer) =>
      numberOf(recordOf(answer)?.['inputTokens']),
    )
  }

  embed(call: EmbeddingCall, context: CallContext): Promise<Result<EmbeddingAnswer, Failure>> {
    return this.#json(this.#modelCall(call.modelId, 'invoke', call.body, context), (body, answer) => {
      const count = answer.header('x-amzn-bedrock-input-token-count')
      return { body, inputTokens: count !== undefined && /^\d+$/.test(count) ? Number(count) : undefined }
    })
  }

  listFoundationModels(context: CallContext): Promise<Result<unknown, Failure>> {
    return this.#json(this.#listing('/foundation-models', context), (body) => body)
  }

  listInferenceProfiles(
    query: Readonly<Record<string, string>>,
    context: CallContext,
  ): Promise<Result<unknown, Failure>> {
    return this.#json(this.#listing(`/inference-profiles?${new URLSearchParams(query)}`, context), (body) => body)
  }

  #modelCall(modelId: string, operation: string, body: unknown, context: CallContext): Call {
    return {
      method: 'POST',
      url: `${this.#parts.settings.endpoints.runtime}/model/${encodeURIComponent(modelId)}/${operation}`,
      body: JSON.stringify(body),
      accept: 'application/json',
      context,
    }
  }

  #listing(path: string, context: CallContext): Call {
    return { method: 'GET', url: this.#parts.settings.endpoints.control + path, accept: 'application/json', context }
  }

  #retryPolicy(): RetryPolicy {
    const { settings, timers, random, log } = this.#parts
    return { attemptsMax: settings.attemptsMax, timers, random, log }
  }

  #timer(context: CallContext): AttemptTimer {
    return new AttemptTimer(
      context.signal,
      this.#parts.timers,
      this.#parts.clock,
      Math.min(this.#parts.settings.firstByteTimeoutMs, context.firstByteMs ?? Number.POSITIVE_INFINITY),
    )
  }

  /** Undefined from `read` means that the answer has not the shape it must have. */
  #json<T>(call: Call, read: (body: unknown, answer: OutgoingAnswer) => T | undefined): Promise<Result<T, Failure>> {
    return withRetries(this.#retryPolicy(), call.context, async () => {
      const timer = this.#timer(call.context)
      const sent = await this.#send(call, timer)
      if (!sent.ok) return sent
      try {
        const text = await collectText(sent.value.body, providerAnswerBytesMax)
        const body = text === undefined ? undefined : parseJson(text)
        const answer = body === undefined ? undefined : read(body, sent.value)
        return answer === undefined ? failWith({ failure: unreadable(), isRetryable: false }) : succeed(answer)
      } catch (cause) {
        return failWith({ failure: lost(timer, cause), isRetryable: !timer.hasFired() })
      } finally {
        timer.stop()
      }
    })
  }

  /** One attempt up to the status line. A refusal is read whole, which ends the attempt. */
  async #send(
    call: Call,
    timer: AttemptTimer,
  ): Promise<Result<OutgoingAnswer, { failure: Failure; isRetryable: boolean }>> {
    const { settings, authentication, outgoing } = this.#parts
    let answer: OutgoingAnswer
    try {
      const authorised = await authentication.authorise(
        {
          method: call.method,
          url: call.url,
          headers: { accept: call.accept, ...(call.body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(call.body === undefined ? {} : { body: call.body }),
        },
        settings.region,
        'bedrock',
      )
      if (!authorised.ok) {
        timer.stop()
        return failWith({ failure: authorised.failure, isRetryable: false })
      }
      answer = await outgoing({ ...authorised.value, signal: timer.signal })
    } catch (cause) {
      timer.stop()
      return failWith({ failure: lost(timer, cause), isRetryable: !timer.hasFired() })
    }
    if (answer.status >= 200 && answer.status < 300) return succeed(answer)
    let text = ''
    try {
      text = (await collectText(answer.body, providerErrorBytesMax)) ?? ''
    } catch {
      // The status alone still says what happened.
    }
    timer.stop()
    return failWith(readRefusal(answer.status, answer.header('x-amzn-errortype'), text, answer.header('retry-after')))
  }

  async *#events(
    answer: OutgoingAnswer,
    timer: AttemptTimer,
  ): AsyncGenerator<Result<readonly ConverseEvent[], { failure: Failure; isRetryable: boolean }>, void> {
    const decoder = new EventStreamDecoder({ frameBytesMax, headerBytesMax: frameHeaderBytesMax })
    let sawAny = false
    // Nobody reads on behind a fault, so what is left of the call is given up before it is told.
    const fault = (refusal: { failure: Failure; isRetryable: boolean }) => {
      timer.abort()
      return failWith(refusal)
    }
    const broken = (why: FrameFault, isRetryable: boolean) =>
      fault({ failure: failure('upstream_error', `broken stream: ${frameFaultWords[why]}`), isRetryable })
    try {
      for await (const chunk of answer.body) {
        timer.expectNextWithin(this.#parts.settings.streamIdleTimeoutMs)
        const decoded = decoder.push(chunk)
        if (!decoded.ok) {
          yield broken(decoded.failure, !sawAny)
          return
        }
        const batch: ConverseEvent[] = []
        for (const message of decoded.value) {
          const { headers, bytes, start, end } = message
          if (headers.get(':message-type') !== 'event') {
            if (batch.length > 0) yield succeed(batch)
            yield fault(refusalIn(message))
            return
          }
          const event = readConverseEvent(headers.get(':event-type') ?? '', bytes, start, end)
          if (event !== undefined) batch.push(event)
        }
        if (batch.length > 0) {
          sawAny = true
          yield succeed(batch)
        }
      }
      const cut = decoder.end()
      if (cut !== undefined) yield broken(cut, false)
    } catch (cause) {
      yield fault({ failure: lost(timer, cause), isRetryable: !sawAny && !timer.hasFired() })
    } finally {
      timer.stop()
    }
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

/** Puts the batch that was read ahead back in front, and drops what only retries care about. */
async function* withFirst(
  first: Result<readonly ConverseEvent[], Failure>,
  rest: AsyncGenerator<Result<readonly ConverseEvent[], { failure: Failure; isRetryable: boolean }>, void>,
  timer: AttemptTimer,
): AsyncGenerator<Result<readonly ConverseEvent[], Failure>, void> {
  let isRead = false
  try {
    yield first
    for await (const batch of rest) yield batch.ok ? batch : failWith(batch.failure.failure)
    isRead = true
  } finally {
    // Of an answer that was read to its end there is nothing to give up.
    if (isRead) timer.stop()
    else timer.abort()
  }
}

function unreadable(): Failure {
  return failure('upstream_error', 'the provider sent an answer that cannot be read')
}

function lost(timer: AttemptTimer, cause: unknown): Failure {
  return timer.hasFired()
    ? failure('upstream_error', 'the provider did not answer in time', { cause, isLate: true })
    : failure('upstream_error', 'the connection to the provider failed', { cause })
}
