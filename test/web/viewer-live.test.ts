// @module-tag slow
/** The viewer's page while the project under it changes: in Chromium, with the real watcher and a real index. */

import http from 'node:http'
import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest'
import { href } from '../../local/viewer/web/model/address.ts'
import { chromiumPart, launchChromiumShell, type TestBrowser } from '../support/chromium.ts'
import { endServer, listenOnLoopback } from '../support/loopback.ts'
import { projectInTest, servedInTest } from '../support/viewer-in-test.ts'
import { openScreen, type Screen } from '../support/viewer-screen.ts'
import type { TestProject, TestViewer } from '../support/viewer-server.ts'

const filler = (name: string): string => Array.from({ length: 60 }, (_, at) => `  total += ${name}(${at})\n`).join('')
const lease = `export function addSeconds(at: number): number {
  return at + 1
}

export function claimNext(now: number): number {
  let total = 0
${filler('addSeconds')}  return total
}
`
const main = `import { claimNext } from './lease.ts'
export function main(): number {
  return claimNext(1)
}
`

describe.skipIf(chromiumPart.isMissing)(`the viewer's page on a changing project ${chromiumPart.skipNote}`, () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await launchChromiumShell()
  })
  afterAll(() => browser.close())

  interface Stage {
    readonly project: TestProject
    readonly viewer: TestViewer
    readonly screen: Screen
    idOf(name: string): Promise<string>
  }

  async function open(onTestFinished: TestContext['onTestFinished'], isIndexed = true): Promise<Stage> {
    const project = projectInTest({ 'src/lease.ts': lease, 'src/main.ts': main })
    if (isIndexed) await project.sync()
    const viewer = await servedInTest(project.place, { isWatchWanted: true })
    const screen = await openScreen(browser, viewer.running.address)
    onTestFinished(() => screen.close())
    const idOf = async (name: string): Promise<string> => {
      const { body } = await viewer.get(`/api/search?q=${name}&limit=1`)
      return body.results.items[0].id
    }
    return { project, viewer, screen, idOf }
  }

  test('a re-index moves nothing under the reader, though the symbol has another id now', async ({
    expect,
    onTestFinished,
  }) => {
    const { project, screen, idOf } = await open(onTestFinished)
    const { page } = screen
    await screen.go(href('symbol', await idOf('main')))
    await page.locator('.out').getByRole('link', { name: 'claimNext' }).click()
    await page.getByRole('heading', { name: 'claimNext', level: 1 }).waitFor()
    await screen.settle()
    await page.evaluate('scrollTo(0, 700)')
    const line = page.locator('.ln').filter({ hasText: 'addSeconds(30)' })
    const before = await line.boundingBox()
    const oldId = await idOf('claimNext')

    project.write('src/lease.ts', `// one\n// two\n// three\n${lease}`)
    await project.sync()
    await expect.poll(() => page.url(), { timeout: 10_000 }).not.toContain(oldId.slice(9))
    await expect.poll(() => page.locator('.ln .no').first().innerText()).toBe('8')

    expect(await line.boundingBox()).toEqual(before)
    expect(await page.locator('h1').innerText()).toBe('claimNext')
    expect(await page.locator('.trailbar li').allInnerTexts()).toEqual(['main', 'claimNext'])
    expect(await screen.troubles()).toEqual([])
  })

  test('lines added above the place in a file do not push it away', async ({ expect, onTestFinished }) => {
    const { project, screen } = await open(onTestFinished)
    const { page } = screen
    await screen.go(href('file', 'src/lease.ts'))
    await page.evaluate('scrollTo(0, 700)')
    const line = page.locator('.ln').filter({ hasText: 'addSeconds(35)' })
    const number = line.locator('.no')
    const before = await line.boundingBox()
    expect(await number.innerText()).toBe('42')
    project.write('src/lease.ts', `// one\n// two\n${lease}`)
    await project.sync()
    await expect.poll(() => number.innerText(), { timeout: 10_000 }).toBe('44')
    expect((await line.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0)
  })

  test('a file that changed is marked, its text hidden from who comes next, and shown as it is when asked', async ({
    expect,
    onTestFinished,
  }) => {
    const { project, screen, idOf } = await open(onTestFinished)
    const { page } = screen
    await screen.go(href('symbol', await idOf('claimNext')))
    await page.getByText(', watching').waitFor()
    project.write('src/lease.ts', `// changed\n${lease}`)
    await page.locator('.symh .tag', { hasText: 'changed' }).waitFor()
    await page.locator('.bar .tag', { hasText: '1 changed' }).waitFor()
    // Who reads keeps what was indexed; a new page has only what is on disk.
    expect(await page.locator('.ln').count()).toBeGreaterThan(60)

    await screen.go(href('file', 'src/lease.ts'))
    await page.getByText('its source is not shown').waitFor()
    expect(await page.locator('.ln').count()).toBe(0)
    await page.getByRole('link', { name: 'Show the current text' }).click()
    await page.locator('.src.current .ln').first().waitFor()
    expect(await page.locator('.ln code').first().innerText()).toContain('// changed')
    expect(page.url()).toContain('text=current')
    expect(await page.locator('.src.current .out').count()).toBe(0)

    await project.sync()
    await page.locator('.symh .tag').waitFor({ state: 'detached' })
    await page.goBack()
    await page.locator('.src:not(.current) .ln').first().waitFor()
    expect(await screen.troubles()).toEqual([])
  })

  test('on the first page the changed files are named, with what to do', async ({ expect, onTestFinished }) => {
    const { project, screen } = await open(onTestFinished)
    const { page } = screen
    await screen.go('#/')
    await page.getByText(', watching').waitFor()
    project.write('src/main.ts', `${main}\n`)
    const note = page.locator('.note.part')
    await note.waitFor()
    expect(await note.innerText()).toMatch(/1 file changed since it was indexed: src\/main\.ts/)
    expect(await note.innerText()).toContain('indexer sync')
    await project.sync()
    await note.waitFor({ state: 'detached' })
  })

  test('a symbol that is gone says so and offers where to look', async ({ expect, onTestFinished }) => {
    const { project, screen, idOf } = await open(onTestFinished)
    const { page } = screen
    await screen.go(href('symbol', await idOf('claimNext')))
    await page.getByText(', watching').waitFor()
    project.write('src/lease.ts', 'export const nothing = 1\n')
    await project.sync()
    await page.getByRole('heading', { name: 'This symbol is not in the index any more' }).waitFor()
    expect(await page.locator('main').innerText()).toContain('claimNext was here before')
    await page.getByRole('link', { name: 'Search for claimNext' }).click()
    await page.getByText('Nothing is called “claimNext”').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'This symbol is not in the index any more' }).waitFor()
  })

  test('a watch that stopped for good is told quietly, with its reason', async ({ expect, onTestFinished }) => {
    const { viewer, screen } = await open(onTestFinished)
    const { page } = screen
    // What makes a real watch fail is not at hand, so this channel is a stand-in; the page is real.
    const channel = http.createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const frame = (type: string, data: object): string =>
        `event: ${type}\ndata: ${JSON.stringify({ type, ...data, at: 1 })}\n\n`
      response.write(
        frame('hello', {
          index: { lastIndexedAt: 1_790_000_000_000, files: 2 },
          watching: { source: true, index: true },
          degraded: null,
          heartbeatMs: 25_000,
        }),
      )
      response.write(frame('degraded', { reason: 'too many files to watch' }))
    })
    const { port } = await listenOnLoopback(channel)
    onTestFinished(() => endServer(channel))
    await page.route('**/api/events', (route) => route.continue({ url: `http://127.0.0.1:${port}/` }))
    await page.goto(`${viewer.running.address}/#/`)
    await page.locator('.live', { hasText: 'watching stopped' }).waitFor()
    expect(await page.locator('.live').getAttribute('title')).toBe('too many files to watch')
    await page.getByRole('heading', { name: 'Most depended on' }).waitFor()
  })

  test('a viewer that goes away is told quietly, and what is on screen stays', async ({ expect, onTestFinished }) => {
    const { viewer, screen } = await open(onTestFinished)
    const { page } = screen
    await screen.go('#/')
    await page.getByText(', watching').waitFor()
    await viewer.running.close()
    await page.locator('.live', { hasText: 'Connection lost' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Most depended on' }).count()).toBe(1)
    await page.locator('.res a').first().click()
    const note = page.getByRole('alert').first()
    await note.waitFor()
    expect(await note.innerText()).toContain('The viewer does not answer')
    await page.goBack()
    await page.getByRole('heading', { name: 'Most depended on' }).waitFor()
  })

  test('a project without an index says so and how to make one, and goes on once it is there', async ({
    expect,
    onTestFinished,
  }) => {
    const { project, screen } = await open(onTestFinished, false)
    const { page } = screen
    await screen.go('#/')
    const note = page.getByRole('alert').first()
    await note.waitFor()
    expect(await note.innerText()).toMatch(/no index yet.*indexer init/s)
    await project.sync()
    await note.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Most depended on' }).waitFor()
  })
})
