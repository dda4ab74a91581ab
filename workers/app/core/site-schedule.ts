import { addDays, localDay, momentOfDay } from './local-day.ts'
import type { SignInStatus } from './vocabulary.ts'

const minuteSeconds = 60

/** Between two moments at random; `random` is at least 0 and below 1. */
export function spread(fromUnix: number, toUnix: number, random: number): number {
  return fromUnix + Math.floor((toUnix - fromUnix) * random)
}

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
  return spread(Math.max(start, nowUnix), end, random)
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

/** At most one due job for each site: what waits longest first. */
export function pickDue<
  Job extends { readonly siteId: number; readonly dueAtUnix: number; readonly leaseUntilUnix: number },
>(jobs: readonly Job[], nowUnix: number, upTo: number): Job[] {
  const busy = new Set(jobs.filter(({ leaseUntilUnix }) => leaseUntilUnix > nowUnix).map(({ siteId }) => siteId))
  const picked: Job[] = []
  for (const job of [...jobs].sort((left, right) => left.dueAtUnix - right.dueAtUnix)) {
    if (picked.length >= upTo) break
    if (job.dueAtUnix > nowUnix || busy.has(job.siteId)) continue
    busy.add(job.siteId)
    picked.push(job)
  }
  return picked
}

/** When there is something to do again; undefined when there is nothing at all. A job under a lease waits for its end. */
export function nextWake(
  jobs: readonly { readonly dueAtUnix: number; readonly leaseUntilUnix: number }[],
): number | undefined {
  const times = jobs.map(({ dueAtUnix, leaseUntilUnix }) => Math.max(dueAtUnix, leaseUntilUnix))
  return times.length === 0 ? undefined : Math.min(...times)
}
