/** Our words for a failure; the server's reason goes behind them. */
import type { Reason } from '../../core/reason/reason.ts'
import type { Words } from '../locales/english.ts'

/** Why a call to the server failed. */
export interface ApiFailure {
  /** The server's code, or `offline` when no answer came, or `unreadable` when it was not one of ours. */
  readonly code: string
  readonly status: number
  /** Why, where the server said so. */
  readonly reason?: Reason
  readonly retryAfterSeconds?: number
}

type FailureWords = Words['failures']

function isKnown(known: FailureWords, code: string): code is keyof FailureWords {
  return Object.hasOwn(known, code)
}

export function failureText(known: FailureWords, code: string): string {
  return isKnown(known, code) ? known[code] : known.other
}

/** `14 min` or `45 s`, for the wait after too many tries. */
export function waitParts(seconds: number): { readonly value: number; readonly unit: 'seconds' | 'minutes' } {
  return seconds < 60
    ? { value: Math.max(1, Math.ceil(seconds)), unit: 'seconds' }
    : { value: Math.ceil(seconds / 60), unit: 'minutes' }
}
