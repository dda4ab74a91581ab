// @module-tag slow
/** Long listings and lists in Chromium: a screen of them at once, and all of them in the end. */
import { describe, test } from 'vitest'
import { href } from '../../local/viewer/web/model/address.ts'
import { chromiumPart } from '../support/chromium.ts'
import { viewerPage } from '../support/viewer-page.ts'
import type { Screen } from '../support/viewer-screen.ts'

/** Four lines a function, each called by the next; and `shared`, which all of them call. */
const functions = 250
const long = [
  "import { shared } from './shared.ts'",
  ...Array.from({ length: functions }, (_, at) => [
    `export function step${at}(value: number): number {`,
    `  const next = shared(value)`,
    at === 0 ? '  return next' : `  return step${at - 1}(next)`,
    '}',
  ]).flat(),
].join('\n')

describe.skipIf(chromiumPart.isMissing)(`the viewer's long listings ${chromiumPart.skipNote}`, () => {
  const its = viewerPage({
    'src/long.ts': long,
    'src/shared.ts': 'export function shared(value: number): number {\n  return value + 1\n}\n',
  })

  async function open(
    onTestFinished: (act: () => Promise<void>) => void,
  ): Promise<{ screen: Screen; asked: string[] }> {
    const screen = await its.open()
    onTestFinished(() => screen.close())
    const asked: string[] = []
    screen.page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/api/') && pathname !== '/api/events') asked.push(pathname + search)
    })
    return { screen, asked }
  }

  test('show the first screen before the rest is asked for, and hold all of it in the end', async ({
    expect,
    onTestFinished,
  }) => {
    const { screen, asked } = await open(onTestFinished)
    const { page } = screen
    await screen.go(href('file', 'src/long.ts'))
    expect(asked).toContain('/api/source?file=src%2Flong.ts&from=1&to=160')
    expect(asked).toContain('/api/filecode/src/long.ts?from=1&to=160')

    await page.locator(`#L${functions * 4}`).waitFor({ state: 'attached' })
    expect(await page.locator('.ln').count()).toBe(1 + functions * 4)
    expect(await page.locator('#L1000 .out a').allTextContents()).toEqual([`step${functions - 2}`])
    expect(await page.locator('.ln code').allTextContents()).toEqual(long.split('\n'))
    expect(asked.filter((one) => one.includes('&from=1&to=4000'))).toEqual([
      '/api/source?file=src%2Flong.ts&from=1&to=4000',
    ])
    expect(await screen.shifts()).toEqual([])
    expect(await screen.troubles()).toEqual([])
  })

  test.for([
    ['in the middle', 600],
    ['at the end', functions * 4 + 1],
  ] as const)('show the line of the address at once, %s', async ([, line], { expect, onTestFinished }) => {
    const { screen } = await open(onTestFinished)
    const { page } = screen
    await screen.go(href('file', 'src/long.ts', { line }))
    const hit = page.locator('.ln.hit')
    await hit.waitFor()
    expect(await hit.getAttribute('id')).toBe(`L${line}`)
    await page.locator('#L1').waitFor({ state: 'attached' })
    const box = await hit.boundingBox()
    expect(box?.y).toBeGreaterThan(100)
    expect(box?.y).toBeLessThan(900)
  })

  test('are shown all the same where the address names a line past the end', async ({ expect, onTestFinished }) => {
    const { screen } = await open(onTestFinished)
    await screen.go(href('file', 'src/long.ts', { line: 3900 }))
    await screen.page.locator('#L1').waitFor()
    expect(await screen.page.getByRole('alert').count()).toBe(0)
  })

  test('hold every caller in the end, and J walks over them', async ({ expect, onTestFinished }) => {
    const { screen } = await open(onTestFinished)
    const { page } = screen
    const { body } = await its.viewer.get('/api/search?q=name:shared%20kind:function&limit=1')
    await screen.go(href('symbol', body.results.items[0].id))
    const callers = page.locator('.callers [data-row]')
    // Every function, and the file that imports it.
    await callers.nth(functions).waitFor({ state: 'attached' })
    expect(new Set(await callers.allTextContents()).size).toBe(functions + 1)
    await page.keyboard.press('h')
    for (let step = 0; step < 60; step += 1) await page.keyboard.press('j')
    await expect
      .poll(() => page.evaluate<string>('document.activeElement.textContent'), { timeout: 10_000 })
      .toBe((await callers.allTextContents())[60])
  })

  test('too long to be coloured are said to be so, and others are not', async ({ expect, onTestFinished }) => {
    const endless = Array.from({ length: 5 }, () => long.split('\n')).flat()
    its.project.write('src/endless.ts', endless.join('\n'))
    await its.project.sync()
    const { screen } = await open(onTestFinished)
    await screen.go(href('file', 'src/endless.ts'))
    expect(await screen.page.locator('.srch').innerText()).toContain('without colours: the file is too long')
    expect(await screen.page.locator('.src .k-k').count()).toBe(0)
    // Who goes to the end at once finds it there, though thousands of lines before it are still to be drawn.
    await screen.page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    expect(await screen.page.locator('#L4000 code').textContent()).toBe(endless[3999])
    await screen.go(href('file', 'src/long.ts'))
    expect(await screen.page.locator('.srch').innerText()).not.toContain('without colours')
    expect(await screen.page.locator('.src .k-k').count()).toBeGreaterThan(0)
  })

  test('what a link leads to is asked for while the pointer rests on it, and not again when it is followed', async ({
    expect,
    onTestFinished,
  }) => {
    const { screen, asked } = await open(onTestFinished)
    await screen.go(href('file', 'src/shared.ts'))
    const link = screen.page.locator('.src a.own').first()
    const [answer] = await Promise.all([screen.page.waitForResponse(/\/api\/node\//), link.hover()])
    expect(screen.page.url()).toContain('#/file/')
    await answer.finished()
    await link.click()
    await screen.page.getByRole('heading', { level: 1, name: 'shared', exact: true }).waitFor()
    await screen.settle()
    expect(asked.filter((one) => one.startsWith('/api/node/'))).toHaveLength(1)
  })

  test.for([
    ['the first page', '#/'],
    ['a file', href('file', 'src/shared.ts')],
  ] as const)('no question is asked twice for %s', async ([, address], { expect, onTestFinished }) => {
    const { screen, asked } = await open(onTestFinished)
    await screen.go(address)
    expect(asked.length).toBeGreaterThan(2)
    expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted())
  })
})
