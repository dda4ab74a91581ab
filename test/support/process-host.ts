/** Starts the host as people do, in a process of its own, and watches it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { defaultRuntime, type RuntimeKind, runtimeKinds } from '../../local/workerd/runtime-kind.ts'
import { leanProcessVariables, serviceNodeFlags } from '../../scripts/lean-process.mjs'

const root = path.resolve(import.meta.dirname, '..', '..')
const pollMs = 20
const heldPipesMs = 500

export interface HostExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface HostProcess {
  readonly child: ChildProcess
  readonly pid: number
  stdout(): string
  stderr(): string
  /** Settles when the process has ended; asking twice is fine. */
  readonly exit: Promise<HostExit>
  /** The address it serves at; rejects when it ends first, or takes too long. */
  ready(timeoutMs?: number): Promise<string>
}

export interface StartOptions {
  readonly uid?: number
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/** `node local/serve.mjs …`, started as `npm start` starts it. */
export function startServe(args: readonly string[], options: StartOptions = {}): HostProcess {
  const command = [...serviceNodeFlags, path.join(root, 'local', 'serve.mjs'), ...withFreePorts(args)]
  const env = { ...leanProcessVariables, ...(options.env ?? process.env) }
  return watchCommand(process.execPath, command, { ...options, env }, /^ {2}console +(http:\S+?)\/$/m)
}

/** The host with the probe script in place of ours. */
export function startProbe(
  dataFolder: string,
  args: readonly string[] = [],
  port = 0,
  runtime: RuntimeKind = runtimeUnderTest,
): HostProcess {
  const entry = path.join(import.meta.dirname, 'process-probe-host.ts')
  return watch(entry, [dataFolder, String(port), `--runtime=${runtime}`, ...args], {}, /^Ready at (http:\S+)$/m)
}

/** `npm start`'s bootstrap. */
export function startBootstrap(args: readonly string[]): HostProcess {
  return watch(path.join(root, 'scripts', 'start.mjs'), withFreePorts(args), {}, /^ {2}console +(http:\S+?)\/$/m)
}

/** Projects run the same suites on the runtime of their own; without one it is the host's choice. */
const runtimeAsked = runtimeKinds.find((kind) => kind === process.env['WHARF_TEST_RUNTIME'])
export const runtimeUnderTest: RuntimeKind = runtimeAsked ?? defaultRuntime
const runtimeFlag = runtimeAsked === undefined ? [] : ['--runtime', runtimeAsked]

/** The tools beside the Worker take any port, so that tests never meet one another. */
function withFreePorts(args: readonly string[]): readonly string[] {
  return ['--agent-port', '0', '--viewer-port', '0', ...runtimeFlag, ...args]
}

/** `npm start`, as typed. */
export function startNpm(args: readonly string[]): HostProcess {
  return watchCommand(
    'npm',
    ['start', '--silent', '--', ...runtimeFlag, ...args],
    { cwd: root },
    /^ {2}console +(http:\S+?)\/$/m,
  )
}

/** Any command that starts the host in the end. */
export function startCommand(
  command: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): HostProcess {
  return watchCommand(command, args, { env: { ...process.env, ...variables } }, /^ {2}console +(http:\S+?)\/$/m)
}

function watch(entry: string, args: readonly string[], options: StartOptions, readyLine: RegExp): HostProcess {
  return watchCommand(process.execPath, [entry, ...args], options, readyLine)
}

function watchCommand(command: string, args: readonly string[], options: StartOptions, readyLine: RegExp): HostProcess {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  // What it said last is read after its end, unless a program that outlives it holds its pipes.
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const exit = new Promise<HostExit>((resolve) =>
    child.on('exit', (code, signal) => {
      void Promise.race([closed, delay(heldPipesMs)]).then(() => resolve({ code, signal }))
    }),
  )
  let isOver = false
  void exit.then(() => {
    isOver = true
  })
  if (child.pid === undefined) throw new Error('the host could not be started')
  return {
    child,
    pid: child.pid,
    stdout: () => stdout,
    stderr: () => stderr,
    exit,
    async ready(timeoutMs = 100_000) {
      await until(() => isOver || readyLine.test(stdout), timeoutMs)
      const address = readyLine.exec(stdout)?.[1]
      if (address === undefined) throw new Error(`the host ended before it was ready: ${stdout}${stderr}`)
      return address
    },
  }
}

/** Polls until it holds; throws after the bound. */
export async function until(holds: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not so after ${timeoutMs} ms`)
    await delay(pollMs)
  }
}

/** The runtimes that have this data folder open, whoever started them. */
export function runtimesOf(dataFolder: string, runtime: RuntimeKind = runtimeUnderTest): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^[0-9]+$/.test(entry))
    .map(Number)
    .filter((pid) => (runtime === 'node' ? isNodeRuntime(pid, dataFolder) : isWorkerd(pid, dataFolder)))
    .filter((pid) => !/^State:\tZ/m.test(read(`/proc/${pid}/status`)))
}

function isWorkerd(pid: number, dataFolder: string): boolean {
  if (read(`/proc/${pid}/comm`).trim() !== 'workerd') return false
  return read(`/proc/${pid}/environ`).split('\0').includes(`WHARF_DATA_FOLDER=${dataFolder}`)
}

/** The host itself, not what starts it. */
function isNodeRuntime(pid: number, dataFolder: string): boolean {
  const parts = read(`/proc/${pid}/cmdline`).split('\0')
  const isHost = parts.some((part) => part.endsWith('/process-probe-host.ts')) || parts.includes('--workers')
  return isHost && parts.includes(dataFolder)
}

/** Everything below a process: numbers, arguments and environments. */
export function processesBelow(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((entry) => /^[0-9]+$/.test(entry))
    .map(Number)
    .filter((one) => new RegExp(`^PPid:\t${pid}$`, 'm').test(read(`/proc/${one}/status`)))
  return children.flatMap((child) => [child, ...processesBelow(child)])
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
