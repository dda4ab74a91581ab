import { constantTimeEqualTexts } from '#shared/http/constant-time-equal.ts'
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Failure } from '../core/failure.ts'
import { type CallRecord, noTokens } from '../core/keys/call-record.ts'
import { type KeyGrant, keyIdIn, masterGrant } from '../core/keys/key-record.ts'
import type { Moment } from '../core/keys/moment.ts'
import { type Keyring, ownKeyring } from '../core/reasoning-capsule.ts'
import { redactedCause } from '../core/redaction.ts'
import { apiKeyCharactersMin, startUpCallTimeoutMs } from '../limits.ts'
import type { Digests, KeyCheck, KeyStore, Log } from '../ports.ts'
import { type KeepAlive, SharedReading } from './shared-reading.ts'

/** What opens besides the key of the settings. */
export interface NamedKeys {
  readonly store: KeyStore
  readonly calendar: (ms: number) => Moment
  /** Told of requests that a key was refused. */
  readonly onCall: (grant: KeyGrant, call: CallRecord) => void
}

/** Compares digests, so that neither the place of a difference nor the length of the key can be timed. */
export function keyCheck(
  read: () => Promise<Result<string | undefined, Failure>>,
  parts: { readonly digests: Digests; readonly clock: Clock; readonly log: Log; readonly keepAlive: KeepAlive },
  named: NamedKeys,
): KeyCheck {
  const { digests, log } = parts
  let digest: string | undefined
  let keyring: Keyring | undefined
  const reading = new SharedReading(
    async () => {
      const key = await read()
      if (!key.ok) {
        const { message, cause } = key.failure
        log({ level: 'error', event: 'api-key-unreadable', message, cause: redactedCause(cause) })
        return undefined
      }
      if (key.value === undefined) return undefined
      if (key.value.length < apiKeyCharactersMin) log({ level: 'warn', event: 'api-key-short' })
      keyring = await ownKeyring(key.value, (secret, bytes) => digests.hmacSha256(secret, bytes))
      digest = await digests.sha256Hex(key.value)
      return digest
    },
    parts.keepAlive,
    parts.clock,
    startUpCallTimeoutMs,
  )

  return {
    ownKeyring: () => keyring,
    isConfigured: async () => (digest ?? (await reading.start())) !== undefined,
    async judge({ secret, route, requestId, caller }) {
      const id = secret === undefined ? undefined : keyIdIn(secret)
      if (secret !== undefined && id !== undefined) return judgeNamed(id, secret, route, requestId, caller)
      const expected = digest ?? (await reading.start())
      if (expected === undefined) return failWith('unknown')
      if (secret === undefined) return failWith({ reason: 'unknown' })
      return constantTimeEqualTexts(expected, await digests.sha256Hex(secret))
        ? succeed(masterGrant)
        : failWith({ reason: 'unknown' })
    },
  }

  async function judgeNamed(id: string, secret: string, route: string, requestId: string, caller: string | undefined) {
    const now = named.calendar(parts.clock.nowMs())
    const entered = await named.store.enter(id, await digests.sha256Hex(secret), now, caller)
    if (entered.ok || entered.failure.reason === 'unknown') return entered
    const call: CallRecord = {
      requestId,
      atMs: now.ms,
      route,
      provider: '',
      model: '',
      outcome: 'refused',
      code: entered.failure.reason,
      tokens: noTokens,
      isEstimated: false,
      tookMs: 0,
    }
    named.onCall({ ...masterGrant, id, name: '' }, call)
    parts.keepAlive(named.store.settle(id, call, undefined, now).catch(() => {}))
    return entered
  }
}
