/** The model gateway under whole and streamed answers while other clients leave in the middle of theirs. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { generateLoad, residentMebibytes } from '../bench/load.ts'
import { startLoadProvider, startShippedGateway } from '../support/gateway-process.ts'
import { sonnet, testKey } from '../support/gateway-under-test.ts'
import { hasStayed, openFiles, type SoakOptions, type Window } from './soak.ts'

export const gatewayWindowSeconds = 20
const connections = 16
const leavers = 8

export async function runGatewaySoak({ windows, log }: SoakOptions): Promise<boolean> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'gateway-soak-'))
  const provider = await startLoadProvider()
  const gateway = await startShippedGateway(provider.url, folder)
  const url = `${gateway.url}/chat/completions`
  const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
  const bodyOf = (model: string, stream: boolean) =>
    JSON.stringify({ model, messages: [{ role: 'user', content: 'What is the answer?' }], stream })
  const seen: Window[] = []
  try {
    for (let window = 0; window < windows; window += 1) {
      const until = performance.now() + gatewayWindowSeconds * 1_000
      const load = (stream: boolean) =>
        generateLoad({
          url,
          connections,
          seconds: gatewayWindowSeconds,
          method: 'POST',
          headers,
          body: bodyOf(sonnet, stream),
        })
      const leave = async () => {
        while (performance.now() < until) {
          const leaving = new AbortController()
          const body = bodyOf('paced.model-v1:0', true)
          const answer = await fetch(url, { method: 'POST', headers, body, signal: leaving.signal })
          await answer.body?.getReader().read()
          leaving.abort()
        }
      }
      const [whole, streamed] = await Promise.all([
        load(false),
        load(true),
        ...Array.from({ length: leavers }, leave),
      ] as const)
      const failures = [whole, streamed].reduce((sum, one) => sum + one.requests - (one.byStatus[200] ?? 0), 0)
      const p99Ms = Math.max(whole.p99Ms, streamed.p99Ms)
      const mebibytes = residentMebibytes(gateway.pid).total
      seen.push({ mebibytes, openFiles: openFiles(gateway.pid), p99Ms, failures })
      log(`window ${window + 1}: ${Math.round(mebibytes)} MiB, p99 ${p99Ms.toFixed(0)} ms, ${failures} failures`)
    }
  } finally {
    await gateway.end()
    await provider.end()
    rmSync(folder, { recursive: true, force: true })
  }
  // Connections that are just being opened or closed.
  return hasStayed(seen, log, 2 * connections + leavers)
}
