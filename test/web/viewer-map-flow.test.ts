/** The map and the flow as a reader uses them: by pointer, by keys and by address, and kept as pictures. */
import { readFileSync } from 'node:fs'
import type { Download, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, test } from 'vitest'
import { chromiumPart } from '../support/chromium.ts'
import { faultsOn, viewerPage } from '../support/viewer-page.ts'
import type { openScreen, Screen } from '../support/viewer-screen.ts'
import { viewerSources } from '../support/viewer-sources.ts'

const grounds = { light: '#f4f6f6', dark: '#0f1519' } as const

async function saved(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download') as Promise<Download>,
    page.getByRole('button', { name: button }).click(),
  ])
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

describe.skipIf(chromiumPart.isMissing)(`the viewer's map and flow ${chromiumPart.skipNote}`, () => {
  const its = viewerPage(viewerSources)
  /** One for all tests that ask for nothing special, since to open one costs as much as a test. */
  let plain: Screen
  let screen: Screen
  beforeAll(async () => {
    plain = await its.open()
  })
  afterEach(async () => {
    if (screen === plain) await plain.page.evaluate('localStorage.clear()')
    else await screen.close()
  })

  async function open(address: string, options?: Parameters<typeof openScreen>[2]): Promise<Page> {
    screen = options === undefined ? plain : await its.open(options)
    await screen.go(address)
    return screen.page
  }
  const box = (page: Page, id: string) => page.locator(`[data-box="${id}"]`)

  describe('the map', () => {
    test('shows the layers, and the link that closes a circle in red with an arrowhead', async ({ expect }) => {
      const page = await open('#/map?depth=1')
      await box(page, 'src/core').waitFor()
      const top = async (id: string) => (await box(page, id).boundingBox())?.y ?? 0
      expect(await top('src/http')).toBeLessThan(await top('src/core'))
      expect(await top('src/core')).toBeLessThan(await top('src/text'))
      expect(await page.locator('.mapsvg .e.back').count()).toBe(1)
      expect(await page.locator('.mapsvg .bh').count()).toBeGreaterThan(0)
      expect(await page.locator('.mapside').innerText()).toContain('src/core to src/jobs')
      expect(await faultsOn(screen)).toEqual([])
    })

    test('a chosen module says what it uses and what uses it; Back takes the choice away', async ({ expect }) => {
      const page = await open('#/map?depth=1')
      await box(page, 'src/core').click()
      await page.locator('.mapside h2', { hasText: 'src/core' }).waitFor()
      const side = await page.locator('.mapside').innerText()
      expect(side).toMatch(/Uses[\s\S]*jobs[\s\S]*Used by[\s\S]*http/)
      expect(page.url()).toContain('m=src%2Fcore')
      expect(await box(page, 'src/core').getAttribute('aria-current')).toBe('true')
      await page.goBack()
      await page.locator('.mapside h2', { hasText: 'No module is chosen' }).waitFor()
    })

    test('is walked with the arrow keys, opened in place with E and narrowed with I', async ({ expect }) => {
      const page = await open('#/map?depth=1')
      await box(page, 'src/http').focus()
      await page.keyboard.press('ArrowDown')
      const here = await page.evaluate<string | null>(`document.activeElement.getAttribute('data-box')`)
      expect(here).not.toBeNull()
      expect(here).not.toBe('src/http')
      await box(page, 'src/core').focus()
      await page.keyboard.press('Enter')
      await page.locator('.mapside h2', { hasText: 'src/core' }).waitFor()
      await page.getByRole('link', { name: 'Open in place, 3 inside' }).waitFor()
      await page.keyboard.press('i')
      await page.locator('.opened', { hasText: 'Only src/core and its neighbours' }).waitFor()
      await page.keyboard.press('i')
      await page.keyboard.press('e')
      await box(page, 'src/core/disk').waitFor()
      expect(await box(page, 'src/core').count()).toBe(0)
      expect(await box(page, 'src/http').count()).toBe(1)
      expect(page.url()).toContain('open=src%2Fcore')
      await page.getByRole('link', { name: 'Fold src/core' }).click()
      await box(page, 'src/core').waitFor()
      expect(await faultsOn(screen)).toEqual([])
    })

    test('says the same as a list, which a phone shows first', async ({ expect }) => {
      const page = await open('#/map?depth=1', { viewport: { width: 390, height: 844 }, hasTouch: true })
      await page.locator('.maplist').waitFor()
      const list = await page.locator('.maplist').innerText()
      expect(list.indexOf('http')).toBeLessThan(list.indexOf('text'))
      expect(list).toMatch(/core[\s\S]*points back up/)
      expect(await faultsOn(screen)).toEqual([])
      await page.getByRole('button', { name: 'Picture' }).click()
      await box(page, 'src/core').waitFor()
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    })

    test('leaves tests out and says so, until they are asked for', async ({ expect }) => {
      const page = await open('#/map?root=.&depth=1')
      await box(page, 'src').waitFor()
      expect(await box(page, 'test').count()).toBe(0)
      expect(await page.locator('.mapside').innerText()).toContain('1 module of tests left out')
      await page.getByLabel('Tests').check()
      await box(page, 'test').waitFor()
    })

    test('of an unknown root says so and leads back', async ({ expect }) => {
      const page = await open('#/map?root=no/such/folder')
      expect(await page.locator('.empty').innerText()).toContain('No module is here')
      await page.getByRole('link', { name: 'Show the whole repository' }).click()
      await box(page, 'src/core').waitFor()
    })
  })

  describe('a picture of the map', () => {
    test.for([
      ['dark', 'light'],
      ['light', 'dark'],
      [undefined, 'dark'],
    ] as const)('has the theme on screen: %s chosen, %s preferred', async ([chosen, preferred], { expect }) => {
      const page = await open('#/map?depth=1', { colorScheme: preferred })
      if (chosen !== undefined) {
        await page.evaluate(`localStorage.setItem('viewer-ui.theme', '${chosen}')`)
        await page.reload()
      }
      await box(page, 'src/core').waitFor()
      const { name, bytes } = await saved(page, 'Save as SVG')
      const svg = bytes.toString('utf8')
      expect(name).toBe('Map-of-src.svg')
      expect(svg).toContain(`fill="${grounds[chosen ?? preferred]}"/>`)
      expect(svg).not.toContain(grounds[(chosen ?? preferred) === 'dark' ? 'light' : 'dark'])
      for (const word of ['core', 'http', 'Layer 1', 'points back up']) expect(svg).toContain(word)
      expect(await screen.troubles()).toEqual([])
    })

    test('is a PNG of twice its size as well', async ({ expect }) => {
      const page = await open('#/map?depth=1')
      await box(page, 'src/core').waitFor()
      const svg = (await saved(page, 'Save as SVG')).bytes.toString('utf8')
      const { name, bytes } = await saved(page, 'Save as PNG')
      expect(name).toBe('Map-of-src.png')
      expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
      expect(bytes.readUInt32BE(16)).toBe(2 * Number(/width="(\d+)"/.exec(svg)?.[1]))
      expect(await screen.troubles()).toEqual([])
    })
  })

  describe('the flow', () => {
    test('shows the path as cards, each with the line that makes the next call', async ({ expect }) => {
      const page = await open('#/flow?from=plan&to=write')
      await page.locator('.hop').first().waitFor()
      expect(await page.locator('.hop h2').allInnerTexts()).toEqual(['plan', 'start', 'quick', 'write'])
      expect(await page.locator('.hop .hit code').first().innerText()).toContain("start(trim('plan'))")
      expect(await page.locator('.lk').first().innerText()).toContain('calls at line 4')
      expect(await page.locator('.hop .hit a').first().getAttribute('href')).toMatch(/^#\/s\/function/)
      expect(await page.locator('.lk.g').count()).toBe(0)
      expect(await faultsOn(screen)).toEqual([])
    })

    test('goes through a symbol in between', async ({ expect }) => {
      const page = await open('#/flow?from=plan&to=write')
      await page.getByRole('button', { name: 'Via a symbol' }).click()
      await page.getByRole('combobox', { name: 'Via' }).fill('remember')
      await page
        .getByRole('option', { name: /remember/ })
        .first()
        .click()
      await page.locator('.hop h2', { hasText: 'remember' }).waitFor()
      expect(await page.locator('.hop h2').allInnerTexts()).toEqual(['plan', 'start', 'step', 'remember', 'write'])
      expect(new URL(page.url()).hash).toMatch(/via=function/)
      await page.getByRole('button', { name: 'Leave out the symbol in between' }).click()
      await page.locator('.hop h2', { hasText: 'quick' }).waitFor()
    })

    test('stops at a call that is chosen at run time, dashed, and says why', async ({ expect }) => {
      const page = await open('#/flow?from=dispatch&to=seal')
      const stop = page.locator('.stopbox')
      await stop.waitFor()
      expect(await stop.innerText()).toMatch(
        /The path stops here[\s\S]*computed call|The path stops here[\s\S]*table of handlers/,
      )
      expect(await stop.innerText()).toContain('table[kind]')
      expect(await page.evaluate(`getComputedStyle(document.querySelector('.stopbox')).borderTopStyle`)).toBe('dashed')
      expect(await page.locator('.lk.g').count()).toBe(1)
      expect(await page.locator('.fh > [role=status]').innerText()).toContain('cannot be followed')
      expect(await faultsOn(screen)).toEqual([])
    })

    test('a name with several definitions says which one it took and offers the others', async ({ expect }) => {
      const page = await open('#/flow?from=start&to=write')
      const side = page.locator('.fside')
      await side.waitFor()
      expect(await side.innerText()).toContain('write names 2 symbols')
      await side.getByText('Use another').click()
      await side.getByRole('link', { name: /Loose::write/ }).click()
      await page.locator('.empty', { hasText: 'No chain of calls leads there' }).waitFor()
      await page.goBack()
      await page.locator('.hop').first().waitFor()
    })

    test.for([
      ['#/flow?from=nobody&to=write', 'Nothing in the index is called nobody', 'Search for nobody'],
      ['#/flow?from=seal&to=plan', 'No chain of calls leads there', 'Look the other way round'],
      ['#/flow?from=plan&to=plan', 'Both ends are the same symbol', undefined],
      ['#/flow', 'A path has two ends', undefined],
    ] as const)('%s says: %s', async ([address, said, way], { expect }) => {
      const page = await open(address)
      expect(await page.locator('.empty').innerText()).toContain(said)
      if (way !== undefined) expect(await page.locator('.empty .btn').first().innerText()).toBe(way)
      expect(await faultsOn(screen)).toEqual([])
    })

    test('is found by naming both ends, and swapped', async ({ expect }) => {
      const page = await open('#/flow')
      await page.getByRole('combobox', { name: 'From' }).fill('plan')
      await page.keyboard.press('Enter')
      await page.getByRole('combobox', { name: 'To', exact: true }).fill('seal')
      await page.getByRole('option', { name: /seal/ }).first().waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.locator('.hop').first().waitFor()
      expect(await page.locator('.hop h2').allInnerTexts()).toEqual(['plan', 'start', 'quick', 'write', 'seal'])
      await page.getByRole('link', { name: 'Swap both ends' }).click()
      await page.locator('.empty').waitFor()
    })

    test.for(['dark', 'light'] as const)('a picture of it has the theme on screen: %s', async (theme, { expect }) => {
      const page = await open('#/flow?from=plan&to=write')
      await page.evaluate(`localStorage.setItem('viewer-ui.theme', '${theme}')`)
      await page.reload()
      await page.locator('.hop').first().waitFor()
      const svg = (await saved(page, 'Save as SVG')).bytes.toString('utf8')
      expect(svg).toContain(`fill="${grounds[theme]}"/>`)
      for (const word of ['plan', 'calls at line 4', 'src/core/run.ts']) expect(svg).toContain(word)
      const png = await saved(page, 'Save as PNG')
      expect(png.name).toBe('plan-to-write.png')
      expect(png.bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
      expect(await screen.troubles()).toEqual([])
    })
  })
})
