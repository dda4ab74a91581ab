import fc from 'fast-check'
import { describe, test } from 'vitest'
import { nextSignIn, retryAfter } from '../../../workers/app/core/sign-in-schedule.ts'

const unix = (iso: string) => Date.parse(iso) / 1000
const window = { timeZone: 'Asia/Shanghai', startMinutes: 480, endMinutes: 600 }

describe('the next sign-in', () => {
  test.each([
    ['before the window, at its start', undefined, '2026-11-20T20:00:00Z', 0, '2026-11-21T00:00:00Z'],
    ['before the window, in its middle', undefined, '2026-11-20T20:00:00Z', 0.5, '2026-11-21T01:00:00Z'],
    ['inside the window, never in the past', 'pending', '2026-11-21T01:30:00Z', 0, '2026-11-21T01:30:00Z'],
    ['after a missed window, at once', 'pending', '2026-11-21T09:00:00Z', 0.5, '2026-11-21T09:00:00Z'],
    ['after it was done, tomorrow', 'signed', '2026-11-21T09:00:00Z', 0.5, '2026-11-22T01:00:00Z'],
    ['after it failed for good, tomorrow', 'failed', '2026-11-21T09:00:00Z', 0, '2026-11-22T00:00:00Z'],
    ['late at night it is already the next day', 'signed', '2026-11-21T15:59:00Z', 0, '2026-11-22T00:00:00Z'],
  ] as const)('%s', (_, status, now, random, expected) => {
    const at = nextSignIn(status, unix(now), window, random)
    if (at !== unix(expected)) throw new Error(new Date(at * 1000).toISOString())
  })

  test('keeps the hour on the wall over daylight saving', ({ expect }) => {
    const eastern = { ...window, timeZone: 'America/New_York' }

    expect(nextSignIn('signed', unix('2026-03-07T20:00:00Z'), eastern, 0)).toBe(unix('2026-03-08T12:00:00Z'))
    expect(nextSignIn('signed', unix('2026-03-06T20:00:00Z'), eastern, 0)).toBe(unix('2026-03-07T13:00:00Z'))
  })

  test('is never in the past and at most two days away', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_700_000_000, max: 1_900_000_000 }),
        fc.constantFrom('Asia/Shanghai', 'America/New_York', 'Australia/Lord_Howe'),
        fc.constantFrom(undefined, 'pending', 'signed', 'failed'),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (now, timeZone, status, random) => {
          const at = nextSignIn(status, now, { ...window, timeZone }, random)
          return at >= now && at - now <= 48 * 3600
        },
      ),
    )
  })
})

test('a failed automatic sign-in is tried after 10 and 30 minutes, and then no more', ({ expect }) => {
  expect([1, 2, 3].map((attempts) => retryAfter(attempts, 1000, [10, 30]))).toEqual([1600, 2800, undefined])
})
