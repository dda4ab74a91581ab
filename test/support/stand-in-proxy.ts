/**
 * A small HTTP proxy: plain http in absolute form, all else through `CONNECT`; by the user and password it is given. Follows
 * RFC 9110 (9.3.6 `CONNECT`, 11.7 `407` and its headers) and RFC 9112 (3.2.2 absolute form).
 */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import { endServer, listenToKept } from './loopback.ts'

export const proxyUser = 'walker'
/** With a character that stands escaped in an address. */
export const proxyPassword = 'CanaryProxyPassword/61'

export interface StandInProxy {
  /** `host:port` */
  readonly host: string
  /** With user and password. */
  readonly address: string
  /** What it was asked for: method and address. */
  readonly calls: readonly string[]
  stop(): Promise<void>
}

export async function startStandInProxy(): Promise<StandInProxy> {
  const calls: string[] = []
  const expected = `Basic ${Buffer.from(`${proxyUser}:${proxyPassword}`).toString('base64')}`
  const isKnown = ({ headers }: IncomingMessage) => headers['proxy-authorization'] === expected

  const forward = (request: IncomingMessage, response: ServerResponse): void => {
    // Asked as an ordinary server, it tells what passed through it.
    if (request.url === '/calls') return void response.end(JSON.stringify(calls))
    if (!isKnown(request)) return void response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end('who are you?')
    calls.push(`${request.method} ${request.url}`)
    const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = request.headers
    const onward = httpRequest(request.url ?? '', { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    // Whoever has read enough leaves in the middle: what nobody reads any more would keep the process of the tests.
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  }

  const connect = (request: IncomingMessage, client: Duplex): void => {
    client.on('error', () => client.destroy())
    if (!isKnown(request)) return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    calls.push(`CONNECT ${request.url}`)
    const [host = '', port = ''] = (request.url ?? '').split(':')
    const site = net.connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      site.pipe(client)
      client.pipe(site)
    })
    site.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
    client.on('close', () => site.destroy())
  }

  const server = createServer(forward)
  server.on('connect', connect)
  const host = `127.0.0.1:${(await listenToKept(server)).port}`
  return {
    host,
    address: `http://${proxyUser}:${encodeURIComponent(proxyPassword)}@${host}`,
    calls,
    stop: () => endServer(server),
  }
}
