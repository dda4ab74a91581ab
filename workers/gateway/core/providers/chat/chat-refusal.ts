import { parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { type Failure, failure } from '../../failure.ts'
import { redactedMessage } from '../../redaction.ts'

/** What a provider of this dialect refused, and whether asking again may help. */
export function chatRefusal(
  provider: string,
  status: number,
  text: string,
  retryAfter: string | undefined,
): { readonly failure: Failure; readonly isRetryable: boolean } {
  const body = recordOf(parseJson(text))
  const error = recordOf(body?.['error'])
  const said = textOf(error?.['message']) ?? textOf(body?.['error']) ?? textOf(body?.['message'])
  const words = `${provider}: ${said === undefined ? `answered ${status}` : redactedMessage(said)}`
  const wait = retryAfter !== undefined && /^\d{1,5}$/.test(retryAfter) ? { retryAfterSeconds: Number(retryAfter) } : {}
  const isQuota = error?.['code'] === 'insufficient_quota'
  if (status === 429) {
    return { failure: failure('rate_limit_exceeded', words, wait), isRetryable: !isQuota }
  }
  // The key is the owner's, not the client's.
  if (status === 401 || status === 403) return { failure: failure('upstream_error', words), isRetryable: false }
  if (status >= 500) return { failure: failure('upstream_error', words, wait), isRetryable: true }
  const isLong = error?.['code'] === 'context_length_exceeded' || /context (?:length|window)|too long/i.test(said ?? '')
  return { failure: failure(isLong ? 'context_length_exceeded' : 'bad_request', words), isRetryable: false }
}
