import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { EnvironmentText } from '../../workers/gateway/settings.ts'
import { closeServer } from '../listen/loopback-port.ts'
import {
  clientKeepAliveMs,
  drainMs,
  headersTimeoutMs,
  requestHeaderBytesMax,
  requestTimeoutMs,
  socketGraceMs,
  timeoutCheckMs,
} from './limits.ts'
import { type ComposedGateway, type SharedParts, startComposed } from './node-compose.ts'
import { nodeListener } from './node-listener.ts'
import type { NodeStartFault } from './node-start-fault.ts'
import { refuseMessage, withHost } from './refused-message.ts'
import { asksForSocket, responseSockets } from './response-sockets.ts'

export interface NodeGateway {
  readonly url: string
  metrics(): string
  /** Takes no new request, lets answers under way finish, then closes. */
  stop(): Promise<void>
}

export interface NodeGatewayOptions {
  readonly environment: EnvironmentText
  readonly port: number
  readonly hostname: string
  readonly log: (line: string) => void
  /** How long a client may take to send a whole request. */
  readonly requestMsMax?: number
  /** What this process has in common with others that serve the same port. */
  readonly shared?: SharedParts
}

/** Starts the gateway on this machine. */
export async function startNodeGateway(options: NodeGatewayOptions): Promise<Result<NodeGateway, NodeStartFault>> {
  const composed = await startComposed(options.environment, options.log, options.shared)
  if (!composed.ok) return composed
  const { serve, settings, metrics, close } = composed.value
  const sockets = responseSockets(serve, settings.bodyBytesMax)
  const listening = await listen(options, serve, sockets, settings.clientConnectionsMax)
  if (!listening.ok) {
    await close()
    return listening
  }
  const { server, address } = listening.value
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return succeed({
    url: `http://${host}:${address.port}${settings.routePrefix}`,
    metrics,
    async stop() {
      sockets.close(socketGraceMs)
      await closeServer(server, drainMs)
      await close()
    },
  })
}

interface Listening {
  readonly server: Server
  readonly address: AddressInfo
}

function listen(
  { port, hostname, requestMsMax = requestTimeoutMs }: NodeGatewayOptions,
  serve: ComposedGateway['serve'],
  sockets: ReturnType<typeof responseSockets>,
  connectionsMax: number,
): Promise<Result<Listening, NodeStartFault>> {
  return new Promise((resolve) => {
    const listener = withHost(nodeListener(serve))
    const server = createServer(
      {
        requireHostHeader: false,
        maxHeaderSize: requestHeaderBytesMax,
        headersTimeout: Math.min(headersTimeoutMs, requestMsMax),
        requestTimeout: requestMsMax,
        connectionsCheckingInterval: Math.min(timeoutCheckMs, requestMsMax),
        keepAliveTimeout: clientKeepAliveMs,
        // Other upgrades are passed over, as they may be.
        shouldUpgradeCallback: asksForSocket,
      },
      listener,
    )
    // An expectation that nobody knows is passed over: the server's own refusal has no body.
    server.on('checkExpectation', listener)
    server.listen(port, hostname, () => resolve(succeed({ server, address: server.address() as AddressInfo })))
    server.maxConnections = connectionsMax
    server.on('upgrade', (incoming, socket, head) => {
      sockets.onUpgrade(incoming, socket, head).catch(() => socket.destroy())
    })
    server.on('clientError', refuseMessage)
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(failWith({ kind: 'listen', hostname, port, cause: error.code ?? error.message }))
    })
  })
}
