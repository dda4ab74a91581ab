/** Pages in every language, version and look of the software: each figure is right, or absent where the page lacks it. */
import { describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { parseMarkup } from '../../../workers/app/adapters/sites/markup.ts'
import { readHome } from '../../../workers/app/adapters/sites/nexusphp/account-block.ts'
import { readAccount } from '../../../workers/app/adapters/sites/nexusphp/account-page.ts'
import { readBonusPerHour } from '../../../workers/app/adapters/sites/nexusphp/bonus-page.ts'
import { readPlainTorrentList } from '../../../workers/app/adapters/sites/nexusphp/plain-torrent-list.ts'
import { readSeeding } from '../../../workers/app/adapters/sites/nexusphp/seeding-list.ts'
import { readTorrentList, readTorrentTree } from '../../../workers/app/adapters/sites/nexusphp/torrent-list.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import type { Discount } from '../../../workers/app/core/vocabulary.ts'
import { farLanguages } from '../../support/nexusphp-languages.ts'
import {
  accountPage,
  allLooks,
  attendanceForm,
  attendancePage,
  bonusPage,
  framedPage,
  type PageAccount,
  type PageLook,
  type PageTorrent,
  type Promotion,
  pageLanguages,
  pageVersions,
  promotions,
  seedingList,
  shownBytes,
  torrentTable,
  walkersAccount,
} from '../../support/nexusphp-pages.ts'
import { siteRuntime } from '../../support/site-runtime.ts'

const profile = siteProfile('nexusphp', {})
function lookOf(version: PageLook['version'], language: PageLook['language']): PageLook {
  return { version, language, promotionStyle: 'icon', timeType: 'timealive' }
}
const gib = 1024 ** 3

const ordinary = walkersAccount
const accounts: Readonly<Record<string, PageAccount>> = {
  ordinary,
  'with nothing yet': {
    ...ordinary,
    uploadedBytes: 0,
    downloadedBytes: 0,
    movedUp: 0,
    movedDown: 0,
    bonus: 0,
    bonusPerHour: 0,
    seeding: 0,
    leeching: 0,
    messages: 0,
    unread: 0,
    hitAndRuns: [],
  },
  'of years': {
    ...ordinary,
    uploadedBytes: 7123.4 * 1024 * gib,
    downloadedBytes: 1024 * gib,
    bonus: 123_456_789.1,
    bonusPerHour: 1234.567,
    seeding: 12_345,
    leeching: 0,
    messages: 4096,
    unread: 0,
    hitAndRuns: [
      { section: '种子区', inspecting: 7, unreached: 2 },
      { section: '特别区', inspecting: 1, unreached: 9 },
    ],
  },
}
const accountLooks = [
  ...pageVersions.flatMap((version) => pageLanguages.map((language) => lookOf(version, language))),
  ...farLanguages.map((language) => lookOf('1.8', language)),
]
const accountCases = accountLooks.flatMap((look) =>
  Object.keys(accounts).map((name) => [look.version, look.language, name] as const),
)

const bothSides = ['uploadedBytes', 'downloadedBytes'] as const
/** Their table has one word for both sides: which is which the block alone tells. */
const oneWord: readonly PageLook['language'][] = ['fi', 'fr', 'ru']
const sidesIn = ({ language }: PageLook): readonly (typeof bothSides)[number][] =>
  oneWord.includes(language) ? [] : bothSides
/** Their block has the ratio without a colon. */
const lacksColon: readonly PageLook['language'][] = ['cs', 'fr', 'pl']

/** The values alone, without their places. */
function valuesOf(facts: object | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts ?? {}).map(([name, found]) => [name, typeof found === 'object' ? found.value : found]),
  )
}

function ratioOf({ uploadedBytes, downloadedBytes }: PageAccount): number | undefined {
  return downloadedBytes > 0 ? Math.floor((uploadedBytes / downloadedBytes) * 1000) / 1000 : undefined
}

function unreachedOf(look: PageLook, { hitAndRuns }: PageAccount): number | undefined {
  if (look.version === '1.5' || hitAndRuns.length === 0) return undefined
  const counted = look.version === '1.6' ? hitAndRuns.slice(0, 1) : hitAndRuns
  return counted.reduce((sum, { unreached }) => sum + unreached, 0)
}

describe.each(accountCases)('the account pages of %s in %s, of an account %s', (version, language, name) => {
  const look = lookOf(version, language)
  const account = accounts[name] ?? ordinary

  test('say in the block of every page who reads, and what moves', ({ expect }) => {
    const home = readHome(parseMarkup(framedPage(look, account, '<h1>x</h1>')), profile)

    expect(home).toEqual({
      userQuery: 'id=4711',
      username: 'walker 7',
      unreadMessages: account.unread,
      seeding: account.seeding,
      leeching: account.leeching,
      bonus: account.bonus,
      ...(unreachedOf(look, account) === undefined ? {} : { hnrUnsatisfied: unreachedOf(look, account) }),
      uploadedBytes: shownBytes(account.uploadedBytes),
      downloadedBytes: shownBytes(account.downloadedBytes),
      ...(ratioOf(account) === undefined || lacksColon.includes(language) ? {} : { ratio: ratioOf(account) }),
    })
  })

  test('say in the table of details what counts', ({ expect }) => {
    const facts = readAccount(parseMarkup(accountPage(look, account)), profile)

    expect(valuesOf(facts)).toEqual({
      ...Object.fromEntries(sidesIn(look).map((side) => [side, shownBytes(account[side])])),
      ...(ratioOf(account) === undefined ? {} : { ratio: ratioOf(account) }),
      level: 'Power User',
      bonus: account.bonus,
      lastActiveAtUnix: Date.UTC(2026, 10, 20, 13, 22, 23) / 1000,
      joinedAtUnix: Date.UTC(2019, 2, 3, 21, 6, 7) / 1000,
      ...(look.version === '1.7' || look.version === '1.8'
        ? { seedingPoints: Math.round(account.bonus * 30) / 10 }
        : {}),
      ...(unreachedOf(look, account) === undefined ? {} : { hnrUnsatisfied: unreachedOf(look, account) }),
    })
  })

  test('say of each figure in which row it stands', ({ expect }) => {
    const page = accountPage(look, account)
    const facts = readAccount(parseMarkup(page), profile)

    for (const name of [...sidesIn(look), 'level', 'bonus'] as const) {
      const row = facts?.[name]?.row ?? 'none'
      expect(page.toLowerCase().replaceAll(':</td>', '</td>'), name).toContain(`>${row}</td>`)
    }
  })

  test('say what an hour brings, and not what the formula holds', ({ expect }) => {
    expect(readBonusPerHour(parseMarkup(bonusPage(look, account)), profile)).toBe(account.bonusPerHour)
  })
})

const discountOf: Readonly<Record<Promotion, Discount>> = {
  none: 'NONE',
  free: 'FREE',
  twoup: '2XUP',
  twoupfree: '2XFREE',
  halfdown: 'PERCENT_50',
  twouphalfdown: '2X50',
  thirtypercent: 'PERCENT_30',
}

const torrents: readonly PageTorrent[] = promotions.flatMap((promotion, index) =>
  ['2026-11-25 22:33:44', ''].map((promotionUntil, part) => ({
    id: 1000 + index * 2 + part,
    name: `Paper.Harbour.S0${index}.2026.1080p.WEB-DL.H.264-"A&B" <${part}> with a name that is longer than what is shown`,
    smallDescription: part === 0 ? `纸港 第${index}季 | 3.5 GB 免费 & more` : '',
    category: '剧集/TV',
    tags: index % 2 === 0 ? ['官方', '中字'] : [],
    promotion,
    promotionUntil,
    hitAndRun: index % 3 === 0,
    comments: index,
    added: '2026-11-19 22:33:44',
    sizeBytes:
      [0, 1.5 * 1024 ** 2, 4.56 * gib, 999.99 * gib, 1.234 * 1024 * gib, 2.5 * 1024 ** 2 * gib, 77 * gib][index] ?? gib,
    seeders: index === 0 ? 0 : 1234 * index,
    leechers: part === 0 ? 0 : 2345,
    completed: index === 1 ? 0 : 98_765,
  })),
)

describe.each(allLooks.map((look) => [look.version, look.language, look.promotionStyle, look.timeType, look] as const))(
  'the list of %s in %s, promotions by %s, times by %s',
  (_version, _language, _style, _times, look) => {
    const text = framedPage(look, ordinary, torrentTable(look, torrents))
    const expected = torrents.map((one) => ({
      torrentId: String(one.id),
      title: one.name,
      subtitle: one.smallDescription === '' ? undefined : one.smallDescription,
      sizeBytes: shownBytes(one.sizeBytes),
      seeders: one.seeders,
      leechers: one.leechers,
      snatched: one.completed,
      uploadedAtUnix: Date.UTC(2026, 10, 19, 14, 33, 44) / 1000,
      category: '剧集/TV',
      tags: look.version === '1.5' ? [] : one.tags,
      discount: discountOf[one.promotion],
      // A coloured row tells no end.
      discountEndAtUnix:
        one.promotion === 'none' || one.promotionUntil === '' || look.promotionStyle === 'highlight'
          ? undefined
          : Date.UTC(2026, 10, 25, 14, 33, 44) / 1000,
      hasHr: one.hitAndRun,
      imdbId: undefined,
      doubanId: undefined,
      downloadKey: undefined,
    }))

    test('is read in one pass', ({ expect }) => {
      expect(readPlainTorrentList(text, profile)).toEqual(expected)
    })

    test('is read from its tree', ({ expect }) => {
      expect(readTorrentTree(parseMarkup(text), profile)).toEqual(expected)
    })

    test.for(['edit', 'delete'] as const)('is read with the column of who may %s', (right, { expect }) => {
      const list = torrentTable(look, torrents, right)
      expect(readTorrentList(framedPage(look, ordinary, list), profile)).toEqual(expected)
    })
  },
)

describe.each(accountLooks.map((look) => [look.version, look.language, look] as const))(
  'the list of what is seeded, %s in %s',
  (_version, _language, look) => {
    const seeded = torrents.filter(({ sizeBytes }) => sizeBytes > 0)

    test('tells how many and how much, stated or added up', ({ expect }) => {
      const { count, sizeBytes } = readSeeding(parseMarkup(seedingList(look, seeded)), profile)
      const total = seeded.reduce((sum, one) => sum + one.sizeBytes, 0)

      expect(count).toBe(seeded.length)
      // Each row is rounded to the digits that are shown.
      expect(Math.abs((sizeBytes ?? 0) / total - 1)).toBeLessThan(0.001)
    })

    test('of nothing is nothing', ({ expect }) => {
      expect(readSeeding(parseMarkup(seedingList(look, [])), profile)).toEqual({ count: 0, sizeBytes: 0 })
    })
  },
)

describe.each(accountLooks.map((look) => [look.version, look.language, look] as const))(
  'the account page of %s in %s',
  (_version, _language, look) => {
    const page = accountPage(look, ordinary)
    const read = (text: string) => readAccount(parseMarkup(text), profile)

    test('is read without what its member wrote into it, tables too', ({ expect }) => {
      const lines = ['上传量', '上傳量', 'Uploaded', '魔力值', 'Karma Points', '等级', '等級', 'Class'].map(
        (head) => `<tr><td>${head}</td><td>99 TB</td></tr>`,
      )
      const own = `<tr><td valign="top" colspan="2" class="text" align="left"><table>${lines.join('')}</table></td></tr>`
      const [first, last] = [page.search(/<tr><td[^>]*class="rowhead/), page.lastIndexOf('<tr><td width="1%"')]
      for (const at of [first, last]) expect(read(page.slice(0, at) + own + page.slice(at))).toEqual(read(page))
    })
  },
)

describe('a page that says something else', () => {
  const look = lookOf('1.8', 'chs')

  test('has no counts below another’s head, where the links in them say whose they are', ({ expect }) => {
    const whole = framedPage(look, ordinary, torrentTable(look, torrents))
    // An empty head before that of the seeders, and one less at the end: rows and heads are as many as each other.
    const text = whole
      .replace(/(<td class="colhead"><a href="\?sort=7)/, '<td class="colhead"></td>$1')
      .replace(/<td class="colhead"><a href="\?sort=9.*?<\/td>/, '')
    const linked = torrents.filter(({ seeders, completed }) => seeders > 0 || completed > 0).map(({ id }) => String(id))
    const ids = [readPlainTorrentList(text, profile), readTorrentTree(parseMarkup(text), profile)]
      .flatMap((hits) => hits ?? [])
      .map(({ torrentId }) => torrentId)

    expect(linked.length).toBeGreaterThan(2)
    expect(ids.filter((id) => linked.includes(id))).toEqual([])
  })

  test.for([
    ['上传量', '上载总量', 'uploadedBytes'],
    ['下载量', '下載了', 'downloadedBytes'],
  ] as const)('does not tell what is moved where %s is called %s', ([word, other, figure], { expect }) => {
    const text = accountPage(look, ordinary).replaceAll(`<strong>${word}</strong>`, `<strong>${other}</strong>`)

    const facts = readAccount(parseMarkup(text), profile)
    expect(facts?.[figure]).toBeUndefined()
    expect(facts?.bonus?.value).toBe(ordinary.bonus)
  })

  test('has no account where no row is one of an account', ({ expect }) => {
    const text = framedPage(look, ordinary, '<table><tr><td>搜索</td><td>上传</td></tr></table>')

    expect(readAccount(parseMarkup(text), profile)).toBeUndefined()
  })

  test('has no bonus where its row is called otherwise, although the block on top has the word', ({ expect }) => {
    const text = accountPage(look, ordinary).replace('>魔力值</td>', '>某种东西</td>')

    expect(readAccount(parseMarkup(text), profile)?.bonus).toBeUndefined()
  })

  test('has no traffic where two rows say different things', ({ expect }) => {
    const page = accountPage(look, ordinary)
    const text = page.replace(
      '<strong>上传量</strong>:  12.056 TB',
      '<strong>上传量</strong>:  1 TB <b>上传量</b>: 2 TB',
    )

    expect(text).not.toBe(page)
    const facts = readAccount(parseMarkup(text), profile)
    expect(facts?.uploadedBytes).toBeUndefined()
    expect(facts?.contradictory).toEqual(['uploaded'])
  })

  test('has no points an hour where only the formula speaks of them', ({ expect }) => {
    const text = bonusPage(look, ordinary).replace('你当前每小时能获取', '每小时').replace('合计</td>', '小结</td>')

    expect(readBonusPerHour(parseMarkup(text), profile)).toBeUndefined()
  })

  test.for<readonly [was: string, now: string]>([
    ['合计</td>', '小结</td>'],
    ['奖励类型</td>', '奖励</td>'],
    ['获得魔力</td><td class="colhead">合计</td>', '获得魔力合计</td>'],
    ['rowspan="', 'rowspan="1'],
  ])('has no points an hour where its table lost %s, whatever the sentence above it says', ([was, now], { expect }) => {
    const page = bonusPage(look, ordinary)
    const text = page.replace(was, now)

    expect(text).not.toBe(page)
    expect(readBonusPerHour(parseMarkup(text), profile)).toBeUndefined()
  })

  test('has no ratio where its label stands before an amount, on top and in the table', ({ expect }) => {
    const block = framedPage(look, ordinary, '')
    const cut = block.replace(/(?<=分享率:<\/font>)[\s\S]*?上传量:<\/font>/, '')
    const table = accountPage(look, ordinary)
      .replace('<strong>分享率</strong>', '')
      .replace('<strong>上传量</strong>', '<strong>分享率</strong>')

    expect(cut).not.toBe(block)
    expect(readHome(parseMarkup(cut), profile)).not.toHaveProperty('ratio')
    expect(readAccount(parseMarkup(table), profile)).not.toHaveProperty('ratio')
  })

  test('has no number of messages where only the picture tells of new ones', ({ expect }) => {
    const text = framedPage(look, ordinary, '').replace('12 (5 新)', '12').replace('你有5条', '你有')

    expect(readHome(parseMarkup(text), profile)?.unreadMessages).toBeUndefined()
  })

  test('has no total where the list goes on, on another page, without one', ({ expect }) => {
    const many = Array.from({ length: 101 }, (_, index) => ({ ...(torrents[2] as PageTorrent), id: index + 1 }))
    const text = seedingList(look, many).replace(/ \| 总大小：[^<]*/, '')

    expect(readSeeding(parseMarkup(text), profile)).toEqual({ count: 101 })
  })
})

test('a site is asked as the browser that its cookie was given to', async ({ expect }) => {
  const asked: (string | null)[] = []
  const read = async (overrides: { readonly user_agent?: string }) => {
    const driver = createSiteDriver(
      {
        kind: 'nexusphp',
        baseUrl: 'https://site.example',
        credentials: { cookie: 'c=1', apiKey: '' },
        profile: siteProfile('nexusphp', { user_agent: 'of the definition' }, overrides),
      },
      {
        bounds: { callMs: 5000, answerBytesMax: 1024, queueMax: 8 },
        fetch: async (_address, init) => {
          asked.push(new Headers(init.headers).get('user-agent'))
          return new Response('none')
        },
        nowMs: () => 0,
        wait: async () => undefined,
      },
    )
    await driver.probe(AbortSignal.timeout(5000))
  }
  await read({})
  await read({ user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/141.0' })

  expect(asked).toEqual(['of the definition', 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/141.0'])
})

/** A site that is these pages. */
function siteOf(look: PageLook, isFirstVisit = true, form?: 'button' | 'picture') {
  const asked: string[] = []
  const pages: Readonly<Record<string, (query: URLSearchParams, isSent: boolean) => string>> = {
    '/index.php': () => framedPage(look, ordinary, ''),
    '/userdetails.php': () => accountPage(look, ordinary),
    '/getusertorrentlistajax.php': () => seedingList(look, torrents),
    '/mybonus.php': () => bonusPage(look, ordinary),
    '/attendance.php': (_query, isSent) =>
      form === undefined || isSent
        ? attendancePage(look, ordinary, isFirstVisit)
        : attendanceForm(look, ordinary, form === 'picture'),
    '/torrents.php': (query) => {
      const state = query.get('spstate')
      asked.push(state ?? 'all')
      const shown = torrents.filter(
        ({ promotion }) => state === null || promotions.indexOf(promotion) === { '2': 1, '4': 3 }[state],
      )
      return framedPage(look, ordinary, torrentTable(look, shown))
    },
  }
  const driver = createSiteDriver(
    { kind: 'nexusphp', baseUrl: 'https://site.example', credentials: { cookie: 'c=1', apiKey: '' }, profile },
    siteRuntime(async (address, { method }) => {
      const { pathname, searchParams } = new URL(address)
      return new Response(pages[pathname]?.(searchParams, method === 'POST') ?? 'none', {
        headers: { 'content-type': 'text/html' },
      })
    }),
  )
  return { driver, asked }
}

describe.each(accountLooks.map((look) => [look.version, look.language, look] as const))(
  'a site that runs %s in %s',
  (version, _language, look) => {
    test('has all figures of its account', async ({ expect }) => {
      const { driver } = siteOf(look)
      const reading = await driver.read(AbortSignal.timeout(5000))

      if (!reading.ok) throw new Error(JSON.stringify(reading))
      expect(reading.value.user).toMatchObject({
        username: 'walker 7',
        level: 'Power User',
        // The block tells the sides apart where the table has one word for both.
        uploadedBytes: shownBytes(ordinary.uploadedBytes),
        downloadedBytes: shownBytes(ordinary.downloadedBytes),
        bonus: 345_678.9,
        bonusPerHour: 56.789,
        seeding: torrents.length,
        leeching: 3,
        unreadMessages: 5,
      })
      expect(reading.value.user?.seedingSizeBytes).toBeGreaterThan(gib)
      expect(reading.value.user?.hnrUnsatisfied).toBe(version === '1.5' ? undefined : 0)
    })

    test('finds what is free and what is free and counts twice', async ({ expect }) => {
      const { driver, asked } = siteOf(look)
      const found = await driver.search({ keyword: '', categoryIds: [], freeOnly: true }, AbortSignal.timeout(5000))

      if (!found.ok) throw new Error(JSON.stringify(found))
      expect(found.value.map(({ discount }) => discount)).toEqual(['FREE', 'FREE', '2XFREE', '2XFREE'])
      expect(asked).toEqual(['2', '4'])
    })
  },
)

// There is no attendance before 1.6.
describe.each(
  accountLooks.filter(({ version }) => version !== '1.5').map((look) => [look.version, look.language, look] as const),
)('signing in at a site that runs %s in %s', (_version, _language, look) => {
  test('is told from signing in twice', async ({ expect }) => {
    const signal = AbortSignal.timeout(5000)

    expect(await siteOf(look).driver.signIn(signal)).toMatchObject({ ok: true, value: { status: 'signed' } })
    expect(await siteOf(look, false).driver.signIn(signal)).toMatchObject({ ok: true, value: { status: 'already' } })
  })
  test('sends the form of a site that signs in by a button, and leaves a picture to a person', async ({ expect }) => {
    const signal = AbortSignal.timeout(5000)

    const byButton = await siteOf(look, true, 'button').driver.signIn(signal)
    expect(byButton).toMatchObject({ ok: true, value: { status: 'signed' } })
    const again = await siteOf(look, false, 'button').driver.signIn(signal)
    expect(again).toMatchObject({ ok: true, value: { status: 'already' } })
    const byPicture = await siteOf(look, true, 'picture').driver.signIn(signal)
    expect(byPicture).toMatchObject({ ok: true, value: { status: 'unsupported' } })
  })
})
