/**
 * How often one caller may look for what is not there. What is there costs nothing: a few misses pass at once, then one
 * after each pause, waited for; and when too many wait, the next one is refused before anything is read for it.
 */
export interface LookUpPace {
  /** Counts a look-up, and says after how many milliseconds it may be made. Undefined: not at all now. */
  take(callerId: string, nowMs: number): number | undefined
  /** It was there. */
  release(callerId: string, nowMs: number): void
}

export interface LookUpBounds {
  readonly atOnce: number
  readonly pauseMs: number
  readonly waitingMax: number
  /** Callers that are remembered; the one who asked longest ago makes room. */
  readonly callersMax: number
}

export function createLookUpPace({ atOnce, pauseMs, waitingMax, callersMax }: LookUpBounds): LookUpPace {
  /** The moment at which a caller has all look-ups again. */
  const fullAtMs = new Map<string, number>()

  function fullOf(callerId: string, nowMs: number): number {
    const kept = fullAtMs.get(callerId) ?? 0
    // A clock that was set back makes nobody wait for the old time.
    const isOfAnotherTime = kept > nowMs + (atOnce + waitingMax) * pauseMs
    return isOfAnotherTime ? nowMs : Math.max(kept, nowMs)
  }

  return {
    take(callerId, nowMs) {
      const full = fullOf(callerId, nowMs)
      const waitMs = Math.max(0, full - nowMs - (atOnce - 1) * pauseMs)
      if (waitMs > waitingMax * pauseMs) return undefined
      fullAtMs.delete(callerId)
      const [oldest] = fullAtMs.keys()
      if (fullAtMs.size >= callersMax && oldest !== undefined) fullAtMs.delete(oldest)
      fullAtMs.set(callerId, full + pauseMs)
      return waitMs
    },
    release(callerId, nowMs) {
      if (fullAtMs.has(callerId)) fullAtMs.set(callerId, Math.max(nowMs, fullOf(callerId, nowMs) - pauseMs))
    },
  }
}
