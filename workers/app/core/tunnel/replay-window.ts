/** Which numbers of a session were used: requests may overtake one another, and none is taken twice. */
export interface ReplayWindow {
  readonly newest: number
  /** Bit n: the number n before the newest was used. */
  readonly used: bigint
}

export const unusedWindow: ReplayWindow = { newest: -1, used: 0n }

/** The window with this number in it; undefined when it was used, or lies `width` or more behind the newest. */
export function useNumber(window: ReplayWindow, number: number, width: number): ReplayWindow | undefined {
  const ahead = number - window.newest
  if (ahead > 0) {
    const kept = ahead >= width ? 0n : (window.used << BigInt(ahead)) & ((1n << BigInt(width)) - 1n)
    return { newest: number, used: kept | 1n }
  }
  const bit = 1n << BigInt(Math.min(-ahead, width))
  if (-ahead >= width || (window.used & bit) !== 0n) return undefined
  return { newest: window.newest, used: window.used | bit }
}
