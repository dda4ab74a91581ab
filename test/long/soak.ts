/** The App API under a steady load for a long time: what it holds at the end must not be more than near the start. */
import { readdirSync } from 'node:fs'
import { generateLoad, median, residentMebibytes } from '../bench/load.ts'
import { startStandInQbittorrent, startStandInTransmission } from '../support/stand-in-downloaders.ts'
import { startWorker } from '../support/worker-under-test.ts'

export interface SoakOptions {
  /** Windows of load, each of `windowSeconds`; at least three, so that there is a first and a last third. */
  readonly windows: number
  readonly log: (line: string) => void
}

export const windowSeconds = 20
const torrents = 2_000
const connections = 8
const paths = ['/meta', '/torrents?sort=title&page_size=200', '/torrents?state=seeding&q=granite', '/downloaders']
/** Growth of the process tree's memory from the first third to the last that still counts as none. */
const memoryGrowthShare = 0.05
const memoryGrowthMebibytes = 24

export interface Window {
  readonly mebibytes: number
  readonly openFiles: number
  readonly p99Ms: number
  readonly failures: number
}

/** Resolves with whether memory and open files stayed where they were and every answer was a good one. */
export async function runSoak({ windows, log }: SoakOptions): Promise<boolean> {
  const downloaders = [await startStandInQbittorrent('5.2'), await startStandInTransmission('legacy')]
  const worker = await startWorker()
  const seen: Window[] = []
  try {
    for (const downloader of downloaders) {
      downloader.fill(torrents / 2)
      downloader.churn(torrents / 200)
      await worker.addDownloader(downloader.kind, downloader.settings)
    }
    for (let window = 0; window < windows; window += 1) {
      const loads = await Promise.all(
        paths.map((path) =>
          generateLoad({
            url: `${worker.address}/api/app/v1${path}`,
            connections: connections / paths.length,
            seconds: windowSeconds,
            headers: worker.tokenHeaders,
          }),
        ),
      )
      const failures = loads.reduce((sum, { requests, byStatus }) => sum + requests - (byStatus[200] ?? 0), 0)
      const p99Ms = Math.max(...loads.map((load) => load.p99Ms))
      const mebibytes = residentMebibytes(worker.pid).total
      seen.push({ mebibytes, openFiles: openFiles(worker.pid), p99Ms, failures })
      log(`window ${window + 1}: ${Math.round(mebibytes)} MiB, p99 ${p99Ms.toFixed(0)} ms, ${failures} failures`)
    }
  } finally {
    await worker.close()
    for (const downloader of downloaders) await downloader.dispose()
  }
  return hasStayed(seen, log)
}

/** Whether memory and open files of the last third are those of the first, and no answer was a bad one. */
export function hasStayed(seen: readonly Window[], log: (line: string) => void, openFilesSlack = 0): boolean {
  const third = Math.max(1, Math.floor(seen.length / 3))
  const first = summary(seen.slice(0, third))
  const last = summary(seen.slice(-third))
  log(JSON.stringify({ windows: seen.length, windowSeconds, first, last }))
  const allowed = Math.max(first.mebibytes * (1 + memoryGrowthShare), first.mebibytes + memoryGrowthMebibytes)
  const areFilesClosed = last.openFiles <= first.openFiles + openFilesSlack
  return seen.every(({ failures }) => failures === 0) && last.mebibytes <= allowed && areFilesClosed
}

function summary(windows: readonly Window[]) {
  return {
    mebibytes: Math.round(median(windows.map(({ mebibytes }) => mebibytes))),
    openFiles: Math.max(...windows.map((window) => window.openFiles)),
    p99Ms: Math.round(median(windows.map(({ p99Ms }) => p99Ms))),
  }
}

export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}
