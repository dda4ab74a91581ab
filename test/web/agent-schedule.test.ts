/** Scheduled prompts on the agent's page, wide and on a phone: one is made, begins at its time, and is removed. */
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startTestServer } from '../support/agent-server.ts'
import { axeFindings, chromiumPart, launchChromium, openPage } from '../support/chromium.ts'

const pagesFolder = path.resolve(import.meta.dirname, '../../dist/web/agent')
const hourMs = 60 * 60_000

describe.skipIf(chromiumPart.isMissing)(`the page ${chromiumPart.skipNote}`, { timeout: 120_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  test('schedules a prompt, shows when it comes, leads to what it began, and removes it', { tags: 'slow' }, async ({
    expect,
    onTestFinished,
  }) => {
    let aheadMs = 0
    const clock = { nowMs: () => Date.now() + aheadMs }
    const server = await startTestServer({ pagesFolder, clock, scheduleLookMs: 20 })
    onTestFinished(() => server.close())
    server.model.otherwise({ text: ['All is green.'] })
    const { page, context, troubles } = await openPage(browser)
    onTestFinished(() => context.close())
    await page.goto(server.address)
    const section = page.getByRole('region', { name: 'Scheduled' })
    await section.locator('summary').click()
    await section.getByLabel('Prompt').fill('Run the tests')
    const wanted = new Date(Date.now() + 2 * hourMs)
    const two = (part: number) => String(part).padStart(2, '0')
    const day = `${wanted.getFullYear()}-${two(wanted.getMonth() + 1)}-${two(wanted.getDate())}`
    await section.getByLabel('When').fill(`${day}T${two(wanted.getHours())}:${two(wanted.getMinutes())}`)
    await section.getByLabel('Repeat').selectOption({ label: 'every day' })
    await section.getByRole('button', { name: 'Schedule a prompt' }).click()
    await section.getByText('· every day').waitFor()
    expect(await axeFindings(page)).toEqual([])

    aheadMs = 2 * hourMs
    await page.setViewportSize({ width: 390, height: 844 })
    await section.getByRole('link', { name: /^Last: / }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await section.getByRole('button', { name: 'Remove: Run the tests' }).click()
    await section.getByText('Run the tests').waitFor({ state: 'detached' })
    // It is asked a moment after the prompt was taken.
    await expect.poll(() => server.model.asked.length).toBe(1)
    expect(troubles).toEqual([])
  })
})
