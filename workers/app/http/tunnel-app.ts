/** The interface as paired devices have it: what their requests say, asked of the same routes, and nothing beside them. */
import { parseStrictJson } from '#shared/http/strict-json-body.ts'
import { type CarriedAnswer, carriedAnswerHeaders, carriedRequest, carriedRequestHeaders } from '../contract/tunnel.ts'
import { failure } from '../core/failure.ts'
import type { Principal } from '../core/principal.ts'
import type { Reason } from '../core/reason/reason.ts'
import { joinMessage, splitMessage } from '../core/tunnel/message-layout.ts'
import { bodyDepthMax, carriedHeadBytesMax, carriedPathBytesMax, carriedRequestsMax } from '../limits.ts'
import { renderFailure } from './render-failure.ts'

type Bytes = Uint8Array<ArrayBuffer>

export interface TunnelApp {
  answer(caller: Principal, message: Uint8Array): Promise<Bytes>
  /** To a request beyond those that may be under way. */
  refuseMore(): Promise<Bytes>
}

/** Stands for this service in addresses that nobody resolves. */
const nowhere = 'http://tunnel.invalid'

export function createTunnelApp(
  serve: (request: Request, caller: Principal) => Response | Promise<Response>,
): TunnelApp {
  return {
    async answer(caller, message) {
      const request = readRequest(message)
      return write(
        'kind' in request ? renderFailure(failure('invalid_argument', request)) : await serve(request, caller),
      )
    },
    refuseMore: () => write(renderFailure(failure('too_many', { kind: 'tunnel.too_many', limit: carriedRequestsMax }))),
  }
}

/** The request, or what is wrong with it. */
function readRequest(message: Uint8Array): Request | Reason {
  const parts = splitMessage(message, carriedHeadBytesMax)
  const json = parts === undefined ? undefined : parseStrictJson(parts.head, bodyDepthMax)
  const head = carriedRequest.safeParse(json?.ok === true ? json.value : undefined)
  if (parts === undefined || !head.success) return { kind: 'tunnel.broken' }
  const { method, path, headers = {} } = head.data
  if (new TextEncoder().encode(path).length > carriedPathBytesMax)
    return { kind: 'tunnel.path', limit: carriedPathBytesMax }
  const given = Object.entries(headers).filter(([name]) => carriedRequestHeaders.includes(name.toLowerCase()))
  const hasBody = method !== 'GET' && method !== 'HEAD' && parts.body.length > 0
  try {
    return new Request(`${nowhere}${path}`, { method, headers: given, ...(hasBody ? { body: parts.body } : {}) })
  } catch {
    return { kind: 'tunnel.header' }
  }
}

async function write(response: Response): Promise<Bytes> {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => carriedAnswerHeaders.includes(name)))
  const head: CarriedAnswer = { status: response.status, headers }
  return joinMessage(head, new Uint8Array(await response.arrayBuffer()))
}
