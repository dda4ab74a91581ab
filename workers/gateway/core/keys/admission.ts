import type { KeyLimits, KeyRecord, KeyRefusal } from './key-record.ts'
import { type Moment, minuteMs } from './moment.ts'

/** What a key has used up, with what is reserved for calls under way. */
export interface Used {
  readonly minuteRequests: number
  readonly minuteTokens: number
  readonly dayNano: number
  readonly monthNano: number
  readonly heldTokens: number
  readonly heldNano: number
}

/** What a call takes at most. */
export interface Wanted {
  readonly tokens: number
  readonly costNano: number
}

function secondsUntil(endMs: number, { ms }: Moment): number {
  return Math.max(1, Math.ceil((endMs - ms) / 1_000))
}

function minuteEndsMs({ ms }: Moment): number {
  return (Math.floor(ms / minuteMs) + 1) * minuteMs
}

/** Whether a key opens at all. A secret that it does not know is judged before. */
export function refusalOfKey(record: KeyRecord, now: Moment): KeyRefusal | undefined {
  if (record.revokedMs !== undefined) return { reason: 'revoked' }
  if (record.expiresMs !== undefined && record.expiresMs <= now.ms) return { reason: 'expired' }
  return undefined
}

/** Whether one more request fits into the minute. */
export function refusalOfRequest(limits: KeyLimits, minuteRequests: number, now: Moment): KeyRefusal | undefined {
  return limits.requestsPerMinute !== undefined && minuteRequests >= limits.requestsPerMinute
    ? { reason: 'requests', retryAfterSeconds: secondsUntil(minuteEndsMs(now), now) }
    : undefined
}

/** Whether a call fits beside all that is spent and all that is under way. The wait that is longest is told. */
export function refusalOfCall(limits: KeyLimits, used: Used, wanted: Wanted, now: Moment): KeyRefusal | undefined {
  const cost = used.heldNano + wanted.costNano
  if (limits.monthBudgetNano !== undefined && used.monthNano + cost > limits.monthBudgetNano) {
    return { reason: 'month_budget', retryAfterSeconds: secondsUntil(now.monthEndsMs, now) }
  }
  if (limits.dayBudgetNano !== undefined && used.dayNano + cost > limits.dayBudgetNano) {
    return { reason: 'day_budget', retryAfterSeconds: secondsUntil(now.dayEndsMs, now) }
  }
  const tokens = used.minuteTokens + used.heldTokens + wanted.tokens
  if (limits.tokensPerMinute !== undefined && tokens > limits.tokensPerMinute) {
    return { reason: 'tokens', retryAfterSeconds: secondsUntil(minuteEndsMs(now), now) }
  }
  return undefined
}
