/** What has to be seeded: pushes' own records, what a downloader told of them, and the job that asks. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, test } from 'vitest'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { createHitAndRunStore } from '../../../workers/app/adapters/d1/hit-and-runs.ts'
import { planJob } from '../../../workers/app/adapters/d1/job-list.ts'
import type { PushFacts } from '../../../workers/app/adapters/d1/push-records.ts'
import { appPrefix } from '../../../workers/app/app.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import type { JobParts } from '../../../workers/app/jobs/job-parts.ts'
import { hitAndRunDays, hitAndRunLookSeconds } from '../../../workers/app/limits.ts'
import {
  type HitAndRunDeps,
  isHitAndRunWatched,
  watchHitAndRuns,
} from '../../../workers/app/services/pushes/watch-hit-and-runs.ts'
import { torrentFixture } from '../../support/torrent-fixture.ts'
import { type Caller, ownerSession, send } from '../../support/workerd/app-client.ts'
import {
  addDownloader,
  addSite,
  clock,
  db,
  downloaders,
  fakeFleet,
  records,
  removeSites,
  store,
  workWith,
} from '../../support/workerd/told-sites.ts'

const hour = 3600
const hashOf = (number: number) => number.toString(16).padStart(40, '0')
const hitAndRuns = createHitAndRunStore(db, clock)

let torrents: Map<string, Torrent>
let asked: number
let isAway: boolean
let downloaderId = 0

const deps: HitAndRunDeps = {
  clock,
  store: hitAndRuns,
  sites: store,
  rulesOf: (definition) => (definition === '' ? {} : { hit_and_run: { seed_hours: 24, ratio: 2 } }),
  downloaders,
  fleet: {
    find: async (_, infoHashes) => {
      asked += 1
      return isAway
        ? failWith({ kind: 'downloader.unreachable' })
        : succeed(infoHashes.flatMap((infoHash) => torrents.get(infoHash) ?? []))
    },
  },
}
const work = (
  pushes: JobParts['pushes'] = { follow: async () => ({ isMore: false }), isAnyFollowed: async () => false },
) =>
  workWith(fakeFleet(), {
    hitAndRuns: { isAny: () => isHitAndRunWatched(deps), watch: () => watchHitAndRuns(deps) },
    pushes,
  })
const jobOf = async () => (await work().runs()).find(({ name }) => name === 'hit_and_run')
const given = async () =>
  (
    await env.DB.prepare('select torrent_id, seeded_seconds, given_bytes from push_records order by id').all()
  ).results.map((row) => Object.values(row))

/** Complete, and shown by the downloader with so much given. */
async function pushed(number: number, change: Partial<PushFacts> = {}, shown: Partial<Torrent> = {}): Promise<void> {
  const infoHash = hashOf(number)
  const facts: PushFacts = {
    ...{ site: 'shelf', torrentId: String(number), title: `Torrent ${number}`, sizeBytes: 1000, category: '' },
    ...{ tags: '', free: false, hasHr: true, source: 'app_push', downloader: 'nas-1', downloaderId },
    infoHashes: [infoHash],
    ...change,
  }
  const id = await records.begin(facts)
  await records.succeeded(id, facts, infoHash)
  const torrent = torrentFixture(infoHash, {
    ...{ state: 'seeding', progressPercent: 100, sizeBytes: 1000, seedingSeconds: 12 * hour, uploadedBytes: 500 },
    ...shown,
  })
  torrents.set(infoHash, torrent)
  await records.note([{ id, torrent }])
}

beforeEach(async () => {
  // The route goes by the clock of the service itself.
  clock.now = Math.floor(Date.now() / 1000)
  await removeSites()
  for (const table of ['push_records', 'jobs', 'downloaders']) await env.DB.prepare(`delete from ${table}`).run()
  torrents = new Map()
  asked = 0
  isAway = false
  await addSite('shelf', { definition: '13city', autoSignIn: false, enabled: false })
  downloaderId = await addDownloader('nas-1')
})

describe('the job', () => {
  test('notes what was given, comes again, and asks no more about what is free', async ({ expect }) => {
    await pushed(1)
    await pushed(2, {}, { seedingSeconds: 30 * hour })
    await work().runDue()

    expect(await given()).toEqual([
      ['1', 12 * hour, 500],
      ['2', 30 * hour, 500],
    ])
    expect((await jobOf())?.dueAtUnix).toBe(clock.now + hitAndRunLookSeconds)

    torrents.set(hashOf(2), torrentFixture(hashOf(2), { seedingSeconds: 99 * hour }))
    clock.now += hitAndRunLookSeconds
    await work().runDue()
    expect((await given())[1]).toEqual(['2', 30 * hour, 500])
  })

  test('begins as soon as the last push is complete, though nothing else is due for hours', async ({ expect }) => {
    const follow = async () => {
      await pushed(1)
      return { isMore: false }
    }
    await planJob(db, { scope: 'service', subjectId: 0, name: 'tasks' }, clock.now)
    await work({ follow, isAnyFollowed: async () => false }).runDue()

    expect(await given()).toEqual([['1', 12 * hour, 500]])
  })

  test('takes nothing back: not of a counter that began anew, not while the downloader is away', async ({ expect }) => {
    await pushed(1)
    await work().runDue()
    torrents.set(hashOf(1), torrentFixture(hashOf(1), { state: 'seeding', seedingSeconds: 5, uploadedBytes: 1 }))
    clock.now += hitAndRunLookSeconds
    await work().runDue()
    expect(await given()).toEqual([['1', 12 * hour, 500]])

    isAway = true
    clock.now += hitAndRunLookSeconds
    await work().runDue()
    expect(await given()).toEqual([['1', 12 * hour, 500]])
    expect(await jobOf()).toMatchObject({ lastOk: false, lastReason: { kind: 'several', of: [{ name: 'nas-1' }] } })
  })

  test.for([
    ['nothing that no list marked, where lists mark', { hasHr: false }, 0],
    ['what is marked at a site of no rule', { site: 'elsewhere' }, 1],
    ['what is marked', {}, 1],
  ] as const)('looks after %s', async ([_, facts, looks], { expect }) => {
    await pushed(1, facts)
    await work().runDue()
    expect(asked).toBe(looks)
  })

  test('looks after everything of a site whose lists mark nothing', async ({ expect }) => {
    await addSite('bench', { kind: 'unit3d', definition: 'aither', autoSignIn: false, enabled: false })
    await pushed(1, { site: 'bench', hasHr: false })
    await work().runDue()
    expect(await given()).toEqual([['1', 12 * hour, 500]])
  })

  test.for([
    [0, 1],
    [1, 0],
  ] as const)('looks after a push of the bound of days and %i seconds %i times', async ([past, looks], { expect }) => {
    await pushed(1)
    await env.DB.prepare('update push_records set pushed_at_unix = ?')
      .bind(clock.now - hitAndRunDays * 24 * hour - past)
      .run()
    await work().runDue()
    expect(asked).toBe(looks)
  })
})

describe('GET /sites/{site}/hit-and-runs', () => {
  let session: Caller

  beforeAll(async () => {
    session = await ownerSession()
  })
  const list = (site = 'shelf') => send('GET', `${appPrefix}/sites/${site}/hit-and-runs`, session)

  test('tells what is asked, what was given, and when it is free', async ({ expect }) => {
    await pushed(1)
    await work().runDue()
    await pushed(2, {}, { progressPercent: 40, state: 'downloading' })
    await pushed(3, { hasHr: false })
    await pushed(4, { site: 'elsewhere' })

    const { status, body } = await list()

    expect(status).toBe(200)
    expect(body).toEqual({
      rule: { seed_hours: 24, ratio: 2 },
      items: [
        {
          ...{ torrent_id: '2', title: 'Torrent 2', size: 1000, marked: true, downloader: 'nas-1' },
          ...{ state: 'downloading', downloader_id: downloaderId, task_id: hashOf(2) },
        },
        {
          ...{ torrent_id: '1', title: 'Torrent 1', size: 1000, marked: true, downloader: 'nas-1', state: 'seeding' },
          ...{ downloader_id: downloaderId, task_id: hashOf(1) },
          ...{ seeded: 12 * hour, given: 500, ratio: 0.5, left: 12 * hour },
          ...{ free_at: clock.now + 12 * hour, looked_at: clock.now },
        },
      ],
    })
  })

  test('keeps what was given when the downloader is gone, and does not say that it seeds', async ({ expect }) => {
    await pushed(1)
    clock.now -= 2 * hitAndRunLookSeconds + 60
    await work().runDue()
    await downloaders.remove(downloaderId)

    const { items } = (await list()).body
    expect(items).toMatchObject([{ state: 'unknown', seeded: 12 * hour, left: 12 * hour, downloader: 'nas-1' }])
    expect(items[0]).not.toHaveProperty('free_at')
  })

  test('says which are not seeded, and which their downloader does not have, until it has them again', async ({
    expect,
  }) => {
    await pushed(1, {}, { state: 'paused' })
    await pushed(2)
    const gone = torrents.get(hashOf(2)) ?? expect.fail('was not pushed')
    await work().runDue()
    torrents.delete(hashOf(2))
    clock.now += hitAndRunLookSeconds
    await work().runDue()
    const states = async () => (await list()).body.items.map((one: { state: string }) => one.state)

    expect(await states()).toEqual(['missing', 'standing'])
    const since = () => env.DB.prepare("select missing_since_unix from push_records where torrent_id = '2'").first()
    const first = await since()
    clock.now += hitAndRunLookSeconds
    await work().runDue()
    // The first look that missed it counts.
    expect(await since()).toEqual(first)
    torrents.set(hashOf(2), gone)
    clock.now += hitAndRunLookSeconds
    await work().runDue()
    expect(await states()).toEqual(['seeding', 'standing'])
  })

  test('is not there for a site that is not', async ({ expect }) => {
    expect((await list('nowhere')).status).toBe(404)
  })
})
