/** A browser signs in by an address that works once, and is known again by a cookie of this host and port. */
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { AgentServerOptions } from '../../../local/agent/compose/options.ts'
import { ownCookie } from '../../../local/agent/compose.ts'
import {
  browserCookieSecondsMax,
  ownCookieSecondsMax,
  passwordTriesMax,
  passwordWindowMs,
} from '../../../local/agent/limits.ts'
import { type Answer, startTestServer, type TestServer } from '../../support/agent-server.ts'
import { rawRequest, sendRaw } from '../../support/raw-http.ts'

const servers: TestServer[] = []
const startMs = 1_790_000_000_500
let nowMs = startMs

async function start(options: Partial<AgentServerOptions> = {}): Promise<TestServer> {
  const server = await startTestServer({ hasBrowserAuth: true, clock: { nowMs: () => nowMs }, ...options })
  servers.push(server)
  return server
}

afterAll(async () => {
  for (const server of servers) await server.close()
})

function open(address: string, init: RequestInit = {}): Promise<Response> {
  return fetch(address, { redirect: 'manual', ...init })
}

/** What a browser sends back of the cookie that it was given. */
async function signIn(server: TestServer): Promise<string> {
  const response = await open(server.signInAddress)
  if (response.status !== 303) throw new Error(await response.text())
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

function get(server: TestServer, cookie: string, target = '/api/health'): Promise<Answer> {
  return server.send('GET', target, undefined, { cookie })
}

describe('the exchange', () => {
  test('answers the one who has the token with a cookie and leads to the health of the server', async ({ expect }) => {
    const server = await start()
    expect(server.signInAddress).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/auth\/browser\?token=[\w-]{43}$/)

    const response = await open(server.signInAddress)
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/health')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    const [cookie = '', ...attributes] = (response.headers.get('set-cookie') ?? '').split('; ')
    expect(cookie).toMatch(/^svc_[0-9a-f]{12}=[\w-]+\.[\w-]{43}$/)
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict'])
    expect((await get(server, cookie, '/health')).text).toBe('ok\n')
  })

  test('works once, however many ask at the same time', async ({ expect }) => {
    const server = await start()
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await open(server.signInAddress)).status),
    )
    expect(statuses.sort()).toEqual([303, ...Array.from({ length: 9 }, () => 401)])
  })

  test.for([
    ['no token', ''],
    ['an empty one', '?token='],
    ['another one', `?token=${'A'.repeat(43)}`],
    ['two', '?token=$&token=$'],
    ['it and another', '?token=x&token=$'],
    ['it with something behind', '?token=$x'],
    ['it under another name', '?Token=$'],
  ] as const)('is refused with %s, and the address still works', async ([, query], { expect }) => {
    const server = await start()
    const token = new URL(server.signInAddress).searchParams.get('token') ?? ''
    const refused = await open(`${server.address}/auth/browser${query.replaceAll('$', token)}`)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Cookie realm="Secure Area"')
    expect(refused.headers.get('set-cookie')).toBeNull()
    expect(await refused.text()).not.toContain(token)

    expect((await open(server.signInAddress)).status).toBe(303)
  })

  test.for([
    ['from another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['from another port', { 'Sec-Fetch-Site': 'same-site' }],
    ['of another origin', { Origin: 'http://evil.example' }],
    ['under another name', { Host: 'evil.example' }],
  ] as const)('%s is refused and uses nothing up', async ([, headers], { expect }) => {
    const server = await start()
    const { pathname, search, host } = new URL(server.signInAddress)
    const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}`)
    expect((await sendRaw(server.port, rawRequest(`GET ${pathname}${search}`, lines))).status).toBe(403)

    expect((await open(server.signInAddress)).status).toBe(303)
  })

  test('is what a GET does, and no other method', async ({ expect }) => {
    const server = await start()
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect((await open(server.signInAddress, { method })).status, method).toBe(401)
    }
    const cookie = await signIn(server)
    const known = await open(server.signInAddress, { method: 'POST', headers: { cookie, origin: server.address } })
    expect([known.status, known.headers.get('allow')]).toEqual([405, 'GET'])
  })

  test('is no route of a server that browsers do not sign in to', async ({ expect }) => {
    const server = await start({ hasBrowserAuth: false })
    expect(server.signInAddress).toBe('')
    expect((await server.send('GET', '/auth/browser?token=x')).status).toBe(404)
    expect((await server.send('GET', '/openapi.json')).body.paths['/auth/browser']).toBeUndefined()
  })
})

describe('without the cookie', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await start()
  })

  test('nothing is answered, by no route, and no other route takes the token', async ({ expect }) => {
    const cookie = await signIn(await start())
    const document = (await get(server, await signIn(server), '/openapi.json')).body
    await server.restart()
    const { search } = new URL(server.signInAddress)
    const targets = Object.keys(document.paths).filter((template) => template !== '/auth/browser')
    expect(targets.length).toBeGreaterThan(30)
    expect(document.paths['/auth/browser'].get.responses['303']).toBeDefined()
    for (const target of [...targets, '/nothing', '/auth/browser/', '/auth', '/AUTH/browser', '/auth/%62rowser']) {
      const answer = await server.send('GET', `${target.replaceAll(/[{}*]/g, '')}${search}`, undefined, { cookie })
      expect(answer.status, target).toBe(401)
      expect(answer.headers.get('set-cookie'), target).toBeNull()
    }
    expect((await open(server.signInAddress)).status).toBe(303)
  })
})

describe('the cookie', () => {
  let server: TestServer
  let cookie: string
  beforeAll(async () => {
    server = await start()
    cookie = await signIn(server)
  })

  test('opens every kind of reading route', async ({ expect }) => {
    expect((await get(server, cookie)).body).toEqual({ healthy: true })
    expect((await get(server, `other=1; ${cookie}; more=2`, '/api/session')).status).toBe(200)
    const seen = await server.events('/api/event', (events) => events.length === 1, { cookie })
    expect(seen[0]?.data.type).toBe('server.connected')
  })

  test('is refused with any of its characters changed', async ({ expect }) => {
    const from = cookie.indexOf('=') + 1
    for (let at = from; at < cookie.length; at += 1) {
      const other = cookie[at] === 'A' ? 'B' : 'A'
      const changed = `${cookie.slice(0, at)}${other}${cookie.slice(at + 1)}`
      expect((await get(server, changed)).status, changed).toBe(401)
    }
  })

  test.for([
    ['cut short', (own: string) => own.slice(0, -1)],
    ['made longer', (own: string) => `${own}A`],
    ['without its signature', (own: string) => own.slice(0, own.indexOf('.'))],
    ['with an empty signature', (own: string) => own.slice(0, own.indexOf('.') + 1)],
    ['with padding', (own: string) => `${own}=`],
    ['under another name', (own: string) => own.replace('svc_', 'svc-')],
    ['twice', (own: string) => `${own}; ${own}`],
    ['beside another of its name', (own: string) => `${own.split('=')[0]}=x; ${own}`],
    ['of nothing', (own: string) => `${own.split('=')[0]}=`],
  ] as const)('is refused %s', async ([, change], { expect }) => {
    expect((await get(server, change(cookie))).status).toBe(401)
  })

  test('allows a change to our own pages alone', async ({ expect }) => {
    const own = server.address
    const post = (headers: Record<string, string>) => server.send('POST', '/api/session', {}, { cookie, ...headers })
    const before = (await get(server, cookie, '/api/session')).body.data.length
    const localhost = own.replace('127.0.0.1', 'localhost')
    const others = [
      `${own}/`,
      own.replace('http:', 'https:'),
      own.toUpperCase(),
      localhost,
      'null',
      'http://evil.example',
    ]
    expect((await post({})).status).toBe(403)
    for (const origin of others) expect((await post({ origin })).status, origin).toBe(403)
    expect((await get(server, cookie, '/api/session')).body.data).toHaveLength(before)

    expect((await post({ origin: own })).status).toBe(200)
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect((await server.send(method, '/api/session', undefined, { cookie })).status, method).toBe(403)
    }
  })

  test('opens no socket to a page that does not say that it is ours', async ({ expect }) => {
    const lines = (origin: readonly string[]) =>
      [`Host: 127.0.0.1:${server.port}`, `Cookie: ${cookie}`, 'Upgrade: websocket', ...origin] as const
    const answered = async (origin: readonly string[]) =>
      (await sendRaw(server.port, rawRequest('GET /api/health', lines(origin)))).status
    expect(await answered([])).toBe(403)
    expect(await answered(['Origin: http://127.0.0.1:1'])).toBe(403)
    expect(await answered([`Origin: ${server.address}`])).toBe(200)
  })

  test('is worth nothing under another name or port of the same machine and key', async ({ expect }) => {
    const beside = await start({ dataDir: server.dataDir })
    const [name] = (await signIn(beside)).split('=')
    const value = cookie.slice(cookie.indexOf('='))
    expect((await get(beside, cookie)).status).toBe(401)
    expect((await get(beside, `${name}${value}`)).status).toBe(401)

    const named = (host: string) =>
      sendRaw(server.port, rawRequest('GET /api/health', [`Host: ${host}:${server.port}`, `Cookie: ${cookie}`]))
    expect((await named('127.0.0.1')).status).toBe(200)
    expect((await named('localhost')).status).toBe(401)
  })

  test('lives for thirty days, also through a restart, and not a moment longer', async ({ expect }) => {
    await server.restart({ port: server.port })
    expect((await get(server, cookie)).status).toBe(200)

    const endMs = (Math.floor(startMs / 1000) + browserCookieSecondsMax) * 1000
    expect(endMs - startMs).toBeGreaterThan(30 * 24 * 60 * 60 * 1000 - 1000)
    nowMs = endMs - 1
    expect((await get(server, cookie)).status).toBe(200)
    nowMs = endMs
    expect((await get(server, cookie)).status).toBe(401)
    nowMs = startMs
  })

  test('of a command of the owner lives for a day, and not a moment longer', async ({ expect }) => {
    const own = ownCookie({ dataDir: server.dataDir, clock: { nowMs: () => nowMs } }, new URL(server.address).host)
    const endMs = (Math.floor(startMs / 1000) + ownCookieSecondsMax) * 1000
    nowMs = endMs - 1
    expect((await get(server, own)).status).toBe(200)
    nowMs = endMs
    expect((await get(server, own)).status).toBe(401)
    nowMs = startMs
  })

  test('is worth nothing once the key is another one', async ({ expect }) => {
    await server.suspend()
    await rm(path.join(server.dataDir, 'browser-auth'), { recursive: true })
    await server.restart({ port: Number(new URL(server.address).port) })
    expect((await get(server, cookie)).status).toBe(401)
  })
})

describe('with a password as well', () => {
  const basic = { authorization: `Basic ${btoa('svc:open sesame')}` }

  test('either of the two opens the server, and a refusal asks for the password', async ({ expect }) => {
    const server = await start({ credentials: { username: 'svc', password: 'open sesame' } })
    const refused = await server.send('GET', '/api/health')
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Secure Area"'])
    // A program with the password is no page: it needs no origin.
    expect((await server.send('POST', '/api/session', {}, basic)).status).toBe(200)
    const cookie = await signIn(server)
    expect((await get(server, cookie)).status).toBe(200)
    expect((await server.send('POST', '/api/session', {}, { cookie })).status).toBe(403)
  })

  test('guessing is cut off, with the right password in the end too, and a browser that is signed in goes on', async ({
    expect,
  }) => {
    const server = await start({ credentials: { username: 'svc', password: 'open sesame' } })
    const cookie = await signIn(server)
    const guess = { authorization: `Basic ${btoa('svc:open')}` }
    for (let tries = 0; tries < passwordTriesMax; tries += 1) {
      const refused = await server.send('GET', '/api/health', undefined, guess)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([401, null])
    }

    for (const headers of [guess, basic]) {
      const refused = await server.send('GET', '/api/health', undefined, { ...headers, connection: 'close' })
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([401, String(passwordWindowMs / 1000)])
      expect(refused.body.error).toMatchObject({ code: 'unauthorized', message: expect.stringContaining('Too many') })
    }
    expect((await get(server, cookie)).status).toBe(200)
    nowMs += passwordWindowMs
    expect((await server.send('GET', '/api/health', undefined, basic)).status).toBe(200)
  })

  test('other names are not answered: browsers sign in on this machine alone', async ({ expect }) => {
    const server = await start({ credentials: { username: 'svc', password: 'open sesame' } })
    const lines = [`Host: agent.example:${server.port}`, `Authorization: ${basic.authorization}`]
    expect((await sendRaw(server.port, rawRequest('GET /api/health', lines))).status).toBe(403)
  })

  test.for([['0.0.0.0'], ['192.0.2.7'], ['127.0.0.1', '192.0.2.7'], ['::']] as const)(
    'an address that is not loopback is refused all the same: %o',
    async (addresses, { expect }) => {
      const credentials = { username: 'svc', password: 'open sesame' }
      await expect(start({ credentials, resolveHost: async () => addresses })).rejects.toThrow(/--browser-auth/)
    },
  )
})

describe('the key', () => {
  test('is a file of its owner in a folder of its owner', async ({ expect }) => {
    const server = await start()
    const folder = path.join(server.dataDir, 'browser-auth')
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(path.join(folder, 'key'))).mode & 0o777).toBe(0o600)
    expect((await readFile(path.join(folder, 'key'))).length).toBe(32)
    await chmod(folder, 0o755)
    await server.restart()
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  test.for([
    ['could be read by others', (file: string) => chmod(file, 0o644)],
    ['is damaged', (file: string) => writeFile(file, 'short')],
    ['is a link', (file: string) => rm(file).then(() => symlink('/dev/zero', file))],
    ['is a folder', (file: string) => rm(file).then(() => mkdir(file))],
  ] as const)('that %s ends the start with what to do', async ([, spoil], { expect }) => {
    const server = await start()
    await server.suspend()
    const file = path.join(server.dataDir, 'browser-auth', 'key')
    await spoil(file)
    await expect(server.restart()).rejects.toThrow(`${file} `)
    await expect(server.restart()).rejects.toThrow('remove it, and whoever signed in does so anew')
    await rm(file, { recursive: true })
    await server.restart()
    await signIn(server)
  })
})
