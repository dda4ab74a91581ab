/** Hands a request that was let in to the tool behind the door, and its answer back, as they come. */
import { type IncomingMessage, request as requestTool, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream'
import type { ToolLease, ToolTarget } from './tool-on-demand.ts'

/** Of one connection, not of the request; what opened the door is not shown to what is behind it. */
const ownHeaders = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'expect'],
  ...['authorization', 'cookie'],
])
const hopHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'proxy-authenticate'])

export function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  lease: ToolLease,
  refuse: (reason: string) => void,
): void {
  const { target } = lease
  response.once('close', () => {
    lease.release()
    outgoing.destroy()
  })
  const outgoing = requestTool({
    ...placeOf(target),
    method: request.method,
    path: request.url,
    headers: sent(request, target),
  })
  outgoing.on('response', (answer) => {
    // The tool says these itself; where a browser goes next once it is let in, the door does.
    for (const name of response.getHeaderNames()) if (name !== 'refresh') response.removeHeader(name)
    response.writeHead(answer.statusCode ?? 502, without(answer.rawHeaders, hopHeaders))
    response.flushHeaders()
    pipeline(answer, response, () => undefined)
  })
  outgoing.on('error', (error) => {
    if (response.headersSent) response.destroy()
    else if (!response.destroyed) refuse(error.message)
  })
  pipeline(request, outgoing, () => undefined)
}

export function forwardUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, lease: ToolLease): void {
  const { target } = lease
  const headers = [...sent(request, target), 'connection', 'upgrade']
  const outgoing = requestTool({ ...placeOf(target), method: request.method, path: request.url, headers })
  socket.once('close', () => {
    lease.release()
    outgoing.destroy()
  })
  outgoing.on('upgrade', (answer, far, farHead) => {
    socket.write(startLines(answer, answer.rawHeaders))
    if (farHead.length > 0) socket.write(farHead)
    if (head.length > 0) far.write(head)
    pipeline(far, socket, () => socket.destroy())
    pipeline(socket, far, () => far.destroy())
  })
  // Refused behind the door: the answer is passed on, and the connection is of no more use.
  outgoing.on('response', (answer) => {
    socket.write(startLines(answer, [...without(answer.rawHeaders, hopHeaders), 'connection', 'close']))
    pipeline(answer, socket, () => socket.destroy())
  })
  outgoing.on('error', () => socket.destroy())
  outgoing.end()
}

function placeOf({ socketPath, host, port }: ToolTarget) {
  return socketPath === undefined ? { host, port, agent: false as const } : { socketPath, agent: false as const }
}

function sent(request: IncomingMessage, { authorization }: ToolTarget): string[] {
  const headers = without(request.rawHeaders, ownHeaders)
  return authorization === undefined ? headers : [...headers, 'authorization', authorization]
}

function without(rawHeaders: readonly string[], names: ReadonlySet<string>): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (!names.has(name.toLowerCase())) kept.push(name, rawHeaders[at + 1] ?? '')
  }
  return kept
}

function startLines(answer: IncomingMessage, rawHeaders: readonly string[]): string {
  const lines = [`HTTP/1.1 ${answer.statusCode} ${STATUS_CODES[answer.statusCode ?? 0] ?? ''}`]
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
