import { endedCallsWaitingMax, keysMax } from '../limits.ts'
import type { KeyStore } from '../ports.ts'
import type { KeyLedger } from './key-ledger.ts'

/** Runs a task later. */
export type Defer = (task: () => void) => void

/**
 * All keys in one database that this process has to itself. Calls that end together are written together: a transaction
 * costs as much as what is in it. In memory nothing is safer for being written down: there an answer does not wait for
 * it, and whoever reads or reserves finds it written.
 */
export function localKeyStore(ledger: KeyLedger, isDurable: boolean, defer: Defer): KeyStore {
  let waiting: Parameters<KeyLedger['settle']>[0][number][] = []
  let written = Promise.withResolvers<void>()
  let isDeferred = false
  const write = () => {
    if (waiting.length === 0) return
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
  const writeDeferred = () => {
    isDeferred = false
    write()
  }
  const upToDate = () => {
    write()
    return ledger
  }
  return {
    isDurable,
    isAwaited: isDurable,
    enter: async (id, digest, now, caller) => ledger.enter(id, digest, now, caller),
    reserve: async (id, reservationId, wanted, now) => upToDate().reserve(id, reservationId, wanted, now),
    settle(id, call, reservationId, now) {
      const { promise } = written
      waiting.push({ id, call, reservationId, now })
      const isWaitedFor = !isDurable && reservationId !== undefined
      if (isWaitedFor || waiting.length >= endedCallsWaitingMax) write()
      else if (!isDeferred) {
        isDeferred = true
        defer(writeDeferred)
      }
      return promise
    },
    async add(id, fields, secret, ms) {
      if (ledger.count() >= keysMax) return false
      ledger.add(id, fields, secret, ms)
      return true
    },
    keys: async (now) => upToDate().keys(now),
    key: async (id, now) => upToDate().key(id, now),
    change: async (id, fields) => ledger.change(id, fields),
    renew: async (id, secret, oldUntilMs) => ledger.renew(id, secret, oldUntilMs),
    endOldSecret: async (id) => ledger.endOldSecret(id),
    revoke: async (id, ms) => ledger.revoke(id, ms),
    forget: async (id) => upToDate().forget(id),
    keepBody: async (id, requestId, sealed, now) => ledger.keepBody(id, requestId, sealed, now),
    body: async (id, requestId, now) => ledger.body(id, requestId, now),
    providerSteps: async (firstStep) => upToDate().providerSteps(firstStep),
    usage: async (firstDay, lastDay) => upToDate().usage(firstDay, lastDay),
    calls: async (limit, key) => upToDate().calls(limit, key),
  }
}
