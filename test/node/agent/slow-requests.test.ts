/** Requests that do not come to an end are answered as such, and connections that nobody uses are closed. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, test } from 'vitest'
import { connectionsLookMs } from '../../../local/agent/limits.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'

let server: TestServer
const sockets: Socket[] = []
let faults: string[]

beforeEach(async () => {
  faults = []
  const logger = { error: (event: string) => void faults.push(event) }
  server = await startTestServer({ headersMsMax: 300, requestMsMax: 600, keepAliveMs: 300, logger })
})

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close()
})

/** Sends a beginning and then nothing; answers what came back before the server closed the connection. */
async function untilClosed(beginning: string): Promise<string> {
  const socket: Socket = connect(server.port, '127.0.0.1')
  socket.write(beginning)
  sockets.push(socket)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  await once(socket, 'close')
  return text
}

const head = (): string => `Host: 127.0.0.1:${server.port}\r\nContent-Type: application/json\r\n`

const beginnings: readonly (readonly [string, () => string])[] = [
  ['no header at all', () => 'GET /api/health HTTP/1.1\r\n'],
  ['half of the headers', () => `GET /api/health HTTP/1.1\r\n${head()}X-More: `],
  ['half of a body', () => `POST /api/session HTTP/1.1\r\n${head()}Content-Length: 100\r\n\r\n{"id":`],
  ['half of a chunked one', () => `POST /api/session HTTP/1.1\r\n${head()}Transfer-Encoding: chunked\r\n\r\n5\r\n{"id`],
]

test.for(beginnings)('%s is not waited for for ever', async ([, beginning], { expect }) => {
  const text = await untilClosed(beginning())

  expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(text).toContain('X-Content-Type-Options: nosniff'.toLowerCase())
  expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toMatchObject({
    error: { code: 'invalid_request', message: 'The request was not complete in time' },
  })
  expect((await server.send('GET', '/api/session')).body.data).toEqual([])
  expect(faults).toEqual([])
})

test('nor is a connection that says nothing', async ({ expect }) => {
  expect(await untilClosed('')).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
})

test('a request that came in time is answered, however long the server was held up', async ({ expect }) => {
  const socket = connect(server.port, '127.0.0.1')
  sockets.push(socket)
  await once(socket, 'connect')
  await server.send('GET', '/api/health')
  socket.write(`GET /api/health HTTP/1.1\r\n${head()}\r\n`)
  const heldUntil = performance.now() + 300 + connectionsLookMs
  while (performance.now() < heldUntil);
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

test('a connection without a next request is closed, one with a stream is not', async ({ expect }) => {
  // Only the time between requests is short: a whole request may take its time on a busy machine.
  await server.restart({ headersMsMax: 10_000, requestMsMax: 20_000 })
  const session = await server.createSession()
  const following = server.events(`/api/session/${session}/event`, (seen) =>
    seen.some(({ data }) => data.type === 'session.next.prompt.admitted'),
  )
  const text = await untilClosed(`GET /health HTTP/1.1\r\n${head()}\r\n`)
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)

  // By now that time has passed for the stream as well.
  await server.prompt(session, 'Hi', { resume: false })
  expect((await following).length).toBeGreaterThan(1)
})
