/** Definitions of sites that the owner brings. */
import type { WireDefinitionAdded, WireOwnDefinition } from '../../contract/console-definitions.ts'
import { type Answer, call, type Done, type Items, own, sitePatienceMs } from './call.ts'

export function fetchOwnDefinitions(signal?: AbortSignal): Items<WireOwnDefinition> {
  return call({ method: 'GET', path: `${own}/own-definitions`, signal })
}

export function addOwnDefinition(body: { source: string } | { address: string }): Promise<Answer<WireDefinitionAdded>> {
  return call({ method: 'POST', path: `${own}/own-definitions`, body, patienceMs: sitePatienceMs })
}

export function reloadOwnDefinition(id: string): Promise<Answer<WireDefinitionAdded>> {
  return call({
    method: 'POST',
    path: `${own}/own-definitions/${encodeURIComponent(id)}/reload`,
    patienceMs: sitePatienceMs,
  })
}

export function removeOwnDefinition(id: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/own-definitions/${encodeURIComponent(id)}` })
}
