/** Bounds of turns, asks and connections: what lies at them works, and one more gets its documented answer. */
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, test } from 'vitest'
import { editorStream } from '../../../local/agent/acp-command.ts'
import {
  connectionsMax,
  editorMessageBytesMax,
  pendingAsksPerSessionMax,
  promptFilesMax,
  stepsPerTurnMax,
} from '../../../local/agent/limits.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'

let server: TestServer

beforeEach(async () => {
  server = await startTestServer()
})

afterEach(() => server.close())

test('a turn that never comes to an end stops after its last step, and the session goes on', {
  timeout: 180_000,
  tags: 'slow',
}, async ({ expect }) => {
  let calls = 0
  server.model.otherwise(() => {
    calls += 1
    return calls <= stepsPerTurnMax + 1
      ? { calls: [{ id: `call_${calls}`, name: 'no_such_tool', input: { calls } }] }
      : { text: ['done'] }
  })
  const session = await server.createSession()
  await server.prompt(session, 'Go on for ever')
  await server.model.arrived(1)
  await server.wait(session)
  expect(server.model.asked).toHaveLength(stepsPerTurnMax)

  await server.turn(session, 'And again')
  expect(server.model.asked).toHaveLength(stepsPerTurnMax + 2)
})

test('sixty-four requests of a session wait for the owner; one more is refused to the model', async ({ expect }) => {
  const questions = [{ question: 'Which?', header: 'Which', options: [{ label: 'This', description: 'one' }] }]
  const calls = Array.from({ length: pendingAsksPerSessionMax + 1 }, (_unused, index) => ({
    id: `call_${index}`,
    ...(index % 2 === 0
      ? { name: 'question', input: { questions } }
      : { name: 'read', input: { path: `/etc/file-${index}` } }),
  }))
  server.model.script({ calls })
  const session = await server.createSession()
  await server.prompt(session, 'Read them all')
  await server.events(
    `/api/session/${session}/event`,
    (seen) =>
      seen.filter((event) => event.data.type.endsWith('.v2.asked')).length === pendingAsksPerSessionMax &&
      seen.some((event) => event.data.type === 'session.next.tool.failed'),
  )

  const pending = async () => {
    const lists = await Promise.all(
      ['permission', 'question'].map((kind) => server.send('GET', `/api/session/${session}/${kind}`)),
    )
    return lists.flatMap((list) => list.body.data)
  }
  expect(await pending()).toHaveLength(pendingAsksPerSessionMax)
  const step = (await server.messages(session)).at(-1)
  const refused =
    step?.type === 'assistant' ? step.content.filter((part) => JSON.stringify(part).includes('Too many')) : []
  expect(refused).toHaveLength(1)
  await server.send('POST', `/api/session/${session}/interrupt`)
  expect(await pending()).toEqual([])
})

test('a prompt takes as many files as it may, and not one more', async ({ expect }) => {
  const session = await server.createSession()
  const files = (count: number) => Array.from({ length: count }, () => ({ uri: 'data:text/plain,x' }))
  const send = (count: number) =>
    server.send('POST', `/api/session/${session}/prompt`, { prompt: { text: 'x', files: files(count) }, resume: false })

  expect((await send(promptFilesMax)).status).toBe(200)
  expect(await send(promptFilesMax + 1)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
})

test('as many connections as there may be are served; one more is closed and the others go on', async ({ expect }) => {
  const request = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`
  const sockets: Socket[] = []
  const open = () =>
    new Promise<'answered' | 'closed'>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write(request))
      sockets.push(socket)
      socket.once('data', () => resolve('answered'))
      socket.once('error', () => resolve('closed'))
      socket.once('close', () => resolve('closed'))
    })
  const held = Array.from({ length: connectionsMax - 1 }, open)
  expect(new Set(await Promise.all(held))).toEqual(new Set(['answered']))
  expect(await open()).toBe('answered')
  expect(await open()).toBe('closed')

  sockets[0]?.destroy()
  await expect.poll(open, { timeout: 20_000 }).toBe('answered')
  for (const socket of sockets) socket.destroy()
})

test.for([
  ['a line of thirty-two MiB is a message of an editor', editorMessageBytesMax, true],
  ['a line of one byte more ends the stream', editorMessageBytesMax + 1, false],
] as const)('%s', async ([, bytes, isRead], { expect }) => {
  const frame = ['{"jsonrpc":"2.0","method":"x","params":{"text":"', '"}}']
  const text = 'x'.repeat(bytes - frame.join('').length)
  const input = new Blob([frame.join(text), '\n']).stream()
  const reader = editorStream(input, new WritableStream()).readable.getReader()
  const read = reader.read().catch((error: unknown) => ({ error, value: undefined }))
  expect((await read).value !== undefined).toBe(isRead)
})
