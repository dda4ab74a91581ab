/**
 * The own-machine host on both of its runtimes, one beside the other in one run: time to ready, requests per second of a
 * small answer, of a page and of the gateway, what the gate costs, and memory idle and after load. Loads run three times;
 * the median is printed. Then starts of the package as it is installed, by its command. Of a start the processor time is
 * printed too: on a busy machine it says more than the clock. Then both at their work by turns (`host-work.ts`).
 * `npm run bench -- host package` runs one of the four.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type RuntimeKind, runtimeKinds } from '../../local/workerd/runtime-kind.ts'
import { installInto, packInto } from '../support/installed-package.ts'
import { type HostProcess, startCommand, startServe } from '../support/process-host.ts'
import { benchWork } from './host-work.ts'
import { generateLoad, type LoadOptions, type LoadResult, median, printLoad, residentMebibytes } from './load.ts'

const seconds = 3
const repeats = 3
const starts = 10
/** Of the clock in which the kernel tells processor times. */
const msPerTick = 10

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

interface TimedStart {
  readonly host: HostProcess
  readonly address: string
  readonly readyMs: number
  /** Of the process that was started; what it started in turn is not in it. */
  readonly processorMs: number
}

async function timed(start: () => HostProcess): Promise<TimedStart> {
  const started = performance.now()
  const host = start()
  const address = await host.ready()
  return { host, address, readyMs: Math.round(performance.now() - started), processorMs: processorMsOf(host.pid) }
}

/** proc_pid_stat(5): the 14th and the 15th field, behind the name, which may have blanks. */
function processorMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * msPerTick
}

function printStart({ readyMs, processorMs }: Pick<TimedStart, 'readyMs' | 'processorMs'>): string {
  return `ready after ${readyMs} ms, ${processorMs} ms of the processor`
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
    const start = () => startServe(['--workers', '--data', dataFolder, '--port', '0', '--runtime', runtime])
    const first = await timed(start)
    say(`first start: ${printStart(first)}`)
    const link = /\S+code=\S+/.exec(first.host.stdout())?.[0] ?? ''
    const key = /Key of the model gateway[^\n]*\n\s+(\S+)/.exec(first.host.stdout())?.[1] ?? ''
    const token = await makeToken(first.address, link)
    say(`end: ${await stop(first.host)} ms`)

    const second = await timed(start)
    const { host, address } = second
    say(`second start: ${printStart(second)}`)
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

/** As whoever installed it starts it, in a home of its own. */
async function runPackage(): Promise<void> {
  const base = await mkdtemp(path.join(os.tmpdir(), 'wharf-bench-package-'))
  try {
    const command = path.join(installInto(path.join(base, 'place'), packInto(base)), 'wharf')
    const flags = ['--data', path.join(base, 'data'), '--port', '0', '--agent-port', '0', '--viewer-port', '0']
    const start = () => startCommand(command, flags, { HOME: base, XDG_CACHE_HOME: '' })
    const all: TimedStart[] = []
    for (let count = 0; count <= starts; count += 1) {
      const one = await timed(start)
      all.push(one)
      if (count === starts) print(`package: memory idle: ${memory(one.host)}`)
      await stop(one.host)
    }
    const [first, ...later] = all
    if (first !== undefined) print(`package: first start: ${printStart(first)}`)
    const middle = (of: 'readyMs' | 'processorMs') => median(later.map((one) => one[of]))
    const figures = { readyMs: middle('readyMs'), processorMs: middle('processorMs') }
    print(`package: median of ${starts} further starts: ${printStart(figures)}; load ${os.loadavg()[0]?.toFixed(1)}`)
  } finally {
    await rm(base, { recursive: true, force: true, maxRetries: 10 })
  }
}

const parts = new Map([
  ...runtimeKinds.map((kind) => [kind, () => run(kind)] as const),
  ['package', runPackage] as const,
  ['work', () => benchWork(print)] as const,
])
const asked = process.argv.slice(2)
for (const [name, part] of parts) if (asked.length === 0 || asked.includes(name)) await part()
