// npm test: installs what is missing, builds the pages, and runs every test project but one. Arguments go to vitest.
// The service as a program on its second runtime is long, and not what runs unless somebody asks for it:
// npm run test:runtimes
import { buildPages } from './build.mjs'
import { installPackages, run } from './packages.mjs'

installPackages()
if ((await buildPages()) !== 0) process.exit(1)
const given = process.argv.slice(2)
const projects = given.some((one) => one.startsWith('--project')) ? [] : ['--project=!conformance-node']
process.exit(await run('node_modules/vitest/vitest.mjs', ['run', ...projects, ...given]))
