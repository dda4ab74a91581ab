/**
 * How many tracker definitions of a folder are understood as they are, how long reading them takes and what they hold in
 * memory once they are ready. With --search, each of the first 100 is made a site and asked for a list that it cannot read.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { checkDefinition } from '../../workers/app/adapters/sites/cardigann/definition-service.ts'
import { keptDefinition } from '../../workers/app/adapters/sites/cardigann/definitions.ts'
import { createSiteDriver } from '../../workers/app/adapters/sites/create-driver.ts'
import { siteProfile } from '../../workers/app/adapters/sites/site-definitions.ts'
import { hostileDefinitions } from '../support/hostile-definitions.ts'
import { inventedDefinitions, inventedText, listHtml } from '../support/invented-definitions.ts'

const [folder, ...wishes] = process.argv.slice(2)
if (folder !== undefined && !existsSync(folder)) {
  console.log(`skipped: there is no folder ${folder}`)
  process.exit(0)
}
/** Without a folder, the invented ones, as often as there are public ones. */
const texts =
  folder === undefined
    ? Array.from({ length: 540 }, (_, index) => {
        const one = inventedDefinitions[index % inventedDefinitions.length]
        return [`invented ${index}`, one === undefined ? '' : inventedText(one)] as const
      })
    : readdirSync(folder)
        .filter((file) => /\.ya?ml$/.test(file))
        .map((file) => [file, readFileSync(path.join(folder, file), 'utf8')] as const)

const memory = () => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1024 / 1024
}
const before = memory()
const startedAt = performance.now()
const cpuBefore = process.cpuUsage()
const trees: string[] = []
const faults = new Map<string, number>()
let slowest = { name: '', ms: 0 }
for (const [name, text] of texts) {
  const from = performance.now()
  const checked = checkDefinition(text)
  const ms = performance.now() - from
  if (ms > slowest.ms) slowest = { name, ms }
  if (checked.ok) trees.push(JSON.stringify(checked.value.tree))
  else
    for (const { line, path: place, rule, detail } of checked.failure.slice(0, 3)) {
      faults.set(rule, (faults.get(rule) ?? 0) + 1)
      console.log(`${name}:${line ?? '?'}: ${place.join('.')}: ${rule}: ${detail}`)
    }
}
const readMs = performance.now() - startedAt
const { user, system } = process.cpuUsage(cpuBefore)
const share = (100 * trees.length) / Math.max(1, texts.length)
console.log(`understood      ${trees.length} of ${texts.length} (${share.toFixed(1)} %)`)
for (const [rule, count] of faults) console.log(`not supported   ${rule}: ${count}`)
console.log(`slowest         ${slowest.ms.toFixed(0)} ms: ${slowest.name}`)
console.log(
  `brought         ${readMs.toFixed(0)} ms (processor ${((user + system) / 1000).toFixed(0)} ms): YAML, checks, made ready`,
)

const keptAt = performance.now()
const ready = trees.map(keptDefinition)
console.log(
  `loaded          ${(performance.now() - keptAt).toFixed(0)} ms: ${ready.length} made ready from what is kept`,
)
console.log(`memory          ${(memory() - before).toFixed(1)} MiB with all of them ready`)

if (wishes.includes('--search')) {
  const page = listHtml(
    Array.from({ length: 100 }, (_, index) => ({
      id: index + 1,
      title: `Invented ${index}`,
      category: '11',
      size: '1 GB',
      bytes: 2 ** 30,
      seeders: 1,
      leechers: 1,
      grabs: 1,
      free: false,
      hash: '',
    })),
  )
  const runtime = {
    bounds: { callMs: 20_000, answerBytesMax: 4 * 1024 * 1024, queueMax: 32 },
    fetch: async () => new Response(page, { headers: { 'content-type': 'text/html' } }),
    nowMs: () => Date.now(),
    wait: async () => {},
  }
  const searchedAt = performance.now()
  const answers = await Promise.all(
    trees.slice(0, 100).map((definition) =>
      createSiteDriver(
        {
          kind: 'cardigann',
          baseUrl: 'https://harbour.example',
          credentials: { cookie: 'a=b', apiKey: '' },
          profile: siteProfile('cardigann', { request_interval_ms: 0 }),
          definition,
        },
        runtime,
      ).search({ keyword: 'invented', categoryIds: [], freeOnly: false }, AbortSignal.timeout(28_000)),
    ),
  )
  const rows = answers.reduce((total, answer) => total + (answer.ok ? answer.value.length : 0), 0)
  console.log(
    `searched        ${answers.length} sites in ${(performance.now() - searchedAt).toFixed(0)} ms, ${rows} rows`,
  )
}

const hostile = hostileDefinitions.map(([name, , source]) => {
  const from = performance.now()
  if (checkDefinition(source).ok) throw new Error(`${name} was taken`)
  return { name, ms: performance.now() - from }
})
const longest = hostile.reduce((one, other) => (other.ms > one.ms ? other : one))
console.log(`hostile         ${hostile.length} refused, the slowest in ${longest.ms.toFixed(0)} ms (${longest.name})`)
