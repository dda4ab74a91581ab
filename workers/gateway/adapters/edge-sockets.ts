import { socketMessagesWaitingMax } from '../limits.ts'
import type { SocketPeer, SocketTaker } from '../ports.ts'

/** Messages that come while one is answered wait; a client that sends many more is cut off. */
export function edgeSocket(accept: (peer: SocketPeer) => SocketTaker): Response {
  // biome-ignore lint/style/noRestrictedGlobals: on one's own machine the host opens connections, and this is not called
  const { 0: far, 1: near } = new WebSocketPair()
  near.accept()
  const taker = accept({ send: async (text) => near.send(text), close: (code) => near.close(code) })
  let waiting = 0
  let taking = Promise.resolve()
  near.addEventListener('message', ({ data }) => {
    waiting += 1
    if (waiting > socketMessagesWaitingMax || typeof data !== 'string') return near.close(policyViolation)
    taking = taking
      .then(() => taker.take(data))
      .catch(() => near.close(unexpectedCondition))
      .then(() => {
        waiting -= 1
      })
  })
  for (const end of ['close', 'error'] as const) near.addEventListener(end, () => taker.leave())
  return new Response(null, { status: 101, webSocket: far })
}

const policyViolation = 1008
const unexpectedCondition = 1011
