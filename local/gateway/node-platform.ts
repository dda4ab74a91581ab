import { createHash, createHmac } from 'node:crypto'
import { lookup as resolve } from 'node:dns'
import { readFile } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import { homedir } from 'node:os'
import { Agent, type Dispatcher, request as send } from 'undici'
import { isPrivateAddress } from '../../workers/gateway/core/address-guard.ts'
import type { Digests, Outgoing } from '../../workers/gateway/ports.ts'
import { connectionsToProviderMax, idleConnectionMs } from './limits.ts'

export interface OutgoingPool {
  readonly outgoing: Outgoing
  close(): Promise<void>
}

/** Outgoing requests over kept connections. Time limits but the one to connect are the caller's own. */
export function providerPool(connectTimeoutMs: number): OutgoingPool {
  return poolOf(new Agent({ ...agentOptions, connect: { timeout: connectTimeoutMs } }))
}

/**
 * The same for addresses strangers chose: what a name resolves to is judged, and the connection goes to exactly the
 * address that was judged, so that a name cannot change its mind in between.
 */
export function strangerPool(connectTimeoutMs: number, lookup: LookupFunction = publicLookup): OutgoingPool {
  return poolOf(new Agent({ ...agentOptions, connect: { timeout: connectTimeoutMs, lookup } }))
}

const agentOptions = {
  connections: connectionsToProviderMax,
  keepAliveTimeout: idleConnectionMs,
  headersTimeout: 0,
  bodyTimeout: 0,
}

function poolOf(dispatcher: Agent): OutgoingPool {
  return {
    outgoing: async (request) => {
      const { statusCode, headers, body } = await send(request.url, {
        dispatcher,
        method: request.method,
        headers: request.headers as Record<string, string>,
        signal: request.signal,
        ...(request.body === undefined ? {} : { body: request.body }),
      })
      return { status: statusCode, header: (name) => single(headers, name), body }
    },
    close: () => dispatcher.destroy(),
  }
}

function single(headers: Dispatcher.ResponseData['headers'], name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Refuses a name when any of its addresses is private. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '')
    const [first] = addresses
    if (first === undefined || addresses.some((entry) => isPrivateAddress(entry.address))) {
      return callback(new Error('the name leads to a private address'), '')
    }
    if (options.all === true) return callback(null, addresses)
    return callback(null, first.address, first.family)
  })
}

export const nodeDigests: Digests = {
  sha256: (bytes) => createHash('sha256').update(bytes).digest(),
  hmacSha256: (key, bytes) => createHmac('sha256', key).update(bytes).digest(),
}

export const machineFiles = {
  home: homedir(),
  async read(path: string): Promise<string | undefined> {
    try {
      return await readFile(path, 'utf8')
    } catch {
      return undefined
    }
  },
}
