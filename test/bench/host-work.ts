/**
 * The whole service at its work on both runtimes at once: a page of torrents, the overview, a model's answer and a search
 * of many sites. Each is asked of one and of the other by turns, so that a slow moment of the machine is both's.
 */
import { runtimeKinds } from '../../local/workerd/runtime-kind.ts'
import { consoleSite } from '../support/console-site.ts'
import { loadEnvironment, startLoadProvider } from '../support/gateway-process.ts'
import { sonnet, testKey } from '../support/gateway-under-test.ts'
import { startStandInQbittorrent } from '../support/stand-in-downloaders.ts'
import { goodApiKey, goodCookie, startStandInSites } from '../support/stand-in-sites.ts'
import { startWorker, statisticsAreRead, type WorkerUnderTest } from '../support/worker-under-test.ts'
import { generateLoad, type LoadOptions, median, processorMs } from './load.ts'

const turns = 7
const warmUpTurns = 2
const torrents = 1_000
const siteCount = 40
const rowsOfSite = 100

interface Figure {
  readonly value: number
  readonly processorMs: number
}

export async function benchWork(print: (line: string) => void): Promise<void> {
  const provider = await startLoadProvider()
  const downloader = await startStandInQbittorrent('5.2')
  const sites = await startStandInSites()
  const hosts: WorkerUnderTest[] = []
  try {
    downloader.fill(torrents)
    for (const kind of runtimeKinds) {
      const host = await startWorker(loadEnvironment(provider.url), ['--runtime', kind])
      hosts.push(host)
      await host.addDownloader('main', downloader.settings)
      for (let index = 0; index < siteCount; index += 1) {
        const isPage = index % 2 === 0
        const [family, credential] = isPage
          ? (['nexusphp', { cookie: goodCookie }] as const)
          : (['unit3d', { api_key: goodApiKey }] as const)
        const address = sites.address(family, `many${index}`)
        await host.addSite(consoleSite(`site${index}`, family, address, credential))
      }
      await statisticsAreRead(host)
    }
    const compare = async (
      name: string,
      unit: 'requests/s' | 'ms',
      one: (host: WorkerUnderTest) => Promise<Figure>,
    ) => {
      const told = hosts.map(() => ({ values: [] as number[], processor: [] as number[] }))
      for (let turn = 0; turn < warmUpTurns + turns; turn += 1) {
        for (const [index, host] of hosts.entries()) {
          const figure = await one(host)
          if (turn < warmUpTurns) continue
          told[index]?.values.push(figure.value)
          told[index]?.processor.push(figure.processorMs)
        }
      }
      const [own = 0, beside = 0] = told.map(({ values }) => median(values))
      const ratio = unit === 'ms' ? beside / own : own / beside
      const each = told.map(
        ({ values, processor }, index) =>
          `${runtimeKinds[index]} ${median(values).toFixed(unit === 'ms' ? 1 : 0)} ${unit}, ${median(processor).toFixed(2)} ms of processor`,
      )
      print(`${name}: ${each.join('; ')}; ${ratio.toFixed(2)} times`)
    }
    const load =
      (options: (host: WorkerUnderTest) => Omit<LoadOptions, 'seconds'>) => async (host: WorkerUnderTest) => {
        const before = processorMs(host.pid)
        const result = await generateLoad({ ...options(host), seconds: 1 })
        if (result.byStatus[200] !== result.requests) throw new Error(JSON.stringify(result.byStatus))
        return {
          value: result.requestsPerSecond,
          processorMs: (processorMs(host.pid) - before) / result.requests,
        }
      }
    const page = (path: string) =>
      load((host) => ({ url: `${host.address}/api/app/v1${path}`, headers: host.tokenHeaders, connections: 16 }))
    await compare('/meta, 16 at once', 'requests/s', page('/meta'))
    await compare(`a page of ${torrents} torrents, 16 at once`, 'requests/s', page('/torrents'))
    await compare('the overview, 16 at once', 'requests/s', page('/overview'))
    await compare(
      "a model's answer, 32 at once",
      'requests/s',
      load((host) => ({
        url: `${host.address}/api/v1/chat/completions`,
        method: 'POST',
        connections: 32,
        headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: sonnet, messages: [{ role: 'user', content: 'What is the answer?' }] }),
      })),
    )
    const search = async (host: WorkerUnderTest) => {
      const before = processorMs(host.pid)
      const started = performance.now()
      const { body, text } = await host.app('POST', '/search', { keyword: 'planet' })
      const value = performance.now() - started
      if (body.total !== siteCount * rowsOfSite || body.errors.length > 0) throw new Error(text.slice(0, 500))
      return { value, processorMs: processorMs(host.pid) - before }
    }
    const allAfter = (delayMs: number) => {
      for (let index = 0; index < siteCount; index += 1)
        sites.state(index % 2 === 0 ? 'nexusphp' : 'unit3d', `many${index}`).delayMs = delayMs
    }
    for (const delayMs of [200, 0]) {
      allAfter(delayMs)
      await compare(`a search of ${siteCount} sites that answer after ${delayMs} ms`, 'ms', search)
    }
  } finally {
    for (const host of hosts) await host.close()
    await sites.stop()
    await downloader.dispose()
    await provider.end()
  }
}
