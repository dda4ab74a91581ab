#!/usr/bin/env node
// wharf [options] | wharf backup … | wharf restore … | wharf config … | wharf diagnose … | wharf gateway …: the whole service, and what belongs to it.
// Plain JavaScript: it runs on any Node from 20 on.
import { leanNodeFlags, leanProcessVariables, serviceNodeFlags } from '../scripts/lean-process.mjs'
import { isBuilt } from './installation.mjs'
import { runProgram } from './run-program.mjs'

const [command, ...rest] = process.argv.slice(2)
const serving = { nodeFlags: serviceNodeFlags, variables: leanProcessVariables }
if (command === 'backup') await runProgram('backup', rest)
else if (command === 'restore') await runProgram('backup', ['restore', ...rest])
else if (command === 'config') await runProgram('config', rest)
else if (command === 'diagnose') await runProgram('diagnose', rest)
else if (command === 'gateway') await runProgram('gateway', rest, { ...serving, nodeFlags: leanNodeFlags })
else if (isBuilt) await runProgram('serve', ['--workers', ...process.argv.slice(2)], serving)
// A checkout builds its pages first.
else await import('../scripts/start.mjs')
