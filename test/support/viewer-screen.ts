/** What a test asks of the viewer's page: when a view stands, what moved on it, what went wrong in it. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openPage, policyViolations, type TestBrowser } from './chromium.ts'

export interface Screen {
  readonly page: Page
  /** Shows the view of an address in a document of its own and waits until all of it is there. */
  go(address: string): Promise<void>
  /** The same from the view on screen, as a link leads there. */
  follow(address: string): Promise<void>
  /** Until nothing is loading any more. */
  settle(): Promise<void>
  /** What moved by itself since the last call, one line each. */
  shifts(): Promise<string[]>
  /** Errors, exceptions and violations of the policy so far. */
  troubles(): Promise<string[]>
  close(): Promise<void>
}

const observeShifts = `globalThis.shifts = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue
      const what = entry.sources.map(({ node, previousRect, currentRect }) =>
        (node?.className || node?.nodeName) + ' from ' + Math.round(previousRect.x) + ',' + Math.round(previousRect.y) +
        ' to ' + Math.round(currentRect.x) + ',' + Math.round(currentRect.y))
      globalThis.shifts.push(entry.value.toFixed(4) + ' ' + what.join('; '))
    }
  }).observe({ type: 'layout-shift', buffered: true })`

const pollMs = 20
const patienceMs = 30_000

export async function openScreen(
  browser: TestBrowser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Screen> {
  const { page, context, troubles } = await openPage(browser, options)
  await page.addInitScript({ content: observeShifts })
  async function settle(): Promise<void> {
    const until = Date.now() + patienceMs
    await page.locator('h1').first().waitFor({ state: 'attached' })
    // Twice in a row, because one answer may be the question of the next.
    for (let quiet = 0; quiet < 2; ) {
      if (Date.now() > until) throw new Error(`still loading: ${page.url()}`)
      const busy = await page.locator('main :is(.skeleton, [aria-busy="true"])').count()
      quiet = busy === 0 ? quiet + 1 : 0
      await page.waitForTimeout(pollMs)
    }
  }
  return {
    page,
    settle,
    async go(address) {
      // The same page at another address would not be loaded again.
      if (page.url() !== 'about:blank') await page.goto('about:blank')
      await page.goto(`${origin}/${address}`)
      await settle()
    },
    async follow(address) {
      // The view before is off the screen once two frames were drawn.
      await page.evaluate(`new Promise((done) => {
        location.hash = ${JSON.stringify(address)}
        requestAnimationFrame(() => requestAnimationFrame(done))
      })`)
      await settle()
    },
    async shifts() {
      return page.evaluate<string[]>('globalThis.shifts.splice(0)')
    },
    async troubles() {
      return [...troubles, ...(await policyViolations(page))]
    },
    close: () => context.close(),
  }
}
