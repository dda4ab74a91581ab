/**
 * A real browser that signed in to the agent server, and a foreign page in it: from another port of this machine the
 * browser sends the cookie along, since a cookie knows no ports. The page reads nothing and changes nothing.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Browser, BrowserContext, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/agent-server.ts'
import { chromiumPart, launchChromium, openPage } from '../support/chromium.ts'

const pagesFolder = path.resolve(import.meta.dirname, '../../dist/web/agent')

/** Runs in the page: every way it has to ask another origin for something, with the browser's cookies. */
const attack = `async (address) => {
  const read = []
  const note = (text) => read.push(text)
  const ask = (path, options) =>
    fetch(address + path, { credentials: 'include', ...options }).then((answer) => answer.text()).then(note, () => note(''))
  const loaded = (element) =>
    new Promise((resolve) => {
      element.onload = element.onerror = resolve
      document.body.append(element)
    })
  await ask('/api/session', {})
  await ask('/api/session', { mode: 'no-cors' })
  await ask('/api/session', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  await ask('/api/session', { method: 'POST', body: '{}', mode: 'no-cors' })
  await ask('/auth/browser?token=guessed', { mode: 'no-cors' })
  await new Promise((resolve) => {
    const source = new EventSource(address + '/api/event', { withCredentials: true })
    source.onmessage = (event) => { note(event.data); source.close(); resolve() }
    source.onerror = () => { source.close(); resolve() }
  })
  await new Promise((resolve) => {
    const socket = new WebSocket(address.replace('http', 'ws') + '/api/event')
    socket.onopen = () => { note('opened'); socket.close(); resolve() }
    socket.onerror = resolve
  })
  await loaded(Object.assign(new Image(), { src: address + '/api/fs/read/picture.png' }))
  await loaded(Object.assign(document.createElement('script'), { src: address + '/api/fs/read/script.js' }))
  const frame = Object.assign(document.createElement('iframe'), { name: 'target' })
  await loaded(Object.assign(frame, { src: address + '/api/session' }))
  const form = Object.assign(document.createElement('form'), { method: 'POST', target: 'target' })
  Object.assign(form, { action: address + '/api/session', enctype: 'text/plain' })
  document.body.append(form)
  const submitted = new Promise((resolve) => { frame.onload = resolve })
  form.submit()
  await submitted
  return read
}`

describe.skipIf(chromiumPart.isMissing)(`a browser that signed in ${chromiumPart.skipNote}`, () => {
  let browser: Browser
  let context: BrowserContext
  let own: Page
  let server: TestServer
  let elsewhere: Server

  beforeAll(async () => {
    browser = await launchChromium(['--disable-features=LocalNetworkAccessChecks,PrivateNetworkAccessSendPreflights'])
    context = await browser.newContext()
    server = await startTestServer({ hasBrowserAuth: true })
    await server.write('script.js', 'window.owned = true')
    elsewhere = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><body></body>')
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    own = await context.newPage()
    // Nothing that the server answers is a page that may ask for more: this one is planted under its address.
    await own.route(`${server.address}/planted`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><body></body>' }),
    )
  })

  afterAll(async () => {
    await browser?.close()
    elsewhere?.close()
    await server?.close()
  })

  const sessions = (): Promise<unknown[]> =>
    own.evaluate("fetch('/api/session').then((answer) => answer.json()).then(({ data }) => data)")

  test('is led to the health of the server, and no page of it sees the cookie', async ({ expect }) => {
    await own.goto(server.signInAddress)
    expect(new URL(own.url()).href).toBe(`${server.address}/health`)
    expect(await own.textContent('body')).toBe('ok\n')
    expect(await own.evaluate('document.cookie')).toBe('')
    const [cookie, ...others] = await context.cookies()
    expect(others).toEqual([])
    expect(cookie).toMatchObject({ domain: '127.0.0.1', path: '/', httpOnly: true, sameSite: 'Strict' })
    expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(29 * 24 * 60 * 60)
    await own.goto(`${server.address}/planted`)
  })

  test('a foreign page in it reads nothing and changes nothing, although the cookie goes along', async ({ expect }) => {
    const before = await sessions()
    const page = await context.newPage()
    const answers: Response[] = []
    page.on('response', (response) => {
      if (response.url().startsWith(server.address)) answers.push(response)
    })
    await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)
    const read = await page.evaluate(`(${attack})(${JSON.stringify(server.address)})`)

    // An opaque answer has no text, and the others are not given to the page.
    expect(read).toEqual(['', '', '', '', ''])
    expect(await page.evaluate('window.owned')).toBeUndefined()
    // It was the server that refused, each time, and the browser did send the cookie: with a frame and a form.
    expect(answers.length).toBeGreaterThan(3)
    expect(answers.map((answer) => answer.status()).filter((status) => status !== 403)).toEqual([])
    const sent = await Promise.all(answers.map((answer) => answer.request().allHeaders()))
    const withCookie = answers.filter((_answer, index) => sent[index]?.['cookie']?.startsWith('svc_') === true)
    expect(withCookie.map((answer) => answer.request().method())).toEqual(expect.arrayContaining(['GET', 'POST']))
    expect(await sessions()).toEqual(before)

    // Nor does it get anywhere by leading the browser there.
    await page.evaluate(`location.href = ${JSON.stringify(`${server.address}/api/session`)}`)
    await page.waitForURL(`${server.address}/api/session`)
    expect(await page.textContent('body')).toContain('"code":"forbidden"')
    await page.close()
  })

  test('works with the server from its own pages', async ({ expect }) => {
    const made = await own.evaluate(
      "fetch('/api/session', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }).then((answer) => answer.status)",
    )
    expect(made).toBe(200)
    expect(await sessions()).toHaveLength(1)
  })

  test('is led on to the page, where there is one', async ({ expect, onTestFinished }) => {
    const withPage = await startTestServer({ hasBrowserAuth: true, pagesFolder })
    const { page, context: fresh } = await openPage(browser)
    onTestFinished(async () => {
      await fresh.close()
      await withPage.close()
    })
    await page.goto(withPage.signInAddress)
    await page.waitForURL(`${withPage.address}/`)
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    // Programs that look at its health are led nowhere.
    expect(await page.evaluate("fetch('/health').then(({ headers }) => headers.get('refresh'))")).toBeNull()
  })

  test('cannot use the address a second time', async ({ expect }) => {
    const other = await browser.newContext()
    const page = await other.newPage()
    const response = await page.goto(`${server.address}/auth/browser?token=used`)
    expect(response?.status()).toBe(401)
    expect((await page.goto(`${server.address}/health`))?.status()).toBe(401)
    await other.close()
  })
})
