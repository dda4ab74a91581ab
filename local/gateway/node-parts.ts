import { bodiesInFlightBytesMaxNode } from '../../workers/gateway/limits.ts'
import { nodeDigests, sharedWatch } from './node-platform.ts'
import { providerPool, strangerPool } from './outgoing-pool.ts'

/** What Node has for the gateway that is faster than what every runtime offers. */
export function nodeParts(connectTimeoutMs: number) {
  const pool = providerPool(connectTimeoutMs)
  const strangers = strangerPool(connectTimeoutMs)
  return {
    parts: {
      outgoing: pool.outgoing,
      outgoingToStrangers: strangers.outgoing,
      digests: nodeDigests,
      timers: { watch: sharedWatch() },
      bodiesInFlightBytesMax: bodiesInFlightBytesMaxNode,
    },
    async close() {
      await Promise.all([pool.close(), strangers.close()])
    },
  }
}
