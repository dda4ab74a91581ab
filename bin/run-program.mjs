// Starts a program under the pinned Node, in place of this process where the platform can.
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { pinnedNode, refuse } from '../scripts/pinned-node.mjs'
import { programFile } from './installation.mjs'

/**
 * @param {keyof typeof import('./installation.mjs').programs} name
 * @param {readonly string[]} args
 * @param {{ nodeFlags?: readonly string[], variables?: Readonly<Record<string, string>>, endsByInterrupt?: boolean }} [start]
 */
export async function runProgram(name, args, { nodeFlags = [], variables = {}, endsByInterrupt = true } = {}) {
  const node = pinnedNode()
  const file = programFile(name)
  if (!existsSync(file)) refuse('This package was made without its programs: npm run build:package makes a whole one')
  const isAsWanted = node === process.execPath && nodeFlags.length === 0 && process.execArgv.length === 0
  // Where this already is the pinned Node, another start of it would only cost time.
  if (isAsWanted && Object.keys(variables).length === 0) {
    process.argv = [process.execPath, file, ...args]
    return import(pathToFileURL(file).href)
  }
  const environment = { ...variables, ...process.env }
  const whole = [...nodeFlags, file, ...args]
  if (typeof process.execve === 'function') process.execve(node, [node, ...whole], environment)
  const { spawn } = await import('node:child_process')
  // The channel tells a program that waits for it when this process dies, however it dies.
  const child = spawn(node, whole, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: environment })
  // The terminal sends Ctrl+C to both; who has work to finish is waited for.
  process.on('SIGINT', () => endsByInterrupt && child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1))
  return undefined
}
