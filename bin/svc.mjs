#!/usr/bin/env node
// Starts `svc` under the pinned Node. Plain JavaScript: it runs on any Node from 20 on.
import { runProgram } from './run-program.mjs'

await runProgram('svc', process.argv.slice(2))
