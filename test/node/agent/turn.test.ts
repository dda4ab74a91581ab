import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import { gate } from '../../support/fake-model.ts'
import { processesWith } from '../../support/process-search.ts'

let server: TestServer

beforeEach(async () => {
  server = await startTestServer()
})

afterEach(async () => {
  await server.close()
})

function typesOf(events: readonly { readonly data: { readonly type: string } }[]): string[] {
  return events.map((event) => event.data.type.replace('session.next.', ''))
}

describe('a turn', () => {
  test('a prompt is answered, and its messages, tokens, cost and title are on the session', async ({ expect }) => {
    server.model.script({ text: ['Hello', ' there'], usage: { prompt: 100, completion: 20, cached: 40 } })
    const session = await server.createSession()

    const admitted = await server.prompt(session, 'Say hello')
    await server.wait(session)

    expect(admitted, admitted.text).toMatchObject({
      status: 200,
      body: { data: { delivery: 'steer', sessionID: session } },
    })
    const messages = await server.messages(session)
    expect(messages).toMatchObject([
      { type: 'user', id: admitted.body.data.id, text: 'Say hello' },
      { type: 'assistant', finish: 'stop', content: [{ type: 'text', text: 'Hello there' }], agent: 'build' },
    ])
    const record = await server.send('GET', `/api/session/${session}`)
    expect(record.body.data).toMatchObject({
      title: 'Say hello',
      tokens: { input: 60, output: 20, cache: { read: 40 } },
      projectID: record.body.data.projectId,
      directory: server.project,
    })
    expect(record.body.data.cost).toBeCloseTo((60 * 1 + 20 * 2) / 1e6, 12)
  })

  test('what a model thinks in its text before its answer is reasoning, and is not told to it again', async ({
    expect,
  }) => {
    server.model.script({ text: ['<thi', 'nk>\nPlum or', ' fig?\n</think>\n', '\nPlum.'] }, { text: ['Still plum.'] })
    const session = await server.firstTurn('Which?')
    await server.turn(session, 'Sure?')
    expect((await server.messages(session))[1]).toMatchObject({
      content: [
        { type: 'reasoning', text: '\nPlum or fig?\n', time: { completed: expect.any(Number) } },
        { type: 'text', text: 'Plum.' },
      ],
    })
    expect(JSON.stringify(server.model.asked[1]?.messages)).not.toContain('fig')
  })

  test('the events of a turn with a tool come in order, and the tool result reaches the model', async ({ expect }) => {
    await server.write('note.txt', 'the secret word is plum\n')
    server.model.script(
      { text: ['Looking'], calls: [{ id: 'call_1', name: 'read', input: { path: 'note.txt' } }] },
      { text: ['plum'] },
    )
    const session = await server.firstTurn('Which word?')

    const events = await server.events(
      `/api/session/${session}/event`,
      (seen) => seen.filter((event) => event.data.type === 'session.next.step.ended').length === 2,
    )
    expect(typesOf(events)).toEqual([
      'session.created',
      'prompt.admitted',
      'prompted',
      'step.started',
      'text.started',
      'text.delta',
      'text.ended',
      'tool.input.started',
      'tool.input.ended',
      'tool.called',
      'tool.success',
      'step.ended',
      'step.started',
      'text.started',
      'text.delta',
      'text.ended',
      'step.ended',
    ])
    const second = server.model.asked[1]
    expect(JSON.stringify(second?.messages)).toContain('the secret word is plum')
  })

  test('reading calls of one step run together and both results come back', async ({ expect }) => {
    await server.write('a.txt', 'alpha')
    await server.write('b.txt', 'beta')
    server.model.script(
      {
        calls: [
          { id: 'call_a', name: 'read', input: { path: 'a.txt' } },
          { id: 'call_b', name: 'grep', input: { pattern: 'bet.' } },
          { id: 'call_c', name: 'glob', input: { pattern: '*.txt' } },
        ],
      },
      { text: ['done'] },
    )
    const session = await server.firstTurn('Read both')

    const [, step] = await server.messages(session)
    expect(step).toMatchObject({
      content: [
        { name: 'read', state: { status: 'completed', content: [{ text: '1\talpha' }] } },
        { name: 'grep', state: { status: 'completed', content: [{ text: 'b.txt:1:beta' }] } },
        { name: 'glob', state: { status: 'completed', content: [{ text: 'a.txt\nb.txt' }] } },
      ],
    })
  })

  test('a file is changed only after it was read, and the change is on disk', async ({ expect }) => {
    await server.write('code.ts', 'const a = 1\n')
    const edit = { path: 'code.ts', oldString: 'a = 1', newString: 'a = 2' }
    server.model.script(
      { calls: [{ id: 'c1', name: 'edit', input: edit }] },
      { calls: [{ id: 'c2', name: 'read', input: { path: 'code.ts' } }] },
      { calls: [{ id: 'c3', name: 'edit', input: edit }] },
      { text: ['changed'] },
    )
    const session = await server.firstTurn('Change it')

    const messages = await server.messages(session)
    expect(messages[1]).toMatchObject({
      content: [{ state: { status: 'error', error: { message: 'Read code.ts before changing it' } } }],
    })
    expect(messages[3]).toMatchObject({
      content: [{ state: { status: 'completed' } }],
      snapshot: { files: ['code.ts'] },
    })
    expect(await readFile(path.join(server.project, 'code.ts'), 'utf8')).toBe('const a = 2\n')
  })

  test('a command runs in the project and its exit code is told', async ({ expect }) => {
    server.model.script({ calls: [{ id: 'c1', name: 'bash', input: { command: 'pwd; exit 3' } }] }, { text: ['done'] })
    const session = await server.firstTurn('Where?')

    const [, step] = await server.messages(session)
    expect(step).toMatchObject({
      content: [
        {
          state: {
            status: 'completed',
            structured: { exit: 3 },
            content: [{ text: `${server.project}\n(exit code 3)` }],
          },
        },
      ],
    })
  })

  test('a failing provider is asked again and the answer then comes; the retry is an event', async ({ expect }) => {
    server.model.script({ status: 503 }, { text: ['at last'] })
    const session = await server.firstTurn('Hello')

    const messages = await server.messages(session)
    expect(messages.at(-1)).toMatchObject({ type: 'assistant', finish: 'stop', content: [{ text: 'at last' }] })
    const history = await server.send('GET', `/api/session/${session}/history?limit=100`)
    const retried = history.body.data.find((event: { type: string }) => event.type === 'session.next.retried')
    expect(retried.data).toMatchObject({ attempt: 1, error: { statusCode: 503, isRetryable: true } })
  })

  test('a provider that refuses the key ends the turn at once, and the failure names no key', async ({ expect }) => {
    server.model.script({ status: 401, body: { error: { message: 'bad key sk-canary-123' } } })
    const session = await server.firstTurn('Hello')

    expect(server.model.asked).toHaveLength(1)
    const messages = await server.messages(session)
    expect(messages.at(-1)).toMatchObject({ finish: 'error', error: { reason: 'provider' } })
    expect(JSON.stringify(messages)).not.toContain('canary')
  })

  test.for([
    [402, { error: { message: 'Your balance is 0.02, add credit' } }, 'status 402: Your balance is 0.02, add credit'],
    [400, { message: 'No such effort: highest' }, 'status 400: No such effort: highest'],
    [418, {}, 'The provider answered with status 418'],
  ] as const)(
    'a refusal of status %i is shown in the words of the provider',
    async ([status, body, shown], { expect }) => {
      server.model.script({ status, body })
      const session = await server.firstTurn('Hello')

      const last = (await server.messages(session)).at(-1) as unknown as { error: { message: string } }
      expect(last.error.message).toContain(shown)
    },
  )

  test('text that was shown before the provider broke off is kept, and the answer is asked for again', async ({
    expect,
  }) => {
    server.model.script({ text: ['half an ans'], isCut: true }, { text: ['whole answer'] })
    const session = await server.firstTurn('Hello')

    const messages = await server.messages(session)
    expect(messages).toMatchObject([
      { type: 'user' },
      {
        type: 'assistant',
        finish: 'error',
        error: { message: 'The connection to the provider was cut in the middle of its answer' },
        content: [{ text: 'half an ans' }],
      },
      { type: 'assistant', finish: 'stop', content: [{ text: 'whole answer' }] },
    ])
    expect(JSON.stringify(server.model.asked[1]?.messages)).not.toContain('half an ans')
  })
})

test('a provider that falls silent is given up and asked again', async ({ expect }) => {
  await server.restart({ modelQuietMsMax: 1_000 })
  const hold = gate()
  server.model.script({ text: ['hm'], hold: hold.wait }, { text: ['here'] })
  const session = await server.firstTurn('Hello')
  hold.open()

  expect((await server.messages(session)).at(-1)).toMatchObject({ finish: 'stop', content: [{ text: 'here' }] })
})

describe('the inbox', () => {
  test('the same prompt again answers the first receipt, another one with its id is a conflict', async ({ expect }) => {
    server.model.otherwise({ text: ['ok'] })
    const session = await server.createSession()
    const first = await server.prompt(session, 'Once', { id: 'msg_mine' })
    await server.wait(session)

    const again = await server.prompt(session, 'Once', { id: 'msg_mine' })
    const other = await server.prompt(session, 'Twice', { id: 'msg_mine' })

    expect(again.body.data).toMatchObject({ ...first.body.data, promotedSeq: expect.any(Number) })
    expect(other).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' }, _tag: 'ConflictError', resource: 'msg_mine' },
    })
    expect((await server.messages(session)).filter((message) => message.type === 'user')).toHaveLength(1)
  })

  test('a steer joins the running turn at its next step, a queued prompt waits until the turn is over', async ({
    expect,
  }) => {
    const hold = gate()
    server.model.script(
      { calls: [{ id: 'c1', name: 'list', input: {} }], hold: hold.wait },
      { text: ['first turn'] },
      { text: ['second turn'] },
    )
    const session = await server.createSession()
    await server.prompt(session, 'Start')
    await server.model.arrived(1)
    await server.prompt(session, 'Later', { delivery: 'queue' })
    await server.prompt(session, 'Now', { delivery: 'steer' })
    hold.open()
    await server.wait(session)

    const texts = (await server.messages(session)).map((message) =>
      message.type === 'user' ? message.text : message.type === 'assistant' ? message.finish : message.type,
    )
    expect(texts).toEqual(['Start', 'tool-calls', 'Now', 'stop', 'Later', 'stop'])
  })

  test('a prompt that is not to resume waits, and is taken in with the next one', async ({ expect }) => {
    server.model.otherwise({ text: ['ok'] })
    const session = await server.firstTurn('Quietly', { resume: false })
    expect(await server.messages(session)).toEqual([])

    await server.turn(session, 'Go')

    const texts = (await server.messages(session)).flatMap((message) => (message.type === 'user' ? [message.text] : []))
    expect(texts).toEqual(['Quietly', 'Go'])
    expect(server.model.asked).toHaveLength(1)
  })

  test('a hundred waiting prompts are taken, one more is a conflict', async ({ expect }) => {
    const session = await server.createSession()
    for (let index = 0; index < 100; index += 1) {
      const admitted = await server.prompt(session, `Prompt ${index}`, { resume: false })
      expect(admitted.status, admitted.text).toBe(200)
    }

    const refused = await server.prompt(session, 'One more', { resume: false })

    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
    expect(await server.messages(session)).toEqual([])

    // One that is meant to be driven finds no room either, but sets those going that wait.
    await server.restart()
    server.model.script({ text: ['all of them'] })
    expect((await server.prompt(session, 'One more')).status).toBe(409)
    await server.wait(session)
    expect(await server.messages(session)).toHaveLength(101)
    expect((await server.prompt(session, 'One more', { resume: false })).status).toBe(200)
  })

  test('a prompt that was left by a stop is driven when it is sent again, and once', async ({ expect }) => {
    const session = await server.createSession()
    const send = (more = {}) => server.prompt(session, 'Mine', { id: 'msg_mine', ...more })
    const receipt = (await send({ resume: false })).body.data
    await server.restart()
    server.model.script({ text: ['done'] })
    expect((await send({ resume: false })).body.data).toEqual(receipt)
    await server.wait(session)
    expect(await server.messages(session)).toEqual([])

    expect((await send()).body.data).toEqual(receipt)
    await server.wait(session)
    expect((await send()).body.data).toMatchObject(receipt)
    await server.wait(session)
    expect(await server.messages(session)).toMatchObject([{ type: 'user', text: 'Mine' }, { type: 'assistant' }])
    expect(server.model.asked).toHaveLength(1)
  })
})

describe('interrupt', () => {
  test('ends a streaming answer, keeps what was shown, and stops the provider call', async ({ expect }) => {
    const hold = gate()
    server.model.script({ text: ['partial'], hold: hold.wait })
    const session = await server.createSession()
    await server.prompt(session, 'Go on')
    await server.events(`/api/session/${session}/event`, (seen) =>
      seen.some((event) => event.data.type === 'session.next.text.delta'),
    )

    const interrupted = await server.send('POST', `/api/session/${session}/interrupt`)

    expect(interrupted.status).toBe(204)
    const messages = await server.messages(session)
    expect(messages.at(-1)).toMatchObject({
      finish: 'error',
      error: { reason: 'interrupted' },
      content: [{ text: 'partial' }],
    })
    hold.open()
    await expect.poll(() => server.model.openAnswers(), { timeout: 20_000 }).toBe(0)
  })

  test('ends a running command and everything it started', async ({ expect }) => {
    server.model.script({ calls: [{ id: 'c1', name: 'bash', input: { command: 'sleep 600.331 & wait' } }] })
    const session = await server.createSession()
    await server.prompt(session, 'Sleep')
    const left = () => processesWith('sleep 600.331').length
    await expect.poll(left, { timeout: 10_000 }).toBeGreaterThan(0)

    await server.send('POST', `/api/session/${session}/interrupt`)

    await expect.poll(left, { timeout: 5_000 }).toBe(0)
    expect((await server.messages(session)).at(-1)).toMatchObject({
      content: [{ state: { status: 'error', error: { reason: 'interrupted' } } }],
    })
  })

  test('strands nothing: a prompt that waited is driven as the next turn', async ({ expect }) => {
    const hold = gate()
    server.model.script({ text: ['one'], hold: hold.wait }, { text: ['two'] })
    const session = await server.createSession()
    await server.prompt(session, 'First')
    await server.model.arrived(1)
    await server.prompt(session, 'Second', { delivery: 'queue' })

    await server.send('POST', `/api/session/${session}/interrupt`)
    await server.wait(session)
    hold.open()

    expect((await server.messages(session)).at(-1)).toMatchObject({ finish: 'stop', content: [{ text: 'two' }] })
  })

  test('leaves an idle session as it was', async ({ expect }) => {
    const session = await server.createSession()
    const before = await server.send('GET', `/api/session/${session}`)

    const interrupted = await server.send('POST', `/api/session/${session}/interrupt`)

    expect(interrupted.status).toBe(204)
    expect((await server.send('GET', `/api/session/${session}`)).body).toEqual(before.body)
    const history = await server.send('GET', `/api/session/${session}/history`)
    expect(history.body).toEqual({ data: [], hasMore: false })
  })
})
