/** M-Team's interface: every figure, every promotion and every refusal. */
import { describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import { judgedUser } from '../../../workers/app/core/site-figures.ts'
import { type MteamDiscount, type MteamState, mteamKey, mteamStandIn } from '../../support/mteam-stand-in.ts'
import { siteRuntime } from '../../support/site-runtime.ts'

function siteOf(state: Partial<MteamState>, apiKey = mteamKey) {
  const standIn = mteamStandIn({ rows: [], ...state })
  const driver = createSiteDriver(
    {
      kind: 'mteam',
      baseUrl: 'https://api.mteam.example/api',
      credentials: { cookie: '', apiKey },
      profile: siteProfile('mteam', { request_interval_ms: 0 }),
    },
    siteRuntime(standIn.fetch),
  )
  return { driver, calls: standIn.calls }
}
const signal = () => AbortSignal.timeout(5000)
const all = { keyword: '', categoryIds: [], freeOnly: false }

async function userOf(state: Partial<MteamState>) {
  const reading = await siteOf(state).driver.read(signal())
  if (!reading.ok || reading.value.user === undefined) throw new Error(JSON.stringify(reading))
  return judgedUser(reading.value.user)
}

describe('the account', () => {
  test('is read with all figures the interface tells', async ({ expect }) => {
    const { sources, ...figures } = await userOf({})

    expect(figures).toEqual({
      username: 'walker',
      level: 'Elite User',
      uploadedBytes: 13_743_895_347_200,
      downloadedBytes: 2_473_901_162_496,
      ratio: 5.555,
      bonus: 345_678.9,
      bonusPerHour: 56.789,
      seeding: 42,
      leeching: 3,
      seedingSizeBytes: 90_194_313_216,
      unreadMessages: 5,
      joinedAtUnix: Date.UTC(2019, 2, 3, 21, 6, 7) / 1000,
    })
    expect(sources?.level).toEqual({ page: 'api/member/profile', label: 'role' })
  })

  test.for([
    ['1', 'User'],
    ['9', 'mTorrent Master'],
    ['10', 'VIP'],
    ['77', undefined],
    ['', undefined],
  ] as const)('has for role %j the level %s', async ([role, level], { expect }) => {
    expect((await userOf({ role })).level).toBe(level)
  })

  test('has no number of messages where none is told', async ({ expect }) => {
    expect(await userOf({ unMake: null })).not.toHaveProperty('unreadMessages')
  })

  test('has no ratio where nothing was downloaded and none is told', async ({ expect }) => {
    expect(await userOf({ downloaded: '0', shareRate: null })).not.toHaveProperty('ratio')
  })

  test.for(['tracker/myPeerStatistics', 'tracker/mybonus', 'msg/notify/statistic'])(
    'is read without what %s refuses',
    async (path, { expect }) => {
      const user = await userOf({ refusals: { [path]: ['1', '系統繁忙'] } })

      expect(user.uploadedBytes).toBe(13_743_895_347_200)
      expect(user.bonusPerHour).toBe(path === 'tracker/mybonus' ? undefined : 56.789)
      expect(user.seeding).toBe(path === 'tracker/myPeerStatistics' ? undefined : 42)
      expect(user.unreadMessages).toBe(path === 'msg/notify/statistic' ? undefined : 5)
    },
  )
})

describe('a refusal', () => {
  test.for([
    ['401', 'Full authentication is required to access this resource', 'login_expired'],
    [1, 'key無效', 'login_expired'],
    ['1', '請求過於頻繁', 'rate_limited'],
    ['1', '请求过于频繁', 'rate_limited'],
    ['1', 'Too frequent requests', 'rate_limited'],
    ['1', '系統繁忙', 'refused'],
  ] as const)('%s %s is %s', async ([code, message, kind], { expect }) => {
    const refusals = { 'member/profile': [code, message], 'torrent/search': [code, message] } as const
    const { driver } = siteOf({ refusals })

    expect(await driver.read(signal())).toMatchObject({ ok: false, failure: { kind } })
    expect(await driver.search(all, signal())).toMatchObject({ ok: false, failure: { kind } })
  })

  test('of a wrong key is an expired login, and nothing is read', async ({ expect }) => {
    const { driver, calls } = siteOf({}, 'another')

    expect(await driver.read(signal())).toMatchObject({ ok: false, failure: { kind: 'login_expired' } })
    expect(calls).toHaveLength(1)
  })

  test('of a torrent that is gone is a fault, and no file', async ({ expect }) => {
    expect(await siteOf({}).driver.download('9', undefined, signal())).toMatchObject({ ok: false })
  })
})

describe('the list', () => {
  const row = (id: string, discount: MteamDiscount, more: object = {}) => ({
    id,
    name: `Paper.Harbour.${id}`,
    discount,
    ...more,
  })

  test('tells each torrent', async ({ expect }) => {
    const found = await siteOf({ rows: [row('5', 'FREE', { discountEndTime: '2026-11-25 22:33:44' })] }).driver.search(
      all,
      signal(),
    )

    expect(found).toEqual({
      ok: true,
      value: [
        {
          torrentId: '5',
          title: 'Paper.Harbour.5',
          subtitle: '第一季 | 中字',
          sizeBytes: 4_831_838_208,
          seeders: 120,
          leechers: 7,
          snatched: 310,
          uploadedAtUnix: Date.UTC(2026, 10, 19, 14, 33, 44) / 1000,
          category: '401',
          tags: ['中字', '4k'],
          discount: 'FREE',
          discountEndAtUnix: Date.UTC(2026, 10, 25, 14, 33, 44) / 1000,
          hasHr: false,
          imdbId: 'tt1234567',
          doubanId: '7654321',
        },
      ],
    })
  })

  test.for([
    ['NORMAL', 'NONE'],
    ['PERCENT_70', 'PERCENT_70'],
    ['PERCENT_50', 'PERCENT_50'],
    ['FREE', 'FREE'],
    ['_2X_FREE', '2XFREE'],
    ['_2X', '2XUP'],
    ['_2X_PERCENT_50', '2X50'],
  ] as const)('has %s as %s', async ([discount, told], { expect }) => {
    const found = await siteOf({ rows: [row('5', discount)] }).driver.search(all, signal())

    expect(found.ok && found.value[0]?.discount).toBe(told)
  })

  test('does not know what is on by another name', async ({ expect }) => {
    const found = await siteOf({ rows: [row('5', 'NORMAL', { promotionRule: { discount: '_3X' } })] }).driver.search(
      all,
      signal(),
    )
    expect(found.ok && found.value.map(({ discount }) => discount)).toEqual([undefined])
  })

  test('lets a rule for all, and one freed alone, come before the own promotion', async ({ expect }) => {
    const rows = [
      row('1', 'NORMAL', { promotionRule: { discount: 'FREE', endTime: '2026-11-30 00:00:00' } }),
      row('2', 'PERCENT_50', { mallSingleFree: { status: 'ONGOING', endDate: '2026-11-28 00:00:00' } }),
      row('3', 'PERCENT_50', { mallSingleFree: { status: 'FINISHED', endDate: '2026-11-18 00:00:00' } }),
    ]
    const found = await siteOf({ rows }).driver.search(all, signal())

    expect(found.ok && found.value.map(({ discount, discountEndAtUnix }) => [discount, discountEndAtUnix])).toEqual([
      ['FREE', Date.UTC(2026, 10, 29, 16) / 1000],
      ['FREE', Date.UTC(2026, 10, 27, 16) / 1000],
      ['PERCENT_50', undefined],
    ])
  })

  test('is asked for both that are free, one at a time', async ({ expect }) => {
    const rows = [row('1', 'FREE'), row('2', '_2X_FREE'), row('3', 'NORMAL')]
    const { driver, calls } = siteOf({ rows })
    const found = await driver.search({ ...all, freeOnly: true }, signal())

    expect(found.ok && found.value.map(({ torrentId, discount }) => [torrentId, discount])).toEqual([
      ['1', 'FREE'],
      ['2', '2XFREE'],
    ])
    expect(calls.map(({ body }) => JSON.parse(body).discount)).toEqual(['FREE', '_2X_FREE'])
  })

  test('hands out a file by an address that works once', async ({ expect }) => {
    const { driver, calls } = siteOf({ rows: [row('5', 'FREE')] })
    const file = await driver.download('5', undefined, signal())

    expect(file.ok).toBe(true)
    expect(calls).toEqual([{ path: 'torrent/genDlToken', body: 'id=5' }])
  })
})
