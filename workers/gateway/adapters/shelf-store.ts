import type { ResponseStore } from '../ports.ts'
import type { ResponseShelf } from './response-shelf.ts'

/** Answers of all keys in one database that this process has to itself. */
export function shelfStore(shelf: ResponseShelf): ResponseStore {
  return {
    put: async (owner, kept, nowMs) => shelf.put(owner, kept, nowMs),
    get: async (owner, id, nowMs) => shelf.get(owner, id, nowMs),
    items: async (owner, ids, nowMs) => shelf.items(owner, ids, nowMs),
    delete: async (owner, id) => shelf.delete(owner, id),
    forget: async (owner) => shelf.forget(owner),
  }
}
