import type { Clock } from '#shared/kernel/clock.ts'
import { isRecord, parseJson } from '#shared/kernel/json-record.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { collectText } from '../core/collect-text.ts'
import { failure } from '../core/failure.ts'
import { providerErrorBytesMax } from '../limits.ts'
import type { CompatibleEndpoint, Log, Outgoing, OutgoingAnswer, Random, Timers } from '../ports.ts'
import type { CompatibleEndpointSettings, Settings } from '../settings.ts'
import type { Authentication } from './provider-authentication.ts'
import { AttemptTimer, withRetries } from './retries.ts'
import { tappedBytes } from './tapped-bytes.ts'

export interface CompatibleClientParts {
  readonly endpoint: CompatibleEndpointSettings
  readonly authentication: Authentication
  readonly outgoing: Outgoing
  readonly settings: Pick<Settings, 'region' | 'attemptsMax' | 'firstByteTimeoutMs' | 'streamIdleTimeoutMs'>
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  readonly log: Log
}

const retryableStatuses = [429, 500, 502, 503, 504]

/** The surface of the provider that already speaks the reference chat API. Its errors are kept as they come. */
export function compatibleClient(parts: CompatibleClientParts): CompatibleEndpoint {
  const { endpoint, settings } = parts
  const addresses = {
    responses: `${endpoint.responsesBaseUrl}/responses`,
    chat: `${endpoint.chatBaseUrl}/chat/completions`,
  }
  return {
    async send(surface, body, context) {
      if (surface !== 'responses' && surface !== 'chat') {
        return failWith(failure('unsupported', 'the compatible endpoint does not speak this dialect'))
      }
      const text = JSON.stringify(body)
      const policy = { attemptsMax: settings.attemptsMax, timers: parts.timers, random: parts.random, log: parts.log }
      return withRetries(policy, context, async () => {
        const timer = new AttemptTimer(context.signal, parts.timers, parts.clock, settings.firstByteTimeoutMs)
        let answer: OutgoingAnswer
        try {
          const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
          const request = await parts.authentication.authorise(
            { method: 'POST', url: addresses[surface], headers, body: text },
            settings.region,
            'bedrock',
          )
          if (!request.ok) {
            timer.stop()
            return failWith({ failure: request.failure, isRetryable: false })
          }
          answer = await parts.outgoing({ ...request.value, signal: timer.signal })
        } catch (cause) {
          timer.stop()
          const lost = failure('upstream_error', 'the connection to the compatible endpoint failed', { cause })
          return failWith({ failure: lost, isRetryable: !timer.hasFired() })
        }
        if (answer.status >= 200 && answer.status < 300) {
          return succeed({
            status: answer.status,
            header: (name) => answer.header(name),
            body: watched(answer.body, timer, settings.streamIdleTimeoutMs),
          })
        }
        const refusal = await refusalOf(answer)
        timer.stop()
        return failWith(refusal)
      })
    },
  }
}

async function refusalOf(answer: OutgoingAnswer) {
  let text: string | undefined
  try {
    text = await collectText(answer.body, providerErrorBytesMax)
  } catch {
    // The status alone still says what happened.
  }
  const isErrorObject = text !== undefined && isRecord(parseJson(text))
  const isRetryable = retryableStatuses.includes(answer.status)
  const passedOn = isErrorObject && text !== undefined ? { passedOn: { status: answer.status, body: text } } : {}
  const code = answer.status === 429 ? 'rate_limit_exceeded' : 'upstream_error'
  const words = `the compatible endpoint answered ${answer.status}`
  return { failure: failure(code, words, passedOn), isRetryable }
}

/** Passes the bytes on, bounds the silence between them, and gives the connection up when nobody wants more. */
function watched(body: AsyncIterable<Uint8Array>, timer: AttemptTimer, idleMs: number): AsyncIterable<Uint8Array> {
  return tappedBytes(body, {
    piece: () => timer.expectNextWithin(idleMs),
    end(isWhole) {
      if (isWhole) timer.stop()
      else timer.abort()
      return undefined
    },
  })
}
