// @module-tag slow
/**
 * A page of someone else in a real browser, against the agent server without a password: from another port of this
 * machine, and under a name that was rebound to it. It tries every route in every way a page has, reads nothing and
 * changes nothing. The same attempts from the server's own origin succeed, so the attempts are sound.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/agent-server.ts'
import { chromiumPart, launchChromium } from '../support/chromium.ts'
import { connectAddress, createTerminal, mintTicket } from '../support/terminal-client.ts'

const canary = 'canary-title-of-a-session'
const rebound = 'rebound.example'

interface Attempt {
  readonly way: string
  readonly route: string
  readonly status: number
  readonly text: string
}

/** Runs in the page. Resolves with whatever it could read; what the browser withholds is status 0. */
const attack = `async ({ address, routes }) => {
  const attempts = []
  const note = (way, route, status, text) => attempts.push({ way, route, status, text })
  const read = async (way, route, url, options) => {
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(), 2_000)
    try {
      const response = await fetch(url, { ...options, signal: stop.signal })
      // A stream that opens never ends: its first bytes are enough.
      const reader = response.body?.getReader()
      const first = await reader?.read()
      note(way, route, response.status, new TextDecoder().decode(first?.value))
      stop.abort()
    } catch {
      note(way, route, 0, '')
    }
    clearTimeout(timer)
  }
  for (const { method, path, body } of routes) {
    const url = address + path
    const route = method + ' ' + path
    const sent = method === 'GET' ? {} : { body }
    await read('fetch', route, url, { method, ...sent, headers: method === 'GET' ? {} : { 'content-type': 'application/json' } })
    await read('simple request', route, url, { method: method === 'GET' ? 'GET' : 'POST', ...sent, mode: 'no-cors' })
    if (method === 'GET') continue
    // A form cannot send JSON, but its text can be made to look like it.
    const frame = document.body.appendChild(Object.assign(document.createElement('iframe'), { name: 'f' + attempts.length }))
    const form = document.createElement('form')
    Object.assign(form, { method: 'POST', action: url, enctype: 'text/plain', target: frame.name })
    const field = Object.assign(document.createElement('input'), { name: body.slice(0, -1) + ',"a":"', value: '"}' })
    form.append(field)
    document.body.append(form)
    await new Promise((resolve) => {
      frame.addEventListener('load', resolve, { once: true })
      form.submit()
      setTimeout(resolve, 2_000)
    })
    let text = ''
    try { text = frame.contentDocument?.body?.textContent ?? '' } catch {}
    note('form', route, 0, text)
    frame.remove()
  }
  for (const { path } of routes.filter(({ path }) => path.endsWith('/event'))) {
    const source = new EventSource(address + path)
    await new Promise((resolve) => {
      source.onmessage = (event) => { note('event source', path, 200, event.data); resolve() }
      source.onerror = () => { note('event source', path, 0, ''); resolve() }
    })
    source.close()
  }
  return attempts
}`

describe.skipIf(chromiumPart.isMissing)(`a foreign page ${chromiumPart.skipNote}`, () => {
  let browser: Browser
  let server: TestServer
  let elsewhere: Server
  let session: string
  let routes: { method: string; path: string; body: string }[]

  beforeAll(async () => {
    // Newer browsers keep pages away from this machine by themselves: the server must not need that.
    browser = await launchChromium([
      `--host-resolver-rules=MAP ${rebound} 127.0.0.1`,
      '--disable-features=LocalNetworkAccessChecks,PrivateNetworkAccessSendPreflights',
    ])
    server = await startTestServer({ config: { permission: 'allow' } })
    server.model.otherwise({ calls: [{ id: 'c1', name: 'bash', input: { command: 'touch owned' } }] })
    session = await server.createSession()
    await server.prompt(session, canary, { resume: false })
    elsewhere = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><body></body>')
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const document = (await server.send('GET', '/openapi.json')).body as { paths: Record<string, object> }
    routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({
        method: method.toUpperCase(),
        path: path
          .replace('{sessionID}', session)
          .replace('{*path}', 'canary.html')
          .replaceAll(/\{[A-Za-z]+\}/g, 'per_1'),
        body: JSON.stringify(path.endsWith('/prompt') ? { prompt: { text: 'owned' } } : {}),
      })),
    )
  })

  afterAll(async () => {
    await browser?.close()
    elsewhere?.close()
    await server?.close()
  })

  async function attackFrom(page: Page): Promise<Attempt[]> {
    const address = new URL(page.url()).hostname === rebound ? `http://${rebound}:${server.port}` : server.address
    return page.evaluate(`(${attack})(${JSON.stringify({ address, routes })})`)
  }

  /** A page whose address says that it is the server's own: its text comes from the test. */
  async function pageAt(origin: string): Promise<Page> {
    const page = await browser.newPage()
    await page.route(`${origin}/planted`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><body></body>' }),
    )
    await page.goto(`${origin}/planted`)
    return page
  }

  async function everything(): Promise<unknown> {
    const [sessions, history, saved, terminals] = await Promise.all([
      server.send('GET', '/api/session'),
      server.send('GET', `/api/session/${session}/history?limit=100`),
      server.send('GET', '/api/permission/saved'),
      server.send('GET', '/api/pty'),
    ])
    return [sessions.body, history.body, saved.body, terminals.body]
  }

  test.for(['on another port of this machine', 'under a name that was rebound to this machine'] as const)(
    '%s reads nothing and changes nothing',
    async (where, { expect }) => {
      const before = await everything()
      const page = where.startsWith('under')
        ? await pageAt(`http://${rebound}:${server.port}`)
        : await browser.newPage().then(async (opened) => {
            await opened.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)
            return opened
          })

      const attempts = await attackFrom(page)

      expect(attempts.length).toBeGreaterThan(routes.length * 2)
      for (const attempt of attempts) {
        expect([0, 403], JSON.stringify(attempt)).toContain(attempt.status)
        expect(attempt.text, JSON.stringify(attempt)).toMatch(/^$|"code":"forbidden"/)
      }
      // Of the rebound name the browser keeps nothing back: it was the server that refused.
      if (where.startsWith('under')) {
        expect(attempts.filter(({ status }) => status === 403).length).toBeGreaterThan(routes.length)
      }
      expect(await everything()).toEqual(before)
      expect(server.model.asked).toHaveLength(0)
      await page.close()
    },
  )

  test('a terminal opens its WebSocket to a page of the own origin alone, also with a sound ticket', async ({
    expect,
  }) => {
    const terminal = await createTerminal(server, { command: 'cat' })
    const connectFrom = async (page: Page) => {
      const address = connectAddress(server, terminal, await mintTicket(server, terminal))
      const opened: string = await page.evaluate(`new Promise((resolve) => {
        const socket = new WebSocket(${JSON.stringify(address)})
        socket.onopen = () => resolve('opened')
        socket.onerror = () => resolve('refused')
      })`)
      await page.close()
      return opened
    }
    const foreign = await browser.newPage()
    await foreign.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)

    expect(await connectFrom(foreign)).toBe('refused')
    expect(await connectFrom(await pageAt(server.address))).toBe('opened')
    await server.send('DELETE', `/api/pty/${terminal}`)
  })

  test('the same attempts from the own origin are answered', async ({ expect }) => {
    const page = await pageAt(server.address)
    // Reading alone: this session is the other tests' as well.
    routes = routes.filter(({ method }) => method === 'GET')
    const attempts = await attackFrom(page)

    expect(attempts.filter(({ status }) => status === 200).length).toBeGreaterThan(15)
    expect(attempts.find(({ route }) => route === `GET /api/session/${session}/history`)?.text).toContain(canary)
    expect(attempts.find(({ way, route }) => way === 'event source' && route === '/api/event')?.status).toBe(200)
    await page.close()
  })
})
