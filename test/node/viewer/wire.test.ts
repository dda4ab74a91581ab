import net from 'node:net'
import { afterAll, beforeAll, test } from 'vitest'
import { createProject, serve, type TestProject, type TestViewer } from '../../support/viewer-server.ts'

let project: TestProject
let viewer: TestViewer

beforeAll(async () => {
  project = createProject({ 'a.ts': 'export function a() {}\n' })
  await project.sync()
  viewer = await serve(project.place)
})

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
