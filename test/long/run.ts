/** `npm run test:long -- [--rounds N] [--seed N] [NAME…]`: runs the named long runs, or all of them. */
import { parseArgs } from 'node:util'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { longRuns } from './long-runs.ts'

makeMemoryFolder()

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, seed: { type: 'string' } },
})

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[0-9]{1,9}$/.test(text)) return Number(text)
  process.stderr.write(`--${name} takes a whole number\n`)
  return process.exit(2)
}

const rounds = wholeNumber('rounds', values.rounds)
const seed = wholeNumber('seed', values.seed) ?? Math.floor(Math.random() * 1e9)
const unknown = positionals.filter((name) => longRuns.every((run) => run.name !== name))
if (unknown.length > 0) {
  const known = longRuns.map((run) => `  ${run.name}  ${run.about}`).join('\n')
  process.stderr.write(`No long run is called ${unknown.join(', ')}. There are:\n${known}\n`)
  process.exit(2)
}

let failures = 0
for (const run of longRuns.filter((one) => positionals.length === 0 || positionals.includes(one.name))) {
  const started = performance.now()
  process.stdout.write(`${run.name}: seed ${seed}\n`)
  const hasHeld = await run.run({ rounds, seed, log: (line) => process.stdout.write(`${run.name}: ${line}\n`) })
  if (!hasHeld) failures += 1
  const seconds = Math.round((performance.now() - started) / 1000)
  process.stdout.write(`${run.name}: ${hasHeld ? 'held' : 'FAILED'} after ${seconds} s\n`)
}
process.exit(failures === 0 ? 0 : 1)
