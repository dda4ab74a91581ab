/** What the page of a change says of contracts that it breaks, and of who looks after its files. */
import { describe, test } from 'vitest'
import { axeFindings, chromiumPart } from '../support/chromium.ts'
import { commitAll } from '../support/git-in-test.ts'
import { viewerPage } from '../support/viewer-page.ts'

const sources = {
  CODEOWNERS: '* @dock/all\n/src/price.ts @dock/prices\n',
  'src/price.ts':
    'export function price(count: number): number {\n  return count * 2\n}\nexport function label(count: number): string {\n  return String(count)\n}\n',
  'src/order.ts':
    "import { label, price } from './price.ts'\nexport function order(): string {\n  return label(price(2))\n}\n",
  'src/tax.ts':
    'export interface Tax {\n  rate(): number\n}\nexport class Flat implements Tax {\n  rate() {\n    return 1\n  }\n}\n',
  'src/bill.ts': "import { price } from './price.ts'\nexport const bill = () => price(3)\n",
}
const sizes = [
  [
    'desk',
    { locale: 'en' },
    'Contracts broken',
    '2 certain uses in other files, 0 possible',
    'gone',
    'asked for now: 1 type lacks it, 0 possibly',
  ],
  [
    'phone',
    { locale: 'zh-CN', viewport: { width: 390, height: 844 }, hasTouch: true },
    ...['被破坏的约定', '其他文件中 2 处确定使用，0 处可能', '已移除', '新增要求：1 个类型未实现，0 个可能未实现'],
  ],
] as const

describe.skipIf(chromiumPart.isMissing)(`a change on the viewer's page ${chromiumPart.skipNote}`, () => {
  const its = viewerPage(sources, (project) => {
    commitAll(project.place.root)
    project.write(
      'src/price.ts',
      'export function price(count: number, currency: string): string {\n  return count * 2 + currency\n}\n',
    )
    project.write('src/tax.ts', sources['src/tax.ts'].replace('rate(): number', 'rate(): number\n  name(): string'))
  })

  test.for(sizes)(
    'sets broken contracts out with both signatures and the lines that rely on them, at a %s',
    { tags: 'slow' },
    async ([size, options, title, used, gone, lacked], { expect, onTestFinished }) => {
      const screen = await its.open(options)
      onTestFinished(() => screen.close())
      const { page } = screen
      await screen.go('#/change')
      const contracts = page.locator(`[data-rows="${title}"] .contract`)
      await contracts.first().waitFor()
      expect(await contracts.count()).toBe(3)
      const price = contracts.filter({ hasText: 'currency' })
      expect(await price.locator('.sig').allInnerTexts()).toEqual([
        expect.stringMatching(/^− export function price\(count: number\): number/),
        expect.stringMatching(/^\+ export function price\(count: number, currency: string\): string/),
      ])
      expect(await price.locator('p').innerText()).toBe(used)
      expect(await price.locator('ul .mono.cut').allInnerTexts()).toEqual(['bill', 'order'])
      expect(await contracts.filter({ hasText: 'label' }).first().locator('.tag.bad').innerText()).toBe(gone)
      const name = contracts.filter({ hasText: 'Tax::name' })
      expect(await name.locator('p').innerText()).toBe(lacked)
      expect(await name.locator('ul .mono.cut').allInnerTexts()).toEqual(['Flat'])
      expect(await page.getByText('@dock/prices').locator('..').innerText()).toContain('src/price.ts')
      // Each part has a line of its own: nothing lies over anything.
      const tops = await page.evaluate<number[]>(
        "[...document.querySelector('.contract:has(.add)').children].map((part) => part.getBoundingClientRect().top)",
      )
      expect(tops).toEqual([...new Set(tops)].sort((left, right) => left - right))
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect([...(await screen.troubles()), ...(await axeFindings(page))]).toEqual([])
      if (size === 'phone') return
      await price.locator('ul a').last().click()
      await page.waitForURL(/#\/file\/src\/order\.ts\?line=3$/)
    },
  )
})
