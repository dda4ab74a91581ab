/** Why the gateway does not serve on this machine. Plain data: one process tells another. */

import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import { type GatewayStartFault, sayStartFault } from '../../workers/gateway/core/start-fault.ts'

/** `cause` is what the system said. */
const sentences = {
  storage: ({ cause }: { cause: string }) => `the keys in DATA_DIR cannot be opened: ${cause}`,
  listen: ({ hostname, port, cause }: { hostname: string; port: number; cause: string }) =>
    `the gateway could not listen on ${hostname}:${port}: ${cause}`,
  process_ended: 'a process of the gateway ended at its start',
  gateway: ({ fault }: { fault: GatewayStartFault }) => sayStartFault(fault),
}

export type NodeStartFault = FaultOf<typeof sentences>
export const sayNodeStartFault = sayBy(sentences)
