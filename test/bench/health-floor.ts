/**
 * `/api/health` beside a bare server of Node that gives the very same answer, asked by turns by the same generator: what the
 * machine allows at that moment, and what of each request is ours.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { generateLoad, median, processorMs } from './load.ts'

const turns = 6
const turnSeconds = 1
const connections = 10

interface Answering {
  readonly requestsPerSecond: number
  readonly processorMicroseconds: number
}

export async function measureHealthFloor(server: { readonly child: ChildProcess; readonly address: string }) {
  const bare = await startBare(`${server.address}/api/health`)
  const found = { ours: [] as Answering[], bare: [] as Answering[] }
  for (let turn = 0; turn < turns; turn += 1) {
    found.ours.push(await ask(server.child, `${server.address}/api/health`))
    found.bare.push(await ask(bare.child, `${bare.address}/api/health`))
  }
  bare.child.kill()
  return { ours: inTheMiddle(found.ours), bare: inTheMiddle(found.bare) }
}

async function ask({ pid = 0 }: ChildProcess, url: string): Promise<Answering> {
  const before = processorMs(pid)
  const { requests, requestsPerSecond, byStatus } = await generateLoad({ url, connections, seconds: turnSeconds })
  if (Object.keys(byStatus).join() !== '200') throw new Error(`${url} answered ${JSON.stringify(byStatus)}`)
  return { requestsPerSecond, processorMicroseconds: (1000 * (processorMs(pid) - before)) / requests }
}

function inTheMiddle(found: readonly Answering[]): Answering {
  return {
    requestsPerSecond: median(found.map((one) => one.requestsPerSecond)),
    processorMicroseconds: median(found.map((one) => one.processorMicroseconds)),
  }
}

/** Headers of the connection are Node's own on both sides. */
const ofConnection = ['connection', 'date', 'keep-alive', 'transfer-encoding']

async function startBare(url: string): Promise<{ readonly child: ChildProcess; readonly address: string }> {
  const answer = await fetch(url)
  const headers = [...answer.headers].filter(([name]) => !ofConnection.includes(name))
  const code = `
    const headers = ${JSON.stringify(Object.fromEntries(headers))}, body = ${JSON.stringify(await answer.text())}
    const server = require('node:http').createServer((request, response) => response.writeHead(200, headers).end(body))
    server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const chunk of child.stdout) return { child, address: String(chunk).trim() }
  throw new Error('the bare server did not start')
}
