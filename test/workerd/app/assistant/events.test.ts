/** The events of a conversation, read by long polling. */
import { beforeEach, describe, test } from 'vitest'
import { appPrefix } from '../../../../workers/app/app.ts'
import { followConversation, type WireEvent, type WireEventPage } from '../../../../workers/app/contract/assistant.ts'
import {
  eventsKeptMax,
  eventsPageMax,
  eventsWaitSeconds,
  eventWaitersMax,
  textPieceBytes,
} from '../../../../workers/app/limits.ts'
import { says } from '../../../support/stand-in-model.ts'
import { send } from '../../../support/workerd/app-client.ts'
import {
  ask,
  begin,
  insideOf,
  isEnd,
  poll,
  read,
  say,
  setUpAssistant,
  until,
} from '../../../support/workerd/assistant.ts'

const { session, script } = await setUpAssistant('events')

beforeEach(() => script.forget())

const waitersOf = (id: string) => insideOf('session', id, (_, host) => host.waiting)
const textOf = (events: readonly WireEvent[]) =>
  events.reduce(
    (text, event) => (event.type !== 'delta' ? text : event.replace === true ? event.text : text + event.text),
    '',
  )

async function pollNoting(answered: number[], at: number, id: string): Promise<WireEventPage> {
  const page = await poll(session, id, 0, eventsWaitSeconds)
  answered.push(at)
  return page
}

/** Writes this many events into the log of an idle conversation. */
async function fill(id: string, count: number): Promise<void> {
  await insideOf('session', id, (sql) => {
    for (let at = 0; at < count; at += 1) {
      const [row] = sql
        .exec('update event_sequence set next_seq = next_seq + 1 returning next_seq - 1 as seq')
        .toArray()
      sql.exec(
        `insert into event (aggregate_id, seq, id, type, version, data) values ('conversation', ?, ?, 'delta', 1, ?)`,
        Number(row?.['seq']),
        `e${at}`,
        JSON.stringify({ type: 'delta', at: '2026-11-20T10:00:00.000Z', text: String(at) }),
      )
    }
  })
}

describe('a page', () => {
  test('holds what came after the number that was read last, and nothing twice', async ({ expect }) => {
    const { id, events } = await ask(session, '你好')

    for (let after = 0; after <= events.length; after += 1) {
      const page = await poll(session, id, after)
      expect(page).toEqual({ events: events.slice(after), reset: false, last: events.length, running: false })
    }
    expect(new Set(events.map(({ seq }) => seq)).size).toBe(events.length)
    expect((await read(session, id)).last_seq).toBe(events.length)
  })

  test('is the same again, to the byte', async ({ expect }) => {
    const { id } = await ask(session, '你好')
    const first = await poll(session, id, 0)
    await say(session, id, '再来')
    await until(session, id, isEnd, first.last)

    expect((await poll(session, id, 0)).events.slice(0, first.events.length)).toEqual(first.events)
  })

  test('ends at its bound, and the next one goes on from there', async ({ expect }) => {
    const { id, events } = await ask(session, '你好')
    await fill(id, eventsPageMax + 1 - events.length)

    const first = await poll(session, id, 0)
    const second = await poll(session, id, first.last)

    expect(first.events).toHaveLength(eventsPageMax)
    expect(second.events.map(({ seq }) => seq)).toEqual([eventsPageMax + 1])
  })

  test('begins where the conversation was read', async ({ expect }) => {
    await script.will({ steps: [{ text: '一' }, { gate: 'read' }, { text: '二' }, { end: 'stop' }] })
    const { body } = await begin(session, { message: '数' })
    await until(session, body.id, (event) => event.type === 'delta')
    const detail = await read(session, body.id)
    await script.open('read')

    const events = await until(session, body.id, isEnd, detail.last_seq)

    expect(detail.partial).toBe('一')
    expect(textOf(events)).toBe('二')
    expect(events.at(-2)).toMatchObject({ type: 'message', message: { content: '一二' } })
  })
})

describe('waiting', () => {
  test('holds the request until something happens', async ({ expect }) => {
    const { body } = await begin(session)
    const waiting = poll(session, body.id, 0, eventsWaitSeconds)
    await expect.poll(() => waitersOf(body.id)).toBe(1)

    await say(session, body.id, '你好')

    expect((await waiting).events[0]).toMatchObject({ seq: 1, type: 'run_started' })
    await until(session, body.id, isEnd)
  })

  test('ends after the seconds that were asked for, with an empty page', async ({ expect }) => {
    const { id, events } = await ask(session, '你好')
    const startedMs = Date.now()

    const page = await poll(session, id, events.length, 1)

    expect(page).toEqual({ events: [], reset: false, last: events.length, running: false })
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(990)
    expect((await poll(session, id, events.length, 0)).events).toEqual([])
  })

  test('takes 25 seconds when nothing is said, and at most', ({ expect }) => {
    const { query } = followConversation

    expect(query.parse({})).toEqual({ after: 0, wait: 25 })
    expect(query.parse({ wait: '25' })).toMatchObject({ wait: 25 })
    expect(query.safeParse({ wait: '26' }).success).toBe(false)
  })

  test.each([
    ['wait=26', 'wait'],
    ['wait=-1', 'wait'],
    ['wait=1.5', 'wait'],
    ['wait=abc', 'wait'],
    ['wait=1&wait=2', 'wait'],
    ['after=-1', 'after'],
    ['after=x', 'after'],
    ['after=99999999999999999999', 'after'],
  ])('refuses %s', async (query, name) => {
    const { body } = await begin(session)
    const answer = await send('GET', `${appPrefix}/assistant/conversations/${body.id}/events?${query}`, session)

    if (answer.status !== 400 || answer.body.error !== 'invalid_argument' || !answer.body.message.includes(name))
      throw new Error(JSON.stringify(answer))
  })

  test('lets eight wait, and answers the oldest early when one more comes', async ({ expect }) => {
    const { body } = await begin(session)
    const answered: number[] = []
    const waiting: Promise<WireEventPage>[] = []
    for (let at = 0; at < eventWaitersMax; at += 1) {
      waiting.push(pollNoting(answered, at, body.id))
      await expect.poll(() => waitersOf(body.id)).toBe(at + 1)
    }
    expect(answered).toEqual([])

    const oneMore = poll(session, body.id, 0, eventsWaitSeconds)

    expect(await waiting[0]).toEqual({ events: [], reset: false, last: 0, running: false })
    expect(answered).toEqual([0])
    expect(await waitersOf(body.id)).toBe(eventWaitersMax)
    await say(session, body.id, '你好')
    for (const page of await Promise.all([...waiting.slice(1), oneMore]))
      expect(page.events[0]).toMatchObject({ seq: 1, type: 'run_started' })
    await until(session, body.id, isEnd)
  })
})

describe('reset', () => {
  test.each([
    ['newer than the newest', 1],
    ['far from it', 1000],
  ])('is said to who read something %s', async (_, beyond) => {
    const { id, events } = await ask(session, '你好')
    const page = await poll(session, id, events.length + beyond, 25)

    if (!page.reset || page.events.length > 0 || page.last !== events.length) throw new Error(JSON.stringify(page))
  })

  test('is said to who is behind the 512 that are kept, and reading again goes on from there', async ({ expect }) => {
    const { id, events } = await ask(session, '你好')
    await fill(id, eventsKeptMax - events.length)
    expect(await poll(session, id, 0)).toMatchObject({ reset: false })
    // One more than is kept.
    await say(session, id, '再来')
    const { last_seq: before } = await read(session, id)
    await until(session, id, isEnd, before)
    const newest = (await read(session, id)).last_seq

    const lost = await poll(session, id, newest - eventsKeptMax - 1)
    const kept = await poll(session, id, newest - eventsKeptMax)

    expect(lost).toEqual({ events: [], reset: true, last: newest, running: false })
    expect(kept.reset).toBe(false)
    expect(kept.events[0]?.seq).toBe(newest - eventsKeptMax + 1)
    const count = await insideOf('session', id, (sql) => Number(sql.exec('select count(*) as c from event').one()['c']))
    expect(count).toBe(eventsKeptMax)

    const detail = await read(session, id)
    await say(session, id, '又来')
    expect((await until(session, id, isEnd, detail.last_seq))[0]).toMatchObject({ type: 'run_started' })
  })
})

describe('text', () => {
  test('that comes in many bits is stored in few pieces, of 2 KiB at most but for one bit', async ({ expect }) => {
    const bits = Array.from({ length: 4000 }, (_, at) => `${at} `)
    await script.will(says(...bits))

    const { events } = await ask(session, '数到四千')

    const pieces = events.flatMap((event) => (event.type === 'delta' ? [event.text] : []))
    const whole = bits.join('')
    expect(whole.startsWith(pieces.join(''))).toBe(true)
    for (const piece of pieces) expect(piece.length).toBeLessThan(textPieceBytes + 8)
    expect(pieces.length).toBeLessThan(400)
    expect(events.at(-2)).toMatchObject({ type: 'message', message: { content: whole } })
  })

  test('that turns out to be thoughts is taken back: the whole of it comes anew', async ({ expect }) => {
    await script.will({
      steps: [
        { text: '用户问的是' },
        { gate: 'thought' },
        { text: '\n</think>\n\n答案' },
        { gate: 'answer' },
        { text: '是四。' },
        { end: 'stop' },
      ],
    })
    const { body } = await begin(session, { message: '二加二' })
    const thought = await until(session, body.id, (event) => event.type === 'delta')
    await script.open('thought')
    const taken = await until(session, body.id, (event) => event.type === 'delta', thought.length)
    const partial = (await read(session, body.id)).partial
    await script.open('answer')
    const rest = await until(session, body.id, isEnd, thought.length + taken.length)

    expect(thought.at(-1)).toMatchObject({ type: 'delta', text: '用户问的是' })
    expect(taken.at(-1)).toMatchObject({ type: 'delta', text: '答案', replace: true })
    expect(partial).toBe('答案')
    expect(textOf([...thought, ...taken, ...rest])).toBe('答案是四。')
    expect((await read(session, body.id)).messages.at(-1)?.content).toBe('答案是四。')
  })

  test('of several readers at once is the same for all, whatever their pace', async ({ expect }) => {
    const words = Array.from({ length: 40 }, (_, at) => ({ text: `词${at} ` }))
    await script.will({ steps: [...words.slice(0, 20), { gate: 'half' }, ...words.slice(20), { end: 'stop' }] })
    const { body } = await begin(session, { message: '说' })
    const early = [1, 2, 3].map(() => until(session, body.id, isEnd))
    await until(session, body.id, (event) => event.type === 'delta')
    const late = until(session, body.id, isEnd)
    await script.open('half')

    const [first, ...others] = await Promise.all([...early, late])

    expect(textOf(first ?? [])).toBe(words.map(({ text }) => text).join(''))
    for (const other of others) expect(other).toEqual(first)
  })
})
