// npm run bench -- gateway: what the gateway adds to its provider, on Node and under workerd, and how large it is.
// Beside it the floor: what Node itself takes to pass a whole answer on through the same pool. Every target is warmed
// up before it is measured: what a runtime compiles in its first second is the cost of a start, not of a request.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { startWorkerHost } from '../../local/workerd/worker-host.ts'
import { loadEnvironment, startForwarder, startLoadProvider, startShippedGateway } from '../support/gateway-process.ts'
import { sonnet, testKey } from '../support/gateway-under-test.ts'
import { KeptConnection, requestBytes } from '../support/kept-connection.ts'
import { unwrap } from '../support/unwrap.ts'
import { generateLoad, type LoadOptions, median, printLoad, processorMs, residentMebibytes } from './load.ts'

const root = path.join(import.meta.dirname, '../..')
const secondsEach = 3
const warmUpSeconds = 2
const streamChunks = 200
const shareRounds = 7
/** Of a median of fewer, one slow answer is most. */
const firstBytesLeast = 12
const print = (line: string) => console.log(line)

interface Target {
  readonly name: string
  readonly base: string
  readonly isGateway: boolean
  /** What is asked for; a model of the account's provider unless it says otherwise. */
  readonly model?: string
  /** Of a target whose processor time is told. */
  readonly pid?: number
}

const dataFolder = mkdtempSync(path.join(tmpdir(), 'gateway-bench-'))
const provider = await startLoadProvider()
const forwarder = await startForwarder(provider.url)
const gateway = await startShippedGateway(provider.url, dataFolder)
const worker = unwrap(
  await startWorkerHost({
    dataFolder,
    port: 0,
    extraHosts: [],
    publicOrigins: [],
    trustedProxies: [],
    isNewSetupLinkAsked: false,
    isNewMasterKeyAsked: false,
    configFile: path.join(root, 'wrangler.toml'),
    variables: loadEnvironment(provider.url),
    log: () => {},
  }),
)

const node: Target = { name: 'node', base: gateway.url, isGateway: true, pid: gateway.pid }
const passed: Target = { ...node, name: 'node, passed', model: 'near/some' }
const targets: readonly Target[] = [
  { name: 'provider', base: provider.url, isGateway: false },
  node,
  { name: 'workerd', base: `${worker.address}/api/v1`, isGateway: true },
]
const bare: Target = { name: 'bare forwarder', base: forwarder.url, isGateway: false, pid: forwarder.pid }
const restMebibytes = residentMebibytes(gateway.pid).total

for (const target of [bare, passed, ...targets]) {
  for (const stream of target === bare || target === passed ? [false] : [false, true]) {
    await generateLoad({ ...requestFor(target, sonnet, stream), connections: 32, seconds: warmUpSeconds })
  }
}
for (const connections of [1, 32, 128]) {
  for (const target of [bare, passed, ...targets]) {
    const { result, note } = await measure(target, { ...requestFor(target, sonnet, false), connections })
    print(`${printLoad(`JSON, ${connections} at once, ${target.name}`, result)}${note}`)
  }
}
print(await shares())
for (const connections of [1, 32]) {
  for (const target of targets) {
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

await provider.end()
await forwarder.end()
await gateway.end()
await worker.close()
rmSync(dataFolder, { recursive: true, force: true })

/** Beside the load's own figures: the processor time of a request, which a busy machine blurs least. */
async function measure({ pid }: Target, options: Omit<LoadOptions, 'seconds'>) {
  const before = pid === undefined ? 0 : processorMs(pid)
  const result = await generateLoad({ ...options, seconds: secondsEach })
  if (pid === undefined) return { result, note: '' }
  const each = ((processorMs(pid) - before) * 1_000) / result.requests
  return { result, note: `; ${each.toFixed(0)} µs of processor a request` }
}

/** Rates at 32 at once as shares, each the median of rounds in which all take turns: a machine's mood is in all alike. */
async function shares(): Promise<string> {
  const rates = new Map<Target, number[]>([bare, node, passed].map((target) => [target, []]))
  for (let round = 0; round < shareRounds; round += 1) {
    for (const [target, rated] of rates) {
      const result = await generateLoad({ ...requestFor(target, sonnet, false), connections: 32, seconds: 1 })
      rated.push(result.requestsPerSecond)
    }
  }
  const rate = (target: Target) => median(rates.get(target) ?? [])
  const [translated, passes] = [rate(node) / rate(bare), rate(passed) / rate(node)]
  return `node ${translated.toFixed(2)} of the bare forwarder; passed ${passes.toFixed(2)} of translated`
}

function requestFor(target: Target, sent: string, stream: boolean) {
  const model = target.model ?? sent
  const messages = [{ role: 'user', content: 'What is the answer to everything?' }]
  return target.isGateway
    ? {
        method: 'POST',
        url: `${target.base}/chat/completions`,
        headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
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
