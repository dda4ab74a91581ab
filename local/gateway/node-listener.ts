import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { BodySource, ClientEnd, GatewayRequest } from '../../workers/gateway/ports.ts'
import { discardMs } from './limits.ts'
import { NodeAnswer, nodeClientEnd } from './node-client-end.ts'

type Serve = (request: GatewayRequest, client: ClientEnd) => Promise<Response>

/** Serves Node's own messages: a web request with its headers, and a web answer, would cost as much as the routes. */
export function nodeListener(serve: Serve): RequestListener {
  return (incoming, outgoing) => {
    serve(requestOf(incoming), nodeClientEnd(incoming, outgoing))
      .then((answer) => send(incoming, outgoing, answer))
      .catch(() => outgoing.destroy())
  }
}

const anyOrigin = 'http://gateway'

/** Most targets stay as they are when an address is made of them, which is what parsing would find out. */
function isPlain(target: string): boolean {
  return /^\/[\w~:%/@+,=.-]*$/.test(target) && !target.startsWith('//') && !target.includes('/.')
}

function requestOf(incoming: IncomingMessage): GatewayRequest {
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
  // A body that nobody reads to its end must not be taken for the next request.
  const isRead = incoming.complete
  const connection = isRead ? undefined : { connection: 'close' }
  if (!isRead) outgoing.once('finish', () => discardRest(incoming))
  const { status, headers, content } = ownAnswer(answer)
  if (content === null) outgoing.writeHead(status, { ...headers, ...connection }).end()
  else if (typeof content === 'string') {
    const length = Buffer.byteLength(content)
    outgoing.writeHead(status, { ...headers, 'content-length': length, ...connection }).end(content)
  } else {
    outgoing.writeHead(status, { ...headers, ...connection })
    await pour(content, outgoing)
  }
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

/** Reads on for a moment without keeping anything: a connection closed in the face of a client loses it its answer. */
function discardRest(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return
  const end = setTimeout(() => incoming.destroy(), discardMs)
  incoming.once('close', () => clearTimeout(end))
  incoming.resume()
}
