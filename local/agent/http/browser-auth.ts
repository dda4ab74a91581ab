/**
 * Signs a browser in by an address that works once, and knows it again by a cookie. The cookie names the host and port
 * it was made for: a browser sends it to every port of a host, and what another server made is not taken.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import type { Clock } from '#shared/kernel/clock.ts'
import { browserAuthPath } from '../core/raw-paths.ts'
import { browserCookieSecondsMax } from '../limits.ts'

const tokenBytes = 32

export class BrowserAuth {
  readonly #key: Uint8Array
  readonly #clock: Clock
  #token: string | undefined = randomBytes(tokenBytes).toString('base64url')

  constructor(key: Uint8Array, clock: Clock) {
    this.#key = key
    this.#clock = clock
  }

  /** The one address that signs a browser in. */
  addressAt(address: string): string {
    return `${address}${browserAuthPath}?token=${this.#token}`
  }

  /** The `Set-Cookie` of a browser that has the token, which is used up by that; undefined for any other. */
  exchange(sent: readonly string[], authority: string): string | undefined {
    const [token] = sent
    if (token === undefined || sent.length !== 1 || this.#token === undefined) return undefined
    if (!constantTimeEqual(digestOf(token), digestOf(this.#token))) return undefined
    this.#token = undefined
    const cookie = this.cookieFor(authority, browserCookieSecondsMax)
    return `${cookie}; Max-Age=${browserCookieSecondsMax}; Path=/; HttpOnly; SameSite=Strict`
  }

  /** For whoever has the key already: a browser by its token, and the other commands of its owner. */
  cookieFor(authority: string, secondsMax: number): string {
    const expires = Math.floor(this.#clock.nowMs() / 1000) + secondsMax
    return `${cookieName(authority)}=${this.#sign(`${authority}\n${expires}`)}`
  }

  /** Whether exactly one of these cookies was made here, for this authority, and still holds. */
  accepts(cookieHeaders: readonly string[], authority: string): boolean {
    const prefix = `${cookieName(authority)}=`
    const [value, ...others] = cookieHeaders
      .flatMap((header) => header.split(';'))
      .map((cookie) => cookie.trim())
      .filter((cookie) => cookie.startsWith(prefix))
      .map((cookie) => cookie.slice(prefix.length))
    if (value === undefined || others.length > 0) return false
    const [payload = ''] = value.split('.', 1)
    const [named, expires] = Buffer.from(payload, 'base64url').toString('utf8').split('\n')
    // What is signed is written anew: no second spelling of it is taken.
    const expected = this.#sign(`${named}\n${expires}`)
    if (!constantTimeEqual(digestOf(value), digestOf(expected))) return false
    return named === authority && Number(expires) * 1000 > this.#clock.nowMs()
  }

  #sign(text: string): string {
    const signature = createHmac('sha256', this.#key).update(text).digest('base64url')
    return `${Buffer.from(text).toString('base64url')}.${signature}`
  }
}

/** Servers on other ports of a host keep their cookies under other names. */
function cookieName(authority: string): string {
  return `svc_${createHash('sha256').update(authority).digest('hex').slice(0, 12)}`
}

function digestOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
