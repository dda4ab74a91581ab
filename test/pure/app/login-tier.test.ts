import { describe, test } from 'vitest'
import { loginStanding } from '../../../workers/app/core/login-tier.ts'

const day = 24 * 3600
const now = 1_800_000_000
const usual = { inactivityDays: 30, remindBeforeDays: 10 }
const early = { inactivityDays: 60, remindBeforeDays: 30 }

describe('the login tier', () => {
  test.each([
    ['just there', usual, 0, 'none', 30],
    ['a day before the reminder', usual, 19, 'none', 11],
    ['on the day of the reminder', usual, 20, '14d', 10],
    ['8 days left', usual, 22, '14d', 8],
    ['7 days left', usual, 23, '7d', 7],
    ['4 days left', usual, 26, '7d', 4],
    ['3 days left', usual, 27, '3d', 3],
    ['2 days left', usual, 28, '3d', 2],
    ['1 day left', usual, 29, 'banned-imminent', 1],
    ['the last day', usual, 30, 'banned-imminent', 0],
    ['past the limit', usual, 33, 'banned-imminent', -3],
    ['an early reminder, 30 days left', early, 30, '30d', 30],
    ['an early reminder, 15 days left', early, 45, '30d', 15],
    ['an early reminder, 14 days left', early, 46, '14d', 14],
  ] as const)('%s', (_, rule, daysAgo, tier, daysRemaining) => {
    const standing = loginStanding(now - daysAgo * day, rule, now)
    if (standing.tier !== tier || standing.daysRemaining !== daysRemaining) throw new Error(JSON.stringify(standing))
  })

  test('cuts part of a day toward zero, on both sides', ({ expect }) => {
    expect(loginStanding(now - 29.5 * day, usual, now).daysRemaining).toBe(0)
    expect(loginStanding(now - 30.5 * day, usual, now).daysRemaining).toBe(0)
    expect(loginStanding(now - 31.5 * day, usual, now).daysRemaining).toBe(-1)
    expect(Object.is(loginStanding(now - 30.5 * day, usual, now).daysRemaining, 0)).toBe(true)
  })

  test('is unknown without a record of access', ({ expect }) => {
    expect(loginStanding(undefined, usual, now)).toEqual({ tier: 'unknown', daysRemaining: 0 })
  })
})
