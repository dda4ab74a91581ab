import { describe, test } from 'vitest'
import { csvOf, historyBars, shareOf } from '../../../../workers/app/web/model/site-history.ts'

const gib = 1024 ** 3

describe('the bars of a site’s history', () => {
  test('are one a day, with a gap where nothing was known', ({ expect }) => {
    const days = [
      { day: '2026-11-01', seeding_size: gib },
      { day: '2026-11-03', seeding_size: 3 * gib },
      { day: '2026-11-04', bonus: 5 },
    ]
    expect(historyBars(days, 'seeding_size', 30)).toEqual({
      fields: ['seeding_size'],
      bars: [
        { day: '2026-11-01', values: [1] },
        { day: '2026-11-02', values: [undefined] },
        { day: '2026-11-03', values: [3] },
        { day: '2026-11-04', values: [undefined] },
      ],
      unit: 'GiB',
    })
    expect(historyBars(days, 'bonus', 30)).toMatchObject({ unit: '', bars: [{}, {}, {}, { values: [5] }] })
  })

  test('of the traffic are none of one day, which nothing is compared with', ({ expect }) => {
    const days = [{ day: '2026-11-01', uploaded: gib, downloaded: 9 * gib, ratio: 2 }]
    expect(historyBars(days, 'traffic', 30).bars).toEqual([])
    expect(historyBars(days, 'ratio', 30).bars).toHaveLength(1)
  })

  test('of the traffic are what each day brought to either side, in one unit', ({ expect }) => {
    const days = [
      { day: '2026-11-01', uploaded: gib, downloaded: 9 * gib },
      { day: '2026-11-03', uploaded: 5 * gib },
      // Took something back: nothing came.
      { day: '2026-11-04', uploaded: 4 * gib, downloaded: 9.5 * gib },
      { day: '2026-11-05', uploaded: 7 * gib, downloaded: 9.5 * gib },
    ]
    expect(historyBars(days, 'traffic', 30)).toEqual({
      fields: ['uploaded', 'downloaded'],
      bars: [
        { day: '2026-11-02', values: [undefined, undefined] },
        { day: '2026-11-03', values: [4, undefined] },
        { day: '2026-11-04', values: [0, 0.5] },
        { day: '2026-11-05', values: [3, 0] },
      ],
      unit: 'GiB',
    })
    // Three days a bar: their sum.
    expect(historyBars(days, 'traffic', 90).bars).toEqual([
      { day: '2026-11-02', values: [undefined, undefined] },
      { day: '2026-11-03', values: [7, 0.5] },
    ])
  })

  test('of several days end with the last one, and show what was known last', ({ expect }) => {
    const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04'].map((day, at) => ({ day, bonus: at }))
    expect(historyBars(days, 'bonus', 90).bars).toEqual([
      { day: '2026-11-01', values: [0] },
      { day: '2026-11-02', values: [3] },
    ])
  })

  test('are none of no history', ({ expect }) => {
    expect(historyBars([], 'ratio', 365)).toEqual({ fields: ['ratio'], bars: [], unit: '' })
  })
})

describe('the file', () => {
  test('has a line a day, and nothing where nothing was known', ({ expect }) => {
    expect(
      csvOf([
        { day: '2026-11-01', uploaded: 5, ratio: 1.5 },
        { day: '2026-11-02', seeding_points: 2 },
      ]),
    ).toBe(
      'day,uploaded,downloaded,ratio,bonus,seeding,seeding_size,seeding_points\r\n2026-11-01,5,,1.5,,,,\r\n2026-11-02,,,,,,,2\r\n',
    )
  })
})

describe('the share of a condition', () => {
  test.for([
    [{ need: 10, have: 5 }, 50],
    [{ need: 10, have: 50 }, 100],
    [{ need: 10 }, undefined],
    [{}, undefined],
  ] as const)('of %j is %s', ([amounts, expected], { expect }) => {
    expect(shareOf({ condition: 'bonus', ...amounts })).toBe(expected)
  })
})
