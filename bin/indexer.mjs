#!/usr/bin/env node
// Starts the command line of the code index under the pinned Node. Plain JavaScript: it runs on any Node from 20 on.
import module from 'node:module'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { pinnedNode } from '../scripts/pinned-node.mjs'
import { compiledFolder } from './kept-folder.mjs'

const node = pinnedNode()
// Where this already is the pinned Node, another start of it would only cost time.
if (node === process.execPath && process.execArgv.length === 0) {
  const folder = compiledFolder(process.env, os.homedir())
  if (folder !== undefined) module.enableCompileCache(folder)
  await import('../local/indexer.ts')
} else {
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  if (typeof process.execve === 'function') process.execve(node, [node, ...args], process.env)
  const { spawn } = await import('node:child_process')
  const child = spawn(node, args, { stdio: 'inherit' })
  // The terminal sends Ctrl+C to both: this process waits for the other to finish its work.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1))
}
