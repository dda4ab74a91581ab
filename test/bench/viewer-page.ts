/** The viewer's page: how much of it there is, how soon it paints, how soon each view can be used on a large index. */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { href } from '../../local/viewer/web/model/address.ts'
import { launchChromium } from '../support/chromium.ts'
import { serveRealProject } from '../support/real-project.ts'

const built = path.resolve(import.meta.dirname, '../../dist/web/viewer')
const rounds = Number(process.env['WHARF_BENCH_ROUNDS'] ?? 11)

const kibibytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`
const gzipped = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(path.join(built, 'assets', file))).length, 0)

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Scripts that the first page cannot do without: those its document and its first module name. */
async function firstScripts(browser: Browser, address: string): Promise<string[]> {
  const page = await browser.newPage()
  await page.addInitScript({ content: 'globalThis.requestIdleCallback = () => 0' })
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/assets/')) asked.push(path.basename(new URL(request.url()).pathname))
  })
  await page.goto(address)
  await page.getByRole('heading', { name: 'Most depended on' }).waitFor()
  await page.close()
  return asked.filter((name) => name.endsWith('.js'))
}

async function firstPaint(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(address)
  const paint = await page.evaluate<number>(
    "new Promise((done) => new PerformanceObserver((list) => { for (const one of list.getEntries()) if (one.name === 'first-contentful-paint') done(one.startTime) }).observe({ type: 'paint', buffered: true }))",
  )
  await context.close()
  return paint
}

/** From the new address to a view that has all it shows and has been drawn. */
function timeOf(page: Page, address: string): Promise<number> {
  return page.evaluate<number>(`new Promise((done) => {
    const began = performance.now()
    location.hash = ${JSON.stringify(address)}
    const look = () => {
      const isThere = document.querySelector('main :is(.bones, [aria-busy="true"])') === null && document.querySelector('h1') !== null
      if (isThere && performance.now() - began > 1) requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)))
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })`)
}

const scripts = readdirSync(path.join(built, 'assets')).filter((name) => name.endsWith('.js'))
const styles = readdirSync(path.join(built, 'assets')).filter((name) => name.endsWith('.css'))
const project = await serveRealProject('openai')
const blank = createServer((_, response) => response.end('<!doctype html><title>blank</title><p>word'))
await new Promise<void>((done) => blank.listen(0, '127.0.0.1', done))
const browser = await launchChromium()
const { address } = project.viewer.running
try {
  const first = await firstScripts(browser, address)
  console.log(`scripts of the first page, gzip:          ${kibibytes(gzipped(first))} in ${first.length} files`)
  for (const language of ['english', 'chinese']) {
    const other = language === 'english' ? 'chinese-' : 'english-'
    const all = scripts.filter((name) => !name.startsWith(other))
    console.log(`scripts of all views, ${language}, gzip: ${kibibytes(gzipped(all))} in ${all.length} files`)
  }
  console.log(`styles of all views, gzip:                ${kibibytes(gzipped(styles))}`)

  const floor = []
  const paints = []
  for (let round = 0; round < rounds; round += 1) {
    floor.push(await firstPaint(browser, `http://127.0.0.1:${(blank.address() as AddressInfo).port}/`))
    paints.push(await firstPaint(browser, address))
  }
  console.log(
    `first contentful paint, cold cache, median of ${rounds}: ${median(paints).toFixed(0)} ms (a page of one word on this machine: ${median(floor).toFixed(0)} ms)`,
  )

  const { body: stats } = await project.viewer.get('/api/stats')
  const { body: entries } = await project.viewer.get('/api/entrypoints')
  const [hub, other] = entries.hubs.items
  const { body: node } = await project.viewer.get(`/api/node/${encodeURIComponent(hub.id)}`)
  const views: readonly (readonly [string, string])[] = [
    ['search', href('home', '', { q: 'create' })],
    ['symbol, a hub', href('symbol', hub.id)],
    ['symbol, a large class', href('symbol', other.id)],
    ['file', href('file', hub.file)],
    ['file, 3,000 lines', href('file', 'src/client.ts')],
    ['flow', href('flow', '', { from: node.incoming.items[0].node.name, to: hub.name })],
    ['map', href('map')],
    ['entry points', href('entries')],
    ['dead code', href('dead')],
    ['routes', href('routes')],
    ['trails', href('trails')],
  ]
  console.log(
    `views of ${stats.project.name}: ${stats.graph.files} files, ${stats.graph.nodes} symbols; interactive after`,
  )
  for (const [title, view] of views) {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      // A page of its own each time: nothing is remembered but what the server keeps.
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
      const page = await context.newPage()
      await page.goto(`${address}/#/trails/none`)
      times.push(await timeOf(page, view))
      await context.close()
    }
    console.log(`  ${title.padEnd(24)} median ${median(times).toFixed(0)} ms, first ${times[0]?.toFixed(0)} ms`)
  }
} finally {
  await browser.close()
  blank.close()
  await project.dispose()
}
