/** The tools of this machine: servers that only its own programs and browsers reach, each behind a door of its own. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { programFile } from '../bin/installation.mjs'
import { promptNodeFlags } from '../scripts/lean-process.mjs'
import { loadOwnerKey } from './agent/adapters/owner-key.ts'
import { BrowserAuth } from './agent/http/browser-auth.ts'
import { throttleFor } from './agent/http/password-throttle.ts'
import { type Doorkeeper, openDoor } from './doors/door.ts'
import { agentDoorkeeper, type DoorRules, viewerDoorkeeper } from './doors/doorkeepers.ts'
import type { ToolPassword } from './doors/password.ts'
import { startToolChild } from './doors/tool-child.ts'
import { type LaunchTool, sayToolFault, ToolOnDemand } from './doors/tool-on-demand.ts'
import type { StartFault } from './operating/start-faults.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface LoopbackToolOptions {
  /** 0 means any free one. */
  readonly port: number
  /** A port that was asked for never moves; a default one does, when it is taken. */
  readonly isPortAsked: boolean
  readonly dataFolder: string
  readonly environment: Environment
  /** Undefined: every user of this machine may come in. */
  readonly password: ToolPassword | undefined
  /** Whether the index of the folder this was started in is kept up to date while the viewer is used. */
  readonly isIndexKept: boolean
  /** How long it must have nothing to do before it ends; a few minutes where nothing is said. */
  readonly quietMs?: number
  readonly log: (line: string) => void
}

export interface RunningTool {
  readonly address: string
  /** The address that signs a browser in, once. */
  readonly signInAddress: string | undefined
  close(): Promise<void>
}

export type ToolName = 'agent' | 'viewer'

interface LoopbackTool {
  /** As it stands in the table of addresses. */
  readonly name: ToolName
  /** The flag that moves its port, and the key in the parsed flags. */
  readonly portFlag: 'agent-port' | 'viewer-port'
  readonly keeper: (rules: DoorRules, port: () => number) => Doorkeeper
  readonly launcher: (options: LoopbackToolOptions, port: () => number) => LaunchTool
}

/** What the agent server keeps lies beside everything else. */
export function agentDataFolder(dataFolder: string): string {
  return path.join(dataFolder, 'agent')
}

/**
 * `svc serve` as a process of its own: shells of its model cannot read this process's environment through their parent,
 * and neither takes the other down. It listens where every user of this machine reaches it, behind a password that only
 * this process knows.
 */
const agentServer: LoopbackTool = {
  name: 'agent',
  portFlag: 'agent-port',
  keeper: agentDoorkeeper,
  launcher:
    ({ dataFolder, environment, log }) =>
    () => {
      const password = randomBytes(32).toString('base64url')
      const folders = ['--data', agentDataFolder(dataFolder), '--withhold', dataFolder]
      return startToolChild({
        program: programFile('svc'),
        nodeFlags: promptNodeFlags,
        args: ['serve', '--hostname', '127.0.0.1', '--port', '0', ...folders],
        environment: { ...environment, SVC_SERVER_USERNAME: 'door', SVC_SERVER_PASSWORD: password },
        listening(line) {
          const port = /^svc listening on http:\/\/127\.0\.0\.1:(\d+)$/.exec(line)?.[1]
          const authorization = `Basic ${Buffer.from(`door:${password}`).toString('base64')}`
          return port === undefined ? undefined : { host: '127.0.0.1', port: Number(port), authorization }
        },
        busyLine: 'svc is busy',
        log: (line) => log(`agent: ${line}`),
      })
    },
}

/** Reads the index of the folder this was started in; without one every answer says how to build it. */
const codeViewer: LoopbackTool = {
  name: 'viewer',
  portFlag: 'viewer-port',
  keeper: viewerDoorkeeper,
  launcher:
    ({ environment, isIndexKept, log }, port) =>
    async () => {
      // Only the owner reaches what is in it.
      const folder = mkdtempSync(path.join(tmpdir(), 'wharf-'))
      const socketPath = path.join(folder, 'viewer')
      const child = await startToolChild({
        program: programFile('viewer-behind-door'),
        args: [socketPath, String(port())],
        environment,
        listening: (line) => (line === 'viewer listening' ? { socketPath } : undefined),
        log: (line) => log(`viewer: ${line}`),
      })
      if (child.ok) void child.value.ended.then(() => rmSync(folder, { recursive: true, force: true }))
      else rmSync(folder, { recursive: true, force: true })
      if (child.ok && isIndexKept) indexHere(environment, log)
      return child
    },
}

/** Brings the index of this folder up to date beside everything else, and gives way to it. */
function indexHere(environment: Environment, log: (line: string) => void): void {
  const database = path.resolve(environment['VIEWER_DIR'] || '.indexer', 'index.db')
  const indexer = spawn(process.execPath, [programFile('indexer'), existsSync(database) ? 'sync' : 'init', '--quiet'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: environment,
  })
  if (indexer.pid !== undefined) setPriority(indexer.pid, constants.priority.PRIORITY_LOW)
  let said = ''
  indexer.stderr.on('data', (piece) => {
    said += piece
  })
  indexer.on('error', (error) => {
    said += error.message
  })
  const end = (): void => void indexer.kill()
  process.once('exit', end)
  indexer.on('close', (code, signal) => {
    process.off('exit', end)
    if (code !== 0 && signal === null) log(`The index of this folder is not up to date: ${said.trim()}`)
  })
}

/** In the order in which they are listed. */
export const loopbackTools: readonly LoopbackTool[] = [agentServer, codeViewer]

export async function openTool(
  tool: LoopbackTool,
  options: LoopbackToolOptions,
): Promise<Result<RunningTool, StartFault>> {
  const { password, dataFolder, port, isPortAsked, log } = options
  const key = password === undefined ? undefined : loadOwnerKey(path.join(dataFolder, 'doors', 'browser-auth'))
  if (key?.ok === false) return failWith({ kind: 'browser_key', fault: key.failure })
  const clock = { nowMs: () => Date.now() }
  const browserAuth = key === undefined ? undefined : new BrowserAuth(key.value, clock)
  let boundPort = port
  const onDemand = new ToolOnDemand(
    tool.launcher(options, () => boundPort),
    (fault) => log(`The ${tool.name} did not start: ${sayToolFault(fault)}`),
    options.quietMs,
  )
  const rules = { credentials: password, browserAuth, throttle: throttleFor(password?.password, clock) }
  const door = await openDoor({ port, isPortAsked }, (at) => tool.keeper(rules, at), onDemand)
  if (!door.ok) return failWith({ kind: 'tool_port', tool: tool.name, flag: tool.portFlag, fault: door.failure })
  boundPort = door.value.port
  const address = `http://127.0.0.1:${boundPort}`
  return succeed({
    address,
    signInAddress: browserAuth?.addressAt(address),
    async close() {
      await Promise.all([door.value.close(), onDemand.close()])
    },
  })
}
