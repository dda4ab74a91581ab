// npm test: installs what is missing, builds the pages, and runs every test project. Arguments go to vitest.
import { buildPages } from './build.mjs'
import { installPackages, run } from './packages.mjs'

installPackages()
if ((await buildPages()) !== 0) process.exit(1)
process.exit(await run('node_modules/vitest/vitest.mjs', ['run', ...process.argv.slice(2)]))
