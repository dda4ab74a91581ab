// npm run bench -- NAME: runs test/bench/NAME.ts, which prints its figures; without a name it lists what there is.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { buildPages } from './build.mjs'
import { installPackages, root, run } from './packages.mjs'

const folder = path.join(root, 'test', 'bench')
// What exports something is a part of benches, and prints nothing by itself.
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !/^export /m.test(readFileSync(path.join(folder, file), 'utf8')))
  .map((file) => file.slice(0, -'.ts'.length))
const [name, ...args] = process.argv.slice(2)
if (name === undefined || !names.includes(name)) {
  process.stderr.write(`Usage: npm run bench -- NAME, one of: ${names.join(', ')}\n`)
  process.exit(2)
}
installPackages()
if ((await buildPages()) !== 0) process.exit(1)
// Packages as the Worker has them: what some do for a process costs more than what is measured.
const nodeFlags = name === 'definitions' ? ['--expose-gc', '--conditions=browser'] : []
process.exit(await run(`test/bench/${name}.ts`, args, { nodeFlags }))
