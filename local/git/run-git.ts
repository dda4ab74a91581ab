/**
 * The one way to run git. What a repository, this machine or our environment says about programs, the network, hooks
 * and filters has no effect; where the repository is a stranger's, `read-view.ts` keeps its configuration unread as well.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { startProgram } from '../starter/start-program.ts'
import { signalGroup } from '../starter/started-program.ts'
import { gitMsMax, gitOutputBytesMax, gitProblemCharsMax } from './limits.ts'
import { loosenPipes } from './loosen-pipes.ts'

export interface GitRun {
  /** Where it works. Programs are never looked for here. */
  readonly cwd: string
  /** The `PATH` by which git itself is found. */
  readonly searchPath: string
  /** Further `-c` settings. */
  readonly settings?: readonly string[]
  /** `GIT_…` variables that say where repository, work tree and index are; an empty one is left out. */
  readonly places?: Readonly<Record<string, string>>
  /** Names for its standard input, each ended by a zero byte. */
  readonly input?: readonly string[]
  /** Ways to other repositories it may take, for a copy the owner asked for; otherwise none. */
  readonly protocols?: readonly string[]
  readonly msMax?: number
  /** Reading stops here, and git is ended. */
  readonly outputBytesMax?: number
  readonly signal?: AbortSignal | undefined
}

export interface GitOutput {
  readonly text: string
  /** Whether `outputBytesMax` was reached. */
  readonly isCut: boolean
}

interface OfCommand {
  readonly command: string
}
const sentences = {
  not_begun: ({ command }: OfCommand) => `git ${command} was not begun`,
  stopped: ({ command }: OfCommand) => `git ${command} was stopped`,
  late: ({ command }: OfCommand) => `git ${command} took too long`,
  too_much: ({ command }: OfCommand) => `git ${command} said too much`,
  /** `said`: on its standard error. */
  ended: ({ command, code, said }: OfCommand & { code: number | null; said: string }) =>
    `git ${command} ended with ${code}: ${said}`,
  /** `cause`: the system. */
  failed: ({ command, cause }: OfCommand & { cause: string }) => `git ${command} ${cause}`,
}

type GitFault = FaultOf<typeof sentences>
export const sayGitFault = sayBy(sentences)

/** Each wins over whatever a file says: given on the command line it is read last. */
const harmless = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.attributesFile=/dev/null',
  'core.pager=cat',
  'core.editor=false',
  'core.askPass=',
  'core.sshCommand=false',
  'core.gitProxy=false',
  'core.alternateRefsCommand=false',
  'core.commitGraph=false',
  'core.multiPackIndex=false',
  'credential.helper=',
  'diff.external=',
  'gpg.program=false',
  'gpg.ssh.program=false',
  'gpg.x509.program=false',
  'log.showSignature=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'safe.bareRepository=explicit',
  'gc.auto=0',
  'maintenance.auto=false',
]

export function runGit(args: readonly string[], run: GitRun): Promise<Result<GitOutput, GitFault>> {
  const outputBytesMax = run.outputBytesMax ?? gitOutputBytesMax
  const command = commandOf(args)
  return new Promise((resolve) => {
    if (run.signal?.aborted === true) return resolve(failWith({ kind: 'not_begun', command }))
    const child = startProgram('git', argumentsOf(args, run), {
      cwd: run.cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: environmentOf(run),
      // A copy has helpers of its own, which end with it.
      detached: run.protocols !== undefined,
    })
    const out: Buffer[] = []
    let bytes = 0
    let problem = ''
    let ending: 'stopped' | 'late' | 'too_much' | undefined
    const end = (why: 'stopped' | 'late' | 'too_much'): void => {
      ending ??= why
      if (run.protocols === undefined) child.kill('SIGKILL')
      else signalGroup(child, 'SIGKILL')
    }
    const stop = (): void => end('stopped')
    const late = setTimeout(() => end('late'), run.msMax ?? gitMsMax)
    run.signal?.addEventListener('abort', stop)
    const stopLoosening = loosenPipes(run.cwd)
    child.stdout?.on('data', (chunk: Buffer) => {
      if (bytes > outputBytesMax) return
      bytes += chunk.length
      out.push(chunk)
      if (bytes > outputBytesMax) end('too_much')
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      if (problem.length < gitProblemCharsMax) problem += chunk.toString('utf8')
    })
    const settle = (outcome: Result<GitOutput, GitFault>): void => {
      clearTimeout(late)
      stopLoosening()
      run.signal?.removeEventListener('abort', stop)
      resolve(outcome)
    }
    child.on('error', (error: Error) => settle(failWith({ kind: 'failed', command, cause: error.message })))
    // One that ends early says so by how it ended.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(run.input?.map((name) => `${name}\0`).join(''))
    child.on('close', (code: number | null) => {
      const isCut = bytes > outputBytesMax
      if ((code === 0 && ending === undefined) || isCut) {
        settle(succeed({ text: Buffer.concat(out).subarray(0, outputBytesMax).toString('utf8'), isCut }))
      } else if (ending !== undefined) settle(failWith({ kind: ending, command }))
      else settle(failWith({ kind: 'ended', command, code, said: problem.trim() }))
    })
  })
}

/** For programs that do one thing at a time. Output that is too long is a failure here. */
export function runGitSync(args: readonly string[], run: Omit<GitRun, 'signal'>): Result<string, GitFault> {
  const command = commandOf(args)
  const done = spawnSync('git', argumentsOf(args, run), {
    cwd: run.cwd,
    env: environmentOf(run),
    encoding: 'utf8',
    input: run.input?.map((name) => `${name}\0`).join('') ?? '',
    timeout: run.msMax ?? gitMsMax,
    killSignal: 'SIGKILL',
    maxBuffer: run.outputBytesMax ?? gitOutputBytesMax,
  })
  if (done.error !== undefined) return failWith({ kind: 'failed', command, cause: done.error.message })
  if (done.status === 0) return succeed(done.stdout)
  const said = done.stderr.slice(0, gitProblemCharsMax).trim()
  return failWith({ kind: 'ended', command, code: done.status, said })
}

function argumentsOf(args: readonly string[], run: GitRun): string[] {
  const settings = [...harmless, ...(run.settings ?? [])].flatMap((setting) => ['-c', setting])
  return ['--no-pager', '--literal-pathspecs', ...settings, ...args]
}

/** Nothing of our own environment but where programs are; a folder that is named relative to another is none of those. */
function environmentOf({ searchPath, places, protocols }: GitRun): Record<string, string> {
  const environment: Record<string, string> = {
    PATH: searchPath
      .split(path.delimiter)
      .filter((folder) => path.isAbsolute(folder))
      .join(path.delimiter),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'false',
    SSH_ASKPASS: 'false',
    // A list in which no way is named allows none.
    GIT_ALLOW_PROTOCOL: protocols?.join(':') ?? 'none',
    ...places,
  }
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
}

function commandOf(args: readonly string[]): string {
  return args[0] ?? ''
}
