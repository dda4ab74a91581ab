/**
 * Figures of the index and the viewer on real sources: `node test/bench/indexer.ts [folder]`. Without a folder,
 * the sources of packages this project has installed are measured.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { indexPlace } from '../../local/indexer/store/index-folder.ts'
import { openIndex } from '../../local/indexer/store/open-index.ts'
import { syncIndex } from '../../local/indexer/sync.ts'
import { startViewer } from '../../local/viewer/serve-viewer.ts'

const modules = path.join(import.meta.dirname, '../../node_modules')
const root = mkdtempSync(path.join(os.tmpdir(), 'wharf-bench-'))
const given = process.argv[2]
if (given !== undefined)
  cpSync(given, root, { recursive: true, filter: (file) => !/\/(node_modules|\.git|\.indexer)(\/|$)/.test(file) })
else
  for (const name of ['zod/src', '@hono/zod-openapi', 'preact/src'])
    copy(path.join(modules, name), path.join(root, name.replace('/', '-')))
const place = indexPlace(root, undefined)

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
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

async function sync(isFull: boolean): Promise<{ ms: number; cpuMs: number; lines: number; edges: number }> {
  const cpu = process.cpuUsage()
  const started = performance.now()
  const outcome = await syncIndex({ place, isFull, nowMs: Date.now(), version: 'bench' })
  if (outcome.kind !== 'done') throw new Error(outcome.kind)
  const used = process.cpuUsage(cpu)
  return {
    ms: performance.now() - started,
    cpuMs: (used.user + used.system) / 1000,
    lines: outcome.report.lines,
    edges: outcome.report.edges,
  }
}

const full = await sync(true)
const peakMb = process.resourceUsage().maxRSS / 1024
const noop = await sync(false)
const changed = firstSource(root)
if (changed !== undefined) writeFileSync(changed, 'export const changed = 1\n')
const one = await sync(false)
const perLine = statSync(place.database).size / full.lines

const opened = openIndex(place, new Set())
if (!opened.ok) throw new Error(opened.failure)
const dependents = new Map<number, number>()
for (const edge of opened.value.reader.allEdges()) dependents.set(edge.target, (dependents.get(edge.target) ?? 0) + 1)
const [hub] = [...dependents].sort((left, right) => right[1] - left[1])
const hubNode = hub === undefined ? undefined : opened.value.reader.node(hub[0])
const file = opened.value.reader.files().at(-1)?.path ?? ''
opened.value.close()

const startedAt = performance.now()
const started = await startViewer({ place, port: 0, isReadOnly: true, isWatchWanted: false, report: console.error })
if (!started.ok) throw new Error(started.failure)
const { address, close } = started.value
await (await fetch(`${address}/api/search?q=parse`)).text()
const firstAnswerMs = performance.now() - startedAt

const routes: Record<string, string> = {
  'node of the largest hub': `/api/node/${encodeURIComponent(hubNode?.id ?? '')}`,
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
    peakMb: Math.round(peakMb),
    bytesPerLine: Number(perLine.toFixed(1)),
    noopMs: Math.round(noop.ms),
    oneFileMs: Math.round(one.ms),
    firstAnswerMs: Math.round(firstAnswerMs),
  }),
)
for (const [name, target] of Object.entries(routes)) {
  const times: number[] = []
  let status = 0
  for (let round = 0; round < 60; round += 1) {
    const at = performance.now()
    const reply = await fetch(`${address}${target}`)
    await reply.arrayBuffer()
    status = reply.status
    times.push(performance.now() - at)
  }
  const cold = times[0] ?? 0
  const warm = times.slice(5).sort((left, right) => left - right)
  console.log(
    `${name.padEnd(26)} ${status}  cold ${cold.toFixed(1)} ms  p50 ${(warm[27] ?? 0).toFixed(1)} ms  p99 ${(warm.at(-1) ?? 0).toFixed(1)} ms`,
  )
}
await close()
rmSync(root, { recursive: true, force: true })
