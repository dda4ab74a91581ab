// npm test: installs what is missing, builds the pages, and runs every test project but those of the second runtime, which
// serves only those who ask for it and has a command of its own: npm run test:runtimes. Arguments go to vitest.
import { buildPages } from './build.mjs'
import { installPackages, run } from './packages.mjs'

installPackages()
if ((await buildPages()) !== 0) process.exit(1)
const given = process.argv.slice(2)
const projects = given.some((one) => one.startsWith('--project'))
  ? []
  : ['--project=!node-runtime', '--project=!conformance-node']
process.exit(await run('node_modules/vitest/vitest.mjs', ['run', ...projects, ...given]))
