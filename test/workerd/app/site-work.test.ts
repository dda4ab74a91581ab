/** The service's own work on sites, with a clock that the test moves and a site that does as it is told. */
import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { beforeEach, describe, inject, test } from 'vitest'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { createDownloaderStore } from '../../../workers/app/adapters/d1/downloaders.ts'
import { createKeyCheckStore } from '../../../workers/app/adapters/d1/key-check.ts'
import { createPushRecords } from '../../../workers/app/adapters/d1/push-records.ts'
import { createSiteFigures } from '../../../workers/app/adapters/d1/site-figures.ts'
import { createSiteStore } from '../../../workers/app/adapters/d1/sites.ts'
import { createLoginReminders } from '../../../workers/app/adapters/login-reminders.ts'
import { createSecretBox } from '../../../workers/app/adapters/secret-box.ts'
import { createSiteWork } from '../../../workers/app/adapters/site-work.ts'
import type { SignInOutcome, SiteReading, SiteUser } from '../../../workers/app/core/site.ts'
import type { SiteFault } from '../../../workers/app/core/site-fault.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import { jobLeaseSeconds, jobsPerAlarm, snapshotDays, statisticsSeconds } from '../../../workers/app/limits.ts'
import type { DownloaderFleet, Logger, SiteChange, SiteFleet } from '../../../workers/app/ports.ts'

const unix = (iso: string) => Date.parse(iso) / 1000
const db = drizzle(env.DB)
const silent: Logger = { info: () => undefined, error: () => undefined }

/** 03:00 in Shanghai, five hours before the window opens. */
const clock = { now: unix('2026-11-20T19:00:00Z'), nowMs: () => clock.now * 1000 }
const secrets = createSecretBox(env.MASTER_KEY, createKeyCheckStore(db))
const store = createSiteStore(db, { clock, secrets })
const figures = createSiteFigures(db, silent)
const records = createPushRecords(db, clock)
const downloaders = createDownloaderStore(db, { clock, secrets })

const user: SiteUser = {
  username: 'walker',
  uploadedBytes: 100,
  downloadedBytes: 10,
  ratio: 10,
  bonus: 1,
  seeding: 1,
  leeching: 0,
  unreadMessages: 0,
}
const broken: SiteFault = { kind: 'broken', part: 'sign_in' }
const signed: SignInOutcome = { status: 'signed', message: '签到成功' }

/** A site that answers what it is told to, and remembers what it was asked. */
function fakeFleet() {
  const fleet = {
    asked: [] as string[],
    signs: [] as (Result<SignInOutcome, SiteFault> | 'never')[],
    reading: succeed({ user }) as Result<SiteReading, SiteFault>,
    port: {} as SiteFleet,
    /** What the one downloader shows, or why it does not. */
    torrents: succeed([]) as Result<Torrent[], string>,
    downloads: {} as Pick<DownloaderFleet, 'find'>,
  }
  fleet.port = {
    probe: async ({ name }) => {
      fleet.asked.push(`probe ${name}`)
      return succeed({})
    },
    read: async ({ name }) => {
      fleet.asked.push(`read ${name}`)
      return fleet.reading
    },
    search: async () => succeed([]),
    signIn: async ({ name }) => {
      fleet.asked.push(`sign-in ${name}`)
      const next = fleet.signs.shift() ?? succeed(signed)
      return next === 'never' ? new Promise(() => undefined) : next
    },
    icon: async () => undefined,
    tryOut: async () => succeed({}),
  }
  fleet.downloads = {
    find: async (_, infoHashes) =>
      fleet.torrents.ok
        ? succeed(fleet.torrents.value.filter(({ infoHash }) => infoHashes.includes(infoHash)))
        : fleet.torrents,
  }
  return fleet
}

function workWith(fleet: ReturnType<typeof fakeFleet>) {
  return createSiteWork(db, {
    clock,
    logger: silent,
    store,
    figures,
    fleet: fleet.port,
    pushes: { clock, records, downloaders, fleet: fleet.downloads },
    reminders: createLoginReminders(db, { clock, logger: silent }),
    timeZone: 'Asia/Shanghai',
    random: () => 0,
    wake: async () => undefined,
  })
}

async function addSite(name: string, change: Partial<SiteChange> = {}): Promise<number> {
  const added = await store.add({
    name,
    displayName: '',
    kind: 'nexusphp',
    definition: '',
    baseUrl: 'http://127.0.0.1:1',
    enabled: true,
    autoSignIn: true,
    inactivityDays: 30,
    remindBeforeDays: 10,
    capacityGib: 0,
    overrides: {},
    ...change,
  })
  if (!added.ok) throw new Error(added.failure)
  return added.value.id
}

/** As the scheduler does: again at once while something is due. */
async function settle(work: ReturnType<typeof workWith>): Promise<void> {
  for (let tick = 0; tick < 10; tick += 1) {
    const next = await work.runDue()
    if (next === undefined || next > clock.now) return
  }
  throw new Error('the work does not come to rest')
}

async function jobOf(siteId: number, job: string) {
  const jobs = await workWith(fakeFleet()).jobs()
  return jobs.find((run) => run.siteId === siteId && run.job === job)
}

beforeEach(async () => {
  clock.now = unix('2026-11-20T19:00:00Z')
  for (const { record } of await store.list()) await store.remove(record.id)
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

    expect((await work.jobs()).some(({ siteId }) => siteId === off)).toBe(false)
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
    expect(run).toMatchObject({ lastOk: false, lastError: '登录已失效，请更新 Cookie 或密钥', isRunning: false })
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
