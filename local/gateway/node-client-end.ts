import type { IncomingMessage, ServerResponse } from 'node:http'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ClientEnd } from '../../workers/gateway/ports.ts'

/** The client's end on Node's own messages: building web streams around them would cost more than the request. */
export function nodeClientEnd(incoming: IncomingMessage, outgoing: ServerResponse): ClientEnd {
  return {
    readBody: (bytesMax) => readIncoming(incoming, bytesMax),
    onLeave(leave) {
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) leave()
      })
    },
  }
}

function readIncoming(incoming: IncomingMessage, bytesMax: number): Promise<Result<Uint8Array, 'too_large' | 'cut'>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let total = 0
    const keep = (chunk: Buffer) => {
      total += chunk.length
      if (total <= bytesMax) chunks.push(chunk)
      else {
        // What follows is neither kept nor read on; the server ends the connection after the answer.
        incoming.off('data', keep)
        incoming.pause()
        chunks.length = 0
        resolve(failWith('too_large'))
      }
    }
    const cut = () => resolve(failWith('cut'))
    incoming.on('data', keep)
    incoming.once('end', () => {
      const [only] = chunks
      resolve(succeed(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)))
    })
    incoming.once('error', cut)
    incoming.once('close', cut)
  })
}
