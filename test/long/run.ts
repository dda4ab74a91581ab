/** `npm run test:long -- [--rounds N] [--seed N] [NAME…]`: runs the named long runs, or all of them. */
import { parseArgs } from 'node:util'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { longRuns } from './long-runs.ts'

const known = longRuns.map((run) => `  ${run.name}  ${run.about}`).join('\n')
const usage = `npm run test:long -- [--rounds N] [--seed N] [NAME…]: runs the named long runs, or all of them.\n${known}\n`

function refuse(problem: string): never {
  process.stderr.write(`${problem}\n`)
  process.exit(2)
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { rounds: { type: 'string' }, seed: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n${usage.trimEnd()}`)
  }
}

const { values, positionals } = readArguments()
if (values.help === true) {
  process.stdout.write(usage)
  process.exit(0)
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[0-9]{1,9}$/.test(text)) return Number(text)
  return refuse(`--${name} takes a whole number`)
}

const rounds = wholeNumber('rounds', values.rounds)
const seed = wholeNumber('seed', values.seed) ?? Math.floor(Math.random() * 1e9)
const unknown = positionals.filter((name) => longRuns.every((run) => run.name !== name))
if (unknown.length > 0) refuse(`No long run is called ${unknown.join(', ')}. There are:\n${known}`)

makeMemoryFolder()

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
