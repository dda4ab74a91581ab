import { bodiesInFlightBytesMaxNode } from '../../workers/gateway/limits.ts'
import type { Settings } from '../../workers/gateway/settings.ts'
import { nodeDigests, sharedWatch } from './node-platform.ts'
import { providerPool, strangerPool } from './outgoing-pool.ts'

/** What Node has for the gateway that is faster than what every runtime offers. */
export function nodeParts({ connectTimeoutMs, openStreamsMax }: Pick<Settings, 'connectTimeoutMs' | 'openStreamsMax'>) {
  const pool = providerPool(connectTimeoutMs, openStreamsMax)
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
