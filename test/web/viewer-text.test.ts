/** Looking for text as a reader does: typing, narrowing, opening the line, on a desk and on a phone, in both languages. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { chromiumPart } from '../support/chromium.ts'
import { faultsOn, viewerPage } from '../support/viewer-page.ts'
import type { Screen } from '../support/viewer-screen.ts'
import { viewerSources } from '../support/viewer-sources.ts'

describe.skipIf(chromiumPart.isMissing)(`text on the viewer's page ${chromiumPart.skipNote}`, () => {
  const its = viewerPage({
    ...viewerSources,
    'src/text/message.ts': `export function refuse(): never {
  throw new Error('the door (front) is <b>locked</b>')
}
export const wide = '${'x'.repeat(900)} the door (back) ${'y'.repeat(900)}'
`,
    'test/message.test.ts': "const expected = 'the door (front)'\nexpected.trim()\n",
  })
  let screen: Screen
  beforeAll(async () => {
    screen = await its.open()
  })
  afterAll(async () => {
    await screen.close()
  })

  test('lines come by file as one types, with the match marked, and a line opens where it stands', async ({
    expect,
  }) => {
    await screen.go('#/text')
    const { page } = screen
    await page.getByLabel('Text to look for').pressSequentially('The door (')
    const rows = page.locator('[data-rows="text"] [data-row]')
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(3)
    await expect
      .poll(() => page.locator('main [role="status"]').first().innerText(), { timeout: 10_000 })
      .toBe('3 lines in 2 files')
    expect(await page.locator('.text-file h3').allInnerTexts()).toEqual([
      expect.stringContaining('src/text/message.ts'),
      expect.stringContaining('test'),
    ])
    expect(await rows.locator('mark').allInnerTexts()).toEqual(['the door (', 'the door (', 'the door ('])
    expect(await rows.first().innerText()).toContain("throw new Error('the door (front) is <b>locked</b>')")
    expect(await rows.first().innerText()).toContain('refuse')
    expect(await faultsOn(screen)).toEqual([])

    await page.getByLabel('Part of a path').fill('test/')
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(1)
    await page.getByLabel('Part of a path').fill('')
    await page.getByRole('button', { name: 'Match case' }).click()
    await expect
      .poll(() => page.locator('.empty').innerText(), { timeout: 10_000 })
      .toContain('No line holds “The door (”')
    await page.getByRole('button', { name: 'Match case' }).click()
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(3)

    await rows.nth(1).click()
    await expect.poll(() => page.url(), { timeout: 10_000 }).toContain('#/file/src/text/message.ts?line=4')
    await page.goBack()
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(3)
    expect(page.url()).toContain('q=The+door')
  })

  test('a pattern is looked for when that is chosen, and what is none is said to be none', async ({ expect }) => {
    await screen.go('#/text?q=%28front%7Cback&regex=1')
    const { page } = screen
    const failed = page.locator('main [role="alert"], main .note')
    await expect.poll(() => failed.first().innerText(), { timeout: 10_000 }).toContain('unclosed group')
    await page.getByLabel('Text to look for').fill('(front|back)\\)')
    await expect.poll(() => page.locator('[data-rows="text"] [data-row]').count(), { timeout: 10_000 }).toBe(3)
    expect(await page.getByRole('button', { name: 'Pattern' }).getAttribute('aria-pressed')).toBe('true')
  })

  test('a name that nothing has leads from the search of symbols to that of text', async ({ expect }) => {
    await screen.go('#/?q=door')
    await screen.page.getByRole('link', { name: '“door” in the text of files' }).click()
    await expect.poll(() => screen.page.locator('[data-rows="text"] [data-row]').count(), { timeout: 10_000 }).toBe(3)
  })

  test('on a phone and in Chinese it is the same, and nothing is wider than the screen', async ({
    expect,
    onTestFinished,
  }) => {
    const phone = await its.open({
      viewport: { width: 390, height: 844 },
      locale: 'zh-CN',
      hasTouch: true,
    })
    onTestFinished(() => phone.close())
    await phone.go('#/text?q=the+door')
    await expect
      .poll(() => phone.page.locator('main [role="status"]').first().innerText(), { timeout: 10_000 })
      .toBe('2 个文件，3 行')
    expect(await phone.page.getByRole('button', { name: '区分大小写' }).isVisible()).toBe(true)
    expect(await phone.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await faultsOn(phone)).toEqual([])
  })
})
