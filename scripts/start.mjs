// npm start: installs what is missing, builds the pages when their sources changed, and runs the host under the pinned Node.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { buildPages } from './build.mjs'
import { installPackages, pinnedEnvironment, pinnedNode, refuse, root } from './packages.mjs'

installPackages()
if ((await buildPages()) !== 0) refuse('The pages could not be built; the lines above say why')

// The channel tells the host when this process dies, however it dies.
const host = spawn(pinnedNode(), [path.join(root, 'local', 'serve.ts'), '--workers', ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: pinnedEnvironment(),
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => host.kill(signal))
host.on('error', (error) => refuse(`The host could not be started: ${error.message}`))
host.on('exit', (code) => process.exit(code ?? 1))
