import { randomFillSync } from 'node:crypto'
import type { Clock } from '#shared/kernel/clock.ts'
import { formatId, type IdKind, idRandomBytes, nextTick } from '../core/identifier.ts'

export interface Identifiers {
  make(kind: IdKind): string
}

export function createIdentifiers(clock: Clock): Identifiers {
  let tick = 0
  /** Asking for a few bytes takes as long as asking for many. */
  const drawn = new Uint8Array(256 * idRandomBytes)
  let used = drawn.length
  return {
    make(kind) {
      tick = nextTick(tick, clock.nowMs())
      if (used === drawn.length) {
        randomFillSync(drawn)
        used = 0
      }
      used += idRandomBytes
      return formatId(kind, tick, drawn.subarray(used - idRandomBytes, used))
    },
  }
}
