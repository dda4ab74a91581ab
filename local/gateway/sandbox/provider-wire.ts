import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { eventFrame, exceptionFrame } from './frames.ts'
import { signatureFault } from './signature.ts'

// Paths, statuses and headers of errors are those of the service models `bedrock` (API 2023-04-20) and `bedrock-runtime`
// (API 2023-09-30), protocol `rest-json`, as the AWS SDK for Python 1.43.107 carries them; signatures follow version 4 of
// the provider's signing, see signature.ts. The bound of a body and its refusal are the service's documented quota.

/** A call as it came over the wire. */
export interface ProviderCall {
  readonly operation: string
  /** The model id, decoded. */
  readonly modelId: string
  readonly target: string
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
}

export type Step =
  | { readonly event: string; readonly payload: object }
  | { readonly exception: string; readonly message: string }
  | { readonly bytes: Uint8Array }
  | { readonly pauseMs: number }
  | { readonly gate: Promise<unknown> }
  | { readonly cut: true }

/** How one call is answered. */
export type Answer =
  | { readonly json: object; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly status: number
      readonly error: string
      readonly message: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly steps: readonly Step[] }
  | { readonly hang: Promise<unknown> }
  | { readonly reset: true }

interface ProviderIdentity {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface ProviderServerOptions {
  readonly port: number
  /** Whose signature is taken, or which key. */
  readonly accepts: ProviderIdentity | { readonly bearer: string }
  readonly answer: (call: ProviderCall) => Answer
}

export interface ProviderServer {
  readonly url: string
  /** Streams and calls not yet finished. */
  openCalls(): number
  close(): Promise<void>
}

/** Longer than any client keeps an idle connection. */
const keptConnectionMs = 3_600_000

/** The largest body the runtime takes. */
const callBytesMax = 25_000_000

const tooLarge: Answer = { status: 413, error: 'RequestEntityTooLargeException', message: 'Request entity too large' }

/** A provider on loopback that speaks the real wire: signatures are verified, streams are real frames. */
export async function serveProvider(options: ProviderServerOptions): Promise<ProviderServer> {
  const open = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    open.add(response)
    response.on('close', () => open.delete(response))
    serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of request) {
      bytes += chunk.length
      if (bytes > callBytesMax) return send(response, tooLarge)
      chunks.push(chunk)
    }
    const body = Buffer.concat(chunks)
    const fault = authenticationFault(request, body, options.accepts)
    if (fault !== undefined) return send(response, { status: 403, ...fault })
    const target = request.url ?? ''
    const path = target.split('?')[0] ?? ''
    const modelCall = /^\/model\/([^/]+)\/([a-z-]+)$/.exec(path)
    return send(
      response,
      options.answer({
        operation: modelCall?.[2] ?? path.slice(1),
        modelId: decodeURIComponent(modelCall?.[1] ?? ''),
        target,
        headers: request.headers,
        body: bodyOf(body),
      }),
    )
  }
  // One that is closed just as a request comes would look like a fault of the network.
  server.keepAliveTimeout = keptConnectionMs
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the provider has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    openCalls: () => open.size,
    close: () => closeServer(server),
  }
}

/** What is no JSON object has none of the members that are asked for. */
function bodyOf(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {}
  const body: unknown = JSON.parse(bytes.toString())
  return typeof body === 'object' && body !== null ? { ...body } : {}
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

interface AuthenticationFault {
  readonly error: string
  readonly message: string
}

function authenticationFault(
  request: IncomingMessage,
  body: Buffer,
  accepts: ProviderServerOptions['accepts'],
): AuthenticationFault | undefined {
  const given = request.headers.authorization
  if (given === undefined) {
    return { error: 'MissingAuthenticationTokenException', message: 'Missing Authentication Token' }
  }
  if ('bearer' in accepts) {
    return given === `Bearer ${accepts.bearer}`
      ? undefined
      : {
          error: 'AccessDeniedException',
          message: 'Authentication failed: Please make sure your API Key is valid.',
        }
  }
  if (!given.includes(`Credential=${accepts.accessKeyId}/`)) {
    return {
      error: 'UnrecognizedClientException',
      message: 'The security token included in the request is invalid.',
    }
  }
  const { method = '', url = '', headers } = request
  const fault = signatureFault({ method, target: url, headers, body }, accepts.secretAccessKey, 'bedrock', Date.now())
  return fault === undefined ? undefined : { error: 'InvalidSignatureException', message: fault }
}

async function send(response: ServerResponse, answer: Answer): Promise<void> {
  const requestId = { 'x-amzn-requestid': '00000000-0000-4000-8000-000000000000' }
  if ('reset' in answer) {
    response.destroy()
    return
  }
  if ('hang' in answer) {
    await answer.hang
    response.destroy()
    return
  }
  if ('error' in answer) {
    response.writeHead(answer.status, {
      ...requestId,
      'content-type': 'application/json',
      'x-amzn-errortype': `${answer.error}:http://internal.amazon.com/coral/com.amazon.bedrock/`,
      ...answer.headers,
    })
    response.end(JSON.stringify({ message: answer.message }))
    return
  }
  if ('json' in answer) {
    response.writeHead(200, { ...requestId, 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.json))
    return
  }
  response.writeHead(200, { ...requestId, 'content-type': 'application/vnd.amazon.eventstream' })
  for (const step of answer.steps) {
    if (response.destroyed) return
    if ('pauseMs' in step) await wait(step.pauseMs)
    else if ('gate' in step) await step.gate
    else if ('cut' in step) {
      response.destroy()
      return
    } else await write(response, bytesOf(step))
  }
  response.end()
}

/** What of a stream goes over the wire. */
type Told = Extract<Step, { event: string } | { exception: string } | { bytes: Uint8Array }>

export function bytesOf(step: Told): Uint8Array {
  if ('bytes' in step) return step.bytes
  return 'event' in step ? eventFrame(step.event, step.payload) : exceptionFrame(step.exception, step.message)
}

async function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (!response.write(bytes) && !response.destroyed)
    await Promise.race([once(response, 'drain'), once(response, 'close')])
}
