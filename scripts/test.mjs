// npm test: installs what is missing, builds the pages, and runs every test project but those that repeat a suite on the
// other runtime, which have a command of their own: npm run test:runtimes. Arguments go to vitest.
import { buildPages } from './build.mjs'
import { installPackages, run } from './packages.mjs'

installPackages()
if ((await buildPages()) !== 0) process.exit(1)
const given = process.argv.slice(2)
const projects = given.some((one) => one.startsWith('--project'))
  ? []
  : ['--project=!node-runtime', '--project=!conformance-workerd']
process.exit(await run('node_modules/vitest/vitest.mjs', ['run', ...projects, ...given]))
