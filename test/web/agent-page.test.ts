/** A whole task on the agent's page, in a real browser: prompt, tools, permission, question, difference, revert, and what breaks in between. */
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/agent-server.ts'
import { axeFindings, chromiumPart, launchChromium, openPage, policyViolations } from '../support/chromium.ts'

const pagesFolder = path.resolve(import.meta.dirname, '../../dist/web/agent')
const pictures = process.env['AGENT_PICTURES']
if (pictures !== undefined) mkdirSync(pictures, { recursive: true })

async function picture(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: path.join(pictures, `${name}.png`) })
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
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })

  afterAll(async () => {
    await browser?.close()
  })

  async function serverOfTask(onTestFinished: (act: () => Promise<void>) => void): Promise<TestServer> {
    const server = await startTestServer({
      pagesFolder,
      hasBrowserAuth: true,
      config: { permission: { edit: 'ask', bash: { '*': 'allow' } } },
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
      await page.goto(server.signInAddress)
      await page.goto(`${server.address}/`)
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
      expect(await page.title()).toMatch(/^\(1\) /)
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
      expect(await readFile(path.join(server.project, 'claim.js'), 'utf8')).toBe(before)

      await page.goto(`${server.address}/#/`)
      await page.getByRole('link', { name: 'Two workers run the same job' }).waitFor()
      await picture(page, `home-${name}`)
      expect(await axeFindings(page)).toEqual([])
      expect([...troubles, ...(await policyViolations(page))]).toEqual([])
      await context.close()
    },
  )
})
