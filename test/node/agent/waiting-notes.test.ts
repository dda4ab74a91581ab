/** The owner is told on other channels that a session waits: once, late, in words that give nothing away. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestContext, test } from 'vitest'
import { configuration } from '../../../local/agent/contract/configuration.ts'
import { notifyAfterSecondsMax, notifyAfterSecondsMin } from '../../../local/agent/limits.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'

interface Told {
  readonly url: string
  readonly authorization: string | undefined
  readonly body: unknown
}

const token = 'wharf_canarytoken00_CanaryOfTheOwner73'

/** The one route of the service, as the contract of it has it; `status` is what it answers. */
async function service({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, status = 200, location?: string) {
  const told: Told[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { url = '', headers } = request
    told.push({ url, authorization: headers.authorization, body: JSON.parse(Buffer.concat(chunks).toString()) })
    response.writeHead(status, location === undefined ? {} : { location }).end('{"channels":1}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  return { told, url: `http://127.0.0.1:${port}` }
}

async function agent(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  notify: object,
  logged: string[] = [],
): Promise<TestServer> {
  const logger = { error: (event: string, fields: object) => void logged.push(`${event} ${JSON.stringify(fields)}`) }
  const server = await startTestServer({ logger, config: { permission: { bash: 'ask', edit: 'ask' }, notify } })
  onTestFinished(() => server.close())
  return server
}

const run = (id: string, command: string) => ({ id, name: 'bash', input: { command } })
const pending = async (server: TestServer, session: string) =>
  (await server.send('GET', `/api/session/${session}/permission`)).body.data as { id: string }[]
const answer = (server: TestServer, session: string, id: string) =>
  server.send('POST', `/api/session/${session}/permission/${id}/reply`, { reply: 'reject', message: 'no' })

test('what stays unanswered is told once for its session, and what is asked after an answer again', {
  tags: 'slow',
}, async (context) => {
  const { expect } = context
  const { told, url } = await service(context)
  const server = await agent(context, { url: `${url}/`, token, after: 1, page: 'https://nas.example/agent/' })
  const ask = { calls: [run('a', 'echo CanaryOfTheCommand'), run('b', 'echo two')] }
  server.model.script(ask, { calls: [run('c', 'echo three')] }, { text: ['done'] })
  const session = await server.createSession()
  await server.prompt(session, 'Go')
  await expect.poll(() => told.length, { timeout: 20_000 }).toBe(1)
  expect(told[0]).toEqual({
    url: '/api/app/v1/messages',
    authorization: `Bearer ${token}`,
    body: {
      title: 'project: the agent waits for you',
      text: 'It asks whether it may run a command.',
      link: 'https://nas.example/agent/',
    },
  })
  await sleep(1_500)
  expect(told).toHaveLength(1)
  for (const { id } of await pending(server, session)) await answer(server, session, id)
  await expect.poll(() => told.length, { timeout: 20_000 }).toBe(2)
})

test('what is answered in time is not told, and neither is anything without the setting', async (context) => {
  const { expect } = context
  const { told, url } = await service(context)
  for (const notify of [{ url, token, after: 2 }, undefined]) {
    const server = await agent(context, notify as object)
    server.model.script({ calls: [run('a', 'echo one')] }, { text: ['done'] })
    const session = await server.createSession()
    await server.prompt(session, 'Go')
    await expect.poll(async () => (await pending(server, session)).length, { timeout: 20_000 }).toBe(1)
    const [request] = await pending(server, session)
    await answer(server, session, request?.id ?? '')
    await server.wait(session)
  }
  await sleep(2_500)
  expect(told).toEqual([])
})

test('a question is told as one, without its words', async (context) => {
  const { expect } = context
  const { told, url } = await service(context)
  const server = await agent(context, { url, token, after: 1 })
  const questions = [{ question: 'CanaryOfTheQuestion?', header: 'H', options: [{ label: 'a', description: 'b' }] }]
  server.model.script({ calls: [{ id: 'q', name: 'question', input: { questions } }] }, { text: ['done'] })
  await server.prompt(await server.createSession(), 'Go')
  await expect.poll(() => told.length, { timeout: 20_000 }).toBe(1)
  expect(told[0]?.body).toEqual({ title: 'project: the agent waits for you', text: 'It has a question.' })
})

test('a refusal and a redirect are logged by their status, and the token goes nowhere else', async (context) => {
  const { expect } = context
  const elsewhere = await service(context)
  const { told, url } = await service(context, 307, `${elsewhere.url}/api/app/v1/messages`)
  const logged: string[] = []
  const server = await agent(context, { url, token, after: 1 }, logged)
  server.model.script({ calls: [run('a', 'echo one')] }, { text: ['done'] })
  await server.prompt(await server.createSession(), 'Go')
  await expect.poll(() => logged, { timeout: 20_000 }).toEqual(['notice_not_sent {"kind":"status","status":307}'])
  expect(told).toHaveLength(1)
  expect(elsewhere.told).toEqual([])
})

test('a project that nobody trusts names no address', async (context) => {
  const { expect } = context
  const { told, url } = await service(context)
  const server = await startTestServer({ config: { permission: { bash: 'ask' } }, logger: { error: () => undefined } })
  context.onTestFinished(() => server.close())
  await writeFile(path.join(server.project, 'svc.json'), JSON.stringify({ notify: { url, token, after: 1 } }))
  server.model.script({ calls: [run('a', 'echo one')] }, { text: ['done'] })
  await server.prompt(await server.createSession(), 'Go')
  await sleep(2_500)
  expect(told).toEqual([])
})

test.for<[string, object]>([
  ['a shorter wait', { after: notifyAfterSecondsMin - 1 }],
  ['a longer wait', { after: notifyAfterSecondsMax + 1 }],
  ['a password in the address', { url: 'https://a:b@nas.example' }],
  ['another protocol', { url: 'ftp://nas.example' }],
  ['no token', { token: '' }],
])('%s is no setting', ([, change], { expect }) => {
  const sound = { url: 'https://nas.example', token: 't', after: notifyAfterSecondsMax }
  expect(configuration.safeParse({ notify: sound }).success).toBe(true)
  expect(configuration.safeParse({ notify: { ...sound, after: notifyAfterSecondsMin } }).success).toBe(true)
  expect(configuration.safeParse({ notify: { ...sound, ...change } }).success).toBe(false)
})
