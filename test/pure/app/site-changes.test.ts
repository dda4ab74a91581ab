import fc from 'fast-check'
import { describe, test } from 'vitest'
import { changesBetween, changesByDay, type Snapshot } from '../../../workers/app/core/site-changes.ts'
import { sumUsers } from '../../../workers/app/core/site-totals.ts'

const at = (day: string, uploadedBytes: number, downloadedBytes = 0, bonus = 0, siteId = 1): Snapshot => ({
  siteId,
  day,
  uploadedBytes,
  downloadedBytes,
  bonus,
})
const today = '2026-11-21'

describe('the changes of a range', () => {
  test.each([
    ['against the last snapshot before it', [at('2026-11-01', 5), at('2026-11-18', 40), at(today, 100)], 60],
    ['in any order', [at(today, 100), at('2026-11-18', 40), at('2026-11-01', 5)], 60],
    ['nothing without one before', [at(today, 100)], 0],
    ['a figure that went down counts as zero', [at('2026-11-20', 500), at(today, 100)], 0],
  ])('count %s', (_, snapshots, uploaded) => {
    const [change] = changesBetween(snapshots, today, today)
    if (change?.uploadedBytes !== uploaded) throw new Error(JSON.stringify(change))
  })

  test('over several days count from the first inside when there is none before', ({ expect }) => {
    expect(changesBetween([at('2026-11-19', 10), at(today, 25)], '2026-11-19', today)).toMatchObject([
      { uploadedBytes: 15 },
    ])
  })

  test('are not known on the first day of a site: its zeros are no growth', ({ expect }) => {
    expect(changesBetween([at(today, 312, 5, 9)], today, today)).toEqual([
      { siteId: 1, uploadedBytes: 0, downloadedBytes: 0, bonus: 0, unknown: ['uploaded', 'downloaded', 'bonus'] },
    ])
  })

  test('leave out a site without a snapshot inside', ({ expect }) => {
    expect(changesBetween([at('2026-11-20', 10)], today, today)).toEqual([])
  })

  test('judge every figure by itself: spent bonus does not hide an upload', ({ expect }) => {
    expect(changesBetween([at('2026-11-20', 10, 7, 900), at(today, 30, 7, 100)], today, today)).toEqual([
      { siteId: 1, uploadedBytes: 20, downloadedBytes: 0, bonus: 0 },
    ])
  })

  test.each([
    ['today', [at('2026-11-20', 10), { ...at(today, 0), uploadedBytes: null }], 0, ['uploaded']],
    [
      'yesterday, and today is the first that is known',
      [{ ...at('2026-11-20', 0), uploadedBytes: null }, at(today, 30)],
      0,
      ['uploaded'],
    ],
    [
      'yesterday, then against the day before',
      [at('2026-11-19', 5), { ...at('2026-11-20', 0), uploadedBytes: null }, at(today, 30)],
      25,
      undefined,
    ],
  ] as const)('know no figure that was not told %s', (_, snapshots, uploaded, unknown) => {
    const [change] = changesBetween(snapshots, today, today)
    if (change?.uploadedBytes !== uploaded || JSON.stringify(change?.unknown) !== JSON.stringify(unknown))
      throw new Error(JSON.stringify(change))
  })

  test('are never negative, whatever the snapshots say', () => {
    const snapshot = fc.record({
      siteId: fc.integer({ min: 1, max: 3 }),
      day: fc.constantFrom('2026-11-18', '2026-11-19', '2026-11-20', today),
      uploadedBytes: fc.nat(),
      downloadedBytes: fc.nat(),
      bonus: fc.double({ min: 0, max: 1e9, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(snapshot, { maxLength: 12 }), (snapshots) =>
        changesBetween(snapshots, '2026-11-20', today).every(
          (change) => change.uploadedBytes >= 0 && change.downloadedBytes >= 0 && change.bonus >= 0,
        ),
      ),
    )
  })
})

test('the changes by day are those of each day by itself', () => {
  const days = ['2026-11-19', '2026-11-20', today]
  const snapshot = fc.record({
    siteId: fc.integer({ min: 1, max: 3 }),
    day: fc.constantFrom('2026-11-18', ...days),
    uploadedBytes: fc.nat(),
    downloadedBytes: fc.nat(),
    bonus: fc.nat(),
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(snapshot, { maxLength: 12, selector: ({ siteId, day }) => `${siteId} ${day}` }),
      (snapshots) =>
        changesByDay(snapshots, days).every(({ day, uploadedBytes, bonus, sites }) => {
          const alone = changesBetween(snapshots, day, day)
          return (
            uploadedBytes === alone.reduce((sum, change) => sum + change.uploadedBytes, 0) &&
            bonus === alone.reduce((sum, change) => sum + change.bonus, 0) &&
            sites === alone.length
          )
        }),
    ),
  )
})

test('the total ratio is uploaded over downloaded, and 0 when nothing was downloaded', ({ expect }) => {
  const user = { username: 'a', ratio: 9, bonus: 0, seeding: 0, leeching: 0, unreadMessages: 0 }

  expect(sumUsers([{ ...user, uploadedBytes: 30, downloadedBytes: 10 }]).ratio).toBe(3)
  expect(sumUsers([{ ...user, uploadedBytes: 30, downloadedBytes: 0 }]).ratio).toBe(0)
  expect(sumUsers([]).ratio).toBe(0)
})
