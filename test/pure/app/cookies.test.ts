/** What people paste as cookies, and what of it one site is sent. */
import { describe, test } from 'vitest'
import { cookieHeader, cookieOf, headerFor } from '../../../workers/app/core/cookies.ts'
import { cookiesReadMax, siteCredentialCharactersMax } from '../../../workers/app/limits.ts'

const site = 'https://www.lantern.example'
const nowUnix = 2_000_000_000
const bounds = { cookiesMax: cookiesReadMax, charactersMax: siteCredentialCharactersMax }
const later = nowUnix + 3600
const read = (text: string, address = site) => {
  const header = cookieHeader(text, address, nowUnix, bounds)
  return header.ok ? header.value : header.failure.kind
}

/** As extensions export what the browser's own interface tells them. */
const entry = (change: Readonly<Record<string, unknown>> = {}) => ({
  domain: '.lantern.example',
  expirationDate: later + 0.5,
  hostOnly: false,
  httpOnly: true,
  name: 'c_secure_pass',
  path: '/',
  sameSite: 'lax',
  secure: true,
  session: false,
  storeId: '0',
  value: 'abc%3D',
  ...change,
})
const foreign = entry({ domain: '.other.example', name: 'foreign', value: 'secret' })
const list = JSON.stringify([entry(), entry({ name: 'c_lang_folder', value: 'chs' }), foreign], null, 4)
const file = [
  '# Netscape HTTP Cookie File',
  '# https://curl.se/docs/http-cookies.html',
  '',
  `#HttpOnly_.lantern.example\tTRUE\t/\tTRUE\t${later}\tc_secure_pass\tabc%3D`,
  `www.lantern.example\tFALSE\t/\tFALSE\t0\tc_lang_folder\tchs`,
  `.other.example\tTRUE\t/\tTRUE\t${later}\tforeign\tsecret`,
  '',
].join('\n')
const kept = 'c_secure_pass=abc%3D; c_lang_folder=chs'

test.for([
  ['a header', kept],
  ['a header with its name', `Cookie: ${kept}`],
  ['a header in lower case', `cookie:${kept}  `],
  ['a header among others', `GET /index.php HTTP/1.1\r\nHost: x\r\nCookie: ${kept}\r\nDNT: 1`],
  ['a name and its value on two lines', `accept:\n*/*\ncookie:\n${kept}\ndnt:\n1`],
  [
    'a call that the browser copied',
    `curl 'https://x/' \\\n  -H 'accept: */*' \\\n  -H 'cookie: ${kept}' \\\n  --compressed`,
  ],
  ['the same in another form', `curl "https://x/" ^\n  -b "${kept}" ^\n  --compressed`],
  ['the list of an extension', list],
  ['the same on one line', JSON.stringify(JSON.parse(list))],
  ['a list in an object', JSON.stringify({ url: 'https://x', cookies: JSON.parse(list) })],
  ['a file', file],
  ['a file with other line ends', file.replaceAll('\n', '\r\n')],
  ['a file whose tabs became blanks', file.replaceAll('\t', '  ')],
] as const)('%s is read', ([, text], { expect }) => {
  expect(read(text)).toBe(kept)
})

test.for([
  ['nothing readable', 'my cookie', 'cookie.unreadable'],
  ['several lines of something', 'a=b\nc=d', 'cookie.unreadable'],
  ['letters no header takes', 'a=值', 'cookie.unreadable'],
  ['a control character', 'a=b\u0000', 'cookie.unreadable'],
  ['a call without cookies', `curl 'https://x/?a=b'`, 'cookie.unreadable'],
  ['broken JSON', list.slice(0, -2), 'cookie.unreadable'],
  ['JSON of something else', '{"a":"b"}', 'cookie.unreadable'],
  ['a list of something else', '[1,null,"a",{"name":1}]', 'cookie.unreadable'],
  ['an empty list', '[]', 'cookie.none_fits'],
  ['a list for others', JSON.stringify([foreign]), 'cookie.none_fits'],
  ['a file for others', file.replaceAll('lantern', 'other'), 'cookie.none_fits'],
  ['a file without lines', '# Netscape HTTP Cookie File', 'cookie.unreadable'],
  ['what has ended', JSON.stringify([entry({ expirationDate: nowUnix }), foreign]), 'cookie.expired'],
] as const)('%s is refused', ([, text, kind], { expect }) => {
  expect(read(text)).toBe(kind)
})

test('a refusal names the site', ({ expect }) => {
  expect(cookieHeader('[]', site, nowUnix, bounds)).toMatchObject({ failure: { host: 'www.lantern.example' } })
})

describe('a cookie', () => {
  const fits = (change: Readonly<Record<string, unknown>>, address = site) =>
    headerFor(cookieOf(entry(change)), address, nowUnix, bounds.charactersMax).ok

  test.for([
    ['of the host', { domain: 'www.lantern.example', hostOnly: true }, true],
    ['of the host in capitals', { domain: 'WWW.Lantern.Example' }, true],
    ['of the domain above', { domain: '.lantern.example' }, true],
    ['of the domain above, for it alone', { domain: 'lantern.example', hostOnly: true }, false],
    ['of a host below', { domain: 'a.www.lantern.example' }, false],
    ['of a sister', { domain: 'forum.lantern.example' }, false],
    ['of a name that ends alike', { domain: 'tern.example' }, false],
    ['of a whole ending', { domain: 'example' }, false],
    ['of nobody', { domain: '' }, false],
    ['of a page', { path: '/forum' }, false],
    ['without a path', { path: undefined }, true],
    ['that has just ended', { expirationDate: nowUnix }, false],
    ['that ends in a second', { expirationDate: nowUnix + 1 }, true],
    ['that ends in milliseconds', { expirationDate: undefined, expires: (nowUnix - 1) * 1000 }, false],
    ['whose end is a text', { expirationDate: String(nowUnix) }, false],
    ['whose end is no number', { expirationDate: 'soon' }, true],
    ['of a session', { expirationDate: undefined, session: true }, true],
    ['of a session, as others write it', { expirationDate: undefined, expires: -1 }, true],
    ['with a name no header takes', { name: 'a b' }, false],
    ['with a value that ends it', { value: 'a; b=c' }, false],
    ['with a line break', { value: 'a\r\nb' }, false],
    ['without a value', { value: '' }, true],
  ] as const)('%s: %#', ([, change, isKept], { expect }) => {
    expect(fits(change)).toBe(isKept)
  })

  test.for([
    ['http://www.lantern.example', false],
    ['https://www.lantern.example/forum', true],
  ] as const)('for safe ways only, at %s', ([address, isKept], { expect }) => {
    expect(fits({ secure: true }, address)).toBe(isKept)
  })

  test.for([
    ['/forum', true],
    ['/forum/', true],
    ['/for', false],
    ['/forum/deeper', false],
    ['/', true],
  ] as const)('of the path %s, at a site below /forum: %s', ([path, isKept], { expect }) => {
    expect(fits({ path }, 'https://www.lantern.example/forum')).toBe(isKept)
  })

  test('of an address is for that address', ({ expect }) => {
    const at = (domain: string) =>
      headerFor(cookieOf(entry({ domain, secure: false })), 'http://10.0.0.7:8080', nowUnix, bounds.charactersMax)
    expect(at('10.0.0.7').ok).toBe(true)
    expect(at('0.0.7').ok).toBe(false)
  })

  test('stands once, from the nearest place, the last one given', ({ expect }) => {
    const cookies = [
      entry({ domain: 'www.lantern.example', value: 'near' }),
      entry({ value: 'far' }),
      entry({ name: 'x', value: 'first' }),
      entry({ name: 'x', value: 'last' }),
    ].flatMap(cookieOf)
    expect(headerFor(cookies, site, nowUnix, bounds.charactersMax)).toEqual({
      ok: true,
      value: 'c_secure_pass=near; x=last',
    })
  })
})

describe('the bounds', () => {
  const long = (length: number) => `a=${'b'.repeat(length - 2)}`

  test.for([
    ['a header', (length: number) => long(length)],
    ['a list', (length: number) => JSON.stringify([entry({ name: 'a', value: 'b'.repeat(length - 2) })])],
  ] as const)('of %s are kept', ([, make], { expect }) => {
    expect(read(make(siteCredentialCharactersMax))).toHaveLength(siteCredentialCharactersMax)
    expect(read(make(siteCredentialCharactersMax + 1))).toBe('cookie.too_long')
  })

  test('of the number looked at are kept', ({ expect }) => {
    const behind = (count: number) => JSON.stringify([...Array.from({ length: count }, () => foreign), entry()])
    expect(read(behind(cookiesReadMax - 1))).toBe('c_secure_pass=abc%3D')
    expect(read(behind(cookiesReadMax))).toBe('cookie.none_fits')
  })
})
