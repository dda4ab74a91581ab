import { entryOf, type JsonRecord, listOf, parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { type Failure, type FailureCode, failure } from '../../failure.ts'
import { redactedMessage } from '../../redaction.ts'
import { type DialectRefusal, readRetryAfter } from '../provider-dialect.ts'

/** By the word that the body has for it. The key and what is paid for it are the owner's matter, not the client's. */
const codes: Readonly<Record<string, FailureCode>> = {
  INVALID_ARGUMENT: 'bad_request',
  OUT_OF_RANGE: 'bad_request',
  NOT_FOUND: 'bad_request',
  UNIMPLEMENTED: 'bad_request',
  FAILED_PRECONDITION: 'upstream_error',
  UNAUTHENTICATED: 'upstream_error',
  PERMISSION_DENIED: 'upstream_error',
  RESOURCE_EXHAUSTED: 'rate_limit_exceeded',
  UNAVAILABLE: 'overloaded',
  INTERNAL: 'upstream_error',
  DEADLINE_EXCEEDED: 'upstream_error',
}

/** What the provider refused, and whether asking again may help. */
export function geminiRefusal(
  provider: string,
  status: number,
  text: string,
  header: (name: string) => string | undefined,
): DialectRefusal {
  const read = parseJson(text)
  const error = recordOf(recordOf(Array.isArray(read) ? read[0] : read)?.['error'])
  const fault = geminiFault(provider, error, status)
  const isTransient = status === 429 || (status >= 500 && status !== 504)
  return { failure: { ...readRetryAfter(header('retry-after')), ...fault }, isRetryable: isTransient }
}

/** The same of an error inside a stream. */
export function geminiFault(provider: string, error: JsonRecord | undefined, status: number): Failure {
  const said = textOf(error?.['message'])
  const words = `${provider}: ${said === undefined ? `answered ${status}` : redactedMessage(said)}`
  const details = listOf(error?.['details']).map((detail) => recordOf(detail) ?? {})
  // A wrong key comes as an argument that is none.
  const isKey = details.some((detail) => detail['reason'] === 'API_KEY_INVALID')
  const code = isKey ? 'upstream_error' : (entryOf(codes, textOf(error?.['status']) ?? '') ?? codeOfStatus(status))
  const isLong = code === 'bad_request' && /token count.*exceeds the maximum/i.test(said ?? '')
  const delay = details.map((detail) => textOf(detail['retryDelay'])).find((found) => found !== undefined)
  const seconds = delay === undefined ? undefined : Math.ceil(Number.parseFloat(delay))
  const wait = seconds === undefined || Number.isNaN(seconds) ? {} : { retryAfterSeconds: seconds }
  return failure(isLong ? 'context_length_exceeded' : code, words, wait)
}

function codeOfStatus(status: number): FailureCode {
  if (status === 429) return 'rate_limit_exceeded'
  if (status === 503) return 'overloaded'
  return status >= 500 || status === 401 || status === 403 ? 'upstream_error' : 'bad_request'
}
