import type { LoginTier } from './vocabulary.ts'

const daySeconds = 24 * 3600

export interface LoginStanding {
  readonly tier: LoginTier
  readonly daysRemaining: number
}

/**
 * How near an account is to its site's inactivity limit. Whole days, cut toward zero; negative once the limit has
 * passed. Nothing is due until `remindBeforeDays` before the limit.
 */
export function loginStanding(
  lastActiveAtUnix: number | undefined,
  rule: { readonly inactivityDays: number; readonly remindBeforeDays: number },
  nowUnix: number,
): LoginStanding {
  if (lastActiveAtUnix === undefined) return { tier: 'unknown', daysRemaining: 0 }
  const secondsLeft = lastActiveAtUnix + rule.inactivityDays * daySeconds - nowUnix
  // Without the addition a quotient of -0.5 would be -0, which JSON writes as 0 and comparisons tell apart.
  const daysRemaining = Math.trunc(secondsLeft / daySeconds) + 0
  return { tier: tierOf(daysRemaining, rule.remindBeforeDays), daysRemaining }
}

function tierOf(daysRemaining: number, remindBeforeDays: number): LoginTier {
  if (daysRemaining > remindBeforeDays) return 'none'
  if (daysRemaining <= 1) return 'banned-imminent'
  if (daysRemaining <= 3) return '3d'
  if (daysRemaining <= 7) return '7d'
  return daysRemaining <= 14 ? '14d' : '30d'
}
