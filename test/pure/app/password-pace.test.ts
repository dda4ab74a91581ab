import { describe, test } from 'vitest'
import { createPasswordPace } from '../../../workers/app/core/password-pace.ts'
import {
  passwordCheckMs,
  passwordCheckMsMax,
  passwordCheckMsMin,
  passwordRestShare,
} from '../../../workers/app/limits.ts'

const bounds = {
  checkMs: passwordCheckMs,
  checkMsMin: passwordCheckMsMin,
  checkMsMax: passwordCheckMsMax,
  restShare: passwordRestShare,
}

describe('checks of passwords', () => {
  test('have their times one after another, with room between', ({ expect }) => {
    const pace = createPasswordPace(bounds)
    expect([1000, 1000, 1100].map((now) => pace.reserve(false, now))).toEqual([0, 400, 700])
    expect(pace.waitMs(false, 1200)).toBe(1000)
    expect(pace.reserve(false, 5000)).toBe(0)
  })

  test('of known browsers do not wait behind strangers', ({ expect }) => {
    const pace = createPasswordPace(bounds)
    for (let count = 0; count < 10; count += 1) pace.reserve(false, 0)
    expect([pace.waitMs(false, 0), pace.reserve(true, 0), pace.reserve(true, 0)]).toEqual([4000, 0, 400])
  })

  test.for([
    [200, 800],
    [0, 200],
    [50, 200],
    [51, 204],
    [499, 1996],
    [500, 2000],
    [501, 2000],
    [60_000, 2000],
  ] as const)('that took %i ms are followed after %i', ([took, next], { expect }) => {
    const pace = createPasswordPace(bounds)
    pace.took(took)
    pace.reserve(false, 0)
    expect(pace.waitMs(false, 0)).toBe(next)
  })
})
