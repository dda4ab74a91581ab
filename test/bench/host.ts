/**
 * The own-machine host: time to ready, requests per second of a small answer and of a page, what the gate costs, and
 * memory idle and after load. Loads run three times; the median is printed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type HostProcess, startServe } from '../support/process-host.ts'
import { generateLoad, type LoadOptions, type LoadResult, printLoad, residentMebibytes } from './load.ts'

const connections = 32
const seconds = 3
const repeats = 3

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function startTimed(dataFolder: string): Promise<{ host: HostProcess; address: string; readyMs: number }> {
  const started = performance.now()
  const host = startServe(['--workers', '--data', dataFolder, '--port', '0'])
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
async function measure(options: Pick<LoadOptions, 'url' | 'headers'>): Promise<LoadResult> {
  const results: LoadResult[] = []
  for (let count = 0; count < repeats; count += 1) {
    results.push(await generateLoad({ ...options, connections, seconds }))
  }
  results.sort((left, right) => left.requestsPerSecond - right.requestsPerSecond)
  const middle = results[Math.floor(repeats / 2)]
  if (middle === undefined) throw new Error('no result')
  return middle
}

function printMemory(when: string, host: HostProcess): void {
  const { total, byName } = residentMebibytes(host.pid)
  const parts = Object.entries(byName).map(([name, mebibytes]) => `${name} ${Math.round(mebibytes)}`)
  print(`memory ${when}: ${Math.round(total)} MiB (${parts.join(', ')})`)
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

const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'wharf-bench-'))
try {
  const first = await startTimed(dataFolder)
  print(`first start: ready after ${first.readyMs} ms`)
  const link = /\S+code=\S+/.exec(first.host.stdout())?.[0] ?? ''
  const token = await makeToken(first.address, link)
  print(`end: ${await stop(first.host)} ms`)

  const second = await startTimed(dataFolder)
  print(`second start: ready after ${second.readyMs} ms`)
  printMemory('idle', second.host)
  const meta = `${second.address}/api/app/v1/meta`
  print(printLoad('/meta with a token', await measure({ url: meta, headers: { authorization: `Bearer ${token}` } })))
  print(printLoad('/meta without one', await measure({ url: meta })))
  print(printLoad('the console page', await measure({ url: `${second.address}/` })))
  print(printLoad('refused at the gate', await measure({ url: meta, headers: { host: 'evil.example' } })))
  printMemory('after load', second.host)
  await stop(second.host)
} finally {
  await rm(dataFolder, { recursive: true, force: true })
}
