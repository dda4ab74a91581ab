#!/usr/bin/env node
// Starts the command line of the code index under the pinned Node. Plain JavaScript: it runs on any Node from 20 on.
import { runProgram } from './run-program.mjs'

const args = process.argv.slice(2)
// What a whole index is made of comes and goes by the hundred megabytes: with room for it, most goes before it is copied.
const isMadeWhole = args[0] === 'init' || args[0] === 'index'
const nodeFlags = isMadeWhole ? ['--min-semi-space-size=32', '--max-semi-space-size=32'] : []
await runProgram('indexer', args, { endsByInterrupt: false, nodeFlags })
