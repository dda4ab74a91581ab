import type { Writable } from 'node:stream'
import { startProgram } from '../../starter/start-program.ts'
import type { StartedProgram } from '../../starter/started-program.ts'
import type { SandboxStart } from '../core/sandbox-start.ts'

/**
 * Starts words in a sandbox, in a process group of their own. The fourth descriptor is a pipe whose end the caller holds.
 * Without a setup the program waits until it is told one.
 */
export function spawnEnclosed(
  start: Pick<SandboxStart, 'program' | 'args' | 'cwd' | 'environment'> & { readonly setup?: string },
  words: readonly string[],
  input: 'ignore' | 'pipe' = 'ignore',
): StartedProgram {
  const child = startProgram(start.program, [...start.args, ...words], {
    cwd: start.cwd,
    env: start.environment,
    stdio: [input, 'pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  // A program that could not start reads nothing: that it failed is told by its end.
  child.stdio[4]?.on('error', () => undefined)
  if (start.setup !== undefined) tellSetup(child, start.setup)
  return child
}

export function tellSetup(child: StartedProgram, setup: string): void {
  const pipe = child.stdio[4] as Writable | null | undefined
  pipe?.end(setup)
}
