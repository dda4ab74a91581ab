import type { Clock } from '#shared/kernel/clock.ts'
import { parseJson } from '#shared/kernel/json-record.ts'
import { base64FromBytes, bytesFromBase64 } from '../core/base64.ts'
import type { Moment } from '../core/keys/moment.ts'
import type { Keyring, Mac } from '../core/reasoning-capsule.ts'
import { redactedCause } from '../core/redaction.ts'
import type { KeptBodies, KeyStore, Log, SaidBodies } from '../ports.ts'
import type { KeepAlive } from './shared-reading.ts'

const encoder = new TextEncoder()
const ivBytes = 12
const purpose = 'bodies of requests'

/**
 * What keys' requests and answers say, sealed before it is kept: AES-256-GCM under a key that is made of the one which
 * clients sign in with, bound to the key and the request that it belongs to. A new one of those ends it.
 */
export function keptBodies(parts: {
  readonly store: KeyStore
  readonly calendar: (ms: number) => Moment
  readonly clock: Clock
  readonly ring: () => Promise<Keyring | undefined>
  readonly mac: Mac
  readonly keepAlive: KeepAlive
  readonly log: Log
}): KeptBodies {
  const { store, calendar, clock, ring, mac, keepAlive, log } = parts
  const now = () => calendar(clock.nowMs())

  async function sealingKey() {
    const keyring = await ring()
    const root = keyring?.keys.get(keyring.activeKeyId ?? '')
    if (root === undefined) return undefined
    const raw = new Uint8Array(await mac(root, encoder.encode(purpose)))
    return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])
  }

  const rules = (iv: Uint8Array<ArrayBuffer>, id: string, requestId: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: encoder.encode(JSON.stringify([id, requestId])),
  })

  async function keep(id: string, requestId: string, bodies: SaidBodies): Promise<void> {
    const key = await sealingKey()
    if (key === undefined) return
    const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
    const text = await crypto.subtle.encrypt(rules(iv, id, requestId), key, encoder.encode(JSON.stringify(bodies)))
    const sealed = new Uint8Array(ivBytes + text.byteLength)
    sealed.set(iv)
    sealed.set(new Uint8Array(text), ivBytes)
    await store.keepBody(id, requestId, base64FromBytes(sealed), now())
  }

  return {
    keep(id, requestId, bodies) {
      keepAlive(
        keep(id, requestId, bodies).catch((cause: unknown) => {
          log({ level: 'error', event: 'body-not-kept', requestId, cause: redactedCause(cause) })
        }),
      )
    },
    async read(id, requestId) {
      const [kept, key] = await Promise.all([store.body(id, requestId, now()), sealingKey()])
      const sealed = kept === undefined ? undefined : bytesFromBase64(kept)
      if (sealed === undefined || key === undefined) return undefined
      const iv = new Uint8Array(sealed.subarray(0, ivBytes))
      try {
        const text = await crypto.subtle.decrypt(
          rules(iv, id, requestId),
          key,
          new Uint8Array(sealed.subarray(ivBytes)),
        )
        // What this function sealed, or it would not have opened.
        return parseJson(new TextDecoder().decode(text)) as SaidBodies
      } catch {
        return undefined
      }
    },
  }
}
