/** A real Chromium without network of its own, and pages that remember everything that went wrong in them. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { judgeColoursOnce } from './axe-colours.ts'
import { requireReal } from './real-parts.ts'

export const chromiumPart = requireReal('chromium')

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Pages of one context share a process: each of its own would compile the same scripts anew. */
const oneForAll = ['--renderer-process-limit=1']

/** The whole browser, as people have it: for what they do from beginning to end, for pictures and for measuring. */
export function launchChromium(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPart.path, args: [...quiet, ...more] })
}

/** What a test has of a browser. */
export type TestBrowser = Pick<Browser, 'newContext' | 'close'>

let shell: Browser | undefined

async function startShell(): Promise<Browser> {
  const found = requireReal('chromium-headless-shell', { PATH: process.env['PATH'] })
  // The runner ends its processes by this signal; the browser is ended by the exit.
  process.once('SIGTERM', () => process.exit())
  return chromium.launch({
    executablePath: found.isMissing ? chromiumPart.path : found.path,
    args: [...quiet, ...oneForAll],
    handleSIGTERM: false,
  })
}

/**
 * The same engine of the same version without the browser around it, for tests that open many pages: a page costs it a
 * fifth of the processor. Where it is not installed the whole browser does the same. All files of a process have the same
 * one, and each has contexts of its own, which end when it closes what it was given.
 */
export async function launchChromiumShell(): Promise<TestBrowser> {
  if (shell?.isConnected() !== true) shell = await startShell()
  const browser = shell
  const contexts: BrowserContext[] = []
  return {
    async newContext(options) {
      const context = await browser.newContext(options)
      contexts.push(context)
      return context
    },
    async close() {
      judgedKinds.clear()
      await Promise.all(contexts.map((context) => context.close()))
    },
  }
}

export interface WatchedPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Console errors, uncaught exceptions, dialogs and policy violations. */
  readonly troubles: string[]
}

export async function openPage(browser: TestBrowser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    ...options,
  })
  return openPageIn(context)
}

export async function openPageIn(context: BrowserContext): Promise<WatchedPage> {
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    const text = message.text()
    // An answer that is no 2xx is logged by the browser itself; whether it was due is the test's to say.
    if (text.startsWith('Failed to load resource')) return
    troubles.push(`console: ${text}`)
  })
  page.on('pageerror', (error) => troubles.push(`exception: ${error.message}`))
  page.on('dialog', (dialog) => {
    // A form that was typed into asks before its page goes: the next one is opened all the same.
    if (dialog.type() === 'beforeunload') return void dialog.accept()
    troubles.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.addInitScript({
    content: `globalThis.policyViolations = []
      addEventListener('securitypolicyviolation', (event) =>
        globalThis.policyViolations.push(event.effectiveDirective + ' ' + event.blockedURI))`,
  })
  return { page, context, troubles }
}

export function policyViolations(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('globalThis.policyViolations')
}

/**
 * Until the page's helper answers for it. The runner's own way to wait for something within a page looks again by `eval`,
 * which the policy of our pages forbids.
 */
export function takenOver(page: Page): Promise<void> {
  return page.evaluate(`(async ({ serviceWorker: helper }) => {
    await helper.ready
    if (helper.controller === null)
      await new Promise((taken) => helper.addEventListener('controllerchange', taken, { once: true }))
  })(navigator)`)
}

/** Pixels by which what is on the page is wider than its window. */
export const overBy = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

/** Boxes to tick, and round ones, that do not stand beside the first line of their words. */
const boxesOffLine = `((spread) => {
  const middle = ({ top, bottom }) => (top + bottom) / 2
  return [...document.querySelectorAll('label > :is([type=checkbox], [type=radio])')].flatMap((box) => {
    const range = document.createRange()
    range.setStartAfter(box)
    range.setEndAfter(box.parentElement.lastChild)
    const lines = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
    if (lines.length === 0) return []
    const top = Math.min(...lines.map(({ top }) => top))
    const first = lines.filter((line) => line.top < top + 1).sort((a, b) => a.height - b.height)[0]
    const off = middle(box.getBoundingClientRect()) - middle(first)
    return Math.abs(off) <= spread ? [] : [box.parentElement.textContent.slice(0, 40) + ': ' + off.toFixed(1) + ' px off']
  })
})`
const boxSpreadPx = 4

export const misplacedBoxes = (page: Page) => page.evaluate<string[]>(`${boxesOffLine}(${boxSpreadPx})`)

interface Finding {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
}

const require = createRequire(import.meta.url)

/** The minified one: the page parses it anew each time, and the other is more than twice as long. */
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** All rules but these look at the same things in every theme. */
export const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** Of texts whose colours can be told apart, by every page of a file's tests: they are all of one build. */
const judgedKinds = new Set<string>()

/** What axe-core finds, one line each. Evaluated from outside, so the page's policy stays as it is. */
export async function axeFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) }
  const isThere = await page.evaluate<boolean>(`'axeOnce' in globalThis`)
  if (!isThere) await page.evaluate(`${axeSource};${judgeColoursOnce}`)
  const { violations, kinds } = await page.evaluate<{ violations: readonly Finding[]; kinds: readonly string[] }>(
    `axeOnce(${JSON.stringify(isThere ? [] : [...judgedKinds])}, ${JSON.stringify(options)})`,
  )
  for (const kind of kinds) judgedKinds.add(kind)
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}; ${nodes.map((node) => `${node.target.join(' ')} (${node.failureSummary})`).join(' | ')}`,
  )
}
