/** How the service that knows by info hash what other sites have is asked, and what is made of its answers. */
import { createHash } from 'node:crypto'
import { describe, test } from 'vitest'
import { succeed } from '#shared/kernel/result.ts'
import { readFound, readSites, readTold } from '../../../workers/app/adapters/reseed-service/answers.ts'
import { createReseedService } from '../../../workers/app/adapters/reseed-service/reseed-service.ts'
import { readyDefinitions, siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import { sidOf } from '../../../workers/app/core/reseed/reseed-service.ts'
import {
  reseedServiceRestSeconds,
  reseedServiceSitesMax,
  reseedServiceSitesSeconds,
  reseedServiceWordsMax,
} from '../../../workers/app/limits.ts'

const [one, two, three] = ['aa', 'bb', 'cc'].map((pair) => pair.repeat(20)) as [string, string, string]
const place = { address: 'https://service.example', token: 'IYUU1Tsecret', proxy: undefined }

/** One call, and the answer to it. */
function serviceThatSays(answer: Response | string) {
  const calls: { address: string; method: string; token: string; body: URLSearchParams }[] = []
  const service = createReseedService(
    {
      async fetch(address, { method = 'GET', headers, body }) {
        const token = new Headers(headers).get('token') ?? ''
        calls.push({ address, method, token, body: new URLSearchParams(String(body ?? '')) })
        return typeof answer === 'string' ? Response.json(JSON.parse(answer)) : answer
      },
    },
    { nowMs: () => 1_700_000_000_000 },
  )
  return { service, calls }
}
const find = (answer: Response | string, infoHashes = [two, one]) =>
  serviceThatSays(answer).service.find(place, { infoHashes, sidSha1: three })

describe('a question', () => {
  test('has the list in its order and as JSON, its SHA-1, the time and what the sites are called', async ({
    expect,
  }) => {
    const { service, calls } = serviceThatSays('{"code":0,"data":[]}')
    await service.find(place, { infoHashes: [two, three, one], sidSha1: three })
    const hash = `["${one}","${two}","${three}"]`
    expect(calls.map(({ body, ...call }) => ({ ...call, body: Object.fromEntries(body) }))).toEqual([
      {
        address: 'https://service.example/reseed/index/index',
        method: 'POST',
        token: place.token,
        body: {
          hash,
          sha1: createHash('sha1').update(hash).digest('hex'),
          sid_sha1: three,
          timestamp: '1700000000',
          version: '8.2.0',
        },
      },
    ])
  })

  test('about sites writes a list as PHP does', async ({ expect }) => {
    const { service, calls } = serviceThatSays(`{"code":0,"data":{"sid_sha1":"${one}"}}`)
    expect(await service.tell(place, [3, 14])).toEqual(succeed(one))
    expect(calls.map(({ address, body }) => [address, [...body]])).toEqual([
      [
        'https://service.example/reseed/sites/reportExisting',
        [
          ['sid_list[0]', '3'],
          ['sid_list[1]', '14'],
        ],
      ],
    ])
  })

  test('is not sent on to where the service says', async ({ expect }) => {
    const moved = new Response(null, { status: 307, headers: { location: 'https://service.example/elsewhere' } })
    const { service, calls } = serviceThatSays(moved)
    expect(await service.tell(place, [3])).toMatchObject({ failure: { reason: { kind: 'service.redirected' } } })
    expect(calls).toHaveLength(1)
  })
})

describe('an answer', () => {
  const torrent = (sid: unknown, torrent_id: unknown, info_hash: unknown = three) => ({ sid, torrent_id, info_hash })
  test.for<[string, unknown, unknown]>([
    ['nothing', [], {}],
    ['one torrent', { [one]: { torrent: [torrent(7, 41)] } }, { [one]: [['7', '41']] }],
    ['numbers in quotes', { [one]: { torrent: [torrent('7', '41')] } }, { [one]: [['7', '41']] }],
    ['capitals', { [one.toUpperCase()]: { torrent: [torrent(7, 41, three.toUpperCase())] } }, { [one]: [['7', '41']] }],
    ['a number that is none', { [one]: { torrent: [torrent(7, '../x'), torrent(7, 0)] } }, { [one]: [] }],
    ['an info hash that is none', { [one]: { torrent: [torrent(7, 41, 'x')] } }, { [one]: [] }],
    ['no list', { [one]: {} }, { [one]: [] }],
    ['a sentence', 'no', undefined],
    ['a list', [1], undefined],
  ])('of %s is read', ([, data, groups], { expect }) => {
    const found = readFound(data)
    const shown =
      found && [...found].map(([hash, all]) => [hash, all.map(({ sid, torrentId }) => [`${sid}`, torrentId])])
    expect(shown && Object.fromEntries(shown)).toEqual(groups)
    for (const all of found?.values() ?? []) for (const { infoHash } of all) expect(infoHash).toBe(three)
  })

  test('tells sites by their hosts, as many as are known', ({ expect }) => {
    const list = [
      { id: 1, base_url: 'www.pier.example' },
      { id: 2, base_url: 'https://Quay.example/' },
      { id: 3 },
      { id: 0, base_url: 'dock.example' },
      'x',
    ]
    expect([...(readSites({ sites: list }) ?? [])]).toEqual([
      ['pier.example', 1],
      ['quay.example', 2],
    ])
    const many = Array.from({ length: reseedServiceSitesMax + 1 }, (_, at) => ({
      id: at + 1,
      base_url: `s${at}.example`,
    }))
    expect(readSites({ sites: many })?.size).toBe(reseedServiceSitesMax)
    expect([readSites({}), readSites([])]).toEqual([undefined, undefined])
  })

  test.for([
    [{ sid_sha1: one }, one],
    [{ sid_sha1: '' }, undefined],
    [{}, undefined],
    [[], undefined],
  ] as const)('what it calls the sites is %o', ([data, called], { expect }) => {
    expect(readTold(data)).toBe(called)
  })

  test.for([
    ['https://pier.example', 1],
    ['https://www.pier.example/', 1],
    ['https://PIER.example/torrents', 1],
    ['https://pier.example:8443', undefined],
    ['https://pier.example.evil', undefined],
    ['https://my.pier.example', undefined],
    ['https://constructor', undefined],
  ] as const)('the site at %s is its number %s', ([baseUrl, sid], { expect }) => {
    expect(sidOf([baseUrl], { 'pier.example': 1 })).toBe(sid)
  })

  test('the site whose interface is elsewhere is found by a further host of it', ({ expect }) => {
    const known = { 'pier.example': 1, 'other.example': 2 }
    expect(sidOf(['https://api.pier.example/api', 'pier.example'], known)).toBe(1)
    expect(sidOf(['https://api.pier.example/api', 'www.pier.example'], known)).toBe(1)
    expect(sidOf(['https://api.pier.example/api', 'constructor'], known)).toBeUndefined()
    expect(sidOf(['https://api.pier.example/api'], known)).toBeUndefined()
    const { address = '', overrides } = readyDefinitions.find(({ id }) => id === 'mteam') ?? {}
    expect(sidOf([address, ...siteProfile('mteam', overrides ?? {}).hosts], { 'kp.m-team.cc': 3 })).toBe(3)
  })
})

describe('a refusal', () => {
  const said = (code: number, msg: string, data: unknown = {}) => JSON.stringify({ code, msg, data })
  const inStatus = (status: number, body: string, type = 'application/json') =>
    new Response(body, { status, headers: { 'content-type': type } })
  const quoted = (words: string) => ({ kind: 'reseed.refused', quoted: words })
  const of = (kind: string, facts = {}) => ({ kind: `service.${kind}`, service: 'reseed', ...facts })
  const page = '<html>no</html>'

  test.for<[string, Response | string, object, number, boolean]>([
    ['with words', said(400, 'sha1校验失败'), quoted('sha1校验失败'), reseedServiceRestSeconds, false],
    ['with a status', inStatus(400, said(400, 'x')), quoted('x'), reseedServiceRestSeconds, false],
    ['without words', said(403, ''), of('refused'), reseedServiceRestSeconds, false],
    ['with its token', said(403, `no ${place.token}!`), quoted('no ***!'), reseedServiceRestSeconds, false],
    ['for a while', said(429, '慢', { 'Retry-After': 90 }), quoted('慢'), 90, true],
    ['for a while in quotes', said(429, '慢', { 'Retry-After': '90' }), quoted('慢'), 90, true],
    ['for it does not say how long', said(429, '慢', []), quoted('慢'), 30, true],
    ['for a year', said(429, '慢', { 'Retry-After': 31536000 }), quoted('慢'), reseedServiceSitesSeconds, true],
    ['by what stands before it', inStatus(403, page, 'text/html'), of('refused'), reseedServiceRestSeconds, false],
    ['by a page', inStatus(200, page, 'text/html'), of('broken'), reseedServiceRestSeconds, false],
    ['with no code', '{"ok":true}', of('broken'), reseedServiceRestSeconds, false],
    ['with another answer', said(0, 'ok', 'x'), of('broken'), reseedServiceRestSeconds, false],
    ['by an error', inStatus(502, page, 'text/html'), of('status', { status: 502 }), reseedServiceRestSeconds, false],
  ])('%s is told', async ([, answer, reason, restSeconds, isThrottled], { expect }) => {
    expect(await find(answer)).toEqual({ ok: false, failure: { reason, restSeconds, isThrottled } })
  })

  test('in many words is cut', async ({ expect }) => {
    const answer = await find(said(400, '长'.repeat(reseedServiceWordsMax + 1)))
    const words = answer.ok || answer.failure.reason.kind !== 'reseed.refused' ? '' : answer.failure.reason.quoted
    expect([words.length, words.at(-1)]).toEqual([reseedServiceWordsMax, '…'])
  })

  test('that says that nothing was found is an answer', async ({ expect }) => {
    expect(await find(inStatus(400, said(400, '未查询到可辅种数据')))).toEqual(succeed(new Map()))
  })
})
