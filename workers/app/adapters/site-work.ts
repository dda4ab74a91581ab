import { and, eq, lte, ne, or, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { localDay } from '../core/local-day.ts'
import { siteReason } from '../core/reason/of-fault.ts'
import type { Reason } from '../core/reason/reason.ts'
import { readReason, storeReason } from '../core/reason/stored-reason.ts'
import { canSignIn, siteAbilities } from '../core/site.ts'
import type { SiteFault } from '../core/site-fault.ts'
import { isBeforeWindow, nextSignIn, nextWake, pickDue, retryAfter, spread } from '../core/site-schedule.ts'
import type { ServiceJob, SiteJob } from '../core/vocabulary.ts'
import {
  jobLeaseSeconds,
  jobSpreadShare,
  jobsAtOnce,
  jobsPerAlarm,
  probeRetrySeconds,
  probeSeconds,
  reminderSeconds,
  signInRetryMinutes,
  signInWindowMinutes,
  statisticsRetrySeconds,
  statisticsSeconds,
  taskFollowSeconds,
} from '../limits.ts'
import type { Logger, SignInDay, SiteEntry, SiteFleet, SiteJobRun, SiteStore, SiteWork } from '../ports.ts'
import type { BrushBook } from './d1/brush-book.ts'
import { planOrganising } from './d1/media-history.ts'
import { planNotices } from './d1/notices.ts'
import { siteJobs, sites } from './d1/schema.ts'
import { everySite, planServiceJob } from './d1/service-jobs.ts'
import type { SiteFigureBook } from './d1/site-figures.ts'
import { planHunts } from './d1/subscription-hunts.ts'
import { planTitles } from './d1/title-refreshes.ts'
import { type FollowDeps, followPushes } from './follow-pushes.ts'
import type { LoginReminders } from './login-reminders.ts'
import type { SiteNews } from './site-news.ts'
import type { SubscriptionHunts } from './subscriptions/hunt-subscriptions.ts'

export interface SiteWorkDeps {
  readonly clock: Clock
  readonly logger: Logger
  readonly store: SiteStore
  readonly figures: SiteFigureBook
  readonly fleet: SiteFleet
  readonly pushes: FollowDeps
  readonly reminders: LoginReminders
  readonly told: SiteNews
  readonly hunts: Pick<SubscriptionHunts, 'runDue' | 'settle'>
  /** Work of the service itself that is done elsewhere. */
  readonly service: Readonly<
    Record<Extract<ServiceJob, 'downloaders' | 'notices' | 'titles' | 'organise'>, () => Promise<JobOutcome>>
  >
  readonly brush: BrushWork
  readonly timeZone: string
  /** At least 0 and below 1. */
  readonly random: () => number
  /** Makes the scheduler look at its list now. */
  readonly wake: () => Promise<void>
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Brush tasks of a site, which need not be switched on for it: what was taken is looked after. */
interface BrushWork extends Pick<BrushBook, 'hasten' | 'plan'> {
  run(siteId: number, entry: SiteEntry | undefined): Promise<JobOutcome>
}

export interface SiteWorkRunner extends SiteWork {
  /** Runs what is due, within bounds. Gives back when there is something to do again. */
  runDue(): Promise<number | undefined>
}

interface JobOutcome {
  /** Undefined when there is nothing left to do. */
  readonly dueAtUnix: number | undefined
  /** Why it failed, fit to show; undefined for a success. */
  readonly reason?: Reason
}

type JobRow = typeof siteJobs.$inferSelect

/** Of the service itself, without a visit to any site: searches for subscriptions take as long as visits do. */
const isOwn = and(eq(siteJobs.siteId, everySite), ne(siteJobs.job, 'subscriptions'))
const isVisit = or(ne(siteJobs.siteId, everySite), eq(siteJobs.job, 'subscriptions'))

export function createSiteWork(db: DrizzleD1Database, deps: SiteWorkDeps): SiteWorkRunner {
  const { clock, figures, fleet, store, timeZone } = deps
  const window = { timeZone, startMinutes: signInWindowMinutes.start, endMinutes: signInWindowMinutes.end }

  function after(seconds: number): number {
    const nowUnix = unixSeconds(clock)
    return spread(nowUnix + seconds, nowUnix + seconds * (1 + jobSpreadShare), deps.random())
  }

  async function firstRuns({ record }: SiteEntry): Promise<{ job: SiteJob; dueAtUnix: number }[]> {
    if (!record.enabled) return []
    const nowUnix = unixSeconds(clock)
    const runs: { job: SiteJob; dueAtUnix: number }[] = [{ job: 'probe', dueAtUnix: after(probeSeconds) }]
    if (siteAbilities[record.kind].statistics) runs.push({ job: 'statistics', dueAtUnix: nowUnix })
    if (record.autoSignIn && canSignIn(record.kind, record.profile)) {
      const today = await figures.signIn(record.id, localDay(nowUnix, timeZone))
      runs.push({ job: 'sign_in', dueAtUnix: nextSignIn(today?.status, nowUnix, window, deps.random()) })
    }
    return runs
  }

  async function runStatistics({ record, target }: SiteEntry): Promise<JobOutcome> {
    const reading = await fleet.read(target)
    const nowUnix = unixSeconds(clock)
    if (reading.ok) {
      await figures.noteReading(record.id, reading.value, localDay(nowUnix, timeZone), nowUnix)
      return { dueAtUnix: after(statisticsSeconds) }
    }
    await deps.told.siteFailed(record, reading.failure)
    await figures.noteProbe(record.id, reading.failure.kind, undefined, nowUnix)
    return { dueAtUnix: after(statisticsRetrySeconds), reason: siteReason(reading.failure) }
  }

  async function runProbe({ record, target }: SiteEntry): Promise<JobOutcome> {
    const visit = await fleet.probe(target)
    const nowUnix = unixSeconds(clock)
    if (visit.ok) {
      await figures.noteProbe(record.id, 'ok', visit.value.lastActiveAtUnix, nowUnix)
      return { dueAtUnix: after(probeSeconds) }
    }
    // Somebody else is at the site: that says nothing about the sign-in.
    if (visit.failure.kind !== 'busy') {
      await deps.told.siteFailed(record, visit.failure)
      await figures.noteProbe(record.id, visit.failure.kind, undefined, nowUnix)
    }
    return { dueAtUnix: after(probeRetrySeconds), reason: siteReason(visit.failure) }
  }

  /** However it ended, it may have been the last one of the day. */
  async function runSignIn(entry: SiteEntry, row: JobRow): Promise<JobOutcome> {
    const day = localDay(unixSeconds(clock), timeZone)
    const outcome = await attemptSignIn(entry, row, day)
    await deps.told.dayMayBeOver(day)
    return outcome
  }

  async function attemptSignIn({ record, target }: SiteEntry, { dueAtUnix }: JobRow, day: string): Promise<JobOutcome> {
    const startedUnix = unixSeconds(clock)
    const before = await figures.signIn(record.id, day)
    // The machine was off: yesterday is lost, and today has a moment of its own.
    if (localDay(dueAtUnix, timeZone) < day && isBeforeWindow(startedUnix, window))
      return { dueAtUnix: nextSignIn(before?.status, startedUnix, window, deps.random()) }
    const tomorrow = () => nextSignIn('signed', startedUnix, window, deps.random())
    if (before !== undefined && before.status !== 'pending') return { dueAtUnix: tomorrow() }
    const attempts = (before?.attempts ?? 0) + 1
    // Counted before it is sent: after a crash it is known that there may have been one.
    await figures.noteSignIn(record.id, {
      day,
      status: 'pending',
      attempts,
      lastAttemptAtUnix: startedUnix,
    })
    if (attempts > signInRetryMinutes.length + 1) {
      const reason: Reason = { kind: 'sign_in.gave_up' }
      await deps.told.signInFailed(record, day, reason, attempts)
      await figures.noteSignIn(record.id, { day, status: 'failed', reason, attempts, lastAttemptAtUnix: startedUnix })
      return { dueAtUnix: tomorrow(), reason }
    }
    const outcome = await fleet.signIn(target)
    if (outcome.ok) {
      await noteDone(record.id, day, outcome.value, attempts)
      return { dueAtUnix: tomorrow() }
    }
    const reason = siteReason(outcome.failure)
    if (outcome.failure.kind === 'busy') {
      await figures.noteSignIn(record.id, before ?? { day, status: 'pending', attempts: 0 })
      return { dueAtUnix: startedUnix + jobLeaseSeconds, reason }
    }
    const wantedUnix = retryAfter(attempts, unixSeconds(clock), signInRetryMinutes)
    // Past midnight it would be the sign-in of another day.
    const retryAtUnix = wantedUnix !== undefined && localDay(wantedUnix, timeZone) === day ? wantedUnix : undefined
    if (retryAtUnix === undefined) await deps.told.signInFailed(record, day, reason, attempts)
    await figures.noteSignIn(record.id, {
      day,
      status: retryAtUnix === undefined ? 'failed' : 'pending',
      reason,
      attempts,
      lastAttemptAtUnix: startedUnix,
    })
    return { dueAtUnix: retryAtUnix ?? tomorrow(), reason }
  }

  async function noteDone(
    siteId: number,
    day: string,
    outcome: { readonly status: SignInDay['status']; readonly reason: Reason },
    attempts: number,
  ): Promise<SignInDay> {
    const nowUnix = unixSeconds(clock)
    const signIn = { day, status: outcome.status, reason: outcome.reason, attempts, lastAttemptAtUnix: nowUnix }
    await figures.noteSignIn(siteId, signIn)
    await figures.noteProbe(siteId, 'ok', nowUnix, nowUnix)
    return signIn
  }

  async function runTasks(): Promise<JobOutcome> {
    const { isMore, reason } = await followPushes(deps.pushes)
    const dueAtUnix = isMore ? unixSeconds(clock) + taskFollowSeconds : undefined
    return { dueAtUnix, ...(reason === undefined ? {} : { reason }) }
  }

  async function runReminders(entries: readonly SiteEntry[]): Promise<JobOutcome> {
    await deps.reminders.review(entries)
    await deps.told.dayMayBeOver(localDay(unixSeconds(clock), timeZone))
    return { dueAtUnix: after(reminderSeconds) }
  }

  const runners: Readonly<Record<Exclude<SiteJob, 'brush'>, (entry: SiteEntry, row: JobRow) => Promise<JobOutcome>>> = {
    statistics: runStatistics,
    probe: runProbe,
    sign_in: runSignIn,
  }

  /** Undefined when nobody wants it any more. */
  async function run(row: JobRow): Promise<JobOutcome | undefined> {
    const { job, siteId } = row
    if (job === 'tasks') return runTasks()
    if (job === 'downloaders' || job === 'notices' || job === 'titles' || job === 'organise') return deps.service[job]()
    if (job === 'subscriptions') return deps.hunts.runDue()
    const entries = await store.list()
    if (job === 'reminders') return runReminders(entries)
    const entry = entries.find(({ record }) => record.id === siteId)
    if (job === 'brush') return deps.brush.run(siteId, entry)
    if (entry?.record.enabled !== true) return undefined
    if (job === 'sign_in' && !(entry.record.autoSignIn && canSignIn(entry.record.kind, entry.record.profile)))
      return undefined
    return runners[job](entry, row)
  }

  async function runOne(row: JobRow): Promise<void> {
    const leaseUntilUnix = await lease(row)
    // Planned anew since it was chosen: other settings, another time.
    if (leaseUntilUnix === undefined) return
    let outcome: JobOutcome | undefined
    try {
      outcome = await run(row)
    } catch (cause) {
      deps.logger.error('site_job_crashed', { site_id: row.siteId, job: row.job, cause })
      outcome = { dueAtUnix: after(statisticsRetrySeconds), reason: { kind: 'internal' } }
    }
    // What was planned anew while this ran stays planned: it is for what is true now.
    const own = and(isJob(row), eq(siteJobs.leaseUntilUnix, leaseUntilUnix))
    if (outcome?.dueAtUnix === undefined) {
      await db.delete(siteJobs).where(own)
      // A push that began meanwhile found this row and planned nothing.
      if (row.job === 'tasks' && (await deps.pushes.records.isAnyFollowed()))
        await planServiceJob(db, 'tasks', unixSeconds(clock) + taskFollowSeconds)
      if (row.job === 'notices') await planNotices(db, unixSeconds(clock))
      if (row.job === 'brush') await deps.brush.plan(row.siteId)
      return
    }
    const { dueAtUnix, reason } = outcome
    await db
      .update(siteJobs)
      .set({
        dueAtUnix,
        leaseUntilUnix: 0,
        lastFinishedAtUnix: unixSeconds(clock),
        lastOk: reason === undefined,
        lastError: reason === undefined ? null : storeReason(reason),
      })
      .where(own)
    // What happened while it ran brought its next run forward, and that was overwritten here.
    if (row.job === 'notices') await planNotices(db, unixSeconds(clock))
    if (row.job === 'brush') await deps.brush.plan(row.siteId)
  }

  /** Begins when the run begins, not when it is chosen: a run that waited its turn still has its whole time. */
  async function lease(row: JobRow): Promise<number | undefined> {
    const nowUnix = unixSeconds(clock)
    const leaseUntilUnix = nowUnix + jobLeaseSeconds
    const isAsChosen = and(
      isJob(row),
      eq(siteJobs.dueAtUnix, row.dueAtUnix),
      eq(siteJobs.leaseUntilUnix, row.leaseUntilUnix),
    )
    const leased = await db
      .update(siteJobs)
      .set({ leaseUntilUnix, lastStartedAtUnix: nowUnix })
      .where(isAsChosen)
      .returning({ siteId: siteJobs.siteId })
    return leased.length === 0 ? undefined : leaseUntilUnix
  }

  /** So many at a time. */
  async function visitSites(rows: readonly JobRow[]): Promise<void> {
    const waiting = [...rows]
    const worker = async () => {
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) await runOne(row)
    }
    await Promise.all(Array.from({ length: jobsAtOnce }, worker))
  }

  /** What belongs to no site does not wait for sites, which may all take as long as they are allowed to. */
  async function serveUntil(visited: Promise<void>): Promise<void> {
    const over = new AbortController()
    void visited.finally(() => over.abort()).catch(() => undefined)
    for (;;) {
      // Side by side: a channel that hangs keeps no push from being followed.
      for (let rows = await ownDue(); rows.length > 0; rows = await ownDue()) {
        await Promise.all(rows.map(runOne))
        // What they found out about torrents may be what subscriptions wait for.
        await deps.hunts.settle()
      }
      if (over.signal.aborted) return
      await deps.wait(taskFollowSeconds * 1000, over.signal).catch(() => undefined)
    }
  }

  async function ownDue(): Promise<JobRow[]> {
    const nowUnix = unixSeconds(clock)
    // Whatever made something complete, and whether or not it was cut off.
    await planOrganising(db, nowUnix)
    return db
      .select()
      .from(siteJobs)
      .where(and(isOwn, lte(siteJobs.dueAtUnix, nowUnix), lte(siteJobs.leaseUntilUnix, nowUnix)))
  }

  return {
    async jobs() {
      const nowUnix = unixSeconds(clock)
      const rows = await db.select().from(siteJobs).orderBy(siteJobs.siteId, siteJobs.job)
      return rows.map((row) => toRun(row, nowUnix))
    },

    async plan(siteId) {
      const entry = (await store.list()).find(({ record }) => record.id === siteId)
      const runs = entry === undefined ? [] : await firstRuns(entry)
      const isStale = eq(siteJobs.siteId, siteId)
      await db.delete(siteJobs).where(isStale)
      if (runs.length > 0) await db.insert(siteJobs).values(runs.map((run) => ({ siteId, ...run })))
      await deps.brush.plan(siteId)
      await planServiceJob(db, 'reminders', unixSeconds(clock) + reminderSeconds)
      await deps.wake()
    },

    async runSoon(siteId, job) {
      if (job === 'brush') await deps.brush.hasten(siteId)
      const moved = await db
        .update(siteJobs)
        .set({ dueAtUnix: unixSeconds(clock) })
        .where(and(eq(siteJobs.siteId, siteId), eq(siteJobs.job, job)))
        .returning({ siteId: siteJobs.siteId })
      if (moved.length > 0) await deps.wake()
      return moved.length > 0
    },

    reminders: () => deps.reminders.list(),

    async signInNow({ record, target }): Promise<Result<SignInDay, SiteFault>> {
      const nowUnix = unixSeconds(clock)
      const day = localDay(nowUnix, timeZone)
      const attempts = (await figures.signIn(record.id, day))?.attempts ?? 0
      if (!canSignIn(record.kind, record.profile)) {
        const reason: Reason = { kind: 'sign_in.not_offered' }
        const signIn: SignInDay = { day, status: 'unsupported', reason, attempts }
        return succeed(signIn)
      }
      const outcome = await fleet.signIn(target)
      // The day stays as it was, and no automatic attempt is used up.
      if (!outcome.ok) return failWith(outcome.failure)
      return succeed(await noteDone(record.id, day, outcome.value, attempts))
    },

    async runDue() {
      const nowUnix = unixSeconds(clock)
      // Nobody to be reminded of: the scheduler may sleep.
      await db.run(
        sql`delete from site_jobs where site_id = ${everySite} and job = 'reminders' and not exists (select 1 from ${sites} where enabled = 1)`,
      )
      await planTitles(db, localDay(nowUnix, timeZone), timeZone)
      await planHunts(db)
      const visits = pickDue(await db.select().from(siteJobs).where(isVisit), nowUnix, jobsPerAlarm)
      // It looks through whole tables, and downloads that are followed bring a tick every few seconds.
      if (visits.length > 0 || (await ownDue()).length === 0) await figures.trim(localDay(nowUnix, timeZone))
      const visited = visitSites(visits)
      await Promise.all([visited, serveUntil(visited)])
      // A subscription that was made while its job ran found the job planned.
      await planTitles(db, localDay(unixSeconds(clock), timeZone), timeZone)
      await planHunts(db)
      return nextWake(await db.select().from(siteJobs))
    },
  }
}

function isJob({ siteId, job }: Pick<JobRow, 'siteId' | 'job'>) {
  return and(eq(siteJobs.siteId, siteId), eq(siteJobs.job, job))
}

function toRun(row: JobRow, nowUnix: number): SiteJobRun {
  const { siteId, job, dueAtUnix, leaseUntilUnix, lastStartedAtUnix, lastFinishedAtUnix, lastOk, lastError } = row
  const lastReason = readReason(lastError)
  return {
    siteId,
    job,
    dueAtUnix,
    isRunning: leaseUntilUnix > nowUnix,
    ...(lastStartedAtUnix === null ? {} : { lastStartedAtUnix }),
    ...(lastFinishedAtUnix === null ? {} : { lastFinishedAtUnix }),
    ...(lastOk === null ? {} : { lastOk }),
    ...(lastReason === undefined ? {} : { lastReason }),
  }
}
