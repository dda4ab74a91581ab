/** Why the agent server, or a command of its owner, does not start. One line each, for a terminal. */

import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import { type ConfigurationFault, sayConfigurationFault } from './core/configuration-fault.ts'

const sentences = {
  configuration: ({ fault }: { fault: ConfigurationFault }) => sayConfigurationFault(fault),
  no_hostname: '--hostname needs a name or an address',
  data_folder: ({ folder }: { folder: string }) => `The data folder ${folder} cannot be written`,
  port_taken: ({ port }: { port: number }) => `Port ${port} is in use`,
  port_forbidden: ({ port }: { port: number }) => `Port ${port} may not be used`,
  host_unknown: 'The host name cannot be resolved',
  /** `reason`: whoever refused, a rule of ours or the system. */
  refused: ({ reason }: { reason: string }) => reason,
  server_refused: ({ address, reason }: { address: string; reason: string }) => `The server at ${address}: ${reason}`,
  server_locked: ({ address }: { address: string }) =>
    `The server at ${address} asks for its password: give it in SVC_SERVER_PASSWORD`,
}

export type AgentStartFault = FaultOf<typeof sentences>
export const sayAgentStartFault = sayBy(sentences)
