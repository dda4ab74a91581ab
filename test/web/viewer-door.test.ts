/** The viewer's page as people reach it: through the door of `npm start`, by the address that it prints. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { href } from '../../local/viewer/web/model/address.ts'
import { type DefaultTools, startDefaultTools } from '../attack/default-tools.ts'
import { chromiumPart, launchChromiumShell, type TestBrowser } from '../support/chromium.ts'
import { openScreen } from '../support/viewer-screen.ts'

const indexer = path.resolve(import.meta.dirname, '../../bin/indexer.mjs')

describe.skipIf(chromiumPart.isMissing)(`the viewer's page behind its door ${chromiumPart.skipNote}`, () => {
  let browser: TestBrowser
  let tools: DefaultTools
  beforeAll(async () => {
    browser = await launchChromiumShell()
    tools = await startDefaultTools(undefined, ['--keep-index'])
  }, 120_000)
  afterAll(async () => {
    await tools?.close()
    await browser?.close()
  })

  test('asks who is there, is opened once by the printed address, and then works as it does without a door', {
    tags: 'slow',
    timeout: 120_000,
  }, async ({ expect, onTestFinished }) => {
    const stranger = await browser.newContext()
    onTestFinished(() => stranger.close())
    const refused = await (await stranger.newPage()).goto(tools.viewer)
    expect(refused?.status()).toBe(401)
    expect(await refused?.text()).not.toContain('<')

    const screen = await openScreen(browser, tools.viewer)
    onTestFinished(() => screen.close())
    const { page } = screen
    const signIn = new RegExp(`${tools.viewer}/auth/browser\\?token=\\S+`).exec(tools.said)?.[0] ?? ''
    await page.goto(signIn)
    expect(page.url()).toBe(`${tools.viewer}/`)
    await screen.settle()
    expect(await page.evaluate('document.cookie')).toBe('')

    // The folder is read once somebody looks at it, and again when it changes: both are heard over the open stream.
    const found = (name: string) => page.locator('main').getByRole('link', { name }).count()
    await expect
      .poll(
        async () => {
          await screen.go(href('home', '', { q: 'main' }))
          return found('main')
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0)
    writeFileSync(path.join(tools.room, 'opened/later.ts'), 'export function cameLater(): number {\n  return 1\n}\n')
    await promisify(execFile)(process.execPath, [indexer, 'sync', path.join(tools.room, 'opened'), '--quiet'])
    const listed = `fetch('/api/search?q=cameLater&limit=5').then((answer) => answer.text())`
    await expect.poll(() => page.evaluate<string>(listed), { timeout: 60_000 }).toContain('later.ts')
    await screen.go(href('home', '', { q: 'cameLater' }))
    expect(await found('cameLater')).toBeGreaterThan(0)

    // What the page itself writes is let in by its origin, and nobody else's by the same cookie.
    const save = `fetch('/api/trails', { method: 'POST', headers: { 'content-type': 'application/json', 'x-viewer-ui': '1' }, body: '{}' }).then(({ status }) => status)`
    expect(await page.evaluate(save)).toBe(400)

    const again = await stranger.newPage()
    expect((await again.goto(signIn))?.status()).toBe(401)
    expect(await screen.troubles()).toEqual([])
  })
})
