#!/usr/bin/env node
// Starts the command line of the code index under the pinned Node. Plain JavaScript: it runs on any Node from 20 on.
import module from 'node:module'
import os from 'node:os'
import { compiledFolder } from './kept-folder.mjs'
import { runProgram } from './run-program.mjs'

// Before anything is read that has to be compiled; where another Node takes over, that one comes by here again.
const folder = compiledFolder(process.env, os.homedir())
if (folder !== undefined) module.enableCompileCache?.(folder)
await runProgram('indexer', process.argv.slice(2), { endsByInterrupt: false })
