import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { consolePrefix } from '../../../workers/app/app.ts'
import {
  downloaderAddressCharactersMax,
  downloaderCredentialCharactersMax,
  downloaderNameCharactersMax,
  downloadersMax,
} from '../../../workers/app/limits.ts'
import { type Answer, ownerSession, send } from '../../support/workerd/app-client.ts'

const path = `${consolePrefix}/downloaders`
const settings = {
  name: 'seedbox',
  type: 'qbittorrent',
  address: 'http://127.0.0.1:1',
  username: 'admin',
  password: 'canary-password',
  enabled: true,
  default: false,
}

const session = await ownerSession()

beforeEach(async () => {
  await env.DB.prepare('delete from downloaders').run()
})

function add(change: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  return send('POST', path, session, { json: { ...settings, ...change } })
}

describe('downloader settings', () => {
  test('are listed without the password, which rests sealed', async ({ expect }) => {
    const added = await add()

    expect(added.body).toEqual({
      id: added.body.id,
      name: 'seedbox',
      type: 'qbittorrent',
      address: 'http://127.0.0.1:1',
      username: 'admin',
      has_password: true,
      min_free_gib: 1,
      enabled: true,
      default: false,
    })
    expect((await send('GET', path, session)).body.items).toEqual([added.body])
    const { results } = await env.DB.prepare('select * from downloaders').all()
    expect(JSON.stringify(results)).not.toContain('canary-password')
  })

  test('a change without a password keeps the stored one; an empty one removes it', async ({ expect }) => {
    const { id } = (await add()).body
    const { password: _, ...others } = settings

    const kept = await send('PUT', `${path}/${id}`, session, { json: { ...others, name: 'renamed' } })
    const removed = await send('PUT', `${path}/${id}`, session, { json: { ...others, password: '' } })

    expect(kept.body).toMatchObject({ name: 'renamed', has_password: true })
    expect(removed.body).toMatchObject({ has_password: false })
  })

  test('only one is the default: marking another takes the mark away', async ({ expect }) => {
    const first = (await add({ default: true })).body
    const second = (await add({ name: 'second', default: true })).body

    const { items } = (await send('GET', path, session)).body
    expect(items.map(({ id, default: isDefault }: { id: number; default: boolean }) => [id, isDefault])).toEqual([
      [first.id, false],
      [second.id, true],
    ])
  })

  test('every change moves the revision, so that a live connection is renewed', async ({ expect }) => {
    const { id } = (await add()).body
    const revision = async () =>
      (await env.DB.prepare('select revision from downloaders where id = ?').bind(id).first<{ revision: number }>())
        ?.revision

    const before = await revision()
    await send('PUT', `${path}/${id}`, session, { json: settings })

    expect(await revision()).toBe((before ?? 0) + 1)
  })

  test('an id is never used again', async ({ expect }) => {
    const { id } = (await add()).body
    await send('DELETE', `${path}/${id}`, session)

    expect((await add()).body.id).toBeGreaterThan(id)
  })

  test.each([
    ['192.168.1.2:8080', 'http://192.168.1.2:8080'],
    ['https://nas.example/qb/', 'https://nas.example/qb'],
    ['HTTP://NAS.example:80', 'http://nas.example'],
  ])('the address %s is kept as %s', async (address, kept) => {
    const { body } = await add({ address })

    if (body.address !== kept) throw new Error(JSON.stringify(body))
  })

  test.each([
    ['a name in use', { name: 'taken' }],
    ['a blank name', { name: '  ' }],
    ['a name past its limit', { name: 'n'.repeat(downloaderNameCharactersMax + 1) }],
    ['an unknown type', { type: 'gopher' }],
    ['another scheme', { address: 'ftp://nas.example' }],
    ['credentials in the address', { address: 'http://admin:secret@nas.example' }],
    ['a query in the address', { address: 'http://nas.example/?x=1' }],
    ['no host', { address: 'http://' }],
    ['an address past its limit', { address: `http://${'a'.repeat(downloaderAddressCharactersMax)}` }],
    ['a user name past its limit', { username: 'u'.repeat(downloaderCredentialCharactersMax + 1) }],
    ['a password past its limit', { password: 'p'.repeat(downloaderCredentialCharactersMax + 1) }],
  ])('%s is refused and adds nothing', async (_, change) => {
    await add({ name: 'taken' })

    const answer = await add({ name: 'new', ...change })

    if (answer.status !== 400 || answer.body.error !== 'invalid_argument') throw new Error(JSON.stringify(answer))
    const { items } = (await send('GET', path, session)).body
    if (items.length !== 1) throw new Error('something was added')
  })

  test('values at their limits are taken', async ({ expect }) => {
    const answer = await add({
      name: 'n'.repeat(downloaderNameCharactersMax),
      address: `http://nas.example/${'a'.repeat(downloaderAddressCharactersMax - 'http://nas.example/'.length)}`,
      username: 'u'.repeat(downloaderCredentialCharactersMax),
      password: 'p'.repeat(downloaderCredentialCharactersMax),
    })

    expect(answer.status).toBe(200)
  })

  test('stop at the limit of downloaders', async ({ expect }) => {
    for (let added = 0; added < downloadersMax; added += 1) await add({ name: `d${added}`, password: '' })

    expect(await add({ name: 'one more' })).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
  })

  test.each([
    ['another address', { address: 'http://127.0.0.1:2' }],
    ['another type', { type: 'transmission' }],
  ])('a stored password is not tried at %s', async (_, change) => {
    const { id } = (await add()).body
    const { type, address, username } = settings

    const there = await send('POST', `${path}/test`, session, { json: { type, address, username, id } })
    const elsewhere = await send('POST', `${path}/test`, session, { json: { type, address, username, id, ...change } })

    if (there.status !== 200) throw new Error(JSON.stringify(there))
    if (elsewhere.status !== 400 || !elsewhere.body.message.includes('password'))
      throw new Error(JSON.stringify(elsewhere))
  })

  test.each(['PUT', 'DELETE'])('%s of an unknown one answers 404', async (method) => {
    const answer = await send(method, `${path}/999999`, session, method === 'PUT' ? { json: settings } : {})

    if (answer.status !== 404) throw new Error(JSON.stringify(answer))
  })

  test('when the master key is another one, nothing is saved and the console says so', async ({ expect }) => {
    await env.DB.prepare('delete from key_check').run()
    const { createSecretBox } = await import('../../../workers/app/adapters/secret-box.ts')
    const { createKeyCheckStore } = await import('../../../workers/app/adapters/d1/key-check.ts')
    const { createDownloaderStore } = await import('../../../workers/app/adapters/d1/downloaders.ts')
    const { drizzle } = await import('drizzle-orm/d1')
    const db = drizzle(env.DB)
    await createSecretBox(btoa('k'.repeat(32)), createKeyCheckStore(db)).state()
    const store = createDownloaderStore(db, {
      clock: { nowMs: () => Date.now() },
      secrets: createSecretBox(btoa('o'.repeat(32)), createKeyCheckStore(db)),
    })

    const outcome = await store.add({
      name: 'x',
      kind: 'qbittorrent',
      baseUrl: 'http://a',
      username: '',
      password: 'p',
      enabled: true,
      isDefault: false,
    })

    expect(outcome).toEqual({ ok: false, failure: 'secrets' })
    expect((await send('GET', path, session)).body.items).toEqual([])
    await env.DB.prepare('delete from key_check').run()
  })
})
