import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import { rawRequest, sendRaw } from '../../support/raw-http.ts'

const everyRoute = [
  'GET /health',
  'GET /api/health',
  'GET /openapi.json',
  'GET /doc',
  'GET /api/doc',
  'GET /api/event',
  'GET /api/session',
  'POST /api/session',
  'POST /api/pty',
  'GET /api/pty/pty_x/connect',
  'GET /api/nothing',
  'PUT /health',
]

describe('without a password', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  test.for([
    ['the bound address', (port: number) => `127.0.0.1:${port}`, 200],
    ['localhost', (port: number) => `localhost:${port}`, 200],
    ['LOCALHOST', (port: number) => `LOCALHOST:${port}`, 200],
    ['the loopback of IPv6', (port: number) => `[::1]:${port}`, 200],
    ['a foreign name with our port', (port: number) => `evil.example:${port}`, 403],
    ['a foreign name', () => 'evil.example', 403],
    ['a name that begins like ours', (port: number) => `localhost.evil.example:${port}`, 403],
    ['another port', (port: number) => `127.0.0.1:${port === 65_535 ? 1 : port + 1}`, 403],
    ['no port', () => '127.0.0.1', 403],
    ['user info', (port: number) => `a@127.0.0.1:${port}`, 403],
    ['a path', (port: number) => `127.0.0.1:${port}/x`, 403],
    ['an empty one', () => '', 403],
    ['rubbish', () => '[[[', 403],
  ] as const)('Host naming %s', async ([, hostOf, status], { expect }) => {
    const answer = await sendRaw(server.port, rawRequest('GET /api/health', [`Host: ${hostOf(server.port)}`]))

    expect(answer.status, answer.text).toBe(status)
    if (status !== 200) expect(answer.text).toContain('"code":"forbidden"')
  })

  test('two Host headers are refused', async ({ expect }) => {
    const own = `Host: 127.0.0.1:${server.port}`
    const answer = await sendRaw(server.port, rawRequest('GET /api/health', [own, 'Host: evil.example']))

    expect([400, 403]).toContain(answer.status)
    expect(answer.text).not.toContain('healthy')
  })

  test.for([
    ['our own', (port: number) => `http://127.0.0.1:${port}`, 200],
    ['another port of this machine', (port: number) => `http://127.0.0.1:${port === 65_535 ? 1 : port + 1}`, 403],
    ['a foreign page', () => 'http://evil.example', 403],
    ['an opaque page', () => 'null', 403],
    ['an empty one', () => '', 403],
    ['our name in another spelling', (port: number) => `http://localhost:${port}`, 403],
  ] as const)('Origin naming %s', async ([, originOf, status], { expect }) => {
    const answer = await sendRaw(
      server.port,
      rawRequest('GET /api/health', [`Host: 127.0.0.1:${server.port}`, `Origin: ${originOf(server.port)}`]),
    )

    expect(answer.status, answer.text).toBe(status)
    expect(answer.text.toLowerCase()).not.toContain('access-control-')
  })

  test.for(['cross-site', 'same-site'])('Sec-Fetch-Site %s is refused on every route', async (site, { expect }) => {
    for (const line of everyRoute) {
      const answer = await sendRaw(
        server.port,
        rawRequest(line, [`Host: 127.0.0.1:${server.port}`, `Sec-Fetch-Site: ${site}`, 'Content-Length: 0']),
      )
      expect(answer.status, line).toBe(403)
    }
  })

  test('a form of another page cannot create a session: only JSON bodies are taken', async ({ expect }) => {
    for (const contentType of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', undefined]) {
      const response = await fetch(`${server.address}/api/session`, {
        method: 'POST',
        headers: contentType === undefined ? {} : { 'content-type': contentType },
        body: new TextEncoder().encode('{}'),
      })
      expect(response.status, contentType).toBe(400)
    }
    expect((await server.send('GET', '/api/session')).body.data).toEqual([])
  })

  test.for(['/api/\\health', '/api/health#x', 'http://evil.example/api/health', '*'])(
    'the request target %s is refused',
    async (target, { expect }) => {
      const answer = await sendRaw(server.port, rawRequest(`GET ${target}`, [`Host: 127.0.0.1:${server.port}`]))

      expect([400, 404], answer.text).toContain(answer.status)
      expect(answer.text).not.toContain('healthy')
    },
  )

  test('a header over the limit is answered, not dropped', async ({ expect }) => {
    const answer = await sendRaw(
      server.port,
      rawRequest('GET /api/health', [`Host: 127.0.0.1:${server.port}`, `X-Long: ${'x'.repeat(17 * 1024)}`]),
    )

    expect(answer.status).toBe(431)
    expect(answer.text).toContain('"code":"invalid_request"')
  })

  test('whatever the bytes are, the answer is one of a closed list, says how it may be used, and the server lives', async ({
    expect,
  }) => {
    const own = `127.0.0.1:${server.port}`
    const part = fc.oneof(
      {
        weight: 2,
        arbitrary: fc.constantFrom('/api/health', '/api/session', '/%2e%2e/', '/api/session/ses_x/event', '*', ''),
      },
      fc.string({ unit: 'binary-ascii', maxLength: 40 }),
    )
    const header = fc.oneof(
      fc.constantFrom(`Host: ${own}`, 'Host: evil.example', 'Host:', 'Origin: null', `Origin: http://${own}`),
      fc.constantFrom('Transfer-Encoding: chunked', 'Content-Length: 3', 'Content-Length: -1', 'Expect: 100-continue'),
      fc.constantFrom(
        'Content-Type: application/json',
        'Upgrade: websocket',
        'Connection: Upgrade',
        'Sec-Fetch-Site: none',
      ),
      fc.string({ unit: 'binary-ascii', maxLength: 60 }),
    )
    const request = fc.record({
      method: fc.oneof(fc.constantFrom('GET', 'POST', 'OPTIONS', 'TRACE', 'PRI'), fc.string({ maxLength: 8 })),
      target: part,
      headers: fc.array(header, { maxLength: 6 }),
      body: fc.string({ maxLength: 40 }),
    })
    const sound = { target: '/api/health', headers: [`Host: ${own}`], body: '' }
    const served = ['GET', 'POST']
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(request, async ({ method, target, headers, body }) => {
        const lines = [`${method} ${target} HTTP/1.1`, ...headers, 'Connection: close'].join('\r\n')
        // Half of the connection is closed, so that a body that was promised and does not come is over.
        const answer = await sendRaw(server.port, `${lines}\r\n\r\n${body}`, 5_000, true)
        statuses.add(answer.status)
        expect([0, 200, 400, 403, 404, 405, 408, 417, 431], `${lines} -> ${answer.text}`).toContain(answer.status)
        if (answer.status === 0) return
        expect(answer.text.toLowerCase()).toContain('x-content-type-options: nosniff')
        expect(answer.text.toLowerCase()).not.toContain('access-control-')
        if (answer.status >= 400 && method !== 'HEAD') expect(answer.text).toMatch(/\r\n\r\n\{"error":\{"code":"/)
      }),
      // Chance seldom makes a request that is served: those come first.
      { numRuns: 1_000, examples: served.map((method) => [{ ...sound, method }]) },
    )
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 403, 405]))
    expect((await server.send('GET', '/health')).text).toBe('ok\n')
  })

  test('every answer says how it may be used', async ({ expect }) => {
    for (const target of ['/health', '/api/health', '/api/nothing', '/openapi.json']) {
      const answer = await server.send('GET', target)
      expect(Object.fromEntries(answer.headers), target).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      })
    }
  })
})

describe('with a password', () => {
  const servers: TestServer[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })

  async function start(username: string, password: string): Promise<TestServer> {
    const server = await startTestServer({ credentials: { username, password } })
    servers.push(server)
    return server
  }

  function basic(username: string, password: string): Record<string, string> {
    return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
  }

  test('every route asks for it, also one that does not exist, and all refusals are alike', async ({ expect }) => {
    const server = await start('svc', 'open sesame')
    const texts = new Set<string>()
    for (const line of everyRoute) {
      const [method = '', target = ''] = line.split(' ')
      const answer = await server.send(method, target)
      expect(answer.status, line).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Secure Area"')
      texts.add(answer.text)
    }
    expect(texts.size).toBe(1)
  })

  test.for([
    ['a wrong password', basic('svc', 'open sesam')],
    ['a wrong name', basic('svd', 'open sesame')],
    ['an empty password', basic('svc', '')],
    ['a bearer token', { authorization: 'Bearer b3BlbiBzZXNhbWU=' }],
    ['no colon', { authorization: `Basic ${Buffer.from('svc').toString('base64')}` }],
    ['no base64', { authorization: 'Basic %%%' }],
  ] as const)('%s is refused', async ([, headers], { expect }) => {
    const server = await start('svc', 'open sesame')

    expect((await server.send('GET', '/api/health', undefined, headers)).status).toBe(401)
  })

  test('the right one opens every kind of route, from any host name', async ({ expect }) => {
    const server = await start('me', 'pässwörd:with colon')
    const headers = basic('me', 'pässwörd:with colon')

    expect((await server.send('GET', '/health', undefined, headers)).text).toBe('ok\n')
    expect((await server.send('GET', '/openapi.json', undefined, headers)).status).toBe(200)
    const named = await sendRaw(
      server.port,
      rawRequest('GET /api/health', ['Host: agent.example', `Authorization: ${headers['authorization']}`]),
    )
    expect(named.status).toBe(200)
  })

  test('an empty user name is one', async ({ expect }) => {
    const server = await start('', 'open sesame')

    expect((await server.send('GET', '/api/health', undefined, basic('', 'open sesame'))).status).toBe(200)
    expect((await server.send('GET', '/api/health', undefined, basic('svc', 'open sesame'))).status).toBe(401)
  })

  test('a foreign page is refused although it sends the right one', async ({ expect }) => {
    const server = await start('svc', 'open sesame')
    const headers = { ...basic('svc', 'open sesame'), origin: 'http://evil.example' }

    expect((await server.send('POST', '/api/session', {}, headers)).status).toBe(403)
  })
})
