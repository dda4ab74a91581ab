import type { Result } from '#shared/kernel/result.ts'

/**
 * This installation's own gateway, without a way over the network. Undefined when it has no key. `path` lies below its
 * routes; without a body it is read.
 */
export type OwnGateway = (
  path: string,
  body: string | undefined,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Response> | undefined

/** The door of this installation's own gateway for its owner, without a way over the network. */
export interface GatewayOffice {
  /** Where its routes lie. */
  readonly path: string
  ask(method: 'GET' | 'POST' | 'DELETE', target: string, body: string | undefined): Promise<Response>
}

export interface GatewayFault {
  readonly status: number
  readonly words: string | undefined
}

/** What the owner asks of the gateway: its keys, and what they spend. */
export interface GatewayService {
  readonly path: string
  /** The text of the answer. `target` lies below the gateway's own routes for its owner. */
  ask(method: 'GET' | 'POST' | 'DELETE', target: string, body?: object): Promise<Result<string, GatewayFault>>
}
