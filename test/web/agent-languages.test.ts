/**
 * Every view of the agent's page in Chinese, with what can fail on it: what is left in English is what a model is told, what
 * another program said, and names.
 */
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startTestServer } from '../support/agent-server.ts'
import { chromiumPart, launchChromium, openPage } from '../support/chromium.ts'
import { freePort } from '../support/free-port.ts'
import { commitAll } from '../support/git-in-test.ts'
import { textsApart } from '../support/page-texts.ts'

const pagesFolder = path.resolve(import.meta.dirname, '../../dist/web/agent')
const minuteMs = 60_000

/** What a model or another program wrote is left out, and what says that it is English is told apart. */
const seenOn = (page: Page) => textsApart(page, { passedOver: 'code, pre, textarea, .xterm', quoted: '[lang=en]' })
type Seen = Awaited<ReturnType<typeof seenOn>>

/** Two words of English in a row, outside of what is quoted. */
function leftovers({ ours }: Seen): string[] {
  return ours.filter((text) => /\b[A-Za-z]{2,}[,;:]? [a-z]{2,}\b/.test(text.replace(/“[^”]*”/g, '')))
}

describe.skipIf(chromiumPart.isMissing)(`the page ${chromiumPart.skipNote}`, { timeout: 180_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  async function textsAt(page: Page, address: string, ready: string): Promise<Seen> {
    await page.goto(address)
    await page.getByText(ready).first().waitFor()
    await page.locator('.skeleton, .bars').waitFor({ state: 'detached' })
    return seenOn(page)
  }

  test('has no English sentence of ours left in Chinese, in no view and of nothing that failed', async ({
    expect,
    onTestFinished,
  }) => {
    let aheadMs = 0
    const mcp = {
      gone: { type: 'local', command: ['no-such-program'] },
      far: { type: 'remote', url: `http://127.0.0.1:${await freePort()}/mcp` },
      ends: { type: 'local', command: ['false'] },
    }
    const server = await startTestServer({
      pagesFolder,
      config: { mcp, permission: { bash: 'ask' } },
      clock: { nowMs: () => Date.now() + aheadMs },
      scheduleLookMs: 20,
      logger: { error: () => undefined },
    })
    onTestFinished(() => server.close())
    await server.write('文件.txt', '一\n')
    commitAll(server.project)
    await server.write('文件.txt', '一\n二\n')
    const at = Date.now() + minuteMs
    await server.send('POST', '/api/schedule', { text: '检查', agent: 'nobody', at })
    aheadMs = 2 * minuteMs

    const refused = await server.createSession()
    await server.send('PATCH', `/api/session/${refused}`, { title: '被拒绝' })
    server.model.script({ status: 401, body: { error: { message: 'Your account is not active' } } })
    await server.turn(refused, '你好')
    const variant = (await server.send('POST', '/api/session', { model: { providerID: 'none', id: 'none' } })).body.data
      .id
    await server.turn(variant, '没有模型')
    const cut = await server.createSession()
    server.model.script({ text: ['半'], isCut: true }, { text: ['半'], isCut: true })
    await server.turn(cut, '断开')
    const working = await server.createSession()
    server.model.script(
      { calls: [{ id: 'r1', name: 'read', input: { path: '没有.txt' } }] },
      { calls: [{ id: 'w1', name: 'write', input: { path: '新.txt', content: '新\n' } }] },
      { calls: [{ id: 'b1', name: 'bash', input: { command: 'true' } }] },
    )
    await server.prompt(working, '做吧')

    const { page, context, troubles } = await openPage(browser, { locale: 'zh-CN' })
    onTestFinished(() => context.close())
    const views: readonly (readonly [place: string, ready: string])[] = [
      ['', '没有开始：'],
      ['new', '在单独的工作副本中进行'],
      ['files', '选择一个文件阅读'],
      ['files/没有.txt', '它已不存在'],
      ['terminals', '新建终端'],
      ['catalog', '模型'],
      ['memory', '项目规则'],
      ['cleanup', '未改动的时间'],
      [`s/${refused}`, '这一步失败了。'],
      [`s/${variant}`, '这个会话没有配置模型。'],
      [`s/${cut}`, '与提供方的连接在回答中途断开了。'],
      [`s/${working}`, '运行命令？'],
      [`s/${working}/changes`, '自会话开始至今'],
      [`s/${working}/context`, '上下文已用'],
      [`s/${working}/terminal`, '新建终端'],
    ]
    await page.goto(server.address)
    // Of the last one it is the machine's business which of the two is seen first.
    for (const fault of [
      /无法启动这个程序。/,
      /无法连接到工具服务器。/,
      /工具服务器已退出。|这个程序关闭了自己的输入。/,
    ])
      await page.getByText(fault).waitFor()
    await page.getByText('它指定的文件夹或智能体不再可用。').waitFor()
    const seen = new Map<string, Seen>()
    for (const [place, ready] of views) seen.set(place, await textsAt(page, `${server.address}/#/${place}`, ready))

    await page.goto(`${server.address}/#/s/${refused}`)
    await page.getByRole('textbox', { name: '提示' }).fill('/')
    await page.getByText('审查更改').waitFor()
    seen.set('commands', await seenOn(page))

    expect([...seen].flatMap(([place, texts]) => leftovers(texts).map((text) => `${place}: ${text}`))).toEqual([])
    expect(seen.get(`s/${refused}`)?.ours.join('\n')).toContain('提供方拒绝了凭据（401）：“Your account is not active”')
    // A refused request is said by its kind, not in the server's words.
    const refusal = seen.get('files/没有.txt')
    expect(refusal?.ours.join('\n')).toContain('没有这个文件。')
    expect(refusal?.theirs.join('\n')).not.toContain('no such')
    const theirs = [...seen].flatMap(([place, texts]) => texts.theirs.map((text) => `${place}: ${text}`))
    // The switch of languages has its own words, and a tool's answer to the model names the file.
    expect(theirs.filter((text) => !/: (?:A|English)$|没有\.txt/.test(text))).toEqual([])
    expect(troubles).toEqual([])
  })
})
