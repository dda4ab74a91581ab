/** An interrupt at every moment of a turn: it ends at once, leaves nothing open, and the session goes on as before. */
import { access, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, type ExpectStatic, test } from 'vitest'
import { turnsRunningMax } from '../../../local/agent/limits.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import { gate, type ScriptedTurn } from '../../support/fake-model.ts'

let server: TestServer
let hold: ReturnType<typeof gate>

/** A `git` that waits while a file of the project tells it to. */
const heldPrograms = await mkdtemp(path.join(tmpdir(), 'held-git-'))
const script = 'while [ -e hold-git ]; do touch git-waits; sleep 0.02; done; exec /usr/bin/git "$@"'
await writeFile(path.join(heldPrograms, 'git'), `#!/bin/sh\n${script}\n`)
await chmod(path.join(heldPrograms, 'git'), 0o755)

afterAll(() => rm(heldPrograms, { recursive: true }))

beforeEach(() => {
  hold = gate()
})

afterEach(async () => {
  hold.open()
  await server.close()
})

type Options = Parameters<typeof startTestServer>[0]
const shell = (command: string): ScriptedTurn => ({ calls: [{ id: 'call_1', name: 'bash', input: { command } }] })
const question = { question: 'Which?', header: 'Pick', options: [{ label: 'A', description: 'a' }] }
const contextFull: ScriptedTurn = { status: 400, body: { error: { message: 'maximum context length is 10 tokens' } } }

async function isThere(name: string): Promise<boolean> {
  return access(path.join(server.project, name)).then(
    () => true,
    () => false,
  )
}

async function eventOf(session: string, type: string): Promise<void> {
  await server.events(`/api/session/${session}/event`, (seen) => seen.some((event) => event.data.type === type))
}

async function untilThere(expect: ExpectStatic, name: string): Promise<void> {
  await expect.poll(() => isThere(name), { timeout: 10_000 }).toBe(true)
}

interface Phase {
  readonly options?: () => Options
  readonly script: () => ScriptedTurn[]
  /** Resolves when the turn is in the phase. */
  readonly reached: (session: string, expect: ExpectStatic) => Promise<unknown>
  /** What the newest answer of the model looks like after the interrupt. */
  readonly left: Record<string, unknown>
  /** Lets go what was held outside of the server and cannot be interrupted. */
  readonly letGo?: () => Promise<unknown>
  /** Ends what outlives the turn. */
  readonly cleanUp?: () => Promise<unknown>
}

const interruptedStep = { type: 'assistant', finish: 'error', error: { reason: 'interrupted' } }
const interruptedCall = {
  ...interruptedStep,
  content: [{ type: 'tool', state: { status: 'error', error: { reason: 'interrupted' } } }],
}

const slowServer = 'touch waiting; while [ ! -e go ]; do sleep 0.02; done; exit 1'

const phases: Readonly<Record<string, Phase>> = {
  'while its tools are looked up': {
    options: () => ({
      config: { mcp: { slow: { type: 'local', command: ['bash', '-c', slowServer] } } },
      logger: { error: () => undefined },
    }),
    script: () => [],
    reached: (_session, expect) => untilThere(expect, 'waiting'),
    left: { ...interruptedStep, content: [] },
    cleanUp: () => server.write('go', ''),
  },
  'while the provider has not answered': {
    script: () => [{ hold: hold.wait }],
    reached: () => server.model.arrived(1),
    left: { ...interruptedStep, content: [] },
  },
  'in the middle of text': {
    script: () => [{ text: ['half an ans'], hold: hold.wait }],
    reached: (session) => eventOf(session, 'session.next.text.delta'),
    left: { ...interruptedStep, content: [{ type: 'text', text: 'half an ans' }] },
  },
  'in the middle of reasoning': {
    script: () => [{ reasoning: ['half a thou'], hold: hold.wait }],
    reached: (session) => eventOf(session, 'session.next.reasoning.delta'),
    left: { ...interruptedStep, content: [{ type: 'reasoning', text: 'half a thou' }] },
  },
  'while a permission is pending': {
    options: () => ({ config: { permission: { bash: 'ask' } } }),
    script: () => [shell('touch made')],
    reached: (session) => eventOf(session, 'permission.v2.asked'),
    left: interruptedCall,
  },
  'while a question is pending': {
    script: () => [{ calls: [{ id: 'call_1', name: 'question', input: { questions: [question] } }] }],
    reached: (session) => eventOf(session, 'question.v2.asked'),
    left: interruptedCall,
  },
  'while a command runs': {
    script: () => [shell('touch started; sleep 600')],
    reached: (_session, expect) => untilThere(expect, 'started'),
    left: interruptedCall,
  },
  'while a command that started a service runs on': {
    script: () => [shell("setsid sh -c 'echo $$ > pid; touch started; exec sleep 600' & wait")],
    reached: (_session, expect) => untilThere(expect, 'started'),
    cleanUp: async () => {
      process.kill(Number(await readFile(path.join(server.project, 'pid'), 'utf8')))
    },
    left: interruptedCall,
  },
  'while a page is fetched': {
    options: () => ({
      webFetch: (_address, signal) =>
        new Promise((_resolve, reject) => {
          hold.open()
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    }),
    script: () => [{ calls: [{ id: 'call_1', name: 'webfetch', input: { url: 'https://example.org/' } }] }],
    reached: () => hold.wait(),
    left: interruptedCall,
  },
  'while a task works in a session of its own': {
    script: () => [
      {
        calls: [
          {
            id: 'call_1',
            name: 'task',
            input: { description: 'Look', prompt: 'Look around', subagent_type: 'explore' },
          },
        ],
      },
      { text: ['looking'], hold: hold.wait },
    ],
    reached: () => server.model.arrived(2),
    left: interruptedCall,
  },
  'between two steps, while the changed files are recorded': {
    options: () => ({ environment: { PATH: `${heldPrograms}:${process.env['PATH'] ?? ''}` } }),
    script: () => [shell('touch hold-git')],
    reached: (_session, expect) => untilThere(expect, 'git-waits'),
    letGo: () => rm(path.join(server.project, 'hold-git')),
    left: { type: 'assistant', finish: 'tool-calls', content: [{ state: { status: 'completed' } }] },
  },
  'while it waits to ask the provider again': {
    script: () => [{ status: 503, headers: { 'retry-after': '30' } }],
    reached: (session) => eventOf(session, 'session.next.retried'),
    left: { type: 'assistant', finish: 'error', error: { reason: 'provider' } },
  },
  'during compaction that came by itself': {
    script: () => [
      { text: ['long'], usage: { prompt: 90_000, completion: 10 } },
      { text: ['summ'], hold: hold.wait },
    ],
    reached: () => server.model.arrived(2),
    left: { type: 'assistant', finish: 'stop', content: [{ text: 'long' }] },
  },
  'during compaction that the provider made necessary': {
    script: () => [contextFull, { text: ['summ'], hold: hold.wait }],
    reached: () => server.model.arrived(2),
    left: { type: 'assistant', finish: 'error', error: { reason: 'provider' } },
  },
  'while it waits in line for another session': {
    script: () => Array.from({ length: turnsRunningMax }, () => ({ text: ['busy'], hold: hold.wait })),
    reached: async (session, expect) => {
      await server.model.arrived(turnsRunningMax)
      expect((await server.send('GET', '/api/session/active')).body.data).toHaveProperty(session)
    },
    left: { ...interruptedStep, content: [] },
  },
}

test.for(Object.keys(phases))('an interrupt %s ends the turn and strands nothing', async (name, { expect }) => {
  const phase = phases[name]
  if (phase === undefined) throw new Error(name)
  server = await startTestServer(phase.options?.() ?? {})
  const others: string[] = []
  server.model.script(...phase.script())
  if (name.includes('another session')) {
    for (let index = 0; index < turnsRunningMax; index += 1) {
      const other = await server.createSession()
      others.push(other)
      await server.prompt(other, 'Keep busy')
    }
    await server.model.arrived(turnsRunningMax)
  }
  const session = await server.createSession()
  await server.prompt(session, 'First')
  await phase.reached(session, expect)
  await server.prompt(session, 'Waiting', { delivery: 'queue', resume: false })
  server.model.otherwise({ text: ['answered'] })

  const interrupting = server.send('POST', `/api/session/${session}/interrupt`)
  await phase.letGo?.()
  expect((await interrupting).status).toBe(204)
  const history = (await server.send('GET', `/api/session/${session}/history?limit=100`)).body.data as {
    type: string
    data: { prompt?: { text: string } }
  }[]
  const upToInterrupt = await server.messages(session)
  const first = upToInterrupt.findIndex(
    (message) => message.type === 'assistant' && message.time.completed !== undefined,
  )
  expect(upToInterrupt[first]).toMatchObject(phase.left)
  expect(history.filter((event) => event.type === 'session.next.step.started').length).toBeGreaterThan(0)
  for (const kind of ['permission', 'question']) {
    expect((await server.send('GET', `/api/session/${session}/${kind}`)).body.data).toEqual([])
  }

  await phase.cleanUp?.()
  // What waited is driven without being asked for again, and so is what comes next.
  hold.open()
  await server.wait(session)
  await server.turn(session, 'Next')
  const messages = await server.messages(session)
  expect(messages.filter((message) => message.type === 'user').map((message) => message.text)).toEqual([
    'First',
    'Waiting',
    'Next',
  ])
  expect(messages.at(-1)).toMatchObject({ type: 'assistant', finish: 'stop', content: [{ text: 'answered' }] })
  for (const message of messages) {
    if (message.type !== 'assistant') continue
    expect(message.time.completed, JSON.stringify(message)).toBeDefined()
    for (const part of message.content) {
      if (part.type === 'tool') expect(['completed', 'error']).toContain(part.state.status)
    }
  }
  for (const other of others) await server.wait(other)
  expect((await server.send('GET', '/api/session/active')).body.data).toEqual({})
  await expect.poll(() => server.model.openAnswers(), { timeout: 20_000 }).toBe(0)
})

test('an interrupt of a compaction that was asked for ends it, is told, and leaves the session as it was', async ({
  expect,
}) => {
  server = await startTestServer()
  server.model.script({ text: ['hello'] }, { text: ['summ'], hold: hold.wait }, { text: ['again'] })
  const session = await server.firstTurn('Hi')
  const before = await server.messages(session)

  const compacting = server.send('POST', `/api/session/${session}/compact`)
  await server.model.arrived(2)
  expect((await server.send('POST', `/api/session/${session}/interrupt`)).status).toBe(204)

  expect(await compacting).toMatchObject({ status: 409, body: { error: { code: 'conflict' }, resource: session } })
  expect(await server.messages(session)).toEqual(before)
  await server.turn(session, 'Go on')
  expect((await server.messages(session)).at(-1)).toMatchObject({ finish: 'stop', content: [{ text: 'again' }] })
})

test('a stop of the server keeps what waits, and what has begun ends as interrupted', async ({ expect }) => {
  server = await startTestServer()
  server.model.script(...Array.from({ length: turnsRunningMax }, () => ({ text: ['busy'], hold: hold.wait })))
  const busy = await Promise.all(Array.from({ length: turnsRunningMax }, () => server.createSession()))
  for (const session of busy) await server.prompt(session, 'Keep busy')
  await server.model.arrived(turnsRunningMax)
  const waiting = await server.createSession()
  await server.prompt(waiting, 'In line')

  await server.restart()

  expect(await server.messages(waiting)).toEqual([])
  for (const session of busy) expect((await server.messages(session)).at(-1)).toMatchObject(interruptedStep)
  server.model.otherwise({ text: ['answered'] })
  await server.turn(waiting, 'Now')
  const texts = (await server.messages(waiting)).flatMap((message) => (message.type === 'user' ? [message.text] : []))
  expect(texts).toEqual(['In line', 'Now'])
})
