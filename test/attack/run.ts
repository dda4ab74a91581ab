/** `npm run attack -- [--short] [--list] [GROUP…]`: attacks the default configuration and prints what became of it. */
import { readRunArguments } from '../support/run-arguments.ts'
import { attackGroups } from './groups.ts'
import { attackTable, type GroupResult, holesOf } from './table.ts'

const { values, chosen } = readRunArguments(attackGroups, {
  usage:
    'npm run attack -- [--short] [--list] [GROUP…]: attacks the defaults of a fresh data folder, or by some groups alone.',
  kind: 'group of attacks',
  options: { short: { type: 'boolean', default: false }, list: { type: 'boolean', default: false } },
})

const results: GroupResult[] = []
for (const group of chosen) {
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
