/**
 * The own-machine host on both of its runtimes, one beside the other in one run: time to ready, requests per second of a
 * small answer, of a page and of the gateway, what the gate costs, and memory idle and after load. Loads run three times;
 * the median is printed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type RuntimeKind, runtimeKinds } from '../../local/workerd/runtime-kind.ts'
import { type HostProcess, startServe } from '../support/process-host.ts'
import { generateLoad, type LoadOptions, type LoadResult, printLoad, residentMebibytes } from './load.ts'

const seconds = 3
const repeats = 3

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function startTimed(
  runtime: RuntimeKind,
  dataFolder: string,
): Promise<{ host: HostProcess; address: string; readyMs: number }> {
  const started = performance.now()
  const host = startServe(['--workers', '--data', dataFolder, '--port', '0', '--runtime', runtime])
  const address = await host.ready()
  return { host, address, readyMs: Math.round(performance.now() - started) }
}

async function stop(host: HostProcess): Promise<number> {
  const started = performance.now()
  host.child.kill('SIGTERM')
  await host.exit
  return Math.round(performance.now() - started)
}

/** The run in the middle, by requests per second. */
async function measure(options: Omit<LoadOptions, 'seconds'>): Promise<LoadResult> {
  const results: LoadResult[] = []
  for (let count = 0; count < repeats; count += 1) results.push(await generateLoad({ ...options, seconds }))
  results.sort((left, right) => left.requestsPerSecond - right.requestsPerSecond)
  const middle = results[Math.floor(repeats / 2)]
  if (middle === undefined) throw new Error('no result')
  return middle
}

function memory(host: HostProcess): string {
  const { total, byName } = residentMebibytes(host.pid)
  const parts = Object.entries(byName).map(([name, mebibytes]) => `${name} ${Math.round(mebibytes)}`)
  return `${Math.round(total)} MiB (${parts.join(', ')})`
}

/** Signs the owner up and makes a token that may read. */
async function makeToken(address: string, link: string): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: address }
  const setup = await fetch(`${address}/api/console/v1/setup`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ code: link.split('code=')[1], password: 'a password for one run' }),
  })
  const cookie = setup.headers.get('set-cookie')?.split(';')[0] ?? ''
  const made = await fetch(`${address}/api/console/v1/tokens`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: JSON.stringify({ name: 'bench', scopes: ['app:read'], lifetime: 'never' }),
  })
  const body: unknown = await made.json()
  if (typeof body === 'object' && body !== null && 'text' in body) return String(body.text)
  throw new Error(`no token: ${made.status} ${JSON.stringify(body)}`)
}

async function run(runtime: RuntimeKind): Promise<void> {
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'wharf-bench-'))
  const say = (line: string) => print(`${runtime}: ${line}`)
  try {
    const first = await startTimed(runtime, dataFolder)
    say(`first start: ready after ${first.readyMs} ms`)
    const link = /\S+code=\S+/.exec(first.host.stdout())?.[0] ?? ''
    const key = /Key of the model gateway[^\n]*\n\s+(\S+)/.exec(first.host.stdout())?.[1] ?? ''
    const token = await makeToken(first.address, link)
    say(`end: ${await stop(first.host)} ms`)

    const { host, address, readyMs } = await startTimed(runtime, dataFolder)
    say(`second start: ready after ${readyMs} ms`)
    say(`memory idle: ${memory(host)}`)
    const meta = `${address}/api/app/v1/meta`
    const bearer = { authorization: `Bearer ${token}` }
    const loads: readonly [name: string, options: Omit<LoadOptions, 'seconds'>][] = [
      ['/meta with a token', { url: meta, headers: bearer, connections: 16 }],
      ['/meta without one', { url: meta, connections: 16 }],
      ['the console page', { url: `${address}/`, connections: 16 }],
      ['refused at the gate', { url: meta, headers: { host: 'evil.example' }, connections: 16 }],
      [
        'models of the gateway',
        { url: `${address}/api/v1/models`, headers: { authorization: `Bearer ${key}` }, connections: 32 },
      ],
    ]
    for (const [name, options] of loads) say(printLoad(name, await measure(options)))
    say(`memory after load: ${memory(host)}`)
    await stop(host)
  } finally {
    await rm(dataFolder, { recursive: true, force: true })
  }
}

for (const runtime of runtimeKinds) await run(runtime)
