import type { Clock } from '#shared/kernel/clock.ts'
import { numberOf, parseJson, recordOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { collectText } from '../core/collect-text.ts'
import type { EmbeddingAnswer, EmbeddingCall } from '../core/embeddings/embedding-call.ts'
import { type Failure, failure } from '../core/failure.ts'
import { type ConverseAnswer, readConverseAnswer } from '../core/wire/converse-answer.ts'
import type { ConverseRequest, ProviderRequest } from '../core/wire/converse-request.ts'
import { providerAnswerBytesMax, providerErrorBytesMax } from '../limits.ts'
import type { CallContext, EventBatches, Log, Outgoing, OutgoingAnswer, Provider, Random, Timers } from '../ports.ts'
import type { Settings } from '../settings.ts'
import { namingModel, readRefusal } from './call-outcome.ts'
import type { Authentication } from './provider-authentication.ts'
import { ProviderEvents } from './provider-events.ts'
import { AttemptTimer, lost, type RetryPolicy, withRetries } from './retries.ts'

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
  readonly modelId?: string
}

/** Speaks the provider's own interface. Every failure that can be expected comes back as a value. */
export class ProviderClient implements Provider {
  readonly #parts: ProviderClientParts

  constructor(parts: ProviderClientParts) {
    this.#parts = parts
  }

  converse(modelId: string, request: ConverseRequest, context: CallContext): Promise<Result<ConverseAnswer, Failure>> {
    return this.#json(this.#modelCall(modelId, 'converse', providerRequest(request), context), readConverseAnswer)
  }

  async converseStream(
    modelId: string,
    request: ConverseRequest,
    context: CallContext,
  ): Promise<Result<EventBatches, Failure>> {
    const call = {
      ...this.#modelCall(modelId, 'converse-stream', providerRequest(request), context),
      accept: 'application/vnd.amazon.eventstream',
    }
    return withRetries(this.#retryPolicy(), context, async () => {
      const timer = this.#timer(context)
      const sent = await this.#send(call, timer)
      if (!sent.ok) return sent
      const events = new ProviderEvents(sent.value.body, timer, this.#parts.settings.streamIdleTimeoutMs)
      const begun = await events.begin()
      return begun.ok ? succeed(events) : begun
    })
  }

  countTokens(
    foundationId: string,
    request: Omit<ConverseRequest, 'inferenceConfig' | 'outputConfig'>,
    context: CallContext,
  ): Promise<Result<number, Failure>> {
    const body = { input: { converse: providerRequest(request) } }
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
      modelId,
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
    const refused = readRefusal(answer.status, answer.header('x-amzn-errortype'), text, answer.header('retry-after'))
    return failWith(call.modelId === undefined ? refused : namingModel(refused, call.modelId))
  }
}

/** The account's provider has no place for the wish but its words. */
function providerRequest(request: ConverseRequest): ProviderRequest {
  if (request.wantsJson === undefined) return request
  const { wantsJson: _, ...rest } = request
  return rest
}

function unreadable(): Failure {
  return failure('upstream_error', 'the provider sent an answer that cannot be read')
}
