import type { Clock } from '#shared/kernel/clock.ts'
import { textOf } from '../core/json-record.ts'
import { keptResponseMs, keptResponsesMax } from '../limits.ts'
import type { KeptResponse, ResponseStore } from '../ports.ts'

interface Entry {
  readonly kept: KeptResponse
  readonly characters: number
  readonly untilMs: number
}

/** Keeps answers in this process. The oldest make room, and what does not fit at all is not kept. */
export function responseMemory(clock: Clock, charactersMax: number): ResponseStore {
  const entries = new Map<string, Entry>()
  let held = 0
  const remove = (id: string): boolean => {
    held -= entries.get(id)?.characters ?? 0
    return entries.delete(id)
  }
  const current = (id: string): KeptResponse | undefined => {
    const entry = entries.get(id)
    if (entry === undefined) return undefined
    if (entry.untilMs > clock.nowMs()) return entry.kept
    remove(id)
    return undefined
  }
  return {
    async put(kept) {
      const characters = JSON.stringify(kept).length
      if (characters > charactersMax) return
      remove(kept.id)
      for (const id of entries.keys()) {
        if (entries.size < keptResponsesMax && held + characters <= charactersMax) break
        remove(id)
      }
      entries.set(kept.id, { kept, characters, untilMs: clock.nowMs() + keptResponseMs })
      held += characters
    },
    get: async (id) => current(id),
    async item(id) {
      for (const key of [...entries.keys()].reverse()) {
        const found = current(key)?.items.find((item) => textOf(item['id']) === id)
        if (found !== undefined) return found
      }
      return undefined
    },
    delete: async (id) => remove(id),
  }
}
