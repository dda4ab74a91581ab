import type { Clock } from '#shared/kernel/clock.ts'
import { toHex } from '../core/bytes.ts'
import { principalCacheEntriesMax, principalCacheMs } from '../limits.ts'
import type { CredentialReader, KnownPrincipal } from '../ports/account.ts'
import { sha256 } from './web-crypto.ts'

/**
 * Keeps positive answers for a moment, so that a busy client costs one look-up a second instead of one a request. A
 * negative answer is never kept, and an expiry is judged on every use.
 */
export function cacheCredentials(inner: CredentialReader, clock: Clock): CredentialReader {
  const kept = new Map<string, { known: KnownPrincipal; untilMs: number }>()
  const readers = { token: inner.byToken, session: inner.bySession, device: inner.byDevice }

  async function read(kind: 'token' | 'session' | 'device', credential: string): Promise<KnownPrincipal | undefined> {
    const key = `${kind} ${toHex(sha256(credential))}`
    const nowMs = clock.nowMs()
    const hit = kept.get(key)
    if (hit !== undefined && nowMs < hit.untilMs && !isExpired(hit.known, nowMs)) return hit.known
    kept.delete(key)
    const known = await readers[kind](credential)
    if (known === undefined) return undefined
    if (kept.size >= principalCacheEntriesMax) {
      const oldest = kept.keys().next()
      if (!oldest.done) kept.delete(oldest.value)
    }
    // Counted from before the look-up: a revocation during it is still seen within the bound.
    kept.set(key, { known, untilMs: nowMs + principalCacheMs })
    return known
  }

  return {
    byToken: (token) => read('token', token),
    bySession: (cookie) => read('session', cookie),
    byDevice: (id) => read('device', id),
  }
}

function isExpired(known: KnownPrincipal, nowMs: number): boolean {
  return known.expiresAtUnix !== undefined && nowMs >= known.expiresAtUnix * 1000
}
