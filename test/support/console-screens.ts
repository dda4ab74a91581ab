/** The console's screens in Chromium against a stand-in server, for the tests of the block that asks for them. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { launchChromiumShell, openPage, type WatchedPage } from './chromium.ts'
import { inventedLibrary } from './invented-library.ts'
import { StandInConsole, type StandInState } from './stand-in-console.ts'

/** `now` in the data, in Unix seconds. */
export const now = Math.floor(Date.now() / 1000)

const [torrent] = inventedLibrary(now).torrents ?? []

/** The address of each screen, and what is there once it shows its matter. */
export const everyScreen = [
  ['#/overview', '.figures'],
  ['#/sites', 'table.sites'],
  ['#/sites/2', '.figures'],
  ['#/sites/1', '.site-jobs'],
  ['#/sites/2/edit', '.su-form'],
  ['#/sites/new', '.choices'],
  ['#/sites/new?kind=gazelle', '.su-form'],
  ['#/search?q=Salt', 'table.results'],
  ['#/explore', '.posters'],
  ['#/explore?kind=tv&q=salt', '.posters'],
  ['#/library', 'table.media'],
  ['#/library/1', '.su-form'],
  ['#/subscriptions', '.sublist li'],
  ['#/subscriptions/11', '.eps'],
  ['#/watchlists', '.watched'],
  ['#/watchlists/1', '.su-form'],
  ['#/watchlists/new', '.su-form'],
  ['#/profiles', '.profiles'],
  ['#/profiles/2', '.ranked'],
  ['#/tasks', 'table.tasks'],
  ['#/brush', '.brush'],
  ['#/brush/1', '.brushed'],
  ['#/brush/new', '.su-form'],
  ['#/feeds', '.feeds'],
  ['#/feeds/1', '.su-form'],
  ['#/feeds/new', '.su-form'],
  ['#/rules/1', '.conditions'],
  ['#/rules/new', '.conditions'],
  ['#/ends', '.rules'],
  ['#/reseed', '.reseeds'],
  ['#/transfers', '.transfers'],
  ['#/library/new', '.su-form'],
  ['#/profiles/new', '.ranked'],
  ['#/jobs', 'table.jobs'],
  ['#/assistant', '.convs a'],
  ['#/assistant/new', '.composer'],
  ['#/assistant/sites', '.ask'],
  ['#/more', '.more'],
  ['#/torrents', 'table.torrents'],
  ...['files', 'peers', 'trackers', 'speed', 'history'].map(
    (part) => [`#/torrents/${torrent?.downloader_id}/${torrent?.task_id}?part=${part}`, '.tabs'] as const,
  ),
  ['#/downloaders', '.dls'],
  ['#/downloaders/1', '.su-form'],
  ['#/downloaders/new', '.su-form'],
  ['#/templates', '.evs'],
  ['#/templates/rss.matched', '.editor'],
  ['#/channels', '.channels'],
  ['#/channels/2', '.su-form'],
  ['#/channels/new', '.su-form'],
  ['#/tokens', 'table.tokens'],
  ['#/devices', 'table.devices'],
  ['#/log', 'table.log'],
  ['#/backups', 'table.backups'],
  ['#/settings', '.releases'],
  ['#/welcome', '.su-form'],
] as const

/**
 * Leads the page from any screen to another as a link does. It goes by way of one that has nothing of its own to load, so
 * that nothing of the screen before is taken for this one.
 */
export async function follow(page: Page, hash: string, ready = 'h1'): Promise<void> {
  const [between, there] = hash === '#/more' ? ['#/welcome', '.su-form'] : ['#/more', '.more']
  await page.evaluate(`location.hash = ${JSON.stringify(between)}`)
  await page.locator(there).first().waitFor()
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await page.locator(there).first().waitFor({ state: 'detached' })
  await page.locator(ready).first().waitFor()
}

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

/**
 * One screen at a time: opening the next closes the last, and so does the end of the test. A block whose tests leave
 * nothing behind in the browser may keep the page: a server of its own is another origin, so storage is empty for each,
 * and what the browser has compiled is there already.
 */
export function consoleScreens({ isPageKept = false } = {}): OpenScreen {
  let browser: Browser
  let server: StandInConsole | undefined
  let watched: (WatchedPage & { readonly asked: string }) | undefined

  async function close(): Promise<void> {
    if (!isPageKept) await leavePage()
    await server?.stop()
    server = undefined
  }

  async function leavePage(): Promise<void> {
    await watched?.context.close()
    watched = undefined
  }

  /** Empty and at no address, as a new one is. */
  async function pageFor(options: BrowserContextOptions): Promise<WatchedPage> {
    const asked = JSON.stringify(options)
    if (watched?.asked !== asked) {
      await leavePage()
      watched = { ...(await openPage(browser, options)), asked }
    } else {
      await watched.page.goto('about:blank')
      await watched.context.clearCookies()
      watched.troubles.length = 0
    }
    return watched
  }

  beforeAll(async () => {
    browser = await launchChromiumShell()
  })
  afterAll(async () => {
    await leavePage()
    await browser.close()
  })
  afterEach(close)

  return async function open(hash, state = {}, options = {}, before = () => undefined) {
    await close()
    const standIn = new StandInConsole({ ...inventedLibrary(now), ...state })
    server = standIn
    await standIn.start()
    const { page, troubles } = await pageFor(options)
    await before(standIn, page)
    await page.goto(`${standIn.origin}/${hash}`)
    return { page, standIn, troubles }
  }
}
