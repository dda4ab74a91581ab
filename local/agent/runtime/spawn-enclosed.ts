import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import type { SandboxStart } from '../core/sandbox-start.ts'

/** Starts words in a sandbox, in a process group of their own. The fourth descriptor is a pipe whose end the caller holds. */
export function spawnEnclosed(
  start: SandboxStart,
  words: readonly string[],
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  const child = spawn(start.program, [...start.args, ...words], {
    cwd: start.cwd,
    env: start.environment,
    stdio: [input, 'pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const setup = child.stdio[4] as Writable | null
  // A program that could not start reads nothing: that it failed is told by its end.
  setup?.on('error', () => undefined)
  setup?.end(start.setup)
  return child
}
