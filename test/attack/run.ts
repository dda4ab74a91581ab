/** `npm run attack -- [--short] [--list] [GROUP…]`: attacks the default configuration and prints what became of it. */
import { parseArgs } from 'node:util'
import { attackGroups } from './groups.ts'
import { attackTable, type GroupResult, holesOf } from './table.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, list: { type: 'boolean', default: false } },
})

const unknown = positionals.filter((name) => attackGroups.every((group) => group.name !== name))
if (unknown.length > 0) {
  const known = attackGroups.map((group) => `  ${group.name}  ${group.about}`).join('\n')
  process.stderr.write(`No group of attacks is called ${unknown.join(', ')}. There are:\n${known}\n`)
  process.exit(2)
}

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
