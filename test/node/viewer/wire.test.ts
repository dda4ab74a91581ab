import net from 'node:net'
import { afterAll, test } from 'vitest'
import { createProject, serve } from '../../support/viewer-server.ts'

const project = createProject({ 'a.ts': 'export function a() {}\n' })
await project.sync()
const viewer = await serve(project.place)

afterAll(async () => {
  await viewer.running.close()
  project.dispose()
})

const headerNames = [
  'x-content-type-options: nosniff',
  'x-frame-options: deny',
  'referrer-policy: no-referrer',
  "content-security-policy: default-src 'none'; script-src 'self'",
]

function request(line: string, headers: readonly string[], body = ''): string {
  return `${[line, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`
}

const host = (): string => `Host: 127.0.0.1:${viewer.running.port}`
const marker = ['x-viewer-ui: 1', 'Content-Type: application/json']

test.for<[string, () => string, number]>([
  ['an API answer', () => request('GET /api/stats HTTP/1.1', [host()]), 200],
  ['an unknown route', () => request('GET /api/zzz HTTP/1.1', [host()]), 404],
  ['a page', () => request('GET /style.css HTTP/1.1', [host()]), 404],
  ['a bad request', () => request('GET /api/search HTTP/1.1', [host()]), 400],
  ['a missing Host', () => request('GET /api/stats HTTP/1.1', []), 403],
  ['a missing Host of HTTP/1.0', () => request('GET /api/stats HTTP/1.0', []), 403],
  ['two Hosts', () => request('GET /api/stats HTTP/1.1', [host(), host()]), 403],
  ['a foreign Host', () => request('GET /api/stats HTTP/1.1', ['Host: evil.example']), 403],
  ['a malformed Host', () => request('GET /api/stats HTTP/1.1', ['Host: a b']), 403],
  ['a foreign Origin', () => request('GET /api/stats HTTP/1.1', [host(), 'Origin: http://evil.example']), 403],
  ['a parent segment', () => request('GET /api/../x HTTP/1.1', [host()]), 404],
  ['an absolute target', () => request('GET http://evil.example/api/stats HTTP/1.1', [host()]), 404],
  ['TRACE', () => request('TRACE /api/stats HTTP/1.1', [host()]), 405],
  ['OPTIONS', () => request('OPTIONS * HTTP/1.1', [host()]), 405],
  ['CONNECT', () => request('CONNECT evil.example:443 HTTP/1.1', [host()]), 405],
  [
    'an upgrade',
    () => `${['GET /api/events HTTP/1.1', host(), 'Connection: Upgrade', 'Upgrade: websocket'].join('\r\n')}\r\n\r\n`,
    404,
  ],
  ['an unknown expectation', () => request('GET /api/stats HTTP/1.1', [host(), 'Expect: something']), 200],
  ['an unknown method', () => request('FLY /api/stats HTTP/1.1', [host()]), 400],
  ['a malformed request line', () => 'hello\r\n\r\n', 400],
  ['an empty request', () => '\r\n\r\n\0', 400],
  ['a request line without a target', () => request('GET  HTTP/1.1', [host()]), 400],
  ['a request line with two targets', () => request('GET /api /api/stats HTTP/1.1', [host()]), 400],
  ['an unknown version', () => request('GET /api/stats HTTP/9.9', [host()]), 400],
  ['a request of another protocol', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['a header line without a colon', () => request('GET /api/stats HTTP/1.1', [host(), 'nothing']), 400],
  ['a space before the colon of Host', () => request('GET /api/stats HTTP/1.1', ['Host : 127.0.0.1']), 400],
  ['a zero byte in a header', () => request('GET /api/stats HTTP/1.1', [host(), 'X-A: a\0b']), 400],
  [
    'two lengths',
    () => request('POST /api/trails HTTP/1.1', [host(), ...marker, 'Content-Length: 2', 'Content-Length: 3'], '{}'),
    400,
  ],
  [
    'a length beside chunks',
    () =>
      request(
        'POST /api/trails HTTP/1.1',
        [host(), ...marker, 'Content-Length: 2', 'Transfer-Encoding: chunked'],
        '0\r\n\r\n',
      ),
    400,
  ],
  [
    'a length that is no number',
    () => request('POST /api/trails HTTP/1.1', [host(), ...marker, 'Content-Length: two'], '{}'),
    400,
  ],
  [
    'chunks that are none',
    () => request('POST /api/trails HTTP/1.1', [host(), ...marker, 'Transfer-Encoding: chunked'], 'zz\r\n'),
    400,
  ],
  ['PUT', () => request('PUT /api/trails HTTP/1.1', [host(), ...marker, 'Content-Length: 2'], '{}'), 405],
  ['PATCH', () => request('PATCH /api/trails HTTP/1.1', [host(), ...marker, 'Content-Length: 2'], '{}'), 405],
  ['two Hosts, the second foreign', () => request('GET /api/stats HTTP/1.1', [host(), 'Host: evil.example']), 403],
  [
    'an absolute target of its own',
    () => request(`GET http://127.0.0.1:${viewer.running.port}/api/stats HTTP/1.1`, [host()]),
    404,
  ],
  ['an encoded parent segment', () => request('GET /api/%2e%2e/x HTTP/1.1', [host()]), 404],
  ['a doubly encoded parent segment', () => request('GET /api/file/%252e%252e/x HTTP/1.1', [host()]), 404],
  ['an encoded slash around a parent segment', () => request('GET /api/file/a%2f..%2fb HTTP/1.1', [host()]), 404],
  ['a parent segment of a page', () => request('GET /../../etc/passwd HTTP/1.1', [host()]), 404],
  ['a backslash', () => request('GET /api/file/..\\x HTTP/1.1', [host()]), 404],
  ['an encoded control byte', () => request('GET /api/file/a%00.ts HTTP/1.1', [host()]), 404],
  ['a malformed escape', () => request('GET /api/file/%zz HTTP/1.1', [host()]), 404],
  ['headers over 16 KiB', () => request('GET /api/stats HTTP/1.1', [host(), `X-Long: ${'x'.repeat(17_000)}`]), 431],
  ['a write outside the API', () => request('POST /x HTTP/1.1', [host(), ...marker, 'Content-Length: 2'], '{}'), 405],
  [
    'a write without its marker',
    () => request('POST /api/trails HTTP/1.1', [host(), 'Content-Type: application/json', 'Content-Length: 2'], '{}'),
    403,
  ],
  [
    'a write of a form',
    () =>
      request(
        'POST /api/trails HTTP/1.1',
        [host(), 'x-viewer-ui: 1', 'Content-Type: text/plain', 'Content-Length: 2'],
        '{}',
      ),
    403,
  ],
  [
    'a write to another route',
    () => request('POST /api/stats HTTP/1.1', [host(), ...marker, 'Content-Length: 2'], '{}'),
    400,
  ],
  [
    'a body announced too large',
    () => request('POST /api/trails HTTP/1.1', [host(), ...marker, 'Content-Length: 65537'], ''),
    400,
  ],
  [
    'a chunked body too large',
    () =>
      request(
        'POST /api/trails HTTP/1.1',
        [host(), ...marker, 'Transfer-Encoding: chunked'],
        `${(70_000).toString(16)}\r\n${' '.repeat(70_000)}\r\n0\r\n\r\n`,
      ),
    400,
  ],
  [
    'a body of exactly the bound, which is no trail',
    () => request('POST /api/trails HTTP/1.1', [host(), ...marker, 'Content-Length: 65536'], `{}${' '.repeat(65_534)}`),
    400,
  ],
])('%s is answered with the security headers and no CORS header', async ([, make, status], { expect }) => {
  const answer = await viewer.raw(make())
  const head = answer.slice(0, answer.indexOf('\r\n\r\n')).toLowerCase()

  expect(head.split('\r\n')[0]).toContain(` ${status} `)
  for (const name of headerNames) expect(head).toContain(name)
  expect(head).not.toContain('access-control-')
})

test('refusals under /api are JSON with a code, others are text', async ({ expect }) => {
  const api = await viewer.raw(request('PUT /api/stats HTTP/1.1', [host()]))
  const page = await viewer.raw(request('PUT /x HTTP/1.1', [host()]))

  expect(JSON.parse(api.slice(api.indexOf('\r\n\r\n') + 4))).toEqual({ error: expect.any(String), code: 'refused' })
  expect(api.toLowerCase()).toContain('allow: get, head, post, delete')
  expect(page.toLowerCase()).toContain('content-type: text/plain')
})

test('a body in chunks may be as large as the bound and not one byte larger', async ({ expect }) => {
  const send = async (bytes: number): Promise<string> => {
    const body = `{}${' '.repeat(bytes - 2)}`
    const half = Math.floor(bytes / 2)
    const chunks = [body.slice(0, half), body.slice(half), ''].map((one) => `${one.length.toString(16)}\r\n${one}\r\n`)
    const answer = await viewer.raw(
      request('POST /api/trails HTTP/1.1', [host(), ...marker, 'Transfer-Encoding: chunked'], chunks.join('')),
    )
    return (JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { error: string }).error
  }

  expect(await send(65_536)).not.toContain('65536 bytes')
  expect(await send(65_537)).toContain('65536 bytes')
})

test('nobody is asked who they are, and every method that is served is served', async ({ expect }) => {
  const statusOf = (answer: string): string | undefined => / (\d{3}) /.exec(answer)?.[1]
  const get = await viewer.raw(request('GET /api/stats HTTP/1.1', [host()]))
  const head = await viewer.raw(request('HEAD /api/stats HTTP/1.1', [host()]))
  const found = await viewer.get('/api/search?q=a')
  const trail = JSON.stringify({ name: 'way', hops: [{ id: found.body.results.items[0].id }] })
  const post = await viewer.raw(
    request('POST /api/trails HTTP/1.1', [host(), ...marker, `Content-Length: ${trail.length}`], trail),
  )
  const remove = await viewer.raw(request('DELETE /api/trails/way HTTP/1.1', [host(), 'x-viewer-ui: 1']))

  expect([get, head].map(statusOf)).toEqual(['200', '200'])
  expect(statusOf(post), post).toMatch(/^20[01]$/)
  expect(statusOf(remove), remove).toMatch(/^20[04]$/)
  for (const answer of [get, head, post, remove])
    expect(answer.toLowerCase()).not.toMatch(/www-authenticate|set-cookie/)
})

test('a body over the bound that never ends is answered and let go', async ({ expect }) => {
  const answer = await viewer.raw(
    `${['POST /api/trails HTTP/1.1', host(), ...marker, 'Content-Length: 999999'].join('\r\n')}\r\n\r\n{`,
  )

  expect(answer).toContain(' 400 ')
  expect(answer.toLowerCase()).toContain('connection: close')
})

test('HEAD answers the same headers and no body', async ({ expect }) => {
  const get = await viewer.raw(request('GET /api HTTP/1.1', [host()]))
  const head = await viewer.raw(request('HEAD /api HTTP/1.1', [host()]))
  const length = (answer: string): string | undefined => /content-length: (\d+)/i.exec(answer)?.[1]

  expect(length(head)).toBe(length(get))
  expect(head.slice(head.indexOf('\r\n\r\n') + 4)).toBe('')
})

test('it listens on 127.0.0.1 only', async ({ expect }) => {
  expect(viewer.running.address).toBe(`http://127.0.0.1:${viewer.running.port}`)
  const other = await new Promise<string>((resolve) => {
    const socket = net.connect(viewer.running.port, '127.0.0.2', () => {
      socket.destroy()
      resolve('open')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
  })
  expect(other).toBe('ECONNREFUSED')
})
