import { keysMax } from '../limits.ts'
import type { KeyStore } from '../ports.ts'
import type { KeyLedger } from './key-ledger.ts'

/** Runs a task once what is at hand is done. */
export type Defer = (task: () => void) => void

/**
 * All keys in one database that this process has to itself. Calls that end together are written together: a transaction
 * costs as much as what is in it.
 */
export function localKeyStore(ledger: KeyLedger, isDurable: boolean, defer: Defer): KeyStore {
  let waiting: Parameters<KeyLedger['settle']>[0][number][] = []
  let written = Promise.withResolvers<void>()
  const write = () => {
    const [ended, told] = [waiting, written]
    waiting = []
    written = Promise.withResolvers<void>()
    try {
      ledger.settle(ended)
      told.resolve()
    } catch (error) {
      told.reject(error)
    }
  }
  return {
    isDurable,
    isNear: true,
    enter: async (id, digest, now) => ledger.enter(id, digest, now),
    reserve: async (id, reservationId, wanted, now) => ledger.reserve(id, reservationId, wanted, now),
    settle(id, call, reservationId, now) {
      if (waiting.length === 0) defer(write)
      waiting.push({ id, call, reservationId, now })
      return written.promise
    },
    async add(id, fields, secret, ms) {
      if (ledger.count() >= keysMax) return false
      ledger.add(id, fields, secret, ms)
      return true
    },
    keys: async (now) => ledger.keys(now),
    key: async (id, now) => ledger.key(id, now),
    change: async (id, fields) => ledger.change(id, fields),
    renew: async (id, secret, oldUntilMs) => ledger.renew(id, secret, oldUntilMs),
    revoke: async (id, ms) => ledger.revoke(id, ms),
    forget: async (id) => ledger.forget(id),
    usage: async (firstDay, lastDay) => ledger.usage(firstDay, lastDay),
    calls: async (limit, key) => ledger.calls(limit, key),
  }
}
