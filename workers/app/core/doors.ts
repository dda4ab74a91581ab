/**
 * How often something guarded may be tried: counted in bounded memory, before anything is read or written for the caller.
 *
 * Nobody is shut out for a time. A bucket lets a few through at once and then one after each pause, so that a stranger's
 * flood slows what comes from the stranger's own address. Strangers together have a bucket as well, against guessing from
 * many addresses; when that one is empty, an address that was not seen yet may still try, at a pace of its own: the owner
 * from somewhere new is such an address. Browsers that have signed in before are counted each by itself, and nothing a
 * stranger does reaches them.
 */

/** `atOnce` tries, and one more after each pause. */
interface Pace {
  readonly atOnce: number
  readonly pauseSeconds: number
}

export interface Door {
  /** From one address, or one known browser. */
  readonly own: Pace
  /** From programs of this machine, which cannot be told apart. */
  readonly ownMachine: Pace
  /** From all strangers together. */
  readonly strangers: Pace
  /** When those have no try left: addresses that were not seen yet. */
  readonly newcomers: Pace
}

export interface Doors {
  /** Counts a try. 0 when it may be made, otherwise the seconds after which another one may. */
  take(door: string, from: string, nowMs: number): number
  /** The try was right: it does not count, and the next mistake finds a fresh bucket. */
  forgive(door: string, from: string, nowMs: number): void
  /** Buckets that are remembered. */
  readonly size: number
}

const knownBrowserMark = 'browser '
const ownMachineName = 'local'

/** How a known browser is named among the callers; no address looks like it. */
export function knownBrowser(name: string): string {
  return `${knownBrowserMark}${name}`
}

export function isKnownBrowser(from: string): boolean {
  return from.startsWith(knownBrowserMark)
}

export function createDoors(doors: Readonly<Record<string, Door>>, bucketsMax: number): Doors {
  const buckets = new Buckets(bucketsMax)
  // Few and always there: no stranger can push them out.
  const shared = new Buckets(2 * Object.keys(doors).length)

  function lawOf(name: string): Door {
    const door = doors[name]
    if (door === undefined) throw new Error(`there is no door called ${name}`)
    return door
  }

  return {
    take(name, from, nowMs) {
      const law = lawOf(name)
      const key = `${name} ${from}`
      const isNew = !buckets.has(key)
      const own = buckets.take(key, from === ownMachineName ? law.ownMachine : law.own, nowMs)
      if (own > 0 || !isStranger(from)) return own
      const all = shared.take(`${name} strangers`, law.strangers, nowMs)
      if (all === 0) return 0
      return isNew ? shared.take(`${name} newcomers`, law.newcomers, nowMs) : all
    },
    forgive(name, from, nowMs) {
      buckets.forget(`${name} ${from}`)
      if (isStranger(from)) shared.release(`${name} strangers`, lawOf(name).strangers, nowMs)
    },
    get size() {
      return buckets.size
    },
  }
}

/** This machine's programs have a slower pace already, and must not use up what callers from outside have in common. */
function isStranger(from: string): boolean {
  return from !== ownMachineName && !isKnownBrowser(from)
}

/** Of each bucket the moment at which it is full again; a moment in the past is a full bucket. */
class Buckets {
  readonly #fullAtMs = new Map<string, number>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#fullAtMs.size
  }

  has(key: string): boolean {
    return this.#fullAtMs.has(key)
  }

  /** Seconds to wait, or 0 with the try counted. */
  take(key: string, { atOnce, pauseSeconds }: Pace, nowMs: number): number {
    const pauseMs = pauseSeconds * 1000
    const fullAtMs = Math.max(this.#fullAtMs.get(key) ?? 0, nowMs)
    const waitMs = fullAtMs - nowMs - (atOnce - 1) * pauseMs
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    this.#fullAtMs.delete(key)
    // The one that was used longest ago makes room.
    if (this.#fullAtMs.size >= this.#max) this.forget(this.#fullAtMs.keys().next().value ?? '')
    this.#fullAtMs.set(key, fullAtMs + pauseMs)
    return 0
  }

  release(key: string, { pauseSeconds }: Pace, nowMs: number): void {
    const fullAtMs = this.#fullAtMs.get(key)
    if (fullAtMs !== undefined) this.#fullAtMs.set(key, Math.max(nowMs, fullAtMs - pauseSeconds * 1000))
  }

  forget(key: string): void {
    this.#fullAtMs.delete(key)
  }
}
