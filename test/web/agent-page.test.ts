/** A whole task on the agent's page, in a real browser: prompt, tools, permission, question, difference, revert, and what breaks in between. */

import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { killAgentProgram, startAgentProgram } from '../support/agent-program.ts'
import { startTestServer, type TestServer } from '../support/agent-server.ts'
import {
  axeFindings,
  chromiumPart,
  launchChromiumShell,
  openPage,
  policyViolations,
  type TestBrowser,
} from '../support/chromium.ts'
import { gate, startFakeModel } from '../support/fake-model.ts'
import { listenOnLoopback } from '../support/loopback.ts'

const pagesFolder = path.resolve(import.meta.dirname, '../../dist/web/agent')
const pictures = process.env['AGENT_PICTURES']
if (pictures !== undefined) mkdirSync(pictures, { recursive: true })

async function picture(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: path.join(pictures, `${name}.png`) })
}

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Of browsers alone: the tests' own types know none. */
interface BrowserParts {
  readonly DataTransfer: new () => { readonly items: { add(file: File): void } }
  readonly ClipboardEvent: new (type: string, init: object) => Event
}

/** As a browser tells it of what its owner pastes. */
async function pasteImage(page: Page, name: string): Promise<void> {
  await page.getByLabel('Prompt', { exact: true }).evaluate(
    (field, [file, data]) => {
      const { DataTransfer, ClipboardEvent } = globalThis as unknown as BrowserParts
      const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([bytes], file, { type: 'image/png' }))
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    },
    [name, pixel] as const,
  )
}

const before = 'export function claim(job) {\n  store.put(job)\n  return true\n}\n'

/** What a model would say that mends one line, asks one question and plans. */
function scriptTask(server: TestServer, held?: () => Promise<void>): void {
  server.model.script(
    {
      reasoning: ['The claim must be atomic.'],
      text: ['I will look at **the claim** first.\n\n- read `claim.js`\n- mend it\n'],
      calls: [
        { id: 'call_read', name: 'read', input: { path: 'claim.js' } },
        {
          id: 'call_todo',
          name: 'todowrite',
          input: {
            todos: [
              { content: 'Read the claim', status: 'completed' },
              { content: 'Make it atomic', status: 'in_progress' },
              { content: 'Prove it', status: 'pending' },
            ],
          },
        },
      ],
    },
    {
      calls: [
        {
          id: 'call_edit',
          name: 'edit',
          input: {
            path: 'claim.js',
            oldString: '  store.put(job)\n  return true',
            newString: '  return store.compareAndSet(job)',
          },
        },
      ],
    },
    {
      calls: [
        {
          id: 'call_ask',
          name: 'question',
          input: {
            questions: [
              {
                question: 'How often is a lost claim tried again?',
                header: 'Retries',
                options: [
                  { label: 'Once', description: 'Then the job is given up' },
                  { label: 'Never', description: '' },
                ],
              },
            ],
          },
        },
      ],
    },
    {
      calls: [
        { id: 'call_run', name: 'bash', input: { command: 'for i in $(seq 1 60); do echo "line $i"; done; exit 3' } },
      ],
    },
    {
      text: [
        'Done: the claim is **one** step now.\n\n| File | What |\n| - | - |\n| `claim.js` | compareAndSet |\n\nSee https://example.com/why. <img src=x onerror=alert(1)>\n',
      ],
      usage: { prompt: 12_000, completion: 400, cached: 6_000 },
      ...(held === undefined ? {} : { hold: held }),
    },
  )
}

describe.skipIf(chromiumPart.isMissing)(`the agent's page ${chromiumPart.skipNote}`, () => {
  let browser: TestBrowser

  beforeAll(async () => {
    browser = await launchChromiumShell()
  })

  afterAll(async () => {
    await browser?.close()
  })

  const relying =
    'Relying on function claim\n\nCertain callers (1)\n  work.js:3  function next  | if (claim(job)) run(job)'

  async function serverOfTask(onTestFinished: (act: () => Promise<void>) => void): Promise<TestServer> {
    const server = await startTestServer({
      pagesFolder,
      hasBrowserAuth: true,
      config: { permission: { edit: 'ask', bash: { '*': 'allow' } } },
      codeSenses: {
        hasIndex: () => true,
        mayBuild: () => true,
        forget: () => undefined,
        ask: async () => ({ text: relying, isError: false }),
      },
    })
    onTestFinished(() => server.close())
    await server.write('claim.js', before)
    return server
  }

  test.for([
    ['desk', { width: 1440, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ] as const)(
    'takes a task from the first prompt to the revert, on a %s',
    async ([name, viewport], { expect, onTestFinished }) => {
      const server = await serverOfTask(onTestFinished)
      const { page, context, troubles } = await openPage(browser, { viewport })
      await signIn(page, server)
      await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor()
      await picture(page, `home-empty-${name}`)

      scriptTask(server)
      if (name === 'phone') await page.getByRole('link', { name: 'New task' }).first().click()
      await page.getByLabel('Task', { exact: true }).fill('Two workers run the same job. Make claiming atomic.')
      await page.getByRole('button', { name: 'Start' }).click()
      await page.waitForURL(/#\/s\/ses/)

      const card = page.getByRole('group', { name: 'Change a file?' })
      await card.waitFor()
      expect(await card.textContent()).toContain('claim.js')
      expect(await card.textContent()).toContain('return store.compareAndSet(job)')
      expect(await card.getByRole('listitem').last().textContent()).toBe(
        'work.js:3function nextif (claim(job)) run(job)',
      )
      expect(await page.title()).toMatch(/^\(1\) /)
      // A call that was not allowed yet does not run.
      await page.locator('.tool.live summary', { hasText: 'waits for you' }).waitFor()
      await picture(page, `permission-${name}`)
      expect(await readFile(path.join(server.project, 'claim.js'), 'utf8')).toBe(before)
      await page.reload()
      await card.waitFor()
      await card.getByRole('button', { name: 'Allow once' }).click()

      const question = page.getByRole('form', { name: 'The agent asks' })
      await question.waitFor()
      await question.getByRole('button', { name: 'Answer', exact: true }).click()
      expect(await question.getByRole('alert').textContent()).toContain('Choose or write an answer')
      await question.getByLabel('Once').check()
      await picture(page, `question-${name}`)
      await question.getByRole('button', { name: 'Answer', exact: true }).click()

      await page.getByText('Done: the claim is').first().waitFor()
      await page.getByText('exit 3', { exact: true }).waitFor()
      expect(await page.locator('.log table td').allTextContents()).toEqual(['claim.js', 'compareAndSet'])
      const link = page.locator('.log .prose a')
      expect(await link.getAttribute('rel')).toContain('noopener')
      expect(await page.locator('.log img').count()).toBe(0)
      expect(await page.locator('.prose').getByText('<img src=x onerror=alert(1)>').count()).toBe(1)
      await picture(page, `done-${name}`)
      expect(await axeFindings(page)).toEqual([])

      const session = /#\/s\/(ses\w+)/.exec(page.url())?.[1] ?? ''
      await page.goto(`${server.address}/#/s/${session}/changes`)
      const changes = page.locator('.work')
      await changes.getByText('1 file').waitFor()
      expect(await changes.locator('.del code').allTextContents()).toEqual(['  store.put(job)', '  return true'])
      await picture(page, `changes-${name}`)
      expect(await axeFindings(page)).toEqual([])

      await page.goto(`${server.address}/#/s/${session}/context`)
      await page.getByText('of 100,000 tokens').waitFor()
      await picture(page, `context-${name}`)

      await page.goto(`${server.address}/#/s/${session}`)
      await page.getByRole('button', { name: 'Take back from here…' }).click()
      await page.locator('.log').getByRole('button', { name: 'Bring it back' }).waitFor()
      expect(await readFile(path.join(server.project, 'claim.js'), 'utf8')).toBe(before)
      await picture(page, `reverted-${name}`)
      await page.locator('.log').getByRole('button', { name: 'Bring it back' }).click()
      await expect.poll(() => readFile(path.join(server.project, 'claim.js'), 'utf8')).toContain('compareAndSet')
      await page.getByRole('button', { name: 'Take back from here…' }).click()
      await page.locator('.log').getByRole('button', { name: 'Make it final' }).click()
      await expect.poll(() => page.locator('.log .turn.me').count()).toBe(0)
      await expect
        .poll(() => page.getByLabel('Prompt', { exact: true }).inputValue())
        .toBe('Two workers run the same job. Make claiming atomic.')
      expect(await readFile(path.join(server.project, 'claim.js'), 'utf8')).toBe(before)

      await page.goto(`${server.address}/#/`)
      await page.getByRole('link', { name: 'Two workers run the same job' }).waitFor()
      await picture(page, `home-${name}`)
      expect(await axeFindings(page)).toEqual([])
      expect([...troubles, ...(await policyViolations(page))]).toEqual([])
      await context.close()
    },
  )

  test('keeps a request over a crash, says that the server is away, and goes on by itself', { tags: 'slow' }, async ({
    expect,
    onTestFinished,
  }) => {
    const model = await startFakeModel()
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-crash-')))
    await mkdir(path.join(folder, 'project'))
    await mkdir(path.join(folder, 'config/svc'), { recursive: true })
    await writeFile(path.join(folder, 'project/claim.js'), before)
    const settings = {
      model: 'fake/one',
      provider: { fake: { baseURL: model.url, models: { one: { context: 100_000, output: 4_000 } } } },
      permission: { edit: 'ask' },
      server: { port: await freePort() },
    }
    await writeFile(path.join(folder, 'config/svc/svc.json'), JSON.stringify(settings))
    let program = await startAgentProgram(folder)
    const { page, context, troubles } = await openPage(browser)
    onTestFinished(async () => {
      await context.close()
      await killAgentProgram(program)
      await model.close()
      await rm(folder, { recursive: true, force: true })
    })
    model.script(
      { text: ['I read it first.'], calls: [{ id: 'call_read', name: 'read', input: { path: 'claim.js' } }] },
      { calls: [{ id: 'call_edit', name: 'edit', input: { path: 'claim.js', oldString: 'put', newString: 'set' } }] },
    )
    await page.goto(`${program.address}/`)
    await page.getByLabel('Task', { exact: true }).fill('Mend the claim')
    await page.getByRole('button', { name: 'Start' }).click()
    const card = page.getByRole('group', { name: 'Change a file?' })
    await card.waitFor()

    await killAgentProgram(program)
    await page.getByText('The server does not answer.').waitFor()
    expect(await page.locator('.log').textContent()).toContain('I read it first.')
    program = await startAgentProgram(folder)
    await page.getByText('The server does not answer.').waitFor({ state: 'detached' })
    await page.getByText('This step was interrupted.').waitFor()
    await card.waitFor()
    model.script({ text: ['I know that I may now.'] })
    await card.getByRole('button', { name: 'Allow once' }).click()
    await page.getByText('I know that I may now.').first().waitFor()
    expect(await card.count()).toBe(0)
    expect(await page.locator('.log .prose').getByText('I read it first.').count()).toBe(1)
    expect(await page.locator('.log .prose').getByText('I know that I may now.').count()).toBe(1)
    expect(await page.locator('.log .turn.me').count()).toBe(1)
    expect(troubles).toEqual([])
  })

  test('shows what a sub-agent does inside the call that began it', { tags: 'slow' }, async ({
    expect,
    onTestFinished,
  }) => {
    const server = await serverOfTask(onTestFinished)
    server.model.otherwise(({ messages }) => {
      const told = JSON.stringify(messages)
      if (told.includes('Count the files') && !told.includes('Delegate it')) return { text: ['There are seven files.'] }
      if (messages.some(({ role }) => role === 'tool')) return { text: ['Seven, says the sub-agent.'] }
      const input = { description: 'Look around', prompt: 'Count the files', agent: 'explore' }
      return { calls: [{ id: 'call_task', name: 'task', input }] }
    })
    const { page, context, troubles } = await openPage(browser)
    // A task that is begun before the page knows its folder is begun all the same.
    const folder = gate()
    await page.route('**/api/location', async (route) => {
      await folder.wait()
      await route.continue()
    })
    await signIn(page, server)
    await page.goto(`${server.address}/#/new`)
    await page.getByLabel('Task', { exact: true }).fill('Delegate it')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.waitForURL(/#\/s\/ses/)
    folder.open()
    await page.locator('.said').getByText('Seven, says the sub-agent.').waitFor()
    await page.getByText('Look around').first().click()
    await page.locator('.nested').getByText('There are seven files.').waitFor()
    await picture(page, 'nested-desk')
    await page.getByRole('link', { name: 'Open its session' }).click()
    await page.getByRole('heading', { name: 'Look around', level: 1 }).waitFor()
    expect(troubles).toEqual([])
    await context.close()
  })

  test('keeps or takes back single parts of a change, and shows what the owner did instead of undoing it', {
    tags: 'slow',
  }, async ({ expect, onTestFinished }) => {
    const server = await startTestServer({ pagesFolder })
    onTestFinished(() => server.close())
    const middle = Array.from({ length: 20 }, (_, at) => `line ${at}`).join('\n')
    const file = path.join(server.project, 'a.txt')
    await server.write('a.txt', `a\n${middle}\nz\n`)
    const command = "sed -i 's/^a$/A/; s/^z$/Z/' a.txt"
    server.model.script({ calls: [{ id: 'call_sed', name: 'bash', input: { command } }] }, { text: ['Done.'] })
    const session = await server.firstTurn('Change both ends')
    const { page, context, troubles } = await openPage(browser)
    await page.goto(`${server.address}/#/s/${session}/changes`)
    const hunks = page.locator('.work .hunk')
    await hunks.nth(0).getByRole('button', { name: 'Accept' }).click()
    await hunks.nth(0).getByText('accepted').waitFor()
    await page.reload()
    await hunks.nth(0).getByText('accepted').waitFor()
    expect(await hunks.nth(0).locator('.dif').count()).toBe(0)
    await picture(page, 'hunks-desk')
    await page.setViewportSize({ width: 390, height: 844 })
    await picture(page, 'hunks-phone')
    expect(await axeFindings(page)).toEqual([])
    await hunks.nth(1).getByRole('button', { name: 'Take back' }).click()
    await expect.poll(() => hunks.count()).toBe(1)
    expect(await readFile(file, 'utf8')).toBe(`A\n${middle}\nz\n`)

    await page.setViewportSize({ width: 1440, height: 900 })
    await writeFile(file, `A of the owner\n${middle}\nz\n`)
    await page.goto(`${server.address}/#/s/${session}`)
    await page.getByRole('button', { name: 'Take back from here…' }).click()
    await page.locator('.log .add code', { hasText: 'A of the owner' }).waitFor()
    await picture(page, 'conflict-desk')
    expect(await axeFindings(page)).toEqual([])
    expect(await readFile(file, 'utf8')).toBe(`A of the owner\n${middle}\nz\n`)
    expect(troubles).toEqual([])
    await context.close()
  })

  test('steers a turn, rejects with a reason, takes a command, changes the agent and summarises', {
    tags: 'slow',
  }, async ({ expect, onTestFinished }) => {
    const server = await startTestServer({
      pagesFolder,
      config: {
        permission: { edit: 'ask' },
        command: { mend: { template: 'Mend what $1 says', description: 'Mends' } },
      },
    })
    onTestFinished(() => server.close())
    const told = () => JSON.stringify(server.model.asked.at(-1)?.messages)
    const { page, context, troubles } = await openPage(browser)
    const held = gate()
    const write = { id: 'call_write', name: 'write', input: { path: 'a.txt', content: 'x' } }
    server.model.script({ text: ['Thinking of it'], calls: [write], hold: held.wait }, { text: ['Elsewhere, then.'] })
    await page.goto(`${server.address}/#/new`)
    await page.getByLabel('Task', { exact: true }).fill('Write a file')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.locator('.said').getByText('Thinking of it').waitFor()
    const prompt = page.getByLabel('Prompt', { exact: true })
    await prompt.fill('Only in English')
    await page.getByRole('button', { name: 'Steer' }).click()
    await page.locator('.queued').getByText('Only in English').waitFor()
    held.open()
    const card = page.getByRole('group', { name: 'Change a file?' })
    await card.getByRole('button', { name: 'Reject and say why…' }).click()
    await card.getByLabel('What the model should do instead').fill('Put it into docs')
    await card.getByRole('button', { name: 'Reject with this' }).click()
    await page.locator('.said').getByText('Elsewhere, then.').waitFor()
    expect(told()).toContain('Put it into docs')
    expect(told()).toContain('Only in English')
    await expect(readFile(path.join(server.project, 'a.txt'))).rejects.toThrow('ENOENT')

    await page.getByLabel('Agent', { exact: true }).selectOption('plan')
    await page.locator('.notice').getByText('plan').waitFor()
    await prompt.fill('/me')
    await page.getByRole('list', { name: 'Commands' }).getByRole('button', { name: '/mend' }).click()
    await prompt.pressSequentially('log')
    server.model.script({ text: ['Mended.'] })
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.said').getByText('Mended.').waitFor()
    expect(told()).toContain('Mend what log says')
    expect(told()).toContain('You plan only')

    await server.write('docs/word list.md', 'the word is plum\n')
    await prompt.pressSequentially('What is in @docsword')
    await page.getByRole('list', { name: 'Files' }).getByRole('button', { name: '@docs/word list.md' }).click()
    await prompt.pressSequentially('and on this?')
    await pasteImage(page, 'fruit.png')
    await page.getByRole('list', { name: 'Images' }).getByRole('img', { name: 'fruit.png' }).waitFor()
    await picture(page, 'attachments')
    server.model.script({ text: ['Plums.'] })
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.said').getByText('Plums.').waitFor()
    expect(told()).toContain('What is in @\\"docs/word list.md\\" and on this?')
    expect(told()).toContain('the word is plum')
    // It came as an image of that type; this model is one for text alone.
    expect(told()).toContain('(fruit.png is left out: this model takes no image/png)')
    expect(await page.getByRole('list', { name: 'Images' }).count()).toBe(0)

    server.model.script({ text: ['In short: nothing was written.'] })
    await page.goto(`${page.url()}/context`)
    await page.getByRole('button', { name: 'Summarise now' }).click()
    await page.locator('.log .aside').getByText('Summarised').first().waitFor()
    expect(troubles).toEqual([])
    await context.close()
  })

  test('has a terminal that goes on where it was after a reload', async ({ expect, onTestFinished }) => {
    const server = await serverOfTask(onTestFinished)
    const { page, context, troubles } = await openPage(browser)
    await signIn(page, server)
    server.model.script({ text: ['Ready.'] })
    await page.goto(`${server.address}/#/new`)
    await page.getByLabel('Task', { exact: true }).fill('Wait')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.locator('.said').getByText('Ready.').waitFor()
    await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: 'Terminal' }).click()
    await page.getByText('No terminal runs in this folder.').waitFor()
    await page.getByRole('button', { name: 'New terminal' }).click()
    await page.locator('.xterm').click()
    await page.keyboard.type('echo "sum $((40 + 2))"\n')
    const screen = page.locator('.xterm-rows')
    await expect.poll(() => screen.textContent()).toContain('sum 42')
    await picture(page, 'terminal-desk')
    await page.reload()
    await expect.poll(() => screen.textContent()).toContain('sum 42')
    await page.getByRole('button', { name: 'End and remove' }).click()
    await page.getByText('No terminal runs in this folder.').waitFor()
    expect([...troubles, ...(await policyViolations(page))]).toEqual([])
    await context.close()
  })

  test('shares a session as one file, without secrets, that loads nothing', { tags: 'slow' }, async ({
    expect,
    onTestFinished,
  }) => {
    const server = await serverOfTask(onTestFinished)
    await server.write('claim.js', `${before}// token = "abcdef0123456789"\n`)
    const { page, context, troubles } = await openPage(browser, { acceptDownloads: true })
    await signIn(page, server)
    server.model.script(
      { calls: [{ id: 'call_read', name: 'read', input: { path: 'claim.js' } }] },
      { text: ['The key is sk-proj-0123456789abcdef, <b>is it</b>?'] },
    )
    await page.goto(`${server.address}/#/new`)
    await page.getByLabel('Task', { exact: true }).fill('Use OPENAI_API_KEY=hunter2hunter2 for it')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.locator('.said').getByText('The key is').waitFor()
    await page.getByRole('button', { name: 'Share as a file' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Make the file' }).click(),
    ])
    const file = await download.path()
    const html = await readFile(file, 'utf8')
    for (const secret of ['hunter2hunter2', 'sk-proj-0123456789abcdef', 'abcdef0123456789']) {
      expect(html).not.toContain(secret)
    }
    expect(download.suggestedFilename()).toMatch(/^Use-OPENAI-API-KEY-secret-for-it\.html$/)
    const reader = await browser.newContext({ javaScriptEnabled: false, offline: true })
    const shared = await reader.newPage()
    const asked: string[] = []
    shared.on('request', (request) => asked.push(request.url()))
    await shared.setContent(html)
    expect(await shared.locator('main').textContent()).toContain('export function claim(job)')
    expect(await shared.locator('main').textContent()).toContain('<b>is it</b>?')
    await picture(shared, 'shared-desk')
    expect(asked.filter((address) => !address.startsWith('about:'))).toEqual([])
    expect([...troubles, ...(await policyViolations(page))]).toEqual([])
    await reader.close()
    await context.close()
  })

  test.for([
    { language: 'English', lang: 'en', share: 'Share as a file', make: 'Make the file' },
    { language: '中文', lang: 'zh-CN', share: '导出为文件', make: '生成文件' },
  ])(
    'shares sub-agents, differences and pictures in $language, in a file that opens by itself',
    async (words, context) => {
      const { expect, onTestFinished } = context
      const server = await serverOfTask(onTestFinished)
      server.model.otherwise(({ messages }) => {
        const told = JSON.stringify(messages)
        if (told.includes('Count the files') && !told.includes('Delegate it'))
          return { text: ['There are seven files.'] }
        if (messages.some(({ role }) => role === 'tool')) return { text: ['Seven, says the sub-agent.'] }
        const input = { description: 'Look around', prompt: 'Count the files', agent: 'explore' }
        const edit = { path: 'made.txt', content: 'a line of the difference\n' }
        return {
          calls: [
            { id: 'call_task', name: 'task', input },
            { id: 'call_write', name: 'write', input: edit },
          ],
        }
      })
      const { page, context: own } = await openPage(browser, {
        acceptDownloads: true,
        locale: words.lang,
      })
      await signIn(page, server)
      // As the page asks, with its cookie.
      const api = `${server.address}/api/session`
      const send = async (target: string, data: object) =>
        (await page.request.post(`${api}${target}`, { data, headers: { origin: server.address } })).text()
      const session = JSON.parse(await send('', {})).data.id as string
      const files = [{ uri: `data:image/png;base64,${pixel}`, mime: 'image/png', name: 'shot.png' }]
      await send(`/${session}/prompt`, { prompt: { text: 'Delegate it', files } })
      const waiting = async () => (await (await page.request.get(`${api}/${session}/permission`)).json()).data
      await expect.poll(waiting, { timeout: 20_000 }).toHaveLength(1)
      const [{ id }] = await waiting()
      await send(`/${session}/permission/${id}/reply`, { reply: 'once' })
      await send(`/${session}/wait`, {})
      await page.goto(`${server.address}/#/s/${session}`)
      await page.locator('.said').getByText('Seven, says the sub-agent.').waitFor()
      await page.locator('.me img[alt="shot.png"]').waitFor()
      await page.getByRole('button', { name: words.share }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: words.make }).click(),
      ])
      const folder = await mkdtemp(path.join(tmpdir(), 'svc-shared-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const file = path.join(folder, 'shared.html')
      await download.saveAs(file)

      const reader = await openPage(browser)
      const asked: string[] = []
      reader.page.on('request', (request) => asked.push(request.url()))
      const address = pathToFileURL(file).href
      await reader.page.goto(address)
      const shown = reader.page.locator('main')
      expect(await reader.page.locator('html').getAttribute('lang')).toBe(words.lang)
      expect(await shown.locator('.nested').textContent()).toContain('There are seven files.')
      expect(await shown.locator('.dif').textContent()).toContain('a line of the difference')
      const picture = shown.locator('img[alt="shot.png"]')
      expect(await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(1)
      // The picture lies in the file; nothing else was asked of anybody.
      expect(asked.filter((one) => one !== address && !one.startsWith('data:'))).toEqual([])
      expect([...reader.troubles, ...(await policyViolations(reader.page))]).toEqual([])
      await Promise.all([reader.context.close(), own.close()])
    },
  )

  test('queues what is sent while a turn runs, interrupts it, and finds a session by its name', {
    tags: 'slow',
  }, async ({ expect, onTestFinished }) => {
    const server = await serverOfTask(onTestFinished)
    const { page, context, troubles } = await openPage(browser)
    await signIn(page, server)
    const first = gate()
    server.model.script({ text: ['Still at it'], hold: first.wait }, { text: ['The second answer.'] })
    await page.goto(`${server.address}/`)
    await page.keyboard.press('n')
    await page.getByLabel('Task', { exact: true }).fill('A first task')
    await page.keyboard.press('Control+Enter')
    await page.locator('.said.live').getByText('Still at it').waitFor()
    await page.getByLabel('Prompt', { exact: true }).fill('And a second thing')
    await page.getByRole('button', { name: 'Queue' }).click()
    await page.locator('.queued').getByText('And a second thing').waitFor()
    await page.reload()
    await page.locator('.queued').getByText('And a second thing').waitFor()
    const unsent = page.locator('.queued').filter({ hasText: 'A thrid thing' })
    const prompt = page.getByLabel('Prompt', { exact: true })
    for (const [width, height] of [
      [390, 844],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height })
      await prompt.fill('A thrid thing')
      await pasteImage(page, `first-${width}.png`)
      await page.getByRole('img', { name: `first-${width}.png` }).waitFor()
      await page.getByRole('button', { name: 'Queue' }).click()
      await unsent.getByText('· 1 file attached ·').waitFor()
      expect(await page.getByRole('img', { name: `first-${width}.png` }).count()).toBe(0)
      await pasteImage(page, `second-${width}.png`)
      await prompt.fill('Begun meanwhile')
      await picture(page, `queued-${width}`)
      expect(await axeFindings(page)).toEqual([])
      await unsent.getByRole('button', { name: 'Withdraw' }).click()
      await unsent.waitFor({ state: 'detached' })
      expect(await prompt.inputValue()).toBe('A thrid thing\nBegun meanwhile')
      const images = page.getByRole('list', { name: 'Images' })
      expect(await images.getByRole('img').evaluateAll((all) => all.map(({ alt }) => alt))).toEqual([
        `first-${width}.png`,
        `second-${width}.png`,
      ])
      for (const name of ['first', 'second']) {
        await page.getByRole('button', { name: `Remove ${name}-${width}.png` }).click()
      }
    }
    await prompt.fill('')
    first.open()
    await page.locator('.said').getByText('The second answer.').waitFor()
    expect(await page.locator('.queued').count()).toBe(0)
    expect(await page.locator('.log .turn.me p').allTextContents()).toEqual(['A first task', 'And a second thing'])

    const second = gate()
    server.model.script({ text: ['Running away'], hold: second.wait })
    await page.getByLabel('Prompt', { exact: true }).fill('Go')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.said').getByText('Running away').waitFor()
    await page.getByRole('button', { name: 'Interrupt' }).click()
    await page.getByText('This step was interrupted.').waitFor()
    await page.getByRole('button', { name: 'Send' }).waitFor()
    second.open()

    server.model.script({ text: ['Another.'] })
    await page.goto(`${server.address}/#/new`)
    await page.getByLabel('Task', { exact: true }).fill('Something else')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.locator('.said').getByText('Another.').waitFor()
    await page.goto(`${server.address}/#/`)
    await page.getByRole('link', { name: 'Something else' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('first')
    await page.getByRole('link', { name: 'Something else' }).waitFor({ state: 'detached' })
    expect(await page.locator('.sess .t').allTextContents()).toEqual(['A first task'])
    expect(page.url()).toContain('q=first')
    expect(await page.locator('.figures').count()).toBe(0)
    await page.getByRole('searchbox').fill('another.')
    const said = page.getByRole('region', { name: 'Said in sessions' })
    await said.getByRole('link', { name: 'Something else' }).waitFor()
    expect(await said.locator('mark').allTextContents()).toEqual(['Another.'])
    await said.getByText('All sessions were searched.').waitFor()
    await page.getByRole('searchbox').fill('nothing like it')
    await page.getByRole('button', { name: 'Show all sessions' }).click()
    await page.getByRole('link', { name: 'Something else' }).waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('')
    // Longer than what is typed waits to be looked for.
    await delay(400)
    expect(page.url()).not.toContain('q=')
    await page.locator('.figures').getByText('Sessions').waitFor()
    expect(troubles).toEqual([])
    await context.close()
  })

  test.for(['light', 'dark'] as const)(
    'speaks Chinese where the browser does, and looks right in %s',
    { tags: 'slow' },
    async (colorScheme, { expect, onTestFinished }) => {
      const server = await serverOfTask(onTestFinished)
      scriptTask(server)
      const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'zh-CN', colorScheme }
      const { page, context, troubles } = await openPage(browser, phone)
      await signIn(page, server)
      await page.goto(`${server.address}/#/new`)
      await page.getByLabel('任务', { exact: true }).fill('两个工作进程执行了同一个任务。让认领成为原子操作。')
      await page.getByRole('button', { name: '开始' }).click()
      await page.getByRole('group', { name: '更改文件？' }).waitFor()
      await picture(page, `zh-permission-${colorScheme}`)
      expect(await page.evaluate('document.documentElement.lang')).toBe('zh-CN')
      expect(await axeFindings(page)).toEqual([])
      await page.getByRole('button', { name: '始终…' }).click()
      await page.getByRole('button', { name: '本会话内' }).click()
      const question = page.getByRole('form', { name: '智能体提问' })
      await question.getByLabel('自己填写').fill('两次')
      await question.getByRole('button', { name: '回答', exact: true }).click()
      await page.locator('.said').getByText('Done: the claim is').waitFor()
      await page.getByRole('navigation', { name: '主导航' }).last().getByRole('link', { name: '更改' }).click()
      await page.locator('.work').getByText('1 个文件').waitFor()
      await picture(page, `zh-changes-${colorScheme}`)
      await page.goto(`${server.address}/#/`)
      await page.getByRole('heading', { name: '会话', level: 1 }).waitFor()
      await page.getByRole('link', { name: '两个工作进程' }).waitFor()
      await picture(page, `zh-home-${colorScheme}`)
      expect(await axeFindings(page)).toEqual([])
      expect([...troubles, ...(await policyViolations(page))]).toEqual([])
      await context.close()
    },
  )
})

/** The exchange of the token leads on by itself: a page opened before it arrived would be left again. */
async function signIn(page: Page, { signInAddress, address }: TestServer): Promise<void> {
  await page.goto(signInAddress)
  await page.waitForURL(`${address}/`)
}

async function freePort(): Promise<number> {
  const server = createServer()
  const { port } = await listenOnLoopback(server)
  server.close()
  await once(server, 'close')
  return port
}
