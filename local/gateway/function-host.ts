import { Readable } from 'node:stream'
import { request as send } from 'undici'
import { type JsonRecord, parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import type { ComposedGateway } from './node-compose.ts'

/** The largest body the function service hands over, in the unit of the setting it narrows. */
const functionBodyMebibytesMax = 6

/** What the function service cannot deliver is refused with the limit it really has. */
export function functionEnvironment(environment: Readonly<Record<string, string | undefined>>) {
  const wanted = environment['MAX_BODY_SIZE_MB']
  const isPossible = wanted === undefined || wanted.trim() === '' || Number(wanted) >= functionBodyMebibytesMax
  // What is no number stays, to be refused by its name.
  return { ...environment, MAX_BODY_SIZE_MB: isPossible ? String(functionBodyMebibytesMax) : wanted }
}

/**
 * Serves invocations one after another, as the function service hands them out, until the signal fires. One that cannot
 * be read, or whose answer cannot be delivered, fails alone.
 */
export async function serveInvocations(
  gateway: ComposedGateway,
  runtimeApi: string,
  signal: AbortSignal,
): Promise<void> {
  const base = `http://${runtimeApi}/2018-06-01/runtime/invocation`
  while (!signal.aborted) {
    const next = await send(`${base}/next`, { signal, headersTimeout: 0, bodyTimeout: 0 })
    if (next.statusCode !== 200) throw new Error(`the function service answered ${next.statusCode}`)
    const invocation = `${base}/${String(next.headers['lambda-runtime-aws-request-id'])}`
    const request = requestOf(recordOf(parseJson(await next.body.text())) ?? {})
    if (request === undefined) await refuse(invocation)
    else await deliver(invocation, await gateway.fetch(request))
  }
}

/** An answer that the service no longer takes, as when the client has left, ends, and the provider's call with it. */
async function deliver(invocation: string, answer: Response): Promise<void> {
  const body = answer.body === null ? undefined : Readable.fromWeb(answer.body)
  try {
    const posted = await send(`${invocation}/response`, {
      method: 'POST',
      headers: {
        'content-type': 'application/vnd.awslambda.http-integration-response',
        'lambda-runtime-function-response-mode': 'streaming',
      },
      body: Readable.from(streamedAnswer(answer, body)),
      headersTimeout: 0,
    })
    await posted.body.dump()
  } catch {
    // Nobody is there to be told.
  } finally {
    body?.destroy()
  }
}

/** Somebody invoked the function with an event of their own, or through something that is not its address. */
async function refuse(invocation: string): Promise<void> {
  const posted = await send(`${invocation}/error`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'lambda-runtime-function-error-type': 'Gateway.UnknownEvent' },
    body: JSON.stringify({
      errorType: 'Gateway.UnknownEvent',
      errorMessage: 'this function serves its own address: events of payload version 2.0',
    }),
  })
  await posted.body.dump()
}

/** By which the gateway knows where a request comes from. */
const callerHeader = 'cf-connecting-ip'

/** What a function address hands over, as a request; undefined for an event of another shape. */
function requestOf(event: JsonRecord): Request | undefined {
  const http = recordOf(recordOf(event['requestContext'])?.['http'])
  const method = textOf(http?.['method'])
  const rawPath = textOf(event['rawPath'])
  if (method === undefined || rawPath === undefined) return undefined
  const url = new URL('http://function')
  url.pathname = rawPath
  url.search = textOf(event['rawQueryString']) ?? ''
  const text = method === 'GET' || method === 'HEAD' ? undefined : textOf(event['body'])
  const body = text === undefined ? null : Buffer.from(text, event['isBase64Encoded'] === true ? 'base64' : 'utf8')
  const sent = Object.entries(recordOf(event['headers']) ?? {}).map(([name, value]) => [name, String(value)] as const)
  try {
    const headers = new Headers(Object.fromEntries(sent))
    // Where the caller is, is the platform's word alone.
    headers.delete(callerHeader)
    const caller = textOf(http?.['sourceIp'])
    if (caller !== undefined) headers.set(callerHeader, caller)
    return new Request(url, { method, headers, body })
  } catch {
    // A method or a header that no address would have taken.
    return undefined
  }
}

/** Status and headers as JSON, eight zero bytes, then the body as it comes. */
async function* streamedAnswer(answer: Response, body: Readable | undefined): AsyncGenerator<Uint8Array> {
  const prelude = { statusCode: answer.status, headers: Object.fromEntries(answer.headers), cookies: [] }
  yield Buffer.concat([Buffer.from(JSON.stringify(prelude)), Buffer.alloc(8)])
  if (body !== undefined) yield* body
}
