#!/usr/bin/env node
// Starts `svc` under the pinned Node. Plain JavaScript: it runs on any Node from 20 on.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const pinned = [path.join(root, 'node_modules'), path.dirname(root)]
  .map((modules) => path.join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node'))
  .find((candidate) => existsSync(candidate))
const isNewEnough = Number(process.versions.node.split('.')[0]) >= 24
const node = pinned ?? (isNewEnough ? process.execPath : undefined)
if (node === undefined) {
  process.stderr.write(`svc needs Node 24 or newer; this is ${process.versions.node}\n`)
  process.exit(1)
}
const args = [path.join(root, 'local', 'svc.ts'), ...process.argv.slice(2)]
if (typeof process.execve === 'function') process.execve(node, [node, ...args], process.env)
const child = spawn(node, args, { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1))
