import { keysMax } from '../limits.ts'
import type { KeyBook } from '../ports.ts'
import type { KeyLedger } from './key-ledger.ts'

/** All keys in one database that this process has to itself. */
export function ledgerBook(ledger: KeyLedger, isDurable: boolean): KeyBook {
  return {
    isDurable,
    enter: async (id, digest, now) => ledger.enter(id, digest, now),
    reserve: async (id, holdId, wanted, now) => ledger.reserve(id, holdId, wanted, now),
    settle: async (id, call, holdId, now) => ledger.settle(id, call, holdId, now),
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
    calls: async (limit) => ledger.calls(limit),
  }
}
