// npm test: installs what is missing, builds the pages, and runs every test project but those that repeat a suite on the
// other runtime, which have a command of their own: npm run test:runtimes. Tests that are tagged `slow` are left to
// npm run test:all, which is this with --all. Other arguments go to vitest.
import { buildPages } from './build.mjs'
import { installPackages, run } from './packages.mjs'

installPackages()
if ((await buildPages()) !== 0) process.exit(1)
const asked = process.argv.slice(2)
const given = asked.filter((one) => one !== '--all')
const projects = given.some((one) => one.startsWith('--project'))
  ? []
  : ['--project=!node-runtime', '--project=!conformance-workerd']
const tags = asked.includes('--all') ? [] : ['--tags-filter=!slow']
process.exit(await run('node_modules/vitest/vitest.mjs', ['run', ...projects, ...tags, ...given]))
