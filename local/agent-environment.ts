import { builtInProviders } from './agent/core/provider-catalogue.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface ServedGateway {
  readonly address: string
  /** Undefined: it lies where this process does not look, so the owner names it. */
  readonly key: string | undefined
  readonly isSandboxed: boolean
}

/** The agent server's environment, in which this machine's own gateway is a model provider out of the box. */
export function agentEnvironment(environment: Environment, gateway: ServedGateway | undefined): Environment {
  if (gateway === undefined) return environment
  const hasOwnModel = builtInProviders.some((provider) => provider.keyVariables.some((name) => environment[name]))
  // A sandbox must not come before a model that the owner has a key for.
  if (gateway.key === undefined || (gateway.isSandboxed && hasOwnModel)) return environment
  return { WHARF_GATEWAY_URL: gateway.address, WHARF_API_KEY: gateway.key, ...environment }
}
