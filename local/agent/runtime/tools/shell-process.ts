/** A command of the model under way: in a process group of its own, in the sandbox where there is one. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { shellDrainMs, shellKillGraceMs } from '../../limits.ts'
import type { Enclosure } from '../sandbox.ts'
import { spawnEnclosed } from '../spawn-enclosed.ts'

export interface ShellStart {
  readonly command: string
  readonly directory: string
  readonly enclosure: Enclosure | undefined
  /** What the server was started with, its own credentials left out: for a command outside of a sandbox. */
  readonly environment: Readonly<Record<string, string>>
  readonly killGraceMs?: number | undefined
  readonly onOutput: (chunk: Buffer) => void
}

export interface ShellProcess {
  /** The exit code once everything is over; null where a signal ended it. */
  readonly ended: Promise<number | null>
  /** Asks it to end, and after a while makes it. */
  stop(): void
}

/**
 * The fourth descriptor is a pipe that only the server holds open. When the server dies, however it dies, the guard
 * reads its end and kills the group, so that no command outlives the turn that knows of it.
 */
const guardedShell = '(read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 & exec 3<&-; exec bash -c "$1"'

/** The way to the hosts that were granted, where there are any. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own.
const relayFirst = 'if [ $# -gt 1 ]; then read -r _ < <(exec "${@:2}" 2>/dev/null); fi; exec bash -c "$1"'

/**
 * In a sandbox that no signal enters a line on the pipe asks the command to end. Whatever happens to the server, what it
 * started dies with it.
 */
const deafShell = `(trap "" TERM; read -r _ <&3 && kill -TERM 0) >/dev/null 2>&1 & exec 3<&- 4<&-; ${relayFirst}`
const hearingShell = `(read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 & exec 3<&- 4<&-; ${relayFirst}`

export function startShell(start: ShellStart): ShellProcess {
  const child = spawnShell(start)
  const control = child.stdio[3] as Writable | null
  control?.on('error', () => undefined)
  let killing: ReturnType<typeof setTimeout> | undefined
  let draining: ReturnType<typeof setTimeout> | undefined
  child.stdout?.on('data', start.onOutput)
  child.stderr?.on('data', start.onOutput)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', (error) => {
      clearTimeout(killing)
      reject(error)
    })
    child.on('exit', () => {
      // What a command left running in its group ends with it. A service that left the group may keep the pipes open
      // for ever: what it says after the command is over is not waited for.
      signalGroup(child.pid, 'SIGKILL')
      draining = setTimeout(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      }, shellDrainMs)
    })
    child.on('close', (exit) => {
      clearTimeout(killing)
      clearTimeout(draining)
      resolve(exit)
    })
  })
  return {
    ended,
    stop() {
      if (killing !== undefined) return
      if (start.enclosure?.start.hearsSignals ?? true) signalGroup(child.pid, 'SIGTERM')
      else control?.write('end\n')
      killing = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), start.killGraceMs ?? shellKillGraceMs)
    },
  }
}

function spawnShell({ enclosure, command, directory, environment }: ShellStart): ChildProcess {
  if (enclosure === undefined) {
    return spawn('bash', ['-c', guardedShell, 'bash', command], {
      cwd: directory,
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
    })
  }
  const { hearsSignals, relay } = enclosure.start
  return spawnEnclosed(enclosure.start, [
    ...['bash', '-c', hearsSignals ? hearingShell : deafShell],
    ...['bash', command, ...relay],
  ])
}

function signalGroup(pid: number | undefined, name: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch {
    // The group is gone already: nothing is left to end.
  }
}
