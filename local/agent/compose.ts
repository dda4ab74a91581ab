/** Starts the agent of one process: with a listener, or for a program that asks for itself. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { loadOwnerKey } from './adapters/owner-key.ts'
import { createSocketServer } from './adapters/web-socket.ts'
import { composeAgent } from './compose/agent-parts.ts'
import { systemClock } from './compose/ground.ts'
import type { AgentOptions, AgentServerOptions } from './compose/options.ts'
import { decideBind } from './core/bind-address.ts'
import { sayOwnerKeyFault } from './core/owner-key-fault.ts'
import { refuseBrokenMessage } from './http/broken-message.ts'
import { BrowserAuth } from './http/browser-auth.ts'
import { guardRequests, type RawListener } from './http/guard.ts'
import { throttleFor } from './http/password-throttle.ts'
import { asksForSocket, serveUpgrades } from './http/upgrade.ts'
import {
  closeDrainMs,
  connectionsLookMs,
  connectionsMax,
  headerBytesMax,
  headersMsMax,
  keepAliveMs,
  ownCookieSecondsMax,
  requestMsMax,
  terminalInputFrameBytesMax,
} from './limits.ts'
import { requestShare } from './runtime/loop-share.ts'

export interface RunningAgentServer {
  readonly hostname: string
  readonly port: number
  /** `http://host:port`, as a browser takes it. */
  readonly address: string
  /** The address that signs a browser in, once. */
  readonly signInAddress: string | undefined
  /** Whether a turn or a program of a terminal runs. */
  isBusy(): boolean
  close(): Promise<void>
}

/** The server must not start; the message says why and what to do. */
class StartRefused extends Error {
  override readonly name = 'StartRefused'
}

export async function startAgentServer(options: AgentServerOptions): Promise<RunningAgentServer> {
  const protection = {
    hasPassword: options.credentials !== undefined,
    hasBrowserAuth: options.hasBrowserAuth === true,
  }
  const bind = decideBind(options.hostname, await options.resolveHost(options.hostname), protection)
  if (!bind.ok) throw new StartRefused(bind.failure.message)
  const browserAuth = protection.hasBrowserAuth ? createBrowserAuth(options) : undefined
  const parts = composeAgent(options)
  let port = options.port
  const listener = getRequestListener(parts.app.fetch)
  const answer: RawListener = (request, response) => {
    if (requestShare.isSpent()) void requestShare.turn().then(() => listener(request, response))
    else void listener(request, response)
  }
  const throttle = throttleFor(options.credentials?.password, options.clock ?? systemClock)
  const rules = () => ({
    boundHostname: options.hostname,
    port,
    acceptsAnyHost: protection.hasPassword && !protection.hasBrowserAuth,
    credentials: options.credentials,
    browserAuth,
    throttle,
    hasPage: protection.hasBrowserAuth && options.pagesFolder !== undefined,
  })
  const guarded = guardRequests(rules, answer)
  const server = createServer(
    {
      // A missing Host is refused by the guard, in the shape of every failure.
      requireHostHeader: false,
      maxHeaderSize: headerBytesMax,
      headersTimeout: options.headersMsMax ?? headersMsMax,
      requestTimeout: options.requestMsMax ?? requestMsMax,
      keepAliveTimeout: options.keepAliveMs ?? keepAliveMs,
      connectionsCheckingInterval: connectionsLookMs,
      shouldUpgradeCallback: asksForSocket,
    },
    guarded,
  )
  server.maxConnections = connectionsMax
  server.on('clientError', refuseBrokenMessage)
  server.on('checkExpectation', guarded)
  const sockets = createSocketServer(terminalInputFrameBytesMax)
  const upgrade = serveUpgrades(parts.app, rules, sockets.accept)
  server.on('upgrade', (request, socket, head) => {
    upgrade(request, socket, head).catch((cause: unknown) => {
      options.logger?.error('upgrade_failed', { cause })
      socket.destroy()
    })
  })
  try {
    await parts.recoverFiles()
    server.listen(options.port, bind.value)
    await once(server, 'listening')
    const bound = server.address() as AddressInfo
    port = bound.port
    // What was decided about a name must hold for what was bound.
    const again = decideBind(options.hostname, [bound.address], protection)
    if (!again.ok) throw new StartRefused(again.failure.message)
  } catch (error) {
    server.close()
    await parts.close()
    throw error
  }
  const hostname = isIP(options.hostname) === 6 ? `[${options.hostname}]` : options.hostname
  const address = `http://${hostname}:${port}`
  parts.listensAt(address)
  parts.start()
  return {
    hostname: options.hostname,
    port,
    address,
    signInAddress: browserAuth?.addressAt(address),
    isBusy: () => parts.isBusy(),
    async close() {
      await Promise.all([sockets.close(closeDrainMs), closeServer(server, parts)])
    },
  }
}

export interface AgentRuntime {
  answer(request: Request): Response | Promise<Response>
  close(): Promise<void>
}

/** The same without a listener, for a program that asks for itself: who may is decided by who can start it. */
export async function openRuntime(options: AgentOptions): Promise<AgentRuntime> {
  const parts = composeAgent(options)
  try {
    await parts.recoverFiles()
  } catch (error) {
    await parts.close()
    throw error
  }
  parts.start()
  return {
    answer: (request) => parts.app.fetch(request, {}),
    async close() {
      parts.endStreams()
      await parts.close()
    },
  }
}

/** For another command of the owner of the data folder, at the server that listens there. */
export function ownCookie(options: Pick<AgentServerOptions, 'dataDir' | 'clock'>, authority: string): string {
  return createBrowserAuth(options).cookieFor(authority, ownCookieSecondsMax)
}

function createBrowserAuth(options: Pick<AgentServerOptions, 'dataDir' | 'clock'>): BrowserAuth {
  const key = loadOwnerKey(path.join(options.dataDir, 'browser-auth'))
  if (!key.ok) throw new StartRefused(sayOwnerKeyFault(key.failure))
  return new BrowserAuth(key.value, options.clock ?? systemClock)
}

const idleLookMs = 10

/** Streams end first, so that the connections they hold can close; turns end; the database is closed last. */
async function closeServer(server: Server, parts: { endStreams(): void; close(): Promise<void> }): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  parts.endStreams()
  // A connection becomes idle only after its answer has left: until the last one has, look again.
  const idle = setInterval(() => server.closeIdleConnections(), idleLookMs)
  const deadline = setTimeout(() => server.closeAllConnections(), closeDrainMs)
  await parts.close()
  await closed
  clearInterval(idle)
  clearTimeout(deadline)
}
