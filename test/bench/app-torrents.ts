/**
 * Pages of a large list through the whole Worker, beside fetching the raw lists from the same downloaders in the same
 * run. Two downloaders, one of each kind, in which some torrents move with every read.
 */
import type { DownloaderSettings } from '../../workers/app/core/downloader.ts'
import { startStandInQbittorrent, startStandInTransmission } from '../support/stand-in-downloaders.ts'
import { startWorker, type WorkerUnderTest } from '../support/worker-under-test.ts'
import { generateLoad, median, printLoad, processorMs, quantile } from './load.ts'

export interface TorrentBench {
  /** Torrents of both downloaders together. */
  readonly torrents: number
  readonly seconds: number
  readonly connections: number
  readonly log: (line: string) => void
  /** What the process tree holds, in words; asked while everything still runs. */
  readonly describeMemory: (pid: number) => string
}

export interface TorrentBenchResult {
  readonly firstPageMs: number
  readonly pageP50Ms: number
  readonly rawP50Ms: number
}

const filteredPage = '/torrents?state=seeding&q=granite&sort=size&order=desc&page=2&page_size=50'
const pages = [
  filteredPage,
  '/torrents',
  '/torrents?sort=title&order=asc&page_size=200',
  '/torrents?page=95&page_size=200',
  '/downloaders',
]

export async function benchTorrents(bench: TorrentBench): Promise<TorrentBenchResult> {
  const { torrents, seconds, connections, log, describeMemory } = bench
  const downloaders = [await startStandInQbittorrent('5.2'), await startStandInTransmission('legacy')]
  const worker = await startWorker()
  try {
    for (const downloader of downloaders) {
      downloader.fill(torrents / 2)
      downloader.churn(torrents / 200)
      await worker.addDownloader(downloader.kind, downloader.settings)
    }
    const started = performance.now()
    const first = await worker.app('GET', filteredPage)
    const firstPageMs = performance.now() - started
    if (first.body.failures.length > 0 || first.body.items.length !== 50) throw new Error(first.text.slice(0, 500))
    log(`${torrents} torrents, first page with nothing kept yet: ${firstPageMs.toFixed(0)} ms`)
    let pageP50Ms = 0
    for (const page of pages) {
      const url = `${worker.address}/api/app/v1${page}`
      const load = await generateLoad({ url, connections, seconds, headers: worker.tokenHeaders })
      if (page === filteredPage) pageP50Ms = load.p50Ms
      log(printLoad(`${torrents} torrents, ${page}`, load))
    }
    for (const turn of await besideHung(worker, downloaders[1])) log(`${torrents} torrents, ${turn}`)
    log(`memory of the process tree after these pages: ${describeMemory(worker.pid)}`)
    const rawP50Ms = await fetchRawLists(downloaders.map(({ settings }) => settings))
    log(`${torrents} torrents, both raw lists fetched and parsed in parallel: p50 ${rawP50Ms.toFixed(1)} ms`)
    log(`a filtered page takes 1/${(rawP50Ms / pageP50Ms).toFixed(1)} of that`)
    return { firstPageMs, pageP50Ms, rawP50Ms }
  } finally {
    await worker.close()
    for (const downloader of downloaders) await downloader.dispose()
  }
}

const hungTurns = 2
const listsInTurn = 120
/** As a person or a script asks: some of them find that the last look at the downloaders is too old. */
const listEveryMs = 250

/** The list by turns with both downloaders and with one that keeps still: what that one costs the other's rows. */
async function besideHung(
  worker: WorkerUnderTest,
  hung: { freeze(): void; thaw(): void } | undefined,
): Promise<readonly string[]> {
  const list = async () => (await worker.app('GET', '/torrents')).body.failures.length as number
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const said: string[] = []
  for (let turn = 0; turn < 2 * hungTurns; turn++) {
    const isHung = turn % 2 === 1
    if (isHung) hung?.freeze()
    else hung?.thaw()
    while ((await list()) !== (isHung ? 1 : 0)) await pause(listEveryMs)
    const tookMs: number[] = []
    const processorBefore = processorMs(worker.pid)
    for (let asked = 0; asked < listsInTurn; asked++) {
      const began = performance.now()
      await list()
      tookMs.push(performance.now() - began)
      await pause(listEveryMs)
    }
    const eachMs = (processorMs(worker.pid) - processorBefore) / listsInTurn
    said.push(
      `lists ${isHung ? 'beside one that keeps still' : 'of both'}: p50 ${quantile(tookMs, 0.5).toFixed(1)} ms, ` +
        `p99 ${quantile(tookMs, 0.99).toFixed(1)} ms, ${eachMs.toFixed(1)} ms of processor each`,
    )
  }
  hung?.thaw()
  return said
}

const rawRounds = 9

async function fetchRawLists(all: readonly DownloaderSettings[]): Promise<number> {
  const readers = await Promise.all(all.map(rawReader))
  const durationsMs: number[] = []
  for (let round = 0; round < rawRounds; round++) {
    const started = performance.now()
    await Promise.all(readers.map((read) => read()))
    durationsMs.push(performance.now() - started)
  }
  return median(durationsMs)
}

/** Signs in once; each call then fetches and parses the whole list, as a client without this service would. */
async function rawReader({ kind, baseUrl, username, password }: DownloaderSettings): Promise<() => Promise<unknown>> {
  if (kind === 'qbittorrent') {
    const signIn = await fetch(`${baseUrl}/api/v2/auth/login`, {
      method: 'POST',
      body: new URLSearchParams({ username, password }),
    })
    const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    return async () => (await fetch(`${baseUrl}/api/v2/sync/maindata?rid=0`, { headers: { cookie } })).json()
  }
  const address = `${baseUrl}/transmission/rpc`
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const body = JSON.stringify({
    method: 'torrent-get',
    arguments: { fields: ['hashString', 'name', 'status', 'sizeWhenDone', 'percentDone', 'addedDate', 'uploadRatio'] },
  })
  const handshake = await fetch(address, { method: 'POST', headers: { authorization }, body })
  await handshake.arrayBuffer()
  const session = handshake.headers.get('x-transmission-session-id') ?? ''
  const headers = { authorization, 'x-transmission-session-id': session }
  return async () => (await fetch(address, { method: 'POST', headers, body })).json()
}
