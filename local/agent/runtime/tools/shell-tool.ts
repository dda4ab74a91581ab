/** bash: a command in its own process group, with a time limit, bounded output and nothing of the server's secrets. */
import { realpath, rm, stat } from 'node:fs/promises'
import { z } from '@hono/zod-openapi'
import { type Result, succeed } from '#shared/kernel/result.ts'
import { readHost } from '../../core/granted-host.ts'
import { type OutsideReason, outsideReason } from '../../core/outside-reason.ts'
import { isProtectedPath } from '../../core/protected-path.ts'
import type { JsonObject } from '../../core/session/message.ts'
import { shellResources, splitShellLine } from '../../core/shell-command.ts'
import {
  backgroundFirstMs,
  backgroundReadBytesMax,
  progressBytesMax,
  progressMsMin,
  sandboxHostsMax,
  sandboxPathsMax,
  shellLogBytesMax,
  shellMsDefault,
  shellMsMax,
  shellOutputEndBytesMax,
  shellProcessesPerSessionMax,
} from '../../limits.ts'
import type { BackgroundCommands } from '../background-commands.ts'
import { loopShare } from '../loop-share.ts'
import type { CommandSandbox, Enclosure } from '../sandbox.ts'
import {
  declareTool,
  type PermissionAsk,
  type Tool,
  type ToolCall,
  type ToolOutput,
  type ToolProblem,
  toolProblem,
} from '../tool-port.ts'
import { describeCommand } from './background-tools.ts'
import { CommandOutput } from './command-output.ts'
import type { OutputKeeper } from './output-keeper.ts'
import { type ShellStart, startShell } from './shell-process.ts'
import { resolveTarget } from './tool-files.ts'

export interface ShellDeps {
  readonly keeper: OutputKeeper
  readonly background: Pick<BackgroundCommands, 'start' | 'next' | 'refusal'>
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
  background: z
    .boolean()
    .optional()
    .describe(
      'Let it go on while you work, as a server or a long build: read it with bash_output, end it with bash_stop',
    ),
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
    foresee: (call) => void deps.sandbox.foresee(call),
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
      if (wanted.background === true) return startInBackground(deps, start.value, wanted.command, place.full, call)
      const count = running.get(call.sessionId) ?? 0
      if (count >= shellProcessesPerSessionMax) return toolProblem('Too many commands of this session still run')
      running.set(call.sessionId, count + 1)
      try {
        const enclosure = await start.value.enclose?.()
        const timeoutMs = wanted.timeout ?? shellMsDefault
        const ended = await runShell(
          deps,
          { enclosure, command: wanted.command, directory: place.full },
          timeoutMs,
          call,
        ).finally(() => enclosure?.close())
        const aside = (await enclosure?.settle()) ?? []
        // Nothing would name it.
        if (call.signal.aborted && ended.log !== undefined) await rm(ended.log, { force: true })
        call.signal.throwIfAborted()
        if (enclosure !== undefined) void deps.sandbox.foresee(call, place.full)
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

/** Its time is its own to end; an interrupt of the turn leaves it running. */
async function startInBackground(
  { background, keeper }: ShellDeps,
  { enclose }: Start,
  command: string,
  directory: string,
  call: ToolCall,
): Promise<Result<ToolOutput, ToolProblem>> {
  const refusal = background.refusal(call.sessionId)
  if (refusal !== undefined) return toolProblem(refusal)
  const enclosure = await enclose?.()
  const id = background.start({
    sessionId: call.sessionId,
    messageId: call.messageId,
    callId: call.callId,
    command,
    directory,
    enclosure,
    log: keeper.nextFile('txt'),
  })
  const look = { since: 0, waitMs: backgroundFirstMs, until: 'end', bytesMax: backgroundReadBytesMax } as const
  const looked = await background.next(call.sessionId, id, look, call.signal)
  if (!looked.ok) return toolProblem(looked.failure.message)
  const { info, piece } = looked.value
  return describeCommand(keeper, info, piece, call.outputLimits, `(in the background as ${id})`)
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
  if (wanted.outside === true) return permittedOutside(wanted.command, call, outsideReason('asked'))
  const view = await sandbox.look(call, project)
  if (loopShare.isSpent()) await loopShare.turn()
  if (view.isCut) return permittedOutside(wanted.command, call, outsideReason('too_large'))
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

async function permittedOutside(
  command: string,
  call: ToolCall,
  { words, kind, detail }: OutsideReason,
): Promise<Result<Start, ToolProblem>> {
  const ask = permissionFor(command, 'bash_outside')
  const metadata = {
    ...ask.metadata,
    outside: words,
    outsideKind: kind,
    ...(detail === '' ? {} : { outsideDetail: detail }),
  }
  const asked = await call.permit({ ...ask, within: 'bash', metadata })
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

async function runShell(
  deps: ShellDeps,
  start: Pick<ShellStart, 'enclosure' | 'command' | 'directory'>,
  timeoutMs: number,
  { signal, progress }: Pick<ToolCall, 'signal' | 'progress'>,
): Promise<EndedShell> {
  // To start a program is among what holds the loop longest.
  if (loopShare.isSpent()) await loopShare.turn()
  signal.throwIfAborted()
  const output = new CommandOutput(deps.keeper.nextFile('txt'), {
    endBytesMax: shellOutputEndBytesMax,
    logBytesMax: shellLogBytesMax,
  })
  let showing: ReturnType<typeof setTimeout> | undefined
  const shell = startShell({
    ...start,
    environment: deps.environment,
    killGraceMs: deps.killGraceMs,
    onOutput(chunk) {
      output.add(chunk)
      if (progress === undefined) return
      showing ??= setTimeout(() => {
        showing = undefined
        progress(output.newest(progressBytesMax))
      }, progressMsMin)
    },
  })
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    shell.stop()
  }, timeoutMs)
  signal.addEventListener('abort', shell.stop)
  try {
    const exit = await shell.ended
    const { text, wasCut, log } = output.end()
    return { output: text, log, exit, wasCut, timedOut }
  } finally {
    clearTimeout(timer)
    clearTimeout(showing)
    signal.removeEventListener('abort', shell.stop)
  }
}
