/** The pages about the server and its folders, and what the page says of a session's changes, its sandbox and its queue. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { sandboxLack } from '../../local/agent/core/outside-reason.ts'
import { startTestServer, type TestServer } from '../support/agent-server.ts'
import { axeFindings, chromiumPart, launchChromium, openPage } from '../support/chromium.ts'
import { commitAll } from '../support/git-in-test.ts'

const pagesFolder = path.resolve(import.meta.dirname, '../../dist/web/agent')
const write = (id: string, file: string, content: string) => ({ id, name: 'write', input: { path: file, content } })

describe.skipIf(chromiumPart.isMissing)(`the page ${chromiumPart.skipNote}`, { timeout: 120_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  async function opened(
    onTestFinished: (done: () => Promise<void>) => void,
    options: Parameters<typeof startTestServer>[0] = {},
  ) {
    const server = await startTestServer({ pagesFolder, ...options })
    onTestFinished(() => server.close())
    const { page, context, troubles } = await openPage(browser)
    onTestFinished(() => context.close())
    const go = (place: string) => page.goto(`${server.address}/#/${place}`)
    return { server, page, troubles, go }
  }

  async function changedBy(server: TestServer, ...calls: ReturnType<typeof write>[]): Promise<string> {
    server.model.script({ calls }, { text: ['It is done.'] })
    const session = await server.firstTurn('Change it')
    return session
  }

  test('says of a session how much it changed, in the list and in its bar', { tags: 'slow' }, async ({
    expect,
    onTestFinished,
  }) => {
    const { server, page, go } = await opened(onTestFinished)
    const session = await changedBy(server, write('w1', 'a.txt', 'a\nb\nc\n'))
    await go('')
    await page
      .getByRole('row', { name: /Change it/ })
      .getByText('+3')
      .waitFor()
    await go(`s/${session}`)
    await page.locator('.bar').getByRole('link', { name: 'Changes' }).getByText('+3').waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  test('says why every command is asked for where there is no sandbox', async ({ expect, onTestFinished }) => {
    const { server, page, go } = await opened(onTestFinished, { sandbox: async () => sandboxLack('no_bubblewrap') })
    const session = await server.createSession()
    await go(`s/${session}`)
    await page.locator('.bar').getByRole('link', { name: 'No sandbox' }).click()
    await page.getByText('Every command asks. Why: no sandbox here: bubblewrap is not installed').waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  test('says that calls behind one that is asked about wait', { tags: 'slow' }, async ({ expect, onTestFinished }) => {
    const { server, page, go } = await opened(onTestFinished, { config: { permission: { bash: 'ask' } } })
    server.model.script(
      { calls: [{ id: 'b1', name: 'bash', input: { command: 'true' } }, write('w1', 'late.txt', 'x')] },
      { text: ['It is done.'] },
    )
    const session = await server.createSession()
    await go(`s/${session}`)
    await server.prompt(session, 'Go')
    const behind = page.locator('details.tool', { hasText: 'late.txt' })
    await behind.getByText('waiting').last().waitFor()
    // Who comes later is told as well.
    await page.reload()
    await behind.getByText('waiting').last().waitFor()
    await page.getByRole('button', { name: /Allow once/ }).click()
    await page.getByRole('paragraph').filter({ hasText: 'It is done.' }).waitFor()
    expect(await behind.getByText('waiting').count()).toBe(0)
    expect(existsSync(path.join(server.project, 'late.txt'))).toBe(true)
  })

  test('shows the files with what differs, and reads one', { tags: 'slow' }, async ({ expect, onTestFinished }) => {
    const { server, page, troubles, go } = await opened(onTestFinished)
    await server.write('src/deep/lease.js', 'export const a = 1\n')
    await server.write('<b>.md', 'marked <i>up</i>\n')
    commitAll(server.project)
    await server.write('src/deep/lease.js', 'export const a = 2\nexport const b = 3\n')
    const session = await server.createSession()
    server.model.script({ text: ['Done.'] })
    await server.turn(session, 'Look')
    await go('files')
    const tree = page.getByRole('navigation', { name: 'Files' })
    await tree.getByRole('region', { name: 'Differs from the last commit' }).getByText('+2').waitFor()
    const all = tree.getByRole('region', { name: 'All files' })
    await all.locator('summary', { hasText: 'src' }).click()
    await all.locator('summary', { hasText: 'deep' }).click()
    await all.getByRole('link', { name: /lease\.js/ }).click()
    await page.locator('.reader .numbered').getByText('export const b = 3').waitFor()
    const difference = page.locator('.reader .file-diff')
    await difference.locator('.del').getByText('export const a = 1').waitFor()
    expect(await difference.locator('.add').count()).toBe(2)
    expect(await axeFindings(page)).toEqual([])
    await all.getByRole('link', { name: '<b>.md' }).click()
    await page.locator('.reader').getByText('marked <i>up</i>').waitFor()
    await page.reload()
    await page.locator('.reader').getByText('marked <i>up</i>').waitFor()
    expect(await all.getByText('.git', { exact: true }).count()).toBe(0)
    await go('files/src/deep/lease.js')
    await all.getByRole('link', { name: /lease\.js/ }).waitFor()
    await go('files/.git/HEAD')
    await all.locator('summary', { hasText: '.git' }).waitFor()
    await page.locator('.reader').getByText('ref: refs/heads/').waitFor()
    await go('')
    const project = page.getByRole('region', { name: path.basename(server.project) })
    await project.getByRole('link', { name: '1 file not committed' }).waitFor()
    await go('files/nothing.js')
    await page.getByText('It is not there any more.').waitFor()
    expect(troubles.filter((trouble) => !trouble.includes('404'))).toEqual([])
  })

  test('asks for a file beside the first line of the list, and a short page does not scroll on a phone', async ({
    expect,
    onTestFinished,
  }) => {
    const { server, page, go } = await opened(onTestFinished)
    await server.write('a.txt', 'one\n')
    commitAll(server.project)
    server.model.script({ text: ['It is done.'] })
    const session = await server.firstTurn('Look')
    await go('files')
    const list = await page.getByRole('heading', { name: 'All files' }).boundingBox()
    const asked = await page.getByText('Choose a file to read.').boundingBox()
    const middle = (box: typeof list) => (box === null ? Number.NaN : box.y + box.height / 2)
    expect(Math.abs(middle(list) - middle(asked))).toBeLessThanOrEqual(2)

    await page.setViewportSize({ width: 390, height: 844 })
    await go(`s/${session}`)
    await page.getByRole('paragraph').filter({ hasText: 'It is done.' }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0)
  })

  test('opens and closes a terminal without a session', { tags: 'slow' }, async ({ expect, onTestFinished }) => {
    const { server, page, go } = await opened(onTestFinished)
    await go('terminals')
    await page.getByRole('button', { name: 'New terminal' }).click()
    const running = async () => (await server.send('GET', '/api/pty')).body.data.length
    await page.locator('.xterm').waitFor()
    expect(await running()).toBe(1)
    await page.getByRole('button', { name: 'End and remove' }).click()
    await page.getByText('No terminal runs in this folder.').waitFor()
    expect(await running()).toBe(0)
  })

  test('lists models with limits and prices, on a phone as well, and forgets a note', { tags: 'slow' }, async ({
    expect,
    onTestFinished,
  }) => {
    const { server, page, go } = await opened(onTestFinished)
    await server.write('AGENTS.md', 'Tabs, not spaces')
    await go('catalog')
    const model = page.getByRole('row', { name: /fake\/one/ })
    expect(await model.innerText()).toMatch(/100,000\s+4,000\s+\$1 \/ \$2/)
    expect(await axeFindings(page)).toEqual([])
    const whole = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await model.innerText()).toMatch(/fake\/one\s+Context 100,000, \$1 \/ \$2 a million sent \/ answered\s*$/)
    if (whole !== null) await page.setViewportSize(whole)
    server.model.script(
      { calls: [{ id: 'r1', name: 'remember', input: { text: 'Tests need a port' } }] },
      { text: ['Kept.'] },
    )
    await server.firstTurn('Remember it')
    await go('memory')
    await page.locator('summary', { hasText: 'AGENTS.md' }).click()
    await page.getByText('Tabs, not spaces').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Forget: Tests need a port' }).click()
    await page.getByText('No session has kept a note for later ones.').waitFor()
    expect((await server.send('GET', '/api/memory')).body.data.notes).toEqual([])
  })

  test('deletes old sessions once that is agreed to, on a phone in Chinese', { tags: 'slow' }, async ({
    expect,
    onTestFinished,
  }) => {
    const day = 24 * 60 * 60_000
    let ahead = 0
    const clock = { nowMs: () => Date.now() + ahead, monotonicMs: () => performance.now() }
    const { server } = await opened(onTestFinished, { clock } as Parameters<typeof startTestServer>[0])
    const session = await changedBy(server, write('w1', 'a.txt', 'a\n'))
    ahead = 40 * day
    const phone = await openPage(browser, { locale: 'zh-CN', viewport: { width: 390, height: 844 } })
    onTestFinished(() => phone.context.close())
    await phone.page.goto(server.address)
    await phone.page.getByRole('button', { name: '更多' }).click()
    await phone.page.getByRole('dialog').getByRole('link', { name: '清理' }).click()
    await phone.page.getByRole('link', { name: 'Change it' }).waitFor()
    expect(await axeFindings(phone.page)).toEqual([])
    await phone.page.getByRole('button', { name: '删除…' }).click()
    const dialog = phone.page.getByRole('dialog', { name: '彻底删除 1 个会话？' })
    expect(await axeFindings(phone.page)).toEqual([])
    await dialog.getByRole('button', { name: '取消' }).click()
    expect((await server.send('GET', `/api/session/${session}`)).status).toBe(200)
    await phone.page.getByRole('button', { name: '删除…' }).click()
    await dialog.getByRole('button', { name: '删除', exact: true }).click()
    await phone.page.getByText('已删除 1 个会话。').waitFor()
    expect((await server.send('GET', `/api/session/${session}`)).status).toBe(404)
    expect(existsSync(path.join(server.project, 'a.txt'))).toBe(true)
  })
})
