#!/usr/bin/env node
// Starts `svc` under the pinned Node. Plain JavaScript: it runs on any Node from 20 on.
import path from 'node:path'
import { pinnedNode, root } from '../scripts/pinned-node.mjs'

const node = pinnedNode()
const args = [path.join(root, 'local', 'svc.mjs'), ...process.argv.slice(2)]
// Where this already is the pinned Node, another start of it would only cost time.
if (node === process.execPath && process.execArgv.length === 0) await import('../local/svc.mjs')
else {
  if (typeof process.execve === 'function') process.execve(node, [node, ...args], process.env)
  const { spawn } = await import('node:child_process')
  const child = spawn(node, args, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1))
}
