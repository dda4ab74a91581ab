/** `npm run attack -- [--short] [--list] [GROUP…]`: attacks the default configuration and prints what became of it. */
import { parseArgs } from 'node:util'
import { attackGroups } from './groups.ts'
import { attackTable, type GroupResult, holesOf } from './table.ts'

const known = attackGroups.map((group) => `  ${group.name}  ${group.about}`).join('\n')
const usage = `npm run attack -- [--short] [--list] [GROUP…]: attacks the defaults of a fresh data folder, or by some groups alone.\n${known}\n`

function refuse(problem: string): never {
  process.stderr.write(`${problem}\n`)
  process.exit(2)
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        short: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n${usage.trimEnd()}`)
  }
}

const { values, positionals } = readArguments()
if (values.help) {
  process.stdout.write(usage)
  process.exit(0)
}
const unknown = positionals.filter((name) => attackGroups.every((group) => group.name !== name))
if (unknown.length > 0) refuse(`No group of attacks is called ${unknown.join(', ')}. There are:\n${known}`)

const results: GroupResult[] = []
for (const group of attackGroups.filter((one) => positionals.length === 0 || positionals.includes(one.name))) {
  const log = (line: string): void => void process.stdout.write(`${group.name}: ${line}\n`)
  const outcomes = await group.run({ isShort: values.short, log })
  results.push({ name: group.name, outcomes })
  for (const { attack, fate, detail } of outcomes) {
    if (values.list || fate === 'hole') log(`${fate}: ${attack}${detail === undefined ? '' : ` (${detail})`}`)
  }
}
process.stdout.write(`\n${attackTable(results)}\n`)

const holes = holesOf(results)
if (holes.length > 0) process.stdout.write(`\nHoles:\n${holes.map((hole) => `  ${hole}`).join('\n')}\n`)
const isEmpty = results.every(({ outcomes }) => outcomes.length === 0)
process.exit(holes.length > 0 || isEmpty ? 1 : 0)
