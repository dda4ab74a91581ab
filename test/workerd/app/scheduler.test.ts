/** The scheduler with jobs of the test's own: it knows what a job is made of, and none by name. */

import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { createJobList, serviceJob } from '../../../workers/app/adapters/d1/job-list.ts'
import type { JobScope } from '../../../workers/app/core/vocabulary.ts'
import type { Job } from '../../../workers/app/jobs/job.ts'
import type { JobOutcome } from '../../../workers/app/jobs/job-list.ts'
import { registry } from '../../../workers/app/jobs/registry.ts'
import {
  jobLeaseSeconds,
  jobNameCharactersMax,
  jobSecondsMax,
  jobsAtOnce,
  statisticsRetrySeconds,
} from '../../../workers/app/limits.ts'
import type { Logger } from '../../../workers/app/ports/runtime.ts'
import { clock, db, fakeFleet, unix, workWith } from '../../support/workerd/told-sites.ts'

const list = createJobList(db)
const startUnix = unix('2026-11-20T19:00:00Z')
const daySeconds = 24 * 3600
const bound = { timeout: 10_000 }

beforeEach(async () => {
  clock.now = startUnix
  await env.DB.prepare('delete from jobs').run()
})

type Run = (subjectId: number) => Promise<JobOutcome | undefined>

/** One that comes again in a day, unless it is told otherwise. */
function jobOf(name: string, scope: JobScope, change: Partial<Omit<Job, 'run'>> & { readonly run?: Run } = {}): Job {
  const { run = async () => ({ dueAtUnix: clock.now + daySeconds }), ...rest } = change
  const label = { zh: name, en: name }
  return {
    name,
    label,
    scope,
    isVisit: scope !== 'service',
    schedule: {},
    ...rest,
    run: (_, { subjectId }) => run(subjectId),
  }
}

const workOf = (jobs: readonly Job[], logger?: Logger) =>
  workWith(fakeFleet(), { jobs, ...(logger === undefined ? {} : { logger }) })

describe('the registry', () => {
  test('has each name once, fit for the wire, and a label in each language', ({ expect }) => {
    const names = registry.map(({ name }) => name)

    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !/^[a-z_]+$/.test(name) || name.length > jobNameCharactersMax)).toEqual([])
    expect(registry.filter(({ label }) => label.zh === '' || label.en === '' || label.zh === label.en)).toEqual([])
  })
})

describe('a name that no job has', () => {
  test('is left alone, keeps nobody awake and is shown to nobody', async ({ expect }) => {
    const row = { scope: 'service', subject_id: 0, name: 'of_another_version', due_at_unix: startUnix - 1 }
    await env.DB.prepare("insert into jobs (scope, name, due_at_unix) values ('service', 'of_another_version', ?)")
      .bind(row.due_at_unix)
      .run()
    const ran: string[] = []
    const known = jobOf('known', 'service', {
      run: async () => {
        ran.push('known')
        return { dueAtUnix: clock.now + 60 }
      },
    })
    await list.plan(serviceJob('known'), startUnix)
    const work = workOf([known])

    expect(await work.runDue()).toBe(startUnix + 60)
    expect(ran).toEqual(['known'])
    expect(await work.runs()).toMatchObject([{ name: 'known', lastOk: true }])
    expect(await work.runSoon(serviceJob('of_another_version'))).toBe(false)
    const { results } = await env.DB.prepare("select * from jobs where name = 'of_another_version'").all()
    expect(results).toEqual([expect.objectContaining({ ...row, lease_until_unix: 0, last_started_at_unix: null })])
  })

  test('is one of another scope, too', async ({ expect }) => {
    await list.plan({ scope: 'site', subjectId: 7, name: 'known' }, startUnix)
    const work = workOf([jobOf('known', 'downloader')])

    expect(await work.runDue()).toBeUndefined()
    expect(await work.runs()).toEqual([])
  })
})

describe('jobs of different scopes', () => {
  test('are fair to one another: so many at once, one for each subject, what waits longest first', async ({
    expect,
  }) => {
    const order: string[] = []
    let running = 0
    let most = 0
    const busy = new Set<string>()
    const visit = (name: string, scope: JobScope) =>
      jobOf(name, scope, {
        isVisit: true,
        run: async (subjectId) => {
          const subject = `${scope} ${subjectId}`
          expect(busy.has(subject)).toBe(false)
          busy.add(subject)
          running += 1
          most = Math.max(most, running)
          order.push(`${name} ${subjectId}`)
          // One that asks the database gives way to others.
          await list.all()
          running -= 1
          busy.delete(subject)
          return { dueAtUnix: clock.now + daySeconds }
        },
      })
    const jobs = [visit('figures', 'site'), visit('space', 'downloader'), visit('speed', 'downloader')]
    // By turns, each waiting a second less than the one before it.
    const wanted: string[] = []
    for (let at = 0; at < 3 * jobsAtOnce; at += 1) {
      const scope = at % 2 === 0 ? ('site' as const) : ('downloader' as const)
      const name = scope === 'site' ? 'figures' : 'space'
      await list.plan({ scope, subjectId: at, name }, startUnix - 1000 + at)
      wanted.push(`${name} ${at}`)
    }
    // A second one for a subject has its turn in the next look.
    await list.plan({ scope: 'downloader', subjectId: 1, name: 'speed' }, startUnix)

    const next = await workOf(jobs).runDue()

    expect(order).toEqual(wanted)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(jobsAtOnce)
    expect(next).toBe(startUnix)
    await workOf(jobs).runDue()
    expect(order.at(-1)).toBe('speed 1')
  })

  test('do not wait for one that takes its whole time', async ({ expect }) => {
    const held = Promise.withResolvers<JobOutcome>()
    const ran: string[] = []
    const note = (what: string) => async (subjectId: number) => {
      ran.push(`${what} ${subjectId}`)
      return { dueAtUnix: clock.now + daySeconds }
    }
    const jobs = [
      jobOf('slow', 'site', { run: () => held.promise }),
      jobOf('short', 'service', { run: note('short') }),
      jobOf('look', 'downloader', { run: note('look') }),
    ]
    await list.plan({ scope: 'site', subjectId: 1, name: 'slow' }, startUnix - 9)
    await list.plan({ scope: 'downloader', subjectId: 1, name: 'look' }, startUnix)
    await list.plan(serviceJob('short'), startUnix)
    const running = workOf(jobs).runDue()

    await expect.poll(() => ran.toSorted(), bound).toEqual(['look 1', 'short 0'])
    held.resolve({ dueAtUnix: undefined })
    await running
    expect(await workOf(jobs).runs()).toMatchObject([{ name: 'short' }, { name: 'look' }])
  })
})

describe('a run that is cut off', () => {
  test.for(['service', 'site', 'downloader'] as const)(
    'of a %s begins again once its lease is over',
    async (scope, { expect }) => {
      let begun = 0
      const gone = jobOf('walk', scope, {
        run: () => {
          begun += 1
          return new Promise(() => undefined)
        },
      })
      const subjectId = scope === 'service' ? 0 : 3
      await list.plan({ scope, subjectId, name: 'walk' }, startUnix)
      void workOf([gone]).runDue()
      await expect.poll(() => begun, bound).toBe(1)

      let ended = 0
      const good = jobOf('walk', scope, {
        run: async () => {
          ended += 1
          return { dueAtUnix: clock.now + daySeconds }
        },
      })
      clock.now = startUnix + jobLeaseSeconds - 1
      expect(await workOf([good]).runDue()).toBe(startUnix + jobLeaseSeconds)
      expect(ended).toBe(0)
      clock.now = startUnix + jobLeaseSeconds
      await workOf([good]).runDue()

      expect(ended).toBe(1)
      expect(await workOf([good]).runs()).toMatchObject([{ scope, subjectId, name: 'walk', lastOk: true }])
    },
  )

  test('that comes back late changes nothing of the run that took its place', async ({ expect }) => {
    const held = Promise.withResolvers<JobOutcome>()
    await list.plan(serviceJob('walk'), startUnix)
    const late = workOf([jobOf('walk', 'service', { isVisit: true, run: () => held.promise })]).runDue()
    const isRunning = async () => (await list.all()).some(({ leaseUntilUnix }) => leaseUntilUnix > clock.now)
    await expect.poll(isRunning, bound).toBe(true)
    clock.now += jobLeaseSeconds
    const again = jobOf('walk', 'service', { isVisit: true })
    await workOf([again]).runDue()
    held.resolve({ dueAtUnix: undefined })
    await late

    expect(await workOf([again]).runs()).toMatchObject([{ name: 'walk', dueAtUnix: clock.now + daySeconds }])
  })

  test('that never ends is given up after its time, so that the others go on, and comes again', async ({ expect }) => {
    const asked: number[] = []
    let pass = () => {}
    const patience = (ms: number, over: AbortSignal) =>
      new Promise<void>((resolve) => {
        asked.push(ms)
        pass = resolve
        over.addEventListener('abort', () => resolve())
      })
    const logged: unknown[] = []
    const logger: Logger = { info: () => undefined, error: (event, facts) => void logged.push([event, facts]) }
    const hanging = jobOf('walk', 'site', { run: () => new Promise(() => undefined) })
    await list.plan({ scope: 'site', subjectId: 4, name: 'walk' }, startUnix)
    const look = workWith(fakeFleet(), { jobs: [hanging], logger, patience }).runDue()
    await expect.poll(() => asked, bound).toEqual([jobSecondsMax * 1000])
    pass()

    expect(await look).toBe(startUnix + statisticsRetrySeconds)
    expect(logged).toMatchObject([['job_crashed', { subject_id: 4, job: 'walk' }]])
    expect(await workOf([hanging]).runs()).toMatchObject([{ lastOk: false, isRunning: false }])
  })

  test('by a fault of its own is logged, and comes again', async ({ expect }) => {
    const logged: unknown[] = []
    const logger: Logger = { info: () => undefined, error: (event, facts) => void logged.push([event, facts]) }
    const broken = jobOf('walk', 'downloader', { run: () => Promise.reject(new Error('a bug')) })
    await list.plan({ scope: 'downloader', subjectId: 4, name: 'walk' }, startUnix)

    expect(await workOf([broken], logger).runDue()).toBe(startUnix + statisticsRetrySeconds)
    expect(logged).toEqual([
      ['job_crashed', { scope: 'downloader', subject_id: 4, job: 'walk', cause: new Error('a bug') }],
    ])
    expect(await workOf([broken]).runs()).toMatchObject([{ lastOk: false, lastReason: { kind: 'internal' } }])
  })
})

describe('a run that has ended', () => {
  test('is told to the collector, with the kind of its failure', async ({ expect }) => {
    const told: unknown[] = []
    const telemetry = { ended: (work: object) => void told.push(work) }
    const dueAtUnix = startUnix + daySeconds
    const jobs = [
      jobOf('walk', 'service', {
        async run() {
          clock.now += 2
          return { dueAtUnix, reason: { kind: 'internal' } }
        },
      }),
      jobOf('rest', 'downloader', { run: async () => ({ dueAtUnix }) }),
    ]
    await list.plan({ scope: 'downloader', subjectId: 4, name: 'rest' }, startUnix)
    await workWith(fakeFleet(), { jobs, telemetry }).runDue()
    await list.plan(serviceJob('walk'), startUnix)
    await workWith(fakeFleet(), { jobs, telemetry }).runDue()
    const startMs = startUnix * 1_000

    expect(told).toEqual([
      { kind: 'job', name: 'rest', scope: 'downloader', failure: undefined, startMs, tookMs: 0 },
      { kind: 'job', name: 'walk', scope: 'service', failure: 'internal', startMs, tookMs: 2_000 },
    ])
  })
})

describe('a subject that was changed', () => {
  test('gets what it wants first in place of what was planned, and others keep theirs', async ({ expect }) => {
    const jobs = [
      jobOf('wanted', 'downloader', { schedule: { first: async (_, id) => (id === 1 ? startUnix + 5 : undefined) } }),
      jobOf('old', 'downloader'),
      jobOf('site', 'site', { schedule: { first: async () => startUnix } }),
    ]
    await list.plan({ scope: 'downloader', subjectId: 1, name: 'old' }, startUnix)
    await list.plan({ scope: 'downloader', subjectId: 2, name: 'old' }, startUnix)
    await list.plan({ scope: 'site', subjectId: 1, name: 'site' }, startUnix + 9)
    const work = workOf(jobs)
    await work.subjectChanged('downloader', 1)
    await work.subjectChanged('downloader', 3)

    expect((await work.runs()).map((run) => [run.scope, run.subjectId, run.name, run.dueAtUnix])).toEqual([
      ['site', 1, 'site', startUnix + 9],
      ['downloader', 1, 'wanted', startUnix + 5],
      ['downloader', 2, 'old', startUnix],
    ])
  })
})

test('a job of the service that says when it is due comes onto the list by itself, once', async ({ expect }) => {
  let dueAtUnix: number | undefined
  let asked = 0
  const job = jobOf('walk', 'service', {
    schedule: {
      first: async () => {
        asked += 1
        return dueAtUnix
      },
    },
    run: async () => ({ dueAtUnix: undefined }),
  })
  const work = workOf([job])

  expect(await work.runDue()).toBeUndefined()
  dueAtUnix = startUnix + 60
  expect(await work.runDue()).toBe(startUnix + 60)
  expect(await work.runDue()).toBe(startUnix + 60)
  expect(asked).toBe(2)
})
