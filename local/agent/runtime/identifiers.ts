import { randomBytes } from 'node:crypto'
import type { Clock } from '#shared/kernel/clock.ts'
import { formatId, type IdKind, idRandomBytes, nextTick } from '../core/identifier.ts'

export interface Identifiers {
  make(kind: IdKind): string
}

export function createIdentifiers(clock: Clock): Identifiers {
  let tick = 0
  return {
    make(kind) {
      tick = nextTick(tick, clock.nowMs())
      return formatId(kind, tick, randomBytes(idRandomBytes))
    },
  }
}
