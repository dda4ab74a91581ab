/** The tools of this machine: servers that only its own programs and browsers reach. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { guardProcess } from './workerd/guard-child.ts'

export interface LoopbackToolOptions {
  /** 0 means any free one. */
  readonly port: number
  /** A port that was asked for never moves; a default one may, where the tool's own rules say so. */
  readonly isPortAsked: boolean
  readonly dataFolder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly log: (line: string) => void
}

export interface RunningTool {
  readonly address: string
  close(): Promise<void>
}

export interface LoopbackTool {
  /** As it stands in the table of addresses. */
  readonly name: string
  /** The flag that moves its port, and the key in the parsed flags. */
  readonly portFlag: 'agent-port' | 'viewer-port'
  readonly defaultPort: number
  start(options: LoopbackToolOptions): Promise<Result<RunningTool, string>>
}

/** Time for a tool to say where it listens; longer means that it never will. */
const startMsMax = 30_000
/** Time for a tool to end by itself before it is ended. */
const endMsMax = 1_500

/** What the agent server keeps lies beside everything else. */
export function agentDataFolder(dataFolder: string): string {
  return path.join(dataFolder, 'agent')
}

/**
 * `svc serve` as a process of its own: shells of its model cannot read this process's environment through their parent,
 * and neither takes the other down.
 */
const agentServer: LoopbackTool = {
  name: 'agent',
  portFlag: 'agent-port',
  defaultPort: 4096,
  async start(options) {
    const { port, dataFolder, environment, log } = options
    const program = path.join(import.meta.dirname, 'svc.mjs')
    const folders = ['--data', agentDataFolder(dataFolder), '--withhold', dataFolder]
    const flags = ['serve', '--port', String(port), ...folders]
    const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'pipe'], env: environment })
    const guard = child.pid === undefined ? undefined : guardProcess(child.pid)
    const ended = once(child, 'exit').then(() => guard?.dismiss())
    let problem = ''
    createInterface(child.stderr).on('line', (line) => {
      problem ||= line
      log(line)
    })
    const address = await new Promise<string | undefined>((resolve) => {
      createInterface(child.stdout).on('line', (line) => {
        const listening = /^svc listening on (\S+)$/.exec(line)?.[1]
        if (listening === undefined) log(line)
        else resolve(listening)
      })
      setTimeout(() => resolve(undefined), startMsMax).unref()
      void ended.then(() => resolve(undefined))
    })
    if (address === undefined) {
      child.kill('SIGKILL')
      if (!options.isPortAsked && / is in use$/.test(problem)) {
        log(`${problem}; the agent server takes another one`)
        return agentServer.start({ ...options, port: 0, isPortAsked: true })
      }
      return failWith(
        `The agent server did not start: ${problem === '' ? 'it said nothing' : problem}; move it with --agent-port`,
      )
    }
    return succeed({
      address,
      async close() {
        child.kill('SIGTERM')
        const insist = setTimeout(() => child.kill('SIGKILL'), endMsMax)
        await ended
        clearTimeout(insist)
      },
    })
  },
}

/** Reads the index of the folder this was started in; without one every answer says how to build it. */
const codeViewer: LoopbackTool = {
  name: 'viewer',
  portFlag: 'viewer-port',
  defaultPort: 4747,
  async start({ port, isPortAsked, environment, log }) {
    const [{ startViewer }, { indexPlace }] = await Promise.all([
      import('./viewer/serve-viewer.ts'),
      import('./indexer/store/index-folder.ts'),
    ])
    return startViewer({
      place: indexPlace(process.cwd(), environment['VIEWER_DIR']),
      port: isPortAsked ? port : undefined,
      isReadOnly: false,
      isWatchWanted: true,
      report: log,
    })
  },
}

/** In the order in which they start and are listed. */
export const loopbackTools: readonly LoopbackTool[] = [agentServer, codeViewer]
