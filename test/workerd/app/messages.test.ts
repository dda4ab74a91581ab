/** What scripts tell the owner: to the channels that want it, in the owner's words, so many an hour and no more. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import {
  eventTextCharactersMax,
  messageLinkCharactersMax,
  messagesPerHourMax,
  messageTitleCharactersMax,
} from '../../../workers/app/limits.ts'
import { auditRows, type Caller, makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'

const origin = inject('standInChannel')
let places = 0
let place = ''

const session = await ownerSession()
const script = (await makeToken(session, ['app:write'])).caller

beforeEach(async () => {
  for (const table of ['channels', 'notices', 'deliveries', 'message_templates'])
    await env.DB.prepare(`delete from ${table}`).run()
  places += 1
  place = `script${places}`
})

const tell = (json: object, caller: Caller = script) => send('POST', `${appPrefix}/messages`, caller, { json })

async function addChannel(name: string, change: object = {}): Promise<void> {
  const json = {
    type: 'webhook',
    name,
    address: `${origin}/${name}/hook`,
    enabled: true,
    events: ['message.sent'],
    ...change,
  }
  const added = await send('POST', `${consolePrefix}/channels`, session, { json })
  if (added.status !== 200) throw new Error(JSON.stringify(added.body))
}

async function taken(name: string): Promise<string[]> {
  const all: { body: { title: string; text: string; type: string } }[] = await (
    await fetch(`${origin}/control/${name}`, { method: 'POST' })
  ).json()
  return all.map(({ body }) => `${body.type}: ${body.title}\n${body.text}`)
}

test('a message reaches each open channel that wants it, in the owner’s words', async ({ expect }) => {
  await addChannel(place)
  await addChannel(`${place}closed`, { enabled: false })
  await addChannel(`${place}other`, { events: ['push.done'] })
  expect(await tell({ title: ' Backup ', text: 'One\nTwo', link: 'https://nas.example/x' })).toMatchObject({
    status: 200,
    body: { channels: 1 },
  })
  await expect
    .poll(() => taken(place), { timeout: 20_000 })
    .toEqual(['message.sent: Backup\nOne\nTwo\nhttps://nas.example/x'])
  const words = { title: '! {{ heading }}', text: '{{ text }}' }
  expect((await send('PUT', `${appPrefix}/templates/message.sent`, session, { json: words })).status).toBe(200)
  await tell({ title: 'Backup', text: 'Three' })
  await expect.poll(async () => (await taken(place))[1], { timeout: 20_000 }).toBe('message.sent: ! Backup\nThree')
  expect([...(await taken(`${place}closed`)), ...(await taken(`${place}other`))]).toEqual([])
  const [recorded] = (await auditRows()).filter(({ command }) => command === `POST ${appPrefix}/messages`)
  expect(recorded).toMatchObject({ channel: 'api_token', result: 'ok', status: 200 })
})

test('without a channel that wants it nothing is kept, and that is said', async ({ expect }) => {
  await addChannel(place, { events: ['push.done'] })
  expect(await tell({ title: 'A', text: 'B' })).toMatchObject({ status: 200, body: { channels: 0 } })
  expect(await env.DB.prepare('select count(*) as n from notices').first('n')).toBe(0)
})

test('what looks like a credential leaves masked', async ({ expect }) => {
  await addChannel(place)
  await tell({ title: 'Key', text: 'password=CanaryOfTheScript73 is set' })
  await expect.poll(() => taken(place), { timeout: 20_000 }).toHaveLength(1)
  expect((await taken(place))[0]).not.toContain('CanaryOfTheScript73')
})

test('of one hour so many are taken, the next one is told when, and after an hour there is room', async ({
  expect,
}) => {
  await addChannel(place)
  const nowUnix = Math.floor(Date.now() / 1000)
  const older = env.DB.prepare("insert into notices values (null, 'message.sent', null, '{}', ?, ?)")
  await env.DB.batch(Array.from({ length: messagesPerHourMax - 1 }, () => older.bind(nowUnix - 3000, nowUnix)))
  expect((await tell({ title: 'Last', text: 'B' })).status).toBe(200)
  const refused = await tell({ title: 'More', text: 'B' })
  expect(refused).toMatchObject({
    status: 429,
    body: { error: 'too_many', reason: { kind: 'message.too_many', limit: messagesPerHourMax } },
  })
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(500)
  expect(wait).toBeLessThanOrEqual(600)
  await env.DB.prepare('update notices set at_unix = at_unix - 601').run()
  expect((await tell({ title: 'Again', text: 'B' })).status).toBe(200)
})

describe('what is no message is refused', () => {
  const longest = {
    title: 'a'.repeat(messageTitleCharactersMax),
    text: 'a'.repeat(eventTextCharactersMax),
    link: `https://${'a'.repeat(messageLinkCharactersMax - 8)}`,
  }
  test('the longest is taken', async ({ expect }) => {
    expect((await tell(longest)).status).toBe(200)
  })
  test.for<[string, object]>([
    ['a longer title', { ...longest, title: `${longest.title}a` }],
    ['a longer text', { ...longest, text: `${longest.text}a` }],
    ['a longer link', { ...longest, link: `${longest.link}a` }],
    ['an empty title', { title: ' ', text: 'B' }],
    ['a title of two lines', { title: 'A\nB', text: 'B' }],
    ['no text', { title: 'A', text: '' }],
    ['a control character', { title: 'A', text: 'a\u001b[31m' }],
    ['a link that a page would run', { title: 'A', text: 'B', link: 'javascript:alert(1)' }],
  ])('%s', async ([, json], { expect }) => {
    expect(await tell(json)).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
  })
})
