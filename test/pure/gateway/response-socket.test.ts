import { describe, test } from 'vitest'
import { responseSocket } from '../../../workers/gateway/http/response-socket.ts'
import { responseSocketMs } from '../../../workers/gateway/limits.ts'
import type { ClientEnd, Timers } from '../../../workers/gateway/ports.ts'

/** A connection whose turns are answered when the gate opens. */
function connection() {
  const gate = Promise.withResolvers<void>()
  const sent: { readonly error?: { readonly code?: string }; readonly type: string }[] = []
  const closed: number[] = []
  let age = { ms: 0, run: () => {}, isStopped: false }
  const timers: Timers = {
    sleep: async () => {},
    every(ms, run) {
      age = { ms, run, isStopped: false }
      return () => {
        age.isStopped = true
      }
    },
    watch: () => () => {},
  }
  const taker = responseSocket({
    async serve(_, client: ClientEnd) {
      await gate.promise
      return client.answer('event: x\ndata: {"type":"response.completed"}\n\n', 200, {})
    },
    timers,
    address: undefined,
    request: { method: 'GET', url: 'http://gateway/api/v1/responses', headers: { get: () => null } },
    peer: {
      async send(text) {
        sent.push(JSON.parse(text))
      },
      close: (code) => void closed.push(code),
    },
  })
  return { taker, gate, sent, closed, age: () => age }
}

const turn = JSON.stringify({ type: 'response.create', input: 'hi' })

describe('a connection that has reached its age', () => {
  test('ends at once when nothing is answered, and says why', ({ expect }) => {
    const { sent, closed, age } = connection()
    age().run()

    expect(age()).toMatchObject({ ms: responseSocketMs, isStopped: true })
    expect([sent[0]?.error?.code, closed]).toEqual(['websocket_connection_limit_reached', [1000]])
  })

  test('ends after the answer under way', async ({ expect }) => {
    const { taker, gate, sent, closed, age } = connection()
    const answering = taker.take(turn)
    age().run()
    const before = [...closed]
    gate.resolve()
    await answering

    expect(before).toEqual([])
    expect([sent.map(({ type }) => type), closed]).toEqual([['response.completed', 'error'], [1000]])
  })
})

test('nothing is answered to a client that has left', async ({ expect }) => {
  const { taker, gate, sent, age } = connection()
  taker.leave()
  gate.resolve()
  await taker.take(turn)

  expect([sent, age().isStopped]).toEqual([[], true])
})
