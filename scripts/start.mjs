// npm start: installs what is missing, builds the pages when their sources changed, and runs the host under the pinned Node.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { buildPages } from './build.mjs'
import { leanProcessVariables, serviceNodeFlags } from './lean-process.mjs'
import { installPackages, pinnedEnvironment, pinnedNode, refuse, root } from './packages.mjs'

const parentPollMs = 250

installPackages()
// Who only asks what there is waits for no build.
const isQuestion = process.argv.slice(2).some((flag) => ['--help', '-h', '--version'].includes(flag))
if (!isQuestion && (await buildPages()) !== 0) refuse('The pages could not be built; the lines above say why')

// The viewer shows the folder this was started in: with npm, the source of Wharf itself.
const ownIndex = process.cwd() === root ? ['--keep-index'] : []
// The channel tells the host when this process dies, however it dies.
const host = spawn(
  pinnedNode(),
  [...serviceNodeFlags, path.join(root, 'local', 'serve.mjs'), '--workers', ...ownIndex, ...process.argv.slice(2)],
  {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...leanProcessVariables, ...pinnedEnvironment() },
  },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => host.kill(signal))
// npm dies without passing the signal on, and its child would serve on without anyone to end it.
if (process.env.npm_lifecycle_event !== undefined) {
  const lineage = lineageToNpm()
  setInterval(() => lineageToNpm() !== lineage && host.kill('SIGTERM'), parentPollMs).unref()
}

/** The parent, and when that is the shell which npm starts scripts with, npm behind it; others may leave as they like. */
function lineageToNpm() {
  const parent = process.ppid
  const isShell = /^(ba|da)?sh$/.test(procFile(parent, 'comm').trim())
  return isShell ? `${parent} ${/^PPid:\t(\d+)$/m.exec(procFile(parent, 'status'))?.[1]}` : String(parent)
}

function procFile(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

host.on('error', (error) => refuse(`The host could not be started: ${error.message}`))
host.on('exit', (code) => process.exit(code ?? 1))
