// npm run test:long -- [--rounds N] [--seed N] [NAME…]: the long runs (crash loops, fuzz, soak).
import { installPackages, run } from './packages.mjs'

installPackages()
process.exit(await run('test/long/run.ts', process.argv.slice(2)))
