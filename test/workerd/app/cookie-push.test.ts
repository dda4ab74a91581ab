/** Cookies that a browser pushes: who may, what becomes of them, and that nothing is given back. */
import { env, exports } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { toBase64 } from '../../../workers/app/core/bytes.ts'
import { pushKey } from '../../../workers/app/core/cookie-push.ts'
import {
  cookiePushBytesMax,
  cookiePushesMax,
  cookiePushPackedBytesMax,
  pushNameCharactersMax,
} from '../../../workers/app/limits.ts'
import { consoleSite } from '../../support/console-site.ts'
import { auditRows, origin as here, ownerSession, send } from '../../support/workerd/app-client.ts'
import { newAddress } from '../../support/workerd/devices.ts'
import { withoutAuditLog } from '../../support/workerd/without-audit-log.ts'

const sitesOrigin = inject('standInSites')
const siteHost = new URL(sitesOrigin).hostname
const settings = `${consolePrefix}/settings/cookies`
const sites = `${consolePrefix}/sites`
const goodValue = 'CanaryCookieOfTheSite9'
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0'

let skins = 0

const session = await ownerSession()
beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare('delete from sites'),
    env.DB.prepare('delete from audit_entries'),
    env.DB.prepare("delete from settings where name like 'cookies%'"),
  ])
})

interface Known {
  readonly uuid: string
  readonly password: string
}

async function turnedOn(): Promise<Known> {
  return (await send('POST', settings, session, { json: {} })).body
}

const cookie = (name: string, value: string, domain = siteHost) => ({ name, value, domain, hostOnly: true, path: '/' })
const pushOf = (...cookies: readonly object[]) =>
  JSON.stringify({ cookie_data: { any: cookies }, local_storage_data: {} })

async function sealed({ uuid, password }: Known, plain: string): Promise<string> {
  const raw = new TextEncoder().encode(pushKey(uuid, password))
  const key = await crypto.subtle.importKey('raw', raw, 'AES-CBC', false, ['encrypt'])
  const text = new TextEncoder().encode(plain)
  return toBase64(new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CBC', iv: new Uint8Array(16) }, key, text)))
}

async function post(body: BodyInit, headers: Readonly<Record<string, string>> = {}, path = '/api/cookies/update') {
  const response = await exports.default.fetch(
    new Request(`${here}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'cf-connecting-ip': newAddress(),
        'user-agent': browser,
        ...headers,
      },
      body,
    }),
  )
  return { status: response.status, headers: response.headers, body: await response.json<Record<string, unknown>>() }
}

async function push(known: Known, plain: string, headers: Readonly<Record<string, string>> = {}) {
  const encrypted = await sealed(known, plain)
  return post(JSON.stringify({ uuid: known.uuid, encrypted, crypto_type: 'aes-128-cbc-fixed' }), headers)
}

/** A site whose cookie the test chooses. */
async function addSite(name: string, change: Readonly<Record<string, unknown>> = {}): Promise<number> {
  skins += 1
  const address = `${sitesOrigin}/nexusphp/pushed${skins}`
  const added = await send('POST', sites, session, { json: consoleSite(name, 'nexusphp', address, change) })
  return added.body.id
}

const works = async (name: string, id: number) => {
  const { items } = (await send('GET', sites, session)).body
  const { kind, definition, address, overrides } = items.find((one: { name: string }) => one.name === name)
  const json = { kind, definition, address, overrides, id }
  return (await send('POST', `${sites}/test`, session, { json })).body.works
}

describe('the setting', () => {
  test('is off at first, shows its password once, and forgets the one before', async ({ expect }) => {
    expect((await send('GET', settings, session)).body).toEqual({
      enabled: false,
      path: '/api/cookies',
      taken_at: 0,
      renewed: [],
    })

    const first = await turnedOn()
    const second = await turnedOn()

    expect(first.password).toHaveLength(43)
    expect(first.uuid).not.toBe(second.uuid)
    expect((await send('GET', settings, session)).body).toEqual({
      enabled: true,
      path: '/api/cookies',
      uuid: second.uuid,
      taken_at: 0,
      renewed: [],
    })
    const rows = JSON.stringify((await env.DB.prepare('select * from settings').all()).results)
    for (const secret of [first.password, second.password, pushKey(second.uuid, second.password)])
      expect(rows).not.toContain(secret)
    expect((await push(first, pushOf())).status).toBe(401)
    expect((await push(second, pushOf())).status).toBe(200)

    expect((await send('DELETE', settings, session, { json: {} })).body).toMatchObject({ enabled: false })
    expect((await push(second, pushOf())).status).toBe(401)
  })
})

const pushLines = async () => (await auditRows()).filter(({ channel }) => channel === 'browser')

describe('where a cookie came from', () => {
  const originOf = async (name: string) => {
    const { items } = (await send('GET', sites, session)).body
    const { cookie_from, cookie_at } = items.find((one: { name: string }) => one.name === name)
    return { cookie_from, isNow: Math.abs(cookie_at - Date.now() / 1000) < 60 }
  }

  test('is noted: pasted, pushed by any extension, pushed by ours; the same once more is no new one', async ({
    expect,
  }) => {
    const known = await turnedOn()
    const id = await addSite('own', { cookie: 'c_secure_pass=old' })
    expect(await originOf('own')).toEqual({ cookie_from: 'pasted', isNow: true })
    await push(known, pushOf(cookie('c_secure_pass', goodValue)))
    expect(await originOf('own')).toEqual({ cookie_from: 'endpoint', isNow: true })
    const ours = JSON.stringify({ ...JSON.parse(pushOf(cookie('c_secure_pass', 'next'))), sender: 'wharf' })
    await push(known, ours)
    expect(await originOf('own')).toEqual({ cookie_from: 'extension', isNow: true })

    const address = (await send('GET', sites, session)).body.items[0].address
    const change = (json: object) =>
      send('PUT', `${sites}/${id}`, session, { json: consoleSite('own', 'nexusphp', address, json) })
    await change({ cookie: 'c_secure_pass=next' })
    expect(await originOf('own')).toMatchObject({ cookie_from: 'extension' })
    await change({ cookie: 'c_secure_pass=other' })
    expect(await originOf('own')).toEqual({ cookie_from: 'pasted', isNow: true })
    const gone = (await change({ cookie: '' })).body
    expect(Object.keys(gone)).not.toEqual(expect.arrayContaining(['cookie_from']))
  })
})

describe('what stands without overrides', () => {
  test('is told by the definition and the kind; a site that is not there has nothing', async ({ expect }) => {
    const id = await addSite('own', {
      ...{ definition: 'tjupt', kind: 'nexusphp' },
      overrides: { request_interval_ms: 0, paths: { bonus: 'other.php' }, user_agent: 'Mozilla/5.0 (X11) B/1' },
    })
    const usual = (await send('GET', `${sites}/${id}/usual`, session)).body
    expect(usual).toMatchObject({ paths: { bonus: 'bonus.php?show=description' }, labels: {}, headers: {} })
    expect(usual.user_agent).toMatch(/wharf/)
    expect(usual.request_interval_ms).toBeGreaterThan(0)
    expect((await send('GET', `${sites}/999/usual`, session)).status).toBe(404)
  })
})

describe('a push', () => {
  test('renews the cookies of the sites it holds some for, with the browser they were given to', async ({ expect }) => {
    const known = await turnedOn()
    const [own, other] = [await addSite('own', { cookie: 'c_secure_pass=old' }), await addSite('other')]
    expect([await works('own', own), await works('other', other)]).toEqual([false, false])

    const answer = await push(
      known,
      pushOf(cookie('c_secure_pass', goodValue), cookie('c_secure_pass', 'x', 'other.example')),
    )

    expect(answer).toMatchObject({ status: 200, body: { action: 'done' } })
    expect([await works('own', own), await works('other', other)]).toEqual([true, true])
    const { items } = (await send('GET', sites, session)).body
    expect(items.map(({ overrides }: { overrides: object }) => overrides)).toEqual([
      { request_interval_ms: 0, user_agent: browser },
      { request_interval_ms: 0, user_agent: browser },
    ])
    const state = (await send('GET', settings, session)).body
    expect(state.renewed).toEqual(['own', 'other'])
    expect(state.taken_at).toBeGreaterThan(1_700_000_000)
    expect(await pushLines()).toMatchObject([
      { channel: 'browser', command: 'POST /api/cookies/update', result: 'ok', status: 200 },
    ])
    const { items: lines } = (await send('GET', `${consolePrefix}/audit`, session)).body
    expect(lines[0].reason).toEqual({ kind: 'cookie.renewed', sites: ['own', 'other'] })
    const kept = JSON.stringify([
      (await env.DB.prepare('select * from settings').all()).results,
      (await env.DB.prepare('select * from sites').all()).results,
      (await env.DB.prepare('select * from audit_entries').all()).results,
    ])
    expect(kept).not.toContain(goodValue)
  })

  test('that brings nothing new changes nothing and leaves no line', async ({ expect }) => {
    const known = await turnedOn()
    await addSite('own', { cookie: `c_secure_pass=${goodValue}` })
    // Its first visit goes on meanwhile, and writes what it found.
    const columns = 'id, sealed_credentials, overrides, revision, cookie_from, cookie_at_unix'
    const rows = async () => (await env.DB.prepare(`select ${columns} from sites`).all()).results
    const before = await rows()

    const again = await push(known, pushOf(cookie('c_secure_pass', goodValue)))
    const signedOut = await push(known, pushOf(cookie('c_lang_folder', 'chs')))
    const nobodys = await push(known, pushOf(cookie('c_secure_pass', 'x', 'other.example')))

    expect([again.status, signedOut.status, nobodys.status]).toEqual([200, 200, 200])
    expect(await rows()).toEqual(before)
    expect(await pushLines()).toEqual([])
  })

  test('that cannot be written down renews nothing', async ({ expect }) => {
    const known = await turnedOn()
    const own = await addSite('own', { cookie: 'c_secure_pass=old' })

    const answer = await withoutAuditLog(() => push(known, pushOf(cookie('c_secure_pass', goodValue))))

    expect(answer).toMatchObject({ status: 503, body: { reason: { kind: 'audit_unavailable' } } })
    expect(await works('own', own)).toBe(false)
  })

  test('of a program that is no browser leaves the name of the browser as it is', async ({ expect }) => {
    const known = await turnedOn()
    await addSite('own', { overrides: { request_interval_ms: 0, user_agent: 'Mozilla/5.0 (mine)' } })

    await push(known, pushOf(cookie('c_secure_pass', goodValue)), { 'user-agent': 'curl/8.5.0' })

    const { items } = (await send('GET', sites, session)).body
    expect(items[0]).toMatchObject({ has_cookie: true, overrides: { user_agent: 'Mozilla/5.0 (mine)' } })
  })

  test('leaves a site alone that a key opens', async ({ expect }) => {
    const known = await turnedOn()
    const keyed = consoleSite('keyed', 'gazelle', `${sitesOrigin}/gazelle/pushed`, { api_key: 'k' })
    expect((await send('POST', sites, session, { json: keyed })).status).toBe(200)

    await push(known, pushOf(cookie('session', 'x')))

    const { items } = (await send('GET', sites, session)).body
    expect(items[0]).toMatchObject({ has_cookie: false, has_api_key: true })
  })

  test('may be packed, as the extension sends it', async ({ expect }) => {
    const known = await turnedOn()
    const own = await addSite('own')
    const encrypted = await sealed(known, pushOf(cookie('c_secure_pass', goodValue)))
    const text = JSON.stringify({ uuid: known.uuid, encrypted, crypto_type: 'aes-128-cbc-fixed' })
    const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))

    const answer = await post(await new Response(packed).bytes(), { 'content-encoding': 'gzip' })

    expect(answer.status).toBe(200)
    expect(await works('own', own)).toBe(true)
  })

  test('that cannot be opened is told the same, whatever is wrong', async ({ expect }) => {
    const known = await turnedOn()
    const wrong = [
      await push({ ...known, uuid: 'another' }, pushOf()),
      await push({ ...known, password: 'another' }, pushOf()),
      await post(JSON.stringify({ uuid: known.uuid, encrypted: 'AAAA' })),
      await post(JSON.stringify({ uuid: known.uuid, encrypted: 'no base64' })),
      await post(JSON.stringify({ uuid: 'u'.repeat(pushNameCharactersMax), encrypted: 'AAAA' })),
    ]

    for (const { status, body } of wrong) {
      expect(status).toBe(401)
      expect(body).toEqual(wrong[0]?.body)
    }
    expect(JSON.stringify(wrong[0]?.body)).not.toContain(known.uuid)
  })

  test.for([
    ['nothing', ''],
    ['no JSON', 'uuid=a&encrypted=b'],
    ['without a name', '{"encrypted":"AAAA"}'],
    ['with an empty one', '{"uuid":"","encrypted":"AAAA"}'],
    ['with a longer one', `{"uuid":"${'u'.repeat(pushNameCharactersMax + 1)}","encrypted":"AAAA"}`],
    ['without a text', '{"uuid":"a"}'],
    ['sealed in an unknown way', '{"uuid":"a","encrypted":"AAAA","crypto_type":"rot13"}'],
    ['of a list', '[]'],
  ] as const)('%s is none', async ([, text], { expect }) => {
    expect(await post(text)).toMatchObject({ status: 400, body: { error: 'invalid_body' } })
  })

  test('that opens and is none is told so', async ({ expect }) => {
    const known = await turnedOn()
    expect(await push(known, '{"cookies":[]}')).toMatchObject({
      status: 400,
      body: { reason: { kind: 'cookie.no_push' } },
    })
  })

  test('past its bounds is refused, packed and unpacked', async ({ expect }) => {
    const filled = (bytes: number) => {
      const around = '{"uuid":"a","encrypted":""}'
      return around.replace('""}', `"${'A'.repeat(bytes - around.length)}"}`)
    }
    const gzip = async (text: string) =>
      await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).bytes()
    const status = async (body: BodyInit) => (await post(body)).status

    expect(await status(filled(cookiePushPackedBytesMax))).toBe(401)
    expect(await post(filled(cookiePushPackedBytesMax + 1))).toMatchObject({
      body: { reason: { kind: 'body.too_large' } },
    })
    expect(await status(await gzip(filled(cookiePushBytesMax)))).toBe(401)
    expect(await post(await gzip(filled(cookiePushBytesMax + 1)))).toMatchObject({
      body: { reason: { kind: 'body.too_large' } },
    })
  })

  test('is counted, and a right one is not', async ({ expect }) => {
    const known = await turnedOn()
    const headers = { 'cf-connecting-ip': newAddress() }
    for (let at = 0; at < cookiePushesMax + 5; at += 1) expect((await push(known, pushOf(), headers)).status).toBe(200)
    const wrong: number[] = []
    // While the machine is slow another one may be let in.
    while (wrong.length < 2 * cookiePushesMax && wrong.at(-1) !== 429)
      wrong.push((await push({ ...known, password: 'wrong' }, pushOf(), headers)).status)
    expect(wrong.slice(0, cookiePushesMax)).toEqual(Array.from({ length: cookiePushesMax }, () => 401))
    expect(wrong.at(-1)).toBe(429)

    const refused = await push({ ...known, password: 'wrong' }, pushOf(), headers)

    expect(refused.status === 429 ? Number(refused.headers.get('retry-after')) : 1).toBeGreaterThan(0)
    expect((await push(known, pushOf())).status).toBe(200)
  })

  test('is not taken when the key of what is stored was lost', async ({ expect }) => {
    const known = await turnedOn()
    await env.DB.prepare("update settings set sealed = 'v1.00000000.AAAA' where name = 'cookies'").run()

    expect(await push(known, pushOf())).toMatchObject({ status: 503, body: { reason: { kind: 'cookie.push_sealed' } } })
  })
})

test('nothing is given back', async ({ expect }) => {
  const known = await turnedOn()
  await push(known, pushOf(cookie('c_secure_pass', goodValue)))
  for (const path of [`/api/cookies/get/${known.uuid}`, '/api/cookies/', '/api/cookies/update/x'])
    expect(await post('{}', {}, path)).toMatchObject({ status: 404, body: { error: 'not_found' } })
  const got = await exports.default.fetch(new Request(`${here}/api/cookies/get/${known.uuid}`))
  expect(got.status).toBe(404)
  const asked = await exports.default.fetch(new Request(`${here}/api/cookies/update`))
  expect([asked.status, asked.headers.get('allow')]).toEqual([405, 'POST'])
  expect(asked.headers.get('access-control-allow-origin')).toBeNull()
  expect((await send('GET', `${appPrefix}/sites`, session)).status).toBe(200)
})
