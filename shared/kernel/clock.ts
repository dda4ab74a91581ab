/** Wall-clock time. Injected so that rules and tests never read the machine's clock. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number
}

/** Whole seconds since the Unix epoch, the unit of most wire times. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.nowMs() / 1000)
}
