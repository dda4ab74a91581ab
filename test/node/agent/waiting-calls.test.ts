/** Calls that stand behind another one say so, to who looks on and to who comes later. */
import { afterAll, test } from 'vitest'
import { type StreamedEvent, startTestServer } from '../../support/agent-server.ts'

const server = await startTestServer({ config: { permission: { bash: 'ask' } } })

afterAll(() => server.close())

const active = async () => (await server.send('GET', '/api/session/active')).body.data
const write = (id: string) => ({ id, name: 'write', input: { path: `${id}.txt`, content: id } })
const isWaiting = ({ data }: StreamedEvent) => data.type === 'session.tool.waiting'

async function firstRequest(session: string): Promise<string> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const { data } = (await server.send('GET', `/api/session/${session}/permission`)).body
    if (data.length > 0) return data[0].id
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('nothing was asked')
}

test('calls behind one that is asked about wait until it is answered', async ({ expect }) => {
  server.model.script(
    { calls: [{ id: 'asked', name: 'bash', input: { command: 'true' } }, write('w1'), write('w2')] },
    { text: ['done'] },
  )
  const session = await server.createSession()
  const told = server.events('/api/event', (events) => events.some(({ data }) => data.data?.callIDs?.length === 0))
  await server.prompt(session, 'Go')
  const request = await firstRequest(session)
  expect(await active()).toEqual({ [session]: { type: 'running', waiting: ['w1', 'w2'] } })
  await server.send('POST', `/api/session/${session}/permission/${request}/reply`, { reply: 'once' })
  await server.wait(session)
  const waits = (await told).filter(isWaiting).map(({ data }) => data.data.callIDs)
  expect(waits).toEqual([['w1', 'w2'], ['w2'], []])
  expect(await active()).toEqual({})
})

test('an interrupt leaves nothing waiting', async ({ expect }) => {
  server.model.script({ calls: [{ id: 'asked2', name: 'bash', input: { command: 'true' } }, write('w3')] })
  const session = await server.createSession()
  await server.prompt(session, 'Go')
  await firstRequest(session)
  const told = server.events('/api/event', (events) => events.some(isWaiting))
  await server.send('POST', `/api/session/${session}/interrupt`)
  expect((await told).filter(isWaiting).map(({ data }) => data.data.callIDs)).toEqual([[]])
})

test('calls that begin together are told of by nobody', async ({ expect }) => {
  const read = (id: string) => ({ id, name: 'glob', input: { pattern: id } })
  server.model.script({ calls: [read('r1'), read('r2'), read('r3')] }, { text: ['done'] })
  const session = await server.createSession()
  const told = server.events('/api/event', (events) =>
    events.some(({ data }) => data.type === 'session.next.step.ended'),
  )
  await server.turn(session, 'Go')
  expect((await told).filter(isWaiting)).toEqual([])
})
