import { unixSeconds } from '#shared/kernel/clock.ts'
import { localDay } from '../core/local-day.ts'
import { siteReason } from '../core/reason/of-fault.ts'
import type { Reason } from '../core/reason/reason.ts'
import { isBeforeWindow, nextSignIn, retryAfter } from '../core/sign-in-schedule.ts'
import { canSignIn } from '../core/site.ts'
import type { SignInStatus } from '../core/vocabulary.ts'
import { jobLeaseSeconds, signInRetryMinutes, signInWindowMinutes } from '../limits.ts'
import type { SiteEntry } from '../ports/sites.ts'
import type { Job } from './job.ts'
import type { JobOutcome } from './job-list.ts'
import { enabledSiteOf, type JobParts } from './job-parts.ts'

function windowIn(timeZone: string) {
  return { timeZone, startMinutes: signInWindowMinutes.start, endMinutes: signInWindowMinutes.end }
}

async function nextAfter(
  { locale, random }: JobParts,
  status: SignInStatus | undefined,
  nowUnix: number,
): Promise<number> {
  const { timeZone } = await locale.read()
  return nextSignIn(status, nowUnix, windowIn(timeZone), random())
}

async function wantedAt(parts: JobParts, siteId: number): Promise<SiteEntry | undefined> {
  const entry = await enabledSiteOf(parts, siteId)
  const isWanted = entry?.record.autoSignIn === true && canSignIn(entry.record.kind, entry.record.profile)
  return isWanted ? entry : undefined
}

async function attempt(
  parts: JobParts,
  { record, target }: SiteEntry,
  dueAtUnix: number,
  day: string,
): Promise<JobOutcome> {
  const { clock, figures, locale, news, signIn } = parts
  const { timeZone } = await locale.read()
  const startedUnix = unixSeconds(clock)
  const before = await figures.signIn(record.id, day)
  // The machine was off: yesterday is lost, and today has a moment of its own.
  if (localDay(dueAtUnix, timeZone) < day && isBeforeWindow(startedUnix, windowIn(timeZone)))
    return { dueAtUnix: await nextAfter(parts, before?.status, startedUnix) }
  const tomorrow = () => nextAfter(parts, 'signed', startedUnix)
  if (before !== undefined && before.status !== 'pending') return { dueAtUnix: await tomorrow() }
  const attempts = (before?.attempts ?? 0) + 1
  // Counted before it is sent: after a crash it is known that there may have been one.
  await figures.noteSignIn(record.id, { day, status: 'pending', attempts, lastAttemptAtUnix: startedUnix })
  if (attempts > signInRetryMinutes.length + 1) {
    const reason: Reason = { kind: 'sign_in.gave_up' }
    await news.signInFailed(record, day, reason, attempts)
    await figures.noteSignIn(record.id, { day, status: 'failed', reason, attempts, lastAttemptAtUnix: startedUnix })
    return { dueAtUnix: await tomorrow(), reason }
  }
  const outcome = await signIn.send(target)
  if (outcome.ok) {
    await signIn.noteDone(record.id, day, outcome.value, attempts)
    return { dueAtUnix: await tomorrow() }
  }
  const reason = siteReason(outcome.failure)
  if (outcome.failure.kind === 'busy') {
    await figures.noteSignIn(record.id, before ?? { day, status: 'pending', attempts: 0 })
    return { dueAtUnix: startedUnix + jobLeaseSeconds, reason }
  }
  const wantedUnix = retryAfter(attempts, unixSeconds(clock), signInRetryMinutes)
  // Past midnight it would be the sign-in of another day.
  const retryAtUnix = wantedUnix !== undefined && localDay(wantedUnix, timeZone) === day ? wantedUnix : undefined
  if (retryAtUnix === undefined) await news.signInFailed(record, day, reason, attempts)
  await figures.noteSignIn(record.id, {
    day,
    status: retryAtUnix === undefined ? 'failed' : 'pending',
    reason,
    attempts,
    lastAttemptAtUnix: startedUnix,
  })
  return { dueAtUnix: retryAtUnix ?? (await tomorrow()), reason }
}

export const signInJob: Job = {
  name: 'sign_in',
  label: { zh: '每日签到', en: 'Daily sign-in' },
  scope: 'site',
  isVisit: true,
  schedule: {
    async first(parts, siteId) {
      if ((await wantedAt(parts, siteId)) === undefined) return undefined
      const nowUnix = unixSeconds(parts.clock)
      const { timeZone } = await parts.locale.read()
      const today = await parts.figures.signIn(siteId, localDay(nowUnix, timeZone))
      return nextAfter(parts, today?.status, nowUnix)
    },
  },

  async run(parts, { subjectId, dueAtUnix }) {
    const entry = await wantedAt(parts, subjectId)
    if (entry === undefined) return undefined
    const { timeZone } = await parts.locale.read()
    const day = localDay(unixSeconds(parts.clock), timeZone)
    const outcome = await attempt(parts, entry, dueAtUnix, day)
    // However it ended, it may have been the last one of the day.
    await parts.news.dayMayBeOver(day)
    return outcome
  },
}
