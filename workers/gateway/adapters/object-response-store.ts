import type { GatewayResponsesObject } from '../objects/gateway-responses-object.ts'
import type { KeptResponse, NewResponse, ResponseStore } from '../ports.ts'

/**
 * The answers of each key in a Durable Object of their own. What is kept crosses as text: the platform's types for what
 * may cross do not hold JSON of any shape.
 */
export function objectResponseStore(namespace: DurableObjectNamespace<GatewayResponsesObject>): ResponseStore {
  const object = (owner: string) => namespace.get(namespace.idFromName(owner))
  return {
    async put(owner, kept, nowMs) {
      await object(owner).put(owner, JSON.stringify(kept satisfies NewResponse), nowMs)
    },
    async get(owner, id, nowMs) {
      const found = await object(owner).get(owner, id, nowMs)
      return found === undefined ? undefined : (JSON.parse(found) as KeptResponse)
    },
    items: async (owner, ids, nowMs) => JSON.parse(await object(owner).items(owner, [...ids], nowMs)),
    delete: async (owner, id) => object(owner).remove(owner, id),
    async forget(owner) {
      await object(owner).forget()
    },
  }
}
