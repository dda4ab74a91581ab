import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import { gate } from '../../support/fake-model.ts'

let server: TestServer

beforeEach(async () => {
  server = await startTestServer()
})

afterEach(async () => {
  await server.close()
})

function read(name: string): Promise<string | undefined> {
  return readFile(path.join(server.project, name), 'utf8').catch(() => undefined)
}

/** Two turns: the first changes one file, the second changes it again, makes one and deletes one. */
async function twoTurns(): Promise<{ session: string; first: string; second: string }> {
  await server.write('a.txt', 'one\n')
  await server.write('gone.txt', 'still here\n')
  await server.write('mine.txt', 'as it was\n')
  server.model.script(
    { calls: [{ id: 'c1', name: 'bash', input: { command: 'printf "two\\n" > a.txt' } }] },
    { text: ['first done'] },
    {
      calls: [
        { id: 'c2', name: 'bash', input: { command: 'printf "three\\n" > a.txt; echo new > new.txt; rm gone.txt' } },
      ],
    },
    { text: ['second done'] },
  )
  const session = await server.createSession()
  const first = await server.prompt(session, 'First')
  await server.wait(session)
  const second = await server.prompt(session, 'Second')
  await server.wait(session)
  return { session, first: first.body.data.id, second: second.body.data.id }
}

const post = (session: string, step: string, body?: unknown) =>
  server.send('POST', `/api/session/${session}/revert/${step}`, body)

describe.for(['outside a repository', 'inside a repository'] as const)('%s', (place) => {
  beforeEach(() => {
    if (place === 'inside a repository') execFileSync('git', ['init', '--quiet', server.project])
  })

  test('staging takes the files back and says what that changes; clearing brings them again', async ({ expect }) => {
    const { session, second } = await twoTurns()
    await writeFile(path.join(server.project, 'mine.txt'), 'changed by its owner\n')

    const staged = await post(session, 'stage', { messageID: second })

    expect(staged.status, staged.text).toBe(200)
    expect(await read('a.txt')).toBe('two\n')
    expect(await read('new.txt')).toBeUndefined()
    expect(await read('gone.txt')).toBe('still here\n')
    expect(await read('mine.txt')).toBe('changed by its owner\n')
    const files = staged.body.data.files as {
      path: string
      status: string
      additions: number
      deletions: number
      patch: string
    }[]
    expect(files.map((file) => [file.path, file.status])).toEqual([
      ['a.txt', 'modified'],
      ['gone.txt', 'deleted'],
      ['new.txt', 'added'],
    ])
    expect(files[0]).toMatchObject({ additions: 1, deletions: 1 })
    expect(files[0]?.patch).toContain('-two\n+three')
    expect(staged.body.data.diff).toContain('still here')
    expect((await server.send('GET', `/api/session/${session}`)).body.data.revert).toEqual(staged.body.data)

    expect((await post(session, 'clear')).status).toBe(204)
    expect(await read('a.txt')).toBe('three\n')
    expect(await read('new.txt')).toBe('new\n')
    expect(await read('gone.txt')).toBeUndefined()
    expect((await server.send('GET', `/api/session/${session}`)).body.data.revert).toBeUndefined()
    expect(await server.messages(session)).toHaveLength(6)
  })

  test('committing drops the messages and keeps the files back; staging again starts from the newest files', async ({
    expect,
  }) => {
    const { session, first, second } = await twoTurns()

    await post(session, 'stage', { messageID: second })
    await post(session, 'stage', { messageID: first })
    expect(await read('a.txt')).toBe('one\n')
    await post(session, 'stage', { messageID: second })
    expect(await read('a.txt')).toBe('two\n')
    expect((await post(session, 'commit')).status).toBe(204)

    expect(await read('a.txt')).toBe('two\n')
    expect((await server.messages(session)).map((message) => message.type)).toEqual(['user', 'assistant', 'assistant'])
    expect((await post(session, 'clear')).status).toBe(204)
    expect(await read('a.txt')).toBe('two\n')
  })
})

test('the conversation alone can be taken back', async ({ expect }) => {
  const { session, second } = await twoTurns()

  const staged = await post(session, 'stage', { messageID: second, files: false })

  expect(staged.body.data).toEqual({ messageID: second, diff: '', files: [] })
  expect(await read('a.txt')).toBe('three\n')
  await post(session, 'commit')
  expect(await server.messages(session)).toHaveLength(3)
})

test('a staged revert survives a restart and can still be cleared', async ({ expect }) => {
  const { session, second } = await twoTurns()
  await post(session, 'stage', { messageID: second })

  await server.restart()
  expect((await server.send('GET', `/api/session/${session}`)).body.data.revert.messageID).toBe(second)
  await post(session, 'clear')

  expect(await read('a.txt')).toBe('three\n')
})

test('a new prompt makes a staged revert final', async ({ expect }) => {
  const { session, second } = await twoTurns()
  await post(session, 'stage', { messageID: second })
  server.model.script({ text: ['third'] })
  await server.turn(session, 'Third')

  const texts = (await server.messages(session)).flatMap((message) => (message.type === 'user' ? [message.text] : []))
  expect(texts).toEqual(['First', 'Third'])
  expect(JSON.stringify(server.model.asked.at(-1)?.messages)).not.toContain('Second')
})

test('an unknown message is not found and changes nothing', async ({ expect }) => {
  const { session } = await twoTurns()

  const missing = await post(session, 'stage', { messageID: 'msg_nobody' })

  expect(missing).toMatchObject({ status: 404, body: { _tag: 'MessageNotFoundError', messageID: 'msg_nobody' } })
  expect(await read('a.txt')).toBe('three\n')
})

test('with nothing staged, clearing and committing change nothing', async ({ expect }) => {
  const { session } = await twoTurns()
  const before = await server.send('GET', `/api/session/${session}/history?limit=100`)

  expect((await post(session, 'clear')).status).toBe(204)
  expect((await post(session, 'commit')).status).toBe(204)

  expect((await server.send('GET', `/api/session/${session}/history?limit=100`)).body).toEqual(before.body)
})

test('while a turn is live, revert and compaction are a conflict', async ({ expect }) => {
  const hold = gate()
  server.model.script({ text: ['x'], hold: hold.wait })
  const session = await server.createSession()
  const prompt = await server.prompt(session, 'Hold')
  await server.model.arrived(1)
  expect((await server.send('GET', '/api/session/active')).body.data).toEqual({ [session]: { type: 'running' } })

  for (const answer of [
    await post(session, 'stage', { messageID: prompt.body.data.id }),
    await post(session, 'clear'),
    await post(session, 'commit'),
    await server.send('POST', `/api/session/${session}/compact`),
  ]) {
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'conflict' }, _tag: 'ConflictError' } })
  }
  hold.open()
  await server.wait(session)
  expect((await server.send('GET', '/api/session/active')).body.data).toEqual({})
})

test('files behind a link that was put in place of a folder are left alone', async ({ expect }) => {
  await server.write('changed/kept.txt', 'old\n')
  server.model.script(
    {
      calls: [
        {
          id: 'c1',
          name: 'bash',
          input: { command: 'mkdir made; echo x > made/new.txt; echo new > changed/kept.txt; echo two > a.txt' },
        },
      ],
    },
    { text: ['done'] },
  )
  const session = await server.createSession()
  const prompt = await server.prompt(session, 'Make it')
  await server.wait(session)
  const elsewhere = await mkdtemp(path.join(tmpdir(), 'elsewhere-'))
  await writeFile(path.join(elsewhere, 'new.txt'), 'not of this project\n')
  await writeFile(path.join(elsewhere, 'kept.txt'), 'not of this project\n')
  for (const name of ['made', 'changed']) {
    await rm(path.join(server.project, name), { recursive: true })
    await symlink(elsewhere, path.join(server.project, name))
  }

  // A file that was changed and is gone by now: what the owner meant is not guessed.
  const refused = await post(session, 'stage', { messageID: prompt.body.data.id })
  expect([refused.status, await read('a.txt')]).toEqual([409, 'two\n'])
  await rm(path.join(server.project, 'changed'))
  await server.write('changed/kept.txt', 'new\n')
  const staged = await post(session, 'stage', { messageID: prompt.body.data.id })
  const files = await Promise.all(['new.txt', 'kept.txt'].map((name) => readFile(path.join(elsewhere, name), 'utf8')))
  await rm(elsewhere, { recursive: true })

  expect(staged.status, staged.text).toBe(200)
  expect(files).toEqual(['not of this project\n', 'not of this project\n'])
  expect(await read('a.txt')).toBeUndefined()
})

describe('where files cannot be recorded', () => {
  const change = { calls: [{ id: 'c1', name: 'bash', input: { command: 'echo two > a.txt' } }] }

  async function changeFile(options: Parameters<typeof startTestServer>[0]) {
    await server.close()
    server = await startTestServer(options)
    server.model.script(change, { text: ['done'] })
    const session = await server.createSession()
    const prompt = await server.prompt(session, 'Change it')
    await server.wait(session)
    return { session, stage: await post(session, 'stage', { messageID: prompt.body.data.id }) }
  }

  test('for want of git, the work is done all the same and the fault is logged', async ({ expect }) => {
    const faults: string[] = []
    const programs = await mkdtemp(path.join(tmpdir(), 'no-git-'))
    await symlink('/bin/bash', path.join(programs, 'bash'))
    const { session, stage } = await changeFile({
      environment: { PATH: programs },
      logger: { error: (event) => void faults.push(event) },
    })
    await rm(programs, { recursive: true })

    expect(await read('a.txt')).toBe('two\n')
    expect((await server.messages(session)).at(-1)).toMatchObject({ finish: 'stop' })
    expect(faults).toContain('snapshot_failed')
    expect(stage).toMatchObject({ status: 200, body: { data: { files: [] } } })
  })

  test('because the configuration says so, staging takes the conversation back alone', async ({ expect }) => {
    const { stage } = await changeFile({ config: { snapshot: false } })

    expect(stage).toMatchObject({ status: 200, body: { data: { diff: '', files: [] } } })
    expect(await read('a.txt')).toBe('two\n')
  })
})

test('the lock of a git that was killed is removed at the next start', async ({ expect }) => {
  const { session, second } = await twoTurns()
  const [store = ''] = await readdir(path.join(server.dataDir, 'snapshot'))
  await writeFile(path.join(server.dataDir, 'snapshot', store, 'index.lock'), '')

  await server.restart()

  expect((await post(session, 'stage', { messageID: second })).status).toBe(200)
  expect(await read('a.txt')).toBe('two\n')
})

describe('compaction', () => {
  test('asked for, it replaces what the model sees by a summary and keeps the messages', async ({ expect }) => {
    server.model.script({ text: ['The answer is 42'] }, { text: ['SUMMARY'] }, { text: ['ok'] })
    const session = await server.firstTurn('What is the answer?')

    expect((await server.send('POST', `/api/session/${session}/compact`)).status).toBe(204)
    expect(JSON.stringify(server.model.asked[1]?.messages)).toContain('The answer is 42')
    const context = await server.send('GET', `/api/session/${session}/context`)
    expect(context.body.data).toMatchObject([{ type: 'compaction', reason: 'manual', summary: 'SUMMARY' }])
    expect(await server.messages(session)).toHaveLength(3)

    await server.turn(session, 'Go on')
    const asked = JSON.stringify(server.model.asked[2]?.messages)
    expect(asked).toContain('SUMMARY')
    expect(asked).not.toContain('What is the answer?')
  })

  test('comes by itself when the context is nearly full', async ({ expect }) => {
    server.model.script({ text: ['long'], usage: { prompt: 90_000, completion: 10 } }, { text: ['SUMMARY'] })
    const session = await server.firstTurn('Fill it')

    const messages = await server.messages(session)
    expect(messages.at(-1)).toMatchObject({ type: 'compaction', reason: 'auto', summary: 'SUMMARY' })
  })

  test('does not come in a small window before that is full, and then keeps so little that there is room again', async ({
    expect,
  }) => {
    const models = { small: { context: 32_000, output: 8_000 } }
    await writeFile(
      path.join(path.dirname(server.project), 'config', 'svc.json'),
      JSON.stringify({ model: 'fake/small', provider: { fake: { baseURL: server.model.url, models } } }),
    )
    await server.restart()
    const long = 'x'.repeat(10_000)
    server.model.script(
      { text: ['one'], usage: { prompt: 10_000, completion: 10 } },
      { text: ['two'], usage: { prompt: 17_000, completion: 599 } },
      { text: ['three'], usage: { prompt: 17_000, completion: 600 } },
      { text: ['SUMMARY'] },
    )
    const session = await server.createSession()
    for (const word of ['first', 'second', 'third']) {
      await server.turn(session, `${word} ${long}`)
    }

    const messages = await server.messages(session)
    expect(messages.filter((message) => message.type === 'compaction')).toHaveLength(1)
    const last = messages.at(-1)
    expect(last).toMatchObject({ type: 'compaction', summary: 'SUMMARY' })
    expect(last?.type === 'compaction' && last.recent).toContain('third')
    expect(last?.type === 'compaction' && last.recent).not.toContain('first')
  })

  test('comes when the provider says the context is full, and the turn goes on', async ({ expect }) => {
    server.model.script(
      { text: ['earlier'] },
      { status: 400, body: { error: { message: 'This model has a maximum context length of 10 tokens' } } },
      { text: ['SUMMARY'] },
      { text: ['answer'] },
    )
    const session = await server.firstTurn('One')
    await server.turn(session, 'Two')

    expect((await server.messages(session)).at(-1)).toMatchObject({ finish: 'stop', content: [{ text: 'answer' }] })
  })

  test('that the model cannot make is told, and the session is as it was', async ({ expect }) => {
    server.model.script({ text: ['hello'] }, { status: 401 })
    const session = await server.firstTurn('Hi')
    const before = await server.messages(session)

    const refused = await server.send('POST', `/api/session/${session}/compact`)

    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'backend_unavailable' } } })
    expect(await server.messages(session)).toEqual(before)
  })
})
