import { entryOf, type JsonRecord, parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { type Failure, type FailureCode, failure } from '../../failure.ts'
import { redactedMessage } from '../../redaction.ts'
import { type DialectRefusal, readRetryAfter } from '../provider-dialect.ts'

/** By the kind that the body names. The key and what is paid for it are the owner's matter, not the client's. */
const codes: Readonly<Record<string, FailureCode>> = {
  invalid_request_error: 'bad_request',
  not_found_error: 'bad_request',
  request_too_large: 'request_too_large',
  authentication_error: 'upstream_error',
  permission_error: 'upstream_error',
  billing_error: 'upstream_error',
  rate_limit_error: 'rate_limit_exceeded',
  overloaded_error: 'overloaded',
  timeout_error: 'upstream_error',
  api_error: 'upstream_error',
}

/** What a provider of this dialect refused, and whether asking again may help. */
export function messagesRefusal(
  provider: string,
  status: number,
  text: string,
  header: (name: string) => string | undefined,
): DialectRefusal {
  const error = recordOf(recordOf(parseJson(text))?.['error'])
  const wait = readRetryAfter(header('retry-after'))
  const isTransient = status === 429 || (status >= 500 && status !== 504)
  // The provider says so where another try is in vain, a spent budget for instance.
  const isRetryable = isTransient && header('x-should-retry') !== 'false'
  return { failure: { ...messagesFault(provider, error, status), ...wait }, isRetryable }
}

/** The same of an error inside a stream. */
export function messagesFault(provider: string, error: JsonRecord | undefined, status = 500): Failure {
  const said = textOf(error?.['message'])
  const words = `${provider}: ${said === undefined ? `answered ${status}` : redactedMessage(said)}`
  const code = entryOf(codes, textOf(error?.['type']) ?? '') ?? codeOfStatus(status)
  const isLong =
    code === 'bad_request' && /prompt is too long|exceed[a-z]* (?:the )?context (?:window|limit)/i.test(said ?? '')
  return failure(isLong ? 'context_length_exceeded' : code, words)
}

/** A proxy between has other words, or none. */
function codeOfStatus(status: number): FailureCode {
  if (status === 429) return 'rate_limit_exceeded'
  if (status === 529) return 'overloaded'
  if (status === 413) return 'request_too_large'
  return status >= 500 || status === 401 || status === 402 || status === 403 ? 'upstream_error' : 'bad_request'
}
