import { wireErrorCode } from '../contract/error.ts'
import type { Failure } from '../core/failure.ts'
import { inChinese } from '../core/reason/chinese.ts'
import type { Say } from '../core/reason/say.ts'
import { cutTo, redact } from '../core/redact.ts'
import { messageCharactersMax } from '../limits.ts'

/** Every failure leaves through here: one shape, redacted, with a fixed text for bugs. */
export function renderFailure(
  failed: Failure,
  say: Say = inChinese,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { status, error } = wireErrorCode(failed.code)
  const message = failureMessage(failed, say)
  const retryAfter =
    failed.retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.ceil(failed.retryAfterSeconds)) }
  return new Response(JSON.stringify({ error, message, reason: failed.reason }), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...retryAfter, ...headers },
  })
}

/** Cut, since it is for people; the reason beside it is whole. */
function failureMessage({ reason }: Failure, say: Say): string {
  return cutTo(redact(say(reason)), messageCharactersMax)
}
