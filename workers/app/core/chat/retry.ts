/** Whether what a chat platform did not take is offered again, and after how long. */
import type { ChannelFault } from '../channel-fault.ts'

interface RetryBounds {
  readonly attemptsMax: number
  /** After the first try, the second and so on; the last of them stays. */
  readonly pauses: readonly number[]
}

/** Of one that was offered so often before. Undefined: it is given up. */
export function secondsToRetry(
  attempts: number,
  kind: ChannelFault['kind'],
  retryAfterSeconds: number,
  { attemptsMax, pauses }: RetryBounds,
): number | undefined {
  const comesBack = kind === 'rejected' || kind === 'credentials' || kind === 'not_found'
  if (comesBack || attempts + 1 >= attemptsMax) return undefined
  return Math.max(pauses[Math.min(attempts, pauses.length - 1)] ?? 0, retryAfterSeconds)
}
