/** The database reaches its bound: what is refused has changed nothing, what was acknowledged is there, reads go on. */
import { mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'vitest'
import { databaseReserveBytes } from '../../../local/agent/limits.ts'
import { killAgentProgram, startAgentProgram } from '../../support/agent-program.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import { fillDisk, hasSmallDisks, smallDisk } from '../../support/small-disk.ts'

const databaseBytesMax = databaseReserveBytes + 400 * 1024
const big = 'x'.repeat(50_000)
let server: TestServer
let faults: string[]

beforeEach(async () => {
  faults = []
  server = await startTestServer({ databaseBytesMax, logger: { error: (event) => void faults.push(event) } })
})

afterEach(() => server.close())

/** Admits prompts until one is refused; answers how many were acknowledged, and the refusal. */
async function fill(session: string, from = 0) {
  for (let count = from; ; count += 1) {
    const answer = await server.prompt(session, big, { id: `msg_${count}`, resume: false })
    if (answer.status !== 200) return { count, refused: answer }
  }
}

async function admitted(session: string): Promise<string[]> {
  const ids: string[] = []
  let after = 0
  for (;;) {
    const { body } = await server.send('GET', `/api/session/${session}/history?limit=100&after=${after}`)
    for (const event of body.data as { type: string; durable: { seq: number }; data: { messageID: string } }[]) {
      if (event.durable.seq !== after + 1) throw new Error(`a gap before ${event.durable.seq}`)
      after = event.durable.seq
      if (event.type === 'session.next.prompt.admitted') ids.push(event.data.messageID)
    }
    if (body.hasMore !== true) return ids
  }
}

test('a prompt that does not fit is refused without a trace; reading goes on, and more room is all it takes', async ({
  expect,
}) => {
  const session = await server.createSession()
  const first = await fill(session)
  // The reserve is in use now: smaller things fit for a while, until it is used up as well.
  const second = await fill(session, first.count)

  expect(first.count).toBeGreaterThan(0)
  expect(second.count).toBeGreaterThan(first.count)
  for (const { refused } of [first, second]) {
    expect(refused).toMatchObject({
      status: 500,
      body: { error: { code: 'database_error', message: expect.stringMatching(/^There is no room for more/) } },
    })
  }
  const ids = Array.from({ length: second.count }, (_unused, index) => `msg_${index}`)
  expect(await admitted(session)).toEqual(ids)
  expect((await server.send('GET', '/api/session')).body.data).toHaveLength(1)

  await server.restart()
  expect(await admitted(session)).toEqual(ids)
  await server.restart({ databaseBytesMax: 64 * 1024 * 1024 })
  expect(await admitted(session)).toEqual(ids)
  expect((await server.prompt(session, big, { id: `msg_${second.count}`, resume: false })).status).toBe(200)
  expect((await stat(path.join(server.dataDir, 'agent.db-reserve'))).size).toBe(databaseReserveBytes)
})

test('a turn whose answer does not fit ends as failed in the reserve, and the session goes on', async ({ expect }) => {
  server.model.script({ text: ['y'.repeat(900_000)] }, { text: ['small'] })
  const session = await server.firstTurn('Tell me everything')

  const messages = await server.messages(session)
  expect(messages.at(-1)).toMatchObject({ type: 'assistant', finish: 'error', content: [] })
  expect(faults).toContain('turn_failed')
  await expect(stat(path.join(server.dataDir, 'agent.db-reserve'))).rejects.toThrow('ENOENT')

  await server.turn(session, 'Briefly')
  expect((await server.messages(session)).at(-1)).toMatchObject({ finish: 'stop', content: [{ text: 'small' }] })
})

test.for(['bash', 'question'] as const)(
  'an interrupt while the owner is asked, by %s, ends what it can, and the server lives',
  async (tool, { expect }) => {
    await server.close()
    server = await startTestServer({
      databaseBytesMax,
      logger: { error: (event) => void faults.push(event) },
      config: { permission: { bash: 'ask' } },
    })
    const questions = [{ question: 'Which?', header: 'Which', options: [{ label: 'This', description: 'one' }] }]
    const input = tool === 'bash' ? { command: 'true' } : { questions }
    server.model.script({ calls: [{ id: 'c', name: tool, input }] })
    const session = await server.createSession()
    await server.prompt(session, 'Go')
    const asked = tool === 'bash' ? 'permission' : 'question'
    await expect
      .poll(async () => (await server.send('GET', `/api/session/${session}/${asked}`)).body.data.length, {
        timeout: 30_000,
      })
      .toBe(1)
    // Both the room and the reserve are used up, to the last byte that a small event needs.
    const other = await server.createSession()
    await fill(other)
    for (const size of [50_000, 5_000, 500, 1]) {
      const send = (count: number) =>
        server.prompt(other, 'x'.repeat(size), { id: `msg_${size}_${count}`, resume: false })
      for (let count = 0; (await send(count)).status === 200; ) count += 1
    }

    // So are the pages that the session has begun: which of them have room left is a matter of the whole layout.
    const agent = () => server.send('POST', `/api/session/${session}/agent`, { agent: 'build' })
    while ((await agent()).status === 204);

    await server.send('POST', `/api/session/${session}/interrupt`)
    await server.wait(session)

    expect(await server.send('GET', '/api/health')).toMatchObject({
      status: 503,
      body: { error: { code: 'backend_unavailable', message: expect.stringContaining('no room for more') } },
    })
    expect((await server.send('GET', '/api/session/active')).body.data).toEqual({})
    expect(faults).toContain('turn_failed')
    await server.restart({ databaseBytesMax: 64 * 1024 * 1024 })
    const step = (await server.messages(session)).findLast(({ type }) => type === 'assistant')
    expect(step).toMatchObject({ error: { reason: 'interrupted' } })
  },
)

test.skipIf(!hasSmallDisks)(
  'a server killed on a disk that is full to its last byte starts to be read, says why, and works on once there is room',
  async ({ expect, onTestFinished }) => {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-disk-')))
    for (const name of ['data', 'project']) await mkdir(path.join(folder, name))
    const disk = await smallDisk(path.join(folder, 'data'), 8)
    onTestFinished(async () => {
      disk.remove()
      await rm(folder, { recursive: true, force: true })
    })
    const start = () => startAgentProgram(folder, {}, disk.within)
    const ask = async (address: string, method: string, target: string, body?: unknown) => {
      const headers = { 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
      const answer = await fetch(`${address}${target}`, { method, ...sent })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
    }
    let running = await start()
    const created = await ask(running.address, 'POST', '/api/session', {})
    const session = `/api/session/${created.body.data.id}`
    const prompt = (id: string) =>
      ask(running.address, 'POST', `${session}/prompt`, { id, prompt: { text: 'Hello' }, resume: false })
    expect((await prompt('msg_1')).status).toBe(200)
    await killAgentProgram(running)
    const data = path.join(folder, 'data')
    await rm(path.join('/proc', String(disk.pid), 'root', data, 'agent.db-reserve'))
    const makeRoom = fillDisk(disk.pid, data)

    running = await start()
    const history = await ask(running.address, 'GET', `${session}/history`)
    expect(history.body.data).toMatchObject([{ data: { messageID: 'msg_1' } }])
    const reason = 'There is no room on the disk: what is stored can be read. Make room, and start the server again'
    const said = { message: expect.stringContaining(reason) }
    expect(await prompt('msg_2')).toMatchObject({ status: 500, body: { error: { code: 'database_error', ...said } } })
    expect(await ask(running.address, 'GET', '/api/health')).toMatchObject({ status: 503, body: { error: said } })
    await killAgentProgram(running)

    makeRoom()
    running = await start()
    expect((await prompt('msg_2')).status).toBe(200)
    expect((await ask(running.address, 'GET', '/api/health')).status).toBe(200)
    await killAgentProgram(running)
  },
  60_000,
)
