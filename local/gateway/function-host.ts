import { Readable } from 'node:stream'
import { request as send } from 'undici'
import type { ComposedGateway } from './node-compose.ts'

/** The event a function address hands over, as far as the gateway reads it. */
interface FunctionEvent {
  readonly rawPath: string
  readonly rawQueryString?: string
  readonly headers: Readonly<Record<string, string>>
  readonly requestContext: { readonly http: { readonly method: string } }
  readonly body?: string
  readonly isBase64Encoded?: boolean
}

/** The largest body the function service hands over, in the unit of the setting it narrows. */
const functionBodyMebibytesMax = 6

/** What the function service cannot deliver is refused with the limit it really has. */
export function functionEnvironment(environment: Readonly<Record<string, string | undefined>>) {
  const wanted = environment['MAX_BODY_SIZE_MB']
  const isNarrower = wanted !== undefined && /^\d+$/.test(wanted) && Number(wanted) < functionBodyMebibytesMax
  return { ...environment, MAX_BODY_SIZE_MB: isNarrower ? wanted : String(functionBodyMebibytesMax) }
}

/** Serves invocations one after another, as the function service hands them out, until the signal fires. */
export async function serveInvocations(
  gateway: ComposedGateway,
  runtimeApi: string,
  signal: AbortSignal,
): Promise<void> {
  const base = `http://${runtimeApi}/2018-06-01/runtime/invocation`
  while (!signal.aborted) {
    const next = await send(`${base}/next`, { signal, headersTimeout: 0, bodyTimeout: 0 })
    const requestId = String(next.headers['lambda-runtime-aws-request-id'])
    const event = (await next.body.json()) as FunctionEvent
    const answer = await gateway.fetch(requestOf(event))
    const posted = await send(`${base}/${requestId}/response`, {
      method: 'POST',
      headers: {
        'content-type': 'application/vnd.awslambda.http-integration-response',
        'lambda-runtime-function-response-mode': 'streaming',
      },
      body: Readable.from(streamedBody(answer)),
      headersTimeout: 0,
    })
    await posted.body.dump()
  }
}

function requestOf(event: FunctionEvent): Request {
  const { method } = event.requestContext.http
  const query = event.rawQueryString ? `?${event.rawQueryString}` : ''
  const body =
    event.body === undefined ? null : Buffer.from(event.body, event.isBase64Encoded === true ? 'base64' : 'utf8')
  return new Request(`http://${event.headers['host'] ?? 'function'}${event.rawPath}${query}`, {
    method,
    headers: event.headers,
    ...(body === null || method === 'GET' || method === 'HEAD' ? {} : { body }),
  })
}

/** Status and headers as JSON, eight zero bytes, then the body as it comes. */
async function* streamedBody(answer: Response): AsyncGenerator<Uint8Array> {
  const prelude = { statusCode: answer.status, headers: Object.fromEntries(answer.headers), cookies: [] }
  yield Buffer.concat([Buffer.from(JSON.stringify(prelude)), Buffer.alloc(8)])
  if (answer.body !== null) yield* answer.body
}
