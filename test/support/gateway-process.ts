/** The gateway as it is shipped, and the provider of load runs, each as a process of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { leanNodeFlags, leanProcessVariables } from '../../scripts/lean-process.mjs'
import { environmentFor } from './gateway-under-test.ts'

const root = path.join(import.meta.dirname, '../..')

export interface LoadedProcess {
  readonly url: string
  readonly pid: number
  end(): Promise<void>
}

export async function startLoadProvider(): Promise<LoadedProcess> {
  const child = start(['test/support/load-provider.ts'], process.env)
  return { url: await firstLine(child.stdout), ...handle(child) }
}

/** Passes calls on to the provider and does nothing else, in one of its two ways. */
export async function startForwarder(providerUrl: string, way: 'pool' | 'agent'): Promise<LoadedProcess> {
  const child = start(['test/support/bare-forwarder.ts', providerUrl, way], process.env)
  return { url: await firstLine(child.stdout), ...handle(child) }
}

/** What is shipped is what is measured: the one file, built into `folder`, started as the container starts it. */
export async function startShippedGateway(
  providerUrl: string,
  folder: string,
  { workers = 1, dataFolder }: { readonly workers?: number; readonly dataFolder?: string } = {},
): Promise<LoadedProcess> {
  const program = path.join(folder, 'gateway.mjs')
  if (!existsSync(program)) {
    execFileSync(process.execPath, ['scripts/build-gateway.ts', folder, '--no-executable'], { cwd: root })
  }
  const flags = ['--port', '0', '--host', '127.0.0.1', '--workers', String(workers)]
  const kept = dataFolder === undefined ? {} : { DATA_DIR: dataFolder }
  const environment = { ...leanProcessVariables, ...loadEnvironment(providerUrl), ...kept }
  const child = start([...leanNodeFlags, program, ...flags], environment)
  return { url: /http:\S+/.exec(await firstLine(child.stderr))?.[0] ?? '', ...handle(child) }
}

/** Beside the account's provider one of the chat dialect, `near`, whose requests pass as they are. */
export function loadEnvironment(providerUrl: string): Record<string, string> {
  const near = { address: `${providerUrl}/v1`, calls_at_once: 1_024 }
  return { ...environmentFor({ url: providerUrl }), PROVIDERS: JSON.stringify({ near }), LOG_LEVEL: 'error' }
}

function start(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

function handle(child: ChildProcess) {
  const { pid } = child
  if (pid === undefined) throw new Error('the process was not started')
  child.stdout?.resume()
  child.stderr?.resume()
  return {
    pid,
    async end() {
      if (child.exitCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}

async function firstLine(stream: ChildProcess['stdout']): Promise<string> {
  if (stream === null) throw new Error('the process has no output')
  const [piece] = await once(stream, 'data')
  return String(piece).trim()
}
