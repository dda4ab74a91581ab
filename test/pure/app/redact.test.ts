import fc from 'fast-check'
import { describe, test } from 'vitest'
import { cutTo, redact, redactWithHost } from '../../../workers/app/core/redact.ts'

/** Keys as sites and services make them: letters and digits, hex of two lengths, letters alone, and a typed password. */
const canaries = {
  mixed: 'S3cr3tCanary0123456789abcdefXYZ',
  hex: 'deadbeefcafefeeddeadbeefcafefeed',
  'short hex': '0f1e2d3c4b5a6978',
  letters: 'abcdefghijklmnopqrstuvwxyzabcdef',
  typed: 'hunter.zwei!',
} as const
type Canary = keyof typeof canaries
const canary = canaries.mixed

/** Names under which sites, downloaders and services carry what nobody else may know. */
const names = [
  ...[
    'passkey',
    'pass',
    'c_secure_pass',
    'user_pass',
    'userPass',
    'torrent_pass',
    'password',
    'passwd',
    'pwd',
    'PASS2',
  ],
  ...['authkey', 'api_key', 'api-key', 'apikey', 'rsskey', 'X-Api-Key', 'key', 'access_token', 'XSRF-TOKEN', 'jwt'],
  ...['client_secret', 'secret', 'signature', 'sign', 'down_hash', 'downhash', 'SID', 'PHPSESSID', 'laravel_session'],
  ...['c_secure_login', 'remember_web_59ba36addc2b2f9401580f014c7f58ea4e30989d', 'cookies[pass]', 'pass[0]', 'rid'],
] as const

const whole = ['mixed', 'hex', 'short hex', 'letters', 'typed'] as const satisfies readonly Canary[]
const keys = ['mixed', 'hex', 'short hex', 'letters'] as const satisfies readonly Canary[]

type Spelling = readonly [string, (secret: string, name: string) => string, readonly Canary[]]

/** Every spelling in which an outside system has been seen to repeat a credential, and which of them it may be. */
const spellings: readonly Spelling[] = [
  ['query of an address', (secret, name) => `cannot get https://tracker.example/d.php?id=7&${name}=${secret}`, whole],
  ['query with an unknown name', (secret) => `GET http://host.example/a?whatever=${secret} failed`, whole],
  ['query with brackets around it', (secret) => `GET http://host.example/a?q={x}|${secret}^ failed`, whole],
  ['query behind an escaped quote', (secret) => `http://host.example/a?q=%22${secret}%22 failed`, whole],
  ['query of a path', (secret) => `GET /rss/feed.php?whatever=${secret}&x=1 HTTP/1.1`, whole],
  ['path of an address', (secret) => `https://tracker.example/rss/${secret}/feed`, keys],
  ['end of a path', (secret) => `https://tracker.example/announce/${secret}.torrent`, keys],
  ['path alone', (secret) => `GET /${secret}/announce answered 403`, keys],
  ['escaped path', (secret) => `to=https%3A%2F%2Ftracker.example%2F${secret}%2Fannounce`, keys],
  ['user part of an address', (secret) => `udp://user:${secret}@tracker.example:6969/announce`, whole],
  ['user part with a slash in it', (secret) => `http://user:a/${secret}@tracker.example/announce`, whole],
  ['user part with a question mark', (secret) => `http://user:${secret}?b@tracker.example/announce`, whole],
  ['user part behind no scheme', (secret) => `user:${secret}@tracker.example refused`, whole],
  ['HTML escape', (secret, name) => `https://tracker.example/x?id=1&amp;${name}=${secret}`, whole],
  ['numeric HTML escape', (secret, name) => `x&#38;${name}&#x3d;${secret}&amp;#38;y`, whole],
  ['percent escape', (secret, name) => `to=https%3A%2F%2Ftracker.example%2Fx%3F${name}%3D${secret}`, whole],
  ['percent escape of it', (secret, name) => `to=https%253A%252F%252Ft.example%252Fx%253F${name}%253D${secret}`, whole],
  ['JSON value', (secret, name) => `{"${name}": "${secret}", "id": 3}`, whole],
  ['JSON value with a quote in it', (secret, name) => `{"${name}": "a\\"${secret}", "id": 3}`, whole],
  ['JSON value with single quotes', (secret, name) => `{'${name}': '${secret}'}`, whole],
  ['JSON in JSON', (secret, name) => JSON.stringify({ body: JSON.stringify({ [name]: secret, id: 3 }) }), whole],
  ['JSON list', (secret, name) => `{"${name}": ["x", "a ${secret}"], "id": 3}`, whole],
  ['JSON in an address', (secret, name) => `body=${encodeURIComponent(JSON.stringify({ [name]: secret }))}`, whole],
  ['JSON in HTML', (secret, name) => `{&quot;${name}&quot;:&quot;${secret}&quot;}`, whole],
  ['JSON with escaped slashes', (secret) => `{"url":"https:\\/\\/t.example\\/dl?torrent_pass=${secret}"}`, whole],
  ['JSON with escaped signs', (secret, name) => `https://t.example/dl?id=1\\u0026${name}\\u003d${secret}`, whole],
  ['pair', (secret, name) => `login failed: ${name}=${secret}; retry`, whole],
  ['pair in quotes', (secret, name) => `login failed: ${name}="${secret}" retry`, whole],
  ['pair with a colon', (secret, name) => `${name}: ${secret}`, whole],
  ['pair in Chinese', (secret) => `登录失败，密码：${secret}`, whole],
  ['cookie pair', (secret) => `cookie=uid=3; whatever=${secret}`, whole],
  ['cookie header', (secret, name) => `Cookie: uid=12; ${name}=${secret}; other=1`, whole],
  ['cookie with an unknown name', (secret) => `Cookie: uid=12; whatever=${secret}; other=1`, whole],
  ['set-cookie header', (secret) => `set-cookie: SID=${secret}; HttpOnly`, whole],
  ['cookies in JSON', (secret) => `{"set-cookie":["a=1; Path=/", "whatever=${secret}; Path=/"]}`, whole],
  ['authorization header', (secret) => `Authorization: Bearer ${secret}`, whole],
  ['authorization pair', (secret) => `authorization=Bearer ${secret}`, whole],
  ['scheme alone', (secret) => `sent Basic ${btoa(`admin:${secret}`)} to it`, whole],
  ['bare key', (secret) => `refused ${secret}`, ['mixed', 'hex', 'letters']],
]

/** Every spelling with every credential it may carry, under every name. */
const planted = spellings.flatMap(([spelling, spell, kinds]) =>
  kinds.flatMap((kind) =>
    names.map((name) => ({ spelling, text: spell(canaries[kind], name), secret: canaries[kind] })),
  ),
)

function leaks(outcome: string, secret: string): boolean {
  return [secret, btoa(`admin:${secret}`), encodeURIComponent(secret)].some((one) => outcome.includes(one))
}

describe('redact', () => {
  test.each(spellings.map(([spelling]) => spelling))('takes a credential out of a %s', (wanted) => {
    for (const { spelling, text, secret } of planted) {
      if (spelling !== wanted) continue
      const outcome = redact(text)
      if (leaks(outcome, secret)) throw new Error(`${text} became ${outcome}`)
      if (redact(outcome) !== outcome) throw new Error(`${outcome} became ${redact(outcome)}`)
    }
  })

  test('keeps what an owner needs to find the fault', ({ expect }) => {
    expect(redact('连接 https://tracker.example/browse?page=2 超时（30 秒）')).toBe(
      '连接 https://tracker.example/browse 超时（30 秒）',
    )
    expect(redact('HTTP 503 Service Unavailable')).toBe('HTTP 503 Service Unavailable')
    for (const text of [
      '参数 page_size 不正确，最大为 200',
      '字段 password 的类型不对，至少 12 个字符',
      'getaddrinfo ENOTFOUND tracker.example',
      'connect ECONNREFUSED 192.168.1.20:8080 (http://nas:8080/api/v2/auth/login)',
      'limit: max_tokens=4096, author=Smith, keyword=linux, status: 404',
      'TypeError: x is not a function at DurableObjectNamespace.idFromName (worker.js:12:30)',
      'https://example.org/some-words-that-tell-what-it-is-about/page.html',
    ])
      expect(redact(text)).toBe(text)
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

  test.each(['pk:', 'key: token:', 'token=bearer', '"password":', 'sid=xcookie:', 'pass: auth='])(
    'a name before it does not take its name for a value: %s',
    (before) => {
      for (const { text, secret } of planted)
        if (leaks(redact(`${before} ${text}`), secret)) throw new Error(redact(`${before} ${text}`))
      for (const name of ['key=', 'token:'])
        if (redact(`${before} ${name}Basic ${canaries['short hex']}`).includes(canaries['short hex']))
          throw new Error(name)
      const outcome = redact(`${before}Cookie:uid=12; whatever=${canaries['short hex']}; other=1`)
      if (outcome.includes(canaries['short hex'])) throw new Error(outcome)
    },
  )

  test('no surrounding text brings a credential back', ({ expect }) => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...planted), fc.string(), (before, { text, secret }, after) => {
        const outcome = redact(`${before} ${text} ${after}`)
        expect(leaks(outcome, secret), outcome).toBe(false)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe.each([
  ['redact', redact],
  ['redactWithHost', redactWithHost],
] as const)('the time of %s', (_, read) => {
  /** Of this process's own time, the least of some attempts: what a busy machine adds is not the function's. */
  function leastMs(text: string): number {
    const attempts = Array.from({ length: 3 }, () => {
      const before = process.cpuUsage()
      read(text)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    })
    return Math.min(...attempts)
  }

  /** Four times the text may take ten times as long; what is slow takes seconds, and a busy machine less than this. */
  function growsAsTheText(unit: string): boolean {
    const [short, long] = [16, 64].map((kib) => leastMs(unit.repeat(Math.ceil((kib * 1024) / unit.length))))
    return short !== undefined && long !== undefined && long <= Math.max(500, short * 10)
  }

  test('grows with the text and no faster, for what is known to be slow', ({ expect }) => {
    const units = ['a.', 'a-', 'a', '://', 'a://', 'a:', 'a@', 'aA1-', '%3D', '%25', '&amp;', '?a', '?a=', 'a=[', '{"']
    const more = [
      '"token":"',
      'token:[',
      'pass="',
      'key\\"',
      '1.',
      '1:',
      ':',
      'c_secure_',
      'cookie=a;a',
      'basic  ',
      ' ',
      'key: ',
      'key:cookie:',
      'xcookie:',
      'xcookie\\:',
      'xcookie:xcookie\\:',
      'xcookie: ',
      'key: "',
      'pk:a;',
      'key=basic ',
      'key=basic  key:',
    ]
    for (const unit of [...units, ...more, 'x '.repeat(9), '\\', "'", 'é', '密码：'])
      expect(growsAsTheText(unit), JSON.stringify(unit)).toBe(true)
  })

  test('grows with the text and no faster, whatever is repeated', ({ expect }) => {
    const signs = fc.constantFrom(
      ...Array.from('aZ0.-_:/@=?&%#;"\'\\[]{}<> \n密：'),
      'pass',
      'key',
      'cookie',
      'localhost',
    )
    fc.assert(
      fc.property(fc.array(signs, { minLength: 1, maxLength: 6 }), (unit) => {
        expect(growsAsTheText(unit.join(''))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

describe('redactWithHost', () => {
  test.each([
    'connect ECONNREFUSED 192.168.1.20:8080',
    'http://nas.local:8080/api/v2/auth/login',
    'getaddrinfo ENOTFOUND qb.home.example',
    'connect to [fd00::20]:9091 failed',
    'localhost:9091 refused',
    'connect to fd00::20 failed',
    'connect to [fd00::20%eth0]:9091 failed',
    'getaddrinfo ENOTFOUND nas',
    'nas.xn--p1ai refused',
    'http://admin:fd00@nas:8080/api refused',
  ])('hides where the downloader is: %s', (text) => {
    const outcome = redactWithHost(text)

    if (/192\.168|\bnas\b|qb\.home|fd00|localhost|8080|9091/.test(outcome)) throw new Error(outcome)
  })

  test('keeps versions and words', ({ expect }) => {
    for (const text of ['qBittorrent v4.5.2 要求登录', 'at 12:30:45 std::string, 3 of 4', 'HTTP 401: invalid_api_key.'])
      expect(redactWithHost(text)).toBe(text)
  })
})

test('a text is cut with a mark and never inside a character', ({ expect }) => {
  expect(cutTo('abc', 3)).toBe('abc')
  expect(cutTo('abcd', 3)).toBe('ab…')
  expect(cutTo('😀😀😀😀', 3)).toBe('😀😀…')
})
