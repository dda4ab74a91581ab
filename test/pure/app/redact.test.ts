import fc from 'fast-check'
import { describe, test } from 'vitest'
import { cutTo, redact, redactWithHost } from '../../../workers/app/core/redact.ts'

const canary = 'S3cr3tCanary0123456789abcdefXYZ'

/** Every spelling in which an outside system has been seen to repeat a credential. */
const spellings: readonly [string, (secret: string) => string][] = [
  ['query of an address', (secret) => `cannot get https://tracker.example/download.php?id=7&passkey=${secret}`],
  ['query with an unknown name', (secret) => `GET http://host.example/a?whatever=${secret} failed`],
  ['path of an address', (secret) => `https://tracker.example/rss/${secret}/feed`],
  ['user part of an address', (secret) => `udp://user:${secret}@tracker.example:6969/announce`],
  ['HTML escape', (secret) => `https://tracker.example/x?id=1&amp;authkey=${secret}`],
  ['percent escape', (secret) => `redirect=https%3A%2F%2Ftracker.example%2Fx%3Fpasskey%3D${secret}`],
  ['JSON value', (secret) => `{"api_key": "${secret}", "id": 3}`],
  ['JSON value with single quotes', (secret) => `{'password': '${secret}'}`],
  ['JSON with escaped slashes', (secret) => `{"url":"https:\\/\\/tracker.example\\/dl?torrent_pass=${secret}"}`],
  ['JSON with escaped ampersand', (secret) => `https://tracker.example/dl?id=1\\u0026rsskey\\u003d${secret}`],
  ['pair', (secret) => `login failed: password=${secret}; retry`],
  ['cookie pair', (secret) => `cookie=${secret}`],
  ['cookie header', (secret) => `Cookie: uid=12; pass=${secret}; other=1`],
  ['set-cookie header', (secret) => `set-cookie: SID=${secret}; HttpOnly`],
  ['authorization header', (secret) => `Authorization: Bearer ${secret}`],
  ['scheme alone', (secret) => `sent Basic ${btoa(`admin:${secret}`)} to it`],
  ['bare key', (secret) => `refused ${secret}`],
]

describe('redact', () => {
  test.each(spellings)('takes a credential out of a %s', (_, spell) => {
    const outcome = redact(spell(canary))

    if (outcome.includes(canary) || outcome.includes(btoa(`admin:${canary}`))) throw new Error(outcome)
  })

  test('keeps what an owner needs to find the fault', ({ expect }) => {
    expect(redact('连接 https://tracker.example/browse?page=2 超时（30 秒）')).toBe(
      '连接 https://tracker.example/browse 超时（30 秒）',
    )
    expect(redact('HTTP 503 Service Unavailable')).toBe('HTTP 503 Service Unavailable')
    expect(redact('参数 page_size 不正确，最大为 200')).toBe('参数 page_size 不正确，最大为 200')
  })

  test('applied twice changes nothing more, whatever the text', ({ expect }) => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'https://',
        '?',
        '&amp;',
        'passkey=',
        '"token":"',
        '%3D',
        '***',
        'Cookie: ',
        'Bearer ',
        '\\u0026',
        '://',
        '@',
      ),
      fc.constant(canary),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = redact(pieces.join(''))
        expect(redact(once)).toBe(once)
      }),
      { numRuns: 2_000 },
    )
  })

  test('no surrounding text brings a credential back', ({ expect }) => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom(...spellings.map(([, spell]) => spell)),
        fc.string(),
        (before, spell, after) => {
          expect(redact(`${before} ${spell(canary)} ${after}`)).not.toContain(canary)
        },
      ),
      { numRuns: 3_000 },
    )
  })

  test('ends in time on long input', ({ expect }) => {
    for (const text of [
      'a'.repeat(200_000),
      '://'.repeat(60_000),
      '"token":"'.repeat(20_000),
      'aA1-'.repeat(50_000),
      '%3D'.repeat(50_000),
    ])
      expect(redact(text).length).toBeGreaterThan(0)
  })
})

describe('redactWithHost', () => {
  test.each([
    'connect ECONNREFUSED 192.168.1.20:8080',
    'http://nas.local:8080/api/v2/auth/login',
    'getaddrinfo ENOTFOUND qb.home.example',
    'connect to [fd00::20]:9091 failed',
    'localhost:9091 refused',
  ])('hides where the downloader is: %s', (text) => {
    const outcome = redactWithHost(text)

    if (/192\.168|nas\.local|qb\.home|fd00|localhost|8080|9091/.test(outcome)) throw new Error(outcome)
  })

  test('keeps versions and words', ({ expect }) => {
    expect(redactWithHost('qBittorrent v4.5.2 要求登录')).toBe('qBittorrent v4.5.2 要求登录')
  })
})

test('a text is cut with a mark and never inside a character', ({ expect }) => {
  expect(cutTo('abc', 3)).toBe('abc')
  expect(cutTo('abcd', 3)).toBe('ab…')
  expect(cutTo('😀😀😀😀', 3)).toBe('😀😀…')
})
