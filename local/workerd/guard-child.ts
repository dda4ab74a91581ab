/** Ends the runtime when the host dies, however it dies: a killed host cannot clean up after itself. */
import { spawn } from 'node:child_process'

export interface GuardChild {
  /** The runtime has ended by itself: the guard must not signal a number that may belong to someone else by then. */
  dismiss(): void
}

/**
 * A shell that reads from this process. A line dismisses it; the end of the pipe, which the kernel brings about with
 * the end of this process, makes it kill. Detached, so that Ctrl+C in a terminal does not end the guard first.
 */
export function guardProcess(pid: number): GuardChild {
  const shell = spawn('/bin/sh', ['-c', 'read -r _ || kill -9 "$1"', 'wharf-guard', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: {},
  })
  // A guard that is gone already (someone ended it) makes the farewell fail; there is nothing left to dismiss.
  shell.stdin.on('error', () => undefined)
  shell.on('error', () => undefined)
  shell.unref()
  return { dismiss: () => shell.stdin.end('\n') }
}
