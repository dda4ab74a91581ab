/** Plants a secret in every store, asks everything of everyone, and searches all answers and log lines for them. */
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, inject, test, vi } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { consoleRouteDeclarations } from '../../../workers/app/contract/console.ts'
import { appRouteDeclarations } from '../../../workers/app/contract/routes.ts'
import { eventTypes } from '../../../workers/app/core/vocabulary.ts'
import { consoleSite } from '../../support/console-site.ts'
import { modelScript } from '../../support/model-script.ts'
import { reseedToken } from '../../support/reseed-token.ts'
import { calls } from '../../support/stand-in-model.ts'
import {
  type Caller,
  makeToken,
  ownerPassword,
  ownerSession,
  send,
  setupCode,
} from '../../support/workerd/app-client.ts'
import { ask, modelKey, poll, read, settingsOf } from '../../support/workerd/assistant.ts'
import { type DeviceUnderTest, makeCode, makeDevice, postBytes } from '../../support/workerd/devices.ts'
import { canaryKey, changeSetting, neededQueries, setServices } from '../../support/workerd/service-under-test.ts'

const downloaderPassword = 'PlantedDownloaderPassword7'
const downloaderUser = 'planted-downloader-user'
const downloaderHost = 'planted-host.example'
/** What opens the stand-in sites, and what they write into the links of their lists. */
const siteCookie = 'c_secure_pass=CanaryCookieOfTheSite9'
const siteApiKey = 'CanaryApiKeyOfTheSite91'
const siteLinkKey = 'CanaryLinkKeyOfTheSite47OfLength'

/** A proxy that lets nobody pass with it, so that its refusals are seen too. */
const proxyUser = 'planted-proxy-user'
const proxyPassword = 'PlantedProxyPassword83'

const services = inject('standInServices').origin
/** In the address, the header and the token of channels. */
const hookKey = 'PlantedKeyOfTheHook58'
const hookHeader = 'PlantedHeaderOfTheHook26'
const botToken = '4711:PlantedTokenOfTheBot93'
const serviceToken = 'PlantedTokenOfTheService64'
/** In the path and the query of addresses of feeds. */
const feedPath = 'PlantedPathOfTheFeed31'
const feedKey = 'PlantedKeyOfTheFeed64'

const logged: string[] = []
const utf8 = (text: string) => new TextEncoder().encode(text)

beforeEach(() => {
  logged.length = 0
  for (const level of ['log', 'error', 'warn', 'info', 'debug'] as const) {
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
      logged.push(parts.map(String).join(' '))
    })
  }
})

afterEach(() => {
  vi.restoreAllMocks()
})

interface Planted {
  readonly session: Caller
  readonly whole: Caller
  readonly reader: Caller
  readonly device: DeviceUnderTest
  /** What no answer and no log line may hold, by name. */
  readonly secrets: Readonly<Record<string, string>>
}

async function plant(): Promise<Planted> {
  const session = await ownerSession()
  const whole = await makeToken(session, ['app:read', 'app:write'])
  const reader = await makeToken(session, ['app:read'])
  await env.DB.prepare('delete from downloaders').run()
  for (const type of ['qbittorrent', 'transmission']) {
    const json = {
      name: type,
      type,
      address: `http://${downloaderHost}.invalid:1/${type}`,
      username: downloaderUser,
      password: downloaderPassword,
      enabled: true,
      default: false,
    }
    await send('POST', `${consolePrefix}/downloaders`, session, { json })
  }
  const { baseUrl: address, username, password } = inject('standInDownloaders')['planted-secrets']
  await send('POST', `${consolePrefix}/downloaders`, session, {
    json: { name: 'works', type: 'qbittorrent', address, username, password, enabled: true, default: true },
  })
  await plantSites(session)
  await plantFeeds(session)
  await setServices(session, 'planted')
  await plantModel(session)
  await changeSetting(session, 'reseed-service', { address: '', token: reseedToken })
  await changeSetting(session, 'proxy', { proxy: inject('standInProxy').address })
  const { results: sealedSettings } = await env.DB.prepare("select sealed from settings where sealed <> ''").all<{
    sealed: string
  }>()
  await plantChannels(session)
  const device = await makeDevice(session, 'full', 'planted')
  const pairingCode = await makeCode(session, 'full')
  const sealedCode = await env.DB.prepare('select sealed from pairing_code').first<{ sealed: string }>()
  const sealedKey = await env.DB.prepare('select sealed from tunnel_key').first<{ sealed: string }>()
  const { results: sealedSites } = await env.DB.prepare('select sealed_credentials from sites').all<{
    sealed_credentials: string
  }>()
  const { results: sealedFeeds } = await env.DB.prepare('select sealed_address from feeds').all<{
    sealed_address: string
  }>()
  const { results: sealedChannels } = await env.DB.prepare('select sealed_secrets from channels').all<{
    sealed_secrets: string
  }>()
  const { results: owners } = await env.DB.prepare('select password_hash from owner').all<{ password_hash: string }>()
  const { results: sealed } = await env.DB.prepare('select sealed_password from downloaders').all<{
    sealed_password: string
  }>()
  const { results: hashes } = await env.DB.prepare('select token_hash from api_tokens').all<{ token_hash: string }>()
  return {
    session,
    whole: whole.caller,
    reader: reader.caller,
    device,
    secrets: {
      'owner password': ownerPassword,
      'set-up code': setupCode,
      'master key': env.MASTER_KEY ?? '',
      'session cookie': (session['cookie'] ?? '').split('=')[1] ?? '',
      'token of the script': whole.text.split('_').slice(2).join('_'),
      'token of the reader': reader.text.split('_').slice(2).join('_'),
      'downloader password': downloaderPassword,
      'password of the downloader that works': inject('standInDownloaders')['planted-secrets'].password,
      'site cookie': siteCookie.split('=')[1] ?? '',
      'site key': siteApiKey,
      'key in the links of a site': siteLinkKey,
      'proxy user': proxyUser,
      'proxy password': proxyPassword,
      'working proxy password': decodeURIComponent(new URL(inject('standInProxy').address).password),
      'outgoing code': env.OUTGOING_CODE ?? '',
      'key in the address of a webhook': hookKey,
      'header of a webhook': hookHeader,
      'token of a service': serviceToken,
      'token of a bot': botToken.split(':')[1] ?? '',
      'path in the address of a feed': feedPath,
      'key in the address of a feed': feedKey,
      'sealed address of a feed': sealedFeeds[0]?.sealed_address ?? '',
      'pairing code': pairingCode,
      'pairing code without its dashes': pairingCode.replaceAll('-', ''),
      'sealed pairing code': sealedCode?.sealed ?? '',
      'sealed key of the tunnel': sealedKey?.sealed ?? '',
      'sealed channel': sealedChannels[0]?.sealed_secrets ?? '',
      'sealed site credentials': sealedSites[0]?.sealed_credentials ?? '',
      'password hash': owners[0]?.password_hash ?? '',
      'key of the model': modelKey,
      'key of the metadata provider': canaryKey,
      'token of the reseed service': reseedToken,
      'sealed key of a service': sealedSettings[0]?.sealed ?? '',
      'sealed password': sealed[0]?.sealed_password ?? '',
      'token hash': hashes[0]?.token_hash ?? '',
    },
  }
}

const model = modelScript(inject('standInModel'), 'planted')

/** A model whose service quotes the key it was sent when it refuses. */
async function plantModel(session: Caller): Promise<void> {
  const said = JSON.stringify({ error: { message: `no such key: Bearer ${modelKey}` } })
  await model.forget()
  await model.will(...[401, 400, 500].map((status) => ({ status, steps: [{ raw: said }] })))
  await send('PUT', `${consolePrefix}/settings/assistant`, session, { json: settingsOf(model) })
}

/** What callers are told of conversations whose model refused, and of one that looked around. */
async function conversationTexts(callers: readonly Caller[]): Promise<string[]> {
  const texts: string[] = []
  for (const caller of callers) {
    await model.will(calls(['get_downloader_stats', {}], ['list_tasks', {}], ['get_site_userinfo', {}]))
    for (let times = 0; times < 3; times += 1) {
      const { id, events } = await ask(caller, '你好')
      texts.push(JSON.stringify([events, await read(caller, id), await poll(caller, id, 0)]))
    }
  }
  return texts
}

/** Sites that work, one whose page is no page, and one with an address that holds a key. */
async function plantSites(session: Caller): Promise<void> {
  for (const { id } of (await send('GET', `${consolePrefix}/sites`, session)).body.items)
    await send('DELETE', `${consolePrefix}/sites/${id}`, session)
  const sites: readonly (readonly [name: string, kind: string, skin: string, proxy?: string])[] = [
    ['planted', 'nexusphp', 'chinese'],
    ['mteam', 'mteam', 'ok'],
    ['unit3d', 'unit3d', 'ok'],
    ['gazelle', 'gazelle', 'ok'],
    ['torznab', 'torznab', 'ok'],
    ['other', 'nexusphp', 'other'],
    ['expired', 'torznab', 'expired'],
    ['closing', 'torznab', 'closing'],
    ['proxied', 'unit3d', 'ok', inject('standInProxy').address],
    ['unproxied', 'unit3d', 'ok', `http://${proxyUser}:${proxyPassword}@${inject('standInProxy').host}`],
    ['lost', 'unit3d', 'ok', `http://${proxyUser}:${proxyPassword}@planted-proxy.invalid:1`],
  ]
  for (const [name, kind, skin, proxy = ''] of sites) {
    const credentials = { cookie: siteCookie, api_key: siteApiKey, proxy }
    const json = consoleSite(name, kind, `${inject('standInSites')}/${kind}/${skin}`, credentials)
    const added = await send('POST', `${consolePrefix}/sites`, session, { json })
    if (added.status !== 200) throw new Error(JSON.stringify(added))
  }
}

/** One whose host answers no feed, and one whose host is not there: what is said of either quotes its address. */
async function plantFeeds(session: Caller): Promise<void> {
  await env.DB.prepare('delete from feeds').run()
  for (const [name, host] of [
    ['answers', inject('standInSites')],
    ['lost', 'http://planted-feed.invalid:1'],
  ]) {
    const json = {
      name,
      enabled: true,
      site: 'planted',
      address: `${host}/${feedPath}/rss?key=${feedKey}`,
      every_minutes: 10,
    }
    const added = await send('POST', `${consolePrefix}/feeds`, session, { json })
    if (added.status !== 200) throw new Error(JSON.stringify(added.body))
  }
}

/** One that takes what it is sent, and three that do not. */
async function plantChannels(session: Caller): Promise<void> {
  await env.DB.prepare('delete from channels').run()
  const hook = { type: 'webhook', header_name: 'x-key', header_value: hookHeader, enabled: true, events: eventTypes }
  const chat = { type: 'bot', chat_id: '1', token: botToken, enabled: true, events: eventTypes }
  for (const json of [
    { ...hook, name: 'takes', address: `${inject('standInChannel')}/planted?key=${hookKey}` },
    { ...hook, name: 'nobody', address: `http://planted-hook.invalid:1/${hookKey}?key=${hookKey}` },
    { ...chat, name: 'refuses', address: `${inject('standInSites')}/nothing-here` },
    {
      type: 'gotify',
      name: 'refuses too',
      fields: { server: `${inject('standInSites')}/nothing-here`, token: serviceToken },
      enabled: true,
      events: eventTypes,
    },
  ]) {
    const added = await send('POST', `${consolePrefix}/channels`, session, { json })
    if (added.status !== 200) throw new Error(JSON.stringify(added))
  }
}

const everyPath = [
  ...appRouteDeclarations.map((route) => ({
    method: route.method.toUpperCase(),
    path: `${appPrefix}${route.path.replace('{site}', 'planted').replace('{size}/{file}', 'w92/a.jpg')}${neededQueries[route.operationId] ?? ''}`,
  })),
  ...consoleRouteDeclarations
    .filter(({ operationId }) => operationId !== 'signOut')
    .map((route) => ({
      method: route.method.toUpperCase(),
      path: `${consolePrefix}${route.path.replace('{id}', '1')}`,
    })),
]

const attacks: readonly (string | undefined)[] = [
  undefined,
  '{}',
  '{"surprise":"x"}',
  JSON.stringify({ action: 'pause', targets: [{ downloader_id: 1, task_id: 'a'.repeat(40) }] }),
  JSON.stringify({ type: 'qbittorrent', address: `http://${downloaderHost}.invalid`, username: downloaderUser, id: 1 }),
  JSON.stringify({ keyword: 'planet' }),
  JSON.stringify({ media_type: 'movie', tmdb_id: 11 }),
  JSON.stringify({ endpoint: 'address', address: model.address, model: 'x' }),
  ...[
    'planted',
    'mteam',
    'unit3d',
    'gazelle',
    'torznab',
    'other',
    'expired',
    'closing',
    'proxied',
    'unproxied',
    'lost',
  ].map((site) => JSON.stringify({ site, torrent_id: '101' })),
  JSON.stringify({
    kind: 'unit3d',
    definition: '',
    address: 'https://a.invalid',
    proxy: `http://${proxyUser}:${proxyPassword}@planted-proxy.invalid:1`,
  }),
  JSON.stringify({
    kind: 'unit3d',
    definition: '',
    address: 'https://a.invalid',
    proxy: `socks5://${proxyUser}:${proxyPassword}@planted-proxy.invalid:1`,
  }),
  JSON.stringify({ api_address: `${services}/planted/3` }),
  JSON.stringify({ api_address: `${services}/expired/3`, api_key: canaryKey }),
  JSON.stringify({ proxy: `http://${proxyUser}:${proxyPassword}@planted-proxy.invalid:1/path` }),
  ...[`http://planted-hook.invalid:1/${hookKey}?key=${hookKey}`, `ftp://planted-hook.invalid/${hookKey}`].map(
    (address) => JSON.stringify({ type: 'webhook', address, header_name: 'x-key', header_value: hookHeader }),
  ),
  JSON.stringify({ type: 'bot', address: `${inject('standInSites')}/nothing-here`, chat_id: '1', token: botToken }),
  JSON.stringify({ type: 'gotify', fields: { server: 'http://planted-hook.invalid:1', token: serviceToken } }),
  JSON.stringify({ type: 'push.done', title: `token=${hookKey}`, text: `http://x.invalid/a?key=${botToken} {{ nope` }),
  JSON.stringify({ current: ownerPassword, next: 'short' }),
  JSON.stringify({ code: setupCode, password: ownerPassword }),
]

/** A route that does not take the fields of one body takes them with other values neither. */
const shapeOf = (raw = '{}'): string => (raw.startsWith('{') ? Object.keys(JSON.parse(raw)).join() : raw)

/** Whoever is refused at the door is so before the body is read: one that is empty, and one that names everything. */
const refused = [undefined, `[${attacks.filter((one) => one !== undefined).join()}]`]

/** Every row of every table, as text. */
async function tableTexts(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\' and name not like 'sqlite%' and name not like 'd1%'",
  ).all<{ name: string }>()
  const texts: string[] = []
  for (const { name } of results)
    texts.push(JSON.stringify((await env.DB.prepare(`select * from "${name}"`).all()).results))
  return texts
}

describe('planted secrets', () => {
  test('are in no answer and no log line, whoever asks and whatever is sent', async ({ expect }) => {
    const { session, whole, reader, device, secrets } = await plant()
    const answers = await conversationTexts([session, reader])
    for (const caller of [session, whole, reader, {}]) {
      for (const { method, path } of everyPath) {
        const isLetIn = caller === session || (caller === whole && path.startsWith(appPrefix))
        const refusedShapes = new Set<string>()
        for (const raw of method === 'GET' ? [undefined] : isLetIn ? attacks : refused) {
          if (refusedShapes.has(shapeOf(raw))) continue
          const answer = await send(method, path, caller, raw === undefined ? {} : { raw })
          if (answer.status === 400 && answer.body.error === 'invalid_argument') refusedShapes.add(shapeOf(raw))
          answers.push(
            `${method} ${path} ${JSON.stringify(answer.body)} ${JSON.stringify([...answer.headers].filter(([name]) => name !== 'set-cookie'))}`,
          )
        }
      }
    }

    for (const { method, path } of everyPath.filter((one) => one.path.startsWith(appPrefix))) {
      const answer = await send(method, path, device, method === 'GET' ? {} : { json: {} })
      answers.push(`device: ${method} ${path} ${JSON.stringify(answer.body)} ${JSON.stringify([...answer.headers])}`)
    }
    for (const way of ['/pair/key', '/pair', '/session', '/request']) {
      const answer = await postBytes(way, utf8(Object.values(secrets).join(' ').slice(0, 4096)), 'planted')
      answers.push(`${way} ${await answer.text()}`)
    }

    expect(Object.entries(secrets).filter(([, secret]) => secret.length < 8)).toEqual([])
    for (const [name, secret] of Object.entries(secrets)) {
      const places = [...answers, ...logged].filter((text) => text.includes(secret))
      expect(places, name).toEqual([])
    }
    expect(answers.length).toBeGreaterThan(100)
    // Both feeds were really asked for, and why they failed was told.
    const feeds = (await send('GET', `${consolePrefix}/feeds`, session)).body.items
    for (const feed of feeds) expect(feed.last_error, feed.name).not.toBe('')
    for (const feed of feeds) expect(feed.last_at, feed.name).toBeDefined()
    expect(answers.filter((answer) => answer.includes('回答失败'))).not.toEqual([])
    // Torrents were really pushed, and the lists that hold the links were really read.
    expect(answers.some((answer) => answer.includes('POST /api/app/v1/push {"success":true'))).toBe(true)
    await expect.poll(async () => logged.some((line) => line.includes('notice_not_taken'))).toBe(true)
    for (const secret of [
      siteLinkKey,
      proxyUser,
      proxyPassword,
      canaryKey,
      hookKey,
      hookHeader,
      botToken,
      serviceToken,
      feedPath,
      feedKey,
    ])
      expect((await tableTexts()).filter((text) => text.includes(secret))).toEqual([])
    expect(answers.some((answer) => answer.includes('Planet.Walk'))).toBe(true)
    expect(answers.some((answer) => /^device: .*"kind":"remote_device"/.test(answer))).toBe(true)
    for (const name of ['pairing code', 'pairing code without its dashes'])
      expect((await tableTexts()).filter((text) => text.includes(secrets[name] ?? ''))).toEqual([])
    // So was the provider, and the list of releases.
    for (const text of ['星球漫步', '"source":"app"', 'v9.1.0', '"works":true', '不接受这个密钥'])
      expect(
        answers.some((answer) => answer.includes(text)),
        text,
      ).toBe(true)
  }, 180_000)

  test('the App API names neither address nor user of a downloader, in answers and in errors', async ({ expect }) => {
    const { session, reader } = await plant()
    const answers: string[] = []
    for (const caller of [session, reader]) {
      for (const path of ['/downloaders', '/torrents', '/torrents?page_size=1']) {
        answers.push(JSON.stringify((await send('GET', `${appPrefix}${path}`, caller)).body))
      }
    }

    for (const text of answers) {
      expect(text).not.toContain(downloaderHost)
      expect(text).not.toContain(downloaderUser)
    }
  })

  test('the search finds a planted secret: a scan that finds nothing proves nothing', async ({ expect }) => {
    const { session } = await plant()

    const made = await send('POST', `${consolePrefix}/tokens`, session, {
      json: { name: 'seen', scopes: ['app:read'], lifetime: '30d' },
    })

    expect(JSON.stringify(made.body)).toContain(made.body.text.split('_').slice(2).join('_'))
  })
})
