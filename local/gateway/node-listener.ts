import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { BodySource, ClientEnd, GatewayRequest } from '../../workers/gateway/ports.ts'
import { lateBodyPauseMs } from './limits.ts'
import { type CallerOf, NodeAnswer, nodeClientEnd, peerOf } from './node-client-end.ts'

type Serve = (request: GatewayRequest, client: ClientEnd) => Promise<Response>

/** Serves Node's own messages: a web request with its headers, and a web answer, would cost as much as the routes. */
export function nodeListener(serve: Serve, callerOf: CallerOf = peerOf): RequestListener {
  return (incoming, outgoing) => {
    serve(requestOf(incoming), nodeClientEnd(incoming, outgoing, callerOf(incoming)))
      .then((answer) => send(incoming, outgoing, answer))
      .catch(() => outgoing.destroy())
  }
}

const anyOrigin = 'http://gateway'

/** Most targets stay as they are when an address is made of them, which is what parsing would find out. */
function isPlain(target: string): boolean {
  return /^\/[\w~:%/@+,=.-]*$/.test(target) && !target.startsWith('//') && !target.includes('/.')
}

export function requestOf(incoming: IncomingMessage): GatewayRequest {
  const { method = 'GET', url = '/', headers, rawHeaders } = incoming
  return {
    method,
    url: isPlain(url) ? anyOrigin + url : (URL.parse(url, anyOrigin)?.href ?? anyOrigin),
    headers: {
      get(name) {
        const value = headers[name]
        // Node keeps the first of several keys; whoever forwarded them may have checked another. None counts.
        if (name === 'authorization' && isRepeated(name, rawHeaders)) return null
        return typeof value === 'string' ? value : null
      },
    },
  }
}

function isRepeated(name: string, rawHeaders: readonly string[]): boolean {
  const isName = (text: string, index: number) =>
    index % 2 === 0 && text.length === name.length && text.toLowerCase() === name
  return rawHeaders.findIndex(isName) !== rawHeaders.findLastIndex(isName)
}

/** The router hands on what the client's end made; only its answers to HEAD are its own. */
function ownAnswer(answer: unknown): NodeAnswer {
  if (answer instanceof NodeAnswer) return answer
  const { status, headers } = answer as Response
  return new NodeAnswer(null, status, Object.fromEntries(headers))
}

async function send(incoming: IncomingMessage, outgoing: ServerResponse, answer: Response): Promise<void> {
  const { status, headers, content } = ownAnswer(answer)
  if (content !== null && typeof content !== 'string') {
    outgoing.writeHead(status, { ...headers })
    return pour(content, outgoing)
  }
  const whole = content === null ? headers : { ...headers, 'content-length': Buffer.byteLength(content) }
  if (incoming.complete) {
    outgoing.writeHead(status, { ...whole }).end(content)
    return
  }
  // A connection that is closed while a body still comes loses the client its answer: it ends when that has come.
  outgoing.writeHead(status, { ...whole, connection: 'close' })
  if (content === null) outgoing.flushHeaders()
  else outgoing.write(content)
  await thrownAway(incoming)
  outgoing.end()
}

/** Writes a streamed body as fast as the client takes it. The head goes out with the first piece. */
async function pour(source: BodySource, outgoing: ServerResponse): Promise<void> {
  let isClosed = false
  source.start({
    enqueue: (piece) => void outgoing.write(piece),
    close() {
      isClosed = true
      outgoing.end()
    },
    hasRoom: () => !outgoing.writableNeedDrain,
  })
  try {
    while (!isClosed && !outgoing.destroyed) {
      await source.pull()
      if (outgoing.writableNeedDrain && !isClosed) await drained(outgoing)
    }
  } finally {
    if (!isClosed) source.cancel()
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done)
      outgoing.off('close', done)
      resolve()
    }
    outgoing.on('drain', done)
    outgoing.on('close', done)
    if (outgoing.destroyed) done()
  })
}

/** Reads a body to its end without keeping anything, while the client sends; the server bounds the whole request. */
function thrownAway(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const pausing = setTimeout(resolve, lateBodyPauseMs)
    const done = () => {
      clearTimeout(pausing)
      resolve()
    }
    incoming.on('data', () => pausing.refresh())
    incoming.once('end', done)
    incoming.once('close', done)
    incoming.resume()
    if (incoming.destroyed) done()
  })
}
