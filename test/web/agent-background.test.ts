/** Commands in the background on the agent's page, wide and on a phone: seen while they run, read, and ended by their owner. */
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startTestServer } from '../support/agent-server.ts'
import { axeFindings, chromiumPart, launchChromiumShell, openPage, type TestBrowser } from '../support/chromium.ts'

const pagesFolder = path.resolve(import.meta.dirname, '../../dist/web/agent')

describe.skipIf(chromiumPart.isMissing)(`the page ${chromiumPart.skipNote}`, { timeout: 120_000 }, () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await launchChromiumShell()
  })
  afterAll(() => browser.close())

  test('lists what runs in the background, shows what it said, and ends it', { tags: 'slow' }, async ({
    expect,
    onTestFinished,
  }) => {
    const server = await startTestServer({ pagesFolder, config: { permission: 'allow' } })
    onTestFinished(() => server.close())
    const command = 'echo listening; sleep 300'
    server.model.script(
      { calls: [{ id: 'c1', name: 'bash', input: { command, background: true } }] },
      { text: ['It runs.'] },
    )
    const session = await server.firstTurn('Start it')
    const { page, context, troubles } = await openPage(browser)
    onTestFinished(() => context.close())
    await page.goto(`${server.address}/#/s/${session}/context`)
    const section = page.locator('.work section').filter({ hasText: 'In the background' })
    await section.getByText(command).click()
    await section.getByText('listening', { exact: true }).waitFor()
    expect(await section.locator('summary .end').textContent()).toBe('running')
    expect(await axeFindings(page)).toEqual([])

    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${server.address}/#/s/${session}`)
    const running = page.getByRole('list', { name: 'In the background' })
    await running.getByText(command).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await running.getByRole('button', { name: `Stop ${command}` }).click()
    await running.waitFor({ state: 'detached' })
    await page.goto(`${server.address}/#/s/${session}/context`)
    await section.getByText('stopped').waitFor()
    expect(troubles).toEqual([])
  })
})
