// @module-tag slow
/** What the page says of links that a compiler judged, and where none did; and of URLs whose beginning is not known. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'vitest'
import { importCommand } from '../../local/indexer/commands/scip-commands.ts'
import { href } from '../../local/viewer/web/model/address.ts'
import { chromiumPart } from '../support/chromium.ts'
import { compilerBomb } from '../support/compiler-bomb.ts'
import { contradictingIndex } from '../support/contradicting-index.ts'
import { indexedInTest, servedInTest } from '../support/viewer-in-test.ts'
import { faultsOn, viewerPage } from '../support/viewer-page.ts'
import { openScreen } from '../support/viewer-screen.ts'

const fixture = path.join(import.meta.dirname, '../fixtures/scip')
const sources = {
  ...Object.fromEntries(
    ['src/crate.ts', 'src/quay.ts'].map((file) => [file, readFileSync(path.join(fixture, file), 'utf8')]),
  ),
  'app/routes.py':
    'from fastapi import APIRouter\n\nrouter = APIRouter(prefix="/books")\n\n\n@router.get("/{id}")\nasync def show(id: int):\n    pass\n',
}
const sizes = [
  ['desk', {}],
  ['phone', { viewport: { width: 360, height: 740 }, hasTouch: true }],
] as const

describe.skipIf(chromiumPart.isMissing)(`the viewer's accuracy ${chromiumPart.skipNote}`, () => {
  const its = viewerPage(sources)

  test('claims nothing where nothing was judged', async ({ expect }) => {
    const screen = await its.open()
    await screen.go('#/accuracy')
    const said = await screen.page.locator('main').innerText()

    expect(said).toContain('Nothing has been proved yet')
    expect(said).toContain('how many are right is not known')
    expect(said).not.toContain('%')
    expect(await faultsOn(screen)).toEqual([])
    await screen.close()
  })

  test.for(sizes)('tells shares with their samples, per language, at a %s', async ([size, options], { expect }) => {
    const contradicting = path.join(its.project.place.folder, 'contradicting.scip')
    writeFileSync(contradicting, contradictingIndex(readFileSync(path.join(fixture, 'index.scip'))))
    importCommand(
      { place: its.project.place, output: { line: () => {}, error: () => {} }, isJson: false },
      contradicting,
    )
    const screen = await its.open(options)
    await screen.go('#/accuracy')
    const { page } = screen

    expect(await page.locator('.figures').innerText()).toMatch(
      /Uses found\s+77\.7 %\s+7 of 9 uses of functions have a link/,
    )
    const rows = await page.locator('[data-rows=languages] tbody tr').allInnerTexts()
    expect(rows.find((one) => one.includes('TypeScript'))).toMatch(/2 of 2/)
    expect(rows.find((one) => one.includes('Python'))).toMatch(/0 of 1[\s\S]*not known/)
    expect(await page.locator('[data-rows=wrong]').innerText()).toMatch(/pack → open[\s\S]*certain/)
    expect(await page.locator('[data-rows=missed]').innerText()).toContain('Crate::open')
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await faultsOn(screen)).toEqual([])
    if (size === 'desk') {
      await page.locator('[data-rows=missed] [data-row]', { hasText: 'src/quay.ts' }).click()
      await screen.settle()
      expect(page.url()).toContain('#/file/src/quay.ts?line=20')
    }
    await screen.close()
  })

  test.for([
    ['en-GB', 'proved', 'refuted'],
    ['zh-CN', '已证实', '已否定'],
  ] as const)(
    'marks callers and calls as a compiler judged them, in %s',
    async ([locale, proved, refuted], { expect }) => {
      const contradicting = path.join(its.project.place.folder, 'contradicting.scip')
      writeFileSync(contradicting, contradictingIndex(readFileSync(path.join(fixture, 'index.scip'))))
      importCommand(
        { place: its.project.place, output: { line: () => {}, error: () => {} }, isJson: false },
        contradicting,
      )
      const screen = await its.open({ locale })
      const { page } = screen
      const named = async (name: string) => {
        const { body } = await its.viewer.get(`/api/search?q=${name}`)
        const { id } = body.results.items.find((one: { name: string }) => one.name === name)
        await screen.go(href('symbol', id))
      }

      await named('pack')
      const calls = page.locator('[data-rows=calls] .ln')
      expect(await calls.filter({ hasText: 'crate.open()' }).locator('.tag').allInnerTexts()).toEqual([refuted])
      expect(await calls.filter({ hasText: 'crate.trim()' }).locator('.tag').allInnerTexts()).toEqual([proved])
      expect(await faultsOn(screen)).toEqual([])
      await named('open')
      const callers = page.locator('[data-rows=callers] li')
      expect(await callers.filter({ hasText: 'pack' }).locator('.tag').allInnerTexts()).toEqual([refuted])
      expect(await faultsOn(screen)).toEqual([])
      await screen.close()
    },
  )

  test('shows figures by itself once the compiler was asked, without anything imported, and what it was not asked', {
    timeout: 400_000,
  }, async ({ expect }) => {
    const project = await indexedInTest({
      'src/quay.ts': "import { moor } from './rope.ts'\nexport function land() {\n  moor()\n}\n",
      'src/rope.ts': 'export function moor() {}\n',
      'src/bomb.ts': compilerBomb,
    })
    const viewer = await servedInTest(project.place, { proof: { fileMsMax: 1_500 } })
    const screen = await openScreen(its.browser, viewer.running.address)
    await screen.go('#/accuracy')
    const { page } = screen
    const said = () => page.locator('main').innerText()
    await expect.poll(said, { timeout: 180_000 }).toContain('The compiler is being asked')
    // Meanwhile the viewer answers as ever.
    const asked = performance.now()
    expect((await viewer.get('/api/search?q=moor')).status).toBe(200)
    expect(performance.now() - asked).toBeLessThan(2_000)

    await expect.poll(said, { timeout: 180_000 }).toContain('2 of 3 files asked of typescript')
    expect(await page.locator('[data-rows=not-judged]').innerText()).toMatch(
      /took too (long|much memory)[\s\S]*src\/bomb\.ts/,
    )
    expect(await page.locator('.figures').innerText()).toMatch(/Certain links right\s+100\.0 %/)
    const rows = await page.locator('[data-rows=languages] tbody tr').allInnerTexts()
    expect(rows[0]).toMatch(/TypeScript[\s\S]*2 of 3/)
    expect(await faultsOn(screen)).toEqual([])
    await screen.close()
  })

  test('shows a URL whose router is put nowhere as an end', async ({ expect }) => {
    const screen = await its.open()
    await screen.go('#/routes')
    const row = await screen.page.locator('[data-rows=routes] tbody tr').first().innerText()

    expect(row).toMatch(/…\/books\/\{id\}\s+prefix not known/)
    expect(await faultsOn(screen)).toEqual([])
    await screen.close()
  })
})
