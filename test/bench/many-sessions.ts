/** Many sessions at work at once, beside one of fifty thousand events that is looked at: how much the server holds, and how it answers. */
import { setTimeout as delay } from 'node:timers/promises'
import { type AgentProgram, residentMebibytes } from '../support/agent-program.ts'
import type { FakeModel } from '../support/fake-model.ts'

const sessionCount = 100
const pieces = 200
const piece = 'x'.repeat(100)

export interface ManySessions {
  readonly sessions: number
  readonly ms: number
  readonly mebibytesMost: number
  readonly slowestHealthMs: number
  /** Of the last messages of the long one, meanwhile. */
  readonly slowestPageMs: number
}

/** Each runs a command, and then writes an answer of 20 KB. */
export async function measureManySessions(
  program: AgentProgram,
  model: FakeModel,
  longSession: string,
): Promise<ManySessions> {
  const send = async (target: string, body?: unknown): Promise<string> => {
    const response = await fetch(`${program.address}${target}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  }
  const timed = async (target: string) => {
    const began = performance.now()
    await send(target)
    return performance.now() - began
  }
  model.otherwise(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: Array.from({ length: pieces }, () => piece) }
      : { calls: [{ id: 'call_one', name: 'bash', input: { command: 'echo done' } }] },
  )
  const created = await Promise.all(Array.from({ length: sessionCount }, () => send('/api/session', {})))
  const sessions = created.map((text) => (JSON.parse(text) as { data: { id: string } }).data.id)
  let [isOver, mebibytesMost, slowestHealthMs, slowestPageMs] = [false, 0, 0, 0]
  const began = performance.now()
  const work = Promise.all(
    sessions.map(async (session) => {
      await send(`/api/session/${session}/prompt`, { prompt: { text: 'Go' } })
      await send(`/api/session/${session}/wait`, {})
    }),
  ).finally(() => {
    isOver = true
  })
  while (!isOver) {
    slowestHealthMs = Math.max(slowestHealthMs, await timed('/api/health'))
    slowestPageMs = Math.max(slowestPageMs, await timed(`/api/session/${longSession}/message?limit=20`))
    mebibytesMost = Math.max(mebibytesMost, await residentMebibytes(program))
    await delay(5)
  }
  await work
  const ms = performance.now() - began
  for (const session of sessions) {
    const messages = await send(`/api/session/${session}/message`)
    if (!messages.includes('(exit code 0)') || !messages.includes(piece))
      throw new Error(`${session} did not end: ${messages}`)
  }
  return { sessions: sessionCount, ms, mebibytesMost, slowestHealthMs, slowestPageMs }
}
