// @module-tag slow
/** What every screen has in common: its keys, and links that lead to something. */
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { english } from '../../workers/app/web/locales/english.ts'
import { parseRoute } from '../../workers/app/web/model/hash-route.ts'
import { chromiumPart } from '../support/chromium.ts'
import { consoleScreens, everyScreen, follow } from '../support/console-screens.ts'

/** Where layout asks for no more, a low window leaves little to paint. */
const low = { viewport: { width: 1440, height: 300 } }
const walkMs = 480_000

/** Screens with several rows that can be walked, each with what a row is. */
const walked = [
  ['#/overview', 'table.sites tbody tr'],
  ['#/sites', 'table.sites tbody tr'],
  ['#/library', 'table.media tbody tr'],
  ['#/subscriptions', '.sublist li'],
  ['#/watchlists', '.watched > li, .watchlists > li'],
  ['#/profiles', '.profiles > li'],
  ['#/tasks', 'table.tasks tbody tr'],
  ['#/brush', '.brush > li'],
  ['#/feeds', '.rules > li, .feeds > li'],
  ['#/ends', '.rules > li'],
  ['#/assistant', '.convs li'],
  ['#/torrents', 'table.torrents tbody tr'],
  ['#/downloaders', '.dls > li'],
  ['#/channels', '.channels > li'],
  ['#/templates', '.evs li'],
  ['#/tokens', 'table.tokens tbody tr'],
  ['#/devices', 'table.devices tbody tr'],
  ['#/backups', 'table.backups tbody tr'],
] as const

/** Words that a screen has for what is not there (any more). */
function wordsForNothing(of: unknown): string[] {
  if (typeof of !== 'object' || of === null) return []
  return Object.entries(of).flatMap(([key, value]) =>
    typeof value !== 'string' ? wordsForNothing(value) : /^gone/i.test(key) && / /.test(value) ? [value] : [],
  )
}

const placeOfFocus = (rows: string) => `(() => {
  const all = [...document.querySelectorAll(${JSON.stringify(rows)})]
  return all.findIndex((one) => one.contains(document.activeElement))
})()`

describe.skipIf(chromiumPart.isMissing)(`every screen of the console ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test(
    'lists its keys at a question mark, goes from row to row by letters and arrows, and links to what is there',
    async ({ expect }) => {
      const { page, troubles } = await open('#/more', {}, low)
      const faults: string[] = []
      const linked = new Map<string, string>()
      for (const [hash, ready] of everyScreen) {
        await follow(page, hash, ready)
        for (const href of await hrefs(page)) if (!linked.has(href)) linked.set(href, hash)
        await page.evaluate('document.activeElement?.blur()')
        await page.keyboard.press('?')
        const shown = page.getByRole('dialog').getByText('Next row')
        if (
          !(await shown.waitFor({ timeout: 5_000 }).then(
            () => true,
            () => false,
          ))
        ) {
          // Whatever is set up or answered for by itself has no frame, and no keys.
          if (hash !== '#/welcome') faults.push(`${hash} does not list its keys`)
          continue
        }
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      for (const [hash, rows] of walked) {
        await follow(page, hash, rows)
        await page.evaluate('document.activeElement?.blur()')
        const seen: number[] = []
        for (const key of ['j', 'ArrowDown', 'k', 'ArrowDown', 'ArrowUp']) {
          await page.keyboard.press(key)
          seen.push(await page.evaluate<number>(placeOfFocus(rows)))
        }
        const [first = -1, second = -1] = seen
        if (first < 0 || second <= first || seen.join() !== [first, second, first, second, first].join())
          faults.push(`${hash} walks by ${seen}`)
      }
      const none = wordsForNothing(english)
      expect(none.length).toBeGreaterThan(10)
      for (const [href, from] of linked) {
        if (!href.startsWith('#/')) {
          if (!/^https:\/\/|^\/api\/|^magnet:|^#main$/.test(href)) faults.push(`${from} links to ${href}`)
          continue
        }
        if (parseRoute(href).name === 'overview' && !href.startsWith('#/overview'))
          faults.push(`${from} links to ${href}`)
        await follow(page, href)
        await page.locator('.skeleton').first().waitFor({ state: 'detached' })
        const text = await page.locator('main').innerText()
        const said = none.find((words) => text.includes(words))
        if (said !== undefined) faults.push(`${from} links to ${href}: ${said}`)
      }
      expect(linked.size).toBeGreaterThan(60)
      expect(faults).toEqual([])
      expect(troubles).toEqual([])
    },
    walkMs,
  )
})

function hrefs(page: Page): Promise<string[]> {
  return page.locator('a[href]').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
}
