/**
 * The viewer's page: how much of it there is, how soon it paints, and how soon each view can be used. The views are those
 * of an index of about 150,000 lines, which is what the target speaks of, and of one three times as large. The viewer
 * runs in a process of its own, as it does for a reader: in this one it would wait for the driver of the browser.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { href } from '../../local/viewer/web/model/address.ts'
import { launchChromium } from '../support/chromium.ts'
import { indexedPackage } from '../support/indexed-package.ts'
import { followedMs, openedMs, splitOf, type ViewSplit } from '../support/view-times.ts'

const repository = path.resolve(import.meta.dirname, '../..')
const built = path.join(repository, 'dist/web/viewer')
const rounds = Number(process.env['WHARF_BENCH_ROUNDS'] ?? 11)
/** Recording what the time goes into is slow; it is done less often. */
const splitRounds = 3

const indexes = [
  { name: 'zod', longFile: 'src/v4/core/schemas.ts', lines: '158,000 lines' },
  { name: 'openai', longFile: 'src/client.ts', lines: '459,000 lines' },
] as const

const kibibytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`
const gzipped = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(path.join(built, 'assets', file))).length, 0)

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

interface ViewerProcess {
  readonly address: string
  stop(): Promise<void>
}

async function startViewer(root: string): Promise<ViewerProcess> {
  const args = [path.join(repository, 'bin/indexer.mjs'), 'ui', root, '--no-open', '--port', '0']
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, VIEWER_UI: '1', VIEWER_NO_PROVE: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let told = ''
  for await (const piece of child.stdout ?? []) {
    told += String(piece)
    const [address] = /http:\/\/\S+/.exec(told) ?? []
    if (address === undefined) continue
    return {
      address: address.replace(/\/$/, ''),
      async stop() {
        child.kill('SIGTERM')
        if (child.exitCode === null) await once(child, 'exit')
      },
    }
  }
  throw new Error(`the viewer did not start: ${told}`)
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

// biome-ignore lint/suspicious/noExplicitAny: answers are read for what they name
async function answerOf(address: string, target: string): Promise<any> {
  return (await fetch(`${address}/api/${target}`)).json()
}

async function viewsOf(address: string, longFile: string): Promise<readonly (readonly [string, string])[]> {
  const { hubs } = await answerOf(address, 'entrypoints')
  const { results } = await answerOf(address, 'search?q=kind:class&limit=200')
  const [hub, secondHub] = hubs.items
  const largest = results.items.toSorted((a: Range, b: Range) => b.endLine - b.line - (a.endLine - a.line))[0]
  const { incoming } = await answerOf(address, `node/${encodeURIComponent(hub.id)}`)
  return [
    ['home', href('home')],
    ['search', href('home', '', { q: 'create' })],
    ['symbol, a hub', href('symbol', hub.id)],
    ['symbol, the second hub', href('symbol', secondHub.id)],
    ['symbol, the longest class', href('symbol', largest.id)],
    ['file', href('file', hub.file)],
    ['file, a long one', href('file', longFile)],
    ['flow', href('flow', '', { from: incoming.items[0].node.name, to: hub.name })],
    ['map', href('map')],
    ['entry points', href('entries')],
    ['dead code', href('dead')],
    ['routes', href('routes')],
    ['trails', href('trails')],
  ]
}

interface Range {
  readonly line: number
  readonly endLine: number
}

function printSplit(splits: readonly ViewSplit[]): string {
  const of = (part: keyof ViewSplit): number => median(splits.map((one) => one[part]))
  const ms = (part: keyof ViewSplit): string => of(part).toFixed(0).padStart(5)
  return [
    ms('answersMs'),
    ms('transferMs'),
    ` ${of('answers')}/${kibibytes(of('answerBytes'))}`.padEnd(14),
    ms('scriptMs'),
    ms('layoutMs'),
    ms('paintMs'),
    ms('elements'),
    ms('longestAfterMs'),
  ].join(' ')
}

async function printViews(browser: Browser, { name, longFile, lines }: (typeof indexes)[number]): Promise<void> {
  const project = await indexedPackage(name)
  const viewer = await startViewer(project.root)
  const { address } = viewer
  try {
    const { graph } = await answerOf(address, 'stats')
    console.log(`\nviews of ${name}: ${lines}, ${graph.files} files, ${graph.nodes} symbols`)
    console.log('interactive after, ms:          followed  (first)  opened | answers, of that transfer, count/size;')
    console.log(
      '                                                          | script, layout, paint, elements, longest after',
    )
    for (const [title, view] of await viewsOf(address, longFile)) {
      const followed: number[] = []
      const opened: number[] = []
      const splits: ViewSplit[] = []
      for (let round = 0; round < rounds; round += 1) {
        followed.push(await followedMs(browser, address, view))
        opened.push(await openedMs(browser, address, view))
      }
      for (let round = 0; round < splitRounds; round += 1) splits.push(await splitOf(browser, address, view))
      const cells = [median(followed), followed[0] ?? Number.NaN, median(opened)].map((ms) => ms.toFixed(0).padStart(8))
      console.log(`  ${title.padEnd(28)} ${cells.join(' ')} | ${printSplit(splits)}`)
    }
  } finally {
    await viewer.stop()
    project.dispose()
  }
}

const scripts = readdirSync(path.join(built, 'assets')).filter((name) => name.endsWith('.js'))
const styles = readdirSync(path.join(built, 'assets')).filter((name) => name.endsWith('.css'))
const blank = createServer((_, response) => response.end('<!doctype html><title>blank</title><p>word'))
await new Promise<void>((done) => blank.listen(0, '127.0.0.1', done))
const browser = await launchChromium()

async function printPage(): Promise<void> {
  const project = await indexedPackage('zod')
  const viewer = await startViewer(project.root)
  const { address } = viewer
  try {
    const first = await firstScripts(browser, address)
    console.log(`scripts of the first page, gzip:          ${kibibytes(gzipped(first))} in ${first.length} files`)
    for (const language of ['english', 'chinese']) {
      const other = language === 'english' ? 'chinese-' : 'english-'
      const all = scripts.filter((name) => !name.startsWith(other))
      const bytes = gzipped(all)
      console.log(
        `scripts of all views, ${language}, gzip: ${kibibytes(bytes)} (${bytes} bytes) in ${all.length} files`,
      )
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
  } finally {
    await viewer.stop()
    project.dispose()
  }
}

try {
  await printPage()
  for (const index of indexes) await printViews(browser, index)
} finally {
  await browser.close()
  blank.close()
}
