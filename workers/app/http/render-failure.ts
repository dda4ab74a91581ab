import { wireErrorCode } from '../contract/error.ts'
import type { Failure } from '../core/failure.ts'
import { cutTo, redact } from '../core/redact.ts'
import { messageCharactersMax } from '../limits.ts'

/** Every failure leaves through here: one shape, redacted, with a fixed text for bugs. */
export function renderFailure(failed: Failure, headers: Readonly<Record<string, string>> = {}): Response {
  const { status, error } = wireErrorCode(failed.code)
  const message = cutTo(redact(failed.message), messageCharactersMax)
  const retryAfter =
    failed.retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.ceil(failed.retryAfterSeconds)) }
  return new Response(JSON.stringify({ error, message }), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...retryAfter, ...headers },
  })
}
