/** The model gateway's keys and what they used. */
import type {
  GatewayKeyBody,
  GatewayRouteBody,
  WireGatewayBodies,
  WireGatewayCall,
  WireGatewayKey,
  WireGatewayKeyList,
  WireGatewayRouteChange,
  WireGatewayRouteTrial,
  WireGatewayRouting,
  WireGatewayUsage,
} from '../../contract/console-gateway.ts'
import { type Answer, call, type Done, type Items, own } from './call.ts'

export function fetchGatewayKeys(signal?: AbortSignal): Promise<Answer<WireGatewayKeyList>> {
  return call({ method: 'GET', path: `${own}/gateway/keys`, signal })
}

type FreshGatewayKey = { key: WireGatewayKey; secret: string }
export function makeGatewayKey(body: GatewayKeyBody): Promise<Answer<FreshGatewayKey>> {
  return call({ method: 'POST', path: `${own}/gateway/keys`, body })
}

export function changeGatewayKey(id: string, body: GatewayKeyBody): Promise<Answer<WireGatewayKey>> {
  return call({ method: 'PUT', path: `${own}/gateway/keys/${id}`, body })
}

export function removeGatewayKey(id: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/gateway/keys/${id}` })
}

export function renewGatewayKey(id: string): Promise<Answer<FreshGatewayKey>> {
  return call({ method: 'POST', path: `${own}/gateway/keys/${id}/secret`, body: {} })
}

export function endOldGatewaySecret(id: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/gateway/keys/${id}/secret` })
}

/** From that day to today; this month without one. */
export function fetchGatewayUsage(
  from: string | undefined,
  signal?: AbortSignal,
): Promise<Answer<{ today: string; items: WireGatewayUsage[] }>> {
  return call({ method: 'GET', path: `${own}/gateway/usage${from === undefined ? '' : `?from=${from}`}`, signal })
}

export function fetchGatewayRouting(signal?: AbortSignal): Promise<Answer<WireGatewayRouting>> {
  return call({ method: 'GET', path: `${own}/gateway/routing`, signal })
}

export function fetchGatewayUsageTable(): Promise<Answer<{ csv: string }>> {
  return call({ method: 'GET', path: `${own}/gateway/usage/table` })
}

/** Of one key where it is named. */
export function fetchGatewayCalls(key: string | undefined, signal?: AbortSignal): Items<WireGatewayCall> {
  return call({ method: 'GET', path: `${own}/gateway/calls${key === undefined ? '' : `?key=${key}`}`, signal })
}

export function fetchGatewayBodies(key: string, request: string): Promise<Answer<WireGatewayBodies>> {
  return call({ method: 'GET', path: `${own}/gateway/bodies?key=${key}&request=${encodeURIComponent(request)}` })
}

export function endGatewayProviderRest(name: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/gateway/providers/${name}/rest`, body: {} })
}

export function saveGatewayRoute(
  name: string,
  body: { route: GatewayRouteBody; revision: number },
): Promise<Answer<{ revision: number }>> {
  return call({ method: 'PUT', path: `${own}/gateway/routes/${encodeURIComponent(name)}`, body })
}

export function removeGatewayRoute(name: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/gateway/routes/${encodeURIComponent(name)}` })
}

export function tryGatewayRoute(body: {
  route: GatewayRouteBody
  text: string
  max_tokens: number | null
}): Promise<Answer<WireGatewayRouteTrial>> {
  return call({ method: 'POST', path: `${own}/gateway/route-trials`, body })
}

export function fetchGatewayRouteChanges(signal?: AbortSignal): Items<WireGatewayRouteChange> {
  return call({ method: 'GET', path: `${own}/gateway/route-changes`, signal })
}

export function undoGatewayRouteChange(seq: number): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/gateway/route-changes/${seq}/undo`, body: {} })
}
