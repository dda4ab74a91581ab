// @module-tag slow
/** Who made each line, beside the lines, once it is asked for: on a desk and on a phone, in both languages. */
import { describe, test } from 'vitest'
import { chromiumPart } from '../support/chromium.ts'
import { commitAll, git } from '../support/git-in-test.ts'
import { faultsOn, viewerPage } from '../support/viewer-page.ts'

const before =
  'export function first(): number {\n  return second()\n}\nexport function second(): number {\n  return 1\n}\n'

describe.skipIf(chromiumPart.isMissing)(`who made the lines on the viewer's page ${chromiumPart.skipNote}`, () => {
  const its = viewerPage({ 'a.ts': before }, (project) => {
    const { root } = project.place
    commitAll(root)
    project.write('a.ts', before.replace('return 1', 'return 2'))
    git(root, 'commit', '-q', '-a', '-m', 'Return two', '--author', 'Mira Lund <m@example.invalid>')
    project.write('a.ts', `${before.replace('return 1', 'return 2')}export const late = 3\n`)
    project.write('b.ts', 'export {}\n')
  })

  test('nothing is asked until somebody wants it; then every piece has a name and a day, in each file that is opened', async ({
    expect,
  }) => {
    const screen = await its.open()
    const { page } = screen
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/blame')) asked.push(new URL(request.url()).search)
    })
    await screen.go('#/file/a.ts')
    const button = page.getByRole('button', { name: 'Who and when' })
    expect(await button.getAttribute('aria-pressed')).toBe('false')
    expect(await page.locator('.who').count()).toBe(0)
    expect(asked).toEqual([])

    await button.click()
    await page.locator('.who .cut').first().waitFor()
    expect(await page.locator('.who .cut').allInnerTexts()).toEqual(['A', 'Mira Lund', 'A', 'not committed'])
    expect(await page.locator('#L5 .who').getAttribute('title')).toMatch(
      /^Mira Lund, \d{4}-\d\d-\d\d: Return two \([0-9a-f]{12}\)$/,
    )
    expect(await faultsOn(screen)).toEqual([])
    await page.locator('.src .no').nth(2).click()
    await screen.settle()
    expect(asked).toEqual(['?file=a.ts'])

    await screen.follow('#/file/b.ts')
    await expect.poll(() => page.locator('.srch').innerText()).toContain('Git knows of nobody')
    expect(asked).toEqual(['?file=a.ts', '?file=b.ts'])
    await page.keyboard.press('b')
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false')
    await screen.close()
  })

  test('on a phone and in Chinese the names stand above the lines they begin with', async ({ expect }) => {
    const screen = await its.open({
      viewport: { width: 390, height: 844 },
      locale: 'zh-CN',
    })
    const { page } = screen
    await screen.go('#/file/a.ts')
    await page.getByRole('button', { name: '作者与时间' }).click()
    await page.locator('.who .cut').first().waitFor()
    expect(await page.locator('.who .cut').allInnerTexts()).toEqual(['A', 'Mira Lund', 'A', '尚未提交'])
    const name = await page.locator('#L5 .who .cut').boundingBox()
    const code = await page.locator('#L5 code').boundingBox()
    expect((name?.y ?? 0) + (name?.height ?? 0)).toBeLessThanOrEqual((code?.y ?? 0) + 1)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390)
    expect(await faultsOn(screen)).toEqual([])
    await screen.close()
  })
})
