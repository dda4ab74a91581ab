import { describe, test } from 'vitest'
import { edgeSocket } from '../../workers/gateway/adapters/edge-sockets.ts'
import { socketMessagesWaitingMax } from '../../workers/gateway/limits.ts'

/** A client that sends so many messages, while the first is answered once the gate opens. */
async function sending(messages: readonly (string | Uint8Array)[]) {
  const gate = Promise.withResolvers<void>()
  const taken: string[] = []
  const left = Promise.withResolvers<void>()
  const { webSocket: socket } = edgeSocket(() => ({
    async take(text) {
      await gate.promise
      taken.push(text)
    },
    leave: () => left.resolve(),
  }))
  if (socket === null) throw new Error('there is no connection')
  socket.accept()
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)))
  for (const message of messages) socket.send(message)
  return { gate, taken, left: left.promise, closed, socket }
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => String(index))

describe('a connection at the edge', () => {
  test('takes messages in order, as many at once as may wait', async ({ expect }) => {
    const { gate, taken, socket, left } = await sending(numbered(socketMessagesWaitingMax))
    gate.resolve()
    await expect.poll(() => taken).toEqual(numbered(socketMessagesWaitingMax))
    socket.close()
    await left

    expect(taken).toHaveLength(socketMessagesWaitingMax)
  })

  test.for([
    ['one message more', numbered(socketMessagesWaitingMax + 1)],
    ['a message that is no text', [new Uint8Array([1])]],
  ] as const)('is cut off after %s', async ([, messages], { expect }) => {
    const { closed, gate } = await sending(messages)
    const code = await closed
    gate.resolve()

    expect(code).toBe(1008)
  })
})
