import { afterAll, expect, test } from 'vitest'
import { callsBesideMax } from '../../../local/agent/limits.ts'
import { startTestServer } from '../../support/agent-server.ts'
import { gate, type ScriptedCall } from '../../support/fake-model.ts'

const server = await startTestServer({
  config: { permission: 'allow', sandbox: { enabled: false } },
})

afterAll(() => server.close())

async function run(calls: readonly ScriptedCall[]) {
  server.model.script({ calls }, { text: ['done'] })
  const session = await server.firstTurn('Go')
  const messages = await server.messages(session)
  return messages.flatMap((message) =>
    message.type === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool' ? [part.state] : [])) : [],
  )
}

function command(id: string, line: string): ScriptedCall {
  return { id, name: 'bash', input: { command: line } }
}

/** Ends well only once the other has begun. */
const meet = (own: string, other: string) =>
  `touch ${own}; for i in $(seq 600); do [ -e ${other} ] && exit 0; sleep 0.05; done; exit 9`

test('neighbouring commands run at the same time', { timeout: 60_000 }, async () => {
  const states = await run([command('a', meet('a', 'b')), command('b', meet('b', 'a'))])
  expect(states).toMatchObject([{ structured: { exit: 0 } }, { structured: { exit: 0 } }])
})

test.for([callsBesideMax, callsBesideMax + 1])(
  '%i commands of one step all run',
  { timeout: 60_000 },
  async (count) => {
    const states = await run(
      Array.from({ length: count }, (_, index) => command(`c${index}`, `echo ${index}; sleep 0.2`)),
    )
    expect(states).toHaveLength(count)
    for (const state of states) expect(state).toMatchObject({ structured: { exit: 0 } })
  },
)

test('commands of git run one after another, and an edit sees what the command before it left', {
  timeout: 60_000,
}, async () => {
  const locked = 'mkdir lock && sleep 0.3 && rmdir lock # git'
  const states = await run([
    command('g1', locked),
    command('g2', locked),
    command('e1', 'touch made; sleep 0.3; rm made'),
    { id: 'w', name: 'write', input: { path: 'made', content: 'whole' } },
    command('e2', 'cat made'),
  ])
  expect(states.map((state) => state.status)).toEqual(Array(5).fill('completed'))
  expect(states.slice(0, 2)).toMatchObject([{ structured: { exit: 0 } }, { structured: { exit: 0 } }])
  expect(JSON.stringify(states[4])).toContain('whole')
})

test('neighbouring tasks work at the same time, each in a session of its own', { timeout: 60_000 }, async () => {
  const both = gate()
  const begun = server.model.asked.length
  const task = (id: string): ScriptedCall => ({ id, name: 'task', input: { description: id, prompt: `Do ${id}` } })
  server.model.script(
    { calls: [task('one'), task('two')] },
    { text: ['part'], hold: both.wait },
    { text: ['part'], hold: both.wait },
    { text: ['done'] },
  )
  const session = await server.createSession()
  await server.prompt(session, 'Go')
  await server.model.arrived(begun + 3)
  both.open()
  await server.wait(session)

  const [, first] = await server.messages(session)
  expect(first).toMatchObject({ content: [{ state: { status: 'completed' } }, { state: { status: 'completed' } }] })
  expect(JSON.stringify(server.model.asked.at(-1)?.messages)).toContain('part')
})
