/**
 * Wrong passwords are counted by where they come from, so that guessing is slow. What is remembered is bounded. A browser
 * that is signed in is never counted, and a place that gave the right password keeps a count of its own when strangers
 * have used up that of everybody else.
 */
import { isIPv6 } from 'node:net'
import type { Clock } from '#shared/kernel/clock.ts'
import {
  passwordKnownMsMax,
  passwordPlacesMax,
  passwordTriesAllMax,
  passwordTriesMax,
  passwordUnguessableChars,
  passwordWindowMs,
} from '../limits.ts'

/** Counting wrong ones for a password that nobody guesses would serve only those who want to shut others out. */
export function throttleFor(password: string | undefined, clock: Clock): PasswordThrottle | undefined {
  return password === undefined || password.length >= passwordUnguessableChars ? undefined : new PasswordThrottle(clock)
}

interface Place {
  tries: number
  windowEndsMs: number
  knownUntilMs: number
}

export class PasswordThrottle {
  readonly #clock: Clock
  /** In the order in which they were last heard of. */
  readonly #places = new Map<string, Place>()
  #strangers = { tries: 0, windowEndsMs: 0 }

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Seconds until a password from there is looked at again; 0: now. */
  secondsToWait(address: string): number {
    const nowMs = this.#clock.nowMs()
    const place = this.#places.get(placeOf(address))
    const own = place !== undefined && place.tries >= passwordTriesMax ? place.windowEndsMs - nowMs : 0
    const isKnown = place !== undefined && place.knownUntilMs > nowMs
    const others = !isKnown && this.#strangers.tries >= passwordTriesAllMax ? this.#strangers.windowEndsMs - nowMs : 0
    return Math.max(0, Math.ceil(Math.max(own, others) / 1000))
  }

  wrong(address: string): void {
    const nowMs = this.#clock.nowMs()
    const place = this.#placeAt(placeOf(address), nowMs)
    place.tries += 1
    if (place.knownUntilMs > nowMs) return
    if (this.#strangers.windowEndsMs <= nowMs) this.#strangers = { tries: 0, windowEndsMs: nowMs + passwordWindowMs }
    this.#strangers.tries += 1
  }

  right(address: string): void {
    const nowMs = this.#clock.nowMs()
    const place = this.#placeAt(placeOf(address), nowMs)
    place.knownUntilMs = nowMs + passwordKnownMsMax
  }

  get placesKept(): number {
    return this.#places.size
  }

  #placeAt(name: string, nowMs: number): Place {
    const known = this.#places.get(name)
    const isOver = known === undefined || known.windowEndsMs <= nowMs
    const place: Place = {
      tries: isOver ? 0 : known.tries,
      windowEndsMs: isOver ? nowMs + passwordWindowMs : known.windowEndsMs,
      knownUntilMs: known?.knownUntilMs ?? 0,
    }
    this.#places.delete(name)
    if (this.#places.size >= passwordPlacesMax) this.#forgetOne(nowMs)
    this.#places.set(name, place)
    return place
  }

  /** A flood of addresses pushes out what it brought before it pushes out a place that is known. */
  #forgetOne(nowMs: number): void {
    let oldest: string | undefined
    for (const [name, { knownUntilMs }] of this.#places) {
      oldest ??= name
      if (knownUntilMs <= nowMs) {
        oldest = name
        break
      }
    }
    if (oldest !== undefined) this.#places.delete(oldest)
  }
}

/** One caller of IPv6 has at least the last 64 bits of an address to himself. */
function placeOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1]
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const [before = '', after] = (address.split('%', 1)[0] ?? '').split('::')
  const head = before === '' ? [] : before.split(':')
  const missing = after === undefined ? 0 : 8 - head.length - (after === '' ? 0 : after.split(':').length)
  const groups = [...head, ...Array<string>(missing).fill('0'), ...(after ?? '').split(':')]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')
}
