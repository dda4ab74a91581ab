/** Long answers as fast as they are taken: how long each takes, and the slowest look of another client meanwhile. */
import { setTimeout as delay } from 'node:timers/promises'
import type { FakeModel } from '../support/fake-model.ts'

const pieceCharacters = 100

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
  let isOver = false
  let slowestHealthMs = 0
  const began = performance.now()
  await post(`/api/session/${session}/prompt`, { prompt: { text: 'Hi' } })
  const done = post(`/api/session/${session}/wait`, {}).finally(() => {
    isOver = true
  })
  while (!isOver) {
    const asked = performance.now()
    await (await fetch(`${address}/api/health`)).text()
    slowestHealthMs = Math.max(slowestHealthMs, performance.now() - asked)
    await delay(2)
  }
  await done
  return { ms: performance.now() - began, slowestHealthMs }
}
