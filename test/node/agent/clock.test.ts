/** The wall clock jumps a day ahead or back between any two looks at it: nothing is lost, doubled, reordered or held up. */
import { afterEach, beforeEach, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'

const dayMs = 24 * 60 * 60 * 1000
const startMs = 1_790_000_000_000
const jumps = [0, dayMs, -dayMs, 3 * dayMs, -2 * dayMs, 1]
let looks = 0
let server: TestServer

beforeEach(async () => {
  looks = 0
  const nowMs = () => {
    looks += 1
    return startMs + (jumps[looks % jumps.length] ?? 0)
  }
  server = await startTestServer({
    clock: { nowMs },
    config: { permission: { bash: 'ask' } },
    streamBounds: { heartbeatMs: 50 },
  })
})

afterEach(() => server.close())

test('a turn with a question, a retry and a steer comes to its end, in the order of what happened', async ({
  expect,
}) => {
  server.model.script(
    { status: 503, headers: { 'retry-after': '0' } },
    { text: ['first '], calls: [{ id: 'call_1', name: 'bash', input: { command: 'echo done' } }] },
    { reasoning: ['hm'], text: ['last'] },
  )
  const session = await server.createSession()
  const following = server.events(`/api/session/${session}/event`, (seen) =>
    seen.some(({ data }) => data.type === 'session.next.step.ended' && data.data.finish === 'stop'),
  )
  await server.prompt(session, 'Go')
  await expect
    .poll(async () => (await server.send('GET', `/api/session/${session}/permission`)).body.data.length, {
      timeout: 20_000,
    })
    .toBe(1)
  await server.prompt(session, 'And this')
  const [ask] = (await server.send('GET', `/api/session/${session}/permission`)).body.data
  expect(
    (await server.send('POST', `/api/session/${session}/permission/${ask.id}/reply`, { reply: 'once' })).status,
  ).toBe(204)
  await server.wait(session)

  const seen = await following
  expect(seen.map(({ data }) => data.durable?.seq)).toEqual(seen.map((_event, index) => index))
  expect(new Set(seen.map(({ data }) => data.id)).size).toBe(seen.length)
  expect([...seen.map(({ data }) => data.id)].slice(1).every((id, index) => id > (seen[index]?.data.id ?? ''))).toBe(
    true,
  )
  const messages = await server.messages(session)
  expect(messages.map((message) => message.type)).toEqual(['user', 'assistant', 'assistant', 'user', 'assistant'])
  expect(messages.at(-1)).toMatchObject({
    finish: 'stop',
    content: [{ type: 'reasoning' }, { type: 'text', text: 'last' }],
  })
  expect(looks).toBeGreaterThan(20)
})

test('lists page without gap or double, the catalogue answers, and a restart finds everything', async ({ expect }) => {
  const created: string[] = []
  for (let count = 0; count < 12; count += 1) created.push(await server.createSession())
  const paged: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await server.send('GET', `/api/session?limit=5${cursor === '' ? '' : `&cursor=${cursor}`}`)
    paged.push(...body.data.map((one: { id: string }) => one.id))
    if (body.cursor.next === null) break
    cursor = body.cursor.next
  }
  expect(paged.toSorted()).toEqual(created.toSorted())
  for (let count = 0; count < 6; count += 1) {
    expect((await server.send('GET', '/api/model')).body.data).toMatchObject([{ id: 'one' }])
  }

  await server.prompt(created[0] ?? '', 'Kept', { resume: false })
  await server.restart()
  expect((await server.send('GET', '/api/session?limit=200')).body.data).toHaveLength(12)
  server.model.script({ text: ['answered'] })
  await server.prompt(created[0] ?? '', 'Now')
  await server.wait(created[0] ?? '')
  const texts = (await server.messages(created[0] ?? '')).map((message) =>
    message.type === 'user' ? message.text : '',
  )
  expect(texts).toEqual(['Kept', 'Now', ''])
})

test('an idle stream is kept alive', async ({ expect }) => {
  const response = await fetch(`${server.address}/api/event`)
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('utf8')
    if (text.split(': heartbeat\n\n').length > 4) break
  }
  expect(text).toContain('server.connected')
})
