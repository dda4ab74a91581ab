/**
 * `npm run bench -- search`: a search over many sites through the whole Worker, beside fetching the same lists without
 * it; how fast each driver reads a list; and a search over the sites of a hundred definitions that were brought.
 */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSiteDriver } from '../../workers/app/adapters/sites/create-driver.ts'
import { siteProfile } from '../../workers/app/adapters/sites/site-definitions.ts'
import type { SiteKind } from '../../workers/app/core/vocabulary.ts'
import { snapshotDays } from '../../workers/app/limits.ts'
import { consoleSite } from '../support/console-site.ts'
import { ownDefinition } from '../support/own-definition.ts'
import { goodApiKey, goodCookie, startStandInSites } from '../support/stand-in-sites.ts'
import { startWorker, statisticsAreRead, type WorkerUnderTest } from '../support/worker-under-test.ts'
import { median, processorMs } from './load.ts'

const siteCount = 40
const filledSites = 60
const broughtCount = 100
const rounds = 15
const warmUpRounds = 5
/** All at one moment is the worst there can be: nothing is read while others are waited for. */
const delays: Readonly<Record<string, (site: number) => number>> = {
  'that all answer after 200 ms': () => 200,
  'that answer after 40 to 430 ms': (site) => 40 + 10 * ((site * 7) % siteCount),
}
const kinds: readonly SiteKind[] = ['nexusphp', 'mteam', 'unit3d', 'gazelle', 'torznab']

const sites = await startStandInSites()
const credentials = { cookie: goodCookie, apiKey: goodApiKey }
const asked = { keyword: 'planet', categoryIds: [], freeOnly: false }

for (const kind of kinds) {
  let kept: { readonly bytes: ArrayBuffer; readonly headers: Headers } | undefined
  const driver = createSiteDriver(
    { kind, baseUrl: sites.address(kind, 'many'), credentials, profile: siteProfile(kind, { request_interval_ms: 0 }) },
    {
      bounds: { callMs: 5000, answerBytesMax: 4 * 1024 * 1024, queueMax: 32 },
      // The first answer is fetched, the others hold its bytes: what is measured is the reading. (A clone would split
      // the stream in two each time, which no site does and which costs more than reading a list.)
      fetch: async (address, init) => {
        if (kept === undefined) {
          const answer = await fetch(address, init)
          kept = { bytes: await answer.arrayBuffer(), headers: answer.headers }
        }
        return new Response(kept.bytes, { headers: kept.headers })
      },
      nowMs: () => Date.now(),
      wait: async () => undefined,
    },
  )
  await driver.search(asked, AbortSignal.timeout(5000))
  let rows = 0
  const started = performance.now()
  while (performance.now() - started < 1000) {
    const found = await driver.search(asked, AbortSignal.timeout(5000))
    if (!found.ok) throw new Error(JSON.stringify(found))
    rows += found.value.length
  }
  console.log(`${kind}: ${Math.round((rows * 1000) / (performance.now() - started))} rows/s`)
}

const worker = await startWorker()
try {
  const asking: AskedSite[] = []
  for (let index = 0; index < siteCount; index += 1) {
    const kind = index % 2 === 0 ? 'nexusphp' : 'unit3d'
    const skin = `many${index}`
    const address = sites.address(kind, skin)
    const credential = kind === 'nexusphp' ? { cookie: goodCookie } : { api_key: goodApiKey }
    await worker.addSite(consoleSite(`site${index}`, kind, address, credential))
    asking.push(
      kind === 'nexusphp'
        ? { kind, skin, url: `${address}/torrents.php?search=planet`, init: { headers: { cookie: goodCookie } } }
        : {
            kind,
            skin,
            url: `${address}/api/torrents/filter?name=planet`,
            init: { headers: { authorization: `Bearer ${goodApiKey}` } },
          },
    )
  }
  const ask = async (path: string) =>
    (await fetch(`${worker.address}/api/app/v1${path}`, { headers: worker.tokenHeaders })).text()
  await statisticsAreRead(worker)
  for (const [pattern, delayMs] of Object.entries(delays)) {
    for (const [index, { kind, skin }] of asking.entries()) sites.state(kind, skin).delayMs = delayMs(index)
    await measureSearch(worker, asking, pattern)
  }
  await measureBrought(worker)
  fillSites(worker.dataFolder)
  for (const path of ['/sites', '/overview']) {
    const ms: number[] = []
    for (let round = 0; round < 50; round += 1) await ask(path)
    const cpuBefore = processorMs(worker.pid)
    for (let round = 0; round < 200; round += 1) {
      const started = performance.now()
      await ask(path)
      ms.push(performance.now() - started)
    }
    const cpu = (processorMs(worker.pid) - cpuBefore) / ms.length
    console.log(
      `${path} with ${filledSites} sites and ${snapshotDays} days: p50 ${median(ms).toFixed(1)} ms, of the processor ${cpu.toFixed(1)} ms`,
    )
  }
} finally {
  await worker.close()
  await sites.stop()
}

/** Sites of as many definitions that the owner brought, searched at once. */
async function measureBrought(worker: WorkerUnderTest): Promise<void> {
  const names: string[] = []
  for (let index = 0; index < broughtCount; index += 1) {
    const name = `brought${index}`
    names.push(name)
    const source = ownDefinition(name)
    const added = await worker.console('POST', '/own-definitions', { source })
    if (added.status !== 200) throw new Error(added.text)
    const address = sites.address('unit3d', `many${index}`)
    sites.state('unit3d', `many${index}`).delayMs = 200
    const site = { ...consoleSite(name, 'cardigann', address, {}), definition: name, answers: { apikey: goodApiKey } }
    const stored = await worker.console('POST', '/sites', site)
    if (stored.status !== 200) throw new Error(stored.text)
  }
  const took: number[] = []
  let answered = 0
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    const started = performance.now()
    const { status, text, body } = await worker.app('POST', '/search', { keyword: 'planet', sites: names })
    if (status !== 200) throw new Error(text)
    if (round >= warmUpRounds) took.push(performance.now() - started)
    answered = Object.keys(body.sites).length
  }
  console.log(
    `${broughtCount} sites of ${broughtCount} definitions that were brought, after 200 ms: ${answered} answered, p50 ${median(took).toFixed(0)} ms, slowest ${Math.max(...took).toFixed(0)} ms`,
  )
}

/** As many sites as an owner may have, each with every day that is kept, written where the service reads them. */
function fillSites(dataFolder: string): void {
  const files = readdirSync(dataFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.sqlite'),
  )
  for (const name of files) {
    const database = new DatabaseSync(path.join(dataFolder, name))
    const isTheirs = database.prepare("select 1 from sqlite_master where name = 'site_snapshots'").get() !== undefined
    if (isTheirs) {
      database.exec(`
        with recursive n(i) as (select ${siteCount} union all select i + 1 from n where i < ${filledSites - 1})
        insert into sites (name, display_name, kind, base_url, enabled, inactivity_days, remind_before_days, created_at_unix, updated_at_unix)
        select 'site' || i, '', 'torznab', 'http://127.0.0.1:1', 1, 30, 10, 1, 1 from n;
        with recursive d(i) as (select 1 union all select i + 1 from d where i < ${snapshotDays - 1})
        insert into site_snapshots (site_id, day, uploaded_bytes, downloaded_bytes, bonus, ratio, seeding)
        select id, date('now', '-' || i || ' days'), (1000 - i) * 1000000000, 0, 1000 - i, 1, 1 from sites, d where true
        on conflict do nothing;`)
    }
    database.close()
  }
}

/** A site, and its list as it is fetched without the service. */
interface AskedSite {
  readonly kind: SiteKind
  readonly skin: string
  readonly url: string
  readonly init: RequestInit
}

async function measureSearch(worker: WorkerUnderTest, asking: readonly AskedSite[], pattern: string): Promise<void> {
  const searchMs: number[] = []
  const slowestMs: number[] = []
  let cpuMs = 0
  for (let round = 0; round < rounds; round += 1) {
    const cpuBefore = processorMs(worker.pid)
    const started = performance.now()
    const answer = await fetch(`${worker.address}/api/app/v1/search`, {
      method: 'POST',
      headers: { ...worker.tokenHeaders, 'content-type': 'application/json' },
      body: JSON.stringify({ keyword: 'planet' }),
    })
    const text = await answer.text()
    searchMs.push(performance.now() - started)
    // The first ones are compiled as they run.
    if (round >= warmUpRounds) cpuMs += (processorMs(worker.pid) - cpuBefore) / (rounds - warmUpRounds)
    const body: { total: number; errors: unknown[] } = JSON.parse(text)
    if (body.total !== siteCount * 100 || body.errors.length > 0) throw new Error(text.slice(0, 500))
    const each = await Promise.all(
      asking.map(async ({ url, init }) => {
        const before = performance.now()
        await (await fetch(url, init)).arrayBuffer()
        return performance.now() - before
      }),
    )
    slowestMs.push(Math.max(...each))
  }
  const [whole, slowest] = [median(searchMs.slice(warmUpRounds)), median(slowestMs.slice(warmUpRounds))]
  console.log(
    `${siteCount} sites with 100 results each, ${pattern}: search p50 ${whole.toFixed(0)} ms, slowest site p50 ${slowest.toFixed(0)} ms, overhead ${(whole - slowest).toFixed(0)} ms, of the processor ${cpuMs.toFixed(0)} ms a search`,
  )
}
