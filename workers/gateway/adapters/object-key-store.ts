import { masterGrant } from '../core/keys/key-record.ts'
import { keysMax } from '../limits.ts'
import type { GatewayKeyObject } from '../objects/gateway-key-object.ts'
import type { KeyStatus, KeyStore } from '../ports.ts'

const directoryName = 'directory'

/** Each key in a Durable Object of its own. An id that no one was given makes none. */
export function objectKeyStore(namespace: DurableObjectNamespace<GatewayKeyObject>): KeyStore {
  const object = (name: string) => namespace.get(namespace.idFromName(name))
  const known = new Set<string>()
  const ids = async () => {
    const listed = await object(directoryName).listed()
    known.clear()
    for (const id of listed) known.add(id)
    return listed
  }
  const isKnown = async (id: string) => known.has(id) || ((await ids()) && known.has(id))
  /** Asks every key, and the key of the settings, at once. */
  const all = async <T>(read: (key: DurableObjectStub<GatewayKeyObject>) => Promise<readonly T[]>): Promise<T[]> => {
    const answers = await Promise.all([...(await ids()), masterGrant.id].map((id) => read(object(id))))
    return answers.flat()
  }
  return {
    isDurable: true,
    isAwaited: false,
    async enter(id, digest, now, caller) {
      if (!(await isKnown(id))) return { ok: false, failure: { reason: 'unknown' } }
      return object(id).enter(id, digest, now, caller)
    },
    async reserve(id, reservationId, wanted, now) {
      return object(id).reserve(id, reservationId, wanted, now)
    },
    async settle(id, call, reservationId, now) {
      await object(id).settle(id, call, reservationId, now)
    },
    async add(id, fields, secret, ms) {
      if (!(await object(directoryName).list(id))) return false
      await object(id).add(id, fields, secret, ms)
      return true
    },
    async keys(now) {
      const keys = await Promise.all((await ids()).slice(0, keysMax).map((id) => object(id).key(id, now)))
      return keys.flatMap((key): KeyStatus[] => (key === undefined ? [] : [key]))
    },
    key: async (id, now) => ((await isKnown(id)) ? object(id).key(id, now) : undefined),
    async change(id, fields) {
      await object(id).change(id, fields)
    },
    async renew(id, secret, oldUntilMs) {
      await object(id).renew(id, secret, oldUntilMs)
    },
    async endOldSecret(id) {
      await object(id).endOldSecret(id)
    },
    async revoke(id, ms) {
      await object(id).revoke(id, ms)
    },
    async forget(id) {
      await object(directoryName).unlist(id)
      known.delete(id)
      // It ends itself once it is empty, and whoever asked is told no more than that it ended.
      await object(id)
        .forget()
        .catch(() => {})
    },
    async keepBody(id, requestId, sealed, now) {
      await object(id).keepBody(id, requestId, sealed, now)
    },
    body: async (id, requestId, now) => ((await isKnown(id)) ? object(id).body(id, requestId, now) : undefined),
    providerSteps: (firstStep) => all(async (key) => key.providerSteps(firstStep)),
    usage: (firstDay, lastDay) => all(async (key) => key.usage(firstDay, lastDay)),
    async calls(limit, key) {
      // An id that no one was given makes no object.
      if (key !== undefined && key !== masterGrant.id && !(await isKnown(key))) return []
      const listed = key === undefined ? await all(async (one) => one.calls(limit)) : await object(key).calls(limit)
      return listed.toSorted((left, right) => right.record.atMs - left.record.atMs).slice(0, limit)
    },
  }
}
