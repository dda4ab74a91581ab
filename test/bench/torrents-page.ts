/**
 * `npm run bench -- torrents-page`: how soon the page is painted and the list of very many torrents can be used, how
 * smoothly it is scrolled, and what the page keeps, in a whole browser against the whole service, while some of the torrents move with every read.
 */
import type { Browser, Page } from 'playwright-core'
import { launchChromium, openPage } from '../support/chromium.ts'
import { ownerOf, startWharf, temporaryFolder } from '../support/running-wharf.ts'
import { startStandInQbittorrent } from '../support/stand-in-downloaders.ts'
import { median } from './load.ts'

const counts = [5_000, 20_000]
const rounds = Number(process.env['WHARF_BENCH_ROUNDS'] ?? 9)
const wantedMs = 150
const wantedTaskMs = 50
const wantedPaintMs = 200
const wantedBytes = 120 * 1024 * 1024
const readyMs = 60_000

/** Rows stand, they were drawn, and the page has time for the next key. */
const follow = `(() => {
  const began = performance.now()
  location.hash = '#/torrents'
  return new Promise((done) => {
    const look = () => {
      if (document.querySelector('table.torrents .row-open') !== null)
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)))
      else requestAnimationFrame(look)
    }
    look()
  })
})()`

interface Cookie {
  readonly name: string
  readonly value: string
  readonly url: string
}

interface Task {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
}

/**
 * The tasks of the page's own thread while something is done to it. A busy machine gives it a part of a core: what
 * counts is what a core does, which is `tdur`.
 */
async function tasksOf<T>(
  browser: Browser,
  page: Page,
  act: () => Promise<T>,
): Promise<{ result: T; cpuMs: number[] }> {
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'blink.user_timing'] })
  await page.evaluate(`performance.mark('bench-begins')`)
  const result = await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: Task[] }
  const begins = traceEvents.find(({ name }) => name === 'bench-begins')
  if (begins === undefined) throw new Error('the trace does not hold what was done')
  const tasks = traceEvents.filter(
    ({ name, pid, tid, ts }) => /RunTask$/.test(name) && pid === begins.pid && tid === begins.tid && ts >= begins.ts,
  )
  return { result, cpuMs: tasks.map(({ dur = 0, tdur = dur }) => tdur / 1000) }
}

/** Half a screen a frame, as a wheel does it, then to places far apart, as the bar does. */
const scroll = `(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  for (let step = 0; step < 120; step += 1) {
    scrollBy(0, innerHeight / 2)
    await frame()
  }
  for (let step = 1; step <= 20; step += 1) {
    scrollTo(0, ((step * 7) % 20) / 20 * document.documentElement.scrollHeight)
    for (let each = 0; each < 6; each += 1) await frame()
  }
})()`

/** In a browser that has nothing of it yet. */
async function firstPaintMs(browser: Browser, origin: string, cookie: Cookie): Promise<number> {
  const { page, context } = await openPage(browser)
  await context.addCookies([cookie])
  await page.goto(`${origin}/#/torrents`)
  const paintedMs = await page.evaluate<number>(`new Promise((done) =>
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') done(startTime)
    }).observe({ type: 'paint', buffered: true }))`)
  await context.close()
  return paintedMs
}

async function leave(page: Page): Promise<void> {
  await page.evaluate(`location.hash = '#/more'`)
  await page.locator('.more').first().waitFor()
}

async function bytesKept(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
}

async function bench(count: number): Promise<boolean> {
  const folder = temporaryFolder()
  const downloader = await startStandInQbittorrent('5.2')
  downloader.fill(count)
  downloader.churn(count / 200)
  const wharf = await startWharf(folder.path)
  const browser = await launchChromium()
  try {
    const owner = await ownerOf(wharf)
    const { kind: type, baseUrl: address, username, password } = downloader.settings
    const settings = { name: 'nas', type, address, username, password, enabled: true, default: true }
    const added = await wharf.request('POST', '/api/console/v1/downloaders', owner, settings)
    if (added.status !== 200) throw new Error(added.text)
    const { page, context } = await openPage(browser)
    const [name = '', value = ''] = (owner['cookie'] ?? '').split(/=(.*)/s)
    const cookie = { name, value, url: wharf.origin }
    await context.addCookies([cookie])
    await page.goto(`${wharf.origin}/#/torrents`)
    await page.locator('table.torrents .row-open').first().waitFor({ timeout: readyMs })
    const openedMs: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      await leave(page)
      openedMs.push(await page.evaluate<number>(follow))
    }
    await leave(page)
    const opening = await tasksOf(browser, page, () => page.evaluate<number>(follow))
    const cpuMs = opening.cpuMs.reduce((sum, one) => sum + one, 0)
    const scrolling = await tasksOf(browser, page, () => page.evaluate(scroll))
    const longestMs = Math.max(0, ...scrolling.cpuMs)
    const bytes = await bytesKept(page)
    const usedMs = median(openedMs)
    const paintsMs: number[] = []
    for (let round = 0; round < rounds; round += 1) paintsMs.push(await firstPaintMs(browser, wharf.origin, cookie))
    const paintMs = median(paintsMs)
    console.log(
      `${count} torrents: can be used after ${usedMs.toFixed(0)} ms (median of ${rounds}, wanted ${wantedMs}), of them ` +
        `${cpuMs.toFixed(0)} ms of the page's processor; longest of ${scrolling.cpuMs.length} tasks while scrolling ` +
        `${longestMs.toFixed(1)} ms of processor (wanted ${wantedTaskMs}), ` +
        `${(bytes / 1024 / 1024).toFixed(1)} MiB kept (wanted ${wantedBytes / 1024 / 1024}); first paint after ` +
        `${paintMs.toFixed(0)} ms (wanted ${wantedPaintMs})`,
    )
    return usedMs <= wantedMs && longestMs <= wantedTaskMs && bytes <= wantedBytes && paintMs <= wantedPaintMs
  } finally {
    await browser.close()
    await wharf.stop()
    await downloader.dispose()
    folder.remove()
  }
}

for (const count of counts) if (!(await bench(count))) process.exitCode = 1
