/** The service's own work on sites, with a clock that the test moves and a site that does as it is told. */

import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { planJob, serviceJob } from '../../../workers/app/adapters/d1/job-list.ts'
import { createLoginReminderRows } from '../../../workers/app/adapters/d1/login-reminders.ts'
import type { PushFacts, PushNote } from '../../../workers/app/adapters/d1/push-records.ts'
import type { Reason } from '../../../workers/app/core/reason/reason.ts'
import type { SiteReading } from '../../../workers/app/core/site.ts'
import type { SiteFault } from '../../../workers/app/core/site-fault.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import {
  dayEndSeconds,
  followedTasksMax,
  jobLeaseSeconds,
  jobsAtOnce,
  jobsPerAlarm,
  lostPushSeconds,
  pushCutOffSeconds,
  pushRecordsMax,
  reminderSeconds,
  snapshotDays,
  statisticsSeconds,
  taskFollowSeconds,
} from '../../../workers/app/limits.ts'
import type { DownloaderChange } from '../../../workers/app/ports/downloaders.ts'
import { createLoginReminders } from '../../../workers/app/services/sites/login-reminders.ts'
import { localeOf } from '../../support/locale-of.ts'
import { torrentFixture } from '../../support/torrent-fixture.ts'
import {
  addDownloader,
  addSite,
  broken,
  clock,
  db,
  downloaders,
  fakeFleet,
  figures,
  pushesOf,
  records,
  reminders,
  removeSites,
  settle,
  store,
  unix,
  user,
  workWith,
} from '../../support/workerd/told-sites.ts'

async function jobOf(siteId: number, job: string) {
  const runs = await workWith(fakeFleet()).runs()
  return runs.find(({ scope, subjectId, name }) => scope === 'site' && subjectId === siteId && name === job)
}

beforeEach(async () => {
  clock.now = unix('2026-11-20T19:00:00Z')
  await removeSites()
})

describe('automatic sign-in', () => {
  test('happens once a day, at its moment of the window', async ({ expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    const id = await addSite('a')
    await work.plan(id)

    await settle(work)
    clock.now = unix('2026-11-20T23:59:59Z')
    await settle(work)
    expect(fleet.asked.filter((one) => one.startsWith('sign-in'))).toEqual([])
    clock.now = unix('2026-11-21T00:00:00Z')
    await settle(work)
    await settle(work)
    clock.now = unix('2026-11-21T15:00:00Z')
    await settle(work)

    expect(fleet.asked.filter((one) => one.startsWith('sign-in'))).toEqual(['sign-in a'])
    expect(await figures.signIn(id, '2026-11-21')).toMatchObject({ status: 'signed', attempts: 1 })
    expect((await jobOf(id, 'sign_in'))?.dueAtUnix).toBe(unix('2026-11-22T00:00:00Z'))
  })

  test('that fails is tried again after 10 and 30 minutes, and then the day has failed', async ({ expect }) => {
    const fleet = fakeFleet()
    fleet.signs = [failWith(broken), failWith(broken), failWith(broken)]
    const work = workWith(fleet)
    const id = await addSite('a')
    await work.plan(id)
    const start = unix('2026-11-21T00:00:00Z')
    const seen: unknown[] = []
    for (const at of [0, 599, 600, 600 + 1799, 600 + 1800, 8 * 3600]) {
      clock.now = start + at
      await settle(work)
      const { status, attempts } = (await figures.signIn(id, '2026-11-21')) ?? {}
      seen.push([at, status, attempts])
    }

    expect(seen).toEqual([
      [0, 'pending', 1],
      [599, 'pending', 1],
      [600, 'pending', 2],
      [2399, 'pending', 2],
      [2400, 'failed', 3],
      [28_800, 'failed', 3],
    ])
    expect(await jobOf(id, 'sign_in')).toMatchObject({ lastOk: false, dueAtUnix: unix('2026-11-22T00:00:00Z') })
  })

  test('does not follow one the owner made', async ({ expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    const id = await addSite('a')
    await work.plan(id)
    const entry = await store.find('a')
    if (entry === undefined) throw new Error('no site')
    clock.now = unix('2026-11-20T20:00:00Z')
    await work.signInNow(entry)

    clock.now = unix('2026-11-21T01:00:00Z')
    await settle(work)

    expect(fleet.asked.filter((one) => one.startsWith('sign-in'))).toHaveLength(1)
  })

  test('keeps its retries when the owner’s own attempt fails', async ({ expect }) => {
    const fleet = fakeFleet()
    fleet.signs = [failWith(broken)]
    const work = workWith(fleet)
    const id = await addSite('a')
    await work.plan(id)
    const entry = await store.find('a')
    if (entry === undefined) throw new Error('no site')

    expect((await work.signInNow(entry)).ok).toBe(false)
    expect(await figures.signIn(id, '2026-11-21')).toBeUndefined()
  })

  test('does not count an attempt that found the site busy', async ({ expect }) => {
    const fleet = fakeFleet()
    fleet.signs = [failWith({ kind: 'busy' })]
    const work = workWith(fleet)
    const id = await addSite('a')
    await work.plan(id)
    clock.now = unix('2026-11-21T00:00:00Z')
    await settle(work)

    expect(await figures.signIn(id, '2026-11-21')).toMatchObject({ status: 'pending', attempts: 0 })
    clock.now += jobLeaseSeconds
    await settle(work)
    expect(await figures.signIn(id, '2026-11-21')).toMatchObject({ status: 'signed', attempts: 1 })
  })

  test('that fails before midnight is not tried again as the one of the next day', async ({ expect }) => {
    const fleet = fakeFleet()
    fleet.signs = [failWith(broken), failWith(broken)]
    const work = workWith(fleet)
    const id = await addSite('a')
    // 23:40 in Shanghai: the window is over, so it is made up for at once, and again at 23:50.
    clock.now = unix('2026-11-21T15:40:00Z')
    await work.plan(id)
    await settle(work)
    clock.now = unix('2026-11-21T15:50:00Z')
    await settle(work)

    expect(await figures.signIn(id, '2026-11-21')).toMatchObject({ status: 'failed', attempts: 2 })
    expect((await jobOf(id, 'sign_in'))?.dueAtUnix).toBe(unix('2026-11-22T00:00:00Z'))
  })

  test('waits for its window when the machine comes back before it', async ({ expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    const id = await addSite('a')
    await work.plan(id)
    // 03:00 in Shanghai, the day after.
    clock.now = unix('2026-11-21T19:00:00Z')
    await settle(work)
    const early = fleet.asked.filter((one) => one.startsWith('sign-in'))
    clock.now = unix('2026-11-22T00:00:00Z')
    await settle(work)

    expect(early).toEqual([])
    expect(await figures.signIn(id, '2026-11-22')).toMatchObject({ status: 'signed', attempts: 1 })
  })

  test('is sent once when two alarms work on the same list', async ({ expect }) => {
    const fleet = fakeFleet()
    const id = await addSite('a')
    await workWith(fleet).plan(id)
    clock.now = unix('2026-11-21T00:00:00Z')
    await settle(workWith(fleet))
    await env.DB.prepare('delete from site_sign_ins').run()
    await workWith(fleet).runSoon({ scope: 'site', subjectId: id, name: 'sign_in' })
    fleet.asked.length = 0

    await Promise.all([workWith(fleet).runDue(), workWith(fleet).runDue()])

    expect(fleet.asked).toEqual(['sign-in a'])
  })

  test('makes up for a window in which the machine was off', async ({ expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    const id = await addSite('a')
    await work.plan(id)
    clock.now = unix('2026-11-24T12:00:00Z')
    await settle(work)
    await settle(work)

    expect(await figures.signIn(id, '2026-11-24')).toMatchObject({ status: 'signed' })
    expect(await figures.signIn(id, '2026-11-21')).toBeUndefined()
  })

  test('cut off in its middle was counted, and begins again when its lease has ended', async ({ expect }) => {
    const fleet = fakeFleet()
    fleet.signs = ['never']
    const id = await addSite('a')
    await workWith(fleet).plan(id)
    clock.now = unix('2026-11-21T00:00:00Z')
    void settle(workWith(fleet))
    await expect.poll(() => fleet.asked.filter((one) => one.startsWith('sign-in')).length).toBe(1)

    // Another instance, as after an eviction: it knows only what is stored.
    clock.now += jobLeaseSeconds - 1
    await settle(workWith(fleet))
    expect(await figures.signIn(id, '2026-11-21')).toMatchObject({ status: 'pending', attempts: 1 })
    expect((await jobOf(id, 'sign_in'))?.isRunning).toBe(true)
    clock.now += 1
    await settle(workWith(fleet))

    expect(await figures.signIn(id, '2026-11-21')).toMatchObject({ status: 'signed', attempts: 2 })
  })

  test('ends when it is switched off, and the site with it', async ({ expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    const id = await addSite('a', { autoSignIn: false })
    await work.plan(id)
    expect(await jobOf(id, 'sign_in')).toBeUndefined()
    const off = await addSite('b', { enabled: false })
    await work.plan(off)

    expect((await work.runs()).some(({ subjectId }) => subjectId === off)).toBe(false)
  })
})

describe('statistics', () => {
  test('leave one snapshot a local day: the last fetch wins', async ({ expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    const id = await addSite('a', { autoSignIn: false })
    await work.plan(id)
    for (const [now, uploadedBytes] of [
      ['2026-11-20T19:00:00Z', 100],
      ['2026-11-21T15:59:00Z', 150],
      ['2026-11-21T18:30:00Z', 160],
    ] as const) {
      clock.now = unix(now)
      fleet.reading = succeed({ user: { ...user, uploadedBytes } })
      await settle(work)
    }

    const { results } = await env.DB.prepare(
      'select day, uploaded_bytes from site_snapshots where site_id = ? order by day',
    )
      .bind(id)
      .all()
    expect(results).toEqual([
      { day: '2026-11-21', uploaded_bytes: 150 },
      { day: '2026-11-22', uploaded_bytes: 160 },
    ])
  })

  test('are kept for 400 days', async ({ expect }) => {
    const id = await addSite('a', { autoSignIn: false })
    const insert = env.DB.prepare(
      'insert into site_snapshots (site_id, day, uploaded_bytes, downloaded_bytes, bonus, ratio, seeding) values (?, ?, 1, 1, 1, 1, 1)',
    )
    await env.DB.batch([insert.bind(id, '2025-10-16'), insert.bind(id, '2025-10-17')])

    await workWith(fakeFleet()).runDue()

    expect(snapshotDays).toBe(400)
    const { results } = await env.DB.prepare('select day from site_snapshots where site_id = ?').bind(id).all()
    expect(results).toEqual([{ day: '2025-10-17' }])
  })

  test('that fail are tried again sooner, and say why', async ({ expect }) => {
    const fleet = fakeFleet()
    fleet.reading = failWith({ kind: 'login_expired' })
    const work = workWith(fleet)
    const id = await addSite('a', { autoSignIn: false })
    await work.plan(id)
    await work.runDue()

    const run = await jobOf(id, 'statistics')
    expect(run).toMatchObject({ lastOk: false, lastReason: { kind: 'site.login_expired' }, isRunning: false })
    expect((run?.dueAtUnix ?? 0) - clock.now).toBeLessThan(statisticsSeconds)
    expect((await store.find('a'))?.record.lastProbeStatus).toBe('login_expired')
  })

  test('written after their site was removed are cleared away', async ({ expect }) => {
    await figures.noteReading(9_999_999, { user }, '2026-11-21', clock.now)

    await workWith(fakeFleet()).runDue()

    const users = await figures.users()
    expect(users.ok && users.value.has(9_999_999)).toBe(false)
  })

  test('of more sites than one alarm takes are read in the next at once', async ({ expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    const count = jobsPerAlarm + 1
    for (let index = 0; index < count; index += 1) await work.plan(await addSite(`s${index}`, { autoSignIn: false }))

    const next = await work.runDue()
    expect(fleet.asked).toHaveLength(jobsPerAlarm)
    expect(next).toBeLessThanOrEqual(clock.now)
    await work.runDue()
    expect(new Set(fleet.asked).size).toBe(count)
  })
})

describe('the last figures of a day', () => {
  const reads = (fleet: ReturnType<typeof fakeFleet>) => fleet.asked.filter((one) => one.startsWith('read'))

  test('are read once more in the last minutes of the owner’s day', async ({ expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    const id = await addSite('a', { autoSignIn: false })
    await work.plan(id)
    await settle(work)
    const begin = unix('2026-11-21T16:00:00Z') - dayEndSeconds.before
    // By their own pace they were read a second before.
    clock.now = begin - 1
    await settle(work)
    expect(reads(fleet)).toEqual(['read a', 'read a'])

    clock.now = begin
    await settle(work)

    expect(reads(fleet)).toEqual(['read a', 'read a', 'read a'])
    expect(await jobOf(id, 'day_end')).toMatchObject({ lastOk: true, dueAtUnix: begin + 24 * 3600 })
    expect(await jobOf(id, 'statistics')).toMatchObject({ lastOk: true, dueAtUnix: begin + statisticsSeconds })
  })

  test('are asked for at another moment of each site, and begun in time', async ({ expect }) => {
    const work = workWith(fakeFleet(), { random: () => 0.999_999 })
    const id = await addSite('a', { autoSignIn: false })
    await work.plan(id)
    const midnight = unix('2026-11-21T16:00:00Z')
    expect((await jobOf(id, 'day_end'))?.dueAtUnix).toBe(midnight - dayEndSeconds.before + dayEndSeconds.spread - 1)
    expect(dayEndSeconds.spread).toBeLessThan(dayEndSeconds.before)
  })

  test('are over with the day: a machine that was off asks for none', async ({ expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    const id = await addSite('a', { autoSignIn: false })
    await work.plan(id)
    await settle(work)

    clock.now = unix('2026-11-21T16:00:00Z')
    await settle(work)

    expect(reads(fleet)).toEqual(['read a', 'read a'])
    expect((await jobOf(id, 'day_end'))?.dueAtUnix).toBe(unix('2026-11-22T16:00:00Z') - dayEndSeconds.before)
  })

  test('are of no site that is switched off, or whose kind has none', async ({ expect }) => {
    const work = workWith(fakeFleet())
    const off = await addSite('off', { enabled: false })
    const none = await addSite('none', { kind: 'torznab', autoSignIn: false })
    for (const id of [off, none]) await work.plan(id)
    expect(await Promise.all([off, none].map((id) => jobOf(id, 'day_end')))).toEqual([undefined, undefined])
  })
})

describe('changed settings', () => {
  test('are used at once, although a run with the old ones is still under way and fails', async ({ expect }) => {
    const fleet = fakeFleet()
    const held = Promise.withResolvers<Result<SiteReading, SiteFault>>()
    fleet.readAs = async () => (fleet.asked.length === 1 ? held.promise : fleet.reading)
    const work = workWith(fleet)
    const id = await addSite('a', { autoSignIn: false })
    await work.plan(id)
    const running = work.runDue()
    await expect.poll(() => fleet.asked.length).toBe(1)

    await work.plan(id)
    held.resolve(failWith({ kind: 'login_expired' }))
    const next = await running

    expect(next).toBe(clock.now)
    await settle(work)
    expect(fleet.asked).toEqual(['read a', 'read a'])
    expect(await jobOf(id, 'statistics')).toMatchObject({ lastOk: true })
    expect((await store.find('a'))?.record.lastProbeStatus).toBe('ok')
  })

  test('of a site whose turn is still to come are those it is visited with', async ({ expect }) => {
    const fleet = fakeFleet()
    const held = Promise.withResolvers<Result<SiteReading, SiteFault>>()
    const addresses: string[] = []
    fleet.readAs = ({ baseUrl }) => {
      addresses.push(baseUrl)
      return held.promise
    }
    const work = workWith(fleet)
    for (let index = 0; index <= jobsAtOnce; index += 1)
      await work.plan(await addSite(`s${index}`, { autoSignIn: false }))
    const last = (await store.find(`s${jobsAtOnce}`))?.record
    if (last === undefined) throw new Error('no site')
    const running = work.runDue()
    await expect.poll(() => addresses.length).toBe(jobsAtOnce)

    await store.update(last.id, { ...last, baseUrl: 'http://127.0.0.1:2' })
    held.resolve(succeed({ user }))
    await running

    expect(addresses.at(-1)).toBe('http://127.0.0.1:2')
  })
})

describe('the scheduler object', () => {
  test('works through what is due when its alarm fires, twice without harm, and sleeps when there is nothing', async ({
    expect,
  }) => {
    const scheduler = env.SCHEDULER.get(env.SCHEDULER.idFromName('under-test'))
    const id = await addSite('a', {
      kind: 'unit3d',
      autoSignIn: false,
      baseUrl: `${inject('standInSites')}/unit3d/scheduled`,
      apiKey: 'CanaryApiKeyOfTheSite91',
      overrides: { request_interval_ms: 0 },
    })
    await workWith(fakeFleet()).plan(id)

    await scheduler.wake()
    await scheduler.wake()
    await runDurableObjectAlarm(scheduler)
    await expect.poll(async () => (await jobOf(id, 'statistics'))?.lastOk, { timeout: 5000 }).toBe(true)

    expect((await store.find('a'))?.record.lastProbeStatus).toBe('ok')
    // Armed for the next run; without any site left there is none.
    expect(await runDurableObjectAlarm(scheduler)).toBe(true)
    await store.remove(id)
    await runDurableObjectAlarm(scheduler)
    expect(await runDurableObjectAlarm(scheduler)).toBe(false)
  })
})

const infoHash = 'ab'.repeat(20)
const second = 'cd'.repeat(20)

function torrentWith(progressPercent: number, change: Partial<Torrent> = {}): Torrent {
  const isComplete = progressPercent === 100
  return torrentFixture(infoHash, {
    title: 'Film',
    progressPercent,
    sizeBytes: 100,
    state: isComplete ? 'seeding' : 'downloading',
    addedAtUnix: 1,
    completedAtUnix: isComplete ? clock.now - 5 : 0,
    ...change,
  })
}

const addOther = (name: string, change: Partial<DownloaderChange> = {}) =>
  addDownloader(name, { isDefault: false, ...change })

function factsOf(downloaderId: number, torrentId = '1'): PushFacts {
  return {
    site: 'a',
    torrentId,
    title: 'Film',
    sizeBytes: 100,
    category: '',
    tags: '',
    free: false,
    hasHr: false,
    source: 'app_push',
    downloader: 'd',
    downloaderId,
    infoHashes: [infoHash, second],
  }
}

describe('pushed torrents', () => {
  let downloaderId = 0

  beforeEach(async () => {
    await env.DB.batch([env.DB.prepare('delete from push_records'), env.DB.prepare('delete from jobs')])
    for (const { id } of await downloaders.list()) await downloaders.remove(id)
    downloaderId = await addOther('d')
  })

  async function pushed(torrentId = '1', shownAs = infoHash): Promise<number> {
    const facts = factsOf(downloaderId, torrentId)
    const id = await records.begin(facts)
    await records.succeeded(id, facts, shownAs)
    await planJob(db, serviceJob('tasks'), clock.now)
    return id
  }
  const record = async () => (await records.page({ pushedOnly: false }, 1, 10)).items[0]

  test('are followed until they are complete, and then the scheduler may sleep', async ({ expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    await pushed()
    const seen: unknown[] = []
    for (const progress of [0, 12.5, 12.5, 100]) {
      fleet.torrents = succeed([torrentWith(progress)])
      const next = await work.runDue()
      const { progressPercent, completed, completedAtUnix } = (await record()) ?? {}
      seen.push([progressPercent, completed, completedAtUnix, next === undefined ? undefined : next - clock.now])
      clock.now += taskFollowSeconds
    }

    expect(seen).toEqual([
      [0, false, undefined, taskFollowSeconds],
      [12.5, false, undefined, taskFollowSeconds],
      [12.5, false, undefined, taskFollowSeconds],
      [100, true, clock.now - taskFollowSeconds - 5, undefined],
    ])
    expect(await work.runs()).toEqual([])
  })

  test('are not complete before they were pushed, whatever the downloader says', async ({ expect }) => {
    const fleet = fakeFleet()
    fleet.torrents = succeed([torrentWith(100, { completedAtUnix: clock.now - 5 })])
    await pushed()
    await workWith(fleet).runDue()

    expect(await record()).toMatchObject({ completed: true, pushedAtUnix: clock.now, completedAtUnix: clock.now })
  })

  test('that begin while the last one ends are followed too', async ({ expect }) => {
    const fleet = fakeFleet()
    fleet.torrents = succeed([torrentWith(100)])
    await pushed()
    const counted = {
      followed: () => records.followed(),
      isAnyFollowed: async () => {
        const isAny = await records.isAnyFollowed()
        if (!isAny) {
          await records.begin(factsOf(downloaderId, 'meanwhile'))
          await planJob(db, serviceJob('tasks'), clock.now)
        }
        return isAny
      },
      note: (notes: readonly PushNote[]) => records.note(notes),
    }
    const work = workWith(fleet, {
      pushes: pushesOf({ clock, records: counted, downloaders, fleet: fleet.downloads }),
    })

    const next = await work.runDue()

    expect(next).toBe(clock.now + taskFollowSeconds)
    expect(await work.runs()).toMatchObject([{ name: 'tasks' }])
  })

  test('are followed while a site takes its whole time', async ({ expect }) => {
    const fleet = fakeFleet()
    const held = Promise.withResolvers<Result<SiteReading, SiteFault>>()
    fleet.readAs = () => held.promise
    let pass = () => {}
    let waits = 0
    const wait = (_: number, over: AbortSignal) =>
      new Promise<void>((resolve) => {
        waits += 1
        pass = resolve
        over.addEventListener('abort', () => resolve())
      })
    const work = workWith(fleet, { wait })
    await work.plan(await addSite('slow', { autoSignIn: false }))
    await pushed()
    fleet.torrents = succeed([torrentWith(10)])
    const running = work.runDue()
    await expect.poll(async () => (await record())?.progressPercent).toBe(10)
    // The run has ended as well: one that still plans the next would plan it from the time that is set below.
    await expect.poll(() => waits).toBe(1)

    fleet.torrents = succeed([torrentWith(20)])
    clock.now += taskFollowSeconds
    const afterWait = async () => {
      pass()
      return (await record())?.progressPercent
    }
    await expect.poll(afterWait).toBe(20)

    held.resolve(fleet.reading)
    await running
    expect(fleet.asked).toEqual(['read slow'])
  })

  test('of one downloader are brought up to date while another one hangs', async ({ expect }) => {
    const fleet = fakeFleet()
    const hanging = Promise.withResolvers<Result<Torrent[], Reason>>()
    const { find } = fleet.downloads
    fleet.downloads = {
      ...fleet.downloads,
      find: (target, hashes) => (target.name === 'd' ? hanging.promise : find(target, hashes)),
    }
    fleet.torrents = succeed([torrentWith(30)])
    await pushed()
    const facts = factsOf(await addOther('other'), '2')
    await records.succeeded(await records.begin(facts), facts, infoHash)
    const running = workWith(fleet).runDue()

    await expect.poll(async () => (await record())?.progressPercent).toBe(30)
    hanging.resolve(failWith({ kind: 'downloader.timeout' }))
    await running
  })

  test('are followed without looking through every figure each time', async ({ expect }) => {
    const fleet = fakeFleet()
    const id = await addSite('a', { autoSignIn: false })
    await env.DB.prepare(
      "insert into site_snapshots (site_id, day, uploaded_bytes, downloaded_bytes, bonus, ratio, seeding) values (?, '2020-01-01', 1, 1, 1, 1, 1)",
    )
      .bind(id)
      .run()
    const old = async () =>
      (await env.DB.prepare("select day from site_snapshots where day = '2020-01-01'").all()).results
    await pushed()
    await workWith(fleet).runDue()
    const afterFollowing = await old()
    await workWith(fleet).plan(id)
    await workWith(fleet).runDue()

    expect(afterFollowing).toHaveLength(1)
    expect(await old()).toEqual([])
  })

  test('are found under either hash of a hybrid', async ({ expect }) => {
    const fleet = fakeFleet()
    fleet.torrents = succeed([torrentWith(50, { infoHash: second })])
    await pushed('1', second)

    await workWith(fleet).runDue()

    expect(await record()).toMatchObject({ progressPercent: 50 })
  })

  test('that are removed from the downloader say so, but not while it may just be starting', async ({ expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    await pushed()
    const seen: unknown[] = []
    for (const torrents of [[torrentWith(40)], [], [torrentWith(40)], [], [], [], []]) {
      fleet.torrents = succeed(torrents)
      await work.runDue()
      seen.push((await record())?.reason?.kind)
      clock.now += taskFollowSeconds
    }

    expect(seen).toEqual([...Array(6).fill(undefined), 'torrent_removed'])
    expect(lostPushSeconds).toBe(3 * taskFollowSeconds)
    expect(await record()).toMatchObject({ pushed: true, completed: false, progressPercent: 40 })
    expect(await work.runs()).toEqual([])
  })

  test('of a downloader that is gone are not followed any more', async ({ expect }) => {
    const fleet = fakeFleet()
    await pushed()
    await downloaders.remove(downloaderId)

    expect(await workWith(fleet).runDue()).toBeUndefined()
    expect(await record()).toMatchObject({ reason: { kind: 'downloader_deleted' }, pushed: true, downloader: 'd' })
  })

  test('of a downloader that is switched off or away are followed again when it is back', async ({ expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    await pushed()
    fleet.torrents = failWith({ kind: 'downloader.timeout' } as const)
    await work.runDue()
    const away = await work.runs()
    const { name, kind, baseUrl, username } = {
      name: 'd',
      kind: 'qbittorrent' as const,
      baseUrl: 'http://x',
      username: '',
    }
    const settings = { name, kind, baseUrl, username, isDefault: false }
    await downloaders.update(downloaderId, { ...settings, enabled: false })
    clock.now += taskFollowSeconds
    await work.runDue()
    const off = await work.runs()
    await downloaders.update(downloaderId, { ...settings, enabled: true })
    fleet.torrents = succeed([torrentWith(100)])
    clock.now += taskFollowSeconds
    await work.runDue()

    expect(away).toMatchObject([
      {
        scope: 'service',
        name: 'tasks',
        lastOk: false,
        lastReason: { kind: 'several', of: [{ name: 'd', reason: { kind: 'downloader.timeout' } }] },
      },
    ])
    expect(off).toMatchObject([{ name: 'tasks', lastOk: true }])
    expect(await record()).toMatchObject({ completed: true })
  })

  test('whose push was cut off are settled by a look, one way or the other, within a minute', async ({ expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    await records.begin(factsOf(downloaderId, 'arrived'))
    await planJob(db, serviceJob('tasks'), clock.now)
    fleet.torrents = succeed([torrentWith(5)])
    await work.runDue()
    const arrived = await record()
    await env.DB.prepare('delete from push_records').run()

    await records.begin(factsOf(downloaderId, 'lost'))
    fleet.torrents = succeed([])
    const seen: unknown[] = []
    for (const at of [0, pushCutOffSeconds - 1, 1]) {
      clock.now += at
      await planJob(db, serviceJob('tasks'), clock.now)
      await env.DB.prepare('update jobs set due_at_unix = ?').bind(clock.now).run()
      await work.runDue()
      seen.push((await record())?.reason?.kind)
    }

    expect(arrived).toMatchObject({ pushed: true, progressPercent: 5 })
    expect(seen).toEqual([undefined, undefined, 'push.cut_off'])
    expect(await record()).toMatchObject({ pushed: false })
    expect(pushCutOffSeconds).toBeLessThanOrEqual(60)
  })

  test('stay pushed when a later push of them fails', async ({ expect }) => {
    const id = await pushed()
    await records.begin({ ...factsOf(downloaderId), title: 'another title' })
    await records.failed(id, { kind: 'push.space_unread' })

    expect(await record()).toMatchObject({ id, pushed: true, title: 'Film', reason: { kind: 'push.space_unread' } })
  })

  test('are kept up to their limit, the oldest going first, but none that is followed', async ({ expect }) => {
    await env.DB.prepare(
      `insert into push_records (id, site, torrent_id, title, folded_title, size_bytes, source, downloader_id, downloader, info_hashes, created_at_unix, followed)
       values (1, 'a', 'old', '', '', 1, 'app_push', 1, '', '', 1, 0), (2, 'a', 'open', '', '', 1, 'app_push', 1, '', '', 1, 1),
       (100, 'a', 'kept', '', '', 1, 'app_push', 1, '', '', 1, 0), (?, 'a', 'new', '', '', 1, 'app_push', 1, '', '', 1, 0)`,
    )
      .bind(pushRecordsMax + 99)
      .run()

    await records.begin(factsOf(downloaderId, 'newest'))

    const { results } = await env.DB.prepare('select id from push_records order by id').all()
    expect(results.map(({ id }) => id)).toEqual([2, pushRecordsMax + 99, pushRecordsMax + 100])
  })

  /** As many followed records as asked for, of each downloader in turn. */
  async function manyFollowed(counts: readonly (readonly [downloaderId: number, count: number])[]): Promise<void> {
    for (const [id, many] of counts) {
      await env.DB.prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
         insert into push_records (site, torrent_id, title, folded_title, size_bytes, source, downloader_id, downloader, info_hashes, created_at_unix, followed)
         select 'a', ?2 || '-' || i, '', '', 1, 'app_push', ?2, '', '', 1, 1 from n`,
      )
        .bind(many, id)
        .run()
    }
  }
  const share = async () => {
    const rows = await records.followed()
    return Object.fromEntries([...Map.groupBy(rows, (row) => row.downloaderId)].map(([id, of]) => [id, of.length]))
  }

  test('are followed up to their limit, and those beyond it at the next look', async ({ expect }) => {
    await manyFollowed([[downloaderId, followedTasksMax]])
    const all = await share()
    await manyFollowed([[downloaderId + 100, 1]])
    await env.DB.prepare('update push_records set downloader_id = ?').bind(downloaderId).run()
    const seen = new Set<number>()
    const shares: number[] = []
    for (const _ of [1, 2]) {
      const rows = await records.followed()
      for (const { id } of rows) seen.add(id)
      shares.push(rows.length)
      clock.now += taskFollowSeconds
    }

    expect(all).toEqual({ [downloaderId]: followedTasksMax })
    expect(shares.sort((left, right) => left - right)).toEqual([1, followedTasksMax])
    expect(seen.size).toBe(followedTasksMax + 1)
  })

  test('of one downloader do not keep those of another waiting', async ({ expect }) => {
    const other = await addOther('other')
    await manyFollowed([
      [downloaderId, followedTasksMax + 5],
      [other, 3],
    ])
    clock.now -= clock.now % (2 * taskFollowSeconds)

    expect(await share()).toEqual({ [downloaderId]: followedTasksMax - 3, [other]: 3 })
  })

  test('of a downloader that is switched off take nobody’s place, and are not forgotten', async ({ expect }) => {
    const off = await addOther('other', { enabled: false })
    await manyFollowed([[off, followedTasksMax]])
    const whileOff = [await share(), await records.isAnyFollowed()]
    await manyFollowed([[downloaderId, 1]])

    expect(whileOff).toEqual([{}, true])
    expect(await share()).toEqual({ [downloaderId]: 1 })
  })
})

describe('login reminders', () => {
  test('are raised once a tier, say how long is left, and go when the account was visited', async ({ expect }) => {
    const logged: unknown[] = []
    const reminders = createLoginReminders({
      clock,
      rows: createLoginReminderRows(db),
      logger: { info: (event, facts) => logged.push([event, facts?.['tier']]), error: () => undefined },
    })
    const id = await addSite('a', { inactivityDays: 30, remindBeforeDays: 10 })
    const visitedAt = clock.now
    await figures.noteProbe(id, 'ok', visitedAt, visitedAt)
    const seen: unknown[] = []
    for (const day of [0, 19, 20, 21, 24, 27, 29, 31]) {
      clock.now = visitedAt + day * 24 * 3600
      await reminders.review(await store.list())
      const [one] = await reminders.list()
      seen.push([day, one?.tier, one?.daysRemaining])
    }
    await figures.noteProbe(id, 'ok', clock.now, clock.now)
    await reminders.review(await store.list())

    expect(seen).toEqual([
      [0, undefined, undefined],
      [19, undefined, undefined],
      [20, '14d', 10],
      [21, '14d', 9],
      [24, '7d', 6],
      [27, '3d', 3],
      [29, 'banned-imminent', 1],
      [31, 'banned-imminent', -1],
    ])
    expect(logged).toEqual(['14d', '7d', '3d', 'banned-imminent'].map((tier) => ['login_reminder', tier]))
    expect(await reminders.list()).toEqual([])
  })

  test('are looked for every hour by the scheduler, for enabled sites only', async ({ expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    const id = await addSite('a', { autoSignIn: false, inactivityDays: 30, remindBeforeDays: 10 })
    const off = await addSite('b', { enabled: false })
    for (const site of [id, off]) await figures.noteProbe(site, 'ok', clock.now - 25 * 24 * 3600, clock.now)
    await work.plan(id)
    const [planned] = (await work.runs()).filter(({ name }) => name === 'reminders')
    clock.now += reminderSeconds
    await work.runDue()

    expect(planned).toMatchObject({ scope: 'service', subjectId: 0, dueAtUnix: clock.now })
    expect(await reminders.list()).toMatchObject([{ siteId: id, tier: '7d', daysRemaining: 4 }])
  })
})

describe('days', () => {
  // In Berlin: the night the clock skips an hour, and the one it repeats one; sign-ins from 08:00 to 10:00.
  test.for([
    ['2026-03-28T06:59:59Z', '2026-03-28T07:00:00Z', '2026-03-29T06:00:00Z'],
    ['2026-10-24T05:59:59Z', '2026-10-24T06:00:00Z', '2026-10-25T07:00:00Z'],
  ] as const)('keep their window where the clock changes (%s)', async ([before, first, next], { expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet, { locale: localeOf('Europe/Berlin') })
    clock.now = unix(before) - 3 * 3600
    const id = await addSite('a')
    await work.plan(id)
    const signIns = () => fleet.asked.filter((one) => one.startsWith('sign-in')).length
    clock.now = unix(before)
    await settle(work)
    expect(signIns()).toBe(0)
    clock.now = unix(first)
    await settle(work)
    expect(signIns()).toBe(1)

    expect((await jobOf(id, 'sign_in'))?.dueAtUnix).toBe(unix(next))
    clock.now = unix(next)
    await settle(work)
    expect(signIns()).toBe(2)
  })

  test('a clock that jumps back repeats nothing, and one that jumps ahead loses one day at most', async ({
    expect,
  }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    const id = await addSite('a')
    await work.plan(id)
    clock.now = unix('2026-11-21T00:30:00Z')
    await settle(work)
    clock.now = unix('2026-11-20T23:00:00Z')
    await settle(work)
    expect(fleet.asked.filter((one) => one.startsWith('sign-in'))).toHaveLength(1)
    clock.now = unix('2026-11-25T12:00:00Z')
    await settle(work)

    expect(fleet.asked.filter((one) => one.startsWith('sign-in'))).toHaveLength(2)
    expect(await figures.signIn(id, '2026-11-25')).toMatchObject({ status: 'signed' })
  })
})

describe('work the owner asks for', () => {
  test('is due at once, where there is such work', async ({ expect }) => {
    const fleet = fakeFleet()
    const work = workWith(fleet)
    const id = await addSite('a', { kind: 'unit3d', autoSignIn: false })
    await work.plan(id)
    await settle(work)
    fleet.asked.length = 0

    expect(await work.runSoon({ scope: 'site', subjectId: id, name: 'probe' })).toBe(true)
    await settle(work)
    expect(fleet.asked).toEqual(['probe a'])
    expect(await work.runSoon({ scope: 'site', subjectId: id, name: 'sign_in' })).toBe(false)
    expect(await work.runSoon(serviceJob('tasks'))).toBe(false)
    expect(await work.runSoon(serviceJob('reminders'))).toBe(true)
  })
})
