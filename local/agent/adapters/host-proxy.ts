/**
 * The only way out of a sandbox: a proxy on a socket of the file system that connects to the hosts the owner granted.
 * A name is resolved once and its addresses judged, so that a stranger's name cannot mean this machine.
 */
import { lookup } from 'node:dns/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { connect, isIP, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { isGrantedHost, namesOwnNetwork } from '../core/granted-host.ts'
import { proxyConnectionsMax, proxyConnectMsMax } from '../limits.ts'
import type { HostProxy } from '../runtime/sandbox-port.ts'
import { isPublicAddress } from './web-fetch.ts'

interface Refusal {
  readonly status: 403 | 502 | 504
  readonly why: string
}

/** `connectMsMax` is how long a host has for taking the connection. */
export async function openHostProxy(
  hosts: readonly string[],
  connectMsMax: number = proxyConnectMsMax,
): Promise<HostProxy> {
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
  const reach: Reach = async (name, port) => {
    const address = await addressOf(hosts, name, port)
    return typeof address === 'string' ? connected(keep(connect({ host: address, port })), connectMsMax) : address
  }
  const server = http.createServer((request, response) => {
    void forward(reach, request, response)
  })
  server.maxConnections = proxyConnectionsMax
  server.on('connection', keep)
  server.on('connect', (request, client: Duplex, head: Buffer) => {
    void tunnel(reach, request.url ?? '', keep(client), head)
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

/** A connection to a host of that name, or why there is none. */
type Reach = (name: string, port: number) => Promise<Socket | Refusal>

function connected(socket: Socket, msMax: number): Promise<Socket | Refusal> {
  return new Promise((resolve) => {
    // A host that is silent later may be thinking: only the way to it is bounded.
    const timer = setTimeout(() => {
      resolve({ status: 504, why: 'does not answer' })
      socket.destroy()
    }, msMax)
    socket.once('connect', () => resolve(socket))
    socket.once('close', () => resolve({ status: 502, why: 'not reached' }))
    for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer))
  })
}

async function tunnel(reach: Reach, authority: string, client: Duplex, head: Buffer): Promise<void> {
  const [, name = '', port = ''] = /^([^:]+):(\d{1,5})$/.exec(authority) ?? []
  const upstream = await reach(name, Number(port))
  if (!(upstream instanceof Socket)) {
    client.end(`HTTP/1.1 ${upstream.status} Refused\r\ncontent-length: 0\r\nx-refused: ${upstream.why}\r\n\r\n`)
    return
  }
  upstream.on('close', () => client.destroy())
  client.on('close', () => upstream.destroy())
  if (client.destroyed) {
    upstream.destroy()
    return
  }
  client.write('HTTP/1.1 200 Connected\r\n\r\n')
  if (head.length > 0) upstream.write(head)
  upstream.pipe(client)
  client.pipe(upstream)
}

/** A request that is not encrypted, sent to the proxy with its whole address. */
async function forward(reach: Reach, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const refuse = ({ status, why }: Refusal) => response.writeHead(status, { connection: 'close' }).end(`${why}\n`)
  const url = URL.parse(request.url ?? '')
  if (url === null || url.protocol !== 'http:') return void refuse({ status: 403, why: 'only http addresses' })
  const upstream = await reach(url.hostname, url.port === '' ? 80 : Number(url.port))
  if (!(upstream instanceof Socket)) return void refuse(upstream)
  const { 'proxy-connection': _dropped, 'proxy-authorization': _unused, ...headers } = request.headers
  const sent = http.request({
    createConnection: () => upstream,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host, connection: 'close' },
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
