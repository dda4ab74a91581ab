// npm run bench -- gateway: what the gateway adds to its provider, on Node and under workerd, and how large it is.
// Beside it the floor: what Node itself takes to pass a whole answer on, through the gateway's own pool and, for comparison,
// piped through the runtime's own client. Every target is warmed up before it is measured: what a runtime compiles in its
// first second is the cost of a start, not of a request.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import {
  type LoadedProcess,
  loadEnvironment,
  startForwarder,
  startLoadProvider,
  startShippedGateway,
} from '../support/gateway-process.ts'
import { sonnet, testKey } from '../support/gateway-under-test.ts'
import { KeptConnection, requestBytes } from '../support/kept-connection.ts'
import { startPlainHost } from '../support/own-host.ts'
import { generateLoad, type LoadOptions, median, printLoad, processorMs, residentMebibytes } from './load.ts'

const root = path.join(import.meta.dirname, '../..')
const secondsEach = 3
const warmUpSeconds = 2
const streamChunks = 200
const turnRounds = 7
/** Of a median of fewer, one slow answer is most. */
const firstBytesLeast = 12
const endless = { budget_day_usd: 1_000_000, budget_month_usd: 1_000_000, tokens_per_minute: 1_000_000_000 }
const print = (line: string) => console.log(line)

interface Target {
  readonly name: string
  readonly base: string
  readonly isGateway: boolean
  /** What opens it; the key of the settings unless it says otherwise. */
  readonly key?: string
  /** What is asked for; a model of the account's provider unless it says otherwise. */
  readonly model?: string
  /** Of a target whose processor time is told. */
  readonly pid?: number
}

const folder = mkdtempSync(path.join(tmpdir(), 'gateway-bench-'))
const provider = await startLoadProvider()
const forwarder = await startForwarder(provider.url, 'pool')
const piping = await startForwarder(provider.url, 'agent')
const gateway = await startShippedGateway(provider.url, folder)
const keeping = await startShippedGateway(provider.url, folder, { dataFolder: path.join(folder, 'kept') })
const two = await startShippedGateway(provider.url, folder, { workers: 2 })
const worker = await startPlainHost(folder, { variables: loadEnvironment(provider.url) })

const of = (name: string, { url, pid }: LoadedProcess, isGateway = true): Target => ({
  name,
  base: url,
  isGateway,
  pid,
})
const node = of('node', gateway)
const passed: Target = { ...node, name: 'node, passed', model: 'near/some' }
const keyed: Target = { ...of('node, a key, on disk', keeping), key: await namedKey(keeping.url, {}) }
const budgeted: Target = { ...keyed, name: 'node, a budget, on disk', key: await namedKey(keeping.url, endless) }
const [bare, bareAgent] = [of('bare forwarder', forwarder, false), of('bare forwarder, piped', piping, false)]
const twice = of('node, two processes', two)
const targets: readonly Target[] = [
  { name: 'provider', base: provider.url, isGateway: false },
  node,
  { name: 'workerd', base: `${worker.address}/api/v1`, isGateway: true },
]
const answering = [bare, bareAgent, passed, keyed, budgeted, twice]
const restMebibytes = residentMebibytes(gateway.pid).total

for (const target of [...answering, ...targets]) {
  for (const stream of answering.includes(target) ? [false] : [false, true]) {
    await generateLoad({ ...requestFor(target, sonnet, stream), connections: 32, seconds: warmUpSeconds })
  }
}
const p50AtOne = new Map<Target, number>()
for (const connections of [1, 32, 128]) {
  for (const target of [bare, passed, keyed, ...targets]) {
    const { result, note } = await measure(target, { ...requestFor(target, sonnet, false), connections })
    if (connections === 1) p50AtOne.set(target, result.p50Ms)
    print(`${printLoad(`JSON, ${connections} at once, ${target.name}`, result)}${note}`)
  }
}
for (const target of [bare, node, keyed]) {
  const added = (p50AtOne.get(target) ?? 0) - (p50AtOne.get(targets[0] as Target) ?? 0)
  print(`added to the provider's p50 at 1: ${added.toFixed(2)} ms, ${target.name}`)
}
for (const line of await byTurns()) print(line)
for (const connections of [1, 32]) {
  for (const target of [bare, ...targets]) {
    const { result, note } = await measure(target, { ...requestFor(target, sonnet, true), connections })
    const chunks = Math.round(result.requestsPerSecond * streamChunks)
    print(`${printLoad(`streams of 200, ${connections} at once, ${target.name}`, result)}${note}; ${chunks} chunks/s`)
  }
}
for (const connections of [1, 32]) {
  for (const target of targets) {
    const firsts = await firstBytesMs(target, connections)
    print(`paced 5 ms, ${connections} at once, ${target.name}: first byte p50 ${median(firsts).toFixed(2)} ms`)
  }
}
const loadedMebibytes = residentMebibytes(gateway.pid).total
print(
  `memory of the Node gateway: ${restMebibytes.toFixed(0)} MiB before, ${loadedMebibytes.toFixed(0)} MiB after load`,
)
print(`gateway alone, minified: ${(await bundleBytes()).toLocaleString('en')} bytes of gzip, without the tokenizer`)

for (const process of [gateway, keeping, two, forwarder, piping, provider]) await process.end()
await worker.close()
rmSync(folder, { recursive: true, force: true })

/** Beside the load's own figures: the processor time of a request, which a busy machine blurs least. */
async function measure({ pid }: Target, options: Omit<LoadOptions, 'seconds'>) {
  const before = pid === undefined ? 0 : processorMs(pid)
  const result = await generateLoad({ ...options, seconds: secondsEach })
  if (pid === undefined) return { result, note: '' }
  const each = ((processorMs(pid) - before) * 1_000) / result.requests
  return { result, note: `; ${each.toFixed(0)} µs of processor a request` }
}

/**
 * Processor time of 10,000 requests at 32 at once, of all processes of a target, beside the floor's of the same round. Rates
 * are told beside it: on a machine that the generator and the provider share they say less.
 */
async function byTurns(): Promise<readonly string[]> {
  const taking = [bare, bareAgent, node, passed, keyed, budgeted, twice]
  const rounds = taking.map((target) => ({
    target,
    seconds: [] as number[],
    rates: [] as number[],
    shares: [] as number[],
  }))
  for (let round = 0; round < turnRounds; round += 1) {
    for (const one of rounds) {
      const { pid = 0 } = one.target
      const before = processorMs(pid)
      const result = await generateLoad({ ...requestFor(one.target, sonnet, false), connections: 32, seconds: 1 })
      one.seconds.push(((processorMs(pid) - before) * 10) / result.requests)
      one.rates.push(result.requestsPerSecond)
      one.shares.push((rounds[0]?.seconds[round] ?? 0) / (one.seconds[round] ?? 0))
    }
  }
  return rounds.map(
    ({ target, seconds, rates, shares }) =>
      `by turns, 32 at once, ${target.name}: ${median(seconds).toFixed(2)} s of processor for 10,000 ` +
      `(least ${Math.min(...seconds).toFixed(2)}), the floor's is ${median(shares).toFixed(2)} of it; ${Math.round(median(rates))} req/s`,
  )
}

/** A key of its own for the load, which no bound of it ever stops. */
async function namedKey(base: string, limits: object): Promise<string> {
  const made = await fetch(`${base}/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}` },
    body: JSON.stringify({ name: 'load', ...limits }),
  })
  return ((await made.json()) as { readonly secret: string }).secret
}

function requestFor(target: Target, sent: string, stream: boolean) {
  const model = target.model ?? sent
  const messages = [{ role: 'user', content: 'What is the answer to everything?' }]
  return target.isGateway
    ? {
        method: 'POST',
        url: `${target.base}/chat/completions`,
        headers: { authorization: `Bearer ${target.key ?? testKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages, stream }),
      }
    : {
        method: 'POST',
        url: `${target.base}/model/${encodeURIComponent(model)}/${stream ? 'converse-stream' : 'converse'}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content: [{ text: 'What is the answer?' }] }] }),
      }
}

async function firstBytesMs(target: Target, connections: number): Promise<readonly number[]> {
  const options = requestFor(target, 'paced.model-v1:0', true)
  const request = requestBytes(options)
  const rounds = Math.max(4, Math.ceil(firstBytesLeast / connections))
  const results: number[] = []
  const run = async () => {
    const connection = new KeptConnection(new URL(options.url))
    for (let round = 0; round < rounds; round += 1) results.push((await connection.ask(request)).firstMs)
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, run))
  return results
}

async function bundleBytes(): Promise<number> {
  const result = await build({
    entryPoints: [path.join(root, 'workers/gateway/compose.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import', 'workerd'],
    external: ['gpt-tokenizer/*'],
    write: false,
    logLevel: 'error',
  })
  return result.outputFiles.reduce((sum, file) => sum + gzipSync(file.contents).length, 0)
}
