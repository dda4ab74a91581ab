/** The console's screens in Chromium against a stand-in server, for the tests of the block that asks for them. */
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { launchChromiumShell, openPage, openPageIn, type TestBrowser, type WatchedPage } from './chromium.ts'
import { inventedLibrary } from './invented-library.ts'
import { StandInConsole, StandInDoor, type StandInState } from './stand-in-console.ts'

const nowUnix = () => Math.floor(Date.now() / 1000)

/** `now` in the data, in Unix seconds: of the file whose tests run, as the pages tell from it how long something takes. */
export let now = nowUnix()

/** Before a file is loaded, in whose process others ran before. */
export function takeNow(): void {
  now = nowUnix()
}

const { torrents: [torrent] = [], gateway } = inventedLibrary(now)
const gatewayKey = gateway?.keys.items[0]

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
  ['#/gateway', 'table.gkeys'],
  ['#/gateway/new', '.su-form'],
  ['#/gateway/routes', '.rtd'],
  [`#/gateway/${gatewayKey?.id}`, '.figures'],
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

/** Longer than any of them takes on a machine whose cores are shared. */
const followMsMax = 30_000
const lookEveryMs = 5

/** What `follow` does within the page: asked for from outside, each look would be a message to the page and one back. */
const following = `(async ([between, there, hash, ready]) => {
  const lastMs = performance.now() + ${followMsMax}
  const first = (selector) => document.querySelector(selector)
  const isShown = (selector) => first(selector)?.checkVisibility({ visibilityProperty: true }) === true
  const until = async (isSo, what) => {
    while (!isSo()) {
      if (performance.now() > lastMs) throw new Error('the way to ' + hash + ' ends before ' + what)
      await new Promise((resolve) => setTimeout(resolve, ${lookEveryMs}))
    }
  }
  location.hash = between
  await until(() => isShown(there), there + ' on the way')
  location.hash = hash
  await until(() => first(there) === null, 'another screen')
  await until(() => isShown(ready), ready)
})`

/**
 * Leads the page from any screen to another as a link does. It goes by way of one that has nothing of its own to load, so
 * that nothing of the screen before is taken for this one.
 */
export async function follow(page: Page, hash: string, ready = 'h1'): Promise<void> {
  const between = hash === '#/more' ? ['#/welcome', '.su-form'] : ['#/more', '.more']
  await page.evaluate(`${following}(${JSON.stringify([...between, hash, ready])})`)
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

const withClock = new WeakSet<BrowserContext>()

/** A clock that the test moves. It belongs to the context, which serves no other test then. */
export function installClock(page: Page, time?: number): Promise<void> {
  withClock.add(page.context())
  return page.clock.install(time === undefined ? {} : { time })
}

/**
 * One screen at a time: opening the next closes the last, and so does the end of the test. The site and what the browser
 * compiled of it stay: each test has a page of its own without storage, cookies or scripts of the one before. The
 * browser never rests, which is when the page fetches its other screens and its helper: `rests` is for tests of these.
 */
export function consoleScreens({ rests = false } = {}): OpenScreen {
  const door = new StandInDoor()
  let browser: TestBrowser
  let standIn: StandInConsole | undefined
  let watched: (WatchedPage & { readonly asked: string }) | undefined

  async function close(): Promise<void> {
    if (rests || (watched !== undefined && withClock.has(watched.context))) await leaveContext()
    else if (watched !== undefined) watched = { ...(await nextPage(watched)), asked: watched.asked }
    await standIn?.stop()
    standIn = undefined
  }

  async function leaveContext(): Promise<void> {
    await watched?.context.close()
    watched = undefined
  }

  /** In this order, because the last page of a site takes along what was compiled for it. */
  async function nextPage({ context }: WatchedPage): Promise<WatchedPage> {
    const before = context.pages()
    const next = await openPageIn(context)
    await Promise.all(before.map((page) => page.close()))
    await context.clearCookies()
    const storage = await context.newCDPSession(next.page)
    await storage.send('Storage.clearDataForOrigin', { origin: door.origin, storageTypes: 'all' })
    await storage.detach()
    return next
  }

  async function pageFor(options: BrowserContextOptions): Promise<WatchedPage> {
    const asked = JSON.stringify(options)
    if (watched?.asked !== asked) {
      await leaveContext()
      watched = { ...(await openPage(browser, options)), asked }
    }
    if (!rests) await watched.page.addInitScript({ content: 'globalThis.requestIdleCallback = () => 0' })
    return watched
  }

  beforeAll(async () => {
    ;[browser] = await Promise.all([launchChromiumShell(), door.open()])
  })
  afterAll(async () => {
    await leaveContext()
    await browser?.close()
    await door.close()
  })
  afterEach(close)

  return async function open(hash, state = {}, options = {}, before = () => undefined) {
    // The one before is this test's own.
    if (standIn !== undefined) await close()
    standIn = new StandInConsole({ ...inventedLibrary(now), ...state })
    await standIn.start(door)
    const { page, troubles } = await pageFor(options)
    await before(standIn, page)
    await page.goto(`${standIn.origin}/${hash}`)
    return { page, standIn, troubles }
  }
}
