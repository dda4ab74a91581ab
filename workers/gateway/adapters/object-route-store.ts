import type { GatewayRoutesObject } from '../objects/gateway-routes-object.ts'
import type { RouteStore } from '../ports.ts'

/** The routes of all isolates in one Durable Object. */
export function objectRouteStore(namespace: DurableObjectNamespace<GatewayRoutesObject>): RouteStore {
  const object = () => namespace.get(namespace.idFromName('routes'))
  return {
    routes: async (known) => object().routes(known),
    change: async (name, text, seen, ms) => object().change(name, text, seen, ms),
    changes: async (limit) => object().changes(limit),
  }
}
