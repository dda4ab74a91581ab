import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { composeGateway } from '../../workers/gateway/compose.ts'
import { bodiesInFlightBytesMaxNode } from '../../workers/gateway/limits.ts'
import type { EnvironmentText } from '../../workers/gateway/settings.ts'
import {
  clientConnectionsMax,
  clientKeepAliveMs,
  drainMs,
  headersTimeoutMs,
  requestHeaderBytesMax,
  requestTimeoutMs,
} from './limits.ts'
import { machineFiles, nodeDigests, providerPool, strangerPool } from './node-platform.ts'
import { registryTexts } from './registry-files.ts'

export interface NodeGateway {
  readonly url: string
  /** Takes no new request, lets answers under way finish, then closes. */
  stop(): Promise<void>
}

export interface NodeGatewayOptions {
  readonly environment: EnvironmentText
  readonly port: number
  readonly hostname: string
  readonly log: (line: string) => void
}

/** Starts the gateway on this machine; the refusal is one line for the person who started it. */
export async function startNodeGateway(options: NodeGatewayOptions): Promise<Result<NodeGateway, string>> {
  const { environment, log } = options
  const connectTimeoutMs = Number(environment['AWS_CONNECT_TIMEOUT_SECS'] ?? 60) * 1_000
  const pool = providerPool(connectTimeoutMs)
  const strangers = strangerPool(connectTimeoutMs)
  const closePools = () => Promise.all([pool.close(), strangers.close()])
  const gateway = composeGateway(environment, {
    registries: registryTexts(environment['CONFIG_DIR'] ?? 'config', log),
    outgoing: pool.outgoing,
    outgoingToStrangers: strangers.outgoing,
    digests: nodeDigests,
    files: machineFiles,
    bodiesInFlightBytesMax: bodiesInFlightBytesMaxNode,
    log,
  })
  const started = await gateway.start()
  if (!started.ok) {
    await closePools()
    return started
  }
  const listening = await listen(options, gateway.fetch)
  if (!listening.ok) {
    await closePools()
    return listening
  }
  const { server, address } = listening.value
  return succeed({
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}${started.value.routePrefix}`,
    async stop() {
      await drain(server)
      await closePools()
    },
  })
}

interface Listening {
  readonly server: Server
  readonly address: AddressInfo
}

function listen(
  { port, hostname }: NodeGatewayOptions,
  fetch: (request: Request) => Promise<Response>,
): Promise<Result<Listening, string>> {
  return new Promise((resolve) => {
    const server = serve(
      {
        fetch,
        port,
        hostname,
        serverOptions: {
          maxHeaderSize: requestHeaderBytesMax,
          headersTimeout: headersTimeoutMs,
          requestTimeout: requestTimeoutMs,
          keepAliveTimeout: clientKeepAliveMs,
        },
      },
      (address) => resolve(succeed({ server: server as Server, address })),
    )
    server.maxConnections = clientConnectionsMax
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(failWith(`the gateway could not listen on ${hostname}:${port}: ${error.code ?? error.message}`))
    })
  })
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => server.closeAllConnections(), drainMs)
    server.close(() => {
      clearTimeout(giveUp)
      resolve()
    })
    server.closeIdleConnections()
  })
}
