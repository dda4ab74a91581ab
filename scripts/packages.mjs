// What every bootstrap needs: the packages of package-lock.json, and the pinned Node they bring.
// Plain JavaScript: it runs on any Node from 20 on, before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pinnedNode, refuse, root } from './pinned-node.mjs'

export { pinnedNode, refuse, root }

const nodeMajorMin = 20

export function requireNode() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < nodeMajorMin) refuse(`wharf needs Node ${nodeMajorMin} or newer; this is ${process.versions.node}`)
}

/** Installs when the lock file changed since the last install into this tree; says so, because it takes a while. */
export function installPackages() {
  requireNode()
  const modules = path.join(root, 'node_modules')
  const stamp = path.join(modules, '.wharf-lock-hash')
  const wanted = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex')
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  // What builds the pages is among the packages for development: without it, an earlier install left them out.
  if (installed === wanted && existsSync(path.join(modules, 'vite', 'package.json'))) return
  process.stderr.write('Installing packages (once, some 20 s)…\n')
  // Not `npm ci`: it refuses a lock file without the platform packages of other systems, which a registry
  // that does not carry them cannot record. `--no-save` installs the locked versions and leaves the lock alone.
  // With NODE_ENV=production or `omit=dev` npm would leave out what builds the pages.
  const args = ['install', '--include=dev', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = spawnSync('npm', args, { cwd: root, stdio: 'inherit' })
  if (npm.error) refuse(`npm could not be started: ${npm.error.message}`)
  if (npm.status !== 0) refuse('npm install failed; its own lines above say why')
  // A new file: in a tree made of hard links the old one is another tree's too.
  rmSync(stamp, { force: true })
  writeFileSync(stamp, wanted)
}

/** Environment in which `node` means the pinned one, for tools that start Node themselves. */
export function pinnedEnvironment() {
  const bin = [path.dirname(pinnedNode()), path.join(root, 'node_modules', '.bin')].join(path.delimiter)
  return { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` }
}

/** Runs a tool of node_modules under the pinned Node. Resolves with its exit code. */
export function run(script, args, { nodeFlags = [], ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(pinnedNode(), [...nodeFlags, path.join(root, script), ...args], {
      cwd: root,
      stdio: 'inherit',
      env: pinnedEnvironment(),
      ...options,
    })
    child.on('error', (error) => refuse(`${script} could not be started: ${error.message}`))
    child.on('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : 1))
  })
}
