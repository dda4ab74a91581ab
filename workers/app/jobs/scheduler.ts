import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { nextWake, pickDue } from '../core/job-schedule.ts'
import { jobSecondsMax, jobsAtOnce, jobsPerAlarm, statisticsRetrySeconds, taskFollowSeconds } from '../limits.ts'
import type { JobRun, Jobs } from '../ports/jobs.ts'
import type { Logger, Telemetry } from '../ports/runtime.ts'
import type { Job } from './job.ts'
import type { JobKey, JobList, JobOutcome, ListedJob } from './job-list.ts'
import { after, type JobParts } from './job-parts.ts'

export interface SchedulerDeps {
  readonly clock: Clock
  readonly logger: Logger
  readonly telemetry?: Telemetry | undefined
  readonly list: JobList
  readonly parts: JobParts
  /** Makes the scheduler look at its list now. */
  readonly wake: () => Promise<void>
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

export interface Scheduler extends Jobs {
  /** Runs what is due, within bounds. Gives back when there is something to do again. */
  runDue(): Promise<number | undefined>
}

/** A row of the list, and what it stands for. */
interface Known {
  readonly job: Job
  readonly row: ListedJob
}

/** Runs what is on the list. It knows what jobs are made of and none of them by name. */
export function createScheduler(registry: readonly Job[], deps: SchedulerDeps): Scheduler {
  const { clock, list, parts } = deps
  const byName = new Map(registry.map((job) => [job.name, job]))

  /** What an older or a newer version planned is left to it. */
  function known(rows: readonly ListedJob[]): Known[] {
    return rows.flatMap((row) => {
      const job = byName.get(row.name)
      return job?.scope === row.scope ? [{ job, row }] : []
    })
  }

  async function each(hook: (job: Job) => Promise<void> | undefined): Promise<void> {
    for (const job of registry) await hook(job)
  }

  async function runOne({ job, row }: Known): Promise<void> {
    const leaseUntilUnix = await list.lease(row, unixSeconds(clock))
    // Planned anew since it was chosen: other settings, another time.
    if (leaseUntilUnix === undefined) return
    let outcome: JobOutcome | undefined
    const startMs = clock.nowMs()
    try {
      outcome = await bounded(job.run(parts, row))
    } catch (cause) {
      deps.logger.error('job_crashed', { scope: row.scope, subject_id: row.subjectId, job: row.name, cause })
      outcome = { dueAtUnix: after(parts, statisticsRetrySeconds), reason: { kind: 'internal' } }
    }
    const { name, scope } = row
    const tookMs = clock.nowMs() - startMs
    deps.telemetry?.ended({ kind: 'job', name, scope, failure: outcome?.reason?.kind, startMs, tookMs })
    const dueAtUnix = outcome?.dueAtUnix
    if (dueAtUnix === undefined) await list.end(row, leaseUntilUnix)
    else await list.planNext(row, leaseUntilUnix, { dueAtUnix, reason: outcome?.reason, nowUnix: unixSeconds(clock) })
    await job.after?.(parts, row.subjectId, dueAtUnix === undefined)
  }

  /** What comes later is the run's own: its lease has long gone to another. */
  async function bounded(run: Promise<JobOutcome | undefined>): Promise<JobOutcome | undefined> {
    const over = new AbortController()
    const hangs = deps.wait(jobSecondsMax * 1000, over.signal).then(() => {
      throw new Error(`it has not ended after ${jobSecondsMax} s`)
    })
    try {
      return await Promise.race([run, hangs])
    } finally {
      over.abort()
    }
  }

  /** Those of the service that say when they are due, and are not on the list. */
  async function planService(rows: readonly ListedJob[]): Promise<void> {
    const listed = new Set(rows.filter(({ scope }) => scope === 'service').map(({ name }) => name))
    for (const { name, scope, schedule } of registry) {
      if (scope !== 'service' || listed.has(name)) continue
      const dueAtUnix = await schedule.first?.(parts, 0)
      if (dueAtUnix !== undefined) await list.plan({ scope, subjectId: 0, name }, dueAtUnix)
    }
  }

  /** So many at a time. */
  async function visit(runs: readonly Known[]): Promise<void> {
    const waiting = [...runs]
    const worker = async () => {
      for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) await runOne(run)
    }
    await Promise.all(Array.from({ length: jobsAtOnce }, worker))
  }

  /** What is short does not wait for visits, which may all take as long as they are allowed to. */
  async function serveUntil(visited: Promise<void>): Promise<void> {
    const over = new AbortController()
    void visited.finally(() => over.abort()).catch(() => undefined)
    for (;;) {
      // Side by side: a channel that hangs keeps no push from being followed.
      for (let runs = await shortRunsDue(); runs.length > 0; runs = await shortRunsDue()) {
        await Promise.all(runs.map(runOne))
        await each((job) => job.afterRound?.(parts))
      }
      if (over.signal.aborted) return
      await deps.wait(taskFollowSeconds * 1000, over.signal).catch(() => undefined)
    }
  }

  async function shortRunsDue(): Promise<Known[]> {
    await each((job) => job.schedule.eachRound?.(parts))
    return known(await list.due(unixSeconds(clock))).filter(({ job }) => !job.isVisit)
  }

  return {
    names: registry.map(({ name }) => name),

    async runs() {
      const nowUnix = unixSeconds(clock)
      return known(await list.all()).map(({ job, row }) => toRun(job, row, nowUnix))
    },

    async subjectChanged(scope, subjectId) {
      const first: { name: string; dueAtUnix: number }[] = []
      for (const job of registry) {
        const dueAtUnix = job.scope === scope ? await job.schedule.first?.(parts, subjectId) : undefined
        if (dueAtUnix !== undefined) first.push({ name: job.name, dueAtUnix })
      }
      await list.replace({ scope, subjectId }, first)
      await each((job) => job.schedule.changed?.(parts, scope, subjectId))
      await deps.wake()
    },

    async runSoon(key: JobKey) {
      const job = byName.get(key.name)
      if (job?.scope !== key.scope) return false
      await job.schedule.soon?.(parts, key.subjectId)
      const isThere = await list.bringForward(key, unixSeconds(clock))
      if (isThere) await deps.wake()
      return isThere
    },

    async runDue() {
      const nowUnix = unixSeconds(clock)
      await each((job) => job.schedule.eachLook?.(parts))
      const rows = await list.all()
      await planService(rows)
      const visits = known(rows).filter(({ job }) => job.isVisit)
      const jobOf = new Map(visits.map(({ job, row }) => [row, job]))
      const picked = pickDue([...jobOf.keys()], nowUnix, jobsPerAlarm)
      // What is followed brings a look every few seconds.
      if (picked.length > 0 || (await shortRunsDue()).length === 0) await each((job) => job.tidy?.(parts))
      const visited = visit(
        picked.flatMap((row) => {
          const job = jobOf.get(row)
          return job === undefined ? [] : [{ job, row }]
        }),
      )
      await Promise.all([visited, serveUntil(visited)])
      await each((job) => job.schedule.eachLook?.(parts))
      return nextWake(known(await list.all()).map(({ row }) => row))
    },
  }
}

function toRun(job: Job, row: ListedJob, nowUnix: number): JobRun {
  const { scope, subjectId, name, dueAtUnix, leaseUntilUnix, lastStartedAtUnix, lastFinishedAtUnix, lastOk } = row
  return {
    scope,
    subjectId,
    name,
    label: job.label,
    dueAtUnix,
    isRunning: leaseUntilUnix > nowUnix,
    ...(lastStartedAtUnix === null ? {} : { lastStartedAtUnix }),
    ...(lastFinishedAtUnix === null ? {} : { lastFinishedAtUnix }),
    ...(lastOk === null ? {} : { lastOk }),
    ...(row.lastReason === undefined ? {} : { lastReason: row.lastReason }),
  }
}
