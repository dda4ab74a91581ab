/** What the owner settles for the service as a whole: kept in one table, secrets sealed and never told. */
import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { beforeEach, describe, test } from 'vitest'
import { createKeyCheckStore } from '../../../workers/app/adapters/d1/key-check.ts'
import { createOwnerSettings } from '../../../workers/app/adapters/d1/owner-settings.ts'
import { createSecretBox } from '../../../workers/app/adapters/secret-box.ts'
import { consolePrefix } from '../../../workers/app/app.ts'
import { composeApp } from '../../../workers/app/compose.ts'
import {
  repositoryCharactersMax,
  serviceAddressCharactersMax,
  serviceKeyCharactersMax,
  timeZoneCharactersMax,
} from '../../../workers/app/limits.ts'
import { consoleSite } from '../../support/console-site.ts'
import { origin, ownerSession, send } from '../../support/workerd/app-client.ts'

const path = `${consolePrefix}/settings/metadata`
const key = 'CanaryKeyOfTheProvider73'
const usual = { api_address: '', image_address: '' }

const session = await ownerSession()

beforeEach(async () => {
  await env.DB.prepare('delete from settings').run()
})

const put = (json: object) => send('PUT', path, session, { json })
const stored = async () => (await env.DB.prepare('select * from settings').all<{ revision: number }>()).results
const longest = (characters: number) => `https://a.example/${'p'.repeat(characters - 18)}`

describe('the time zone', () => {
  const zonePath = `${consolePrefix}/settings/locale`
  const chooseZone = (time_zone: unknown) => send('PUT', zonePath, session, { json: { time_zone } })
  const today = async () => (await send('GET', '/api/app/v1/sites', session)).body.items[0]?.attendance.day

  test("is the deployment's until the owner chooses one, and again when the choice is taken back", async ({
    expect,
  }) => {
    const first = await send('GET', zonePath, session)
    const chosen = await chooseZone(' America/New_York ')
    const told = await send('GET', zonePath, session)
    const back = await chooseZone('')

    expect(first.body).toEqual({ time_zone: 'Asia/Shanghai', chosen: false, language: 'zh' })
    expect(chosen.body).toEqual({ time_zone: 'America/New_York', chosen: true, language: 'zh' })
    expect(told.body).toEqual(chosen.body)
    expect(back.body).toEqual(first.body)
  })

  test.for([
    ['of a place that has none', 'Mars/Olympus', 'invalid_argument'],
    ['of a longer name', 'E'.repeat(timeZoneCharactersMax + 1), 'invalid_argument'],
    ['of no text', 8, 'invalid_body'],
  ] as const)('is not one %s, and nothing changes', async ([_, zone, error], { expect }) => {
    await chooseZone('Europe/Berlin')
    const before = await stored()

    const refused = await chooseZone(zone)

    expect(refused).toMatchObject({ status: 400, body: { error } })
    expect(JSON.stringify(refused.body)).toContain('time_zone')
    expect(await stored()).toEqual(before)
  })

  test('goes with a language, which stays where it is left out', async ({ expect }) => {
    const chooseBoth = (language: unknown) =>
      send('PUT', zonePath, session, { json: { time_zone: 'Europe/Berlin', language } })
    expect((await chooseBoth('en')).body).toEqual({ time_zone: 'Europe/Berlin', chosen: true, language: 'en' })
    expect((await chooseZone('')).body).toEqual({ time_zone: 'Asia/Shanghai', chosen: false, language: 'en' })
    for (const wrong of ['', 'fr', 'EN', 3]) expect((await chooseBoth(wrong)).status).toBe(400)
    expect((await send('GET', zonePath, session)).body.language).toBe('en')
    expect((await chooseBoth('zh')).body.language).toBe('zh')
  })

  test('is what the days of the interface are counted by', async ({ expect }) => {
    await env.DB.prepare('delete from sites').run()
    await send('POST', `${consolePrefix}/sites`, session, {
      json: consoleSite('shelf', 'torznab', 'https://indexer.example/api', { api_key: 'CanaryKeyOfTheSite' }),
    })
    const days: (string | undefined)[] = []
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      await chooseZone(zone)
      days.push(await today())
    }

    // 25 hours apart: whatever the time, their days differ.
    expect(days.every((day) => /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(day ?? ''))).toBe(true)
    expect(days[0]).not.toBe(days[1])
  })
})

describe('the metadata provider', () => {
  test('is at its usual addresses and without a key until the owner says otherwise', async ({ expect }) => {
    expect((await send('GET', path, session)).body).toEqual({ ...usual, has_api_key: false })
  })

  test('has a key that rests sealed, is never told, is kept when left out and removed by an empty text', async ({
    expect,
  }) => {
    const set = await put({ ...usual, api_key: key })
    const told = await send('GET', path, session)
    const kept = await put({ ...usual, image_address: 'images.example/t/p/' })
    const removed = await put({ ...usual, api_key: '' })

    expect(set.body).toEqual({ ...usual, has_api_key: true })
    expect(told.body).toEqual(set.body)
    expect(kept.body).toEqual({ ...usual, image_address: 'https://images.example/t/p', has_api_key: true })
    expect(removed.body).toEqual({ ...usual, has_api_key: false })
    expect(JSON.stringify([await stored(), set.body])).not.toContain('Canary')
    expect((await stored())[0]?.revision).toBe(3)
  })

  test('keeps its key from another place: with another address it has to be typed again', async ({ expect }) => {
    await put({ ...usual, api_key: key })
    const before = await stored()

    const refused = await put({ ...usual, api_address: 'https://a.example' })
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
    expect(await stored()).toEqual(before)

    const samePlace = await put({ ...usual, api_address: 'https://api.themoviedb.org/3/' })
    const typed = await put({ ...usual, api_address: 'https://a.example', api_key: key })
    const dropped = await put({ ...usual, api_key: '' })
    expect([samePlace.status, typed.status, dropped.status]).toEqual([200, 200, 200])
  })

  test('takes addresses and a key as long as their limits', async ({ expect }) => {
    const address = longest(serviceAddressCharactersMax)
    const { body } = await put({
      api_address: address,
      image_address: address,
      api_key: 'k'.repeat(serviceKeyCharactersMax),
    })

    expect(body).toEqual({ api_address: address, image_address: address, has_api_key: true })
  })

  test.for([
    ['an address past its limit', { ...usual, api_address: longest(serviceAddressCharactersMax + 1) }],
    ['an image address past its limit', { ...usual, image_address: longest(serviceAddressCharactersMax + 1) }],
    ['a key past its limit', { ...usual, api_key: 'k'.repeat(serviceKeyCharactersMax + 1) }],
    ['a key of two words', { ...usual, api_key: 'two words' }],
    ['a key with a line break in it', { ...usual, api_key: 'a\r\nx: y' }],
    ['an address with a password', { ...usual, api_address: 'https://u:p@a.example' }],
    ['an address with a query', { ...usual, image_address: 'https://a.example/?q=1' }],
    ['another scheme', { ...usual, image_address: 'ftp://a.example' }],
    ['no address at all', { api_address: '' }],
  ] as const)('refuses %s and changes nothing', async ([, json], { expect }) => {
    const answer = await put(json)

    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^invalid_/) } })
    expect(await stored()).toEqual([])
  })
})

describe('the list of releases', () => {
  const at = `${consolePrefix}/settings/updates`

  test('is nobody’s until the owner names a repository', async ({ expect }) => {
    const longest = `owner/${'n'.repeat(repositoryCharactersMax - 6)}`
    expect((await send('GET', at, session)).body).toEqual({ repository: '', api_address: '' })

    for (const json of [
      { repository: 'owner/na.me_-1', api_address: 'http://127.0.0.1:1/api' },
      { repository: longest, api_address: '' },
      { repository: '', api_address: '' },
    ]) {
      expect((await send('PUT', at, session, { json })).body).toEqual(json)
      expect((await send('GET', at, session)).body).toEqual(json)
    }
  })

  test.for([
    ['a name without an owner', 'wharf'],
    ['a way up', 'owner/..'],
    ['a way up before it', '../owner'],
    ['a longer path', 'owner/name/releases'],
    ['a query', 'owner/name?x'],
    ['an escape', 'owner/%2e%2e'],
    ['a name past its limit', `owner/${'n'.repeat(repositoryCharactersMax - 5)}`],
  ] as const)('refuses %s as a repository', async ([, repository], { expect }) => {
    const answer = await send('PUT', at, session, { json: { repository, api_address: '' } })

    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
    expect(await stored()).toEqual([])
  })

  test('refuses an address that is none', async ({ expect }) => {
    const answer = await send('PUT', at, session, { json: { repository: '', api_address: 'ftp://a.example' } })

    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
  })
})

describe('the proxy to services', () => {
  const at = `${consolePrefix}/settings/proxy`
  const proxy = 'http://walker:CanaryProxyPassword@127.0.0.1:7890'

  test('shows its host and nothing else, and is removed by an empty text', async ({ expect }) => {
    const none = await send('GET', at, session)
    const set = await send('PUT', at, session, { json: { proxy } })
    const told = await send('GET', at, session)
    const rows = JSON.stringify(await stored())
    const removed = await send('PUT', at, session, { json: { proxy: '' } })

    expect(none.body).toEqual({ available: true })
    expect(set.body).toEqual({ proxy_host: '127.0.0.1:7890', available: true })
    expect(told.body).toEqual(set.body)
    expect(rows).not.toMatch(/walker|Canary/)
    expect(removed.body).toEqual({ available: true })
  })

  test.for([
    ['another kind', 'socks5://127.0.0.1:1080'],
    ['no scheme', '127.0.0.1:7890'],
    ['a path', 'http://127.0.0.1:7890/path'],
    ['a password for nobody', 'http://:secret@127.0.0.1:7890'],
    ['one past its limit', `http://${'p'.repeat(serviceAddressCharactersMax - 6)}`],
  ] as const)('refuses %s', async ([, text], { expect }) => {
    const answer = await send('PUT', at, session, { json: { proxy: text } })

    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
    expect(await stored()).toEqual([])
  })

  test('is refused in plain words at the edge, where nothing can use it', async ({ expect }) => {
    const { OUTGOING: _, OUTGOING_CODE: __, ...edge } = env
    const call = (method: string, json?: object) =>
      composeApp(edge, { run: (work) => void work }).fetch(
        new Request(`${origin}${at}`, {
          method,
          headers: { 'content-type': 'application/json', ...session },
          ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        }),
      )

    expect(await (await call('GET')).json()).toEqual({ available: false })
    const refused = await call('PUT', { proxy })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({
      message: '字段 proxy 不正确：代理只在自己的机器上运行时可用，部署在边缘时不能设置',
    })
    expect(await stored()).toEqual([])
  })
})

describe('a secret of a setting', () => {
  const settingsUnder = (masterKey: string | undefined) => {
    const db = drizzle(env.DB)
    return createOwnerSettings(db, {
      clock: { nowMs: () => 1_000 },
      secrets: createSecretBox(masterKey, createKeyCheckStore(db)),
    })
  }
  const value = { apiUrl: '', imageUrl: '' }

  test('opens again under the key it was sealed with', async ({ expect }) => {
    const settings = settingsUnder(env.MASTER_KEY)
    const none = await settings.openSecret('metadata')
    await settings.write('metadata', value, key)

    expect(none).toEqual({ ok: true, value: '' })
    expect(await settings.openSecret('metadata')).toEqual({ ok: true, value: key })
  })

  test('is said to be lost without that key, and nothing is sealed under another one', async ({ expect }) => {
    await settingsUnder(env.MASTER_KEY).write('metadata', value, key)
    const settings = settingsUnder(btoa('o'.repeat(32)))
    const before = await stored()

    expect(await settings.openSecret('metadata')).toEqual({ ok: false, failure: 'changed' })
    expect(await settings.write('metadata', value, 'another')).toEqual({ ok: false, failure: 'secrets' })
    expect(await stored()).toEqual(before)
    // What is no secret can be changed all the same, and the lost one be removed.
    expect(await settings.write('metadata', { ...value, imageUrl: 'https://a.example' })).toMatchObject({ ok: true })
    expect(await settings.write('metadata', value, '')).toMatchObject({ ok: true, value: { hasSecret: false } })
  })
})
