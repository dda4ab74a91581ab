/** A conversation whose object is lost: what was told stays, what was under way ends and says so, nothing happens twice. */
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../../workers/app/app.ts'
import { calls, says } from '../../../support/stand-in-model.ts'
import { auditRows, send } from '../../../support/workerd/app-client.ts'
import {
  ask,
  begin,
  decide,
  insideOf,
  isEnd,
  isQuestion,
  objectOf,
  poll,
  read,
  say,
  setUpAssistant,
  until,
} from '../../../support/workerd/assistant.ts'

const interrupted = '服务在回答过程中重新启动'
const interruptedNotice = `回答失败：${interrupted}`
const downloader = inject('standInDownloaders').restart
const hash = 'b'.repeat(40)

async function tell(change: Readonly<Record<string, unknown>>): Promise<{ changes: string[] }> {
  const response = await fetch(`${downloader.baseUrl}/control`, { method: 'POST', body: JSON.stringify(change) })
  return response.json()
}

let before = 0
const changes = async () => (await tell({})).changes.slice(before)

const { session, script } = await setUpAssistant('restart')
const { baseUrl: address, ...signIn } = downloader
const added = await send('POST', `${consolePrefix}/downloaders`, session, {
  json: { name: 'nas-1', type: 'qbittorrent', address, ...signIn, enabled: true, default: true },
})
const downloaderId = Number(added.body.id)

beforeEach(async () => {
  await script.forget()
  const torrents = { [hash]: { name: 'Alpha', size: 1, state: 'stalledDL', progress: 0.5, added_on: 1, ratio: 1 } }
  before = (await tell({ orders: { changes: 'go' }, empty: true, torrents })).changes.length
  await env.DB.prepare('delete from audit_entries').run()
  const path = `${appPrefix}/torrents`
  while ((await send('GET', path, session)).body.items[0]?.title !== 'Alpha');
})

/** A question whose answer stops at a gate after its first words. */
async function halfAnswer(gate: string): Promise<{ id: string; seen: number }> {
  await script.will({ steps: [{ text: '前半' }, { gate }, { text: '后半' }, { end: 'stop' }] })
  const { body } = await begin(session, { message: '说' })
  const events = await until(session, body.id, (event) => event.type === 'delta')
  return { id: body.id, seen: events.length }
}

async function question(): Promise<{ id: string; confirmationId: string; seen: number }> {
  const targets = [{ downloader_id: downloaderId, task_id: hash }]
  await script.will(calls(['pause_torrent', { targets }]), says('完成了'))
  const { body } = await begin(session, { message: '暂停它' })
  const events = await until(session, body.id, isQuestion)
  const [confirmation] = (await read(session, body.id)).confirmations
  return { id: body.id, confirmationId: confirmation?.id ?? '', seen: events.length }
}

const messagesOf = async (id: string) => (await read(session, id)).messages.map(({ role, content }) => [role, content])

describe('a restart', () => {
  test('in the middle of an answer ends it as failed, keeps its text and says so', async ({ expect }) => {
    const { id } = await halfAnswer('lost')

    await abortAllDurableObjects()

    expect(await read(session, id)).toMatchObject({ running: false, partial: '', confirmations: [] })
    expect(await messagesOf(id)).toEqual([
      ['user', '说'],
      ['assistant', '前半'],
      ['notice', interruptedNotice],
    ])
    await script.open('lost')
    await expect.poll(async () => (await script.seen()).open).toBe(0)
    expect(await messagesOf(id)).toHaveLength(3)
  })

  test('is told by reset to who had read until it, and to nobody after it', async ({ expect }) => {
    const { id, seen } = await halfAnswer('reset')
    await abortAllDurableObjects()

    const detail = await read(session, id)
    expect(await poll(session, id, seen)).toEqual({ events: [], reset: true, last: detail.last_seq, running: false })
    expect(await poll(session, id, 0)).toMatchObject({ reset: true })
    expect(await poll(session, id, detail.last_seq)).toMatchObject({ reset: false, events: [] })
    await say(session, id, '再来')
    const events = await until(session, id, isEnd, detail.last_seq)
    expect(events[0]).toMatchObject({ type: 'run_started' })
    expect(events.at(-1)).toMatchObject({ status: 'done' })
    await script.open('reset')
  })

  test('lets the next message in at once, and frees the place of the lost one', async ({ expect }) => {
    const held = [await halfAnswer('a'), await halfAnswer('b'), await halfAnswer('c'), await halfAnswer('d')]
    await abortAllDurableObjects()
    // Their alarms ring also when nobody asks for them.
    for (const { id } of held) await runDurableObjectAlarm(objectOf('session', id))

    expect((await ask(session, '还在吗？')).events.at(-1)).toMatchObject({ status: 'done' })
    const running = await env.DB.prepare('select count(*) as c from conversations where run_id is not null').first('c')
    expect(running).toBe(0)
    for (const gate of ['a', 'b', 'c', 'd']) await script.open(gate)
  })

  test('ends a run that nobody asks for, by its alarm', async ({ expect }) => {
    const { id } = await halfAnswer('alarm')
    const isArmed = () => insideOf('session', id, (_, __, storage) => storage.getAlarm())
    expect(await isArmed()).toBeGreaterThan(0)
    await abortAllDurableObjects()

    expect(await runDurableObjectAlarm(objectOf('session', id))).toBe(true)

    const row = () => env.DB.prepare('select run_id from conversations where id = ?').bind(id).first('run_id')
    await expect.poll(row).toBe(null)
    expect((await messagesOf(id)).at(-1)).toEqual(['notice', interruptedNotice])
    // With nothing left to do there is no alarm.
    expect(await isArmed()).toBe(null)
    await script.open('alarm')
  })

  test('keeps a question that waits: a yes after it happens, once', async ({ expect }) => {
    const { id, confirmationId, seen } = await question()
    await abortAllDurableObjects()

    expect(await read(session, id)).toMatchObject({ running: true, confirmations: [{ id: confirmationId }] })
    expect(await poll(session, id, seen)).toMatchObject({ reset: false, events: [] })
    expect(await decide(session, confirmationId, true)).toMatchObject({ status: 200 })

    const events = await until(session, id, isEnd, seen)
    expect(events.at(-1)).toMatchObject({ status: 'done' })
    expect(await changes()).toEqual([`torrents/stop ${hash}`])
    await abortAllDurableObjects()
    expect(await decide(session, confirmationId, true)).toMatchObject({ status: 409 })
    expect(await changes()).toHaveLength(1)
  })

  test('keeps a question over an eviction as well', async ({ expect }) => {
    const { id, confirmationId, seen } = await question()
    await evictDurableObject(objectOf('session', id))

    await decide(session, confirmationId, false)

    expect((await until(session, id, isEnd, seen)).at(-1)).toMatchObject({ status: 'done' })
    expect(await changes()).toEqual([])
  })

  test('after a yes and before its action: the action happens then, once', async ({ expect }) => {
    const { id, confirmationId, seen } = await question()
    // As a crash right after the answer to the decision leaves it.
    const decided = JSON.stringify({ status: 'approved', by: 'session', atMs: Date.now() })
    await insideOf('session', id, (sql) =>
      sql.exec(`update pending_decision set status = 'settled', outcome = ? where id = ?`, decided, confirmationId),
    )
    await abortAllDurableObjects()

    await runDurableObjectAlarm(objectOf('session', id))

    expect((await until(session, id, isEnd, seen)).at(-1)).toMatchObject({ status: 'done' })
    expect(await changes()).toEqual([`torrents/stop ${hash}`])
  })

  test('between the beginning of an action and its end: unknown, not repeated, and said so', async ({ expect }) => {
    const { id, confirmationId } = await question()
    await tell({ orders: { changes: 'hold' } })
    await decide(session, confirmationId, true)
    await expect.poll(changes).toHaveLength(1)

    await abortAllDurableObjects()
    const detail = await read(session, id)
    await tell({ orders: { changes: 'go' } })

    expect(detail).toMatchObject({ running: false, confirmations: [] })
    expect(detail.messages.slice(-2)).toMatchObject([
      { role: 'tool', is_error: true, content: expect.stringContaining('结果未知，没有重复执行') },
      { role: 'notice', content: interruptedNotice },
    ])
    await expect
      .poll(async () =>
        (await auditRows()).filter(({ channel }) => channel === 'ai_assistant').map(({ result }) => result),
      )
      .toEqual(['error:unknown'])
    for (let times = 0; times < 2; times += 1) {
      await abortAllDurableObjects()
      await runDurableObjectAlarm(objectOf('session', id))
    }
    expect(await changes()).toHaveLength(1)
    expect(await decide(session, confirmationId, true)).toMatchObject({ status: 409 })
  })

  test('never changes an event that was told, nor leaves a gap after it', async ({ expect }) => {
    const { id, seen } = await halfAnswer('same')
    const told = (await poll(session, id, 0)).events
    await abortAllDurableObjects()
    await read(session, id)

    const stored = await insideOf('session', id, (sql) =>
      sql
        .exec('select seq, data from event order by seq')
        .toArray()
        .map(({ seq, data }) => ({ seq: Number(seq) + 1, ...JSON.parse(String(data)) })),
    )

    expect(stored.slice(0, seen)).toEqual(told)
    expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, at) => at + 1))
    await script.open('same')
  })
})

describe('a removal that a crash cuts off before the list knows', () => {
  const listed = async (id: string) =>
    (await send('GET', `${appPrefix}/assistant/conversations`, session)).body.items.some(
      (one: { id: string }) => one.id === id,
    )

  test('has set its alarm with what it removed', async ({ expect }) => {
    const { body } = await begin(session, { title: '将被删除' })
    const alarms = await insideOf('session', body.id, async (_, host, storage) => {
      const before = await storage.getAlarm()
      const removing = host.remove()
      const during = await storage.getAlarm()
      await removing
      return { before, during }
    })

    expect(alarms).toEqual({ before: null, during: expect.any(Number) })
    expect(await listed(body.id)).toBe(false)
  })

  test('is made good by whoever removes it again', async ({ expect }) => {
    const { body } = await begin(session, { title: '只在列表里' })
    const path = `${appPrefix}/assistant/conversations/${body.id}`
    const row = await env.DB.prepare('select * from conversations where id = ?').bind(body.id).first()
    await send('DELETE', path, session)
    const columns = Object.keys(row ?? {})
    await env.DB.prepare(`insert into conversations (${columns}) values (${columns.map(() => '?')})`)
      .bind(...Object.values(row ?? {}))
      .run()
    expect(await listed(body.id)).toBe(true)

    expect((await send('DELETE', path, session)).status).toBe(404)
    expect(await listed(body.id)).toBe(false)
  })
})

describe('a list that cannot be written', () => {
  const away = (from: string, to: string) => env.DB.prepare(`alter table ${from} rename to ${to}`).run()

  test('is told by the alarm, and the conversation is there all the same', async ({ expect }) => {
    await away('conversations', 'conversations_away')
    const made = await begin(session, { title: '没有列出' })
    await away('conversations_away', 'conversations')
    const listed = () =>
      env.DB.prepare('select title from conversations where id = ?').bind(made.body.id).first('title')
    expect(made.status).toBe(201)
    expect(await listed()).toBe(null)

    await runDurableObjectAlarm(objectOf('session', made.body.id))

    expect(await listed()).toBe('没有列出')
  })

  test('lets no message in, since nobody could count it, and leaves nothing of it', async ({ expect }) => {
    const { body } = await begin(session)
    await away('conversations', 'conversations_away')
    const answers = [await say(session, body.id, '你好'), await begin(session, { message: '你好' })]
    await away('conversations_away', 'conversations')

    const refused = { status: 503, body: { error: 'unavailable', reason: { kind: 'assistant.unavailable' } } }
    for (const answer of answers) expect(answer).toMatchObject(refused)
    expect(await read(session, body.id)).toMatchObject({ running: false, last_seq: 0 })
    expect(await say(session, body.id, '现在呢？')).toMatchObject({ status: 202 })
    await until(session, body.id, isEnd)
  })
})

describe('a list that cannot be read', () => {
  test('is said to whoever asks for a conversation, and nothing of it is done', async ({ expect }) => {
    const { body } = await begin(session)
    const path = `${appPrefix}/assistant/conversations/${body.id}`
    await env.DB.prepare('alter table conversations rename to conversations_away').run()
    const answers = [
      await send('GET', path, session),
      await send('GET', `${path}/events?after=0&wait=0`, session),
      await send('POST', `${path}/cancel`, session),
      await send('DELETE', path, session),
    ]
    await env.DB.prepare('alter table conversations_away rename to conversations').run()

    const refused = { status: 503, body: { error: 'unavailable', reason: { kind: 'assistant.unread' } } }
    expect(answers).toMatchObject([refused, refused, refused, refused])
    expect((await send('GET', path, session)).status).toBe(200)
  })
})
