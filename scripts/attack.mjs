// npm run attack -- [--short] [--list] [GROUP…]: attacks the default configuration of a fresh data folder.
import { installPackages, run } from './packages.mjs'

installPackages()
process.exit(await run('test/attack/run.ts', process.argv.slice(2)))
