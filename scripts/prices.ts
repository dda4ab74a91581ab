// npm run prices -- [--from FILE-OR-ADDRESS] [--dated YYYY-MM-DD]: refreshes what the gateway knows of models beside the
// providers' own lists. The feed is models.dev, a public table of prices and limits; what it does not list stays.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'smol-toml'
import { readPriceList, sayPriceFault } from '#shared/models/price-list.ts'
import { feedTables } from '../workers/gateway/core/keys/price-feed.ts'

const feed = 'https://models.dev/api.json'
const file = path.join(import.meta.dirname, '../workers/gateway/config/prices.toml')

const { values } = parseArgs({ options: { from: { type: 'string' }, dated: { type: 'string' } } })
const from = values.from ?? feed
const text = /^https?:/.test(from) ? await download(from) : await readFile(from, 'utf8')
const listed = feedTables(JSON.parse(text))
if (!listed.ok) throw new Error(`the feed ${sayPriceFault(listed.failure)}`)
const before = tables(parse(await readFile(file, 'utf8').catch(() => '')))
const lines = [
  '# What models cost, in dollars a million tokens, and how much they take. `npm run prices` writes this file; what its',
  '# feed does not list stays as it is here.',
  `dated = "${values.dated ?? new Date().toISOString().slice(0, 10)}"`,
  `source = "${feed}"`,
]
let count = 0
for (const [ours, models] of Object.entries(listed.value)) {
  const entries = new Map<string, string>()
  for (const [id, entry] of Object.entries(before[ours] ?? {})) entries.set(id, inline(entry))
  for (const [id, entry] of Object.entries(models)) entries.set(id, inline(entry))
  lines.push('', `[${ours}]`)
  for (const [id, entry] of [...entries].sort(([left], [right]) => (left < right ? -1 : 1)))
    lines.push(`"${id}" = ${entry}`)
  count += entries.size
}
const written = `${lines.join('\n')}\n`
const read = readPriceList(parse(written))
if (!read.ok) throw new Error(`the list that came of it ${sayPriceFault(read.failure)}`)
await writeFile(file, written)
process.stdout.write(`${count} models, as of ${read.value.dated}\n`)

async function download(address: string): Promise<string> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(60_000) })
  if (!answer.ok) throw new Error(`the feed answered ${answer.status}`)
  return answer.text()
}

function tables(document: Record<string, unknown>): Record<string, Record<string, Record<string, unknown>>> {
  return Object.fromEntries(
    Object.entries(document).filter(
      (pair): pair is [string, Record<string, Record<string, unknown>>] => typeof pair[1] === 'object',
    ),
  )
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{ ${members.map(([name, member]) => `${name} = ${inline(member)}`).join(', ')} }`
}
