import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import type { Clock } from '#shared/kernel/clock.ts'
import type { Result } from '#shared/kernel/result.ts'
import type { Failure } from '../core/failure.ts'
import { type Keyring, ownKeyring } from '../core/reasoning-capsule.ts'
import { redactedCause } from '../core/redaction.ts'
import { apiKeyCharactersMin, startUpCallTimeoutMs } from '../limits.ts'
import type { Digests, KeyCheck, Log } from '../ports.ts'
import { type KeepAlive, SharedReading } from './shared-reading.ts'

const encoder = new TextEncoder()

/** Compares digests, so that neither the place of a difference nor the length of the key can be timed. */
export function keyCheck(
  read: () => Promise<Result<string | undefined, Failure>>,
  parts: { readonly digests: Digests; readonly clock: Clock; readonly log: Log; readonly keepAlive: KeepAlive },
): KeyCheck {
  const { digests, log } = parts
  let digest: Uint8Array | undefined
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
      digest = await digests.sha256(encoder.encode(key.value))
      return digest
    },
    parts.keepAlive,
    parts.clock,
    startUpCallTimeoutMs,
  )

  return {
    ownKeyring: () => keyring,
    async judge(presented) {
      const expected = digest ?? (await reading.start())
      if (expected === undefined) return 'unknown'
      if (presented === undefined) return 'refused'
      return constantTimeEqual(expected, await digests.sha256(encoder.encode(presented))) ? 'accepted' : 'refused'
    },
  }
}
