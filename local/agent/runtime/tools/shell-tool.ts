/** bash: a command in its own process group, with a time limit, bounded output and nothing of the server's secrets. */
import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { z } from '@hono/zod-openapi'
import { splitShellLine } from '../../core/shell-command.ts'
import {
  shellDrainMs,
  shellKillGraceMs,
  shellMsDefault,
  shellMsMax,
  shellOutputBytesMax,
  shellProcessesPerSessionMax,
} from '../../limits.ts'
import { declareTool, type PermissionAsk, type Tool, toolProblem } from '../tool-port.ts'
import type { OutputKeeper } from './output-keeper.ts'
import { resolveTarget } from './tool-files.ts'

export interface ShellDeps {
  readonly keeper: OutputKeeper
  /** What the server was started with, its own credentials left out. */
  readonly environment: Readonly<Record<string, string>>
  readonly killGraceMs?: number
}

export function shellTool(deps: ShellDeps): Tool {
  const running = new Map<string, number>()
  return declareTool({
    name: 'bash',
    description:
      'Runs a command with bash in the project. Output and exit code come back when it ends or its time is up.',
    input: z.object({
      command: z.string().min(1).max(100_000),
      workdir: z.string().min(1).optional(),
      timeout: z.number().int().min(1).max(shellMsMax).optional().describe('Milliseconds'),
    }),
    isReadOnly: false,
    async run(input, call) {
      const place = await resolveTarget(call.directory, input.workdir ?? '.')
      if (place.isOutside) {
        const outside = await call.permit({
          action: 'external_directory',
          resources: [{ text: place.full }],
          save: [`${place.full}/*`],
        })
        if (!outside.ok) return outside
      }
      const permitted = await call.permit(permissionFor(input.command))
      if (!permitted.ok) return permitted
      call.signal.throwIfAborted()
      // Otherwise bash itself would be what is said to be missing.
      const isThere = await stat(place.full)
        .then((facts) => facts.isDirectory())
        .catch(() => false)
      if (!isThere) return toolProblem(`${place.shown} is not a directory`)
      const count = running.get(call.sessionId) ?? 0
      if (count >= shellProcessesPerSessionMax) return toolProblem('Too many commands of this session still run')
      running.set(call.sessionId, count + 1)
      try {
        const ended = await runShell(deps, input.command, place.full, input.timeout ?? shellMsDefault, call.signal)
        call.signal.throwIfAborted()
        const marks = [
          ended.wasCut ? `(output cut after ${shellOutputBytesMax} bytes)` : '',
          ended.timedOut ? `(stopped after ${input.timeout ?? shellMsDefault} ms)` : '',
          `(exit code ${ended.exit ?? 'none'})`,
        ].filter((mark) => mark !== '')
        return deps.keeper.text(
          `${ended.output}${ended.output === '' || ended.output.endsWith('\n') ? '' : '\n'}${marks.join('\n')}`,
          {
            exit: ended.exit,
            truncated: ended.wasCut,
            ...(ended.timedOut ? { timeout: true } : {}),
          },
          call.outputLimits,
        )
      } finally {
        const left = (running.get(call.sessionId) ?? 1) - 1
        if (left > 0) running.set(call.sessionId, left)
        else running.delete(call.sessionId)
      }
    },
  })
}

/** Each command of the line is judged by itself; a line that cannot be split is judged whole and stores nothing. */
function permissionFor(command: string): PermissionAsk {
  const line = splitShellLine(command)
  const metadata = { command }
  if (line.kind === 'opaque') {
    return {
      action: 'bash',
      resources: [{ text: command, isOpaque: true }],
      save: [],
      metadata: { ...metadata, unparsed: line.reason },
    }
  }
  return {
    action: 'bash',
    resources: line.commands.map(({ text }) => ({ text })),
    save: [...new Set(line.commands.map(({ prefix }) => prefix))],
    metadata,
  }
}

interface EndedShell {
  readonly output: string
  readonly exit: number | null
  readonly wasCut: boolean
  readonly timedOut: boolean
}

/**
 * The fourth descriptor is a pipe that only the server holds open. When the server dies, however it dies, the guard
 * reads its end and kills the group, so that no command outlives the turn that knows of it.
 */
const guardedShell = '(read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 & exec 3<&-; exec bash -c "$1"'

function runShell(
  deps: ShellDeps,
  command: string,
  directory: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<EndedShell> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', guardedShell, 'bash', command], {
      cwd: directory,
      env: { ...deps.environment },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
    })
    const chunks: Buffer[] = []
    let bytes = 0
    let wasCut = false
    let timedOut = false
    let killing: ReturnType<typeof setTimeout> | undefined
    let draining: ReturnType<typeof setTimeout> | undefined
    const take = (chunk: Buffer) => {
      const room = shellOutputBytesMax - bytes
      if (chunk.length > room) wasCut = true
      if (room <= 0) return
      chunks.push(chunk.subarray(0, room))
      bytes += Math.min(room, chunk.length)
    }
    const stop = () => {
      if (killing !== undefined) return
      signalGroup(child.pid, 'SIGTERM')
      killing = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), deps.killGraceMs ?? shellKillGraceMs)
    }
    const timer = setTimeout(() => {
      timedOut = true
      stop()
    }, timeoutMs)
    signal.addEventListener('abort', stop)
    const end = () => {
      clearTimeout(timer)
      clearTimeout(killing)
      clearTimeout(draining)
      signal.removeEventListener('abort', stop)
    }
    child.stdout?.on('data', take)
    child.stderr?.on('data', take)
    child.on('error', (error) => {
      end()
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
      end()
      resolve({ output: Buffer.concat(chunks).toString('utf8'), exit, wasCut, timedOut })
    })
  })
}

function signalGroup(pid: number | undefined, name: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch {
    // The group is gone already: nothing is left to end.
  }
}
