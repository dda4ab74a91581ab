/** Holds a tool's port, lets in whom its rules let in, and wakes the tool for them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Result, succeed } from '#shared/kernel/result.ts'
import { closeServer, listenOnLoopback, type PortFault, type PortWish } from '../listen/loopback-port.ts'
import { forwardRequest, forwardUpgrade } from './forward.ts'
import {
  connectionsMax,
  headersBytesMax,
  headersMsMax,
  keepAliveMs,
  portsTriedAfterDefault,
  requestMsMax,
} from './limits.ts'
import type { ToolOnDemand } from './tool-on-demand.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown
type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** How one tool's door judges and refuses. `pass` is called for what may go in. */
export interface Doorkeeper {
  request(pass: Listener): Listener
  /** Undefined: this tool has no use for connections that become something else. */
  upgrade?(pass: UpgradeListener): UpgradeListener
  readonly asksForSocket?: (request: IncomingMessage) => boolean
  /** Why a request that was let in could not be answered. */
  unavailable(request: IncomingMessage, response: ServerResponse): void
  /** What else the server must be told, so that it answers nothing by itself. */
  attach(server: Server, listener: Listener): void
}

export interface Door {
  readonly port: number
  close(): Promise<void>
}

export async function openDoor(
  place: PortWish,
  keeperAt: (port: () => number) => Doorkeeper,
  tool: ToolOnDemand,
): Promise<Result<Door, PortFault>> {
  let port = place.port
  const keeper = keeperAt(() => port)
  const pass: Listener = async (request, response) => {
    const lease = await tool.lease()
    if (!lease.ok) return keeper.unavailable(request, response)
    if (response.destroyed) return lease.value.release()
    forwardRequest(request, response, lease.value, () => keeper.unavailable(request, response))
  }
  const listener = keeper.request(pass)
  const upgrade = keeper.upgrade?.(async (request, socket, head) => {
    const lease = await tool.lease()
    if (!lease.ok) socket.destroy()
    else if (socket.destroyed) lease.value.release()
    else forwardUpgrade(request, socket, head, lease.value)
  })
  const server = createServer(
    {
      // A missing Host is the doorkeeper's to refuse.
      requireHostHeader: false,
      maxHeaderSize: headersBytesMax,
      headersTimeout: headersMsMax,
      requestTimeout: requestMsMax,
      keepAliveTimeout: keepAliveMs,
      ...(keeper.asksForSocket === undefined ? {} : { shouldUpgradeCallback: keeper.asksForSocket }),
    },
    listener,
  )
  server.maxConnections = connectionsMax
  keeper.attach(server, listener)
  if (upgrade !== undefined) {
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => undefined)
      upgrade(request, socket, head)
    })
  }
  const taken = await listenOnLoopback(server, place, portsTriedAfterDefault)
  if (!taken.ok) return taken
  port = taken.value
  return succeed({ port, close: () => closeServer(server) })
}
