/** Settings for scripts, under addresses of their own, and what a file declares. */
import { env } from 'cloudflare:workers'
import { describe, test } from 'vitest'
import { appPrefix, consolePrefix, settingRoutes, settingsPrefix } from '../../../workers/app/app.ts'
import { composeAppDeps } from '../../../workers/app/compose.ts'
import { settingRouteDeclarations } from '../../../workers/app/contract/settings-api.ts'
import { fileTokenPurpose, fileTokenStart } from '../../../workers/app/core/file-token.ts'
import { librariesMax } from '../../../workers/app/limits.ts'
import { auditRows, makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'

const session = await ownerSession()
const made = await makeToken(session, ['app:configure'], 'script')
const script = made.caller
const scriptId = made.id
const everythingElse = (await makeToken(session, ['app:read', 'app:write'])).caller

const apply = (json: object, dryRun = false, caller = script) =>
  send('PUT', `${settingsPrefix}/configuration${dryRun ? '?dry_run=1' : ''}`, caller, { json })

const seedbox = {
  name: 'Seedbox',
  type: 'qbittorrent',
  address: 'http://192.0.2.1:8080',
  username: 'admin',
  password: 'hidden in a file',
}
const films = { name: 'Films', media_type: 'movie', path: '/srv/films', mode: 'move' }
const alpha = { name: 'alpha', kind: 'unit3d', address: 'https://alpha.example', api_key: 'alpha-key' }
const hook = { name: 'Hook', type: 'webhook', address: 'http://192.0.2.2/hook', events: ['push.stopped'] }

describe('every settings route', () => {
  const rows = settingRouteDeclarations.map((route) => ({
    name: `${route.method.toUpperCase()} ${route.path}`,
    method: route.method.toUpperCase(),
    path: `${settingsPrefix}${route.path.replace(/\{[a-z_]+\}/g, '1')}`,
    command: `${route.method.toUpperCase()} ${settingsPrefix}${route.path}`,
  }))

  test('is one of the console that is named, or the configuration', ({ expect }) => {
    const served = settingRoutes(composeAppDeps(env, { run: () => undefined })).map(({ route }) => route.operationId)
    expect(served.toSorted()).toEqual(settingRouteDeclarations.map(({ operationId }) => operationId).toSorted())
    expect(served.filter((name) => /token|passkey|device|backup|key|password|signin|audit/i.test(name))).toEqual([])
    expect(served.length).toBeGreaterThan(50)
  })

  test.for(rows)(
    '$name is for tokens that may configure, and no cookie',
    async ({ method, path, command }, { expect }) => {
      const sent = method === 'GET' ? {} : { raw: '{' }
      for (const caller of [{}, session]) expect((await send(method, path, caller, sent)).status).toBe(401)
      expect(await send(method, path, everythingElse, sent)).toMatchObject({
        status: 403,
        body: { error: 'forbidden' },
      })
      expect([400, 200, 404]).toContain((await send(method, path, script, sent)).status)
      const rows = (await auditRows()).filter((row) => row.command === command)
      expect(rows.map(({ channel }) => channel)).toEqual(method === 'GET' ? [] : ['api_token', 'api_token'])
    },
  )

  test('a token that may configure gets nothing of the App API and nothing of the console', async ({ expect }) => {
    expect((await send('GET', `${appPrefix}/meta`, script)).status).toBe(403)
    expect((await send('GET', `${consolePrefix}/sites`, script)).status).toBe(401)
  })

  test('what a token may do in the App API is told without it', async ({ expect }) => {
    const { caller } = await makeToken(session, ['app:read', 'app:configure'])
    expect((await send('GET', `${appPrefix}/meta`, caller)).body.principal.scopes).toEqual(['app:read'])
  })

  test('a script sets up a downloader, changes it and removes it', async ({ expect }) => {
    const body = { ...seedbox, name: 'By script', enabled: true, default: false }
    const { body: made } = await send('POST', `${settingsPrefix}/downloaders`, script, { json: body })
    const place = `${settingsPrefix}/downloaders/${made.id}`
    const { body: changed } = await send('PUT', place, script, { json: { ...body, enabled: false } })
    expect(changed).toMatchObject({ id: made.id, enabled: false, has_password: true })
    expect((await send('GET', `${consolePrefix}/downloaders`, session)).body.items).toContainEqual(changed)
    expect((await send('DELETE', place, script)).body).toEqual({ ok: true })
    expect((await auditRows()).filter(({ user }) => user === `token:${scriptId}`).at(-1)).toMatchObject({
      command: `DELETE ${settingsPrefix}/downloaders/{id}`,
      result: 'ok',
    })
  })
})

describe('what a file declares', () => {
  const all = { downloaders: [seedbox], libraries: [films], sites: [alpha], channels: [hook] }

  test('nothing at all is no change', async ({ expect }) => {
    expect((await apply({}, true)).body).toEqual({ items: [] })
    expect((await apply({})).body).toEqual({ items: [] })
  })

  test('a dry run says what would be done and does nothing', async ({ expect }) => {
    const { body } = await apply(all, true)
    expect(body.items.map(({ kind, name, change }: Record<string, string>) => [kind, name, change])).toEqual([
      ['downloaders', 'Seedbox', 'add'],
      ['libraries', 'Films', 'add'],
      ['sites', 'alpha', 'add'],
      ['channels', 'Hook', 'add'],
    ])
    expect((await send('GET', `${consolePrefix}/sites`, session)).body.items).toEqual([])
  })

  test('it is made, is marked, and applied again changes nothing', async ({ expect }) => {
    expect((await apply(all)).body.items.every(({ error }: { error?: string }) => error === undefined)).toBe(true)
    const lists = await Promise.all(
      ['downloaders', 'libraries', 'sites', 'channels'].map((kind) => send('GET', `${consolePrefix}/${kind}`, session)),
    )
    expect(lists.map(({ body }) => body.items)).toMatchObject([
      [{ name: 'Seedbox', enabled: true, has_password: true, from_file: true }],
      [{ name: 'Films', default: true, from_file: true }],
      [{ name: 'alpha', has_api_key: true, from_file: true }],
      [{ name: 'Hook', place: 'http://192.0.2.2', from_file: true }],
    ])
    expect((await apply(all)).body).toEqual({ items: [] })
    expect((await apply({ ...all, sites: [{ ...alpha, enabled: true }] }, true)).body).toEqual({ items: [] })
  })

  test('nobody else changes or removes it, here or on the page', async ({ expect }) => {
    for (const kind of ['downloaders', 'libraries', 'sites', 'channels'] as const) {
      const { body } = await send('GET', `${consolePrefix}/${kind}`, session)
      const id = body.items[0].id as number
      const bodies = {
        downloaders: { ...seedbox, enabled: false, default: false },
        libraries: { ...films, default: true },
        sites: { ...alpha, display_name: '', definition: '', enabled: false, auto_sign_in: false },
        channels: { ...hook, enabled: false },
      }
      for (const [prefix, caller] of [
        [consolePrefix, session],
        [settingsPrefix, script],
      ] as const) {
        const refusal = { status: 403, body: { error: 'forbidden', reason: { kind: 'from_file' } } }
        expect(await send('PUT', `${prefix}/${kind}/${id}`, caller, { json: bodies[kind] })).toMatchObject(refusal)
        expect(await send('DELETE', `${prefix}/${kind}/${id}`, caller)).toMatchObject(refusal)
      }
      expect((await send('GET', `${consolePrefix}/${kind}`, session)).body).toEqual(body)
    }
  })

  test('a difference is told by its fields, and no secret is in the answer', async ({ expect }) => {
    const changed = { ...all, downloaders: [{ ...seedbox, password: 'another one', address: 'http://192.0.2.9' }] }
    const { body } = await apply(changed, true)
    expect(body).toEqual({
      items: [{ kind: 'downloaders', name: 'Seedbox', change: 'change', fields: ['address', 'password'] }],
    })
    await apply(changed)
    expect((await send('GET', `${consolePrefix}/downloaders`, session)).body.items[0].address).toBe('http://192.0.2.9')
    const { results } = await env.DB.prepare("select * from settings where name = 'declared'").all()
    expect(JSON.stringify(results)).not.toContain('another one')
  })

  test('an entry that is refused stays as it was, and the others are applied', async ({ expect }) => {
    const { body } = await apply({
      ...all,
      downloaders: [{ ...seedbox, address: 'ftp://192.0.2.9' }],
      libraries: [films, { ...films, name: 'More', path: '/srv/more' }],
    })
    expect(body.items).toMatchObject([
      { kind: 'downloaders', name: 'Seedbox', change: 'change', reason: { kind: 'field.wrong', field: 'address' } },
      { kind: 'libraries', name: 'More', change: 'add' },
    ])
    const { body: kept } = await send('GET', `${consolePrefix}/downloaders`, session)
    expect(kept.items[0]).toMatchObject({ address: 'http://192.0.2.9', from_file: true })
  })

  test.for([
    ['an unknown field', { sites: [{ ...alpha, colour: 'red' }] }, { kind: 'field.unknown' }],
    ['an unknown kind', { websites: [] }, { kind: 'field.unknown' }],
    ['a name twice', { libraries: [films, films] }, { kind: 'field.wrong', field: 'libraries.1.name' }],
    ['a browser as a channel', { channels: [{ ...hook, type: 'browser' }] }, { kind: 'field.wrong' }],
    [
      'more than there may be',
      { libraries: Array.from({ length: librariesMax + 1 }, (_, at) => ({ ...films, name: `${at}` })) },
      { kind: 'field.wrong', field: 'libraries' },
    ],
  ] as const)('%s changes nothing', async ([, document, reason], { expect }) => {
    const before = await send('GET', `${consolePrefix}/libraries`, session)
    expect(await apply(document)).toMatchObject({ status: 400, body: { reason } })
    expect((await send('GET', `${consolePrefix}/libraries`, session)).body).toEqual(before.body)
  })

  test('what the file has no more stays, and is the owner’s again; what was there is taken over', async ({
    expect,
  }) => {
    const { body } = await apply({ downloaders: [seedbox] })
    expect(body.items.map(({ name, change }: Record<string, string>) => [name, change])).toEqual([
      ['Seedbox', 'change'],
      ['Films', 'release'],
      ['More', 'release'],
      ['alpha', 'release'],
      ['Hook', 'release'],
    ])
    const { body: sites } = await send('GET', `${consolePrefix}/sites`, session)
    expect(sites.items).toMatchObject([{ name: 'alpha', has_api_key: true }])
    expect(sites.items[0].from_file).toBeUndefined()
    expect((await apply({ downloaders: [seedbox], sites: [alpha] })).body).toEqual({
      items: [{ kind: 'sites', name: 'alpha', change: 'take_over' }],
    })
  })

  test('the host’s own token follows from the master key, and another key’s is none', async ({ expect }) => {
    const tokenOf = async (masterKey: string) => {
      const raw = Uint8Array.from(atob(masterKey), (one) => one.charCodeAt(0))
      const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
      const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(fileTokenPurpose)))
      return {
        authorization: `Bearer ${fileTokenStart}${btoa(String.fromCharCode(...mac))
          .replaceAll('+', '-')
          .replaceAll('/', '_')}`,
      }
    }
    expect((await apply({}, true, await tokenOf(env.MASTER_KEY ?? ''))).status).toBe(200)
    for (const wrong of [await tokenOf(btoa('x'.repeat(32))), { authorization: `Bearer ${fileTokenStart}` }])
      expect((await apply({}, true, wrong)).status).toBe(401)
  })
})
