import type { Clock } from '#shared/kernel/clock.ts'
import { fromBase64, toBase64Url } from '../core/bytes.ts'
import { passkeyChallengeSeconds } from '../limits.ts'

type ChallengePurpose = 'add' | 'sign-in'

export interface PasskeyChallenges {
  make(purpose: ChallengePurpose, host: string): Promise<string>
  /** When it was made, in milliseconds. Undefined for one that was not made here for this, or too long ago. */
  madeAt(challenge: string, purpose: ChallengePurpose, host: string): Promise<number | undefined>
}

const timeBytes = 8
const randomBytes = 24
const signatureBytes = 32

/**
 * A challenge carries its own proof: `time in ms (8) | random (24) | HMAC-SHA-256 (32)`. Whoever asks for many of them
 * writes nothing and displaces nobody. `secret` changes with the password, and what was made before it is worth nothing.
 */
export function createPasskeyChallenges(secret: string, clock: Clock): PasskeyChallenges {
  const key = crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(`wharf passkey challenge ${secret}`),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  )
  const signed = (head: Uint8Array, purpose: ChallengePurpose, host: string) => {
    const place = new TextEncoder().encode(` ${purpose} ${host}`)
    const text = new Uint8Array(head.length + place.length)
    text.set(head)
    text.set(place, head.length)
    return text
  }

  return {
    async make(purpose, host) {
      const challenge = new Uint8Array(timeBytes + randomBytes + signatureBytes)
      new DataView(challenge.buffer).setBigUint64(0, BigInt(clock.nowMs()))
      crypto.getRandomValues(challenge.subarray(timeBytes, timeBytes + randomBytes))
      const head = challenge.subarray(0, timeBytes + randomBytes)
      const signature = await crypto.subtle.sign('HMAC', await key, signed(head, purpose, host))
      challenge.set(new Uint8Array(signature), head.length)
      return toBase64Url(challenge)
    },

    async madeAt(challenge, purpose, host) {
      const bytes = fromBase64(challenge)
      if (bytes?.length !== timeBytes + randomBytes + signatureBytes) return undefined
      const head = bytes.subarray(0, timeBytes + randomBytes)
      const signature = bytes.subarray(head.length)
      if (!(await crypto.subtle.verify('HMAC', await key, signature, signed(head, purpose, host)))) return undefined
      const madeMs = Number(new DataView(bytes.buffer).getBigUint64(0))
      const age = clock.nowMs() - madeMs
      return age >= 0 && age <= passkeyChallengeSeconds * 1000 ? madeMs : undefined
    },
  }
}
