import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import type { ScriptedTurn } from '../../support/fake-model.ts'

let server: TestServer

beforeEach(async () => {
  server = await startTestServer({ config: { permission: { bash: 'ask', edit: 'ask' } } })
})

afterEach(async () => {
  await server.close()
})

const done: ScriptedTurn = { text: ['done'] }

function shell(command: string, id = 'call_1'): ScriptedTurn {
  return { calls: [{ id, name: 'bash', input: { command } }] }
}

function ask(...questions: unknown[]): ScriptedTurn {
  return { calls: [{ id: 'call_q', name: 'question', input: { questions } }] }
}

const colour = {
  question: 'Which colour?',
  header: 'Colour',
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
}

async function pending(session: string, kind: 'permission' | 'question', count = 1) {
  for (const untilMs = performance.now() + 20_000; performance.now() < untilMs; ) {
    const listed = await server.send('GET', `/api/session/${session}/${kind}`)
    if (listed.body.data.length >= count) return listed.body.data
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`no ${kind} request came`)
}

async function exists(name: string): Promise<boolean> {
  return access(path.join(server.project, name)).then(
    () => true,
    () => false,
  )
}

async function startWith(text: string, ...turns: ScriptedTurn[]): Promise<string> {
  server.model.script(...turns)
  const session = await server.createSession()
  await server.prompt(session, text)
  return session
}

describe('a permission request', () => {
  test('holds the call until it is granted once, and a second reply finds nothing', async ({ expect }) => {
    const session = await startWith('Touch', shell('touch made'), done)
    const [request] = await pending(session, 'permission')

    expect(request).toMatchObject({
      sessionID: session,
      action: 'bash',
      resources: ['touch made'],
      save: ['touch made'],
      source: { type: 'tool', callID: 'call_1' },
    })
    expect(await exists('made')).toBe(false)
    const everywhere = await server.send('GET', '/api/permission/request')
    expect(everywhere.body).toMatchObject({ location: { directory: server.project }, data: [{ id: request.id }] })

    const target = `/api/session/${session}/permission/${request.id}/reply`
    const first = await server.send('POST', target, { reply: 'once' })
    const second = await server.send('POST', target, { reply: 'reject' })
    await server.wait(session)

    expect(first.status).toBe(204)
    expect(second).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' }, _tag: 'PermissionNotFoundError' },
    })
    expect(await exists('made')).toBe(true)
    expect((await server.send('GET', `/api/session/${session}/permission`)).body.data).toEqual([])
    expect((await server.send('GET', '/api/permission/saved')).body.data).toEqual([])
  })

  test('of ten replies at once exactly one settles it', async ({ expect }) => {
    const session = await startWith('Touch', shell('touch made'), done)
    const [request] = await pending(session, 'permission')

    const replies = await Promise.all(
      Array.from({ length: 10 }, (_unused, index) =>
        server.send('POST', `/api/session/${session}/permission/${request.id}/reply`, {
          reply: index % 2 === 0 ? 'once' : 'reject',
        }),
      ),
    )
    await server.wait(session)

    expect(replies.filter((reply) => reply.status === 204)).toHaveLength(1)
    expect(replies.filter((reply) => reply.status === 404)).toHaveLength(9)
    const history = await server.send('GET', `/api/session/${session}/history?limit=100`)
    const replied = history.body.data.filter((event: { type: string }) => event.type === 'permission.v2.replied')
    expect(replied).toHaveLength(1)
  })

  test('granted always, its text is stored, answers the same call again, and can be revoked', async ({ expect }) => {
    const session = await startWith('Touch', shell('touch one; rm one'), shell('touch one', 'call_2'), done)
    const [request] = await pending(session, 'permission')
    await server.send('POST', `/api/session/${session}/permission/${request.id}/reply`, { reply: 'always' })
    await server.wait(session)

    expect(await exists('one')).toBe(true)
    const saved = await server.send('GET', '/api/permission/saved')
    expect(saved.body.data).toMatchObject([
      { action: 'bash', resource: 'touch one' },
      { action: 'bash', resource: 'rm one' },
    ])

    for (const rule of saved.body.data) {
      expect((await server.send('DELETE', `/api/permission/saved/${rule.id}`)).status).toBe(204)
    }
    server.model.script(shell('touch one', 'call_3'))
    await server.prompt(session, 'Again')
    expect(await pending(session, 'permission')).toMatchObject([{ resources: ['touch one'] }])
  })

  test('granted always for a harmless use of a known program, it covers other harmless uses and nothing else', async ({
    expect,
  }) => {
    const session = await startWith(
      'Look',
      shell('ls one'),
      shell('ls -la two', 'call_2'),
      shell('ls two; rm one', 'call_3'),
      shell('ls $(rm one)', 'call_4'),
      shell('ls /etc', 'call_5'),
    )
    await server.write('one', '')
    const reject = async (request: { id: string }) =>
      server.send('POST', `/api/session/${session}/permission/${request.id}/reply`, { reply: 'reject', message: 'no' })
    const [first] = await pending(session, 'permission')
    expect(first).toMatchObject({ resources: ['ls one'], save: ['ls *'] })
    await server.send('POST', `/api/session/${session}/permission/${first.id}/reply`, { reply: 'always' })

    const [second] = await pending(session, 'permission')
    expect(second).toMatchObject({ resources: ['ls two', 'rm one'], save: ['ls *', 'rm one'] })
    await reject(second)
    const [third] = await pending(session, 'permission')
    expect(third).toMatchObject({ resources: ['ls $(rm one)'], save: [] })
    await reject(third)
    expect(await pending(session, 'permission')).toMatchObject([{ resources: ['ls /etc'], save: ['ls /etc'] }])
    expect(await exists('one')).toBe(true)
  })

  test('granted always for the session, it answers there and nowhere else, and nothing is stored', async ({
    expect,
  }) => {
    const session = await startWith('Touch', shell('touch one'), shell('touch one', 'call_2'), done)
    const [request] = await pending(session, 'permission')
    const answer = { reply: 'always', scope: 'session' }
    const replied = await server.send('POST', `/api/session/${session}/permission/${request.id}/reply`, answer)
    expect(replied.status).toBe(204)
    await server.wait(session)

    expect((await server.send('GET', '/api/permission/saved')).body.data).toEqual([])
    const other = await startWith('Touch', shell('touch one', 'call_3'))
    expect(await pending(other, 'permission')).toMatchObject([{ resources: ['touch one'] }])
  })

  test('rejected without a word, it ends the turn; nothing runs', async ({ expect }) => {
    const session = await startWith('Touch', shell('touch made'))
    const [request] = await pending(session, 'permission')

    await server.send('POST', `/api/session/${session}/permission/${request.id}/reply`, { reply: 'reject' })
    await server.wait(session)

    expect(server.model.asked).toHaveLength(1)
    expect(await exists('made')).toBe(false)
    expect((await server.messages(session)).at(-1)).toMatchObject({
      content: [{ state: { status: 'error', error: { reason: 'refused' } } }],
    })
  })

  test('rejected with a word, the word reaches the model and the turn goes on', async ({ expect }) => {
    const session = await startWith('Touch', shell('touch made'), done)
    const [request] = await pending(session, 'permission')

    await server.send('POST', `/api/session/${session}/permission/${request.id}/reply`, {
      reply: 'reject',
      message: 'use another name',
    })
    await server.wait(session)

    expect(JSON.stringify(server.model.asked[1]?.messages)).toContain('use another name')
    expect(await exists('made')).toBe(false)
  })

  test('a change to a protected file asks although the rules allow it', async ({ expect }) => {
    await server.close()
    server = await startTestServer({ config: { permission: { edit: 'allow' } } })
    const session = await startWith(
      'Write',
      { calls: [{ id: 'c1', name: 'write', input: { path: 'plain.txt', content: 'x' } }] },
      { calls: [{ id: 'c2', name: 'write', input: { path: '.git/hooks/pre-commit', content: 'x' } }] },
      done,
    )
    const [request] = await pending(session, 'permission')

    expect(await exists('plain.txt')).toBe(true)
    expect(request).toMatchObject({ action: 'edit', resources: ['.git/hooks/pre-commit'], save: [] })
  })

  test.for([
    ['an unknown reply', { reply: 'perhaps' }],
    ['an unknown field', { reply: 'once', extra: 1 }],
    ['no reply', {}],
    ['a list', []],
    ['a body over 64 KiB', { reply: 'reject', message: 'x'.repeat(64 * 1024) }],
  ] as const)('%s is refused and the request stays pending', async ([, body], { expect }) => {
    const session = await startWith('Touch', shell('touch made'), done)
    const [request] = await pending(session, 'permission')

    const refused = await server.send('POST', `/api/session/${session}/permission/${request.id}/reply`, body)

    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
    expect(await pending(session, 'permission')).toMatchObject([{ id: request.id }])
  })

  test('of another session is not found, and stays pending', async ({ expect }) => {
    const session = await startWith('Touch', shell('touch made'), done)
    const [request] = await pending(session, 'permission')
    const other = await server.createSession()

    const refused = await server.send('POST', `/api/session/${other}/permission/${request.id}/reply`, { reply: 'once' })

    expect(refused.status).toBe(404)
    expect(await pending(session, 'permission')).toHaveLength(1)
  })

  test('an interrupt settles it as rejected', async ({ expect }) => {
    const session = await startWith('Touch', shell('touch made'))
    const [request] = await pending(session, 'permission')

    await server.send('POST', `/api/session/${session}/interrupt`)
    const late = await server.send('POST', `/api/session/${session}/permission/${request.id}/reply`, { reply: 'once' })

    expect(late.status).toBe(404)
    expect((await server.send('GET', `/api/session/${session}/permission`)).body.data).toEqual([])
    expect(await exists('made')).toBe(false)
  })

  test('survives a restart, and its late answer reaches the model through the inbox', async ({ expect }) => {
    const session = await startWith('Touch', shell('touch made'))
    const [request] = await pending(session, 'permission')

    await server.restart()

    expect(await pending(session, 'permission')).toEqual([request])
    expect((await server.messages(session)).at(-1)).toMatchObject({
      content: [{ state: { status: 'error', error: { reason: 'interrupted' } } }],
    })
    server.model.script(done)
    const reply = await server.send('POST', `/api/session/${session}/permission/${request.id}/reply`, {
      reply: 'always',
    })
    await server.wait(session)

    expect(reply.status).toBe(204)
    const last = server.model.asked.at(-1)
    expect(JSON.stringify(last?.messages.at(-1))).toContain('It has been granted since; nothing was run yet')
    expect((await server.send('GET', '/api/permission/saved')).body.data).toEqual([])
    expect(await exists('made')).toBe(false)
  })
})

test('what a call waited for its owner is not told as the time that it took', async ({ expect }) => {
  const session = await startWith('Go', shell('echo made > made'), done)
  const [request] = await pending(session, 'permission')
  const since = performance.now()
  await expect.poll(() => performance.now() - since).toBeGreaterThan(20)
  await server.send('POST', `/api/session/${session}/permission/${request.id}/reply`, { reply: 'once' })
  await server.wait(session)

  const { body } = await server.send('GET', `/api/session/${session}/history?limit=100`)
  const atMs = (type: string): number =>
    body.data.find((event: { type: string }) => event.type === type)?.data.timestamp
  const waited = atMs('permission.v2.replied') - atMs('permission.v2.asked')
  const whole = atMs('session.next.tool.success') - atMs('session.next.tool.called')
  const part = (await server.messages(session)).flatMap((message) =>
    message.type === 'assistant' ? message.content.filter((one) => one.type === 'tool') : [],
  )[0]
  expect(waited).toBeGreaterThan(4)
  // Each of the four moments is rounded to its millisecond.
  expect((part?.time.completed ?? 0) - (part?.time.ran ?? 0)).toBeLessThanOrEqual(whole - waited + 4)
})

describe('a question', () => {
  test('its answer is the outcome of the call, stored with the settlement', async ({ expect }) => {
    const session = await startWith('Ask', ask(colour), done)
    const [request] = await pending(session, 'question')
    expect(request).toMatchObject({ sessionID: session, questions: [colour], tool: { callID: 'call_q' } })

    const target = `/api/session/${session}/question/${request.id}/reply`
    const first = await server.send('POST', target, { answers: [['Blue']] })
    const second = await server.send('POST', target, { answers: [['Red']] })
    await server.wait(session)

    expect(first.status).toBe(204)
    expect(second).toMatchObject({ status: 404, body: { error: { code: 'not_found' }, _tag: 'QuestionNotFoundError' } })
    const history = await server.send('GET', `/api/session/${session}/history?limit=100`)
    const types = history.body.data.map((event: { type: string }) => event.type)
    const at = types.indexOf('question.v2.replied')
    expect(types[at + 1]).toBe('session.next.tool.success')
    expect(JSON.stringify(server.model.asked[1]?.messages)).toContain('Blue')
    expect(JSON.stringify(server.model.asked[1]?.messages)).not.toContain('Red,')
  })

  test('rejected, it ends the turn', async ({ expect }) => {
    const session = await startWith('Ask', ask(colour))
    const [request] = await pending(session, 'question')

    const target = `/api/session/${session}/question/${request.id}/reject`
    const first = await server.send('POST', target)
    const second = await server.send('POST', target)
    await server.wait(session)

    expect([first.status, second.status]).toEqual([204, 404])
    expect(server.model.asked).toHaveLength(1)
    expect((await server.messages(session)).at(-1)).toMatchObject({ content: [{ state: { status: 'error' } }] })
  })

  test.for([
    ['too few answers', []],
    ['too many answers', [['Red'], ['Blue']]],
    ['two answers to a single choice', [['Red', 'Blue']]],
  ] as const)('%s are refused and the question stays pending', async ([, answers], { expect }) => {
    const session = await startWith('Ask', ask(colour))
    const [request] = await pending(session, 'question')

    const refused = await server.send('POST', `/api/session/${session}/question/${request.id}/reply`, { answers })

    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
    expect(await pending(session, 'question')).toHaveLength(1)
  })

  test('a closed one takes only what it offers', async ({ expect }) => {
    const session = await startWith('Ask', ask({ ...colour, custom: false }), done)
    const [request] = await pending(session, 'question')
    const target = `/api/session/${session}/question/${request.id}/reply`

    expect((await server.send('POST', target, { answers: [['Green']] })).status).toBe(400)
    expect((await server.send('POST', target, { answers: [['Red']] })).status).toBe(204)
  })

  test('survives a restart, and its late answer reaches the model through the inbox', async ({ expect }) => {
    const session = await startWith('Ask', ask(colour))
    const [request] = await pending(session, 'question')

    await server.restart()

    const everywhere = await server.send('GET', '/api/question/request')
    expect(everywhere.body.data).toEqual([request])
    server.model.script(done)
    const reply = await server.send('POST', `/api/session/${session}/question/${request.id}/reply`, {
      answers: [['Blue']],
    })
    await server.wait(session)

    expect(reply.status).toBe(204)
    expect(JSON.stringify(server.model.asked.at(-1)?.messages.at(-1))).toContain('Blue')
    expect(server.model.asked).toHaveLength(2)
  })
})

test('the credentials of the server are not in the environment of a command', async ({ expect }) => {
  await server.close()
  server = await startTestServer({ config: { permission: 'allow' } })
  const session = await startWith('Show', shell('env > seen'), done)
  await server.wait(session)

  const seen = await readFile(path.join(server.project, 'seen'), 'utf8')
  expect(seen).toContain('PATH=')
  expect(seen).not.toContain('SVC_SERVER')
})
