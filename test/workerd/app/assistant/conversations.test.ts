/** Conversations with the assistant: the real Worker in workerd, and a model that says what the test wrote for it. */
import { listDurableObjectIds } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../../workers/app/app.ts'
import type { WireConversation } from '../../../../workers/app/contract/assistant.ts'
import {
  assistantMessageCharactersMax,
  conversationsListedMax,
  conversationsMax,
  conversationTitleCharactersMax,
  messagesGivenMax,
  messagesKeptMax,
  runsMax,
  unknownConversationsAtOnce,
  unknownConversationsWaitingMax,
} from '../../../../workers/app/limits.ts'
import { says } from '../../../support/stand-in-model.ts'
import { type Caller, makeToken, send } from '../../../support/workerd/app-client.ts'
import {
  ask,
  begin,
  cancel,
  insideOf,
  isEnd,
  poll,
  read,
  say,
  settingsOf,
  setUpAssistant,
  until,
} from '../../../support/workerd/assistant.ts'

const path = `${appPrefix}/assistant/conversations`
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const { session, script } = await setUpAssistant('conversations')
const reader = (await makeToken(session, ['app:read'])).caller
const other = (await makeToken(session, ['app:read', 'app:write'])).caller

beforeEach(async () => {
  await script.forget()
  for (const caller of [session, reader, other])
    for (const { id } of await list(caller)) await send('DELETE', `${path}/${id}`, caller)
})

async function list(caller: Caller): Promise<WireConversation[]> {
  return (await send('GET', path, caller)).body.items
}

async function switchTo(change: Readonly<Record<string, unknown>>): Promise<void> {
  await send('PUT', `${consolePrefix}/settings/assistant`, session, { json: settingsOf(script, change) })
}

describe('an id that was made up', () => {
  test('has no confirmation to decide on', async ({ expect }) => {
    const decision = `${appPrefix}/assistant/confirmations/AAAAAAAAAAAA.x`

    expect((await send('POST', decision, other, { json: { approve: true } })).status).toBe(404)
  })

  test('makes no object, whatever is asked of it by whoever may not decide on actions', async ({ expect }) => {
    const mine: string = (await begin(session, {})).body.id
    const before = (await listDurableObjectIds(env.CONVERSATIONS)).length
    const answers: number[] = []
    for (const id of ['AAAAAAAAAAAA', 'x', '..%2f', 'a'.repeat(1000), mine]) {
      answers.push((await send('GET', `${path}/${id}`, reader)).status)
      answers.push((await send('GET', `${path}/${id}/events?after=0&wait=0`, reader)).status)
      answers.push((await send('DELETE', `${path}/${id}`, other)).status)
      answers.push((await send('POST', `${path}/${id}/messages`, other, { json: { text: 'hello' } })).status)
      answers.push((await send('POST', `${path}/${id}/cancel`, other)).status)
      const decision = `${appPrefix}/assistant/confirmations/${id}.x`
      answers.push((await send('POST', decision, reader, { json: { approve: true } })).status)
    }

    expect(new Set(answers)).toEqual(new Set([404, 400, 403]))
    expect((await listDurableObjectIds(env.CONVERSATIONS)).length).toBe(before)
    expect((await send('GET', `${path}/${mine}`, session)).status).toBe(200)
  })
})

describe('a caller who asks for one made-up id after another', () => {
  test('is refused before anything is read for it, and finds what is there a moment later', async ({ expect }) => {
    const { caller } = await makeToken(session, ['app:read'])
    const mine: string = (await begin(caller, {})).body.id
    const ask = (id: string) => send('GET', `${path}/${id}`, caller)
    const passed = await Promise.all(Array.from({ length: unknownConversationsAtOnce }, (_, at) => ask(`x${at}`)))
    expect(new Set(passed.map(({ status }) => status))).toEqual(new Set([404]))

    // Those that wait are answered as well, and what is too many is not, whichever it is.
    const more = await Promise.all(Array.from({ length: 4 * unknownConversationsWaitingMax }, (_, at) => ask(`y${at}`)))
    expect(new Set(more.map(({ status }) => status))).toEqual(new Set([404, 503]))
    const refused = more.find(({ status }) => status === 503)
    expect(refused?.body).toMatchObject({ error: 'unavailable', reason: { kind: 'assistant.asked_in_vain' } })
    expect(refused?.headers.get('retry-after')).toBe('2')
    await expect.poll(async () => (await ask(mine)).status, { timeout: 10_000 }).toBe(200)
    // Nobody else waits for it.
    expect((await send('GET', `${path}/x`, other)).status).toBe(404)
  })
})

/** A conversation that is being answered until the test opens the gate. */
async function heldAnswer(caller: Caller, gate: string): Promise<string> {
  await script.will({ steps: [{ text: '等' }, { gate }, { end: 'stop' }, { done: true }] })
  const { body } = await begin(caller, { message: '等一下' })
  return body.id
}

describe('a new conversation', () => {
  test('without a message answers 201 and is empty', async ({ expect }) => {
    const made = await begin(session, { title: '我的问题' })

    expect(made).toMatchObject({ status: 201, body: { title: '我的问题', entry: 'web', running: false } })
    expect(made.body.run).toBeUndefined()
    expect(await read(session, made.body.id)).toMatchObject({
      messages: [],
      confirmations: [],
      partial: '',
      last_seq: 0,
    })
  })

  test('with a message answers 202 with the run and the stored message, and is running', async ({ expect }) => {
    await script.will({ steps: [{ gate: 'made' }, { text: '好' }, { end: 'stop' }] })

    const made = await begin(reader, { message: '你好' })

    expect(made).toMatchObject({
      status: 202,
      body: { entry: 'app', running: true, run: { message: { role: 'user', content: '你好' } } },
    })
    const detail = await read(reader, made.body.id)
    expect(detail.run_id).toBe(made.body.run.run_id)
    expect(detail.messages).toEqual([made.body.run.message])
    await script.open('made')
    await until(reader, made.body.id, isEnd)
    expect((await read(reader, made.body.id)).run_id).toBeUndefined()
  })

  test.each([
    ['nobody named it', {}, '新对话'],
    ['its first message', { message: '  下载器\n还好吗？  ' }, '下载器 还好吗？'],
    ['its title, also with a message', { title: '标题', message: '你好' }, '标题'],
    ['the beginning of a long message', { message: '长'.repeat(200) }, `${'长'.repeat(99)}…`],
  ])('is called after %s', async (_, json, title) => {
    const { body } = await begin(session, json)

    if (body.title !== title) throw new Error(JSON.stringify(body))
    await cancel(session, body.id)
    if ((await read(session, body.id)).title !== title) throw new Error('it changed its name')
  })

  test('that nobody named gets its name from the first message', async ({ expect }) => {
    const { body } = await begin(session)
    await say(session, body.id, '第一句')
    await until(session, body.id, isEnd)
    await say(session, body.id, '第二句')
    await until(session, body.id, isEnd, (await poll(session, body.id, 0)).last)

    expect((await list(session))[0]?.title).toBe('第一句')
    expect((await read(session, body.id)).messages.filter(({ role }) => role === 'user')).toHaveLength(2)
  })

  test('is not made while the assistant is not enabled', async ({ expect }) => {
    for (const change of [{ enabled: false }, { enabled: false, model: '' }]) {
      await switchTo(change)
      for (const json of [{}, { title: 'x' }, { message: '你好' }])
        expect(await begin(session, json)).toMatchObject({ status: 409, body: { error: 'assistant_disabled' } })
    }
    expect(await list(session)).toEqual([])
    await switchTo({})
  })
})

describe('what is refused', () => {
  const long = '字'.repeat(assistantMessageCharactersMax + 1)

  test.each([
    ['an empty message', { message: '' }, 'invalid_argument'],
    ['a blank message', { message: ' \n\t' }, 'invalid_argument'],
    ['a message that is too long', { message: long }, 'invalid_argument'],
    ['a message that is no text', { message: 7 }, 'invalid_body'],
    ['a title that is too long', { title: 'x'.repeat(conversationTitleCharactersMax + 1) }, 'invalid_argument'],
    ['a title of two lines', { title: 'a\nb' }, 'invalid_argument'],
    ['an unknown field', { message: '你好', entry: 'web' }, 'invalid_body'],
  ])('to begin with %s', async (_, json, error) => {
    const answer = await begin(session, json)

    if (answer.status !== 400 || answer.body.error !== error) throw new Error(JSON.stringify(answer))
    if ((await list(session)).length > 0) throw new Error('a conversation was left behind')
  })

  test.each([
    ['nothing', {}, 'invalid_argument'],
    ['an empty text', { text: '' }, 'invalid_argument'],
    ['a text that is too long', { text: long }, 'invalid_argument'],
    ['a text that is no text', { text: ['你好'] }, 'invalid_body'],
    ['an unknown field', { text: '你好', role: 'system' }, 'invalid_body'],
  ])('to send %s', async (_, json, error) => {
    const { body } = await begin(session)
    const answer = await send('POST', `${path}/${body.id}/messages`, session, { json })

    if (answer.status !== 400 || answer.body.error !== error) throw new Error(JSON.stringify(answer))
    if ((await read(session, body.id)).last_seq !== 0) throw new Error('something happened')
  })

  test.each(['GET', 'DELETE'])('%s of a conversation that is not there', async (method) => {
    for (const id of ['unknown', 'a'.repeat(64), '..%2f..', '%00']) {
      const answer = await send(method, `${path}/${id}`, session)
      if (answer.status !== 404 || answer.body.error !== 'not_found') throw new Error(JSON.stringify(answer))
    }
  })

  test.each([
    ['GET', '/events'],
    ['POST', '/cancel'],
    ['POST', '/messages'],
  ])('%s %s of a conversation that is not there', async (method, what) => {
    const sent = what === '/messages' ? { json: { text: '你好' } } : {}
    const answer = await send(method, `${path}/unknown${what}`, session, sent)

    if (answer.status !== 404 || answer.body.error !== 'not_found') throw new Error(JSON.stringify(answer))
  })

  test('an id that is longer than any is a wrong parameter', async ({ expect }) => {
    expect(await send('GET', `${path}/${'a'.repeat(65)}`, session)).toMatchObject({ status: 400 })
  })
})

describe('an answer', () => {
  test('is told in events that end once, and stands in the conversation', async ({ expect }) => {
    await script.will(says('两个', '下载器', '都在线。'))

    const { id, events } = await ask(session, '下载器还好吗？')

    const detail = await read(session, id)
    const [question, answer] = detail.messages
    expect(events.filter(({ type }) => type !== 'delta')).toMatchObject([
      { type: 'run_started', run_id: question?.run_id },
      { type: 'message', message: question },
      { type: 'message', message: answer },
      { type: 'run_finished', status: 'done' },
    ])
    expect(events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('')).toBe('两个下载器都在线。')
    expect(detail).toMatchObject({ running: false, partial: '', last_seq: events.length })
    expect(answer).toMatchObject({ role: 'assistant', content: '两个下载器都在线。', tool_calls: [] })
  })
})

describe('a message', () => {
  test('has at most 4000 characters, as people count them', async ({ expect }) => {
    const { body } = await begin(session)
    const longest = '😀'.repeat(assistantMessageCharactersMax)

    const sent = await say(session, body.id, longest)

    expect(sent).toMatchObject({ status: 202, body: { message: { content: longest } } })
    await until(session, body.id, isEnd)
  })

  test('is answered 202 before its answer is written, with the run and what was stored', async ({ expect }) => {
    const id = await heldAnswer(session, 'background')
    const detail = await read(session, id)

    expect(detail).toMatchObject({ running: true, messages: [{ role: 'user', content: '等一下' }] })
    expect(detail.messages[0]?.run_id).toBe(detail.run_id)
    await script.open('background')
    expect((await until(session, id, isEnd)).at(-1)).toMatchObject({ status: 'done' })
    expect((await read(session, id)).running).toBe(false)
  })

  test('is refused as busy while one is being answered, and changes nothing', async ({ expect }) => {
    const id = await heldAnswer(session, 'busy')
    await until(session, id, (event) => event.type === 'delta')
    const before = await read(session, id)

    const answers = await Promise.all([1, 2, 3].map((n) => say(session, id, `还有 ${n}`)))

    for (const answer of answers) expect(answer).toMatchObject({ status: 409, body: { error: 'busy' } })
    expect(await read(session, id)).toEqual(before)
    await script.open('busy')
    await until(session, id, isEnd)
  })

  test('that comes twice at once gets one run', async ({ expect }) => {
    const { body } = await begin(session)
    await script.will({ steps: [{ gate: 'twice' }, { text: '好' }, { end: 'stop' }] })

    const answers = await Promise.all([1, 2, 3, 4].map(() => say(session, body.id, '你好')))

    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409])
    await script.open('twice')
    const events = await until(session, body.id, isEnd)
    expect(events.filter(({ type }) => type === 'run_started')).toHaveLength(1)
  })

  test('is refused while the assistant is not enabled, and changes nothing', async ({ expect }) => {
    const { body } = await begin(session)
    await switchTo({ enabled: false })
    const answer = await say(session, body.id, '你好')
    await switchTo({})

    expect(answer).toMatchObject({ status: 409, body: { error: 'assistant_disabled' } })
    expect((await read(session, body.id)).last_seq).toBe(0)
  })

  test('is refused as too many when four are being answered, in whatever conversations', async ({ expect }) => {
    const callers = [session, reader, other, session]
    const held: string[] = []
    for (const [at, caller] of callers.entries()) held.push(await heldAnswer(caller, `many${at}`))
    const idle = (await begin(session)).body.id

    expect(callers).toHaveLength(runsMax)
    const created = await Promise.all([begin(other, { message: '我呢？' }), begin(reader, { message: '我呢？' })])
    for (const answer of [...created, await say(session, idle, '我呢？')])
      expect(answer).toMatchObject({ status: 429, body: { error: 'too_many' } })
    // Nothing of a refused one is left.
    expect(await list(other)).toHaveLength(1)
    expect((await read(session, idle)).last_seq).toBe(0)

    await script.open('many0')
    await until(session, held[0] ?? '', isEnd)
    expect(await say(session, idle, '现在呢？')).toMatchObject({ status: 202 })
    await until(session, idle, isEnd)
    for (const at of [1, 2, 3]) {
      await script.open(`many${at}`)
      await until(callers[at] ?? session, held[at] ?? '', isEnd)
    }
  })

  test('sends what was said before, and the newest last', async ({ expect }) => {
    await script.will(says('第一答'), says('第二答'))
    const { id, events } = await ask(session, '第一问')
    await say(session, id, '第二问')
    await until(session, id, isEnd, events.length)

    const { visits } = await script.seen()
    expect(visits.at(-1)?.body.messages.slice(1)).toEqual([
      { role: 'user', content: '第一问' },
      { role: 'assistant', content: '第一答' },
      { role: 'user', content: '第二问' },
    ])
  })
})

describe('the list', () => {
  test('has the most recently updated first', async ({ expect }) => {
    const ids: string[] = []
    for (const title of ['a', 'b', 'c']) ids.push((await begin(session, { title })).body.id)
    await say(session, ids[0] ?? '', '你好')
    await until(session, ids[0] ?? '', isEnd)

    expect((await list(session)).map(({ title }) => title)).toEqual(['a', 'c', 'b'])
  })

  test('says at once who is being answered, and who is not any more', async ({ expect }) => {
    const id = await heldAnswer(session, 'listed')
    expect((await list(session)).map(({ running }) => running)).toEqual([true])

    await script.open('listed')
    await until(session, id, isEnd)

    expect((await list(session)).map(({ running }) => running)).toEqual([false])
  })

  test('has at most 100, and the one updated longest ago is left out', async ({ expect }) => {
    const insert = env.DB.prepare(
      `insert into conversations (id, principal_id, title, entry, created_at_ms, updated_at_ms) values (?, 'session', ?, 'web', ?, ?)`,
    )
    const rows = Array.from({ length: conversationsListedMax + 1 }, (_, at) => at)
    await env.DB.batch(rows.map((at) => insert.bind(`old${at}`, `t${at}`, at, at)))

    const listed = await list(session)
    await env.DB.prepare('delete from conversations').run()

    expect(listed).toHaveLength(conversationsListedMax)
    expect(listed[0]?.title).toBe(`t${conversationsListedMax}`)
    expect(listed.map(({ title }) => title)).not.toContain('t0')
  })

  test('lets the one that rested longest go when a caller has more than are kept', async ({ expect }) => {
    const first = (await begin(session, { title: 'first' })).body.id
    const insert = env.DB.prepare(
      `insert into conversations (id, principal_id, title, entry, created_at_ms, updated_at_ms) values (?, 'session', 'x', 'web', ?, ?)`,
    )
    const later = Date.now() + 1000
    const rows = Array.from({ length: conversationsMax - 1 }, (_, at) => at)
    await env.DB.batch(rows.map((at) => insert.bind(`later${at}`, later, later)))
    expect(await send('GET', `${path}/${first}`, session)).toMatchObject({ status: 200 })

    await begin(session, { title: 'one more' })

    expect(await send('GET', `${path}/${first}`, session)).toMatchObject({ status: 404 })
    const kept = await env.DB.prepare('select count(*) as count from conversations').first('count')
    await env.DB.prepare('delete from conversations').run()
    expect(kept).toBe(conversationsMax)
  })
})

describe('the conversation', () => {
  test('gives its latest 200 messages, oldest first', async ({ expect }) => {
    const { id } = await ask(session, '你好')
    await insideOf('session', id, (sql) => {
      sql.exec('delete from message')
      for (let at = 0; at < messagesGivenMax + 1; at += 1)
        sql.exec(
          `insert into message (id, run_id, part, created_at_ms) values (?, 'r', ?, ?)`,
          `m${at}`,
          JSON.stringify({ role: 'user', content: String(at) }),
          at,
        )
    })

    const { messages } = await read(session, id)

    expect(messages.map(({ content }) => content)).toEqual(
      Array.from({ length: messagesGivenMax }, (_, at) => String(at + 1)),
    )
  })

  test('keeps 2000 messages, the newest ones', async ({ expect }) => {
    const { id, events } = await ask(session, '你好')
    await insideOf('session', id, (sql) => {
      for (let at = 0; at < messagesKeptMax; at += 1)
        sql.exec(
          `insert into message (id, run_id, part, created_at_ms) values (?, 'r', '{"role":"user","content":"x"}', 1)`,
          `m${at}`,
        )
    })
    await say(session, id, '再来')
    await until(session, id, isEnd, events.length)

    // The bound is kept when a message comes; its answer is one more.
    const count = await insideOf('session', id, (sql) =>
      Number(sql.exec('select count(*) as c from message').one()['c']),
    )
    expect(count).toBe(messagesKeptMax + 1)
    expect((await read(session, id)).messages.at(-2)?.content).toBe('再来')
  })

  test('has its times as RFC 3339, in the list, in itself and in its events', async ({ expect }) => {
    const { id, events } = await ask(session, '你好')
    const [listed] = await list(session)
    const detail = await read(session, id)

    const times = [
      listed?.created_at,
      listed?.updated_at,
      detail.created_at,
      detail.updated_at,
      ...detail.messages.map((message) => message.created_at),
      ...events.map(({ at }) => at),
    ]
    expect(times.length).toBeGreaterThan(8)
    for (const time of times) expect(time).toMatch(rfc3339)
  })
})

describe('deleting', () => {
  test('leaves nothing of what was said, and answers 404 from then on', async ({ expect }) => {
    await script.will(says('秘密的回答'))
    const { id } = await ask(session, '秘密的问题')

    expect(await send('DELETE', `${path}/${id}`, session)).toMatchObject({ status: 200, body: { ok: true } })

    expect(await send('GET', `${path}/${id}`, session)).toMatchObject({ status: 404 })
    expect(await send('GET', `${path}/${id}/events`, session)).toMatchObject({ status: 404 })
    expect(await list(session)).toEqual([])
    const tables = await insideOf('session', id, (sql) =>
      sql.exec(`select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\'`).toArray(),
    )
    expect(tables).toEqual([])
  })

  test('ends what is being answered in it, and frees its place', async ({ expect }) => {
    const ids = []
    for (let at = 0; at < runsMax; at += 1) {
      const id = await heldAnswer(session, `deleted${at}`)
      await until(session, id, (event) => event.type === 'delta')
      ids.push(id)
    }
    for (const id of ids) await send('DELETE', `${path}/${id}`, session)

    const { events } = await ask(session, '还有位置吗？')

    expect(events.at(-1)).toMatchObject({ type: 'run_finished', status: 'done' })
    await expect.poll(async () => (await script.seen()).open).toBe(0)
  })

  test('wakes who waits for its events', async ({ expect }) => {
    const { body } = await begin(session)
    const waiting = send('GET', `${path}/${body.id}/events?after=0&wait=25`, session)
    await expect.poll(() => waitersOf(body.id)).toBe(1)

    await send('DELETE', `${path}/${body.id}`, session)

    expect(await waiting).toMatchObject({ status: 404 })
  })
})

async function waitersOf(id: string): Promise<number> {
  return insideOf('session', id, (_, host) => host.waiting)
}

describe('one caller', () => {
  test('sees neither the conversations of another nor reaches into them, by whatever way', async ({ expect }) => {
    await script.will({ steps: [{ text: '别人的' }, { gate: 'foreign' }, { end: 'stop' }] })
    const { body } = await begin(reader, { message: '我的' })
    await until(reader, body.id, (event) => event.type === 'delta')

    for (const stranger of [session, other]) {
      expect(await list(stranger)).toEqual([])
      for (const [method, what, json] of [
        ['GET', '', undefined],
        ['GET', '/events', undefined],
        ['POST', '/messages', { text: '你好' }],
        ['POST', '/cancel', {}],
        ['DELETE', '', {}],
      ] as const) {
        const answer = await send(method, `${path}/${body.id}${what}`, stranger, json === undefined ? {} : { json })
        expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
      }
    }
    expect(await read(reader, body.id)).toMatchObject({ running: true, partial: '别人的' })
    await script.open('foreign')
    await until(reader, body.id, isEnd)
  })

  test('that is revoked leaves nothing behind, and nothing goes on in its name', async ({ expect }) => {
    const gone = await makeToken(session, ['app:read', 'app:write'])
    const { id } = await ask(gone.caller, '你好')
    const held = await heldAnswer(gone.caller, 'revoked')
    await until(gone.caller, held, (event) => event.type === 'delta')

    await send('DELETE', `${consolePrefix}/tokens/${gone.id}`, session)

    const rows = () =>
      env.DB.prepare('select id from conversations where principal_id = ?').bind(`token:${gone.id}`).all()
    await expect.poll(async () => (await rows()).results).toEqual([])
    for (const one of [id, held]) {
      const tables = await insideOf(`token:${gone.id}`, one, (sql) =>
        sql.exec(`select name from sqlite_master where name = 'message'`).toArray(),
      )
      expect(tables).toEqual([])
    }
    await expect.poll(async () => (await script.seen()).open).toBe(0)
  })

  test('of two browsers is the same: the signed-in owner sees the web conversations', async ({ expect }) => {
    const { body } = await begin(session, { title: '在网页上' })
    const { session: second } = await setUpAssistant('conversations')

    expect((await list(second)).map(({ id }) => id)).toEqual([body.id])
    expect((await list(second))[0]?.entry).toBe('web')
  })
})

describe('stopping', () => {
  test('ends the answer, keeps what was written of it and says so', async ({ expect }) => {
    const id = await heldAnswer(session, 'stopped')
    await until(session, id, (event) => event.type === 'delta')

    expect(await cancel(session, id)).toMatchObject({ status: 200, body: { ok: true } })

    const events = await until(session, id, isEnd)
    expect(events.at(-1)).toMatchObject({ type: 'run_finished', status: 'canceled' })
    expect((await read(session, id)).messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', '等一下'],
      ['assistant', '等'],
      ['notice', '已停止。'],
    ])
    // The model is not kept writing for nobody.
    await expect.poll(async () => (await script.seen()).open).toBe(0)
  })

  test('does nothing when nothing is running, however often', async ({ expect }) => {
    const { id } = await ask(session, '你好')
    const before = await read(session, id)

    for (let times = 0; times < 3; times += 1)
      expect(await cancel(session, id)).toMatchObject({ status: 200, body: { ok: true } })

    expect(await read(session, id)).toEqual(before)
  })
})

describe('the status', () => {
  test('says whether, with which model and what the caller may do, and nothing of the service', async ({ expect }) => {
    for (const [caller, may] of [
      [session, true],
      [other, true],
      [reader, false],
    ] as const) {
      const { body } = await send('GET', `${appPrefix}/assistant/status`, caller)
      expect(body).toEqual({ enabled: true, model: 'stand-in', can_confirm: may, chatops: false })
    }
  })

  // What is stored may be older than the form, which lets nobody turn on what is not complete.
  test.for([
    [true, 'address', 'http://model.example/v1', 'm', true],
    [true, 'own', '', 'm', true],
    [true, 'address', '', 'm', false],
    [true, 'address', 'http://model.example/v1', '', false],
    [true, 'own', '', '', false],
    [false, 'address', 'http://model.example/v1', 'm', false],
    [false, 'own', '', 'm', false],
    [false, 'address', '', '', false],
  ] as const)('turned on %s, at %s %o, with the model %o: enabled is %s', async (row, { expect }) => {
    const [turnedOn, endpoint, address, named, enabled] = row
    const { results } = await env.DB.prepare("select * from settings where name = 'assistant'").all<{ value: string }>()
    const value = JSON.stringify({
      ...JSON.parse(results[0]?.value ?? ''),
      enabled: turnedOn,
      endpoint,
      address,
      model: named,
    })
    await env.DB.prepare("update settings set value = ? where name = 'assistant'").bind(value).run()
    const { body } = await send('GET', `${appPrefix}/assistant/status`, session)
    await switchTo({})

    expect([body.enabled, body.model]).toEqual([enabled, enabled ? named : ''])
  })
})
