/** A key of a person or a program, as it is kept. The secret itself is nowhere: only its digest. */

export interface KeyLimits {
  readonly requestsPerMinute?: number
  readonly tokensPerMinute?: number
  /** In billionths of a dollar, as all money here. */
  readonly dayBudgetNano?: number
  readonly monthBudgetNano?: number
}

export interface KeyFields {
  readonly name: string
  /** Ids and short names, `*` at an end for what begins with it; empty: every model. */
  readonly models: readonly string[]
  readonly limits: KeyLimits
  /** Addresses and networks that it opens for; undefined or empty: every one. */
  readonly addresses?: readonly string[]
  readonly expiresMs?: number
  /** Until then, what its requests and answers say is kept for a day. */
  readonly keepBodiesUntilMs?: number
}

export interface KeyRecord extends KeyFields {
  readonly id: string
  readonly madeMs: number
  readonly revokedMs?: number
  readonly usedMs?: number
  /** The last characters of the secret, by which its owner knows it. */
  readonly secretEnd: string
  /** The secret before this one still opens until then. */
  readonly oldSecretUntilMs?: number
}

/** What a request may do that was let in. */
export interface KeyGrant {
  readonly id: string
  readonly name: string
  readonly models: readonly string[]
  /** Calls reserve what they may take of a budget or a minute before they are made. */
  readonly reserves: boolean
  /** What a call may cost has to be known beforehand. */
  readonly hasBudget: boolean
  /** What requests and answers say is kept. */
  readonly keepsBodies?: boolean
}

type KeyRefusalReason =
  | 'unknown'
  | 'revoked'
  | 'expired'
  | 'address'
  | 'requests'
  | 'tokens'
  | 'day_budget'
  | 'month_budget'

export interface KeyRefusal {
  readonly reason: KeyRefusalReason
  /** Until it is worth asking again. */
  readonly retryAfterSeconds?: number
}

/** The key of the settings: it may do everything, and what it spends is written down like anyone's. */
export const masterGrant: KeyGrant = { id: 'master', name: 'API_KEY', models: [], reserves: false, hasBudget: false }

export function grantOf({ id, name, models, limits, keepBodiesUntilMs = 0 }: KeyRecord, nowMs: number): KeyGrant {
  const hasBudget = limits.dayBudgetNano !== undefined || limits.monthBudgetNano !== undefined
  const reserves = hasBudget || limits.tokensPerMinute !== undefined
  return { id, name, models, hasBudget, reserves, keepsBodies: keepBodiesUntilMs > nowMs }
}

const secretPattern = /^wgk_([0-9a-f]{12})_[0-9a-f]{48}$/

/** The id inside a secret; undefined for what cannot be one. */
export function keyIdIn(presented: string): string | undefined {
  return secretPattern.exec(presented)?.[1]
}

export function secretOf(id: string, hex: string): string {
  return `wgk_${id}_${hex}`
}

/** Whether one of the names that stand for a model is on the list. */
export function mayUseModel(allowed: readonly string[], names: readonly string[]): boolean {
  if (allowed.length === 0) return true
  return allowed.some((pattern) =>
    pattern.endsWith('*')
      ? names.some((name) => name.startsWith(pattern.slice(0, -1)))
      : names.some((name) => name === pattern),
  )
}
