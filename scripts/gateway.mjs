// npm run gateway -- --port N: the model gateway alone, without the Worker runtime.
import { gatewayNodeFlags, gatewayProcessVariables } from './gateway-process.mjs'
import { installPackages, pinnedEnvironment, run } from './packages.mjs'

installPackages()
process.exit(
  await run('local/gateway.ts', process.argv.slice(2), {
    nodeFlags: gatewayNodeFlags,
    env: { ...gatewayProcessVariables, ...pinnedEnvironment() },
  }),
)
