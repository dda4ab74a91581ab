// Which Node runs the code. Apart from the rest of the bootstrap, because every start of a command waits for it.
// Plain JavaScript: it runs on any Node from 20 on, before anything is installed.
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const ownNodeMajorMin = 24

/** Ends the program with one line. */
export function refuse(line) {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

/** What is built for the common C library of Linux starts only where that library is. */
const loaders = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' }

export function hasItsLibrary(platform, architecture, exists = existsSync) {
  return platform !== 'linux' || exists(loaders[architecture] ?? '')
}

/**
 * The Node that runs the code: the pinned platform package, or this one where it is new enough. As an installed package
 * of someone else, this one's packages lie beside it.
 */
export function pinnedNode() {
  const pinned = [path.join(root, 'node_modules'), path.dirname(root)]
    .map((modules) => path.join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node'))
    .find((candidate) => existsSync(candidate) && hasItsLibrary(process.platform, process.arch))
  // By its real name, which a process knows itself by: under another it would start itself again and again.
  if (pinned !== undefined) return realpathSync(pinned)
  if (Number(process.versions.node.split('.')[0]) >= ownNodeMajorMin) return process.execPath
  return refuse(
    `wharf runs its code on Node ${ownNodeMajorMin} or newer: this is ${process.versions.node}, and the package node-${process.platform}-${process.arch} is not installed or does not run here; install Node ${ownNodeMajorMin} and start again`,
  )
}
