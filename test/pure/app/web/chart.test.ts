import fc from 'fast-check'
import { describe, test } from 'vitest'
import { snapshotDays } from '../../../../workers/app/limits.ts'
import {
  chartBars,
  chartRanges,
  chartUnit,
  daysPerBar,
  layOut,
  niceStep,
  plotSize,
} from '../../../../workers/app/web/model/chart.ts'

function days(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    day: new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10),
    uploaded: at,
    downloaded: 1,
    bonus: 0.5,
    sites: 1,
  }))
}

describe('bars of several days', () => {
  test.for(chartRanges)('%i days fit, and no day is lost', (range, { expect }) => {
    expect(range).toBeLessThanOrEqual(snapshotDays)
    const bars = chartBars(days(range), daysPerBar[range])
    expect(bars.length).toBeLessThanOrEqual(31)
    expect(bars.reduce((sum, bar) => sum + bar.downloaded, 0)).toBe(range)
    expect(bars.at(-1)?.lastDay).toBe(days(range).at(-1)?.day)
  })

  test('the newest bar is a whole one, and the oldest takes what is left', ({ expect }) => {
    const bars = chartBars(days(7), 3)
    expect(bars.map(({ day, lastDay, uploaded }) => [day, lastDay, uploaded])).toEqual([
      ['2026-01-01', '2026-01-01', 0],
      ['2026-01-02', '2026-01-04', 6],
      ['2026-01-05', '2026-01-07', 15],
    ])
    expect(chartBars([], 3)).toEqual([])
  })
})

describe('bars of which nothing is known', () => {
  const known = (pattern: string) => days(pattern.length).map((one, at) => ({ ...one, sites: Number(pattern[at]) }))

  test.for([
    ['111', [false, false, false]],
    ['101', [false, true, false]],
    // Before the first figures there was nothing to read.
    ['0010', [false, false, false, true]],
    ['000', [false, false, false]],
  ] as const)('of days with %s sites read they are %j', ([pattern, gaps], { expect }) => {
    expect(chartBars(known(pattern), 1).map((bar) => bar.isGap)).toEqual(gaps)
  })

  test('one day that was read is enough for a bar of several', ({ expect }) => {
    expect(chartBars(known('111000100'), 3).map((bar) => bar.isGap)).toEqual([false, true, false])
  })
})

describe('steps and units', () => {
  test.for([
    [0, 1],
    [1, 0.5],
    [3, 1],
    [512, 200],
    [600, 200],
    [601, 500],
    [1_284_910, 500_000],
  ] as const)('up to %d there is a line every %d', ([most, step], { expect }) => {
    expect(niceStep(most)).toBeCloseTo(step, 9)
  })

  test.for([
    [0, 'MiB'],
    [1024 ** 3 - 1, 'MiB'],
    [1024 ** 3, 'GiB'],
    [512 * 1024 ** 3, 'GiB'],
    [1024 ** 4, 'TiB'],
    [1024 ** 6, 'PiB'],
  ] as const)('%d bytes are told in %s', ([most, unit], { expect }) => {
    expect(chartUnit(most).unit).toBe(unit)
  })
})

describe('the layout', () => {
  test('keeps every bar inside the picture, from the ground, and as tall as its value says', ({ expect }) => {
    const values = fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(values, fc.integer({ min: plotSize.widthLeast, max: 2000 }), (list, width) => {
        const plot = layOut([list, list], width)
        for (const bars of plot.series)
          for (const [at, bar] of bars.entries()) {
            expect(bar.x).toBeGreaterThanOrEqual(plotSize.left)
            expect(bar.x + bar.width).toBeLessThanOrEqual(width + 1e-6)
            expect(bar.y).toBeGreaterThanOrEqual(plotSize.top - 1e-6)
            expect(bar.y + bar.height).toBeCloseTo(plotSize.bottom, 6)
            const [first] = bars
            const one = list[0] ?? 0
            if (first !== undefined && one > 1) {
              const times = (list[at] ?? 0) / one
              expect(Math.abs(bar.height / first.height - times)).toBeLessThanOrEqual(1e-9 * Math.max(1, times))
            }
          }
        expect(plot.rules.length).toBeLessThanOrEqual(3)
      }),
    )
  })

  test('hangs the second series from the line that the first stands on, to one measure', ({ expect }) => {
    const values = fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(values, values, (up, down) => {
        const { base, series, rules } = layOut([up, down], 800, 'below')
        const [above = [], below = []] = series
        for (const [at, { y, height, x, width }] of above.entries()) {
          expect(y + height).toBeCloseTo(base, 6)
          expect(y).toBeGreaterThanOrEqual(plotSize.top - 1e-6)
          // Both stand in the same place.
          if (below[at] !== undefined) expect([below[at].x, below[at].width]).toEqual([x, width])
        }
        for (const { y, height } of below) {
          expect(y).toBe(base)
          expect(y + height).toBeLessThanOrEqual(plotSize.bottom + 1e-6)
        }
        const [one, other] = [up[0] ?? 0, down[0] ?? 0]
        if (one > 1) {
          const times = (below[0]?.height ?? 0) / (above[0]?.height ?? 1)
          expect(Math.abs(times - other / one)).toBeLessThanOrEqual(1e-9 * Math.max(1, other / one))
        }
        expect(rules.length).toBeLessThanOrEqual(3)
        expect(rules.every(({ y }) => y < base)).toBe(true)
      }),
    )
  })

  test('stands each series on the one before, to the height of their sum', ({ expect }) => {
    const values = fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(values, values, values, (one, two, three) => {
        const { series, tops, highest, base } = layOut([one, two, three], 800, 'stacked', plotSize.bottomTall)
        const [low = [], middle = [], high = []] = series
        expect(base).toBe(plotSize.bottomTall)
        for (const [at, top] of tops.entries()) {
          const [first, second, third] = [low[at], middle[at], high[at]]
          if (first === undefined || second === undefined || third === undefined) throw new Error('a bar is missing')
          expect(first.y + first.height).toBeCloseTo(base, 6)
          expect(second.y + second.height).toBeCloseTo(first.y, 6)
          expect(third.y + third.height).toBeCloseTo(second.y, 6)
          expect(third.y).toBeCloseTo(top.y, 6)
          expect(top.y).toBeGreaterThanOrEqual(plotSize.top - 1e-6)
          expect(top.value).toBe((one[at] ?? 0) + (two[at] ?? 0) + (three[at] ?? 0))
        }
        expect(tops[highest]?.value).toBe(Math.max(...tops.map(({ value }) => value)))
      }),
    )
  })

  test('names the highest of the first series, and stands without any value', ({ expect }) => {
    expect(layOut([[1, 5, 2]], 400).highest).toBe(1)
    expect(layOut([[0, 0]], 400).series[0]?.every((bar) => bar.height === 0)).toBe(true)
    expect(layOut([[]], 400).columns).toEqual([])
  })
})

test('a bound is drawn to the measure of the bars, unless they would be nothing beside it', ({ expect }) => {
  const near = layOut([[1, 2, 4]], 844, 'stacked', 116, 6)
  const far = layOut([[1, 2, 4]], 844, 'stacked', 116, 12.5)
  const without = layOut([[1, 2, 4]], 844, 'stacked', 116)

  expect(near.boundY).toBeCloseTo(near.rules.find(({ value }) => value === 6)?.y ?? Number.NaN)
  expect(near.tops[2]?.y).toBeGreaterThan(near.boundY ?? 0)
  expect(far).toEqual(without)
  expect(layOut([[0, 0]], 844, 'stacked', 116, 6).boundY).toBeUndefined()
})
