/** Devices paired through remote access: how they come, what they may, and how they go. */
import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { createTunnelCaller, pairDevice, TunnelRefusal, TunnelSession } from '../../../scripts/tunnel-client.ts'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import {
  deviceNameCharactersMax,
  devicesMax,
  pairingCodeSeconds,
  secretAttemptsMax,
} from '../../../workers/app/limits.ts'
import { calls, says } from '../../support/stand-in-model.ts'
import { auditRows, send } from '../../support/workerd/app-client.ts'
import {
  begin,
  decide,
  isEnd,
  isQuestion,
  poll,
  read,
  say,
  setUpAssistant,
  until,
} from '../../support/workerd/assistant.ts'
import { makeCode, makeDevice, newPost, tunnelObject } from '../../support/workerd/devices.ts'

const devices = `${consolePrefix}/devices`
const listed = async () => (await send('GET', devices, owner)).body.items
const meta = `${appPrefix}/meta`

const { session: owner, script } = await setUpAssistant('devices')

beforeEach(async () => {
  for (const table of ['devices', 'pairing_code', 'attempts', 'audit_entries'])
    await env.DB.prepare(`delete from ${table}`).run()
  await script.forget()
})

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (cause) => (cause instanceof TunnelRefusal ? `${cause.status} ${cause.message}` : Promise.reject(cause)),
  )
const refused =
  '401 {"error":"unauthorized","message":"不接受这个请求，请重新建立会话","reason":{"kind":"device.refused"}}'

describe('pairing', () => {
  test('gives a device the permission of its code, and /meta names it', async ({ expect }) => {
    const phone = await makeDevice(owner, 'full', 'phone')
    const tablet = await makeDevice(owner, 'read', '平板')

    expect((await send('GET', meta, phone)).body.principal).toEqual({
      kind: 'remote_device',
      name: 'phone',
      scopes: ['app:read', 'app:write'],
    })
    expect((await send('GET', meta, tablet)).body.principal).toEqual({
      kind: 'remote_device',
      name: '平板',
      scopes: ['app:read'],
    })
    await expect.poll(async () => (await listed()).every((one: object) => 'last_used_at' in one)).toBe(true)
    const paired_at = expect.any(Number)
    expect(await listed()).toEqual(
      expect.arrayContaining([
        { id: phone.id, name: 'phone', permission: 'full', paired_at, last_used_at: expect.any(Number) },
        { id: tablet.id, name: '平板', permission: 'read', paired_at, last_used_at: expect.any(Number) },
      ]),
    )
  })

  test('takes a code as it is typed, once', async ({ expect }) => {
    const code = await makeCode(owner, 'read')
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}`

    const outcomes = await Promise.all([
      refusal(pairDevice(newPost(), typed, 'one')),
      refusal(pairDevice(newPost(), code, 'two')),
    ])

    expect(outcomes.sort()).toEqual([refused, 'accepted'])
    expect(await refusal(pairDevice(newPost(), code, 'three'))).toBe(refused)
    expect(await listed()).toHaveLength(1)
  })

  test.each([
    ['a code that was never made', async () => 'ABCD-EFGH-JKMN-PQRS'],
    [
      'a code whose time is over',
      async () => {
        const code = await makeCode(owner, 'full')
        await env.DB.prepare('update pairing_code set expires_at_unix = ?')
          .bind(Math.floor(Date.now() / 1000))
          .run()
        return code
      },
    ],
    [
      'a code that another one replaced',
      async () => {
        const code = await makeCode(owner, 'full')
        await makeCode(owner, 'full')
        return code
      },
    ],
    [
      'a code with one other character',
      async () => (await makeCode(owner, 'full')).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    ],
  ])('refuses %s, and pairs nothing', async (_, code) => {
    const outcome = await refusal(pairDevice(newPost(), await code(), 'phone'))

    if (outcome !== refused || (await listed()).length !== 0) throw new Error(outcome)
  })

  test('a code says how long it works', async ({ expect }) => {
    const before = Math.floor(Date.now() / 1000)
    const { body } = await send('POST', `${devices}/code`, owner, { json: { permission: 'read' } })

    expect(body.expires_at - before - pairingCodeSeconds).toBeGreaterThanOrEqual(0)
    expect(body.expires_at - before - pairingCodeSeconds).toBeLessThan(60)
  })

  test('of a key that is paired already renews its name and permission, and leaves its id', async ({ expect }) => {
    const phone = await makeDevice(owner, 'full', 'phone')

    const { device } = await pairDevice(newPost(), await makeCode(owner, 'read'), 'renewed', phone.paired)

    expect(device).toEqual(phone.paired)
    expect(await listed()).toMatchObject([{ id: phone.id, name: 'renewed', permission: 'read' }])
    await expect
      .poll(async () => (await send('GET', meta, phone)).body.principal)
      .toEqual({ kind: 'remote_device', name: 'renewed', scopes: ['app:read'] })
  })

  test(`has room for ${devicesMax} devices`, async ({ expect }) => {
    const code = await makeCode(owner, 'read')
    const insert = env.DB.prepare("insert into devices values (?, 'x', ?, 'read', 1, null)")
    const ids = Array.from({ length: devicesMax }, (_, at) => `device-${at}`)
    await env.DB.batch(ids.map((id) => insert.bind(id, `key of ${id}`)))

    const full = await send('POST', `${devices}/code`, owner, { json: { permission: 'read' } })
    expect(full).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
    expect(await refusal(pairDevice(newPost(), code, 'one too many'))).toBe(refused)
    await send('DELETE', `${devices}/${ids[0]}`, owner)
    expect(await refusal(pairDevice(newPost(), code, 'the last one'))).toBe('accepted')
  })

  test('is tried a few times from one address, elsewhere too, and leaves no row', async ({ expect }) => {
    const from = newPost()
    const wrong = 'ABCD-EFGH-JKMN-PQRS'
    await makeCode(owner, 'read')
    for (let tried = 0; tried < secretAttemptsMax; tried += 1)
      expect(await refusal(pairDevice(from, wrong, 'guess'))).toBe(refused)

    expect(await refusal(pairDevice(from, await makeCode(owner, 'read'), 'shut'))).toMatch(/^429 /)
    expect(await refusal(pairDevice(newPost(), await makeCode(owner, 'read'), 'elsewhere'))).toBe('accepted')
    expect(await env.DB.prepare('select count(*) as count from attempts').first('count')).toBe(0)
  })

  test('keeps code and key sealed', async ({ expect }) => {
    const code = await makeCode(owner, 'read')
    const phone = await makeDevice(owner, 'read')
    await makeCode(owner, 'read')
    const rows = JSON.stringify([
      (await env.DB.prepare('select * from pairing_code').all()).results,
      (await env.DB.prepare('select * from tunnel_key').all()).results,
      (await env.DB.prepare('select * from devices').all()).results,
    ])

    expect(rows).toContain(phone.paired.publicKey)
    expect(rows).toContain(phone.paired.serverKey)
    for (const secret of [code, code.replaceAll('-', ''), phone.paired.privateKey]) expect(rows).not.toContain(secret)
    expect(rows.match(/"sealed":"v1\./g)).toHaveLength(2)
  })
})

describe('on the console', () => {
  test.each([
    ['an empty name', ' '],
    ['a name over its length', 'x'.repeat(deviceNameCharactersMax + 1)],
    ['a name of two lines', 'a\nb'],
  ])('%s is refused', async (_, name) => {
    const phone = await makeDevice(owner, 'read')
    const answer = await send('PUT', `${devices}/${phone.id}`, owner, { json: { name } })

    if (answer.status !== 400 || (await listed())[0].name !== 'phone') throw new Error(JSON.stringify(answer))
  })

  test('a device is renamed, and those that are not there are not found', async ({ expect }) => {
    const phone = await makeDevice(owner, 'read')
    const name = 'x'.repeat(deviceNameCharactersMax)

    expect((await send('PUT', `${devices}/${phone.id}`, owner, { json: { name } })).body).toMatchObject({ name })
    await expect.poll(async () => (await send('GET', meta, phone)).body.principal.name).toBe(name)
    expect((await send('PUT', `${devices}/none`, owner, { json: { name } })).status).toBe(404)
    expect((await send('DELETE', `${devices}/none`, owner)).status).toBe(404)
  })

  test('a revoked device is refused within a second, shakes no hands, and its conversations are gone', async ({
    expect,
  }) => {
    const phone = await makeDevice(owner, 'full')
    const tablet = await makeDevice(owner, 'full')
    const { body } = await begin(phone, { title: '要消失的' })
    await begin(tablet, { title: '留下的' })

    expect((await send('DELETE', `${devices}/${phone.id}`, owner)).status).toBe(200)

    await expect.poll(() => refusal(send('GET', meta, phone)), { timeout: 1_500, interval: 50 }).toBe(refused)
    expect(await refusal(TunnelSession.begin(newPost(), phone.paired))).toBe(refused)
    const left = () => env.DB.prepare('select title from conversations').all<{ title: string }>()
    await expect.poll(async () => (await left()).results.map(({ title }) => title)).toEqual(['留下的'])
    // Nobody else has it either: an id that was revoked does not come back.
    expect((await send('GET', `${appPrefix}/assistant/conversations/${body.id}`, tablet)).status).toBe(404)
    expect((await send('GET', meta, tablet)).status).toBe(200)
  })
})

describe('what a device does', () => {
  test('goes on after its session was lost with the object: it shakes hands and asks again', async ({ expect }) => {
    const ways: string[] = []
    const post = newPost()
    const phone = await makeDevice(owner, 'read', 'phone', async (way, bytes) => {
      ways.push(way)
      return post(way, bytes)
    })
    expect((await send('GET', meta, phone)).status).toBe(200)
    ways.length = 0

    await evictDurableObject(tunnelObject(phone.id))

    expect((await send('GET', meta, phone)).status).toBe(200)
    expect(ways).toContain('/session')
  })

  test('with templates is in the audit log under its id, refused or not', async ({ expect }) => {
    const [phone, tablet] = [await makeDevice(owner, 'full'), await makeDevice(owner, 'read')]
    const path = `${appPrefix}/templates/push.done`

    expect((await send('PUT', path, phone, { json: { title: '', text: '{{ title }}' } })).status).toBe(200)
    expect((await send('DELETE', path, phone)).status).toBe(200)
    expect((await send('DELETE', path, tablet)).status).toBe(403)

    const by = { channel: 'remote_device' }
    const command = (method: string) => `${method} ${appPrefix}/templates/{type}`
    const ofDevices = async () => (await auditRows()).filter(({ channel }) => channel === by.channel)
    await expect.poll(ofDevices).toEqual([
      { ...by, user: `device:${phone.id}`, command: command('PUT'), result: 'ok', status: 200 },
      { ...by, user: `device:${phone.id}`, command: command('DELETE'), result: 'ok', status: 200 },
      { ...by, user: `device:${tablet.id}`, command: command('DELETE'), result: 'error', status: 403 },
    ])
  })

  test('with the assistant is its own: nobody sees it, and its actions are audited under its id', async ({
    expect,
  }) => {
    const [phone, tablet] = [await makeDevice(owner, 'full'), await makeDevice(owner, 'full')]
    const { baseUrl: address, ...signIn } = inject('standInDownloaders').devices
    const added = await send('POST', `${consolePrefix}/downloaders`, owner, {
      json: { name: 'nas', type: 'qbittorrent', address, ...signIn, enabled: true, default: true },
    })
    const hash = 'd'.repeat(40)
    const torrents = { [hash]: { name: 'Alpha', size: 1, state: 'stalledDL', progress: 0.5, added_on: 1, ratio: 1 } }
    const orders = { changes: 'go' }
    await fetch(`${address}/control`, { method: 'POST', body: JSON.stringify({ orders, empty: true, torrents }) })
    await expect
      .poll(async () => (await send('GET', `${appPrefix}/torrents`, phone)).body.items[0]?.title)
      .toBe('Alpha')
    const targets = [{ downloader_id: Number(added.body.id), task_id: hash }]
    await script.will(calls(['pause_torrent', { targets }]), says('完成了'))

    const { body } = await begin(phone, { message: '暂停它' })
    const asked = await until(phone, body.id, isQuestion)
    const { confirmations } = await read(phone, body.id)
    const id = confirmations[0]?.id ?? ''
    for (const other of [tablet, owner]) {
      const items = (await send('GET', `${appPrefix}/assistant/conversations`, other)).body.items
      expect(items.filter((one: { id: string }) => one.id === body.id)).toEqual([])
      expect((await say(other, body.id, '我的')).status).toBe(404)
      expect((await decide(other, id, true)).status).toBe(404)
    }
    expect((await decide(phone, id, true)).body).toMatchObject({ status: 'approved', decided_by: `device:${phone.id}` })
    await until(phone, body.id, isEnd, asked.length)

    const own = { user: `device:${phone.id}`, result: 'ok', status: 200 }
    const decision = `POST ${appPrefix}/assistant/confirmations/{id}`
    await expect
      .poll(async () => (await auditRows()).filter(({ user }) => user === own.user))
      .toEqual([
        { ...own, channel: 'remote_device', command: decision },
        { ...own, channel: 'remote_device', command: 'approve pause_torrent' },
        { ...own, channel: 'ai_assistant', command: 'pause_torrent' },
      ])
    const list = (await send('GET', `${appPrefix}/assistant/conversations`, phone)).body.items
    expect(list).toMatchObject([{ id: body.id, entry: 'app' }])
    // A long poll waits inside the tunnel, and another session of the same device has the same conversations.
    const second = { carry: createTunnelCaller(newPost(), phone.paired) }
    const waiting = poll(second, body.id, (await poll(phone, body.id, 0)).last, 20)
    await script.will(says('好'))
    await say(phone, body.id, '再说')
    expect((await waiting).events.length).toBeGreaterThan(0)
  })
})
