/** `/docs` as it is built and as the own-machine host serves it, in a real browser. */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { serveAssets } from '../../local/runtime/assets.ts'
import { appRouteDeclarations } from '../../workers/app/contract/routes.ts'
import { builtConsole } from '../support/built-console.ts'
import { axeFindings, chromiumPart, launchChromiumShell, openPage, type TestBrowser } from '../support/chromium.ts'

const documentPath = '/api/app/v1/openapi.json'

describe('the built page', () => {
  test('has no inline script, no inline style and no address elsewhere', ({ expect }) => {
    const html = readFileSync(path.join(builtConsole, 'docs.html'), 'utf8')
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/)
    expect(
      [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to]) => to).filter((to) => !/^\/[^/]/.test(to ?? '')),
    ).toEqual([])
  })

  test('is found at /docs, with the policy of the pages, and at one address only', async ({ expect }) => {
    const assets = serveAssets(builtConsole)
    const ask = (pathname: string) => assets.fetch(new Request(`http://wharf.test${pathname}`))
    const page = await ask('/docs')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).toBe(readFileSync(path.join(builtConsole, 'docs.html'), 'utf8'))
    const other = await ask('/docs.html')
    expect([other.status, other.headers.get('location')]).toEqual([307, '/docs'])
    // Any other path is the console's.
    expect(await (await ask('/docs-of-another-name')).text()).toBe(
      readFileSync(path.join(builtConsole, 'index.html'), 'utf8'),
    )
  })
})

describe.skipIf(chromiumPart.isMissing)(`the page of the App API ${chromiumPart.skipNote}`, () => {
  let browser: TestBrowser
  let server: Server
  let origin: string
  let isServing = true

  beforeAll(async () => {
    const assets = serveAssets(builtConsole)
    server = createServer(async (incoming, outgoing) => {
      const { pathname } = new URL(incoming.url ?? '/', 'http://wharf.test')
      const isDocument = pathname === documentPath
      if (isDocument && !isServing) return void outgoing.writeHead(503).end()
      const asked = isDocument ? '/app-api-v1.json' : pathname
      const answer = await assets.fetch(new Request(`http://wharf.test${asked}`))
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.bytes())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await launchChromiumShell()
  })
  afterAll(async () => {
    await browser.close()
    server.close()
  })

  test('shows every operation with what it takes, answers and an example', async ({ expect }) => {
    const { page, context, troubles } = await openPage(browser)
    await page.goto(`${origin}/docs#pushTorrent`)
    await page.locator('#pushTorrent').waitFor()
    const ids: string[] = await page.evaluate("[...document.querySelectorAll('.operation')].map(({ id }) => id)")
    expect(ids.sort()).toEqual(appRouteDeclarations.map(({ operationId }) => operationId).sort())

    const push = page.locator('#pushTorrent')
    for (const details of await push.locator('summary').all()) await details.click()
    await expect.poll(() => push.innerText(), { timeout: 10_000 }).toContain('"torrent_id": "48213"')
    for (const part of ['POST', '/push', 'Operate', 'downloader_id', 'info_hash', 'Refusals'])
      expect(await push.innerText()).toContain(part)
    expect(await axeFindings(page)).toEqual([])
    expect(troubles).toEqual([])
    await context.close()
  })

  test('changes its language, fits on a phone, and remembers', async ({ expect }) => {
    const { page, context, troubles } = await openPage(browser, { viewport: { width: 390, height: 844 } })
    await page.goto(`${origin}/docs`)
    await page.locator('#pushTorrent').waitFor()
    await page.getByRole('button', { name: '中文' }).click()
    await expect.poll(() => page.locator('h1').innerText(), { timeout: 10_000 }).toBe('App 接口')
    await page.reload()
    await page.locator('#pushTorrent').waitFor()
    expect(await page.locator('h1').innerText()).toBe('App 接口')
    const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
    expect(troubles).toEqual([])
    await context.close()
  })

  test('says when the description does not come, and tries again', async ({ expect }) => {
    const { page, context } = await openPage(browser)
    isServing = false
    await page.goto(`${origin}/docs`)
    await page.getByRole('alert').waitFor()
    isServing = true
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('#pushTorrent').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await context.close()
  })
})
