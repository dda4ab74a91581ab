/**
 * The only way out of a sandbox: a proxy on a socket of the file system that connects to the hosts the owner granted.
 * A name is resolved once and its addresses judged, so that a stranger's name cannot mean this machine.
 */
import { lookup } from 'node:dns/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { isGrantedHost, namesOwnNetwork } from '../core/granted-host.ts'
import { proxyConnectionsMax, proxyConnectMsMax } from '../limits.ts'
import type { HostProxy } from '../runtime/sandbox-port.ts'
import { isPublicAddress } from './web-fetch.ts'

interface Refusal {
  readonly status: 403 | 502
  readonly why: string
}

export async function openHostProxy(hosts: readonly string[]): Promise<HostProxy> {
  // The path of a socket may have 107 bytes, and the data folder may be deep.
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-net-'))
  const socketPath = path.join(folder, 'proxy')
  const open = new Set<Duplex>()
  const keep = <S extends Duplex>(socket: S): S => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    return socket
  }
  const server = http.createServer((request, response) => {
    void forward(hosts, request, response)
  })
  server.maxConnections = proxyConnectionsMax
  server.on('connection', keep)
  server.on('connect', (request, client: Duplex, head: Buffer) => {
    void tunnel(hosts, request.url ?? '', keep(client), head, keep)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, resolve)
  })
  return {
    socketPath,
    async close() {
      server.close()
      for (const socket of open) socket.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** One address to connect to, or why not. */
async function addressOf(hosts: readonly string[], name: string, port: number): Promise<string | Refusal> {
  if (!isGrantedHost(hosts, name, port)) {
    return { status: 403, why: `${name}:${port} is not among the hosts this command may reach` }
  }
  if (isIP(name) !== 0) return name
  const found = await lookup(name, { all: true }).catch(() => [])
  const [first] = found
  if (first === undefined) return { status: 502, why: `${name} cannot be resolved` }
  if (!namesOwnNetwork(name) && !found.every(({ address }) => isPublicAddress(address))) {
    return { status: 403, why: `${name} is not a public address` }
  }
  return first.address
}

async function tunnel(
  hosts: readonly string[],
  authority: string,
  client: Duplex,
  head: Buffer,
  keep: (socket: Socket) => Socket,
): Promise<void> {
  const [, name = '', port = ''] = /^([^:]+):(\d{1,5})$/.exec(authority) ?? []
  const address = await addressOf(hosts, name, Number(port))
  if (typeof address !== 'string') {
    client.end(`HTTP/1.1 ${address.status} Refused\r\ncontent-length: 0\r\nx-refused: ${address.why}\r\n\r\n`)
    return
  }
  const upstream = keep(connect({ host: address, port: Number(port), timeout: proxyConnectMsMax }))
  upstream.on('timeout', () => upstream.destroy())
  upstream.on('close', () => client.destroy())
  client.on('close', () => upstream.destroy())
  upstream.on('connect', () => {
    upstream.setTimeout(0)
    client.write('HTTP/1.1 200 Connected\r\n\r\n')
    if (head.length > 0) upstream.write(head)
    upstream.pipe(client)
    client.pipe(upstream)
  })
}

/** A request that is not encrypted, sent to the proxy with its whole address. */
async function forward(
  hosts: readonly string[],
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const refuse = ({ status, why }: Refusal) => response.writeHead(status, { connection: 'close' }).end(`${why}\n`)
  const url = URL.parse(request.url ?? '')
  if (url === null || url.protocol !== 'http:') return void refuse({ status: 403, why: 'only http addresses' })
  const port = url.port === '' ? 80 : Number(url.port)
  const address = await addressOf(hosts, url.hostname, port)
  if (typeof address !== 'string') return void refuse(address)
  const { 'proxy-connection': _dropped, 'proxy-authorization': _unused, ...headers } = request.headers
  const sent = http.request({
    host: address,
    port,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host, connection: 'close' },
    agent: false,
  })
  sent.on('error', () => (response.headersSent ? response.destroy() : refuse({ status: 502, why: 'not reached' })))
  sent.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  response.on('close', () => sent.destroy())
  request.pipe(sent)
}
