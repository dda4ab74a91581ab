import type { IncomingMessage, ServerResponse } from 'node:http'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { AnswerBody, ClientEnd } from '../../workers/gateway/ports.ts'

/** What the listener needs to write an answer. */
export class NodeAnswer {
  readonly content: AnswerBody
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(content: AnswerBody, status: number, headers: Readonly<Record<string, string>>) {
    this.content = content
    this.status = status
    this.headers = headers
  }
}

/** Where a request comes from, as far as its host knows. */
export type CallerOf = (incoming: IncomingMessage) => string | undefined

/** Whoever is at the other end of the connection. */
export const peerOf: CallerOf = ({ socket }) => socket.remoteAddress

/** The client's end on Node's own messages: building web streams around them would cost more than the request. */
export function nodeClientEnd(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  address: ClientEnd['address'],
): ClientEnd {
  return {
    address,
    readBody: (bytesMax) => readIncoming(incoming, bytesMax),
    onLeave(leave) {
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) leave()
      })
    },
    // The router hands an answer on as it is.
    answer: (body, status, headers) => new NodeAnswer(body, status, headers) as unknown as Response,
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
