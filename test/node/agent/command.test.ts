import { afterEach, beforeEach, describe, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'

let server: TestServer

beforeEach(async () => {
  server = await startTestServer({
    config: {
      command: {
        greet: { template: 'Say hello to $1, then to $2.', agent: 'plan', model: 'fake/two' },
        look: { template: 'Look for $ARGUMENTS', agent: 'explore' },
      },
    },
  })
  await server.write('.svc/commands/team/ship.md', '---\ndescription: Ships\n---\nShip $ARGUMENTS')
  await server.restart()
})

afterEach(() => server.close())

async function run(text: string, more: Record<string, unknown> = {}) {
  server.model.script({ text: ['done'] })
  const session = await server.createSession()
  const admitted = await server.prompt(session, text, more)
  await server.wait(session)
  const record = (await server.send('GET', `/api/session/${session}`)).body.data
  const asked = server.model.asked.at(-1)
  return { session, admitted, record, asked: JSON.stringify(asked?.messages.at(-1)), model: asked?.model }
}

describe('a prompt that names a command', () => {
  test('is what its template says, with its arguments, agent and model', async ({ expect }) => {
    const { admitted, record, asked, model } = await run('/greet "Ann Lee" Bo and Cy')

    expect(admitted.body.data.prompt.text).toBe('Say hello to Ann Lee, then to Bo and Cy.')
    expect(asked).toContain('Say hello to Ann Lee, then to Bo and Cy.')
    expect(record).toMatchObject({ agent: 'plan', model: { providerID: 'fake', id: 'two' } })
    expect(model).toBe('two')
  })

  test('from a file in a folder has the folder in its name', async ({ expect }) => {
    expect((await run('/team/ship it now')).asked).toContain('Ship it now')
  })

  test('takes the agent and the model that the request names instead', async ({ expect }) => {
    const { record } = await run('/greet a b', { agent: 'build', model: { providerID: 'fake', id: 'one' } })
    expect(record).toMatchObject({ agent: 'build', model: { id: 'one' } })
  })

  test.for([
    ['/review HEAD', 'Hand this to the agent general with the task tool'],
    ['/look plums', 'Hand this to the agent explore with the task tool'],
  ] as const)('for another agent, %o, is handed over as a task', async ([text, part], { expect }) => {
    const { asked, record } = await run(text)
    expect(asked).toContain(part)
    expect(record.agent).toBeUndefined()
  })

  test('is told to followers of the process', async ({ expect }) => {
    const session = await server.createSession()
    const told = server.events('/api/event', (seen) => {
      if (seen.length === 1) void server.prompt(session, '/greet a b', { id: 'msg_greet', resume: false })
      return seen.some(({ data }) => data.type === 'command.executed')
    })
    expect((await told).at(-1)?.data.data).toEqual({
      name: 'greet',
      arguments: 'a b',
      sessionID: session,
      messageID: 'msg_greet',
    })
  })

  test('is admitted once, however often it is sent, even after the command changed', async ({ expect }) => {
    const session = await server.createSession()
    const send = () => server.prompt(session, '/team/ship it', { id: 'msg_once', resume: false })
    const first = await send()
    await server.write('.svc/commands/team/ship.md', 'Changed')
    await server.restart()
    expect((await send()).body).toEqual(first.body)
  })

  test('and becomes too long is refused', async ({ expect }) => {
    await server.write('.svc/commands/team/ship.md', `${'x'.repeat(60_000)} $ARGUMENTS`)
    await server.restart()
    const session = await server.createSession()
    const refused = await server.prompt(session, `/team/ship ${'y'.repeat(1024 * 1024 - 100)}`, { resume: false })
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  })
})

test.for(['/unknown thing', '/etc/hosts says what?', 'please /greet a b'])(
  'a prompt such as %o is only text',
  async (text, { expect }) => {
    const { admitted, record } = await run(text)
    expect(admitted.body.data.prompt.text).toBe(text)
    expect(record.agent).toBeUndefined()
  },
)
