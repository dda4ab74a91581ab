import { jitter } from './job-schedule.ts'
import { addDays, localDay, momentOfDay } from './local-day.ts'
import type { SignInStatus } from './vocabulary.ts'

const minuteSeconds = 60

export interface SignInWindow {
  readonly timeZone: string
  readonly startMinutes: number
  readonly endMinutes: number
}

/**
 * When to sign in next, given what is known of today. A day whose window has passed without an attempt is made up for at
 * once: the machine was off.
 */
export function nextSignIn(
  today: SignInStatus | undefined,
  nowUnix: number,
  window: SignInWindow,
  random: number,
): number {
  const day = localDay(nowUnix, window.timeZone)
  const isDone = today !== undefined && today !== 'pending'
  const wantedDay = isDone ? addDays(day, 1) : day
  const start = momentOfDay(wantedDay, window.startMinutes, window.timeZone)
  const end = momentOfDay(wantedDay, window.endMinutes, window.timeZone)
  if (nowUnix >= end) return nowUnix
  return jitter(Math.max(start, nowUnix), end, random)
}

/** Whether the day's window is still to come. */
export function isBeforeWindow(nowUnix: number, window: SignInWindow): boolean {
  return nowUnix < momentOfDay(localDay(nowUnix, window.timeZone), window.startMinutes, window.timeZone)
}

/** After a failed automatic attempt: when to try again, or undefined when that was the last. */
export function retryAfter(attempts: number, nowUnix: number, pausesMinutes: readonly number[]): number | undefined {
  const pause = pausesMinutes[attempts - 1]
  return pause === undefined ? undefined : nowUnix + pause * minuteSeconds
}
