import type { ResponseStore } from '../ports.ts'
import type { ResponseRows } from './response-rows.ts'

/** Answers of all keys in one database that this process has to itself. */
export function localResponseStore(rows: ResponseRows): ResponseStore {
  return {
    put: async (owner, kept, nowMs) => rows.put(owner, kept, nowMs),
    get: async (owner, id, nowMs) => rows.get(owner, id, nowMs),
    items: async (owner, ids, nowMs) => rows.items(owner, ids, nowMs),
    delete: async (owner, id) => rows.delete(owner, id),
    forget: async (owner) => rows.forget(owner),
  }
}
