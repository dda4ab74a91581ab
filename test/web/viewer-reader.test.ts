/** A reader at work on the viewer's page in Chromium: by keyboard, on a phone, in the theme and language of their choice. */
import { readFileSync } from 'node:fs'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { href } from '../../local/viewer/web/model/address.ts'
import { formatTrail } from '../../local/viewer/web/model/reading-trail.ts'
import { chromiumPart, launchChromiumShell, type TestBrowser } from '../support/chromium.ts'
import { type RealProject, serveRealProject } from '../support/real-project.ts'
import { openScreen, type Screen } from '../support/viewer-screen.ts'

describe.skipIf(chromiumPart.isMissing)(`a reader of the viewer's page ${chromiumPart.skipNote}`, () => {
  let browser: TestBrowser
  let project: RealProject
  beforeAll(async () => {
    browser = await launchChromiumShell()
    project = await serveRealProject('preact')
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await project?.dispose()
  })

  async function open(
    onTestFinished: (act: () => Promise<void>) => void,
    options: BrowserContextOptions = {},
  ): Promise<Screen> {
    const screen = await openScreen(browser, project.viewer.running.address, options)
    onTestFinished(() => screen.close())
    return screen
  }
  const heading = (page: Page, name: string): Promise<void> =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

  test('finds a function, follows two hops, saves the trail and takes the map along', async ({
    expect,
    onTestFinished,
  }) => {
    const screen = await open(onTestFinished)
    const { page } = screen
    await screen.go('#/')
    await page.keyboard.type('diffChildren kind:function')
    await page.locator('.res .sel').getByText('diffChildren', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'diffChildren')
    await screen.settle()

    await page.locator('.src').getByRole('link', { name: 'diff', exact: true }).last().click()
    await heading(page, 'diff')
    await screen.settle()
    await page.locator('.src').getByRole('link', { name: 'diffElementNodes', exact: true }).last().click()
    await heading(page, 'diffElementNodes')
    await screen.settle()
    expect(await page.locator('.trailbar li').allInnerTexts()).toEqual(['diffChildren', 'diff', 'diffElementNodes'])

    await page.keyboard.press('s')
    await page.getByLabel('Name').fill('From children to an element')
    await page.getByRole('button', { name: 'Save trail' }).click()
    await page.getByText('From children to an element').first().waitFor()
    const { body } = await project.viewer.get('/api/trails')
    expect(body.trails[0]).toMatchObject({ name: 'From children to an element', intact: true, resolved: 3 })

    await screen.go('#/map')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as SVG' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.svg$/)
    const picture = readFileSync(await download.path(), 'utf8')
    expect(picture).toMatch(/^<svg[^>]+xmlns=/)
    expect(picture).toContain('src')
    expect(picture).not.toMatch(/<script|var\(--|https?:\/\/(?!www\.w3\.org)/)
    expect(await screen.troubles()).toEqual([])
  })

  test('goes back and forth, and each page is where it was left', { tags: 'slow' }, async ({
    expect,
    onTestFinished,
  }) => {
    const screen = await open(onTestFinished)
    const { page } = screen
    await screen.go('#/file/src/diff/index.js')
    await page.evaluate('scrollTo(0, 1800)')
    await page.locator('#L100').getByRole('link').last().waitFor({ state: 'attached' })
    const link = page.locator('.src .out a').nth(20)
    // Not `innerText`, which is empty for what is not on screen.
    const name = ((await link.textContent()) ?? '').trim().split('::').at(-1) ?? ''
    // By the keyboard: a click would scroll the page to the link first.
    const place = await page.evaluate<number>('scrollY')
    await link.evaluate((element) => (element as unknown as { click(): void }).click())
    await heading(page, name)
    expect(await page.evaluate('scrollY')).toBe(0)
    await page.goBack()
    await heading(page, 'src/diff/index.js')
    await expect.poll(() => page.evaluate('scrollY')).toBe(place)
    await page.goForward()
    await heading(page, name)
    await expect.poll(() => page.evaluate('scrollY')).toBe(0)
  })

  test('typing a search makes one step back, not one a letter', async ({ expect, onTestFinished }) => {
    const screen = await open(onTestFinished)
    const { page } = screen
    await screen.go('#/')
    await page.keyboard.type('component')
    await page.locator('.results').getByText('Component', { exact: true }).first().waitFor()
    expect(page.url()).toMatch(/#\/\?q=component$/)
    await page.goBack()
    await page.getByRole('heading', { name: 'Where to start' }).waitFor()
    expect(page.url()).toMatch(/#\/$/)
  })

  test('walks by keys alone, and a field keeps its letters', async ({ expect, onTestFinished }) => {
    const screen = await open(onTestFinished)
    const { page } = screen
    await screen.go('#/entry')
    await page.keyboard.press('/')
    await expect
      .poll(() => page.evaluate('document.activeElement.matches("[data-search]")'), { timeout: 10_000 })
      .toBe(true)
    await page.keyboard.type('jk?diffChildren')
    expect(await page.locator('[data-search]').inputValue()).toBe('jk?diffChildren')
    await page.locator('[data-search]').fill('diffChildren')
    await page.getByRole('option', { selected: true }).getByText('diffChildren').waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'diffChildren')
    await screen.settle()

    await page.keyboard.press('h')
    const caller = await page.evaluate<string>('document.activeElement.textContent')
    expect(await page.locator('.callers li a').first().innerText()).toBe(caller)
    const said = await page.locator('.callers .said').allTextContents()
    expect(said).toContainEqual(expect.stringContaining('diffChildren('))
    await page.keyboard.press('l')
    await page.keyboard.press('j')
    await expect
      .poll(() => page.evaluate('document.activeElement.closest("[data-rows]").dataset.rows'), { timeout: 10_000 })
      .toBe('calls')
    await page.keyboard.press('k')
    const callee = await page.evaluate<string>('document.activeElement.textContent')
    await page.keyboard.press('Enter')
    await heading(page, callee.split('::').at(-1) ?? '')

    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keys' })
    await dialog.waitFor()
    expect(await dialog.innerText()).toMatch(/H\s+Callers\s+L\s+Calls\s+S\s+Save trail/)
    await dialog.getByRole('checkbox').uncheck()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.keyboard.press('/')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('“a to b” in any search box asks for the path', async ({ expect, onTestFinished }) => {
    const screen = await open(onTestFinished)
    const { page } = screen
    await screen.go('#/entry')
    await page.keyboard.press('/')
    await page.keyboard.type('render to diffChildren')
    await page.getByRole('option', { name: 'Path from render to diffChildren' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toMatch(/#\/flow\?from=render&to=diffChildren$/)
  })

  describe('the theme', () => {
    const chosen = (page: Page): Promise<[string | null, string | null]> =>
      page.evaluate("[document.documentElement.getAttribute('data-theme'), localStorage.getItem('viewer-ui.theme')]")
    const ground = (page: Page): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = 'rgb(244, 246, 246)'
    const dark = 'rgb(15, 21, 25)'

    test('is System, Dark or Light, kept in this browser and said on the document', async ({
      expect,
      onTestFinished,
    }) => {
      const screen = await open(onTestFinished)
      const { page } = screen
      await screen.go('#/')
      const button = page.getByRole('button', { name: /^Theme:/ })
      expect(await chosen(page)).toEqual([null, null])
      await button.click()
      expect(await chosen(page)).toEqual(['dark', 'dark'])
      expect(await ground(page)).toBe(dark)
      await button.click()
      expect(await chosen(page)).toEqual(['light', 'light'])
      expect(await ground(page)).toBe(light)
      await screen.go('#/map')
      expect(await chosen(page)).toEqual(['light', 'light'])
      expect(await button.getAttribute('aria-label')).toContain('Light')
      await button.click()
      expect(await chosen(page)).toEqual([null, null])
    })

    test.for([
      ['light', light],
      ['dark', dark],
    ] as const)('without a choice is the one of the system: %s', async ([colorScheme, colour], ctx) => {
      const screen = await open(ctx.onTestFinished, { colorScheme })
      await screen.go('#/')
      ctx.expect(await ground(screen.page)).toBe(colour)
    })

    test('that was chosen stands before the page draws anything', async ({ expect, onTestFinished }) => {
      const screen = await open(onTestFinished, { colorScheme: 'light' })
      const { page } = screen
      await page.addInitScript({ content: "try { localStorage.setItem('viewer-ui.theme', 'dark') } catch {}" })
      // With no other script there is only what the blocking one did.
      await page.route('**/assets/*.js', (route) => route.abort())
      await page.goto(project.viewer.running.address, { waitUntil: 'domcontentloaded' })
      expect(await chosen(page)).toEqual(['dark', 'dark'])
    })

    test.for([
      ['map', '#/map'],
      ['flow', '#/flow?from=render&to=diffChildren'],
    ] as const)('on screen is the one of a saved picture of the %s', async ([, address], ctx) => {
      const screen = await open(ctx.onTestFinished, { colorScheme: 'light' })
      const { page } = screen
      await screen.go(address)
      const save = async (): Promise<string> => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Save as SVG' }).click(),
        ])
        return readFileSync(await download.path(), 'utf8')
      }
      const lightPicture = await save()
      ctx.expect(lightPicture).toMatch(/#f4f6f6|rgb\(244, 246, 246\)/i)
      await page.getByRole('button', { name: /^Theme:/ }).click()
      const darkPicture = await save()
      ctx.expect(darkPicture).toMatch(/#0f1519|rgb\(15, 21, 25\)/i)
      ctx.expect(darkPicture).not.toMatch(/#f4f6f6|rgb\(244, 246, 246\)/i)
    })
  })

  test.for([
    ['stands still where the system asks for less motion', 'reduce', 0],
    ['breathes elsewhere', 'no-preference', 1],
  ] as const)('what stands for rows to come %s', async ([, reducedMotion, moving], ctx) => {
    const screen = await open(ctx.onTestFinished, { reducedMotion })
    const { page } = screen
    await page.route('**/api/map*', () => {})
    await page.goto(`${project.viewer.running.address}/#/map`)
    await page.locator('main .skeleton').waitFor({ state: 'attached' })
    const durations = await page.evaluate<number[]>(
      `document.getAnimations().map((one) => one.effect.getComputedTiming().duration).filter((ms) => ms > 0)`,
    )
    ctx.expect(durations).toHaveLength(moving)
    const quick = await page.evaluate<string>(
      `getComputedStyle(document.documentElement).getPropertyValue('--quick').trim()`,
    )
    ctx.expect(parseFloat(quick) > 0).toBe(moving > 0)
  })

  test('the language is that of the browser until another is chosen', async ({ expect, onTestFinished }) => {
    const screen = await open(onTestFinished, { locale: 'zh-CN' })
    const { page } = screen
    await screen.go('#/')
    expect(await page.getAttribute('html', 'lang')).toBe('zh-CN')
    await page.getByRole('heading', { name: '从哪里开始读' }).waitFor()
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'Where to start' }).waitFor()
    await screen.go('#/')
    expect(await page.getAttribute('html', 'lang')).toBe('en')
  })

  test('no word of another language is read or shown before the one chosen', async ({ expect, onTestFinished }) => {
    const screen = await open(onTestFinished, { locale: 'en-GB' })
    const { page } = screen
    const asked: string[] = []
    page.on('request', (request) => {
      const language = /\/(english|chinese)-/.exec(request.url())?.[1]
      if (language !== undefined) asked.push(language)
    })
    await page.addInitScript({
      content: `try { localStorage.setItem('viewer-ui.language', 'zh') } catch {}
        globalThis.seen = new Set()
        new MutationObserver(() => globalThis.seen.add(document.querySelector('.rail [aria-current] span')?.textContent))
          .observe(document, { childList: true, subtree: true, characterData: true })`,
    })
    await page.goto(project.viewer.running.address)
    await page.getByRole('heading', { name: '从哪里开始读' }).waitFor()
    const seen = await page.evaluate<string[]>('[...globalThis.seen].filter((text) => typeof text === "string")')
    expect(seen).toEqual([expect.stringMatching(/^\p{Script=Han}+$/u)])
    expect(asked).toEqual(['chinese'])
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'Where to start' }).waitFor()
    expect(asked).toEqual(['chinese', 'english'])
  })

  test('a language that cannot be read is not changed to, and is read at the next try', async ({
    expect,
    onTestFinished,
  }) => {
    const screen = await open(onTestFinished, { locale: 'en-GB' })
    const { page } = screen
    await screen.go('#/')
    await page.route('**/chinese-*.js', (route) => route.abort())
    const failed = page.waitForEvent('requestfailed')
    await page.getByRole('button', { name: '中文' }).click()
    await failed
    await page.getByRole('heading', { name: 'Where to start' }).waitFor()
    expect(await page.getAttribute('html', 'lang')).toBe('en')
    expect(await page.evaluate("localStorage.getItem('viewer-ui.language')")).toBeNull()
    await page.unroute('**/chinese-*.js')
    await page.getByRole('button', { name: '中文' }).click()
    await page.getByRole('heading', { name: '从哪里开始读' }).waitFor()
    expect(await page.getAttribute('html', 'lang')).toBe('zh-CN')
  })

  test('a page whose words do not come says what to do', async ({ onTestFinished }) => {
    const screen = await open(onTestFinished)
    const { page } = screen
    await page.route('**/english-*.js', (route) => route.abort())
    await page.goto(project.viewer.running.address)
    await page.getByText('Reload this page.').waitFor()
  })

  test.for([320, 390, 768, 1024, 1440, 2560] as const)(
    'nothing hangs over at %d pixels',
    { tags: 'slow' },
    async (width, ctx) => {
      const screen = await open(ctx.onTestFinished, { viewport: { width, height: 900 } })
      const { page } = screen
      const over: string[] = []
      await screen.go('#/dead')
      for (const address of [
        '#/',
        '#/?q=component',
        '#/file/src/diff/index.js',
        '#/files/src/diff/',
        '#/files/src/diff/index.js',
        '#/map',
        '#/entry',
        '#/dead',
        '#/trails',
        '#/text?q=component',
      ]) {
        await screen.follow(address)
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        if (wide > 0) over.push(`${address}: ${wide}`)
      }
      ctx.expect(over).toEqual([])
    },
  )

  test('on a phone a long way is shown with the symbol one reads', async ({ expect, onTestFinished }) => {
    const screen = await open(onTestFinished, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    const { page } = screen
    const ids = await Promise.all(
      ['render', 'diffChildren', 'diffElementNodes'].map(async (name) => {
        const { body } = await project.viewer.get(`/api/search?q=name:${name}%20kind:function%20path:src/&limit=1`)
        return body.results.items[0].id as string
      }),
    )
    const steps = ids.map((id, at) => ({ id, dir: at === 0 ? 'start' : 'down' }) as const)
    await screen.go(href('symbol', ids[2], { trail: formatTrail(steps) }))
    await page.locator('.trailbar li').first().getByText('render').waitFor({ state: 'attached' })
    const rightEdge = (selector: string): Promise<number> =>
      page.evaluate<number>(`Math.round(document.querySelector('${selector}').getBoundingClientRect().right)`)
    expect(await page.evaluate("document.querySelector('.trailbar ol').scrollLeft")).toBeGreaterThan(0)
    // Widths are fractions of a pixel, and a list is scrolled by whole ones.
    expect(await rightEdge('.trailbar [aria-current]')).toBeLessThanOrEqual((await rightEdge('.trailbar ol')) + 1)
    expect(await page.evaluate('scrollY')).toBe(0)
  })

  test('on a phone every view is two touches away', async ({ expect, onTestFinished }) => {
    const screen = await open(onTestFinished, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    const { page } = screen
    await screen.go('#/')
    await page.locator('.tabbar').getByRole('button', { name: 'More' }).tap()
    const more = page.getByRole('dialog', { name: 'More' })
    await more.getByRole('link', { name: 'Dead code' }).tap()
    await more.waitFor({ state: 'detached' })
    expect(page.url()).toContain('#/dead')
    await page.locator('.tabbar').getByRole('link', { name: 'Map' }).tap()
    await expect.poll(() => page.url()).toContain('#/map')
  })
})
