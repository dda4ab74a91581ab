import type { ServerResponse } from 'node:http'

/** As providers of models refuse a request that is not of their dialect. */
export function refuseRequest(response: ServerResponse, message: string): void {
  response.writeHead(400, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }))
}
