// node scripts/device.mjs: a paired device on the command line. Plain JavaScript: it runs on any Node from 20 on.
import { installPackages, run } from './packages.mjs'

installPackages()
process.exit(await run('scripts/device.ts', process.argv.slice(2)))
