// @module-tag slow
/**
 * A day of a programmer on the agent's page, over a small repository that is indexed: begun at a desk in English, gone on
 * with on a phone in Chinese and in the dark, where what waits is decided and what was changed is looked through.
 */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { createCodeSenses } from '../../local/code-senses.ts'
import { startTestServer, type TestServer } from '../support/agent-server.ts'
import {
  axeFindings,
  chromiumPart,
  launchChromiumShell,
  openPage,
  overBy,
  type TestBrowser,
} from '../support/chromium.ts'
import type { ScriptedTurn } from '../support/fake-model.ts'
import { commitAll } from '../support/git-in-test.ts'

const pagesFolder = path.resolve(import.meta.dirname, '../../dist/web/agent')
const steps = Array.from({ length: 14 }, (_, at) => `export const step${at} = ${at}\n`).join('')
const files = {
  'src/store.ts': `export interface Job {\n  readonly id: string\n  lease?: string\n}\n\nconst jobs = new Map<string, Job>()\n\nexport function put(job: Job): void {\n  jobs.set(job.id, job)\n}\n\n${steps}\nexport function size(): number {\n  return jobs.size\n}\n`,
  'src/lease.ts': `import { put } from './store.ts'\n\nexport function claim(id: string, worker: string): boolean {\n  put({ id, lease: worker })\n  return true\n}\n`,
  'src/worker.ts': `import { claim } from './lease.ts'\n\nexport function tick(id: string): string {\n  return claim(id, 'one') ? 'run' : 'skip'\n}\n`,
  'test/lease.test.ts': `import { claim } from '../src/lease.ts'\n\nexport function twoWorkers() {\n  return [claim('a', 'one')]\n}\n`,
}

let calls = 0
function call(name: string, input: object) {
  calls += 1
  return { id: `call_${calls}`, name, input }
}
const edit = (file: string, oldString: string, newString: string) => call('edit', { path: file, oldString, newString })
const todo = (content: string, status: string) => ({ content, status })
const explore = (description: string) => call('task', { description, prompt: description, agent: 'explore' })
const usage = { prompt: 30_000, completion: 400, cached: 20_000 }

/** What the model does in the one long turn of the day. */
const turns = (): ScriptedTurn[] => [
  {
    text: ['I look at the claim first.'],
    calls: [
      call('read', { path: 'src/lease.ts' }),
      call('read', { path: 'src/store.ts' }),
      call('callers', { symbol: 'claim' }),
    ],
    usage,
  },
  { calls: [explore('Who settles a job'), explore('Read the migrations')], usage },
  { calls: [edit('src/lease.ts', '  return true', '  return id !== worker')], usage },
  {
    calls: [
      edit('src/store.ts', '  jobs.set(job.id, job)', '  if (!jobs.has(job.id)) jobs.set(job.id, job)'),
      edit('src/store.ts', 'return jobs.size', 'return jobs.size // all of them'),
    ],
    usage,
  },
  { calls: [call('bash', { command: 'seq 1 60; exit 2' })], usage },
  {
    calls: [
      call('bash', { command: 'echo watching; sleep 300', background: true }),
      call('todowrite', { todos: [todo('Claim once', 'completed'), todo('Say so', 'cancelled')] }),
    ],
    usage,
  },
  { text: ['A claim is **one** step now.'], usage },
]

function scriptDay({ model }: TestServer): void {
  const left = turns()
  model.otherwise(({ messages }) => {
    const told = JSON.stringify(messages.find(({ role }) => role === 'user')?.content)
    if (/settles a job|the migrations/.test(told)) return { text: ['Nobody but the worker.'] }
    return left.shift() ?? { text: ['Nothing is left.'] }
  })
}

const scrollOf = (page: Page) => page.evaluate<number>('Math.round(scrollY)')
const scrollUp = (page: Page) => page.evaluate('scrollTo(0, 300)')

describe.skipIf(chromiumPart.isMissing)(`a day with the agent ${chromiumPart.skipNote}`, { timeout: 120_000 }, () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await launchChromiumShell()
  })
  afterAll(() => browser?.close())

  test('is begun at a desk, and decided and looked through on a phone', async ({ expect, onTestFinished }) => {
    const own = await mkdtemp(path.join(tmpdir(), 'own-index-'))
    const server = await startTestServer({
      pagesFolder,
      codeSenses: createCodeSenses({ setting: undefined, own }),
      config: { permission: { edit: 'ask', bash: 'ask' }, sandbox: { enabled: false } },
    })
    onTestFinished(async () => {
      await server.close()
      await rm(own, { recursive: true, force: true })
    })
    for (const [name, text] of Object.entries(files)) await server.write(name, text)
    commitAll(server.project)
    const other = path.join(path.dirname(server.project), 'gull')
    await mkdir(other)
    await server.send('POST', '/api/session', { location: { directory: other } })
    scriptDay(server)

    const desk = await openPage(browser)
    await desk.page.goto(`${server.address}/`)
    await desk.page.getByLabel('Task', { exact: true }).fill('Make claiming atomic')
    await desk.page.getByRole('button', { name: 'Start' }).click()
    await desk.page.waitForURL(/#\/s\/ses/)
    const log = desk.page.locator('.log')
    const line = (name: string, subject: string) =>
      log.locator('.tool summary').filter({ hasText: name }).filter({ hasText: subject })

    // The index answers as a list of places and not as the text that the model reads.
    await line('Callers', 'claim').getByText('2 certain').waitFor()
    await line('Callers', 'claim').click()
    const callers = log.locator('.report').first()
    expect(await callers.locator('li').first().textContent()).toContain('src/worker.ts:4function tick')
    await line('Delegate', 'Who settles a job').getByText('explore').waitFor()
    expect(await desk.page.getByLabel('Agent', { exact: true }).inputValue()).toBe('build')
    expect(await desk.page.locator('.composer').textContent()).toMatch(/30 % of context, \$0\.\d/)

    const phone = await openPage(browser, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      locale: 'zh-CN',
      colorScheme: 'dark',
    })
    await phone.page.goto(`${server.address}/`)
    const asked = phone.page.getByRole('group', { name: '更改文件？' })
    await asked.getByText('确定的调用者').waitFor()
    expect(await asked.textContent()).toContain('src/worker.ts:4function tick')
    expect(await asked.textContent()).toContain('确定会触及的测试 1')
    expect(await asked.textContent()).not.toContain('Certain callers')
    expect(await axeFindings(phone.page)).toEqual([])
    expect(await phone.page.locator('.sec > header h2').allTextContents()).toEqual(
      expect.arrayContaining(['project', 'gull']),
    )
    await phone.page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await phone.page.getByRole('link', { name: 'Make claiming atomic', exact: true }).click()
    await asked.getByRole('button', { name: '始终…' }).click()
    await asked.getByRole('button', { name: '本会话内' }).click()

    // Why a command is asked about is said in the language of each page.
    const outside = phone.page.getByRole('group', { name: '在沙箱之外运行命令？' })
    await outside.getByText('原因：没有沙箱：配置关闭了它。').waitFor()
    const outsideAtDesk = desk.page.getByRole('group', { name: 'Run a command outside of the sandbox?' })
    await outsideAtDesk.getByText('Why: no sandbox: the configuration turns it off.').waitFor()
    await outside.getByRole('button', { name: '允许一次' }).click()
    await outside.getByText('echo watching').waitFor()
    await outside.getByRole('button', { name: '允许一次' }).click()
    await phone.page.locator('.said').getByText('A claim is').waitFor()
    await outsideAtDesk.waitFor({ state: 'detached' })
    await line('Run', 'echo watching').getByText('in the background').waitFor()
    await line('Plan', '').getByText('1 done, 1 dropped').waitFor()
    expect(await line('Run', 'seq 1 60').textContent()).toContain('exit 2')

    // A panel opens at its top, and the transcript is where it was left.
    const places = phone.page.getByRole('navigation', { name: '主导航' }).last()
    expect(await places.locator('a').allTextContents()).toEqual(['全部会话', '会话', '更改', '终端'])
    await scrollUp(phone.page)
    await phone.page.getByRole('button', { name: '到末尾' }).waitFor()
    await places.getByRole('link', { name: '更改' }).click()
    const work = phone.page.locator('.work')
    await work.getByText('2 个文件').waitFor()
    expect(await scrollOf(phone.page)).toBe(0)
    await places.getByRole('link', { name: '会话', exact: true }).click()
    await phone.page.locator('.chat').waitFor()
    await expect.poll(() => scrollOf(phone.page)).toBe(300)
    await places.getByRole('link', { name: '更改' }).click()

    const store = work.locator('.file-diff').filter({ hasText: 'src/store.ts' })
    await store.locator('.hunk').nth(0).getByRole('button', { name: '接受' }).click()
    await store.locator('.hunk').nth(0).getByText('已接受').waitFor()
    await store.locator('.hunk').nth(1).getByRole('button', { name: '撤回此处' }).click()
    await expect.poll(() => store.locator('.hunk').count()).toBe(1)
    const left = await readFile(path.join(server.project, 'src/store.ts'), 'utf8')
    expect(left).toContain('if (!jobs.has(job.id))')
    expect(left).not.toContain('all of them')
    expect(await axeFindings(phone.page)).toEqual([])
    expect(await overBy(phone.page)).toBeLessThanOrEqual(0)
    await places.getByRole('link', { name: '全部会话' }).click()
    await phone.page.getByText('没有待定事项').waitFor()

    await desk.page.locator('.chat-foot').getByRole('button', { name: 'Stop echo watching; sleep 300' }).click()
    await desk.page.getByRole('list', { name: 'In the background' }).waitFor({ state: 'detached' })
    expect(await axeFindings(desk.page)).toEqual([])
    expect([...desk.troubles, ...phone.troubles]).toEqual([])
    await Promise.all([desk.context.close(), phone.context.close()])
  })
})
