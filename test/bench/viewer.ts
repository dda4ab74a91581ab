/**
 * Figures of the code index and its viewer: `npm run bench -- viewer [folder]`. Without a folder, sources that the
 * installed packages carry are measured, and what an index costs also on more than 150,000 lines of them. That is
 * measured in processes of their own, so that one figure of memory is not that of everything before it. They keep compiled
 * code as the program does, and each kind of work is measured when it is done a second time, as by whoever works with it.
 * A bare start of Node stands beside the start of the viewer: what is above it is ours.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { indexPlace } from '../../local/indexer/store/index-folder.ts'
import { openIndex } from '../../local/indexer/store/open-index.ts'
import { startViewer } from '../../local/viewer/serve-viewer.ts'
import { KeptConnection, requestBytes } from '../support/kept-connection.ts'
import { unwrap } from '../support/unwrap.ts'

const local = path.join(import.meta.dirname, '../../local')
const modules = path.join(import.meta.dirname, '../../node_modules')
const root = mkdtempSync(path.join(os.tmpdir(), 'wharf-bench-'))
const compiled = mkdtempSync(path.join(os.tmpdir(), 'wharf-bench-'))
const largeRoot = mkdtempSync(path.join(os.tmpdir(), 'wharf-bench-'))
const given = process.argv[2]
if (given !== undefined)
  cpSync(given, root, { recursive: true, filter: (file) => !/\/(node_modules|\.git|\.indexer)(\/|$)/.test(file) })
else {
  copyPackages(root, ['zod/src', '@hono/zod-openapi', 'preact/src'])
  copyPackages(largeRoot, ['zod/src', 'ai/src', '@ai-sdk/provider-utils/src'])
}
const place = indexPlace(root, undefined)

function copyPackages(to: string, names: readonly string[]): void {
  for (const name of names) cpSync(path.join(modules, name), path.join(to, name.replace('/', '-')), { recursive: true })
}

function firstSource(folder: string): string | undefined {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== '.indexer') {
      const inner = firstSource(file)
      if (inner !== undefined) return inner
    } else if (/\.ts$/.test(entry.name)) return file
  }
  return undefined
}

/** What a sync of one file costs, to be held against the size of the index. */
function ofOneFile(name: string, { cpuMs, peakMb, writtenKb }: Measured): Record<string, number> {
  return {
    [`${name}CpuMs`]: Math.round(cpuMs),
    [`${name}PeakMb`]: Math.round(peakMb),
    [`${name}WrittenKb`]: Math.round(writtenKb),
  }
}

interface Measured {
  readonly ms: number
  readonly cpuMs: number
  readonly peakMb: number
  /** What went to the file system. */
  readonly writtenKb: number
  readonly lines: number
  readonly edges: number
}

/** One run of the indexer in a process of its own. */
function sync(folder: string, isFull: boolean): Measured {
  const program = `
    import module from 'node:module'
    module.enableCompileCache(${JSON.stringify(compiled)})
    const { indexPlace } = await import(${JSON.stringify(path.join(local, 'indexer/store/index-folder.ts'))})
    const { syncIndex } = await import(${JSON.stringify(path.join(local, 'indexer/sync.ts'))})
    const started = performance.now()
    const outcome = await syncIndex({ place: indexPlace(${JSON.stringify(folder)}), isFull: ${isFull}, nowMs: Date.now(), version: 'bench' })
    if (outcome.kind !== 'done') throw new Error(outcome.kind)
    const { user, system } = process.cpuUsage()
    console.log(JSON.stringify({
      ms: performance.now() - started, cpuMs: (user + system) / 1000, peakMb: process.resourceUsage().maxRSS / 1024,
      writtenKb: process.resourceUsage().fsWrite / 2,
      lines: outcome.report.lines, edges: outcome.report.edges,
    }))`
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  if (ended.status !== 0) throw new Error(ended.stderr)
  return JSON.parse(ended.stdout) as Measured
}

sync(root, true)
const full = sync(root, true)
const large = given === undefined ? sync(largeRoot, true) : undefined
const largeOne = given === undefined ? changeOne(largeRoot, 'one') : undefined
const largeIndexKb = given === undefined ? statSync(indexPlace(largeRoot, undefined).database).size / 1024 : 0
rmSync(largeRoot, { recursive: true, force: true })
const perLine = statSync(place.database).size / full.lines
const noop = sync(root, false)
changeOne(root, 'first')
const one = changeOne(root, 'second')

/** A sync after one file got one more export. */
function changeOne(folder: string, name: string): Measured {
  const changed = firstSource(folder)
  if (changed !== undefined) appendFileSync(changed, `\nexport const ${name} = 1\n`)
  return sync(folder, false)
}

const opened = unwrap(openIndex(place))
const { dependents } = opened.reader.graph
const hubId = opened.reader.node(dependents.indexOf(Math.max(...dependents))).id
const file = opened.reader.files().at(-1)?.path ?? ''
opened.close()

const startedAt = performance.now()
const started = unwrap(
  await startViewer({ place, port: 0, isReadOnly: true, isWatchWanted: false, report: console.error }),
)
const { address, close } = started
await (await fetch(`${address}/api/search?q=parse`)).text()
const firstAnswerMs = performance.now() - startedAt

/** From starting the program to the answer to the first question, as someone at a terminal waits for it. */
async function processToFirstAnswer(cacheHome: string): Promise<number> {
  const bin = path.join(import.meta.dirname, '../../bin/indexer.mjs')
  const at = performance.now()
  const child = spawn(process.execPath, [bin, 'ui', root, '--no-open', '--port', '0'], {
    env: { ...process.env, VIEWER_UI: '1', VIEWER_NO_PROVE: '1', XDG_CACHE_HOME: cacheHome },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let told = ''
  for await (const chunk of child.stdout) {
    told += String(chunk)
    const [own] = /http:\/\/\S+/.exec(told) ?? []
    if (own === undefined) continue
    await (await fetch(`${own}/api/search?q=parse`)).text()
    break
  }
  const ms = performance.now() - at
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
  return ms
}

/** The same without a program of ours. */
async function bareStart(): Promise<number> {
  const at = performance.now()
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' })
  await once(child, 'exit')
  return performance.now() - at
}

const startsMeasured = 7
const cacheHome = path.join(root, '.indexer', 'bench-cache')
const firstStartMs = await processToFirstAnswer(cacheHome)
const startsMs: number[] = []
const bareMs: number[] = []
for (let round = 0; round < startsMeasured; round += 1) {
  startsMs.push(await processToFirstAnswer(cacheHome))
  bareMs.push(await bareStart())
}
const median = (times: readonly number[]): number =>
  Math.round(times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0)

const routes: Record<string, string> = {
  'node of the largest hub': `/api/node/${encodeURIComponent(hubId)}`,
  search: '/api/search?q=parse',
  deadcode: '/api/deadcode',
  source: `/api/source?file=${encodeURIComponent(file)}&to=60`,
  file: `/api/file/${file}`,
  stats: '/api/stats',
  map: '/api/map',
  entrypoints: '/api/entrypoints',
  flow: '/api/flow?symbols=parse,safeParse',
}
console.log(
  JSON.stringify({
    lines: full.lines,
    edges: full.edges,
    fullMs: Math.round(full.ms),
    linesPerSecond: Math.round((full.lines / full.ms) * 1000),
    cpuMs: Math.round(full.cpuMs),
    peakMb: Math.round(full.peakMb),
    bytesPerLine: Number(perLine.toFixed(1)),
    noopMs: Math.round(noop.ms),
    oneFileMs: Math.round(one.ms),
    ...ofOneFile('oneFile', one),
    indexKb: Math.round(statSync(place.database).size / 1024),
    ...(large === undefined
      ? {}
      : {
          largeLines: large.lines,
          largeLinesPerSecond: Math.round((large.lines / large.ms) * 1000),
          largeCpuMs: Math.round(large.cpuMs),
          largePeakMb: Math.round(large.peakMb),
          ...(largeOne === undefined ? {} : ofOneFile('largeOneFile', largeOne)),
          largeIndexKb: Math.round(largeIndexKb),
        }),
    firstAnswerMs: Math.round(firstAnswerMs),
    processToFirstAnswerMs: median(startsMs),
    bareStartMs: median(bareMs),
    processToFirstAnswerUncachedMs: Math.round(firstStartMs),
  }),
)
// A client library in the same process costs more than several of these answers.
const connection = new KeptConnection(new URL(address))
for (const [name, target] of Object.entries(routes)) {
  const times: number[] = []
  let status = 0
  for (let round = 0; round < 60; round += 1) {
    const reply = await connection.ask(requestBytes({ url: `${address}${target}` }))
    status = reply.status
    times.push(reply.totalMs)
  }
  const cold = times[0] ?? 0
  const warm = times.slice(5).sort((left, right) => left - right)
  console.log(
    `${name.padEnd(26)} ${status}  cold ${cold.toFixed(1)} ms  p50 ${(warm[27] ?? 0).toFixed(1)} ms  p99 ${(warm.at(-1) ?? 0).toFixed(1)} ms`,
  )
}
connection.close()
await close()
rmSync(compiled, { recursive: true, force: true })
rmSync(root, { recursive: true, force: true })
