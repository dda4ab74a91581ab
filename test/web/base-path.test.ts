// @module-tag slow
/** The service below a path of a name that leads elsewhere as well: behind nginx with TLS, in a browser that goes everywhere. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import {
  chromiumPart,
  launchChromium,
  openPage,
  policyViolations,
  takenOver,
  type WatchedPage,
} from '../support/chromium.ts'
import { everyScreen, follow } from '../support/console-screens.ts'
import { freePort } from '../support/free-port.ts'
import { type NginxProxy, publicName, startNginx } from '../support/nginx-proxy.ts'
import { ownerPassword, setUpOwner } from '../support/own-host.ts'
import { requireReal } from '../support/real-parts.ts'
import { type RunningWharf, startWharf, temporaryFolder } from '../support/running-wharf.ts'

const nginx = requireReal('nginx')
const openssl = requireReal('openssl')
const missing = [nginx, openssl, chromiumPart].filter((part) => part.isMissing)
const walkMs = 300_000

describe.skipIf(missing.length > 0)(`below a path ${missing.map((part) => part.skipNote).join(' ')}`.trim(), () => {
  const folder = temporaryFolder()
  let wharf: RunningWharf
  let proxy: NginxProxy
  let browser: Browser
  let watched: WatchedPage
  /** Where the service is, without a slash at the end. */
  let home: string
  const asked: string[] = []
  const refused: string[] = []

  beforeAll(async () => {
    const port = await freePort()
    home = `https://${publicName}:${port}/wharf`
    wharf = await startWharf(folder.path, ['--public-url', `${home}/`, '--trusted-proxy', '127.0.0.1'])
    proxy = await startNginx({ nginx: nginx.path, openssl: openssl.path }, port, wharf.origin, '/wharf')
    browser = await launchChromium([
      `--host-resolver-rules=MAP ${publicName} 127.0.0.1`,
      // The helper of the page is fetched outside of any page, where no option of one counts.
      '--ignore-certificate-errors',
    ])
    watched = await openPage(browser, { ignoreHTTPSErrors: true })
    watched.page.on('request', (request) => asked.push(request.url()))
    watched.page.on('response', (answer) => {
      if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url().slice(home.length)}`)
    })
  })

  afterAll(async () => {
    await browser?.close()
    await proxy?.stop()
    await wharf?.stop()
    folder.remove()
  })

  const overview = (page: Page) => page.getByRole('heading', { level: 1, name: 'Overview' })
  const cookieNames = async (page: Page) => (await page.context().cookies()).map(({ name }) => name)

  test('is set up by the printed link, with cookies for the path alone', async ({ expect }) => {
    const { page } = watched
    expect(wharf.said()).toContain(`From outside:\n  ${home}/\n`)
    await setUpOwner(page, `${home}/#/setup?code=${wharf.setupCode}`)
    expect(wharf.said()).toContain(`${home}/#/setup?code=${wharf.setupCode}\n`)

    const cookies = await page.context().cookies()
    const port = new URL(home).port
    expect(cookies.map(({ name }) => name).sort()).toEqual([
      `__Secure-wharf_browser_${port}`,
      `__Secure-wharf_session_${port}`,
    ])
    expect(new Set(cookies.map((one) => JSON.stringify([one.path, one.secure, one.httpOnly, one.sameSite])))).toEqual(
      new Set([JSON.stringify(['/wharf/', true, true, 'Strict'])]),
    )
  })

  test('every screen asks for nothing outside of it', { timeout: walkMs }, async ({ expect }) => {
    const { page, troubles } = watched
    await page.goto(`${home}/#/more`)
    for (const [hash] of everyScreen) await follow(page, hash)
    await page.goto(`${home}/docs`)
    await page.getByRole('heading', { name: 'GET /meta' }).first().waitFor()
    await page.getByRole('link', { name: 'Console' }).click()
    await overview(page).waitFor()
    await page.waitForLoadState('networkidle')

    expect(asked.length).toBeGreaterThan(100)
    expect(asked.filter((url) => !url.startsWith(`${home}/`))).toEqual([])
    expect(proxy.askedElsewhere()).toEqual([])
    expect(refused.filter((one) => !one.startsWith('404 /api/'))).toEqual([])
    expect(troubles).toEqual([])
    expect(await policyViolations(page)).toEqual([])
  })

  test('its helper serves that path, and keeps what is there beside what others of the name keep', async ({
    expect,
  }) => {
    const { page } = watched
    await page.evaluate(`caches.open('of-another-service')`)
    await page.reload()
    await takenOver(page)
    await page.reload()
    await overview(page).waitFor()
    const scopes = await page.evaluate(
      'navigator.serviceWorker.getRegistrations().then((all) => all.map(({ scope }) => scope))',
    )
    expect(scopes).toEqual([`${home}/`])
    const kept = await page.evaluate<readonly [string, string[]][]>(
      `caches.keys().then((names) => Promise.all(names.map(async (name) => [name, (await (await caches.open(name)).keys()).map(({ url }) => url)])))`,
    )
    const [[name, urls] = ['', []], ...others] = kept.filter(([, one]) => one.length > 0)
    expect([name, others]).toEqual(['wharf/wharf-page-1', []])
    expect(kept.map(([one]) => one)).toContain('of-another-service')
    expect(urls).toContain(`${home}/`)
    expect(urls.filter((url) => url.startsWith(`${home}/assets/`)).length).toBeGreaterThan(5)
    expect(urls.filter((url) => !url.startsWith(`${home}/`))).toEqual([])
  })

  test('what it is installed as, and what a text is shared with, is there', async ({ expect }) => {
    const { page } = watched
    const manifest = JSON.parse((await proxy.ask('GET', '/wharf/manifest.webmanifest')).text)
    expect([manifest.id, manifest.start_url, manifest.scope, manifest.share_target.action]).toEqual(
      Array(4).fill('/wharf/'),
    )
    for (const { src } of manifest.icons)
      expect((await proxy.ask('GET', src)).headers['content-type']).toMatch(/^image/)
    await page.goto(`${home}/?add=magnet%3A%3Fxt%3Durn%3Abtih%3A${'a'.repeat(40)}`)
    await page.waitForURL(/#\/torrents\?add=magnet/)
    expect(new URL(page.url()).pathname).toBe('/wharf/')
  })

  test('addresses that are shown to be copied lead to it, and the gateway answers there', async ({ expect }) => {
    const { page } = watched
    await page.goto(`${home}/#/tokens`)
    await page.getByText(`${home}/torznab`, { exact: true }).waitFor()
    await page.getByText(`${home}/mcp`, { exact: true }).waitFor()
    await page.goto(`${home}/#/devices`)
    await page.locator(`svg.qr[aria-label*=${JSON.stringify(`${home}/`)}]`).waitFor()

    const headers = await browserHeaders(page)
    const wanted = { name: 'phone', scopes: ['app:read'], lifetime: '30d' }
    const made = await proxy.ask('POST', '/wharf/api/console/v1/tokens', { headers, json: wanted })
    const caller = { authorization: `Bearer ${JSON.parse(made.text).text}` }
    const meta = await proxy.ask('GET', '/wharf/api/app/v1/meta', { headers: caller })
    expect([meta.status, JSON.parse(meta.text).principal.name]).toEqual([200, 'phone'])
    expect((await proxy.ask('GET', '/wharf/healthz')).status).toBe(200)

    const key = /Key of the model gateway .*:\n\s+(\S+)/.exec(wharf.said())?.[1]
    const json = { model: 'default', messages: [{ role: 'user', content: 'one two three' }] }
    const bearer = { authorization: `Bearer ${key}` }
    const answer = await proxy.ask('POST', '/wharf/api/v1/chat/completions', { headers: bearer, json })
    expect([answer.status, JSON.parse(answer.text).object]).toEqual([200, 'chat.completion'])
  })

  test('the session ends there', async ({ expect }) => {
    const { page } = watched
    const headers = await browserHeaders(page)
    await page.goto(`${home}/#/overview`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect((await cookieNames(page)).filter((name) => /session/.test(name))).toEqual([])
    const ofOldSession = async () => (await proxy.ask('GET', '/wharf/api/console/v1/tokens', { headers })).status
    await expect.poll(ofOldSession).toBe(401)
    await page.getByLabel('Password', { exact: true }).fill(ownerPassword)
    await page.keyboard.press('Enter')
    await overview(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/wharf/')
    expect(asked.filter((url) => !url.startsWith(`${home}/`))).toEqual([])
    expect(proxy.askedElsewhere()).toEqual([])
    // Else nothing would have been seen there either. The proxy writes down what it has answered already.
    expect((await proxy.ask('GET', '/wharves')).text).toBe('something else')
    await expect.poll(() => proxy.askedElsewhere()).toEqual(['/wharves'])
  })

  /** As the browser would send them with a write. */
  async function browserHeaders(page: Page): Promise<Record<string, string>> {
    const cookies = await page.context().cookies(`${home}/`)
    return { origin: proxy.origin, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
  }
})
