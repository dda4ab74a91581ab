/** A command of the model under way: in a process group of its own, in the sandbox where there is one. */
import type { Writable } from 'node:stream'
import { startProgram } from '../../../starter/start-program.ts'
import { type StartedProgram, signalGroup } from '../../../starter/started-program.ts'
import { shellDrainMs, shellKillGraceMs, waitingCommandBytesMax } from '../../limits.ts'
import type { Enclosure } from '../sandbox.ts'
import { spawnEnclosed } from '../spawn-enclosed.ts'
import { enclosedShellWords, guardedShellWords } from './shell-words.ts'

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

export function startShell(start: ShellStart): ShellProcess {
  const child = spawnShell(start)
  const control = child.stdio[3] as Writable | null | undefined
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
      signalGroup(child, 'SIGKILL')
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
      if (start.enclosure?.start.hearsSignals ?? true) signalGroup(child, 'SIGTERM')
      else control?.write('end\n')
      killing = setTimeout(() => signalGroup(child, 'SIGKILL'), start.killGraceMs ?? shellKillGraceMs)
    },
  }
}

function spawnShell({ enclosure, command, directory, environment }: ShellStart): StartedProgram {
  if (enclosure === undefined) {
    const [program = '', ...words] = guardedShellWords(command)
    return startProgram(program, words, {
      cwd: directory,
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
    })
  }
  const { start } = enclosure
  const ready = canBeRead(command) ? (enclosure.takeShell() ?? enclosure.tellShell()) : undefined
  ready?.stdin?.end(`${command}\0`)
  return ready ?? spawnEnclosed(start, enclosedShellWords(start.hearsSignals, command, start.relay))
}

/** By a shell that waits for it. */
function canBeRead(command: string): boolean {
  return Buffer.byteLength(command) <= waitingCommandBytesMax && !command.includes('\0')
}
