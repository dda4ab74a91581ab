#!/usr/bin/env node
// Starts `svc` under the pinned Node. Plain JavaScript: it runs on any Node from 20 on.
import { promptNodeFlags } from '../scripts/lean-process.mjs'
import { runProgram } from './run-program.mjs'

const args = process.argv.slice(2)
await runProgram('svc', args, args[0] === 'serve' ? { nodeFlags: promptNodeFlags } : {})
