/** Software beside the most used one, read by what a definition says of it: each figure is right, or absent. */
import { describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { parseMarkup } from '../../../workers/app/adapters/sites/markup.ts'
import { readHome } from '../../../workers/app/adapters/sites/nexusphp/account-block.ts'
import { readAccount } from '../../../workers/app/adapters/sites/nexusphp/account-page.ts'
import { readTorrentList } from '../../../workers/app/adapters/sites/nexusphp/torrent-list.ts'
import { readyDefinitions, siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import { seededRandom } from '../../long/seeded-random.ts'
import { pageMutator } from '../../support/mutated-pages.ts'
import {
  type FamilyAccount,
  type FamilyPages,
  type FamilyTorrent,
  familyAccount,
  familyTorrents,
  luminance,
  tbdev,
  toldBytes,
  xbtit,
} from '../../support/page-families.ts'
import { siteRuntime } from '../../support/site-runtime.ts'
import { u232English, u232French, xbtitLanguages, yuna } from '../../support/tbdev-relatives.ts'

const gib = 1024 ** 3
const torrents = familyTorrents

const accounts: Readonly<Record<string, FamilyAccount>> = {
  ordinary: familyAccount,
  'with one seed': {
    id: 5,
    name: 'lantern',
    level: 'User',
    uploadedBytes: 7.5 * gib,
    downloadedBytes: 2.5 * gib,
    bonus: 0,
    unread: 0,
    seeds: torrents.slice(0, 1),
  },
  'with little': {
    id: 6,
    name: 'tide',
    level: 'User',
    uploadedBytes: 700 * 1024 ** 2,
    downloadedBytes: 1400 * 1024 ** 2,
    bonus: 12.5,
    unread: 1,
    seeds: [],
  },
}

interface Family {
  readonly pages: FamilyPages
  /** Whose rows of the account tell what is seeded, and the bonus. */
  readonly tells: { readonly seeds: 'always' | 'some' | 'never'; readonly bonus: boolean }
  readonly isBinary: boolean
  readonly searched: string
  readonly downloaded: string
  /** Below the site's address, as `pathname?query`. */
  readonly pathsOf: { readonly home: string; readonly details: (id: number) => string }
}

/** A page of the account with words of its own, and a row for the bonus. */
function reworded(pages: FamilyPages, words: readonly (readonly [string, string])[], bonusHead: string): FamilyPages {
  const change = (page: string) => words.reduce((text, [from, to]) => text.replaceAll(from, to), page)
  const bonusRow = ({ bonus }: FamilyAccount) =>
    `<tr><td class="header rowhead">${bonusHead}</td><td class="lista">${bonus}</td></tr>`
  return {
    home: (account) => change(pages.home(account)),
    details: (account) =>
      change(pages.details(account)).replace(/<tr><td class=.(?:header|rowhead)/, `${bonusRow(account)}$&`),
    list: pages.list,
  }
}

const ofTotheglory = [
  ["class='rowhead'>Uploaded<", "class='rowhead'>上传量<"],
  ["class='rowhead'>Downloaded<", "class='rowhead'>下载量<"],
  ['>Share ratio<', '>分享率<'],
  ["class='rowhead'>Class<", "class='rowhead'>等级<"],
  ['Join&nbsp;date', '注册日期'],
  ['Last&nbsp;seen', '上次访问'],
  ['Currently&nbsp;seeding', '正在上传'],
] as const

const likeXbtit = {
  pages: xbtit,
  tells: { seeds: 'never', bonus: false },
  isBinary: false,
  searched: '',
  downloaded: '',
  pathsOf: { home: '/index.php', details: (id: number) => `/index.php?page=usercp&uid=${id}` },
} as const

const likeLuminance = {
  pages: luminance,
  tells: { seeds: 'always', bonus: true },
  isBinary: true,
  searched: '/torrents.php?action=advanced&title=paper%20%26%20harbour&filter_cat[1]=1&filter_cat[2]=1',
  downloaded: '/torrents.php?action=download&id=71',
  pathsOf: { home: '/index.php', details: (id: number) => `/user.php?id=${id}` },
} as const

const families: Readonly<Record<string, Family>> = {
  tbdev: {
    pages: tbdev,
    tells: { seeds: 'some', bonus: false },
    isBinary: false,
    searched: '/browse.php?search=paper%20%26%20harbour&incldead=1&c1=1&c2=1',
    downloaded: '/download.php?torrent=71',
    pathsOf: { home: '/index.php', details: (id) => `/userdetails.php?id=${id}` },
  },
  luminance: likeLuminance,
  cathoderaytube: likeLuminance,
  xbtit: likeXbtit,
  hdspace: likeXbtit,
  sportscult: likeXbtit,
  hdtorrents: {
    ...likeXbtit,
    pages: reworded(xbtit, [['index.php?page=usercp&amp;', 'usercp.php?']], 'Seed Bonus Points'),
    tells: { seeds: 'never', bonus: true },
    pathsOf: { home: '/index.php', details: (id) => `/usercp.php?uid=${id}` },
  },
  totheglory: {
    ...likeXbtit,
    pages: reworded(tbdev, ofTotheglory, '积分'),
    tells: { seeds: 'never', bonus: true },
    pathsOf: { home: '/index.php', details: (id) => `/userdetails.php?id=${id}` },
  },
}

function siteOf(
  id: string,
  account: FamilyAccount,
  listed: readonly FamilyTorrent[] = torrents,
  relative?: FamilyPages,
) {
  const definition = readyDefinitions.find((one) => one.id === id)
  const family = families[id]
  if (definition === undefined || family === undefined) throw new Error(id)
  const { pages = family.pages, pathsOf } = { ...family, ...(relative === undefined ? {} : { pages: relative }) }
  const asked: string[] = []
  const shown = (address: string): string | undefined => {
    if (address === pathsOf.home) return pages.home(account)
    if (address === pathsOf.details(account.id)) return pages.details(account)
    return /search=|title=/.test(address) ? pages.list(account, listed) : undefined
  }
  const profile = siteProfile(definition.kind, { ...definition.overrides, request_interval_ms: 0 })
  const driver = createSiteDriver(
    {
      kind: definition.kind,
      baseUrl: 'https://site.example',
      credentials: { cookie: 'c=1', apiKey: '' },
      profile,
    },
    siteRuntime(async (address) => {
      const { pathname, search } = new URL(address)
      asked.push(pathname + search)
      const page = shown(pathname + search)
      return new Response(page ?? '', { status: page === undefined ? 404 : 200 })
    }),
  )
  return { driver, asked, family, profile }
}

/** What others made of the software is read by the definition of its family. */
function readAs(id: string, pages: FamilyPages, account: FamilyAccount) {
  const { driver } = siteOf(id, account, torrents, pages)
  return driver.read(signal())
}

const signal = () => AbortSignal.timeout(5000)
const cases = Object.keys(families).flatMap((id) =>
  Object.entries(accounts).map(([name, account]) => [id, name, account] as const),
)

describe.each(cases)('an account of %s, %s', (id, _name, account) => {
  test('has what its page tells, and nothing else', async ({ expect }) => {
    const { driver, asked, family } = siteOf(id, account)
    const reading = await driver.read(signal())
    if (!reading.ok || reading.value.user === undefined) throw new Error(JSON.stringify([reading, asked]))
    const { sources, ...figures } = reading.value.user

    const seeds = account.seeds.map(({ sizeBytes }) => toldBytes(sizeBytes, family.isBinary))
    const { tells, isBinary } = family
    const size = isBinary
      ? toldBytes(
          account.seeds.reduce((sum, one) => sum + one.sizeBytes, 0),
          true,
        )
      : seeds.reduce((sum, one) => sum + one, 0)
    const hasSeeds = tells.seeds === 'always' || (tells.seeds === 'some' && account.seeds.length > 0)
    expect(figures).toEqual({
      username: account.name,
      level: account.level,
      uploadedBytes: toldBytes(account.uploadedBytes, family.isBinary),
      downloadedBytes: toldBytes(account.downloadedBytes, family.isBinary),
      ratio: expect.closeTo(account.uploadedBytes / account.downloadedBytes, 1),
      ...(tells.bonus ? { bonus: account.bonus } : {}),
      ...(hasSeeds ? { seeding: account.seeds.length, seedingSizeBytes: size } : {}),
    })
    expect(asked).toEqual([family.pathsOf.home, family.pathsOf.details(account.id)])
  })
})

describe.each(['tbdev', 'luminance'])('a list of %s', (id) => {
  const account = accounts['ordinary'] as FamilyAccount
  const query = { keyword: 'paper & harbour', categoryIds: ['1', '2'], freeOnly: false }

  test('has every torrent as it is', async ({ expect }) => {
    const { driver, asked, family } = siteOf(id, account)
    const found = await driver.search({ ...query, withPages: true }, signal())
    if (!found.ok) throw new Error(JSON.stringify([found, asked]))

    expect(asked).toEqual([family.searched])
    expect(
      found.value.map(({ torrentId, title, category, sizeBytes, seeders, leechers, snatched, discount }) => ({
        ...{ torrentId, title, category, sizeBytes, seeders, leechers, snatched, discount },
      })),
    ).toEqual(
      torrents.map(({ name, category, sizeBytes, seeders, leechers, snatched, free, doubled, ...one }) => ({
        torrentId: String(one.id),
        title: name,
        // The newer software has no word above its pictures.
        category: id === 'tbdev' ? category : undefined,
        sizeBytes: toldBytes(sizeBytes, family.isBinary),
        seeders,
        leechers,
        snatched,
        // The older software has no promotions.
        discount: id === 'tbdev' ? 'NONE' : free ? (doubled ? '2XFREE' : 'FREE') : doubled ? '2XUP' : 'NONE',
      })),
    )
    expect(found.value[0]?.pageUrl).toBe(id === 'tbdev' ? undefined : 'https://site.example/torrents.php?id=71')
    expect(found.value.some(({ uploadedAtUnix }) => uploadedAtUnix !== undefined)).toBe(false)
  })

  test('without a match is empty, without what is not free is shorter', async ({ expect }) => {
    expect(await siteOf(id, account, []).driver.search(query, signal())).toEqual({ ok: true, value: [] })
    const free = await siteOf(id, account).driver.search({ ...query, freeOnly: true }, signal())
    expect(free.ok ? free.value.map(({ torrentId }) => torrentId) : free).toEqual(id === 'tbdev' ? [] : ['71', '73'])
  })

  test('asks for a file at its own address', async ({ expect }) => {
    const { driver, asked, family } = siteOf(id, account)
    await driver.download('71', undefined, signal())
    expect(asked).toEqual([family.downloaded])
  })
})

describe('a list that tells no size', () => {
  const account = accounts['ordinary'] as FamilyAccount
  const query = { keyword: 'paper & harbour', categoryIds: ['1'], freeOnly: false }

  test('is no list', ({ expect }) => {
    expect(readTorrentList(xbtit.list(account, torrents), siteProfile('nexusphp', {}))).toBeUndefined()
  })

  test.each(Object.keys(families).filter((id) => families[id]?.searched === ''))('is not asked for: %s', async (id) => {
    const { driver, asked } = siteOf(id, account)
    const found = await driver.search(query, signal())
    if (found.ok || found.failure.kind !== 'unsupported' || asked.length > 0) throw new Error(JSON.stringify(found))
  })
})

describe.each([
  ['in Russian', yuna],
  ['whose way out stands apart', u232English],
  ['in French', u232French],
] as const)('a relative of TBDev %s', (_name, pages) => {
  test.for(Object.entries(accounts))('has its account, %s', async ([, account], { expect }) => {
    const reading = await readAs('tbdev', pages, account)
    if (!reading.ok || reading.value.user === undefined) throw new Error(JSON.stringify(reading))
    const { sources: _, ...figures } = reading.value.user
    expect(figures).toEqual({
      username: account.name,
      level: account.level,
      uploadedBytes: toldBytes(account.uploadedBytes, false),
      downloadedBytes: toldBytes(account.downloadedBytes, false),
      ratio: expect.closeTo(account.uploadedBytes / account.downloadedBytes, 1),
      bonus: account.bonus,
      leeching: 0,
      ...(pages === yuna ? { unreadMessages: account.unread } : {}),
      seeding: account.seeds.length,
      seedingSizeBytes: account.seeds.reduce((sum, { sizeBytes }) => sum + toldBytes(sizeBytes, false), 0),
    })
  })
})

test('somebody named below what is told of the reader is not the reader', ({ expect }) => {
  const { profile } = siteOf('tbdev', familyAccount, torrents, u232English)
  const whole = u232English.home(familyAccount)
  const link = `<a class='user' href='userdetails.php?id=${familyAccount.id}' target='_blank'>`

  expect(whole).toContain(link)
  expect(readHome(parseMarkup(whole), profile)?.userQuery).toBe(`id=${familyAccount.id}`)
  // Its own link is lost, and the parts of the page stand in one another.
  expect(readHome(parseMarkup(whole.replace(link, '<div>')), profile)).toBeUndefined()
})

test('a list with a title above its heads and both counts in one column is read', async ({ expect }) => {
  const { driver } = siteOf('tbdev', familyAccount, torrents, yuna)
  const found = await driver.search({ keyword: 'paper', categoryIds: [], freeOnly: false }, signal())
  expect(
    found.ok &&
      found.value.map(({ torrentId, title, sizeBytes, seeders, leechers, snatched, discount }) => ({
        ...{ torrentId, title, sizeBytes, seeders, leechers, snatched, discount },
      })),
  ).toEqual(
    torrents.map(({ id, name, sizeBytes, seeders, leechers, free, doubled }) => ({
      torrentId: String(id),
      title: name,
      sizeBytes: toldBytes(sizeBytes, false),
      seeders,
      leechers,
      snatched: undefined,
      // What counts by half is silver there, and nothing counts twice.
      discount: free ? 'FREE' : doubled ? 'PERCENT_50' : 'NONE',
    })),
  )
})

test.for(Object.entries(xbtitLanguages))('XBTIT in %s has its account', async ([, words], { expect }) => {
  const [user, rank, down, up, ratio] = words
  const translated = reworded(
    xbtit,
    [
      ['>User:<', `>${user}:<`],
      ['>Rank:<', `>${rank}:<`],
      ['>Downloaded:<', `>${down}:<`],
      ['>Uploaded:<', `>${up}:<`],
      ['>Ratio:<', `>${ratio}:<`],
      ['>My Panel<', '>x<'],
    ],
    'x',
  )
  const reading = await readAs('xbtit', translated, familyAccount)
  if (!reading.ok || reading.value.user === undefined) throw new Error(JSON.stringify(reading))
  const { sources: _, ...figures } = reading.value.user
  expect(figures).toEqual({
    username: familyAccount.name,
    level: familyAccount.level,
    uploadedBytes: toldBytes(familyAccount.uploadedBytes, false),
    downloadedBytes: toldBytes(familyAccount.downloadedBytes, false),
    ratio: expect.closeTo(familyAccount.uploadedBytes / familyAccount.downloadedBytes, 1),
  })
})

test("a level ends where the member's own title begins", ({ expect }) => {
  const { profile } = siteOf('tbdev', familyAccount)
  const whole = yuna.details(familyAccount)
  // As nickmsk9/tbdev.net at f9ed73b (2025) writes it, `userdetails.php`.
  const text = whole.replace(
    /<b><span [^>]*>[^<]*<\/span><\/b>/,
    `<b><font color="blue">${familyAccount.level}</font> / <span style="color: purple;">Keeper</span></b>`,
  )
  expect(text).toContain('Keeper')
  expect(readAccount(parseMarkup(text), profile)?.level?.value).toBe(familyAccount.level)
})

test('a head that lost a cell is not the one of a row that lost another', ({ expect }) => {
  const { profile } = siteOf('tbdev', familyAccount)
  const whole = tbdev.list(familyAccount, torrents)
  const text = whole
    .replace("<td class='colhead' align='right'>Files</td>", '')
    .replace("<td align='center'>1,310<br />times</td>", '')

  expect(text.length).toBeLessThan(whole.length - 80)
  expect(readTorrentList(whole, profile)).toHaveLength(torrents.length)
  expect(readTorrentList(text, profile)).toBeUndefined()
})

test('a cell is beside its head only where nothing stands between them', ({ expect }) => {
  const { profile } = siteOf('tbdev', familyAccount)
  const whole = tbdev.details(familyAccount)
  const [head, list] = ["<td class='rowhead'>Currently&nbsp;seeding</td>", "<td align='left'><table class='main'"]
  // Two marks too many: a browser's cell of the list ends within its first row, and the next cell is that of its hours.
  const text = whole
    .replace(head + list, `${head}<b>${list}`)
    .replace('Harbour</b></a></td>', 'Harbour</td></b></a></td>')

  expect(text.length).toBe(whole.length + '<b>'.length + '</td>'.length)
  expect(readAccount(parseMarkup(whole), profile)?.seeding?.value).toBe(3)
  expect(readAccount(parseMarkup(text), profile)?.seeding).toBeUndefined()
})

test('the size of one torrent, of whose table nothing else is left, is not the size of all', ({ expect }) => {
  const { profile } = siteOf('tbdev', familyAccount)
  const whole = tbdev.details(familyAccount)
  const table = /(<td align='left'><table class='main'[^>]*>)[\s\S]*?<td align='center'>(512\.00<br \/>MB<\/td>)/
  const text = whole.replace(table, '$1<tr>$2')

  expect(text).not.toBe(whole)
  expect(readAccount(parseMarkup(whole), profile)?.seedingSizeBytes).toBeDefined()
  expect(readAccount(parseMarkup(text), profile)?.seedingSizeBytes).toBeUndefined()
})

test('a row with a cell too many, whose table ends before its last, has no figures', ({ expect }) => {
  const { profile } = siteOf('luminance', familyAccount)
  const whole = luminance.list(familyAccount, familyTorrents)
  const text = whole.replace(/(TiB<\/td>\s*<td)(>0<\/td>\s*<td >3)<\/td>/, '$1><td$2</table>')
  expect(text).not.toBe(whole)
  const ids = (page: string) => readTorrentList(page, profile)?.map(({ torrentId }) => torrentId)
  expect(ids(whole)).toContain('72')
  expect(ids(text)).not.toContain('72')
})

test('a row with a cell too many, of which one lost its mark, has no figures', ({ expect }) => {
  const { profile } = siteOf('tbdev', familyAccount)
  const whole = tbdev.list(familyAccount, familyTorrents)
  const text = whole.replace(
    /(512\.00<br \/>MB<\/td>\s*)(<td[^>]*>44<br \/>times<\/td>\s*)<td[^>]*>(<span class='red'>)/,
    '$1<td>第 77 位</td>$2</td>$3',
  )
  expect(text).not.toBe(whole)
  const ids = (page: string) => readTorrentList(page, profile)?.map(({ torrentId }) => torrentId)
  expect(ids(whole)).toContain('73')
  expect(ids(text)).not.toContain('73')
})

/** As many as the fuzz of the other pages has, a quarter each. */
const runs = Number(process.env['WHARF_MUTATIONS'] ?? '800') / 4
const seed = Number(process.env['WHARF_FUZZ_SEED'] ?? '20261126')

test.each(['tbdev', 'luminance', 'xbtit', 'totheglory'])(
  'mutated pages of %s: every figure that is read is the one that was there',
  { timeout: 3_600_000 },
  async (id) => {
    const { family, profile } = siteOf(id, familyAccount)
    const random = seededRandom(seed)
    const mutate = pageMutator(random)
    const { seeds, uploadedBytes, downloadedBytes, bonus } = familyAccount
    const told = (bytes: number) => toldBytes(bytes, family.isBinary)
    const sizes = seeds.map(({ sizeBytes }) => sizeBytes)
    const truths: Readonly<Record<string, readonly unknown[]>> = {
      uploadedBytes: [told(uploadedBytes)],
      downloadedBytes: [told(downloadedBytes)],
      ratio: [5.55, 5.555, 5.56],
      bonus: [bonus],
      seeding: [seeds.length],
      seedingSizeBytes: [
        told(sizes.reduce((sum, one) => sum + one, 0)),
        sizes.map(told).reduce((sum, one) => sum + one, 0),
      ],
    }
    const rows = new Map(
      familyTorrents.map(({ id: torrent, sizeBytes, seeders, leechers, snatched }) => [
        String(torrent),
        [told(sizeBytes), seeders, leechers, snatched],
      ]),
    )
    const invented: unknown[] = []
    let read = 0
    for (let run = 0; run < runs; run += 1) {
      const account = readAccount(parseMarkup(mutate(family.pages.details(familyAccount))), profile)
      for (const [figure, found] of Object.entries(account ?? {})) {
        if (!(figure in truths) || typeof found !== 'object' || !('value' in found)) continue
        read += 1
        if (truths[figure]?.includes(found.value) !== true) invented.push([run, figure, found])
      }
      for (const hit of readTorrentList(mutate(family.pages.list(familyAccount, familyTorrents)), profile) ?? []) {
        const { torrentId, sizeBytes, seeders, leechers, snatched } = hit
        const row = rows.get(torrentId)
        read += 1
        if ([sizeBytes, seeders, leechers, snatched].some((one, index) => one !== undefined && one !== row?.[index]))
          invented.push([run, hit])
      }
    }
    console.log(`${id}: pages ${2 * runs}, figures ${read}, invented ${invented.length}`)
    if (invented.length > 0 || read < runs) throw new Error(JSON.stringify([read, invented.slice(0, 3)]))
  },
)
