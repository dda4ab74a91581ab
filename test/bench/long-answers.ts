/** Long answers as fast as they are taken: how long each takes, and the slowest look of another client meanwhile. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { FakeModel } from '../support/fake-model.ts'

const pieceCharacters = 100
const lookAtHealth = path.join(import.meta.dirname, '..', 'support', 'look-at-health.ts')

export interface LongAnswer {
  readonly kilobytes: number
  readonly ms: number
  readonly slowestHealthMs: number
}

export async function measureLongAnswers(address: string, model: FakeModel): Promise<LongAnswer[]> {
  const found: LongAnswer[] = []
  // The first one warms up, and is not told.
  for (const kilobytes of [1, 450, 900, 1_800]) {
    model.script({
      text: Array.from({ length: (kilobytes * 1000) / pieceCharacters }, () => 'x'.repeat(pieceCharacters)),
    })
    found.push({ kilobytes, ...(await answered(address)) })
  }
  return found.slice(1)
}

async function answered(address: string) {
  const post = async (target: string, body: unknown) =>
    (
      await fetch(`${address}${target}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).text()
  const session = (JSON.parse(await post('/api/session', {})) as { data: { id: string } }).data.id
  const looker = spawn(process.execPath, [lookAtHealth, address], { stdio: ['pipe', 'pipe', 'inherit'] })
  let said = ''
  looker.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  await once(looker.stdout, 'data')
  const began = performance.now()
  await post(`/api/session/${session}/prompt`, { prompt: { text: 'Hi' } })
  await post(`/api/session/${session}/wait`, {})
  const ms = performance.now() - began
  looker.stdin.end()
  const [code] = await once(looker, 'close')
  if (code !== 0) throw new Error('the look at health failed')
  return { ms, slowestHealthMs: Number(said.trim().split('\n').at(-1)) }
}
