import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  absentFigures,
  figureNames,
  figureRanges,
  judgedGrowth,
  judgedUser,
  knownNumber,
  placesDiffer,
  type SiteUser,
  userOf,
} from '../../../workers/app/core/site-figures.ts'
import { sumUsers } from '../../../workers/app/core/site-totals.ts'

const gib = 1024 ** 3
const tib = 1024 * gib
const day = 86_400
const user: SiteUser = {
  username: 'walker',
  level: 'User',
  uploadedBytes: 10 * tib,
  downloadedBytes: 2 * tib,
  ratio: 5,
  bonus: 1000,
  bonusPerHour: 10,
  seeding: 40,
  leeching: 1,
  seedingSizeBytes: 3 * tib,
  unreadMessages: 0,
  hnrUnsatisfied: 0,
}

describe('what a page says of the account by itself', () => {
  test('is believed where it can be so', ({ expect }) => {
    expect(judgedUser(user)).toEqual(user)
  })

  test.for([
    ['a ratio that is not the quotient', { ratio: 7 }, ['ratio', 'others']],
    ['a ratio of a hundredth more', { ratio: 5.27 }, ['ratio', 'others']],
    ['no torrent that holds something', { seeding: 0 }, ['seeding_size', 'others']],
    ['torrents that hold nothing', { seedingSizeBytes: 0 }, ['seeding_size', 'others']],
    ['a torrent larger than any', { seeding: 1, seedingSizeBytes: 64 * tib + 1 }, ['seeding_size', 'others']],
    ['a negative bonus', { bonus: -1 }, ['bonus', 'range']],
    ['a rate that is no number', { bonusPerHour: Number.NaN }, ['bonus_per_hour', 'range']],
  ] as const)('is doubted for %s', ([, change, [figure, rule]], { expect }) => {
    expect(judgedUser({ ...user, ...change }).doubts).toEqual([{ figure, rule }])
  })

  test.for([
    ['a ratio as the page rounds it', { ratio: 5.26 }],
    ['a ratio of less than a gibibyte', { downloadedBytes: gib - 1, ratio: 0 }],
    ['a torrent as large as any', { seeding: 1, seedingSizeBytes: 64 * tib }],
    ['nothing that holds nothing', { seeding: 0, seedingSizeBytes: 0 }],
  ])('is believed for %s', ([, change], { expect }) => {
    expect(judgedUser({ ...user, ...(change as object) }).doubts).toBeUndefined()
  })

  test.for(Object.entries(figureRanges))(
    '%s is believed up to its bound and no further',
    ([name, [min, max]], { expect }) => {
      const field =
        {
          uploaded: 'uploadedBytes',
          downloaded: 'downloadedBytes',
          bonus_per_hour: 'bonusPerHour',
          seeding_size: 'seedingSizeBytes',
          unread_messages: 'unreadMessages',
          hnr_unsatisfied: 'hnrUnsatisfied',
        }[name] ?? name
      const doubted = (value: number) => judgedUser({ username: 'walker', [field]: value }).doubts ?? []

      expect(doubted(max)).toEqual([])
      expect(doubted(min)).toEqual([])
      expect(doubted(max + 1)).toEqual([{ figure: name, rule: 'range' }])
      expect(doubted(min - 1)).toEqual([{ figure: name, rule: 'range' }])
    },
  )

  test('has the ratio that follows where the site leaves it out', ({ expect }) => {
    const { ratio: _, ...rest } = user

    expect(judgedUser(rest).ratio).toBe(5)
    expect(judgedUser({ ...rest, downloadedBytes: 0 }).ratio).toBeUndefined()
  })
})

describe('what became of a figure since it was read last', () => {
  const before = { ...user, fetchedAtUnix: 1_000_000 }
  const nowUnix = before.fetchedAtUnix + day
  const moreMax = 2 * tib + 1.25e9 * day

  test.for([
    ['uploaded more than any line carries', { uploadedBytes: 10 * tib + moreMax + 1 }, ['uploaded']],
    ['downloaded less than half', { downloadedBytes: tib - 1 }, ['downloaded']],
    ['points that doubled and more', { bonus: 1000 + 1000 + 100_001 }, ['bonus']],
  ] as const)('is doubted for %s', ([, change, figures], { expect }) => {
    const judged = judgedGrowth({ ...user, ...change }, before, nowUnix)

    expect(judged.doubts).toEqual(figures.map((figure) => ({ figure, rule: 'growth' })))
  })

  test.for([
    ['as much as a line carries', { uploadedBytes: 10 * tib + moreMax }],
    ['half', { downloadedBytes: tib }],
    ['points that were given', { bonus: 1000 + 1000 + 100_000 }],
    ['points that were spent', { bonus: 0 }],
    ['nothing that is told', { uploadedBytes: undefined, bonus: undefined }],
    ['another account', { username: 'runner', uploadedBytes: 1 }],
  ])('is believed for %s', ([, change], { expect }) => {
    expect(judgedGrowth({ ...user, ...(change as object) }, before, nowUnix).doubts).toBeUndefined()
  })

  test('is doubted once: what the next reading says again is what the site says', ({ expect }) => {
    const first = judgedGrowth({ ...user, uploadedBytes: tib }, before, nowUnix)
    const second = judgedGrowth({ ...user, uploadedBytes: tib }, { ...first, fetchedAtUnix: nowUnix }, nowUnix + day)

    expect([first.doubts?.length, second.doubts]).toEqual([1, undefined])
  })
})

test('two places agree within what may have happened between them', ({ expect }) => {
  const slack = { share: 0, amount: 5 }

  expect(placesDiffer('seeding', 10, 15, slack)).toBeUndefined()
  expect(placesDiffer('seeding', 10, 16, slack)).toEqual({ figure: 'seeding', rule: 'places' })
  expect(placesDiffer('seeding', undefined, 16, slack)).toBeUndefined()
})

test('an account is put together of the first place that tells', ({ expect }) => {
  const [row, block] = [{ page: 'details', row: 'bonus' }, { page: 'index' }]
  const put = userOf('walker', [
    ['bonus', undefined, row],
    ['bonus', 7, block],
    ['bonus', 8, row],
    ['level', '', row],
    ['seeding', 0, block],
  ])

  expect(put).toEqual({ username: 'walker', bonus: 7, seeding: 0, sources: { bonus: block, seeding: block } })
  expect(absentFigures(put)).toEqual(figureNames.filter((name) => name !== 'bonus' && name !== 'seeding'))
})

describe('a sum', () => {
  test('leaves out what is absent or doubtful', ({ expect }) => {
    const doubted: SiteUser = { ...user, doubts: [{ figure: 'bonus', rule: 'range' }] }

    expect(sumUsers([user, doubted, { username: 'b' }])).toMatchObject({ bonus: 1000, uploadedBytes: 20 * tib })
    expect(knownNumber(doubted, 'bonus')).toBeUndefined()
  })

  test('has the ratio of those that tell both sides', ({ expect }) => {
    const { downloadedBytes: _, ...half } = user

    expect(sumUsers([user, half])).toMatchObject({ ratio: 5, uploadedBytes: 20 * tib })
  })

  test('is never larger for what is doubted', () => {
    const figure = fc.constantFrom('uploaded', 'bonus', 'seeding' as const)
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(figure), { maxLength: 5 }), (lists) => {
        const users = lists.map((list) => ({
          ...user,
          doubts: list.map((one) => ({ figure: one, rule: 'range' as const })),
        }))
        const counted = lists.filter((list) => !list.includes('bonus')).length
        return sumUsers(users).bonus === counted * 1000
      }),
    )
  })
})
