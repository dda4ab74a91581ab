/** Trails, dead code, routes and entry points as a reader uses them. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import { axeFindings, chromiumPart, launchChromiumShell, type TestBrowser } from '../support/chromium.ts'
import { commitAll } from '../support/git-in-test.ts'
import { openScreen, type Screen } from '../support/viewer-screen.ts'
import { createProject, serve, type TestProject, type TestViewer } from '../support/viewer-server.ts'
import { viewerSources } from '../support/viewer-sources.ts'

describe.skipIf(chromiumPart.isMissing)(`the viewer's lists ${chromiumPart.skipNote}`, () => {
  let browser: TestBrowser
  let project: TestProject
  let viewer: TestViewer
  let screen: Screen

  beforeAll(async () => {
    browser = await launchChromiumShell()
  })
  afterEach(() => screen.page.evaluate('localStorage.clear()'))
  afterAll(() => browser.close())

  /** A project for the block that asks, untouched by the others. */
  function serveOwnProject(): void {
    beforeAll(async () => {
      project = createProject(viewerSources)
      await project.sync()
      viewer = await serve(project.place)
      screen = await openScreen(browser, viewer.running.address)
    })
    afterAll(async () => {
      await screen.close()
      await viewer.running.close()
      project.dispose()
    })
  }

  async function open(address: string): Promise<Page> {
    await screen.go(address)
    return screen.page
  }
  const clean = async (of = screen): Promise<string[]> => [...(await of.troubles()), ...(await axeFindings(of.page))]

  describe('trails', () => {
    serveOwnProject()

    test('say what a trail is where there is none', async ({ expect }) => {
      const page = await open('#/trails')
      expect(await page.locator('.empty').innerText()).toContain('No trail is saved yet')
      expect(await clean()).toEqual([])
    })

    test('are saved from a path, put in order by keys and by buttons, and noted hop by hop', async ({ expect }) => {
      const page = await open('#/flow?from=plan&to=write')
      await page.getByRole('link', { name: 'Save as trail' }).click()
      const rows = page.locator('.edit-hops li')
      await rows.first().waitFor()
      const order = async () => (await rows.locator('.mono').allInnerTexts()).join(' ')
      expect(await order()).toBe('plan start quick write')
      await page.getByLabel('Note for hop 3, quick').focus()
      await page.keyboard.press('Alt+ArrowUp')
      expect(await order()).toBe('plan quick start write')
      await page.keyboard.type('the short way')
      expect(await page.getByLabel('Note for hop 2, quick').inputValue()).toBe('the short way')
      await page.getByRole('button', { name: 'Move quick down' }).click()
      expect(await order()).toBe('plan start quick write')
      expect(await page.locator('form [role=status]').innerText()).toBe('quick is hop 3 of 4 now')
      await expect
        .poll(() => page.evaluate<string>('document.activeElement.getAttribute("aria-label")'), { timeout: 10_000 })
        .toBe('Move quick down')
      await page.getByRole('textbox', { name: 'Note', exact: true }).fill('How a plan is written.')
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('')
      await page.getByRole('button', { name: 'Save trail' }).click()
      expect(await page.locator('.hint.over').innerText()).toBe('A trail needs a name.')
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('A plan')
      expect(await clean()).toEqual([])
      await page.getByRole('button', { name: 'Save trail' }).click()
      await page.getByRole('heading', { name: 'A plan', level: 1 }).waitFor()
      const text = await page.locator('main').innerText()
      expect(text).toContain('How a plan is written.')
      expect(text).toContain('the short way')
      expect(text).toContain('Every hop is still where it was saved.')
      expect(page.url()).toContain('#/trails/a-plan')
      expect(await clean()).toEqual([])
    })

    test('take notes up to their bound and not one letter more', async ({ expect }) => {
      const page = await open('#/trails/a-plan?edit=1')
      const note = page.getByRole('textbox', { name: 'Note', exact: true })
      const room = 600 - '\n[3] the short way'.length
      await note.fill('x'.repeat(room))
      expect(await page.getByRole('button', { name: 'Save trail' }).isEnabled()).toBe(true)
      await note.fill('x'.repeat(room + 1))
      expect(await page.locator('.hint.over').innerText()).toBe('1 character too many. Shorten a note.')
      expect(await page.getByRole('button', { name: 'Save trail' }).isDisabled()).toBe(true)
    })

    test('say what became of each hop: as saved, moved, best guess, gone', async ({ expect }) => {
      const { 'src/core/run.ts': run = '' } = viewerSources
      // `quick` goes to another file, `write` is there twice elsewhere, `plan` stays, `start` is called otherwise.
      project.write(
        'src/core/run.ts',
        run
          .replace('function quick(', 'function quicker(')
          .replace('  quick(kind)', '  quicker(kind)')
          .replaceAll('start(', 'begin('),
      )
      project.write('src/core/quick.ts', 'export function quick(kind: string): void {}\n')
      const { 'src/core/disk/write.ts': write = '' } = viewerSources
      project.remove('src/core/disk/write.ts')
      project.write('src/core/disk/one.ts', write)
      project.write('src/core/disk/two.ts', write)
      await project.sync()
      const page = await open('#/trails/a-plan')
      const hops = await page.locator('.thop').allInnerTexts()
      expect(hops.map((one) => /as saved|moved|best guess|gone/.exec(one)?.[0])).toEqual([
        'as saved',
        'gone',
        'moved',
        'best guess',
      ])
      expect(hops[2]).toContain('src/core/quick.ts')
      expect(hops[2]).toContain('was src/core/run.ts')
      expect(hops[3]).toContain('Several symbols have this name')
      expect(await page.locator('.note').first().innerText()).toContain(
        'Since it was saved: 1 moved, 1 best guess, 1 gone.',
      )
      expect(await page.locator('.thop.unsure').count()).toBe(2)
      expect(await clean()).toEqual([])
      const list = await open('#/trails')
      expect(await list.locator('.trail-rows').innerText()).toContain('1 moved, 1 best guess, 1 gone')
    })

    test('leave as Markdown with places, notes and what became of them', async ({ expect }) => {
      const page = await open('#/trails/a-plan')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export as Markdown' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('A-plan.md')
      const text = readFileSync(await download.path(), 'utf8')
      expect(text).toMatch(/^# A plan\n/)
      expect(text).toContain('2. `start` (function), `src/core/run.ts:4`; calls; gone')
      expect(text).toContain('3. `quick` (function), `src/core/quick.ts:1`; calls; moved; was src/core/run.ts:')
      expect(text).toContain('\n   the short way\n')
    })

    test('in a viewer that only reads can be read, and say why no more', async ({ expect, onTestFinished }) => {
      const reading = await serve(project.place, { isReadOnly: true })
      onTestFinished(() => reading.running.close())
      const own = await openScreen(browser, reading.running.address)
      onTestFinished(() => own.close())
      const { page } = own
      await own.go('#/trails/a-plan')
      await page.locator('.thop').first().waitFor()
      expect(await page.locator('main').innerText()).toContain('started read only')
      expect(await page.getByRole('button', { name: 'Delete…' }).count()).toBe(0)
      expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
      expect(await page.getByRole('button', { name: 'Export as Markdown' }).count()).toBe(1)
      await own.follow(`#/trails/new?trail=${encodeURIComponent('sfile%3Asrc%2Fmain.ts')}`)
      expect(await page.locator('form').count()).toBe(0)
      expect(await clean(own)).toEqual([])
    })

    test('are deleted only after a second step', async ({ expect }) => {
      const page = await open('#/trails/a-plan')
      await page.getByRole('button', { name: 'Delete…' }).click()
      const dialog = page.getByRole('dialog')
      expect(await dialog.innerText()).toContain('with 4 hops is removed')
      await expect
        .poll(() => page.evaluate<string>('document.activeElement.textContent'), { timeout: 10_000 })
        .toBe('Cancel')
      await page.keyboard.press('Escape')
      expect((await viewer.get('/api/trails')).body.trails).toHaveLength(1)
      await page.getByRole('button', { name: 'Delete…' }).click()
      await dialog.getByRole('button', { name: 'Delete the trail' }).click()
      await page.locator('.empty').waitFor()
      expect((await viewer.get('/api/trails')).body.trails).toHaveLength(0)
    })

    test('that are not there say so', async ({ expect }) => {
      const page = await open('#/trails/never-saved')
      expect(await page.locator('main').innerText()).toContain('This trail is not here')
      const empty = await open('#/trails/new')
      expect(await empty.locator('main').innerText()).toContain('There is nothing to save')
      expect(await clean()).toEqual([])
    })
  })

  describe('lists', () => {
    serveOwnProject()

    test('dead code is listed by file, and its doubts add up to what was looked at', async ({ expect }) => {
      const page = await open('#/dead')
      await page.locator('.dead-file').first().waitFor()
      expect(await page.locator('.dead-rows .mono').allInnerTexts()).toContain('forgottenWriter')
      const figures = (await page.locator('.fig .v').allInnerTexts()).map(Number)
      const doubts = (await page.locator('.doubt .num').allInnerTexts()).map(Number)
      const [likely = -1, , doubted = -1, candidates = -1] = figures
      expect(doubts.reduce((sum, one) => sum + one, 0)).toBe(doubted)
      expect(likely + doubted).toBe(candidates)
      await page.getByRole('button', { name: 'Exported' }).click()
      await page.getByRole('button', { name: 'Exported', pressed: true }).waitFor()
      expect(page.url()).toContain('exported=1')
      await expect.poll(() => page.locator('.doubts').innerText()).not.toContain('exported, so code')
      await page.goBack()
      await page.getByRole('button', { name: 'Exported', pressed: false }).waitFor()
      expect(await clean()).toEqual([])
    })

    test('routes are listed with what answers them and filtered as one types', async ({ expect }) => {
      const page = await open('#/routes')
      const rows = page.locator('table.routes tbody tr')
      await rows.first().waitFor()
      expect(await rows.count()).toBe(4)
      await page.getByRole('searchbox').fill('orders')
      await expect.poll(() => page.locator('table.routes tbody tr').count()).toBe(2)
      expect(page.url()).toContain('q=orders')
      await page.getByRole('searchbox').fill('nowhere')
      expect(await page.locator('.empty').innerText()).toContain('No route has “nowhere”')
      await page.getByRole('button', { name: 'Clear the filter' }).click()
      await expect.poll(() => page.locator('table.routes tbody tr').count()).toBe(4)
      expect(await clean()).toEqual([])
    })

    test('what other frameworks hand to code stands below the routes, and goes by the same filter', async ({
      expect,
    }) => {
      project.write(
        'src/http/api.ts',
        `import { Hono } from 'hono'
import { start } from '../core/run.ts'
export function health() { return start('health') }
export const app = new Hono()
app.get('/health', health)
app.post('/jobs', (c) => c.json(start('job')))
`,
      )
      await project.sync()
      const page = await open('#/entry').then(() => open('#/routes'))
      const handed = page.locator('section', { hasText: 'Handed to code by frameworks' })
      await handed.waitFor()
      expect(await page.locator('section', { hasText: 'Users' }).locator('tbody tr').count()).toBe(4)
      expect(await handed.locator('tbody tr').count()).toBe(2)
      expect(await handed.innerText()).toContain('a function without a name')
      await page.getByRole('searchbox').fill('/health')
      await expect.poll(() => page.locator('table.routes tbody tr').count()).toBe(1)
      expect(await page.locator('.empty').count()).toBe(0)
      expect(await clean()).toEqual([])
      await handed.locator('a', { hasText: 'health' }).first().click()
      await page.waitForURL(/#\/s\//)
    })

    test('entry points say what each figure counts and lead to the symbol', async ({ expect }) => {
      const page = await open('#/entry')
      const text = await page.locator('main').innerText()
      for (const said of [
        'Routes',
        'Files that run something when loaded',
        'Calls at top level',
        'Most depended on',
        'Dependents',
        'Tests that reach far',
      ])
        expect(text).toContain(said)
      expect(await clean()).toEqual([])
      await page.getByRole('link', { name: 'src/main.ts' }).click()
      await page.waitForURL(/#\/file\/src\/main\.ts/)
    })

    test('a change is told with what it reaches, the tests to run and what it leaves behind', { tags: 'slow' }, async ({
      expect,
      onTestFinished,
    }) => {
      commitAll(project.place.root)
      const change = (file: string, from: string, to: string): void =>
        project.write(file, (viewerSources[file] ?? '').replace(from, to))
      change('src/core/disk/write.ts', 'seal(trim(text))', 'trim(text)')
      change('src/text/trim.ts', 'text.trim()', 'text.trimEnd()')
      await project.sync()
      const page = await open('#/change')
      await page.locator('.fig').first().waitFor()
      const part = (title: string) => page.locator(`[data-rows="${title}"]`)
      expect(await part('Symbols changed').locator('.mono.cut').allInnerTexts()).toEqual(['write', 'trim'])
      expect(await part('Tests to run').innerText()).toMatch(/certain\s+test\/trim\.test\.ts/)
      expect(await part('What the change leaves behind').innerText()).toMatch(/seal\s+nothing uses it any more/)
      expect(await part('What reaches it').innerText()).toContain('remember')
      expect(await part('Routes').locator('li').count()).toBeGreaterThan(0)
      expect(await clean()).toEqual([])
      await part('What the change leaves behind').locator('a').click()
      await page.waitForURL(/#\/file\/src\/core\/disk\/write\.ts\?line=5/)
      await page.goBack()

      await page.getByLabel('Commit, or BASE..HEAD').fill('nowhere')
      await page.getByRole('button', { name: 'Compare' }).click()
      await page.waitForURL(/range=nowhere/)
      await expect.poll(() => page.locator('main').innerText(), { timeout: 10_000 }).toContain('is no commit or range')

      const phone = await openScreen(browser, viewer.running.address, {
        viewport: { width: 390, height: 844 },
        locale: 'zh-CN',
        hasTouch: true,
      })
      onTestFinished(() => phone.close())
      await phone.go('#/change')
      await phone.page.locator('.fig').first().waitFor()
      expect(await phone.page.locator('main').innerText()).toContain('不再有任何使用')
      expect(await phone.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(await clean(phone)).toEqual([])
    })
  })
})
