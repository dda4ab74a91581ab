import fc from 'fast-check'
import { describe, test } from 'vitest'
import { firstTime, whatIsDue } from '../../../local/agent/core/schedule.ts'

const graceMs = 60_000

describe('a scheduled prompt', () => {
  test.for([
    ['once, before its time', { nextMs: 1_000, everyMs: undefined }, 999, { runs: false, missed: 0, nextMs: 1_000 }],
    ['once, at its time', { nextMs: 1_000, everyMs: undefined }, 1_000, { runs: true, missed: 0, nextMs: undefined }],
    [
      'once, as late as may be',
      { nextMs: 0, everyMs: undefined },
      graceMs,
      { runs: true, missed: 0, nextMs: undefined },
    ],
    ['once, too late', { nextMs: 0, everyMs: undefined }, graceMs + 1, { runs: false, missed: 1, nextMs: undefined }],
    ['that is over', { nextMs: undefined, everyMs: 5 }, 9, { runs: false, missed: 0, nextMs: undefined }],
    ['every hour, at its time', { nextMs: 0, everyMs: 3_600_000 }, 1, { runs: true, missed: 0, nextMs: 3_600_000 }],
    [
      'every hour, after three hours away, on time for the last',
      { nextMs: 0, everyMs: 3_600_000 },
      3 * 3_600_000 + 1,
      { runs: true, missed: 3, nextMs: 4 * 3_600_000 },
    ],
    [
      'every hour, after three and a half hours away',
      { nextMs: 0, everyMs: 3_600_000 },
      3.5 * 3_600_000,
      { runs: false, missed: 4, nextMs: 4 * 3_600_000 },
    ],
  ] as const)('%s', ([, timing, nowMs, due], { expect }) => {
    expect(whatIsDue(timing, nowMs, graceMs)).toEqual(due)
  })

  test('that repeats is each time run, missed or still to come, and never twice', ({ expect }) => {
    const looks = fc.array(fc.integer({ min: 1, max: 500_000 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(looks, fc.integer({ min: 300_000, max: 900_000 }), (steps, everyMs) => {
        let [nowMs, nextMs, told] = [0, everyMs, 0]
        for (const step of steps) {
          nowMs += step
          const due = whatIsDue({ nextMs, everyMs }, nowMs, graceMs)
          told += due.missed + (due.runs ? 1 : 0)
          nextMs = due.nextMs ?? Number.NaN
          expect(nextMs).toBeGreaterThan(nowMs)
          expect(told).toBe(nextMs / everyMs - 1)
        }
      }),
    )
  })

  test.for([
    [{ at: undefined, everyMs: undefined }, 'neither'],
    [{ at: 100, everyMs: undefined }, 'past'],
    [{ at: 101, everyMs: undefined }, 101],
    [{ at: 1_100, everyMs: undefined }, 1_100],
    [{ at: 1_101, everyMs: undefined }, 'far'],
    [{ at: undefined, everyMs: 50 }, 150],
    [{ at: 200, everyMs: 50 }, 200],
  ] as const)('%j begins at %s', ([given, first], { expect }) => {
    expect(firstTime(given, 100, 1_000)).toBe(first)
  })
})
