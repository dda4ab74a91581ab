// Answers with what a test gives it; the answers in tests follow the reference API as version 7.59.0 of the package `openai`
// declares it, and the messages dialect as version 1.14.0 of `@anthropic-ai/sdk` does.
import { createServer, type ServerResponse } from 'node:http'
import { endServer, listenToKept } from './loopback.ts'

export interface EndpointAnswer {
  readonly status?: number
  readonly json?: unknown
  /** Bytes of a server-sent stream, sent piece by piece. */
  readonly pieces?: readonly string[]
  /** Ends the connection instead of the stream. */
  readonly isCut?: boolean
  /** Ends nothing. */
  readonly isLeftOpen?: boolean
}

export interface FakeCompatibleEndpoint {
  readonly url: string
  readonly calls: { readonly path: string; readonly authorization: string; readonly body: Record<string, unknown> }[]
  next(...answers: readonly EndpointAnswer[]): void
  /** Answers not yet finished. */
  openAnswers(): number
  close(): Promise<void>
}

/** A stand-in for the surface of the provider that speaks the reference chat API itself. */
export async function startFakeCompatibleEndpoint(): Promise<FakeCompatibleEndpoint> {
  const queue: EndpointAnswer[] = []
  const calls: FakeCompatibleEndpoint['calls'] = []
  const open = new Set<ServerResponse>()
  const server = createServer(async (request, response) => {
    open.add(response)
    response.on('close', () => open.delete(response))
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    calls.push({ path: request.url ?? '', authorization: request.headers.authorization ?? '', body })
    send(response, queue.shift() ?? { status: 500, json: {} })
  })
  const address = await listenToKept(server)
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    openAnswers: () => open.size,
    next: (...answers) => {
      queue.push(...answers)
    },
    close: () => endServer(server),
  }
}

function send(response: ServerResponse, answer: EndpointAnswer): void {
  if (answer.pieces === undefined) {
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.json))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of answer.pieces) response.write(piece)
  if (answer.isCut === true) setTimeout(() => response.destroy(), 10)
  else if (answer.isLeftOpen !== true) response.end()
}
