/** Sites that changed the software's pages: what is told is right, and what has two meanings or none is absent. */
import { describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { parseMarkup } from '../../../workers/app/adapters/sites/markup.ts'
import { readTorrentList, readTorrentTree } from '../../../workers/app/adapters/sites/nexusphp/torrent-list.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import type { SiteUser } from '../../../workers/app/core/site-figures.ts'
import {
  type ColouredRow,
  forks,
  listInForm,
  listOfHeads,
  listOfNumbers,
  listOfPairs,
  listOfRows,
} from '../../support/nexusphp-forks.ts'
import { siteNotice } from '../../support/nexusphp-pages.ts'
import {
  listOfMarks,
  listOfParts,
  listOfSigns,
  type Theme,
  type ThemePages,
  themeAccount,
  themeSeedingBytes,
  themes,
  themeTorrents,
} from '../../support/nexusphp-themes.ts'
import { siteRuntime } from '../../support/site-runtime.ts'

async function userOf({ home, details, seeding, bonus }: ThemePages): Promise<SiteUser> {
  const pages: Readonly<Record<string, string>> = {
    '/index.php': home,
    '/userdetails.php': details,
    '/getusertorrentlistajax.php': seeding,
    '/mybonus.php': bonus,
  }
  const driver = createSiteDriver(
    {
      kind: 'nexusphp',
      baseUrl: 'https://site.example',
      credentials: { cookie: 'c=1', apiKey: '' },
      profile: siteProfile('nexusphp', { request_interval_ms: 0 }),
    },
    siteRuntime(async (address) => new Response(pages[new URL(address).pathname] ?? '', { status: 200 })),
  )
  const reading = await driver.read(AbortSignal.timeout(5000))
  if (!reading.ok || reading.value.user === undefined) throw new Error(JSON.stringify(reading))
  return reading.value.user
}

const truth = {
  level: 'Power User',
  uploaded: themeAccount.uploadedBytes,
  downloaded: themeAccount.downloadedBytes,
  ratio: 5.55,
  bonus: themeAccount.bonus,
  bonus_per_hour: themeAccount.bonusPerHour,
  seeding: themeAccount.seeding,
  seeding_size: themeSeedingBytes,
  unread: themeAccount.unread,
} as const
type Known = Partial<Record<keyof typeof truth, number | string>>

/** What may be used: what is doubtful is no figure. */
function known(user: SiteUser): Known {
  const told: Known = {
    ...(user.level === undefined ? {} : { level: user.level }),
    ...(user.uploadedBytes === undefined ? {} : { uploaded: user.uploadedBytes }),
    ...(user.downloadedBytes === undefined ? {} : { downloaded: user.downloadedBytes }),
    ...(user.ratio === undefined ? {} : { ratio: Math.floor(user.ratio * 100) / 100 }),
    ...(user.bonus === undefined ? {} : { bonus: user.bonus }),
    ...(user.bonusPerHour === undefined ? {} : { bonus_per_hour: user.bonusPerHour }),
    ...(user.seeding === undefined ? {} : { seeding: user.seeding }),
    ...(user.seedingSizeBytes === undefined ? {} : { seeding_size: user.seedingSizeBytes }),
    ...(user.unreadMessages === undefined ? {} : { unread: user.unreadMessages }),
  }
  for (const { figure } of user.doubts ?? [])
    Reflect.deleteProperty(told, figure === 'unread_messages' ? 'unread' : figure)
  return told
}

function expectedOf({ missing = [] }: Theme): Known {
  return Object.fromEntries(Object.entries(truth).filter(([name]) => !missing.some((one) => one === name)))
}

describe('a site with a theme of its own', () => {
  test.for([...themes, ...forks].map((theme) => [theme.name, theme] as const))(
    '%s: every figure is right or absent',
    async ([, theme], { expect }) => {
      const user = await userOf(theme.pages(themeAccount))

      expect(user.username).toBe(themeAccount.username)
      expect(known(user)).toEqual(expectedOf(theme))
    },
  )
})

describe('a list that is not the stock table', () => {
  const profile = siteProfile('nexusphp', {})
  const told = (hits: ReturnType<typeof readTorrentList>) =>
    hits?.map(({ torrentId, title, subtitle, sizeBytes, seeders, leechers, snatched, category, discount }) => ({
      ...{ torrentId, title, subtitle, sizeBytes, seeders, leechers, snatched, category, discount },
    }))
  const expected = themeTorrents.map(({ id, name, second, gib, seeders, leechers, snatched, discount }) => ({
    torrentId: String(id),
    title: name,
    subtitle: second,
    sizeBytes: gib * 1024 ** 3,
    seeders,
    leechers,
    snatched,
    category: '电影',
    discount,
  }))

  test.for([
    ['parts with named marks', listOfParts],
    ['parts whose marks are the links of the software', listOfMarks],
    ['a table whose heads are signs', listOfSigns],
  ] as const)('of %s is read', ([, list], { expect }) => {
    expect(told(readTorrentList(list(themeTorrents), profile))).toEqual(expected)
    expect(told(readTorrentList(list(themeTorrents.slice(0, 1)), profile))).toEqual(expected.slice(0, 1))
  })

  test.for([
    ['no seeders', listOfParts, 'seeders', 'sowers'],
    ['no size', listOfParts, 'text-size', 'text-measure'],
    ['no leechers', listOfSigns, 'sort=8', 'sort=x'],
    ['a size of two meanings', listOfParts, /([0-9])\.([0-9]) GB/g, '$1,$2 GB'],
  ] as const)('with %s is no list: nothing is taken for zero', ([, list, from, to], { expect }) => {
    expect(readTorrentList(list(themeTorrents).replaceAll(from, to), profile)).toBeUndefined()
  })
})

describe('a torrent that is pinned for a time', () => {
  const name = 'Paper.Harbour.2026.1080p'
  const untilUnix = Date.UTC(2026, 10, 25, 14, 33, 44) / 1000
  const lists = [
    ['with its name in a heading', listOfHeads],
    ['with its progress in a second row', listOfRows],
  ] as const
  const ends = [
    ['2026-11-25 22:33:44', untilUnix],
    ['', undefined],
  ] as const
  test.for(
    lists.flatMap(([title, list]) =>
      ends.flatMap(([until, end]) =>
        ['2026-12-31 00:00:00', ''].map((pinnedUntil) => [title, until, pinnedUntil, list, end] as const),
      ),
    ),
  )(
    '%s, free until "%s", pinned until "%s", is free no longer than it says',
    ([, until, pinnedUntil, list, end], { expect }) => {
      const hits = readTorrentList(
        list({ name, promotion: 'pro_free', until, pinnedUntil }),
        siteProfile('nexusphp', {}),
      )

      expect(hits?.map((hit) => ({ ...hit, subtitle: undefined }))).toEqual([
        expect.objectContaining({
          ...{ torrentId: '41', title: name, category: '电影', discount: 'FREE', hasHr: false, tags: [] },
          ...{ sizeBytes: Math.trunc(4.56 * 1024 ** 3), seeders: 12, leechers: 0, snatched: 345 },
          ...{ uploadedAtUnix: Date.UTC(2026, 10, 19, 14, 33, 44) / 1000, discountEndAtUnix: end },
        }),
      ])
    },
  )
})

describe('a row with a colour', () => {
  const pinnedFree: ColouredRow = [true, 'twoupfree_bg', '']
  test.for<readonly [what: string, rows: readonly ColouredRow[], discounts: readonly string[]]>([
    ['beside a mark says less than the mark', [[true, 'twoupfree_bg', 'pro_30pctdown']], ['PERCENT_30']],
    [
      'is promoted by it alone',
      [
        [false, 'twoupfree_bg', ''],
        [true, 'free_bg', ''],
      ],
      ['2XFREE', 'FREE'],
    ],
    [
      'that all have which are pinned is of the pin, in a list of colours alone too',
      [pinnedFree, [false, 'free_bg', '']],
      ['NONE', 'FREE'],
    ],
    [
      'is promoted by it beside a pin too, where another pin has another colour or none',
      [pinnedFree, [true, '', ''], [false, 'free_bg', '']],
      ['2XFREE', 'NONE', 'FREE'],
    ],
    [
      'is the promotion of the whole site, where ten others have it and none has another',
      [pinnedFree, ...Array.from({ length: 10 }, (): ColouredRow => [false, 'twoupfree_bg', ''])],
      Array.from({ length: 11 }, () => '2XFREE'),
    ],
    [
      'is of the pin, where nine others have it',
      [pinnedFree, ...Array.from({ length: 9 }, (): ColouredRow => [false, 'twoupfree_bg', ''])],
      ['NONE', ...Array.from({ length: 9 }, () => '2XFREE')],
    ],
    ['and nothing else in the list is of the pin', [pinnedFree, [false, '', '']], ['NONE', 'NONE']],
    [
      'alone, where others have marks, is of a pin or a purchase',
      [pinnedFree, [false, '', 'pro_free'], [false, 'halfdown_bg', '']],
      ['NONE', 'FREE', 'NONE'],
    ],
  ])('%s', ([, rows, discounts], { expect }) => {
    const profile = siteProfile('nexusphp', {})
    for (const text of [listInForm(rows), listInForm(rows).replaceAll(/<\/?form[^>]*>/g, '')]) {
      const hits = readTorrentList(text, profile)
      expect(hits?.map(({ discount }) => discount)).toEqual(discounts)
      expect(hits?.[0]).toMatchObject({ torrentId: '1', title: 'Paper.0', seeders: 12, leechers: 0, snatched: 345 })
      expect(readTorrentTree(parseMarkup(text), profile)).toEqual(hits)
    }
  })
})

describe('a list with two lines a torrent', () => {
  const profile = siteProfile('nexusphp', {})
  test('is read line by line', ({ expect }) => {
    const names = ['Paper.Harbour', 'Paper.Road']
    expect(readTorrentList(listOfPairs(names), profile)).toEqual(
      names.map((title, index) =>
        expect.objectContaining({
          ...{ torrentId: String(index + 1), title, subtitle: '纸港', category: '电影', discount: 'FREE' },
          ...{ sizeBytes: Math.trunc(4.56 * 1024 ** 3), seeders: 12, leechers: 0, snatched: 345 },
          uploadedAtUnix: Date.UTC(2026, 10, 19, 14, 33, 44) / 1000,
        }),
      ),
    )
  })

  test('of which one is missing tells nothing of that torrent', ({ expect }) => {
    const second = '<tr>\n<td   class="rowfollow" >2</td><td class="rowfollow nowrap">'
    const text = listOfPairs(['Paper.Harbour', 'Paper.Road'])
    const start = text.lastIndexOf(second)
    expect(start).toBeGreaterThan(text.indexOf(second))
    expect(readTorrentList(`${text.slice(0, start)}</table>`, profile)).toHaveLength(1)
  })
})

describe('tags in an element of their own', () => {
  const name = 'Paper.Harbour.2026.1080p'
  test.for([
    ['纸港 第二季', ['官方', '中字']],
    ['', ['中字']],
    ['纸港', []],
  ] as const)('are no part of the second line: "%s" %j', ([second, tags], { expect }) => {
    const text = listOfNumbers(name, second, tags)
    const profile = siteProfile('nexusphp', {})
    const expected = [
      expect.objectContaining({
        ...{ torrentId: '41', title: name, subtitle: second === '' ? undefined : second, tags, category: '电影' },
        ...{ discount: 'FREE', sizeBytes: Math.trunc(4.56 * 1024 ** 3), seeders: 12, leechers: 0, snatched: 345 },
      }),
    ]
    expect(readTorrentList(text, profile)).toEqual(expected)
    expect(readTorrentTree(parseMarkup(text), profile)).toEqual(expected)
  })
})

describe('a promotion of the whole site', () => {
  const own = { name: 'Paper.Harbour.2026.1080p', promotion: 'pro_free', until: '', pinnedUntil: '' }
  const endUnix = Date.UTC(2026, 10, 24, 16) / 1000
  const range = '时间：2026-11-20 00:00:00 ~ 2026-11-25 00:00:00'
  const endOf = (notice: string, row = own) =>
    readTorrentList(notice + listOfRows(row), siteProfile('nexusphp', {}))?.[0]?.discountEndAtUnix

  test.for([
    ['全站 [%s] 生效中！', 'Free', range, endUnix],
    ['全站 [%s] 生效中！', 'Free', '時間：2026-11-20 00:00:00 ~ 2026-11-25 00:00:00', endUnix],
    ['Full site [%s] in effect!', 'Free', 'Time range: -∞ ~ 2026-11-25 00:00:00', endUnix],
    ['站免池已达标：全站 [%s] 生效中！', 'Free', '截止时间：2026-11-25 00:00:00', endUnix],
    ['全站 [%s] 生效中！', 'Free', '时间：2026-11-20 00:00:00 ~ ∞', undefined],
    ['全站 [%s] 生效中！', 'Free', '', undefined],
    ['全站 [%s] 生效中！', '2X', range, undefined],
    ['全站 [%s] 生效中！', 'Something', range, undefined],
  ] as const)('"%s" [%s] %s tells when rows of it end', ([words, name, told, expected], { expect }) => {
    expect(endOf(siteNotice(words, name, told))).toBe(expected)
  })

  test('that is yet to come, or of a row with an end of its own, tells nothing', ({ expect }) => {
    expect(endOf(siteNotice('即将生效的全站 [%s]', 'Free', range, 'blue'))).toBeUndefined()
    const until = '2026-11-22 08:00:00'
    const named = siteNotice('全站 [%s] 生效中！', 'Free', range)
    expect(endOf(named, { ...own, until })).toBe(Date.UTC(2026, 10, 22) / 1000)
    const rowOfNone = readTorrentList(named + listOfRows({ ...own, promotion: 'x' }), siteProfile('nexusphp', {}))
    expect(rowOfNone?.[0]).toMatchObject({ discount: 'NONE', discountEndAtUnix: undefined })
  })
})
