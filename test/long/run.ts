/** `npm run test:long -- [--rounds N] [--seed N] [NAME…]`: runs the named long runs, or all of them. */
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { readRunArguments, refuse } from '../support/run-arguments.ts'
import { longRuns } from './long-runs.ts'

const { values, chosen } = readRunArguments(longRuns, {
  usage: 'npm run test:long -- [--rounds N] [--seed N] [NAME…]: runs the named long runs, or all of them.',
  kind: 'long run',
  options: { rounds: { type: 'string' }, seed: { type: 'string' } },
})

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[0-9]{1,9}$/.test(text)) return Number(text)
  return refuse(`--${name} takes a whole number`)
}

const rounds = wholeNumber('rounds', values.rounds)
const seed = wholeNumber('seed', values.seed) ?? Math.floor(Math.random() * 1e9)

makeMemoryFolder()

let failures = 0
for (const run of chosen) {
  const started = performance.now()
  process.stdout.write(`${run.name}: seed ${seed}\n`)
  const hasHeld = await run.run({ rounds, seed, log: (line) => process.stdout.write(`${run.name}: ${line}\n`) })
  if (!hasHeld) failures += 1
  const seconds = Math.round((performance.now() - started) / 1000)
  process.stdout.write(`${run.name}: ${hasHeld ? 'held' : 'FAILED'} after ${seconds} s\n`)
}
process.exit(failures === 0 ? 0 : 1)
