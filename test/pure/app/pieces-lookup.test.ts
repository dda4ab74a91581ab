/** How a site is asked for torrents by the hash of their pieces; the answers are those of the software. */
import { describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import type { SiteProfile } from '../../../workers/app/core/site.ts'

const key = 'CanaryLinkKeyOfTheSite47OfLength'
const [one, two, three] = ['aa', 'bb', 'cc'].map((pair) => pair.repeat(20)) as [string, string, string]
const unsupported = { kind: 'unsupported' }

const page = (text: string) => `<!DOCTYPE html><html><body><a href="logout.php">x</a>${text}</body></html>`
const feedPage = (passKey: string) => page(`https://site.example/torrentrss.php?passkey=${passKey}&amp;rows=50`)
/** xiaomlove/nexusphp at a514ed57, `api` in `globalfunctions.php`. */
const said = (data: unknown, ret = 0) => JSON.stringify({ ret, msg: 'x', data, time: 0.01, rid: 'x' })
const refused = new Response(said({ guards: ['passkey'] }, -1), { status: 401 })

/** A driver whose site gives one answer after another. */
function siteThatSays(answers: readonly (string | Response)[], profile: Partial<SiteProfile> = {}) {
  const asked: string[] = []
  const left = [...answers]
  const driver = createSiteDriver(
    {
      ...{ kind: 'nexusphp', baseUrl: 'https://site.example', credentials: { cookie: 'c=1', apiKey: '' } },
      profile: { ...siteProfile('nexusphp', {}), ...profile },
    },
    {
      bounds: { callMs: 5000, answerBytesMax: 4 * 1024 * 1024, queueMax: 8 },
      fetch: async (address, { method, body }) => {
        asked.push(`${method} ${address} ${body}`)
        const answer = left.shift() ?? ''
        return typeof answer === 'string' ? new Response(answer) : answer.clone()
      },
      nowMs: () => 0,
      wait: async () => undefined,
    },
  )
  return {
    asked,
    async find(...hashes: readonly string[]) {
      const answer = await driver.findByPieces?.(hashes, AbortSignal.timeout(5000))
      const torrents = answer?.torrents
      return [answer?.asks, torrents?.ok ? Object.fromEntries(torrents.value) : torrents?.failure]
    },
  }
}

test('by its pass key, which is learned once, and for all hashes at once', async ({ expect }) => {
  const site = siteThatSays([feedPage(key), said({ [one]: 41, [two.toUpperCase()]: '42' }), said({})])
  expect(await site.find(one, two, three)).toEqual([2, { [one]: '41', [two]: '42' }])
  expect(await site.find(three)).toEqual([1, {}])
  const hashes = (...of: string[]) => of.map((hash) => `&pieces_hash%5B%5D=${hash}`).join('')
  expect(site.asked).toEqual([
    'POST https://site.example/getrss.php showrows=50&inclbookmarked=0',
    `POST https://site.example/api/pieces-hash passkey=${key}${hashes(one, two, three)}`,
    `POST https://site.example/api/pieces-hash passkey=${key}${hashes(three)}`,
  ])
})

test('where its definition says, if that is another place', async ({ expect }) => {
  const site = siteThatSays([feedPage(key), said([])], { paths: { pieces: 'nexusapi/pieces-hash' } })
  expect(await site.find(one)).toEqual([2, {}])
  expect(site.asked[1]).toContain('https://site.example/nexusapi/pieces-hash ')
})

describe('an answer', () => {
  test.for<[string, unknown, object]>([
    ['of nothing', {}, {}],
    ['of nothing, as a list', [], {}],
    ['of what was not asked', { [two]: 7 }, {}],
    ['with what is no number', { [one]: 'x' }, {}],
    ['with a path in place of a number', { [one]: '1/../2' }, {}],
    ['with none', { [one]: 0 }, {}],
  ])('%s names no torrent', async ([, data, torrents], { expect }) => {
    expect(await siteThatSays([feedPage(key), said(data)]).find(one)).toEqual([2, torrents])
  })

  test.for<[string, string | Response]>([
    ['that there is no such page', new Response('Not Found', { status: 404 })],
    ['that it is not asked so', new Response('{}', { status: 405 })],
    ['with a page', page('<h1>news</h1>')],
    ['with a form to sign in', '<form action="takelogin.php"><input type="password" name="password"></form>'],
    ['with the way to sign in', new Response(null, { status: 302, headers: { location: '/login.php?returnto=x' } })],
    ['with the way elsewhere', new Response(null, { status: 302, headers: { location: 'https://other.example/' } })],
    ['that the key is wrong', refused],
    ['that it refuses the question', said({}, -1)],
    ['with a list of something', said([{ [one]: 7 }])],
  ])('%s says that it does not know pieces', async ([, answer], { expect }) => {
    expect(await siteThatSays([feedPage(key), answer]).find(one)).toEqual([2, unsupported])
  })

  test.for<[string, string | Response, object]>([
    ['in time', new Response('', { status: 429 }), { kind: 'rate_limited' }],
    ['without fault', new Response('', { status: 502 }), { kind: 'status', status: 502 }],
    ['before a check', '<title>Just a moment...</title>', { kind: 'challenge' }],
  ])('that does not come %s says nothing of it', async ([, answer, fault], { expect }) => {
    const site = siteThatSays([feedPage(key), answer, said({ [one]: 7 })])
    expect(await site.find(one)).toEqual([2, fault])
    expect(await site.find(one)).toEqual([1, { [one]: '7' }])
  })
})

test.for<[string, string | Response, object]>([
  ['has no address of a feed', page(''), unsupported],
  ['has no such page', new Response('', { status: 404 }), unsupported],
  ['has a key of another length', feedPage(`${key}x`), unsupported],
  ['asks to sign in', '<input type="password">', { kind: 'login_expired' }],
])('a site whose form %s is not asked', async ([, form, fault], { expect }) => {
  const site = siteThatSays([form])
  expect(await site.find(one)).toEqual([1, fault])
  expect(site.asked).toHaveLength(1)
})

test('a key that was changed is learned anew', async ({ expect }) => {
  const other = key.replace('Canary', 'Change')
  const site = siteThatSays([feedPage(key), refused, feedPage(other), said({ [one]: 7 })])
  expect(await site.find(one)).toEqual([2, unsupported])
  expect(await site.find(one)).toEqual([2, { [one]: '7' }])
  expect(site.asked.at(-1)).toContain(other)
})
