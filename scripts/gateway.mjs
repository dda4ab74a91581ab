// npm run gateway -- --port N: the model gateway alone, without the Worker runtime.
import { leanNodeFlags, leanProcessVariables } from './lean-process.mjs'
import { installPackages, pinnedEnvironment, run } from './packages.mjs'

installPackages()
process.exit(
  await run('local/gateway.ts', process.argv.slice(2), {
    nodeFlags: leanNodeFlags,
    env: { ...leanProcessVariables, ...pinnedEnvironment() },
  }),
)
