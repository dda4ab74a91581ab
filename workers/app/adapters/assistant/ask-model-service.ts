/** One request to the service that the assistant's model is at, or to this installation's own gateway. */
import type { ModelSettings } from '../../ports/assistant.ts'
import type { OwnGateway } from '../../ports/gateway.ts'

export interface ModelServiceDeps {
  readonly gateway: OwnGateway
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>
}

export interface SentToModel {
  /** Undefined: what lies there is read. */
  readonly body?: string
  readonly signal: AbortSignal
  readonly requestId?: string | undefined
}

/** Undefined where the own gateway has no key. */
export function askModelService(
  { gateway, fetch }: ModelServiceDeps,
  { address, apiKey }: Omit<ModelSettings, 'model'>,
  path: string,
  { body, signal, requestId }: SentToModel,
): Promise<Response> | undefined {
  const own: Record<string, string> = requestId === undefined ? {} : { 'x-request-id': requestId }
  if (address === undefined) return gateway(path, body, own, signal)
  return fetch(`${address}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body === undefined
        ? { accept: 'application/json' }
        : { 'content-type': 'application/json', accept: 'text/event-stream' }),
      ...own,
      ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    ...(body === undefined ? {} : { body }),
    // The key goes where it was meant to go and nowhere else.
    redirect: 'manual',
    signal,
  })
}
