/** What an owner may say of one site: its words, its headers; and what becomes of that. */
import { describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import { type SiteOverrides, siteOverrides } from '../../../workers/app/contract/site-definition.ts'
import { labelNames } from '../../../workers/app/core/site.ts'
import { mayBeOwners } from '../../../workers/app/core/site-headers.ts'
import type { SiteKind } from '../../../workers/app/core/vocabulary.ts'
import {
  siteHeaderNameCharactersMax,
  siteHeadersMax,
  siteHeaderValueCharactersMax,
  siteHostsMax,
  siteLabelCharactersMax,
  siteLabelsMax,
} from '../../../workers/app/limits.ts'
import {
  accountPage,
  bonusPage,
  framedPage,
  type PageAccount,
  type PageLook,
  seedingList,
} from '../../support/nexusphp-pages.ts'

const gib = 1024 ** 3
const look: PageLook = { version: '1.8', language: 'chs', promotionStyle: 'icon', timeType: 'timealive' }
const account: PageAccount = {
  userId: 4711,
  username: 'walker',
  level: 'Power User',
  uploadedBytes: 300.5 * gib,
  downloadedBytes: 100.25 * gib,
  movedUp: 30 * gib,
  movedDown: 10 * gib,
  bonus: 3456.7,
  bonusPerHour: 5.25,
  seeding: 2,
  leeching: 0,
  messages: 0,
  unread: 0,
  hitAndRuns: [{ section: '种子区', inspecting: 3, unreached: 1 }],
  lastSeen: '2026-11-20 21:22:23',
}

/** A site that calls everything otherwise. */
const otherWords: readonly (readonly [usual: string, here: string])[] = [
  ['传输', '收支'],
  ['上传量', '支出'],
  ['下载量', '收入'],
  ['分享率', '盈亏'],
  ['等级', '头衔'],
  ['魔力值', '贝壳'],
  ['H&R', '欠账'],
  ['你当前每小时能获取', '每小时进账'],
  ['合计', '小结'],
]
const renamed = (page: string) => otherWords.reduce((text, [usual, here]) => text.replaceAll(usual, here), page)

/** As this site is, with what its pages were asked for. */
function siteOf(pages: Readonly<Record<string, string>>) {
  const asked: { readonly path: string; readonly headers: Headers }[] = []
  const runtime = {
    bounds: { callMs: 5000, answerBytesMax: 1024 * 1024, queueMax: 8 },
    fetch: async (address: string, init: RequestInit) => {
      const { pathname } = new URL(address)
      asked.push({ path: pathname, headers: new Headers(init.headers) })
      const page = pages[pathname]
      return new Response(page ?? '', { status: page === undefined ? 404 : 200 })
    },
    nowMs: () => 0,
    wait: async () => undefined,
  }
  const driverFor = (overrides: SiteOverrides, kind: SiteKind = 'nexusphp') =>
    createSiteDriver(
      {
        kind,
        baseUrl: 'https://site.example',
        credentials: { cookie: 'c=1', apiKey: 'k' },
        profile: siteProfile(kind, siteOverrides.parse(overrides)),
      },
      runtime,
    )
  return { asked, driverFor }
}

const signal = () => AbortSignal.timeout(5000)

describe('a site that calls its figures otherwise', () => {
  const pages = {
    '/index.php': renamed(framedPage(look, account, '')),
    '/userdetails.php': renamed(accountPage(look, account)),
    '/getusertorrentlistajax.php': seedingList(look, []),
    '/mybonus.php': renamed(bonusPage(look, account)),
  }
  const read = async (labels: NonNullable<SiteOverrides['labels']>) => {
    const reading = await siteOf(pages).driverFor({ labels }).read(signal())
    return reading.ok ? reading.value.user : reading.failure
  }

  test('tells nothing false to who knows the usual words only', async ({ expect }) => {
    const user = await read({})

    expect(user).not.toHaveProperty('uploadedBytes')
    // The mark in the block tells what the site calls its bonus, whatever that is.
    expect(user).toHaveProperty('bonus', account.bonus)
    expect(user).not.toHaveProperty('bonusPerHour')
  })

  test('is read by the words its owner gives', async ({ expect }) => {
    const user = await read({
      transfer: ['收支'],
      uploaded: ['支出'],
      downloaded: ['收入'],
      ratio: ['盈亏'],
      level: ['头衔'],
      bonus: ['贝壳'],
      hit_and_run: ['欠账'],
      bonus_per_hour: ['每小时进账'],
    })

    expect(user).toMatchObject({
      uploadedBytes: account.uploadedBytes,
      downloadedBytes: account.downloadedBytes,
      level: 'Power User',
      bonus: 3456.7,
      // Of a donor, the sentence says half of what an hour brings; it is what the owner named.
      bonusPerHour: 2.625,
      hnrUnsatisfied: 1,
    })
    expect(user).not.toHaveProperty('doubts')
  })

  test('is read by these words only: a row of another name is another row', async ({ expect }) => {
    const pagesAsUsual = {
      ...pages,
      '/index.php': framedPage(look, account, ''),
      '/userdetails.php': accountPage(look, account),
    }
    const reading = await siteOf(pagesAsUsual)
      .driverFor({ labels: { bonus: ['贝壳'] } })
      .read(signal())

    expect(reading.ok && reading.value.user).toMatchObject({ uploadedBytes: account.uploadedBytes })
    expect(reading.ok && reading.value.user).not.toHaveProperty('bonus')
  })
})

test.for([
  ['nexusphp', '/index.php'],
  ['gazelle', '/ajax.php'],
  ['unit3d', '/api/user'],
] as const)('a %s site is sent the headers of its owner with every call', async ([kind, path], { expect }) => {
  const { asked, driverFor } = siteOf({})
  const driver = driverFor({ user_agent: 'Mozilla/5.0 (X11)', headers: { 'Accept-Language': 'zh-CN', DNT: '1' } }, kind)

  await driver.probe(signal())
  await driver.search({ keyword: 'x', categoryIds: [], freeOnly: false }, signal())
  await driver.download('7', undefined, signal())

  expect(asked.length).toBeGreaterThan(1)
  expect(asked[0]?.path).toBe(path)
  for (const { headers } of asked) {
    expect(headers.get('accept-language')).toBe('zh-CN')
    expect(headers.get('dnt')).toBe('1')
    expect(headers.get('user-agent')).toBe('Mozilla/5.0 (X11)')
  }
})

const isTaken = (overrides: object) => siteOverrides.safeParse(overrides).success
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'a']))

describe('further hosts of a site', () => {
  const hosts = (count: number) => Array.from({ length: count }, (_, index) => `h${index}.pier.example`)
  test.for([
    ['as many as there may be', hosts(siteHostsMax), true],
    ['one more', hosts(siteHostsMax + 1), false],
    ['none', [], false],
    ['one with a port', ['pier.example:8443'], true],
    ['one of a single name', ['localhost'], false],
    ['an address', ['https://pier.example'], false],
    ['one with a path', ['pier.example/x'], false],
    ['one with a blank', ['pier example.org'], false],
  ] as const)('are taken or refused: %s', ([, given, isOne], { expect }) => {
    expect(isTaken({ hosts: given })).toBe(isOne)
  })
})

describe('headers of an owner', () => {
  test.for([
    'host',
    'Content-Length',
    'cookie',
    'connection',
    'Transfer-Encoding',
    'upgrade',
    'te',
    'trailer',
    'keep-alive',
    'expect',
    'authorization',
    'x-api-key',
    'user-agent',
    'accept-encoding',
    'range',
    'if-none-match',
    'proxy-authorization',
    'cf-worker',
    'mf-loopback',
    'x-forwarded-for',
    'X-Wharf-Proxy',
    'x-wharf-outgoing-code',
    'a b',
    'a:b',
    'a\r\nhost',
    '',
    '名称',
  ])('cannot be named %j', (name, { expect }) => {
    expect(isTaken({ headers: { [name]: 'a' } })).toBe(false)
  })

  test.for(['accept-language', 'Referer', 'sec-ch-ua', 'sec-fetch-mode', 'dnt', 'x-requested-with'])(
    'can be named %s',
    (name, { expect }) => {
      expect(isTaken({ headers: { [name]: 'a' } })).toBe(true)
      expect(mayBeOwners(name)).toBe(true)
    },
  )

  test.for([
    ['as many as there may be', many(siteHeadersMax), true],
    ['one more', many(siteHeadersMax + 1), false],
    ['a long name', { [`x${'a'.repeat(siteHeaderNameCharactersMax - 1)}`]: 'a' }, true],
    ['a longer one', { [`x${'a'.repeat(siteHeaderNameCharactersMax)}`]: 'a' }, false],
    ['a long value', { 'x-a': 'a'.repeat(siteHeaderValueCharactersMax) }, true],
    ['a longer one', { 'x-a': 'a'.repeat(siteHeaderValueCharactersMax + 1) }, false],
    ['an empty value', { 'x-a': '' }, true],
    ['two lines', { 'x-a': 'a\r\nb: c' }, false],
    ['a control character', { 'x-a': 'a\u0007' }, false],
    ['other letters', { 'x-a': '值' }, false],
    ['a blank at the end', { 'x-a': 'a ' }, false],
    ['one name twice', { 'X-A': 'a', 'x-a': 'b' }, false],
  ] as const)('may be %s: %#', ([, headers, taken], { expect }) => {
    expect(isTaken({ headers })).toBe(taken)
  })
})

describe('words of an owner', () => {
  test.for(labelNames)('may say what heads %s', (name, { expect }) => {
    expect(isTaken({ labels: { [name]: ['词 a'] } })).toBe(true)
  })

  test.for([
    ['as many as there may be', { bonus: Array.from({ length: siteLabelsMax }, (_, index) => `w${index}`) }, true],
    ['one more', { bonus: Array.from({ length: siteLabelsMax + 1 }, (_, index) => `w${index}`) }, false],
    ['none', { bonus: [] }, false],
    ['a long one', { bonus: ['词'.repeat(siteLabelCharactersMax)] }, true],
    ['a longer one', { bonus: ['词'.repeat(siteLabelCharactersMax + 1)] }, false],
    ['an empty one', { bonus: [''] }, false],
    ['blanks around', { bonus: [' 词'] }, false],
    ['a colon', { bonus: ['词：'] }, false],
    ['a line break', { bonus: ['词\n词'] }, false],
    ['of no figure', { colour: ['词'] }, false],
  ] as const)('may be %s: %#', ([, labels, taken], { expect }) => {
    expect(isTaken({ labels })).toBe(taken)
  })

  test('are taken as they are written, whatever they mean to a pattern', async ({ expect }) => {
    const words = ['(a+)+$', '[', '\\d', '魔力.*']
    const page = framedPage(look, account, '').replaceAll('魔力值', '(a+)+$')
    const reading = await siteOf({
      '/index.php': page,
      '/userdetails.php': accountPage(look, account),
      '/getusertorrentlistajax.php': seedingList(look, []),
      '/mybonus.php': bonusPage(look, account),
    })
      .driverFor({ labels: { bonus: words } })
      .read(signal())

    expect(reading.ok && reading.value.user).toMatchObject({ bonus: 3456.7, sources: { bonus: { row: 'info_block' } } })
  })
})
