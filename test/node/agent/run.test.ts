/** `svc run`: the command as a shell starts it, and what it makes of a turn. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { AgentClient } from '../../../local/agent/client/agent-client.ts'
import { promptTextBytesMax } from '../../../local/agent/limits.ts'
import { type RunOptions, runPrompt } from '../../../local/agent/run-command.ts'
import { killAgentProgram, startAgentProgram } from '../../support/agent-program.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import { type FakeModel, gate, startFakeModel } from '../../support/fake-model.ts'
import { keptCode } from '../../support/kept-code.ts'

const svc = path.resolve(import.meta.dirname, '../../../local/svc.mjs')

describe('svc run', () => {
  let base: string
  let model: FakeModel

  beforeAll(async () => {
    model = await startFakeModel()
    base = await realpath(await mkdtemp(path.join(tmpdir(), 'svc-run-')))
    await mkdir(path.join(base, 'project'))
    await mkdir(path.join(base, 'config/svc'), { recursive: true })
    const settings = {
      model: 'fake/one',
      provider: { fake: { baseURL: model.url, models: { one: { context: 100_000, output: 4_000 } } } },
    }
    await writeFile(path.join(base, 'config/svc/svc.json'), JSON.stringify(settings))
  })

  afterAll(async () => {
    await model.close()
    await rm(base, { recursive: true, force: true })
  })

  function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [svc, 'run', '--data', path.join(base, 'data'), ...args], {
      cwd: path.join(base, 'project'),
      stdio: 'pipe',
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: base,
        XDG_CONFIG_HOME: path.join(base, 'config'),
        ...keptCode,
        ...environment,
      },
    })
    const output = { answer: '', notes: '' }
    child.stdout.on('data', (chunk: Buffer) => {
      output.answer += String(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      output.notes += String(chunk)
    })
    return { child, output, ended: once(child, 'close').then(([code]) => ({ code: code as number, ...output })) }
  }

  function run(args: readonly string[], piped = '', environment: Readonly<Record<string, string>> = {}) {
    const { child, ended } = start(args, environment)
    child.stdin.on('error', () => undefined)
    child.stdin.end(piped)
    return ended
  }

  test('answers what it was asked and given, goes on in its session, and ends', async ({ expect }) => {
    const told = () => JSON.stringify(model.asked.at(-1)?.messages)
    model.script({ text: ['It says ', '\u001b[31mhello.'], usage: { prompt: 9, completion: 3 } })
    const first = await run(['What does', 'it say?'], 'hello\n')
    expect(first).toEqual({ code: 0, answer: 'It says \ufffd[31mhello.\n', notes: '' })
    expect(told()).toContain('What does it say?\\n\\nhello')

    model.script({ text: ['As before.'] })
    const second = await run(['--continue', '--format', 'json'], 'And now?')
    expect(second.code).toBe(0)
    expect(told()).toContain('What does it say?')
    const lines = second.answer
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({ type: 'run.ended', data: { exitCode: 0 } })
    const seqs = lines.slice(0, -1).map(({ durable }) => durable.seq)
    expect(seqs).toEqual(seqs.map((_, at) => seqs[0] + at))
    expect(lines.find(({ type }) => type === 'session.next.text.ended').data.text).toBe('As before.')
  })

  test('an interrupt ends the turn, keeps what was said, and ends the command', async ({ expect }) => {
    const held = gate()
    model.script({ text: ['I began.'], hold: held.wait })
    const { child, output, ended } = start(['Take long'])
    child.stdin.end()
    while (!output.answer.includes('I began.')) await once(child.stdout, 'data')
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    held.open()
  })

  test.for([
    ['without a prompt', [], 'needs a prompt'],
    ['with a flag of another command', ['--port', '1', 'x'], 'takes no --port'],
    ['with a format there is none of', ['--format', 'xml', 'x'], '--format takes text or json'],
    ['with two sessions', ['--continue', '--session', 'ses_1', 'x'], 'exclude each other'],
    ['with a session there is none of', ['--session', 'ses_1', 'x'], 'no such session'],
    ['with a model there is none of', ['--model', 'fake/two', 'x'], 'There is no model fake/two; there are fake/one'],
    ['with an agent there is none of', ['--agent', 'nobody', 'x'], 'no agent "nobody"'],
    ['with a file there is none of', ['--file', 'gone.png', 'x'], 'A file does not exist'],
  ] as const)('called %s it says so and ends with 2', async ([, args, problem], { expect }) => {
    const asked = model.asked.length
    const { code, answer, notes } = await run(args)
    expect([code, answer, notes.toLowerCase()]).toEqual([2, '', expect.stringContaining(problem.toLowerCase())])
    expect(model.asked.length).toBe(asked)
  })

  test.for([
    [promptTextBytesMax, 0],
    [promptTextBytesMax + 1, 2],
  ] as const)('%i bytes on standard input end with %i', async ([bytes, code], { expect }) => {
    if (code === 0) model.script({ text: ['Much.'] })
    expect((await run([], 'x'.repeat(bytes))).code).toBe(code)
  })

  test('goes through the server that holds the folder, with its password', async ({ expect, onTestFinished }) => {
    const secret = { SVC_SERVER_PASSWORD: 'a-long-password' }
    const program = await startAgentProgram(base, secret)
    onTestFinished(() => killAgentProgram(program))
    const without = await run(['Hello'])
    expect([without.code, without.notes]).toEqual([1, expect.stringContaining('SVC_SERVER_PASSWORD')])
    const held = gate()
    model.script({ text: ['Through it.'], hold: held.wait })
    const { child, output, ended } = start(['Hello'], secret)
    child.stdin.end()
    while (!output.answer.includes('Through it.')) await once(child.stdout, 'data')
    const headers = { authorization: `Basic ${Buffer.from('svc:a-long-password').toString('base64')}` }
    const active = await fetch(`${program.address}/api/session/active`, { headers })
    expect(Object.keys(((await active.json()) as { data: object }).data)).toHaveLength(1)
    held.open()
    expect((await ended).code).toBe(0)

    // One that was killed leaves its address behind: nobody is asked there any more.
    await killAgentProgram(program)
    model.script({ text: ['By myself.'] })
    expect(await run(['Hello'])).toEqual({ code: 0, answer: 'By myself.\n', notes: '' })
  })

  test('is known to a server that browsers sign in to', async ({ expect, onTestFinished }) => {
    const program = await startAgentProgram(base, {}, [], ['--browser-auth'])
    onTestFinished(() => killAgentProgram(program))
    expect((await fetch(`${program.address}/api/location`)).status).toBe(401)
    model.script({ text: ['Signed in.'] })
    expect(await run(['Hello'])).toEqual({ code: 0, answer: 'Signed in.\n', notes: '' })
  })
})

describe('a turn that nobody watches', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ config: { permission: { edit: 'ask', bash: { '*': 'allow' } } } })
  })

  afterAll(() => server.close())

  async function run(more: Partial<RunOptions> = {}) {
    const told = { answer: '', notes: [] as string[] }
    const output = {
      write: (text: string) => {
        told.answer += text
      },
      note: (line: string) => void told.notes.push(line),
    }
    const options: RunOptions = {
      text: 'Go',
      directory: server.project,
      format: 'text',
      allowed: new Set<string>(),
      ...more,
    }
    const client = new AgentClient(server.address, fetch)
    return { code: await runPrompt(client, options, output, new AbortController().signal), ...told }
  }

  const edit = {
    calls: [{ id: 'call_edit', name: 'edit', input: { path: 'a.txt', oldString: 'old', newString: 'new' } }],
  }

  test.for([
    ['refuses what the rules ask about, tells the model, and ends with 3', {}, 3, 'old'],
    ['does what is allowed by name', { allowed: new Set(['edit']) }, 0, 'new'],
    ['does everything when that was said', { allowed: true }, 0, 'new'],
  ] as const)('%s', async ([, more, code, text], { expect }) => {
    await server.write('a.txt', 'old')
    server.model.script({ calls: [{ id: 'call_read', name: 'read', input: { path: 'a.txt' } }] }, edit, {
      text: ['So be it.'],
    })
    const ran = await run(more)
    expect([ran.code, ran.answer]).toEqual([code, 'So be it.\n'])
    expect(await readFile(path.join(server.project, 'a.txt'), 'utf8')).toBe(text)
    expect(ran.notes[0]).toBe('read a.txt')
    const refused = JSON.stringify(server.model.asked.at(-1)?.messages).includes('Nobody is there to be asked')
    expect(refused).toBe(code === 3)
  })

  test('rejects a question and ends with 3', async ({ expect }) => {
    const options = [{ label: 'A', description: '' }]
    const questions = [{ question: 'Which one?', header: 'One', options }]
    server.model.script({ calls: [{ id: 'call_ask', name: 'question', input: { questions } }] })
    expect(await run()).toMatchObject({
      code: 3,
      notes: ['question Which one?', expect.stringContaining('Which one?'), expect.any(String)],
    })
  })

  test('answers for a task below it as well', async ({ expect }) => {
    server.model.script(
      { calls: [{ id: 'call_task', name: 'task', input: { description: 'Write', prompt: 'Write it' } }] },
      { calls: [{ id: 'call_write', name: 'write', input: { path: 'b.txt', content: 'new' } }] },
      { text: ['I may not.'] },
      { text: ['It may not.'] },
    )
    expect(await run()).toMatchObject({ code: 3, answer: 'It may not.\n' })
  })

  test('ends with 1 and the words of the provider when the model fails', async ({ expect }) => {
    server.model.script({ status: 402, body: { error: { message: 'The credit is used up' } } })
    expect(await run()).toEqual({ code: 1, answer: '', notes: [expect.stringContaining('The credit is used up')] })
  })
})
