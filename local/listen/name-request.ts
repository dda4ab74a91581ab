/** A request has one id for all who handle it, from the door in front to the route, and its answer shows it. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { requestIdOf } from '#shared/http/request-id.ts'
import { requestIdCharactersMax } from './limits.ts'

const header = 'x-request-id'

export function nameRequest(request: IncomingMessage, response: ServerResponse): void {
  // Several come joined by a blank, which an id cannot have.
  const sent = request.headers[header]
  const id = requestIdOf(typeof sent === 'string' ? sent : undefined, requestIdCharactersMax, randomUUID)
  if (id !== sent) {
    const { rawHeaders } = request
    if (sent !== undefined) {
      for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
        if (rawHeaders[at]?.toLowerCase() === header) rawHeaders.splice(at, 2)
      }
    }
    rawHeaders.push(header, id)
    request.headers[header] = id
  }
  response.setHeader(header, id)
}
