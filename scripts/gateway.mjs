// npm run gateway -- --port N: the model gateway alone, without the Worker runtime.
import { installPackages, run } from './packages.mjs'

installPackages()
process.exit(await run('local/gateway.ts', process.argv.slice(2)))
