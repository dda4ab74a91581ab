/** Services as channels, through the routes: each stand-in on a real socket. */
import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { beforeEach, describe, inject, test, vi } from 'vitest'
import { recordEvent } from '../../../workers/app/adapters/d1/events.ts'
import { consolePrefix, settingsPrefix } from '../../../workers/app/app.ts'
import { channelServices } from '../../../workers/app/core/channel-services/services.ts'
import { channelFieldsMax } from '../../../workers/app/limits.ts'
import { serviceStandIns } from '../../support/channel-services/stand-ins.ts'
import { makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'

const path = `${consolePrefix}/channels`
const origin = inject('standInChannel')

let place: string
let places = 0

const session = await ownerSession()

beforeEach(async () => {
  for (const table of ['channels', 'notices', 'deliveries']) await env.DB.prepare(`delete from ${table}`).run()
  places += 1
  place = `service${places}`
})

async function taken(orders?: Readonly<Record<string, unknown>>) {
  const init = orders === undefined ? {} : { body: JSON.stringify(orders) }
  return (await fetch(`${origin}/control/${place}`, { method: 'POST', ...init })).json<{ body: unknown }[]>()
}

const change = (id: number, json: unknown) => send('PUT', `${path}/${id}`, session, { json })
const trial = (json: unknown) => send('POST', `${path}/test`, session, { json })
const list = async () => (await send('GET', path, session)).body.items

describe.each(serviceStandIns)('$type as a channel', (standIn) => {
  const { type } = standIn
  const fieldsOf = channelServices.find((service) => service.type === type)?.fields ?? []
  const isSecret = (name: string) => fieldsOf.some((field) => field.name === name && field.secret === true)
  const fieldsHere = () =>
    Object.fromEntries(
      Object.entries(standIn.values).map(([name, value]) => [
        name,
        value.startsWith(standIn.origin) ? `${origin}/${place}${value.slice(standIn.origin.length)}` : value,
      ]),
    )
  const body = (others: Readonly<Record<string, unknown>> = {}) => ({
    name: 'phone',
    type,
    fields: fieldsHere(),
    enabled: true,
    events: ['site.failed'],
    ...others,
  })

  test('is added, tried and told of an event, and its secrets stay where they are', async ({ expect }) => {
    const logged: string[] = []
    for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const)
      vi.spyOn(console, level).mockImplementation(
        (...parts: unknown[]) => void logged.push(parts.map(String).join(' ')),
      )
    await taken({ service: type })
    const added = await send('POST', path, session, { json: body() })
    expect(added.body).toMatchObject({
      type,
      fields: Object.fromEntries(
        Object.entries(fieldsHere()).map(([name, value]) => [name, isSecret(name) ? null : value]),
      ),
    })
    expect((await trial({ type, id: added.body.id })).body).toEqual({ delivered: true })

    const { fields: _, ...kept } = body({ name: 'pocket' })
    const facts = { site: 'lantern', reason: { kind: 'site.login_expired' }, expired: true } as const
    const db = drizzle(env.DB)
    await db.batch([...recordEvent(db, { type: 'site.failed', facts }, Math.floor(Date.now() / 1000))])
    const changed = await change(added.body.id, kept)
    await expect.poll(async () => (await taken()).length).toBe(2)
    expect(JSON.stringify((await taken()).at(-1)?.body)).toContain('lantern')
    await expect.poll(async () => (await list())[0]).toMatchObject({ name: 'pocket', last_ok: true, waiting: 0 })

    const rows = (await env.DB.prepare('select * from channels').all()).results
    const told = JSON.stringify([added.body, changed.body, await list(), rows, logged])
    for (const [name, value] of Object.entries(fieldsHere()))
      if (isSecret(name)) expect(told, name).not.toContain(value.replace(origin, ''))
    vi.restoreAllMocks()
  })

  test('that refuses, or is another page, says so', async ({ expect }) => {
    await taken({ service: type })
    for (const [what, values, fault] of standIn.refusals.filter(([, one]) => !('server' in one || 'address' in one)))
      expect((await trial({ type, fields: { ...fieldsHere(), ...values } })).body, what).toMatchObject({
        delivered: false,
        reason: { ...fault, kind: `channel.${fault.kind}` },
      })
    await taken({ answer: '<html>hello</html>' })
    expect((await trial({ type, fields: fieldsHere() })).body).toEqual({
      delivered: false,
      error: '该地址的应答不是来自这个服务，请检查地址',
      reason: { kind: 'channel.foreign' },
    })
  })

  test('takes its own fields only, and sends no secret elsewhere', async ({ expect }) => {
    const added = await send('POST', path, session, { json: body() })
    const server = fieldsOf.find(({ shape }) => shape === 'address')?.name ?? ''
    const others = fieldsOf.filter(({ name }) => name !== server && isSecret(name))
    const moved = await trial({ type, id: added.body.id, fields: { [server]: 'http://127.0.0.1:1/' } })
    expect(moved.status).toBe(others.length === 0 ? 200 : 400)
    for (const json of [
      body({ fields: { ...fieldsHere(), chat: '1' } }),
      body({ address: `${origin}/${place}` }),
      body({ token: 'x' }),
      body({ fields: undefined }),
    ])
      expect(await send('POST', path, session, { json: { ...json, name: 'other' } })).toMatchObject({
        status: 400,
        body: { error: 'invalid_argument' },
      })
    expect(await change(added.body.id, { ...body(), type: 'webhook', fields: undefined })).toMatchObject({
      status: 400,
    })
    expect(await taken()).toEqual([])
  })
})

test('fields are for services, and no more than a service can have', async ({ expect }) => {
  const webhook = { name: 'hook', type: 'webhook', address: `${origin}/${place}`, enabled: true, events: ['push.done'] }
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 'x']))
  const post = async (json: unknown) => (await send('POST', path, session, { json })).body
  expect(await post({ ...webhook, fields: {} })).toMatchObject({
    reason: { kind: 'field.unknown', fields: ['fields'] },
  })
  const gotify = { ...webhook, type: 'gotify', address: undefined }
  expect(await post({ ...gotify, fields: fields(channelFieldsMax) })).toMatchObject({
    reason: { kind: 'field.unknown' },
  })
  expect(await post({ ...gotify, fields: fields(channelFieldsMax + 1) })).toMatchObject({
    reason: { kind: 'field.wrong', field: 'fields' },
  })
})

test('the list says of each service what it asks for', async ({ expect }) => {
  const { services } = (await send('GET', path, session)).body
  expect(services.map(({ type }: { type: string }) => type)).toEqual(channelServices.map(({ type }) => type))
  expect(services[0]).toMatchObject({
    type: 'ntfy',
    fields: [
      { name: 'server', label: { en: 'Server', zh: '服务器' }, shape: 'address', default: 'https://ntfy.sh' },
      { name: 'topic', max_characters: 64 },
      { name: 'token', secret: true, optional: true },
    ],
  })
})

test('a file declares one, and is told what it lacks before anything is written', async ({ expect }) => {
  const { caller } = await makeToken(session, ['app:configure'], 'service')
  const pocket = { name: 'Pocket', type: 'ntfy', fields: { topic: 'harbour', token: 'PlantedTokenOfTheFile' } }
  const apply = (channel: object, query = '') =>
    send('PUT', `${settingsPrefix}/configuration${query}`, caller, { json: { channels: [channel] } })
  expect((await apply({ ...pocket, fields: { token: 'x' } }, '?dry_run=1')).body.items).toMatchObject([
    { name: 'Pocket', change: 'add', reason: { kind: 'field.missing', field: 'fields.topic' } },
  ])
  expect(await list()).toEqual([])
  expect((await apply(pocket)).body.items).toEqual([{ kind: 'channels', name: 'Pocket', change: 'add' }])
  expect(await list()).toMatchObject([
    { type: 'ntfy', fields: { server: 'https://ntfy.sh', topic: 'harbour', token: null }, from_file: true },
  ])
  expect((await apply(pocket)).body.items).toEqual([])
  await send('PUT', `${settingsPrefix}/configuration`, caller, { json: {} })
})
