/**
 * When passwords are checked. A check keeps an isolate from answering anybody for as long as it takes, which is what makes
 * guessing dear; so checks have their times one after another, with room between them for everybody else. Who comes is
 * given a time and waits for it by itself: nobody hands over to the next, so nobody who leaves can keep the others waiting.
 */
export interface PasswordPace {
  /** How long a check would have to wait now, in milliseconds. */
  waitMs(isKnown: boolean, nowMs: number): number
  /** Takes that time. */
  reserve(isKnown: boolean, nowMs: number): number
  /** Learns from a check how long the next ones may take. */
  took(ms: number): void
}

interface PaceBounds {
  /** What a check is taken to cost before one was seen, at least and at most. */
  readonly checkMs: number
  readonly checkMsMin: number
  readonly checkMsMax: number
  /** After a check, so many times as long is left to everybody else. */
  readonly restShare: number
}

/** Browsers that have signed in before have a line of their own, in which no stranger stands. */
export function createPasswordPace(bounds: PaceBounds): PasswordPace {
  const freeAtMs = { known: 0, strangers: 0 }
  let checkMs = bounds.checkMs
  const waitMs = (isKnown: boolean, nowMs: number) => Math.max(0, freeAtMs[isKnown ? 'known' : 'strangers'] - nowMs)

  return {
    waitMs,
    reserve(isKnown, nowMs) {
      const wait = waitMs(isKnown, nowMs)
      freeAtMs[isKnown ? 'known' : 'strangers'] = nowMs + wait + checkMs * (1 + bounds.restShare)
      return wait
    },
    took(ms) {
      checkMs = Math.min(Math.max(ms, bounds.checkMsMin), bounds.checkMsMax)
    },
  }
}
