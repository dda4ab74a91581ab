#!/usr/bin/env node
// Starts the command line of the code index with the Node that is pinned beside it.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { pinnedNode, root } from '../scripts/packages.mjs'

const child = spawn(pinnedNode(), [path.join(root, 'local', 'indexer.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})
// The terminal sends Ctrl+C to both: this process waits for the other to finish its work.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1))
