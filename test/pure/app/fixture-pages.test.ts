/** Pages made fit to be sent: nothing planted in them survives, and a reader finds in them what it found before. */
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { fixturePage } from '../../../workers/app/adapters/sites/fixture-page.ts'
import { fixtureWords } from '../../../workers/app/adapters/sites/nexusphp/account-words.ts'
import { readTorrentList } from '../../../workers/app/adapters/sites/nexusphp/torrent-list.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import { createMask } from '../../../workers/app/core/masking.ts'
import type { SitePage } from '../../../workers/app/core/site.ts'
import { absentFigures } from '../../../workers/app/core/site-figures.ts'
import {
  accountPage,
  bonusPage,
  framedPage,
  type PageAccount,
  type PageLook,
  type PageTorrent,
  pageLanguages,
  pageVersions,
  seedingList,
  torrentTable,
  walkersAccount,
} from '../../support/nexusphp-pages.ts'

const gib = 1024 ** 3
const account: PageAccount = {
  ...walkersAccount,
  userId: 471_147,
  username: 'walkerOfRoads',
  seeding: 2,
  hitAndRuns: [{ section: '种子区', inspecting: 3, unreached: 1 }],
}
const torrents: readonly PageTorrent[] = [1, 2].map((id) => ({
  id: 880_000 + id,
  name: `Planted.Title.${id}.2026.1080p-GROUP`,
  smallDescription: '种下的副标题',
  category: 'Movies',
  tags: ['官方'],
  promotion: 'free',
  promotionUntil: '2026-12-01 02:03:04',
  hitAndRun: true,
  comments: 3,
  added: '2026-11-19 22:33:44',
  sizeBytes: 4.5 * gib * id,
  seeders: 120,
  leechers: 7,
  completed: 310,
}))
const looks = pageVersions.flatMap((version) =>
  pageLanguages.map((language): PageLook => ({ version, language, promotionStyle: 'icon', timeType: 'timealive' })),
)
const pagesOf = (look: PageLook): Readonly<Record<string, string>> => ({
  'index.php': framedPage(look, account, ''),
  'userdetails.php': accountPage(look, account),
  'getusertorrentlistajax.php': seedingList(look, torrents),
  'mybonus.php': bonusPage(look, account),
  'torrents.php': framedPage(look, account, torrentTable(look, torrents)),
})
const cookie = 'c_secure_pass=PlantedCookieValue%3D77; cf_clearance=PlantedClearance88'

function driverOf(pages: Readonly<Record<string, string>>) {
  return createSiteDriver(
    {
      kind: 'nexusphp',
      baseUrl: 'https://lantern.example',
      credentials: { cookie, apiKey: '' },
      profile: siteProfile('nexusphp', {}),
    },
    {
      bounds: { callMs: 5000, answerBytesMax: 4 * 1024 * 1024, queueMax: 8 },
      fetch: async (address) => {
        const page = pages[new URL(address).pathname.slice(1)]
        return new Response(page ?? '', { status: page === undefined ? 404 : 200 })
      },
      nowMs: () => 0,
      wait: async () => undefined,
    },
  )
}
const signal = () => AbortSignal.timeout(10_000)
async function fixtureOf(pages: Readonly<Record<string, string>>): Promise<SitePage[]> {
  const made = await driverOf(pages).fixture?.(signal())
  if (made?.ok !== true) throw new Error(JSON.stringify(made))
  return [...made.value.pages]
}
const asSite = (pages: readonly SitePage[]) => Object.fromEntries(pages.map(({ page, text }) => [page, text]))

async function figuresOf(pages: Readonly<Record<string, string>>) {
  const reading = await driverOf(pages).read(signal())
  if (!reading.ok || reading.value.user === undefined) throw new Error(JSON.stringify(reading))
  const { user } = reading.value
  return { absent: absentFigures(user), sources: user.sources }
}

describe.each(looks.map((look) => [look.version, look.language, look] as const))('pages of %s in %s', (_, __, look) => {
  const pages = pagesOf(look)

  test('are read as before: the same figures, at the same places', async ({ expect }) => {
    const fixture = asSite(await fixtureOf(pages))

    expect(Object.keys(fixture)).toEqual(Object.keys(pages))
    expect(await figuresOf(fixture)).toEqual(await figuresOf(pages))
  })

  test('keep none of the names, numbers and titles of the account', async ({ expect }) => {
    const text = JSON.stringify(await fixtureOf(pages))

    for (const secret of [
      account.username,
      String(account.userId),
      'lantern.example',
      'Planted',
      '种下的副标题',
      '880001',
      '345,678.9',
      '345678.9',
      '2026-11-20',
      '<script',
    ])
      expect(text.toLowerCase(), secret).not.toContain(secret.toLowerCase())
  })

  test('keep their list of torrents a list', async ({ expect }) => {
    const profile = siteProfile('nexusphp', {})
    const hits = (text: string) => readTorrentList(text, profile)
    const fixture = asSite(await fixtureOf(pages))
    const shapes = (text = '') =>
      hits(text)?.map(({ discount, hasHr, seeders, leechers, snatched, sizeBytes, discountEndAtUnix }) => ({
        discount,
        hasHr,
        seeders,
        leechers,
        snatched,
        hasSize: sizeBytes !== undefined,
        hasEnd: discountEndAtUnix !== undefined,
      }))

    expect(shapes(fixture['torrents.php'])).toEqual(shapes(pages['torrents.php']))
  })
})

test('a page that the site does not hand out is not in the fixture', async ({ expect }) => {
  const { 'mybonus.php': _, ...pages } = pagesOf(looks[0] as PageLook)
  expect((await fixtureOf(pages)).map(({ page }) => page)).not.toContain('mybonus.php')
})

test('two fixtures of one page share nothing that stands for something', async ({ expect }) => {
  const pages = pagesOf(looks[0] as PageLook)
  const [one, other] = [await fixtureOf(pages), await fixtureOf(pages)]
  expect(asSite(one)['userdetails.php']).not.toBe(asSite(other)['userdetails.php'])
})

const mailbox = 'secret.person@mail.example'
const places = {
  'a text': (secret: string) => `<p>before ${secret} behind</p>`,
  'a label of the block': (secret: string) => `<table id="info_block"><tr><td>${secret}: 5</td></tr></table>`,
  'a cell of a list': (secret: string) => `<tr><td>${secret}</td><td>1</td><td>2</td></tr>`,
  'the head of a row that leads to somebody': (secret: string) =>
    `<tr><td class="rowhead"><a href="userdetails.php?id=7">${secret}</a></td><td>1</td></tr>`,
  'the value of a row': (secret: string) => `<tr><td class="rowhead">邮箱</td><td>${secret}</td></tr>`,
  'a link': (secret: string) => `<a href="https://tracker.example/announce.php?passkey=${secret}">x</a>`,
  'a path': (secret: string) => `<a href="/users/${secret}/">x</a>`,
  'the name of a parameter': (secret: string) => `<a href="x.php?${encodeURIComponent(`${secret}9`)}=1">x</a>`,
  'a picture': (secret: string) => `<img src="/avatars/${secret}.jpg" alt="${secret}" title="${secret}">`,
  'what is typed': (secret: string) => `<input type="text" name="q" value="${secret}">`,
  'data of an element': (secret: string) => `<td data-user="${secret}" aria-label="${secret}">1</td>`,
  'what runs': (secret: string) => `<a onclick="go('${secret}')" onmouseover="tip('${secret}')">x</a>`,
  'a script': (secret: string) => `<script>var key = "${secret}"</script>`,
  'a style': (secret: string) =>
    `<td style="background:url(https://x.example/${secret})">1</td><style>${secret}</style>`,
  'a comment': (secret: string) => `<!-- ${secret} --><p>x</p>`,
  'the head of the page': (secret: string) => `<title>${secret}</title><meta name="user" content="${secret}">`,
  'a text area': (secret: string) => `<textarea>${secret}</textarea>`,
  'another frame': (secret: string) => `<iframe src="shout.php?k=${secret}" srcdoc="${secret}"></iframe>`,
  'a picture drawn in place': (secret: string) => `<svg><text>${secret}</text></svg>`,
  'an element nobody knows': (secret: string) => `<x-${'user'} name="${secret}">${secret}</x-user>`,
} as const
/** What somebody may be known by. None of it is a word that stays. */
const planted = fc.oneof(
  fc.stringMatching(/^[a-z]{5,12}[A-Z][a-z]{2,6}$/),
  fc.stringMatching(/^[0-9a-f]{32}$/),
  fc.stringMatching(/^[1-9][0-9]{4,11}$/),
  fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{15,40}$/),
  fc.stringMatching(/^1[0-9]{2}\.2[0-4][0-9]\.1[0-9]{2}\.[1-9][0-9]$/),
  fc.constant(mailbox),
  fc.stringMatching(/^[阿波次得额佛歌河]{3,6}$/),
)
const known = fixtureWords({})

describe.each(Object.entries(places))('a secret in %s', (_, place) => {
  test('does not survive', ({ expect }) => {
    fc.assert(
      fc.property(planted, fc.string({ minLength: 8, maxLength: 16 }), fc.boolean(), (secret, salt, hasDetails) => {
        const page = `<html><body><table>${place(secret)}</table></body></html>`
        const text = fixturePage(page, { known, secrets: [], salt, hasDetails })
        expect(text.toLowerCase()).not.toContain(secret.toLowerCase())
      }),
      { numRuns: 150 },
    )
  })
})

test('what is known to be a secret does not survive in a head, a class or an id either', ({ expect }) => {
  const secret = 'walker'
  const page = `<table><tr><td class="${secret}_Name" id="of-${secret}">${secret}</td><td>1</td></tr></table>`
  for (const hasDetails of [false, true])
    expect(fixturePage(page, { known, secrets: [secret], salt: 's', hasDetails })).not.toContain(secret)
})

describe('a mask', () => {
  const mask = createMask({ known: ['上传量', 'Uploaded', 'Bonus points'], secrets: ['walker 7'], salt: 'salt' })

  test.for([
    ['known words', '上传量', '上传量'],
    ['known words beside others', 'Uploaded: 0', 'Uploaded: 0'],
    ['counts', '42 / 100', '42 / 100'],
    ['nothing', '0.00 TB', '0.00 TB'],
    ['punctuation', ' [ : ] (，)', ' [ : ] (，)'],
  ] as const)('leaves %s', ([, text, shown], { expect }) => {
    expect(mask.text(text)).toBe(shown)
  })

  test.for([
    ['a size', '1,234.56 GB', /^[1-9],\d{3}\.\d{2} GB$/],
    ['a size without a blank', '12.5TiB', /^[1-9]\d\.\dTiB$/],
    ['a number', '345,678.9', /^[1-9]\d{2},\d{3}\.\d$/],
    ['a moment', '2026-11-20 21:22:23', /^2020-(?:0[1-9]|1[0-2])-(?:[01]\d|2[0-8]) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/],
    ['a name', 'Walker', /^[A-Z][a-z]{5}$/],
    ['words in Chinese', '漫步者', /^\p{Script=Han}{3}$/u],
    ['a token', 'a1B2c3D4', /^[a-z]\d[A-Z]\d[a-z]\d[A-Z]\d$/],
    ['a word that a known one is part of', 'Uploadedness', /^[A-Z][a-z]{11}$/],
    ['an address of a machine', '203.0.113.77', /^192\.0\.2\.1$/],
    ['a longer one', '2001:db9:1::77', /^2001:db8::1$/],
  ] as const)('keeps the shape of %s', ([, text, shape], { expect }) => {
    expect(mask.text(text)).toMatch(shape)
    expect(mask.text(text)).not.toBe(text)
  })

  test('says the same of the same, and other things with another salt', ({ expect }) => {
    expect(mask.text('Walker Walker 345678.9')).toMatch(/^(\w+) \1 /)
    expect(mask.text('345,678.9').replace(/\D/g, '')).toBe(mask.text('345678.9').replace(/\D/g, ''))
    expect(createMask({ known: [], secrets: [], salt: 'other' }).text('Walker')).not.toBe(mask.text('Walker'))
  })

  test('takes a long text in one go', ({ expect }) => {
    for (const text of ['9'.repeat(200_000), '1,'.repeat(100_000), 'g:'.repeat(100_000), 'x'.repeat(200_000)])
      expect(mask.text(text)).toHaveLength(text.length)
    expect(mask.text('a:'.repeat(100_000))).not.toContain('a:a:a')
  })
})
