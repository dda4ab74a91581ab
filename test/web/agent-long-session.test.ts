// @module-tag slow
/** A session of fifty thousand events on the agent's page: its end is there at once, its past on demand, and little is kept. */
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/agent-server.ts'
import { chromiumPart, launchChromiumShell, openPage, type TestBrowser } from '../support/chromium.ts'
import { fillLongSession, longSessionTurns } from '../support/long-session.ts'

/** Of the issue: from asking for the session to its latest messages on screen. It is told, and not judged here. */
const wantedMs = 300

describe.skipIf(chromiumPart.isMissing)(`a long session on the agent's page ${chromiumPart.skipNote}`, () => {
  let browser: TestBrowser
  let server: TestServer
  let session: string

  beforeAll(async () => {
    browser = await launchChromiumShell()
    server = await startTestServer({ pagesFolder: path.resolve(import.meta.dirname, '../../dist/web/agent') })
    await server.suspend()
    session = fillLongSession(path.join(server.dataDir, 'agent.db'), server.project)
    await server.restart()
  })

  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  test('shows its end from one small page, reads its past on demand, and lets go of it again', async ({ expect }) => {
    const history = await server.send('GET', `/api/session/${session}/message?limit=1`)
    expect(history.body.seq).toBeGreaterThanOrEqual(50_000 - 1)
    const { page, context, troubles } = await openPage(browser)
    let bytes = 0
    const asked: string[] = []
    page.on('response', async (response) => {
      if (!response.url().includes(`/api/session/${session}/`)) return
      asked.push(response.url().slice(server.address.length))
      if (response.url().includes('/message')) bytes += (await response.body()).length
    })
    await page.goto(`${server.address}/`)
    await page.getByRole('link', { name: 'A long one' }).waitFor()
    const tookMs = await page.evaluate<number>(`new Promise((resolve) => {
      const begun = performance.now()
      const look = new MutationObserver(() => {
        if (!document.querySelector('.log')?.textContent.includes('Answer ${longSessionTurns - 1}.')) return
        look.disconnect()
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begun)))
      })
      look.observe(document.body, { childList: true, subtree: true, characterData: true })
      location.hash = '#/s/${session}'
    })`)
    await expect.poll(() => bytes).toBeGreaterThan(0)
    console.log(
      `${history.body.seq} events; the latest messages are on screen after ${tookMs.toFixed(0)} ms of ${wantedMs}; ${bytes} bytes`,
    )
    expect(asked.filter((address) => address.includes('/message'))).toEqual([
      `/api/session/${session}/message?limit=20`,
    ])
    expect(bytes).toBeLessThan(64 * 1024)
    const rows = page.locator('.log .msg-row')
    expect(await rows.count()).toBe(20)
    expect(await page.evaluate('Math.ceil(scrollY + innerHeight) >= document.documentElement.scrollHeight - 1')).toBe(
      true,
    )

    for (const count of [60, 100, 140, 180, 220, 260]) {
      await page.evaluate('scrollTo(0, 0)')
      const top = 'globalThis.firstRow.getBoundingClientRect().top'
      const before = await page.evaluate<number>(
        `globalThis.firstRow = document.querySelector('.log .msg-row'), ${top}`,
      )
      await expect.poll(() => rows.count()).toBe(count)
      // What was on screen stays where it was, with the older ones above it.
      await expect.poll(async () => Math.abs((await page.evaluate<number>(top)) - before)).toBeLessThan(8)
    }
    expect(await page.locator('.log').textContent()).toContain('Question 370')
    await page.getByRole('button', { name: 'To the end' }).click()
    await expect.poll(() => rows.count()).toBeLessThanOrEqual(200)
    expect(await page.locator('.log').textContent()).toContain(`Answer ${longSessionTurns - 1}.`)

    // It goes on from there, and not from its beginning.
    server.model.script({ text: ['And on it goes.'] })
    await page.getByLabel('Prompt', { exact: true }).fill('Go on')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.said').getByText('And on it goes.').waitFor()
    expect(await page.locator('.said').getByText('And on it goes.').count()).toBe(1)
    expect(troubles).toEqual([])
    await context.close()
  })
})
