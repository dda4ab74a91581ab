import { failure } from '../../core/failure.ts'
import type { Timers } from '../../ports.ts'
import { type ExchangeContext, failureResponse } from '../exchange.ts'
import { responseSocket, type ServeTurn } from '../response-socket.ts'

/** Opens a connection on which a client asks for one answer after another, where the host has such connections. */
export function openResponseSocket({ timers }: { readonly timers: Timers }, serve: ServeTurn) {
  return function openResponseSocketRoute(c: ExchangeContext): Response {
    const client = c.get('client')
    if (c.req.header('upgrade')?.toLowerCase() !== 'websocket' || client.upgrade === undefined) {
      const failed = failure('method_not_allowed', 'this route takes POST, or opens a web socket')
      return failureResponse(c, failed, { allow: 'POST, OPTIONS' })
    }
    const { url } = c.req
    const key = c.req.header('authorization')
    const apiKey = c.req.header('x-api-key')
    const trace = c.req.header('traceparent')
    // What the request said otherwise was of this one alone.
    const headers = new Map(
      Object.entries({ authorization: key, 'x-api-key': apiKey, traceparent: trace }).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      ),
    )
    const request = { method: 'GET', url, headers: { get: (name: string) => headers.get(name) ?? null } }
    return client.upgrade((peer) => responseSocket({ serve, timers, request, peer, address: client.address }))
  }
}
