/** What a browser pushes, opened by us and sealed by others; and when it takes the place of what is stored. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { openCookiePush } from '../../../workers/app/adapters/open-cookie-push.ts'
import { cookiesInPush, isBrowserName, pushKey, pushSeals, renewalOf } from '../../../workers/app/core/cookie-push.ts'
import { md5 } from '../../../workers/app/core/md5.ts'
import { cookiesPushedMax } from '../../../workers/app/limits.ts'
import { browserCookie, givenPush, pushText, sealPush } from '../../support/cookie-pushes.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('MD5', () => {
  // RFC 1321, A.5.
  test.for([
    ['', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['a', '0cc175b9c0f1b6a831c399e269772661'],
    ['abc', '900150983cd24fb0d6963f7d28e17f72'],
    ['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
    ['abcdefghijklmnopqrstuvwxyz', 'c3fcd3d76192e4007dfb496cca67e13b'],
    ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 'd174ab98d277d9f5a5611c2c9f419d9f'],
    [
      '12345678901234567890123456789012345678901234567890123456789012345678901234567890',
      '57edf4a22be3c955ac49da2e2107b67a',
    ],
  ] as const)('of %j', ([text, digest], { expect }) => {
    expect(hex(md5(new TextEncoder().encode(text)))).toBe(digest)
  })

  test('is that of another implementation, whatever the length', ({ expect }) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(hex(md5(bytes))).toBe(createHash('md5').update(bytes).digest('hex'))
      }),
    )
  })
})

describe('a push', () => {
  test.for(pushSeals)('sealed by others as %s opens', async (seal, { expect }) => {
    const { uuid, password, key, plain } = givenPush
    expect(pushKey(uuid, password)).toBe(key)
    expect(await openCookiePush(seal, givenPush[seal], key)).toBe(plain)
    expect(await openCookiePush(seal, sealPush(uuid, password, plain, seal), key)).toBe(plain)
  })

  test.for(pushSeals)(
    'as %s that something else sealed does not open, nor one that was changed or cut',
    async (seal, { expect }) => {
      const { uuid, password, key, plain } = givenPush
      const sealed = sealPush(uuid, password, plain, seal)
      const bytes = Buffer.from(sealed, 'base64')
      const changed = Buffer.from(bytes)
      changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 0xff
      for (const other of [
        sealPush(uuid, 'another', plain, seal),
        bytes.subarray(0, -3).toString('base64'),
        bytes.subarray(0, 16).toString('base64'),
        'no base64!',
        '',
        'AAAA',
      ])
        expect(await openCookiePush(seal, other, key), other.slice(0, 24)).toBeUndefined()
      const opened = await openCookiePush(seal, changed.toString('base64'), key)
      expect(opened).not.toBe(plain)
      expect(await openCookiePush(seal === 'legacy' ? 'aes-128-cbc-fixed' : 'legacy', sealed, key)).toBeUndefined()
    },
  )

  test('tells its cookies, whatever else it holds', ({ expect }) => {
    expect(cookiesInPush(givenPush.plain, cookiesPushedMax)?.cookies).toMatchObject([
      { name: 'c_secure_pass', value: 'abc%3D', domain: 'lantern.example', isSecure: true, isHostOnly: false },
    ])
    const mixed = { cookie_data: { a: [null, 7, browserCookie('a', 'b', 'a.example')], b: 'none', c: [{}] }, more: [] }
    expect(cookiesInPush(JSON.stringify(mixed), cookiesPushedMax)?.cookies).toMatchObject([
      { name: 'a', domain: 'a.example' },
    ])
  })

  test.for(['', 'no json', '[]', '{}', 'null', '{"cookie_data":null}', '{"cookie_data":"a"}'])(
    'is not %j',
    (text, { expect }) => {
      expect(cookiesInPush(text, cookiesPushedMax)).toBeUndefined()
    },
  )

  test('says whether our own extension sent it', ({ expect }) => {
    const from = (more: object) => cookiesInPush(JSON.stringify({ cookie_data: {}, ...more }), cookiesPushedMax)?.from
    expect([{}, { sender: 'other' }, { sender: 'wharf' }].map(from)).toEqual(['endpoint', 'endpoint', 'extension'])
  })

  test('is looked at up to its bound', ({ expect }) => {
    const many = (count: number) =>
      pushText(Array.from({ length: count }, (_, index) => browserCookie(`c${index}`, 'v', 'a.example')))
    expect(cookiesInPush(many(cookiesPushedMax), cookiesPushedMax)?.cookies).toHaveLength(cookiesPushedMax)
    expect(cookiesInPush(many(cookiesPushedMax + 1), cookiesPushedMax)?.cookies).toHaveLength(cookiesPushedMax)
  })
})

test.for([
  ['what is the same', 'c_secure_pass=a', 'c_secure_pass=a', 'same'],
  ['a new value', 'c_secure_pass=a', 'c_secure_pass=b', 'renewed'],
  ['a first one', '', 'anything=b', 'renewed'],
  ['one more', 'c_secure_pass=a', 'c_secure_pass=a; cf_clearance=x', 'renewed'],
  [
    'what opens the account as newer versions name it',
    'c_secure_uid=1; c_secure_pass=a; c_secure_ssl=y',
    'c_secure_pass=z',
    'renewed',
  ],
  [
    'a browser that was signed out',
    'c_secure_uid=1; c_secure_pass=a; lang=en',
    'lang=en; cf_clearance=x',
    'signed_out',
  ],
  [
    'one with a session that opens nothing',
    'remember_web_1=a; laravel_session=b',
    'laravel_session=c; XSRF-TOKEN=d',
    'signed_out',
  ],
  ['a session', 'session=a', 'session=b', 'renewed'],
  ['a session that ended', 'session=a; theme=x', 'theme=x', 'signed_out'],
  ['names that tell nothing', 'a=1', 'b=2', 'renewed'],
] as const)('%s is taken for what it is', ([, stored, pushed, renewal], { expect }) => {
  expect(renewalOf(stored, pushed)).toBe(renewal)
})

test.for([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0', true],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    true,
  ],
  ['curl/8.5.0', false],
  ['node', false],
  ['', false],
  ['Mozilla/5.0 (x)\r\nHost: y', false],
  ['Mozilla/5.0 (浏览器)', false],
] as const)('%j is a browser: %s', ([name, isBrowser], { expect }) => {
  expect(isBrowserName(name)).toBe(isBrowser)
})
