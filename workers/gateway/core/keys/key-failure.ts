import { type Failure, failure } from '../failure.ts'
import type { KeyRefusal } from './key-record.ts'

/** What a client is told whom its key does not let in, or no further. */
export function keyFailure({ reason, retryAfterSeconds }: KeyRefusal): Failure {
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  switch (reason) {
    case 'unknown':
      return failure('unauthorized', 'the API key is missing or wrong')
    case 'revoked':
      return failure('unauthorized', 'the API key was revoked')
    case 'expired':
      return failure('unauthorized', 'the API key has expired')
    case 'address':
      return failure('forbidden', 'the API key does not open for this address')
    case 'requests':
      return failure('rate_limit_exceeded', 'the API key has made its requests of this minute', wait)
    case 'tokens':
      return failure('rate_limit_exceeded', 'the API key has too few tokens left in this minute for this request', wait)
    case 'day_budget':
      return failure('insufficient_quota', 'what this request may cost is more than is left of the key’s day', wait)
    case 'month_budget':
      return failure('insufficient_quota', 'what this request may cost is more than is left of the key’s month', wait)
  }
}
