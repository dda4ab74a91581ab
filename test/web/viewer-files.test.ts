/** Files as a tree: opened by hand and by keys, read beside it, on a desk and on a phone, in both languages. */
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { fileBytesMax } from '../../local/indexer/limits.ts'
import { chromiumPart } from '../support/chromium.ts'
import { faultsOn, viewerPage } from '../support/viewer-page.ts'
import type { Screen } from '../support/viewer-screen.ts'
import { viewerSources } from '../support/viewer-sources.ts'

const manyFiles = 501
const sources = {
  ...viewerSources,
  'src/core/half.ts': 'export function half( {\n',
  'src/core/large.ts': 'y'.repeat(fileBytesMax + 1),
  'vendor/one.go': 'package vendor\n',
  'vendor/two.go': 'package vendor\n',
  ...Object.fromEntries(
    Array.from({ length: manyFiles }, (_, at) => [`many/${String(at).padStart(3, '0')}.ts`, 'export {}\n'] as const),
  ),
}

describe.skipIf(chromiumPart.isMissing)(`files on the viewer's page ${chromiumPart.skipNote}`, () => {
  const its = viewerPage(sources, (project) => {
    spawnSync('git', ['init', '-q', project.place.root])
  })
  let screen: Screen
  beforeAll(async () => {
    screen = await its.open()
  })
  afterAll(async () => {
    await screen.close()
  })
  const namesIn = (of: Screen): Promise<string[]> => of.page.locator('[role="treeitem"] .cut').allInnerTexts()
  const focused = (of: Screen): Promise<string | null> => of.page.evaluate<string>('document.activeElement.title')

  test('folders tell how many files they hold, open where they stand, and a file is read beside them', async ({
    expect,
  }) => {
    await screen.go('#/files')
    const { page } = screen
    const tree = page.getByRole('tree')
    expect(await namesIn(screen)).toEqual(['many', 'src', 'test', 'vendor/'])
    expect(await tree.getByRole('treeitem', { name: 'many' }).innerText()).toMatch(/many\s+501/)
    expect(await tree.getByRole('treeitem', { name: 'vendor/' }).innerText()).toMatch(
      /brought or produced by tools\s+2/,
    )
    expect(await faultsOn(screen)).toEqual([])

    await tree.getByRole('treeitem', { name: /^src/ }).click()
    await tree.getByRole('treeitem', { name: /^core/ }).click()
    await expect.poll(() => page.url()).toMatch(/#\/files\/src\/core\/$/)
    await screen.settle()
    expect(await page.locator('h1').innerText()).toBe('src/core')
    expect(await page.locator('.folder').innerText()).toMatch(/files · 1 file not in the index[\s\S]*TypeScript/)
    expect(await tree.getByRole('treeitem', { name: 'half.ts' }).innerText()).toContain(
      'as far as it could be understood',
    )
    expect(await tree.getByRole('treeitem', { name: 'large.ts' }).innerText()).toContain('larger than 1 MiB')
    expect(await faultsOn(screen)).toEqual([])

    await tree.getByRole('treeitem', { name: 'run.ts' }).click()
    await screen.settle()
    expect(page.url()).toMatch(/#\/files\/src\/core\/run\.ts$/)
    expect(await page.getByRole('treeitem', { name: 'run.ts' }).getAttribute('aria-current')).toBe('page')
    expect(await page.locator('.src').innerText()).toContain('export function start')
    await page.locator('.src .no').nth(3).click()
    await expect.poll(() => page.url()).toMatch(/#\/files\/src\/core\/run\.ts\?line=4$/)
    expect(await tree.isVisible()).toBe(true)
    expect(await faultsOn(screen)).toEqual([])

    await page.getByRole('link', { name: 'Open by itself' }).click()
    await page.waitForURL(/#\/file\/src\/core\/run\.ts$/)
    await screen.settle()
    await page.locator('h1').getByRole('link', { name: 'core' }).click()
    await page.waitForURL(/#\/files\/src\/core\/$/)
  })

  test('an address opens the folders on its way, and arrows walk, open and close', async ({ expect }) => {
    await screen.go('#/files/src/core/disk/write.ts')
    const { page } = screen
    await page.getByRole('treeitem', { name: 'write.ts' }).waitFor()
    await page.keyboard.press('t')
    expect(await focused(screen)).toBe('src/core/disk/write.ts')
    await page.keyboard.press('ArrowLeft')
    expect(await focused(screen)).toBe('src/core/disk')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => page.getByRole('treeitem', { name: 'write.ts' }).count()).toBe(0)
    expect(page.url()).toMatch(/write\.ts$/)
    await page.keyboard.press('ArrowDown')
    expect(await focused(screen)).toBe('src/core/memory')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('treeitem', { name: 'remember.ts' }).waitFor()
    await page.keyboard.press('ArrowRight')
    expect(await focused(screen)).toBe('src/core/memory/remember.ts')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toMatch(/#\/files\/src\/core\/memory\/remember\.ts$/)
    await screen.settle()
    expect(await page.locator('[role="treeitem"][tabindex="0"]').count()).toBe(1)
    await page.keyboard.press('Home')
    expect(await focused(screen)).toBe('many')
    await page.keyboard.press('End')
    expect(await focused(screen)).toBe('vendor/')
    expect(await faultsOn(screen)).toEqual([])
  })

  test('of a long folder the first rows come, and the others when they are asked for', async ({ expect }) => {
    await screen.go('#/files/many/')
    const { page } = screen
    const rows = page.locator('[role="treeitem"][aria-level="2"] .cut')
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(manyFiles - 1)
    await page.getByRole('treeitem', { name: '500 of 501. Show more' }).click()
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(manyFiles)
  })

  test('a folder that the index does not have is said to be unknown', async ({ expect }) => {
    await screen.go('#/files/nowhere/')
    expect(await screen.page.getByRole('alert').innerText()).toContain('The index does not have it.')
    expect(await namesIn(screen)).toContain('src')
  })

  test('on a phone and in Chinese a file takes the place of the tree, and its folders lead back', {
    tags: 'slow',
  }, async ({ expect, onTestFinished }) => {
    const phone = await its.open({
      viewport: { width: 390, height: 844 },
      locale: 'zh-CN',
      hasTouch: true,
    })
    onTestFinished(() => phone.close())
    const { page } = phone
    await phone.go('#/')
    await page.locator('.tabbar').getByRole('link', { name: '文件树' }).tap()
    await page.getByRole('treeitem', { name: /^src/ }).tap()
    await page.getByRole('treeitem', { name: /^core/ }).tap()
    await page.getByRole('treeitem', { name: 'large.ts' }).waitFor()
    expect(await page.getByRole('treeitem', { name: 'large.ts' }).innerText()).toContain('大于 1 MiB')
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await faultsOn(phone)).toEqual([])
    await page.getByRole('treeitem', { name: 'run.ts' }).tap()
    await page.waitForURL(/#\/files\/src\/core\/run\.ts$/)
    await phone.settle()
    expect(await page.getByRole('tree').isVisible()).toBe(false)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await faultsOn(phone)).toEqual([])
    await page.locator('h1').getByRole('link', { name: 'core' }).tap()
    await page.getByRole('tree').waitFor()
    expect(page.url()).toMatch(/#\/files\/src\/core\/$/)
  })

  test('what was searched last is counted at the folders and files it was found in, until it is put away', {
    tags: 'slow',
  }, async ({ expect }) => {
    await screen.go('#/text?q=export+function+half')
    await screen.page.getByText('1 line in 1 file').waitFor()

    await screen.follow('#/files/src/core/')
    const tree = screen.page.getByRole('tree')
    const counted = tree.locator('[role="treeitem"]:has(.hits)')
    const titles = async () => Promise.all((await counted.all()).map((one) => one.getAttribute('title')))
    await expect.poll(titles).toEqual(['src', 'src/core', 'src/core/half.ts'])
    expect(await counted.last().locator('.hits').innerText()).toContain('1')
    expect(await faultsOn(screen)).toEqual([])
    const back = screen.page.getByRole('link', { name: '“export function half”: 1 line' })
    expect(await back.getAttribute('href')).toBe('#/text?q=export+function+half')

    await screen.page.getByRole('button', { name: 'Without what the search found' }).click()
    await expect.poll(() => counted.count()).toBe(0)
    expect(await back.count()).toBe(0)
  })
})
