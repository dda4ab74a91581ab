// @module-tag slow
/** Work trees on the agent's page, in both languages, wide and on a phone: one is begun, looked at, merged and thrown away. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startTestServer } from '../support/agent-server.ts'
import { axeFindings, chromiumPart, launchChromium, openPage } from '../support/chromium.ts'
import { commitAll } from '../support/git-in-test.ts'

const pagesFolder = path.resolve(import.meta.dirname, '../../dist/web/agent')

describe.skipIf(chromiumPart.isMissing)(`the page ${chromiumPart.skipNote}`, { timeout: 120_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  test('begins a session in one, shows what differs, merges it, and throws it away', async ({
    expect,
    onTestFinished,
  }) => {
    const server = await startTestServer({ pagesFolder, config: { permission: 'allow' } })
    onTestFinished(() => server.close())
    await server.write('notes.txt', 'one\ntwo\n')
    commitAll(server.project)
    server.model.script(
      { calls: [{ id: 'c1', name: 'write', input: { path: 'more.txt', content: 'added words\n' } }] },
      { text: ['It is written.'] },
    )
    const { page, context, troubles } = await openPage(browser)
    onTestFinished(() => context.close())
    await page.goto(server.address)
    await page.getByLabel('In a work tree of its own').check()
    await page.locator('#task').fill('Write more')
    await page.getByRole('button', { name: /^Start/ }).click()
    await page.getByRole('paragraph').filter({ hasText: 'It is written.' }).waitFor()
    const notInProject = path.join(server.project, 'more.txt')
    expect(existsSync(notInProject)).toBe(false)

    await page.goto(`${server.address}/#/`)
    const section = page.getByRole('region', { name: 'Work trees' })
    await section.getByText(/agent\/[0-9a-f]{12}/).waitFor()
    await section.locator('summary', { hasText: 'What differs' }).click()
    await section.locator('summary', { hasText: 'more.txt' }).click()
    await section.getByText('added words').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await section.getByRole('button', { name: 'Merge into the project' }).click()
    await section.getByText('Nothing differs from the project.').waitFor()
    expect(readFileSync(notInProject, 'utf8')).toBe('added words\n')

    const chinese = await openPage(browser, { locale: 'zh-CN', viewport: { width: 390, height: 844 } })
    onTestFinished(() => chinese.context.close())
    await chinese.page.goto(server.address)
    const named = chinese.page.getByRole('region', { name: '工作副本' })
    await named.locator('summary', { hasText: '丢弃…' }).click()
    expect(await axeFindings(chinese.page)).toEqual([])
    await named.getByRole('button', { name: '确认丢弃' }).click()
    await section.waitFor({ state: 'detached' })
    expect((await server.send('GET', '/api/work-tree')).body.data).toEqual([])
    expect([...troubles, ...chinese.troubles]).toEqual([])
  })
})
