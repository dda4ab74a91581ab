/** The whole service as its users run it: a process of its own on a data folder of its own, driven over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { leanProcessVariables, serviceNodeFlags } from '../../scripts/lean-process.mjs'
import { checkAnswer } from './app-contract.ts'
import { until } from './daemon-process.ts'
import { quickFolder } from './memory-folder.ts'
import { runtimeUnderTest } from './process-host.ts'

export const ownerPassword = 'correct horse battery'

export interface WharfAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into many shapes, each already judged by its contract
  readonly body: any
  /** As it came, for scans. */
  readonly text: string
}

export interface RunningWharf {
  readonly dataFolder: string
  /** Without a trailing slash. */
  readonly origin: string
  readonly setupCode: string | undefined
  readonly pid: number
  /** All it printed so far. */
  said(): string
  request(method: string, path: string, headers: Readonly<Record<string, string>>, json?: unknown): Promise<WharfAnswer>
  /** Ends as Ctrl+C does; resolves with the exit code. */
  stop(): Promise<number | null>
  /** Ends without a word. */
  kill(): Promise<void>
}

export function temporaryFolder(): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(path.join(quickFolder(), 'wharf-test-'))
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

/** The first one bundles the Worker: seconds on a quiet machine, and much longer beside other work. */
const readyMs = 60_000

export async function startWharf(
  dataFolder: string,
  flags: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningWharf> {
  const child = spawn(
    process.execPath,
    [
      ...serviceNodeFlags,
      'local/serve.mjs',
      '--workers',
      '--data',
      dataFolder,
      '--port',
      '0',
      '--agent-port',
      '0',
      '--viewer-port',
      '0',
      '--runtime',
      runtimeUnderTest,
      ...flags,
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...leanProcessVariables, ...process.env, ...variables },
    },
  )
  // A test that fails half-way leaves nothing running, and one that ends it nothing in this process either.
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece) => {
      said += piece
    })
  }
  await until(
    'the service to be ready',
    async () => {
      if (hasEnded(child)) throw new Error(`the service ended: ${said}`)
      return said.includes('Ready in') ? true : undefined
    },
    readyMs,
  )
  const { addresses } = JSON.parse(readFileSync(path.join(dataFolder, 'addresses.json'), 'utf8'))
  const origin = new URL(addresses['app-api']).origin
  return {
    dataFolder,
    origin,
    setupCode: /setup\?code=([\w-]+)/.exec(said)?.[1],
    pid: child.pid ?? 0,
    said: () => said,
    async request(method, path, headers, json) {
      const answer = await fetch(`${origin}${path}`, {
        method,
        headers: { ...headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      })
      const text = await answer.text()
      const body = JSON.parse(text)
      checkAnswer(method, path, answer.status, body)
      return { status: answer.status, headers: answer.headers, body, text }
    },
    async stop() {
      child.kill('SIGINT')
      const code = await waitForEnd(child)
      return code
    },
    async kill() {
      child.kill('SIGKILL')
      await waitForEnd(child)
    },
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function waitForEnd(child: ChildProcess): Promise<number | null> {
  if (!hasEnded(child)) await once(child, 'exit')
  return child.exitCode
}

/** Headers of the signed-in owner's browser; the first call sets the password. */
export async function ownerOf(wharf: RunningWharf): Promise<Record<string, string>> {
  const page = { origin: wharf.origin }
  const answer =
    wharf.setupCode === undefined
      ? await wharf.request('POST', '/api/console/v1/sign-in', page, { password: ownerPassword })
      : await wharf.request('POST', '/api/console/v1/setup', page, { code: wharf.setupCode, password: ownerPassword })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0]
  if (cookie === undefined) throw new Error(`no session: ${JSON.stringify(answer.body)}`)
  return { ...page, cookie }
}

export async function tokenOf(
  wharf: RunningWharf,
  owner: Readonly<Record<string, string>>,
  scopes: readonly string[],
): Promise<Record<string, string>> {
  const made = await wharf.request('POST', '/api/console/v1/tokens', owner, { name: 'test', scopes, lifetime: '30d' })
  return { authorization: `Bearer ${made.body.text}` }
}
