/**
 * The first script every request meets: judges `Host`, takes off what a caller says about itself, and hands the request
 * over. It runs inside the runtime, because reading requests in Node as well would cost half of the requests per second.
 */
import { requestIdOf } from '#shared/http/request-id.ts'
import type { Network } from '#shared/network/ip-address.ts'
import { requestIdCharactersMax } from '../../workers/app/limits.ts'
import { callerInChain, forwardingHeaders } from './forwarded.ts'
import { type HostRule, isAllowedHost, publicOriginOf } from './host-filter.ts'
import { isPackable, packedFromBytes, packedHeaders, takesGzip } from './packing.ts'

interface Service {
  fetch(request: Request): Promise<Response>
}

interface GateBindings {
  /** The script behind its static assets, as the edge has it. */
  readonly MAIN: Service
  /** The script itself: three hops less for the paths that it answers before any asset is looked for. */
  readonly SCRIPT: Service
  readonly SCRIPT_FIRST: readonly string[]
  readonly HOST_RULE: HostRule
  /** The owner's own, as in `--trusted-proxy`. */
  readonly PROXIES: readonly Network[]
}

async function passThrough(request: Request, env: GateBindings, isFromProxy: boolean): Promise<Response> {
  // The request line may carry an authority of its own, and that one is what the script would see.
  const isAllowed =
    isAllowedHost(request.headers.get('host'), env.HOST_RULE) && isAllowedHost(authorityOf(request.url), env.HOST_RULE)
  if (!isAllowed) return refusal(request)
  const { pathname } = new URL(request.url)
  const isForScript = env.SCRIPT_FIRST.some((prefix) => pathname.startsWith(prefix))
  const seen = asSeenByCaller(request, env, isFromProxy)
  return isForScript ? env.SCRIPT.fetch(seen) : packed(request, await env.MAIN.fetch(seen))
}

/** The runtime packs a body whose headers say that it is packed. */
function packed(request: Request, answer: Response): Response {
  if (answer.status !== 200 || !isPackable(answer.headers.get('content-type'))) return answer
  const length = Number(answer.headers.get('content-length') ?? packedFromBytes)
  const isWanted =
    request.method === 'GET' && length >= packedFromBytes && takesGzip(request.headers.get('accept-encoding'))
  const headers = isWanted ? packedHeaders(answer.headers) : new Headers(answer.headers)
  headers.append('vary', 'accept-encoding')
  return new Response(answer.body, { status: answer.status, headers })
}

/**
 * The request as the edge would show it: at the address that the browser has, with where it comes from in the platform's
 * header. A request to a public name was sent to that name's origin, whatever the way behind it: so much is the owner's
 * word. Who calls, and by which scheme to any other name, is a proxy's word, and only the owner's proxies are heard.
 */
function asSeenByCaller(request: Request, env: GateBindings, isFromProxy: boolean): Request {
  const publicOrigin = publicOriginOf(request.headers.get('host'), env.HOST_RULE)
  const isAdorned = forwardingHeaders.some((name) => request.headers.has(name))
  if (publicOrigin === undefined && !isAdorned) return request
  const { protocol, host, pathname, search } = new URL(request.url)
  const told = isFromProxy ? request.headers.get('x-forwarded-proto') : null
  const scheme = told === 'https' || told === 'http' ? `${told}:` : protocol
  const seen = new Request(`${publicOrigin ?? `${scheme}//${host}`}${pathname}${search}`, request)
  const caller = isFromProxy ? callerInChain(request.headers.get('x-forwarded-for'), env.PROXIES) : undefined
  for (const name of forwardingHeaders) seen.headers.delete(name)
  if (caller !== undefined) seen.headers.set('cf-connecting-ip', caller)
  return seen
}

function authorityOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null
}

function refusal(request: Request): Response {
  const id = requestIdOf(request.headers.get('x-request-id'), requestIdCharactersMax, () => crypto.randomUUID())
  return Response.json(
    {
      error: 'forbidden',
      message: 'This Host is not served here; start with --allow-host NAME or --public-url URL to add one',
    },
    {
      status: 403,
      headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-request-id': id },
    },
  )
}

/** Where the connections of the owner's own proxies arrive; the name is the host's word for this way in. */
export const FromProxy = { fetch: (request: Request, env: GateBindings) => passThrough(request, env, true) }

// biome-ignore lint/style/noDefaultExport: the runtime takes a script's handlers from its default export
export default { fetch: (request: Request, env: GateBindings) => passThrough(request, env, false) }
