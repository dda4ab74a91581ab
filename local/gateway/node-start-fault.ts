/** Why the gateway does not serve on this machine. Plain data: one process tells another. */

import { type GatewayStartFault, sayStartFault } from '../../workers/gateway/core/start-fault.ts'

/** `cause` is what the system said. */
export interface StorageFault {
  readonly kind: 'storage'
  readonly cause: string
}

export type NodeStartFault =
  | GatewayStartFault
  | StorageFault
  | { readonly kind: 'listen'; readonly hostname: string; readonly port: number; readonly cause: string }
  | { readonly kind: 'process_ended' }

/** One line for whoever started it. */
export function sayNodeStartFault(fault: NodeStartFault): string {
  switch (fault.kind) {
    case 'storage':
      return `the keys in DATA_DIR cannot be opened: ${fault.cause}`
    case 'listen':
      return `the gateway could not listen on ${fault.hostname}:${fault.port}: ${fault.cause}`
    case 'process_ended':
      return 'a process of the gateway ended at its start'
    default:
      return sayStartFault(fault)
  }
}

export function causeOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
