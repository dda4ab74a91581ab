#!/usr/bin/env node
// Starts the command line of the code index under the pinned Node. Plain JavaScript: it runs on any Node from 20 on.
import { runProgram } from './run-program.mjs'

const args = process.argv.slice(2)
// What a whole index is made of comes and goes by the hundred megabytes: with room for it, most goes before it is copied.
// What stays is needed to the end: looking through it early finds little, helpers would take a core from who reads, and
// nobody waits for an answer that a collection in many steps would let through.
const room = [
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  '--initial-old-space-size=256',
  '--heap-growing-percent=30',
  '--single-threaded-gc',
  '--no-incremental-marking',
]
const isMadeWhole = args[0] === 'init' || args[0] === 'index'
const nodeFlags = isMadeWhole ? room : []
await runProgram('indexer', args, { endsByInterrupt: false, nodeFlags })
