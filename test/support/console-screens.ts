/** The console's screens in Chromium against a stand-in server, for the tests of the block that asks for them. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { buildConsole } from './built-console.ts'
import { launchChromium, openPage, type WatchedPage } from './chromium.ts'
import { inventedLibrary } from './invented-library.ts'
import { StandInConsole, type StandInState } from './stand-in-console.ts'

/** `now` in the data, in Unix seconds. */
export const now = Math.floor(Date.now() / 1000)

export interface ConsoleScreen {
  readonly page: Page
  readonly standIn: StandInConsole
  /** Errors and exceptions of the page so far. */
  readonly troubles: string[]
}

export type OpenScreen = (
  hash: string,
  state?: Partial<StandInState>,
  options?: BrowserContextOptions,
  /** Before the address is visited. */
  before?: (standIn: StandInConsole, page: Page) => unknown,
) => Promise<ConsoleScreen>

/** One screen at a time: opening the next closes the last, and so does the end of the test. */
export function consoleScreens(): OpenScreen {
  let browser: Browser
  let server: StandInConsole | undefined
  let watched: WatchedPage | undefined

  async function close(): Promise<void> {
    await watched?.context.close()
    await server?.stop()
    watched = undefined
    server = undefined
  }

  beforeAll(async () => {
    buildConsole()
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser.close()
  })
  afterEach(close)

  return async function open(hash, state = {}, options = {}, before = () => undefined) {
    await close()
    const standIn = new StandInConsole({ ...inventedLibrary(now), ...state })
    server = standIn
    await standIn.start()
    watched = await openPage(browser, options)
    const { page, troubles } = watched
    await before(standIn, page)
    await page.goto(`${standIn.origin}/${hash}`)
    return { page, standIn, troubles }
  }
}
