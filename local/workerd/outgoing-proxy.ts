/**
 * The host's outgoing side: sends a call of the Worker script through the proxy of the site it is for, which the
 * runtime's own `fetch` cannot do. Where the call goes was judged by the script, which follows redirects itself.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { type BrotliOptions, brotliDecompress, gunzip, type ZlibOptions } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { type OutgoingFault, outgoingHeaders } from '../../workers/app/core/site-proxy.ts'
import { siteCallMs, torrentFileBytesMax } from '../../workers/app/limits.ts'

/** A request of the script, as the runtime's library hands it over. */
interface ScriptRequest {
  readonly url: string
  readonly method: string
  readonly headers: Iterable<[string, string]>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** Of the connection and not of the message, or said anew by who sends it on. */
const hopHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  ...Object.values(outgoingHeaders),
])

/** workerd's library takes answers of a class of its own. */
type AnswerClass<Answer> = new (
  body: Uint8Array<ArrayBuffer> | null,
  init: { status: number; headers: [string, string][] },
) => Answer

export function forwardThroughProxy<Answer>(
  code: string,
  HostResponse: AnswerClass<Answer>,
): (request: ScriptRequest) => Promise<Answer> {
  const faultAnswer = (fault: OutgoingFault) =>
    new HostResponse(null, { status: 502, headers: [[outgoingHeaders.fault, fault]] })
  return async (request) => {
    const headers = new Map(request.headers)
    const proxy = headers.get(outgoingHeaders.proxy)
    if (proxy === undefined || !isSame(headers.get(outgoingHeaders.code) ?? '', code))
      return new HostResponse(null, { status: 403, headers: [] })
    const { ProxyAgent, request: send } = await import('undici')
    // One for each call: neither connections nor credentials are kept.
    const agent = new ProxyAgent({ uri: proxy, allowH2: false })
    try {
      // Not `fetch`, which tells the site that it is one and keeps away from ports.
      const answer = await send(request.url, {
        method: request.method as Dispatcher.HttpMethod,
        headers: {
          ...Object.fromEntries([...headers].filter(([name]) => !hopHeaders.has(name) && !/^(?:mf|cf)-/.test(name))),
          'accept-encoding': [...decoders.keys()].join(', '),
        },
        ...(request.method === 'GET' ? {} : { body: Buffer.from(await request.arrayBuffer()) }),
        signal: AbortSignal.timeout(siteCallMs),
        dispatcher: agent,
      })
      if (answer.statusCode === 407) return faultAnswer('proxy_refused')
      // Read whole before it is handed on: the way to the script shows a cut answer as a complete one.
      const body = await readWhole(answer.body)
      if (body === undefined) return faultAnswer('too_large')
      const decode = decoders.get(String(answer.headers['content-encoding'] ?? '').toLowerCase())
      const plain =
        decode === undefined || body.length === 0 ? body : await decode(body, { maxOutputLength: torrentFileBytesMax })
      return new HostResponse(bodiless.has(answer.statusCode) ? null : new Uint8Array(plain), {
        status: answer.statusCode,
        headers: Object.entries(answer.headers)
          .filter(([name]) => !hopHeaders.has(name) && name !== 'content-encoding')
          .flatMap(([name, values]) => [values ?? []].flat().map((value): [string, string] => [name, value])),
      })
    } catch (error) {
      return faultAnswer(faultOf(error, new URL(request.url).protocol === 'https:'))
    } finally {
      await agent.destroy()
    }
  }
}

const decoders = new Map([
  ['gzip', promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ['br', promisify<Buffer, BrotliOptions, Buffer>(brotliDecompress)],
])
const bodiless = new Set([204, 205, 304])

/** Of what the script asks for, a torrent file is the longest; for other things it has bounds of its own. */
async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.byteLength
    if (bytes > torrentFileBytesMax) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_/

/**
 * The only connection made here is the one to the proxy. Over plain http whatever breaks is the proxy's; through a tunnel
 * the site may be the one that is away, or not who it should be.
 */
function faultOf(error: unknown, isTunnel: boolean): OutgoingFault {
  const causes: Error[] = []
  for (let one = error; one instanceof Error && causes.length < causesMax; one = one.cause) causes.push(one)
  const codes = causes.map((cause) => ('code' in cause ? String(cause.code) : ''))
  if (causes.some(({ name }) => name === 'TimeoutError')) return 'timeout'
  if (codes.includes('ERR_BUFFER_TOO_LARGE')) return 'too_large'
  if (causes.some(({ message }) => message.includes('(407)'))) return 'proxy_refused'
  const isConnecting = causes.some(
    (cause) => 'syscall' in cause && /^(?:connect|getaddrinfo)/.test(String(cause.syscall)),
  )
  if (!isTunnel || isConnecting || codes.some((code) => proxyCodes.has(code))) return 'proxy_unreachable'
  return codes.some((code) => certificateCodes.test(code)) ? 'certificate' : 'unreachable'
}

const proxyCodes = new Set(['UND_ERR_PRX_TLS', 'UND_ERR_PRX_CONN', 'UND_ERR_CONNECT_TIMEOUT'])
/** An error may name its reason as its cause, and that one another. */
const causesMax = 5

function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
