/** How long a view of the viewer's page takes until it can be used, and what the time went into. */
import type { Browser, Page } from 'playwright-core'

/**
 * A view is interactive once its heading stands, nothing on it is loading, that has been drawn, and the page has time
 * for the reader's next key. The promise is made when the clock starts and holds that moment in ms.
 */
const watchView = `globalThis.interactive = (began) => new Promise((done) => {
  const look = () => {
    const isThere = performance.now() - began > 1 && document.querySelector('h1') !== null &&
      document.querySelector('main') !== null && document.querySelector('main :is(.skeleton, [aria-busy="true"])') === null
    if (isThere) requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)))
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})`

const screen = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const

/** A page of its own each time: nothing is remembered but what the server keeps. */
async function withPage<T>(browser: Browser, act: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext(screen)
  const page = await context.newPage()
  await page.addInitScript({ content: watchView })
  try {
    return await act(page)
  } finally {
    await context.close()
  }
}

/** A list without rows, so that hardly anything of the view before is in the way of the next. */
async function openQuietView(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/#/trails/none`)
  await page.evaluate('interactive(0)')
}

const follow = (view: string): string => `(() => {
  const began = performance.now()
  location.hash = ${JSON.stringify(view)}
  return interactive(began)
})()`

/** From the click on a link in a page that is at rest. */
export function followedMs(browser: Browser, address: string, view: string): Promise<number> {
  return withPage(browser, async (page) => {
    await openQuietView(page, address)
    return page.evaluate<number>(follow(view))
  })
}

/** From the address bar, with nothing of the page in any cache. */
export function openedMs(browser: Browser, address: string, view: string): Promise<number> {
  return withPage(browser, async (page) => {
    await page.goto(`${address}/${view}`)
    return page.evaluate<number>('interactive(0)')
  })
}

export interface ViewSplit {
  /** Wall time in which at least one answer was due, and of that the time in which bytes were coming in. */
  readonly answersMs: number
  readonly transferMs: number
  readonly answers: number
  readonly answerBytes: number
  /** Processor time of the page's main thread until interactive. */
  readonly scriptMs: number
  readonly layoutMs: number
  readonly paintMs: number
  readonly elements: number
  /** The longest the page keeps a key waiting in the second after. */
  readonly longestAfterMs: number
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly pid: number
  readonly tid: number
}

const layoutEvents = new Set(['Layout', 'UpdateLayoutTree'])
const paintEvents = new Set(['PrePaint', 'Paint', 'Layerize', 'Commit'])
const scriptEvents = new Set(['FunctionCall', 'EvaluateScript', 'RunMicrotasks', 'EventDispatch', 'TimerFire'])

/** Time of the outermost events of a kind, less what lies within them and is of another kind that is counted itself. */
function cpuMs(events: readonly TraceEvent[], kind: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let end = -1
  let sum = 0
  for (const event of events) {
    const { ts, dur = 0, tdur = dur } = event
    if (kind.has(event.name) && ts >= end) {
      end = ts + dur
      sum += tdur
    } else if (others.has(event.name) && ts < end) sum -= tdur
  }
  return sum / 1000
}

function unionMs(spans: readonly (readonly [number, number])[]): number {
  let end = 0
  let sum = 0
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    sum += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return sum
}

interface Asked {
  readonly began: number
  readonly answered: number
  readonly ended: number
  readonly bytes: number
}

/** What following a link costs, by where the time goes. Recording it slows the page, so its times are not the ones above. */
export async function splitOf(browser: Browser, address: string, view: string): Promise<ViewSplit> {
  return withPage(browser, async (page) => {
    await openQuietView(page, address)
    await page.evaluate(`performance.clearResourceTimings()
      globalThis.longest = 0`)
    await browser.startTracing(page, { categories: ['devtools.timeline', 'toplevel', 'blink.user_timing'] })
    await page.evaluate(`performance.mark('view-begins')`)
    await page.evaluate(follow(view))
    await page.evaluate(`performance.mark('view-ends')`)
    const asked = await page.evaluate<readonly Asked[]>(
      `performance.getEntriesByType('resource').filter((one) => one.name.includes('/api/')).map((one) =>
        ({ began: one.startTime, answered: one.responseStart, ended: one.responseEnd, bytes: one.encodedBodySize }))`,
    )
    await page.evaluate(`new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration)
    }).observe({ type: 'longtask' })`)
    const elements = await page.evaluate<number>("document.querySelectorAll('*').length")
    await page.waitForTimeout(1000)
    const longestAfterMs = await page.evaluate<number>('globalThis.longest')
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
    const begins = traceEvents.find((event) => event.name === 'view-begins')
    const ends = traceEvents.find((event) => event.name === 'view-ends')
    if (begins === undefined || ends === undefined) throw new Error('the trace does not hold the view')
    const own = traceEvents
      .filter(({ ph, pid, tid, ts }) => ph === 'X' && pid === begins.pid && tid === begins.tid && ts >= begins.ts)
      .filter(({ ts }) => ts <= ends.ts)
      .toSorted((a, b) => a.ts - b.ts)
    return {
      answersMs: unionMs(asked.map(({ began, ended }) => [began, ended])),
      transferMs: unionMs(asked.map(({ answered, ended }) => [answered, ended])),
      answers: asked.length,
      answerBytes: asked.reduce((sum, one) => sum + one.bytes, 0),
      scriptMs: cpuMs(own, scriptEvents, layoutEvents),
      layoutMs: cpuMs(own, layoutEvents, new Set()),
      paintMs: cpuMs(own, paintEvents, new Set()),
      elements,
      longestAfterMs,
    }
  })
}
