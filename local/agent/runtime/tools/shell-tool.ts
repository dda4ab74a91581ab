/** bash: a command in its own process group, with a time limit, bounded output and nothing of the server's secrets. */
import { type ChildProcess, spawn } from 'node:child_process'
import { realpath, rm, stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { z } from '@hono/zod-openapi'
import { type Result, succeed } from '#shared/kernel/result.ts'
import { readHost } from '../../core/granted-host.ts'
import { isProtectedPath } from '../../core/protected-path.ts'
import type { JsonObject } from '../../core/session/message.ts'
import { shellResources, splitShellLine } from '../../core/shell-command.ts'
import {
  progressBytesMax,
  progressMsMin,
  sandboxHostsMax,
  sandboxPathsMax,
  shellDrainMs,
  shellKillGraceMs,
  shellLogBytesMax,
  shellMsDefault,
  shellMsMax,
  shellOutputEndBytesMax,
  shellProcessesPerSessionMax,
} from '../../limits.ts'
import type { CommandSandbox, Enclosure } from '../sandbox.ts'
import { spawnEnclosed } from '../spawn-enclosed.ts'
import {
  declareTool,
  type PermissionAsk,
  type Tool,
  type ToolCall,
  type ToolProblem,
  toolProblem,
} from '../tool-port.ts'
import { CommandOutput } from './command-output.ts'
import type { OutputKeeper } from './output-keeper.ts'
import { resolveTarget } from './tool-files.ts'

export interface ShellDeps {
  readonly keeper: OutputKeeper
  readonly sandbox: CommandSandbox
  /** What the server was started with, its own credentials left out. */
  readonly environment: Readonly<Record<string, string>>
  readonly killGraceMs?: number
}

const paths = z.array(z.string().min(1)).max(sandboxPathsMax).optional()

const input = z.object({
  command: z.string().min(1).max(100_000),
  workdir: z.string().min(1).optional(),
  timeout: z.number().int().min(1).max(shellMsMax).optional().describe('Milliseconds'),
  read: paths.describe('Paths outside of the project, or kept from being read, that the command needs to see'),
  write: paths.describe('Protected paths such as .git, or folders outside of the project, that the command changes'),
  network: z
    .array(z.string().min(1))
    .max(sandboxHostsMax)
    .optional()
    .describe('Hosts that the command reaches over http or https, as name or name:port'),
  outside: z
    .boolean()
    .optional()
    .describe('Run without the sandbox: the owner is asked, so say only what cannot be done otherwise'),
})

export function shellTool(deps: ShellDeps): Tool {
  const running = new Map<string, number>()
  return declareTool({
    name: 'bash',
    description: `Runs a command with bash in the project. Output and exit code come back when it ends or its time is up.
It runs in a sandbox: it writes in the project and in its temporary folder ($TMPDIR) alone, sees the project and the system's programs, has no network, and everything it started ends with it. Commands of one step may run at the same time: join those that need one another with &&. Name what it needs beyond that in read, write and network; the owner is asked for it.`,
    input,
    isReadOnly: false,
    runsBeside: isIndependent,
    async run(wanted, call) {
      const place = await resolveTarget(call.directory, wanted.workdir ?? '.')
      if (place.isOutside) {
        const outside = await call.permit({
          action: 'external_directory',
          resources: [{ text: place.full }],
          save: [`${place.full}/*`],
          isProtected: deps.sandbox.isSecret(place.full),
        })
        if (!outside.ok) return outside
      }
      const start = await permitted(deps.sandbox, wanted, call, place.full)
      if (!start.ok) return start
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
        const enclosure = await start.value.enclose?.()
        const timeoutMs = wanted.timeout ?? shellMsDefault
        const ended = await runShell(deps, enclosure, wanted.command, place.full, timeoutMs, call).finally(() =>
          enclosure?.close(),
        )
        const aside = (await enclosure?.settle()) ?? []
        // Nothing would name it.
        if (call.signal.aborted && ended.log !== undefined) await rm(ended.log, { force: true })
        call.signal.throwIfAborted()
        const marks = [
          ended.timedOut ? `(stopped after ${timeoutMs} ms)` : '',
          ...aside.map(
            ([name, other]) => `(${name} is protected: it was put aside as ${other}; name it in "write" to ask)`,
          ),
          enclosure !== undefined && ended.exit !== 0 && touchesBoundary(ended.output) ? boundaryNote : '',
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
          ended.log,
        )
      } finally {
        const left = (running.get(call.sessionId) ?? 1) - 1
        if (left > 0) running.set(call.sessionId, left)
        else running.delete(call.sessionId)
      }
    },
  })
}

/**
 * A command that stays within its sandbox runs beside others. One that may change what is protected does not, since what
 * another made there is put aside when that one ends; nor do those of git, which holds a lock on its index and fails.
 */
function isIndependent(wanted: JsonObject): boolean {
  const asksForMore = ['read', 'write', 'network', 'outside'].some((name) => wanted[name] !== undefined)
  return !asksForMore && typeof wanted['command'] === 'string' && !/\bgit\b/.test(wanted['command'])
}

const boundaryNote =
  '(this ran in the sandbox: only the project and $TMPDIR are written, other folders are not there, and there is no network; name what is needed in "read", "write" or "network" and the owner is asked)'

/** What programs say who meet the edge of the sandbox. */
function touchesBoundary(output: string): boolean {
  return /read-only file system|permission denied|operation not permitted|network is unreachable|could not resolve|name resolution|no such file or directory|device or resource busy|cross-device link|EROFS|EACCES|ENOTFOUND|EAI_AGAIN|ENOENT/i.test(
    output.slice(-10_000),
  )
}

interface Start {
  /** Absent where the command runs outside of a sandbox. */
  readonly enclose?: () => Promise<Enclosure | undefined>
}

/** Everything that is asked before a command starts: the line itself, then each thing it wants beyond the sandbox. */
async function permitted(
  sandbox: CommandSandbox,
  wanted: z.output<typeof input>,
  call: ToolCall,
  workdir: string,
): Promise<Result<Start, ToolProblem>> {
  const project = await realpath(call.directory)
  const missing = await sandbox.unavailable(call)
  if (missing !== undefined) return permittedOutside(wanted.command, call, missing)
  if (wanted.outside === true) return permittedOutside(wanted.command, call, 'the model asks for it')
  const view = await sandbox.look(call, project)
  if (view.isCut)
    return permittedOutside(wanted.command, call, 'no sandbox for this project: it is too large to be watched')
  const line = await call.permit(permissionFor(wanted.command, 'bash'))
  if (!line.ok) return line
  const grants = { reads: [] as string[], writes: [] as string[], hosts: [] as string[] }
  const metadata = { command: wanted.command }
  for (const name of wanted.read ?? []) {
    const target = await resolveTarget(project, name)
    if (sandbox.isOwn(target.full)) return toolProblem(`${target.shown} is the server's own: no command sees it`)
    const isUnread = view.unread.some(({ full }) => full === target.full)
    if (!target.isOutside && !isUnread) continue
    const outside = { action: 'external_directory', resources: [{ text: target.full }], save: [`${target.full}/*`] }
    const within = { action: 'read', resources: [{ text: target.shown }], save: [target.shown] }
    const isProtected = sandbox.isSecret(target.full)
    const asked = await call.permit({ ...(target.isOutside ? outside : within), metadata, isProtected })
    if (!asked.ok) return asked
    grants.reads.push(target.full)
  }
  for (const name of wanted.write ?? []) {
    const target = await resolveTarget(project, name)
    if (sandbox.isOwn(target.full)) return toolProblem(`${target.shown} is the server's own: no command changes it`)
    if (!target.isOutside && !isProtectedPath(target.full)) continue
    const asked = await call.permit({
      action: 'sandbox_write',
      resources: [{ text: target.shown }],
      save: [target.shown],
      metadata,
      isProtected: sandbox.isSecret(target.full),
    })
    if (!asked.ok) return asked
    grants.writes.push(target.full)
  }
  for (const name of wanted.network ?? []) {
    const host = readHost(name)
    if (host === undefined) return toolProblem(`${name} is not a host: give name or name:port`)
    const asked = await call.permit({ action: 'sandbox_network', resources: [{ text: host }], save: [host], metadata })
    if (!asked.ok) return asked
    grants.hosts.push(host)
  }
  return succeed({ enclose: () => sandbox.enclose(call, project, workdir, grants, view) })
}

async function permittedOutside(command: string, call: ToolCall, reason: string): Promise<Result<Start, ToolProblem>> {
  const ask = permissionFor(command, 'bash_outside')
  const asked = await call.permit({ ...ask, within: 'bash', metadata: { ...ask.metadata, outside: reason } })
  return asked.ok ? succeed({}) : asked
}

/** Each command of the line is judged by itself; a line that cannot be split is judged whole and stores nothing. */
function permissionFor(command: string, action: 'bash' | 'bash_outside'): PermissionAsk {
  const line = splitShellLine(command)
  const metadata = { command }
  if (line.kind === 'opaque') {
    return {
      action,
      resources: shellResources(line, command),
      save: [],
      metadata: { ...metadata, unparsed: line.reason },
    }
  }
  return {
    action,
    resources: shellResources(line, command),
    save: [...new Set(line.commands.flatMap(({ always }) => always ?? []))],
    metadata,
  }
}

interface EndedShell {
  readonly output: string
  readonly log: string | undefined
  readonly exit: number | null
  readonly wasCut: boolean
  readonly timedOut: boolean
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

function startShell(
  deps: ShellDeps,
  enclosure: Enclosure | undefined,
  command: string,
  directory: string,
): ChildProcess {
  if (enclosure === undefined) {
    return spawn('bash', ['-c', guardedShell, 'bash', command], {
      cwd: directory,
      env: { ...deps.environment },
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

function runShell(
  deps: ShellDeps,
  enclosure: Enclosure | undefined,
  command: string,
  directory: string,
  timeoutMs: number,
  { signal, progress }: Pick<ToolCall, 'signal' | 'progress'>,
): Promise<EndedShell> {
  const output = new CommandOutput(deps.keeper.nextFile('txt'), {
    endBytesMax: shellOutputEndBytesMax,
    logBytesMax: shellLogBytesMax,
  })
  return new Promise((resolve, reject) => {
    const child = startShell(deps, enclosure, command, directory)
    const control = child.stdio[3] as Writable | null
    control?.on('error', () => undefined)
    let timedOut = false
    let killing: ReturnType<typeof setTimeout> | undefined
    let draining: ReturnType<typeof setTimeout> | undefined
    let showing: ReturnType<typeof setTimeout> | undefined
    const take = (chunk: Buffer) => {
      output.add(chunk)
      if (progress === undefined) return
      showing ??= setTimeout(() => {
        showing = undefined
        progress(output.newest(progressBytesMax))
      }, progressMsMin)
    }
    const stop = () => {
      if (killing !== undefined) return
      if (enclosure?.start.hearsSignals ?? true) signalGroup(child.pid, 'SIGTERM')
      else control?.write('end\n')
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
      clearTimeout(showing)
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
      const { text, wasCut, log } = output.end()
      resolve({ output: text, log, exit, wasCut, timedOut })
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
