import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, inject, test } from 'vitest'
import { signatureHeaders } from '../../../workers/app/adapters/webhook-signature.ts'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import {
  channelAddressCharactersMax,
  channelChatCharactersMax,
  channelHeaderCharactersMax,
  channelNameCharactersMax,
  channelSecretCharactersMax,
  channelsMax,
} from '../../../workers/app/limits.ts'
import { consoleSite } from '../../support/console-site.ts'
import { type Answer, makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'

const path = `${consolePrefix}/channels`
const origin = inject('standInChannel')
const downloader = inject('standInDownloaders')['told-news']

let place: string
let places = 0

const session = await ownerSession()

beforeEach(async () => {
  for (const table of ['channels', 'notices', 'deliveries', 'message_templates'])
    await env.DB.prepare(`delete from ${table}`).run()
  places += 1
  place = `channel${places}`
})

const webhook = (change: Readonly<Record<string, unknown>> = {}) => ({
  name: 'house',
  type: 'webhook',
  address: `${origin}/${place}/hook?key=PlantedKeyOfTheHook`,
  header_name: 'X-Secret',
  header_value: 'PlantedHeaderValue',
  enabled: true,
  events: ['push.done', 'site.failed'],
  ...change,
})
const bot = (change: Readonly<Record<string, unknown>> = {}) => ({
  name: 'chat',
  type: 'bot',
  address: `${origin}/${place}`,
  chat_id: '-1001',
  token: '12:PlantedTokenOfTheBot',
  enabled: true,
  events: ['push.done'],
  ...change,
})
const without = (body: Readonly<Record<string, unknown>>, ...keys: string[]) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)))

const post = (json: unknown): Promise<Answer> => send('POST', path, session, { json })
const trial = (json: unknown): Promise<Answer> => send('POST', `${path}/test`, session, { json })
const list = async () => (await send('GET', path, session)).body.items

async function taken(orders?: Readonly<Record<string, unknown>>) {
  const init = orders === undefined ? {} : { body: JSON.stringify(orders) }
  const response = await fetch(`${origin}/control/${place}`, { method: 'POST', ...init })
  return response.json<{ path: string; headers: Record<string, string>; body: Record<string, unknown> }[]>()
}

const signingKey = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

describe('a signature', () => {
  test('is the one of the specification’s own example', async ({ expect }) => {
    const body = '{"test": 2432232314}'
    expect(await signatureHeaders(signingKey, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, body)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('is taken by the receivers’ own library, and by nobody with another key', async ({ expect }) => {
    const added = await post(webhook({ signing_key: signingKey }))
    expect(added.body.signed).toBe(true)
    expect((await trial({ type: 'webhook', id: added.body.id })).body).toEqual({ delivered: true })
    const [message] = (await taken()) as unknown as { raw: string; headers: Record<string, string> }[]
    const { raw = '', headers = {} } = message ?? {}
    expect(new Webhook(signingKey).verify(raw, headers)).toMatchObject({ type: 'test' })
    expect(() => new Webhook(`whsec_${btoa('another key, as long')}`).verify(raw, headers)).toThrow()
    expect(() => new Webhook(signingKey).verify(raw.replace('test', 'TEST'), headers)).toThrow()
  })

  test('stays with other changes and at another address, and goes when it is taken away', async ({ expect }) => {
    const { body } = await post(webhook({ signing_key: signingKey }))
    const change = (json: unknown) => send('PUT', `${path}/${body.id}`, session, { json })
    expect((await change(webhook({ name: 'home' }))).body.signed).toBe(true)
    expect((await change(webhook({ address: `${origin}/${place}/other` }))).body.signed).toBe(true)
    await trial({ type: 'webhook', id: body.id })
    expect((await taken()).at(-1)?.headers['webhook-signature']).toMatch(/^v1,/)
    expect((await change(webhook({ signing_key: '' }))).body.signed).toBeUndefined()
    await trial({ type: 'webhook', id: body.id })
    expect((await taken()).at(-1)?.headers['webhook-signature']).toBeUndefined()
    expect(JSON.stringify(await list())).not.toContain(signingKey)
  })

  const bytes = (count: number) => `whsec_${btoa('k'.repeat(count))}`
  test.for([
    ['24 bytes', bytes(24), 200],
    ['64 bytes', bytes(64), 200],
    ['23 bytes', bytes(23), 400],
    ['65 bytes', bytes(65), 400],
    ['no prefix', btoa('k'.repeat(32)), 400],
    ['no Base64', `whsec_${'ä'.repeat(32)}`, 400],
  ] as const)('with a key of %s', async ([, signing_key, status], { expect }) => {
    expect((await post(webhook({ signing_key }))).status).toBe(status)
  })

  test('is nothing for a chat', async ({ expect }) => {
    expect((await post(bot({ signing_key: signingKey }))).body.message).toContain('只用于类型 webhook')
  })
})

describe('a channel', () => {
  test('is stored without showing what of it is a secret', async ({ expect }) => {
    const added = await post(webhook())
    const chat = await post(bot())

    expect(added.body).toEqual({
      id: expect.any(Number),
      name: 'house',
      type: 'webhook',
      place: origin,
      header_name: 'X-Secret',
      enabled: true,
      events: ['site.failed', 'push.done'],
      waiting: 0,
      lost: 0,
    })
    expect(chat.body).toMatchObject({ type: 'bot', place: `${origin}/${place}`, chat_id: '-1001' })
    expect(await list()).toEqual([added.body, chat.body])
    const rows = JSON.stringify((await env.DB.prepare('select * from channels').all()).results)
    expect(rows).not.toMatch(/Planted/)
  })

  test('of a chat has the usual address unless it is given another', async ({ expect }) => {
    expect((await post(without(bot(), 'address'))).body.place).toBe('https://api.telegram.org')
    expect((await post(bot({ name: 'b', address: '' }))).body.place).toBe('https://api.telegram.org')
  })

  test('keeps its secrets when a change leaves them out', async ({ expect }) => {
    const { body } = await post(webhook())
    const changed = await send('PUT', `${path}/${body.id}`, session, {
      json: without(webhook({ name: 'home', enabled: false }), 'address', 'header_name', 'header_value'),
    })
    await trial({ type: 'webhook', id: body.id })

    expect(changed.body).toMatchObject({ name: 'home', enabled: false, header_name: 'X-Secret' })
    expect(await taken()).toMatchObject([
      { path: `/${place}/hook?key=PlantedKeyOfTheHook`, headers: { 'x-secret': 'PlantedHeaderValue' } },
    ])
  })

  test('loses its header when the name of it is emptied', async ({ expect }) => {
    const { body } = await post(webhook())
    const changed = await send('PUT', `${path}/${body.id}`, session, {
      json: without(webhook({ header_name: '' }), 'address', 'header_value'),
    })
    await trial({ type: 'webhook', id: body.id })

    expect(changed.body.header_name).toBeUndefined()
    expect((await taken())[0]?.headers['x-secret']).toBeUndefined()
  })

  test('goes with what waits for it', async ({ expect }) => {
    const { body } = await post(webhook())
    await env.DB.prepare(
      "insert into deliveries (notice_id, channel_id, type, title, text, at_unix, due_at_unix) values (1, ?, 'push.done', '', '', 1, 1)",
    )
      .bind(body.id)
      .run()

    expect((await send('DELETE', `${path}/${body.id}`, session)).body).toEqual({ ok: true })
    expect(await list()).toEqual([])
    expect((await env.DB.prepare('select * from deliveries').all()).results).toEqual([])
    expect(await send('DELETE', `${path}/${body.id}`, session)).toMatchObject({ status: 404 })
    expect(await send('PUT', `${path}/${body.id}`, session, { json: webhook() })).toMatchObject({ status: 404 })
    expect(await trial({ type: 'webhook', id: body.id })).toMatchObject({ status: 404 })
  })

  test('is no token’s business', async ({ expect }) => {
    const { caller } = await makeToken(session, ['app:read', 'app:write'])

    expect(await send('GET', path, caller)).toMatchObject({ status: 401 })
    expect(await send('POST', path, caller, { json: webhook() })).toMatchObject({ status: 401 })
    expect(await send('GET', `${appPrefix}/channels`, caller)).toMatchObject({ status: 404 })
  })

  test.each<[string, () => unknown, string]>([
    ['no address', () => without(webhook(), 'address'), '缺少字段 address'],
    ['an empty address', () => webhook({ address: '' }), 'address'],
    ['another scheme', () => webhook({ address: 'ftp://127.0.0.1/' }), '字段 address 不正确：地址只能以'],
    ['a script for an address', () => webhook({ address: 'javascript://x' }), '字段 address 不正确'],
    ['a user in the address', () => webhook({ address: 'http://u:p@127.0.0.1/' }), '不要写用户名和密码'],
    ['a fragment in the address', () => webhook({ address: 'http://127.0.0.1/?a#b' }), '不要带 #'],
    ['a query in the address of a chat', () => bot({ address: 'http://127.0.0.1/?a' }), '不要带 ?'],
    ['a header without a value', () => without(webhook(), 'header_value'), '请填写字段 header_value'],
    ['a value without a header', () => without(webhook(), 'header_name'), '缺少字段 header_name'],
    ['a header with a line in it', () => webhook({ header_name: 'a\r\nb' }), 'header_name'],
    ['a header that is the message’s own', () => webhook({ header_name: 'Content-Length' }), 'header_name'],
    ['a header for the connection', () => webhook({ header_name: 'host' }), 'header_name'],
    ['a line in the value', () => webhook({ header_value: 'a\r\nb: c' }), 'header_value'],
    ['no chat', () => without(bot(), 'chat_id'), '缺少字段 chat_id'],
    ['no token', () => without(bot(), 'token'), '请填写字段 token'],
    ['a token with a line in it', () => bot({ token: 'a\nb' }), 'token'],
    ['a token for a webhook', () => webhook({ token: 'x' }), '字段 token 和 chat_id 只用于类型 bot'],
    ['a header for a chat', () => bot({ header_name: 'x', header_value: 'y' }), '只用于类型 webhook'],
    ['no event', () => webhook({ events: [] }), 'events'],
    ['an event of another group', () => webhook({ events: ['reply.status'] }), 'events'],
    ['an unknown kind', () => webhook({ type: 'pigeon' }), 'type'],
    ['no name', () => webhook({ name: ' ' }), 'name'],
  ])('with %s is refused and not stored', async (_, json, message) => {
    const answer = await post(json())

    if (answer.status !== 400 || answer.body.error !== 'invalid_argument' || !answer.body.message.includes(message))
      throw new Error(JSON.stringify(answer))
    if ((await list()).length !== 0) throw new Error('it was stored')
  })

  test.each<[string, number, (text: string) => Readonly<Record<string, unknown>>]>([
    ['name', channelNameCharactersMax, (name) => webhook({ name })],
    [
      'address',
      channelAddressCharactersMax - 'http://127.0.0.1/'.length,
      (text) => webhook({ address: `http://127.0.0.1/${text}` }),
    ],
    ['header name', channelHeaderCharactersMax, (header_name) => webhook({ header_name })],
    ['header value', channelSecretCharactersMax, (header_value) => webhook({ header_value })],
    ['token', channelSecretCharactersMax, (token) => bot({ token })],
    ['chat', channelChatCharactersMax, (chat_id) => bot({ chat_id })],
  ])('takes a %s of %i characters and not one more', async (_, most, bodyWith) => {
    const past = await post(bodyWith('x'.repeat(most + 1)))
    const at = await post(bodyWith('x'.repeat(most)))

    if (past.status !== 400 || at.status !== 200) throw new Error(JSON.stringify([past, at]))
  })

  test('has a name of its own, and keeps its kind', async ({ expect }) => {
    const { body } = await post(webhook())

    expect(await post(bot({ name: 'house' }))).toMatchObject({
      status: 400,
      body: { message: '字段 name 不正确：已有同名的通知渠道' },
    })
    expect(await send('PUT', `${path}/${body.id}`, session, { json: bot() })).toMatchObject({
      status: 400,
      body: { message: '字段 type 不正确：渠道的类型不能修改' },
    })
  })

  test('is one of at most twenty', async ({ expect }) => {
    for (let count = 0; count < channelsMax; count += 1)
      expect((await post(bot({ name: `c${count}` }))).status).toBe(200)

    expect(await post(bot({ name: 'one more' }))).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
    expect(await list()).toHaveLength(channelsMax)
  })

  test('never sends a stored secret to another place', async ({ expect }) => {
    const hook = (await post(webhook())).body.id
    const chat = (await post(bot())).body.id
    const elsewhere = 'http://127.0.0.1:1'
    const attempts = [
      [trial, { type: 'webhook', id: hook, address: elsewhere }],
      [trial, { type: 'bot', id: chat, address: elsewhere }],
      [
        (json: unknown) => send('PUT', `${path}/${hook}`, session, { json }),
        without(webhook({ address: elsewhere }), 'header_value'),
      ],
      [
        (json: unknown) => send('PUT', `${path}/${chat}`, session, { json }),
        without(bot({ address: elsewhere }), 'token'),
      ],
    ] as const

    for (const [attempt, json] of attempts)
      expect(await attempt(json)).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
    expect(await taken()).toEqual([])
  })

  test('whose key is gone says what to do, and takes new secrets', async ({ expect }) => {
    const { body } = await post(bot())
    await env.DB.prepare("update channels set sealed_secrets = 'v1.other.AAAA.AAAA'").run()
    const put = (json: unknown) => send('PUT', `${path}/${body.id}`, session, { json })

    expect(await put(without(bot(), 'token'))).toMatchObject({ status: 503, body: { error: 'unavailable' } })
    expect(await trial({ type: 'bot', id: body.id })).toMatchObject({ status: 503 })
    expect(await put(bot())).toMatchObject({ status: 200 })
    expect((await trial({ type: 'bot', id: body.id })).body).toEqual({ delivered: true })
  })
})

describe('a test message', () => {
  test('goes to settings that are not stored, and stores nothing', async ({ expect }) => {
    const answer = await trial(without(webhook(), 'name', 'enabled', 'events'))

    expect(answer).toMatchObject({ status: 200, body: { delivered: true } })
    expect(await taken()).toMatchObject([
      { body: { type: 'test', title: '测试通知', text: expect.any(String), id: 0, at: expect.any(Number) } },
    ])
    expect(await list()).toEqual([])
  })

  test.each([
    [{ status: 401 }, '对方不接受令牌或密钥'],
    [
      { status: 400, answer: '{"ok":false,"description":"chat not found S3cr3t"}' },
      '对方不接受这条消息，请检查会话编号和接收格式',
    ],
    [{ status: 500 }, '接收方返回了意外的 HTTP 状态 500'],
    [{ status: 307, location: 'http://127.0.0.1:1/' }, '接收方把请求转到了别的地址，请填写最终的地址'],
    [{ answer: 'hello' }, '该地址的应答不像机器人接口，请检查地址'],
  ])('that is answered by %j fails with the reason', async (orders, error) => {
    await taken(orders)
    const answer = await trial(without(bot(), 'name', 'enabled', 'events'))

    if (answer.body.delivered !== false || answer.body.error !== error) throw new Error(JSON.stringify(answer))
  })

  test('to nobody says so', async ({ expect }) => {
    const { body } = await trial({ type: 'webhook', address: 'http://127.0.0.1:1/' })

    expect(body).toEqual({ delivered: false, error: '无法连接接收方', reason: { kind: 'channel.unreachable' } })
  })
})

describe('from the interface to the channel', () => {
  test('a push is told in the words that a token has saved', async ({ expect }) => {
    const { caller } = await makeToken(session, ['app:read', 'app:write'])
    await fetch(`${downloader.baseUrl}/control`, {
      method: 'POST',
      body: JSON.stringify({ orders: { freeBytes: 78e9, adding: 'accept' }, empty: true }),
    })
    const { baseUrl: address, ...signIn } = downloader
    await send('POST', `${consolePrefix}/downloaders`, session, {
      json: { name: 'first', type: 'qbittorrent', address, ...signIn, enabled: true, default: true },
    })
    const sites = inject('standInSites')
    await fetch(`${sites}/control/gazelle/told-news`, { method: 'POST', body: '{"fileBytes":1000}' })
    const credentials = { cookie: 'c_secure_pass=CanaryCookieOfTheSite9', api_key: 'CanaryApiKeyOfTheSite91' }
    await send('POST', `${consolePrefix}/sites`, session, {
      json: consoleSite('shelf', 'gazelle', `${sites}/gazelle/told-news`, credentials),
    })
    await post(webhook())
    await send('PUT', `${appPrefix}/templates/push.done`, caller, {
      json: { title: '到了 {{ downloader }}', text: '{{ site }} {{ size_text }}' },
    })

    // It is on no list, whose size would go before that of the file once the site's list was read.
    const push = await send('POST', `${appPrefix}/push`, caller, {
      json: { site: 'shelf', torrent_id: '777', title: 'Walk' },
    })

    expect(push.body.success, JSON.stringify(push.body)).toBe(true)
    await expect
      .poll(async () => (await taken()).map(({ body }) => [body['type'], body['title'], body['text']]))
      .toEqual([['push.done', '到了 first', 'shelf 1000 B']])
    await expect.poll(async () => (await list())[0]).toMatchObject({ last_ok: true, waiting: 0 })
    const { body } = await send('GET', `${consolePrefix}/jobs`, session)
    expect(body.items.filter(({ job }: { job: string }) => job === 'notices')).toEqual([])
  })
})
