/** Runs of brush tasks: the real database and scheduler, a manual clock, a site and a downloader that do as they are told. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { serviceJob } from '../../../workers/app/adapters/d1/job-list.ts'
import type { BrushRules, RemovalRules } from '../../../workers/app/core/brush/brush-rules.ts'
import {
  brushAttemptsMax,
  brushEndedMax,
  brushFailuresTold,
  brushLeftShown,
  brushMinutesMin,
  brushPushSeconds,
  brushTasksMax,
  jobLeaseSeconds,
  lostPushSeconds,
} from '../../../workers/app/limits.ts'
import {
  addTask,
  type BrushWorld,
  brush,
  brushWorld,
  gib,
  hashOf,
  hit,
  hour,
  moves,
  rules,
  statusesOf,
  taskOf,
} from '../../support/workerd/told-brush.ts'
import { clock, downloaders, records, removeSites, settle, store, unix } from '../../support/workerd/told-sites.ts'

let world: BrushWorld

beforeEach(async () => {
  clock.now = unix('2026-11-20T19:00:00Z')
  await removeSites()
  world = await brushWorld()
})

/** The next run of its tasks, after so many minutes. */
async function runAfter(minutes = 10): Promise<void> {
  clock.now += minutes * 60
  await settle(world.work())
}

const withRules = (change: { [Part in keyof BrushRules]?: Partial<BrushRules[Part]> }): BrushRules => ({
  pick: { ...rules.pick, ...change.pick },
  bounds: { ...rules.bounds, ...change.bounds },
  removal: { ...rules.removal, ...change.removal },
})
const complete = { progressPercent: 100, state: 'seeding' } as const
const jobOfSite = async () => (await world.work().runs()).find(({ name }) => name === 'brush')
const noticesOf = async (type: string) => {
  const { results } = await env.DB.prepare('select facts from notices where type = ?')
    .bind(type)
    .all<{ facts: string }>()
  return results.map(({ facts }) => JSON.parse(facts))
}
async function openChannel(): Promise<void> {
  await env.DB.prepare(
    "insert into channels (name, kind, place, sealed_secrets, enabled, events, created_at_unix, updated_at_unix) values ('c', 'webhook', 'http://127.0.0.1:1', '', 1, ',brush.removed,brush.failed,', 0, 0)",
  ).run()
}

describe('a run', () => {
  test('takes what is worth it, so that a person sees whose it is, and not twice', async ({ expect }) => {
    world.newest = [hit(1), hit(2, { discount: 'NONE' }), hit(3, { hasHr: true }), hit(4)]
    const id = await addTask(world)

    await runAfter(0)
    await runAfter()

    expect(world.fleet.asked.filter((one) => one.startsWith('search'))).toEqual(['search shelf', 'search shelf'])
    expect(world.pushes).toEqual(['1', '4'])
    expect(await taskOf(id)).toMatchObject({
      site: 'shelf',
      siteEnabled: true,
      downloader: 'nas-1',
      active: 2,
      downloading: 2,
      activeBytes: 20 * gib,
      today: { uploadedBytes: 0, downloadedBytes: 0, added: 2, removed: 0 },
      total: { uploadedBytes: 0, downloadedBytes: 0, added: 2, removed: 0 },
      dueAtUnix: clock.now + 600,
      lastFinishedAtUnix: clock.now,
    })
    const { items } = await records.page({ pushedOnly: true }, 1, 10)
    expect(items.map(({ source, category, tags }) => [source, category, tags])).toEqual([
      ['brush', 'brush', 'free ones'],
      ['brush', 'brush', 'free ones'],
    ])
    expect(await jobOfSite()).toMatchObject({ subjectId: world.siteId, lastOk: true, dueAtUnix: clock.now + 600 })
    const { results } = await env.DB.prepare('select clauses from brush_torrents').all<{ clauses: string }>()
    expect(results.map(({ clauses }) => JSON.parse(clauses))).toEqual(
      [1, 4].map(() =>
        expect.arrayContaining([
          expect.objectContaining({ asked: expect.objectContaining({ field: 'promotion' }), state: 'met' }),
        ]),
      ),
    )
  })

  test('tells what it saw and did not take, with the clause that was against it', async ({ expect }) => {
    const id = await addTask(world, { rules: withRules({ bounds: { ...rules.bounds, new_per_run_max: 1 } }) })
    expect(await brush.lastLook(id)).toBeUndefined()
    world.newest = [hit(1), hit(2, { discount: 'NONE' }), hit(3), hit(4, { hasHr: true, discount: 'NONE' })]
    await runAfter(0)
    const first = await brush.lastLook(id)
    const atUnix = clock.now
    await runAfter()
    const second = await brush.lastLook(id)
    await brush.remove(id)

    const asked = { field: 'promotion', op: 'is_any', value: ['FREE', '2XFREE'] }
    const billed = { asked, state: 'unmet', found: 'NONE', from: 'list' }
    expect(first).toMatchObject({
      atUnix,
      seen: 4,
      known: 0,
      isFull: false,
      left: [
        { torrentId: '3', why: 'bounds' },
        {
          torrentId: '2',
          title: 'Torrent 2',
          sizeBytes: 10 * gib,
          why: 'rules',
          clauses: expect.arrayContaining([billed]),
        },
        { torrentId: '4', why: 'rules' },
      ],
    })
    expect(second).toMatchObject({
      atUnix: clock.now,
      seen: 4,
      known: 1,
      left: [{ torrentId: '2' }, { torrentId: '4' }],
    })
    expect(await brush.lastLook(id)).toBe(false)
    expect(await env.DB.prepare('select count(*) as many from brush_looks').first('many')).toBe(0)
  })

  test('says that it did not look while it has no place', async ({ expect }) => {
    const id = await addTask(world, { rules: withRules({ bounds: { ...rules.bounds, active_max: 1 } }) })
    world.newest = [hit(1), hit(2)]
    await runAfter(0)
    await runAfter()

    expect(await brush.lastLook(id)).toEqual({ atUnix: clock.now, seen: 0, known: 0, isFull: true, left: [] })
  })

  test.for([brushLeftShown, brushLeftShown + 1])(
    'keeps of %i that were left as many as the bound',
    async (many, { expect }) => {
      const id = await addTask(world)
      world.newest = Array.from({ length: many }, (_, index) => hit(index + 1, { discount: 'NONE' }))
      await runAfter(0)

      const look = await brush.lastLook(id)

      expect(look && [look.seen, look.left.length]).toEqual([many, brushLeftShown])
    },
  )

  test('keeps every bound over all its runs', async ({ expect }) => {
    world.newest = Array.from({ length: 20 }, (_, index) => hit(index + 1))
    const bounds = { active_max: 6, downloading_max: 3, active_gib_max: 45, new_per_run_max: 2 }
    const id = await addTask(world, { rules: withRules({ bounds }) })
    const seen: unknown[] = []
    await runAfter(0)
    for (const number of [undefined, 1, 2, undefined]) {
      const { active, downloading, activeBytes } = await taskOf(id)
      seen.push([active, downloading, activeBytes / gib])
      if (number !== undefined) moves(world, number, complete)
      await runAfter()
    }

    expect(seen).toEqual([
      [2, 2, 20],
      [3, 3, 30],
      [4, 3, 40],
      [4, 2, 40],
    ])
  })

  test('counts what was moved by the day, and nothing for counters that fell', async ({ expect }) => {
    clock.now = unix('2026-11-20T15:30:00Z')
    world.newest = [hit(1)]
    const id = await addTask(world)
    await runAfter(0)
    moves(world, 1, { uploadedBytes: 300, downloadedBytes: 100 })
    await runAfter()
    const before = await taskOf(id)
    // Midnight in the service's zone lies in between.
    moves(world, 1, { uploadedBytes: 700, downloadedBytes: 100 })
    await runAfter(30)
    moves(world, 1, { uploadedBytes: 50, downloadedBytes: 0 })
    await runAfter()
    moves(world, 1, { uploadedBytes: 60 })
    await runAfter()
    const after = await taskOf(id)
    clock.now += 24 * hour

    expect(before.today).toEqual({ uploadedBytes: 300, downloadedBytes: 100, added: 1, removed: 0 })
    expect(after.today).toEqual({ uploadedBytes: 410, downloadedBytes: 0, added: 0, removed: 0 })
    expect(after.total).toEqual({ uploadedBytes: 710, downloadedBytes: 100, added: 1, removed: 0 })
    expect((await taskOf(id)).today).toEqual({ uploadedBytes: 0, downloadedBytes: 0, added: 0, removed: 0 })
  })

  test.for<[string, Partial<RemovalRules>, Parameters<typeof moves>[2], number]>([
    ['seeding', { seeding_hours: 1 }, complete, 70],
    ['ratio', { ratio: 1.5 }, { ...complete, uploadedBytes: 15 * gib }, 10],
    ['uploaded', { uploaded_gib: 3 }, { uploadedBytes: 3 * gib }, 10],
    ['idle', { idle_hours: 0.5 }, complete, 40],
    ['free_over', { free_over: true }, {}, 120],
    ['incomplete', { incomplete_hours: 2 }, {}, 120],
  ])('removes with its files by the rule %s, and tells it', async ([reason, removal, change, minutes], { expect }) => {
    await openChannel()
    world.newest = [hit(1, { discountEndAtUnix: clock.now + 2 * hour })]
    const id = await addTask(world, { rules: withRules({ removal }) })
    await runAfter(0)
    moves(world, 1, change)
    await runAfter()
    await runAfter(minutes - 10)
    world.newest = [hit(1)]
    await runAfter()

    expect(world.deleted).toEqual([hashOf(1)])
    const task = await taskOf(id)
    expect(task).toMatchObject({ active: 0, downloading: 0, activeBytes: 0 })
    expect(task.total).toMatchObject({ added: 1, removed: 1, uploadedBytes: change.uploadedBytes ?? 0 })
    expect(await brush.torrents(id)).toMatchObject([{ torrentId: '1', status: 'removed', reason }])
    expect(await noticesOf('brush.removed')).toMatchObject([
      { task: 'free ones', site: 'shelf', items: [{ title: 'Torrent 1' }] },
    ])
    // What was removed is not fresh any more.
    expect(world.pushes).toEqual(['1'])
  })

  test('never removes what a person wants too, nor what is not its own', async ({ expect }) => {
    world.newest = [hit(1), hit(2), hit(3)]
    moves(world, 3, {})
    const id = await addTask(world, { rules: withRules({ removal: { incomplete_hours: 1 } }) })
    await runAfter(0)
    // The push of somebody who found it there.
    await records.claimed(world.downloaderId, hashOf(2), 'subscription')
    await runAfter(90)

    expect(world.deleted).toEqual([hashOf(1)])
    expect(await statusesOf(id)).toEqual({ 1: 'removed', 2: 'released', 3: 'skipped' })
    expect([...world.torrents.keys()]).toEqual([hashOf(3), hashOf(2)])
    expect((await taskOf(id)).total).toMatchObject({ added: 2, removed: 1 })
  })

  test('lets go of one that a person removed, once that is sure', async ({ expect }) => {
    world.newest = [hit(1)]
    const id = await addTask(world, { everyMinutes: 5 })
    await runAfter(0)
    world.torrents.clear()
    await runAfter(5)
    const first = await statusesOf(id)
    clock.now += lostPushSeconds
    await runAfter(5)

    expect([first, await statusesOf(id)]).toEqual([{ 1: 'active' }, { 1: 'gone' }])
    expect((await taskOf(id)).total).toMatchObject({ added: 1, removed: 0 })
  })
})

describe('a run that fails', () => {
  test('says why, and after several in a row it is told once', async ({ expect }) => {
    await openChannel()
    const id = await addTask(world)
    world.fleet.port = { ...world.fleet.port, search: async () => failWith({ kind: 'login_expired' }) }
    for (let run = 0; run <= brushFailuresTold; run += 1) await runAfter()

    expect((await taskOf(id)).lastReason).toEqual({ kind: 'site.login_expired' })
    expect(await jobOfSite()).toMatchObject({ lastOk: false, lastReason: { kind: 'site.login_expired' } })
    expect(await noticesOf('brush.failed')).toMatchObject([{ task: 'free ones', failures: brushFailuresTold }])
  })

  test('because the downloader is away takes nothing, and removes later', async ({ expect }) => {
    world.newest = [hit(1)]
    const id = await addTask(world, { rules: withRules({ removal: { incomplete_hours: 1 } }) })
    await runAfter(0)
    world.newest = [hit(1), hit(2)]
    world.isAway = { kind: 'downloader.unreachable' }
    await runAfter(90)
    const away = [await statusesOf(id), (await taskOf(id)).lastReason, world.pushes.length]
    world.isAway = undefined
    await runAfter()

    expect(away).toEqual([{ 1: 'active' }, { kind: 'downloader.unreachable' }, 1])
    expect(await statusesOf(id)).toEqual({ 1: 'removed', 2: 'active' })
    expect((await taskOf(id)).lastReason).toBeUndefined()
  })

  test('over one torrent goes on with the next, and tries the one a few times', async ({ expect }) => {
    world.newest = [hit(1), hit(2)]
    world.midPush = async ({ torrentId }) =>
      torrentId === '1'
        ? succeed({ kind: 'stopped', infoHash: hashOf(1), reason: { kind: 'push.space_unread' } })
        : undefined
    const id = await addTask(world)
    for (let run = 0; run < brushAttemptsMax + 2; run += 1) await runAfter()

    expect(world.pushes.filter((one) => one === '1')).toHaveLength(brushAttemptsMax)
    expect(await statusesOf(id)).toEqual({ 1: 'failed', 2: 'active' })
    expect(await taskOf(id)).toMatchObject({ active: 1, total: { added: 1 } })
  })

  test('for want of a downloader says so', async ({ expect }) => {
    const id = await addTask(world)
    await downloaders.remove(world.downloaderId)
    await runAfter()

    expect(await taskOf(id)).toMatchObject({ downloader: '', lastReason: { kind: 'none', what: 'downloader_usable' } })
  })
})

describe('a run that is cut off', () => {
  test('in the middle of a push is made up for, without a second torrent', async ({ expect }) => {
    world.newest = [hit(1)]
    const id = await addTask(world)
    // The downloader takes it, and nobody hears of it any more.
    world.midPush = async () => {
      moves(world, 1, {})
      throw new Error('evicted')
    }
    await runAfter(0)
    const cutOff = await statusesOf(id)
    world.midPush = async () => undefined
    // The scheduler finds out what came of it, and the next run goes by that.
    clock.now += jobLeaseSeconds + 1800 * 2
    await world.work().runSoon(serviceJob('tasks'))
    await env.DB.prepare(
      "insert into jobs (scope, name, due_at_unix) values ('service', 'tasks', 0) on conflict do nothing",
    ).run()
    await settle(world.work())
    await runAfter()

    expect([cutOff, await statusesOf(id)]).toEqual([{ 1: 'taking' }, { 1: 'active' }])
    expect(world.pushes).toEqual(['1'])
    expect((await taskOf(id)).total).toMatchObject({ added: 1 })
  })

  test('before anything was sent gives its place back', async ({ expect }) => {
    world.newest = [hit(1)]
    const id = await addTask(world)
    world.midPush = async () => failWith({ kind: 'interrupted' })
    await runAfter(0)
    await env.DB.prepare('update push_records set started_at_unix = null').run()
    const waiting = await taskOf(id)
    clock.now += brushPushSeconds
    world.newest = []
    await runAfter()

    expect(waiting).toMatchObject({ active: 1, total: { added: 0 } })
    expect(await statusesOf(id)).toEqual({ 1: 'failed' })
    expect(await taskOf(id)).toMatchObject({ active: 0, total: { added: 0 } })
  })

  test('by another one takes, removes and counts nothing more', async ({ expect }) => {
    world.newest = [hit(1), hit(2), hit(3)]
    const bounds = { ...rules.bounds, active_max: 2 }
    const id = await addTask(world, { rules: withRules({ bounds }) })
    let isFirst = true
    // A second alarm, while the first run is in its first push and taken for cut off.
    world.midPush = async () => {
      if (!isFirst) return undefined
      isFirst = false
      clock.now += brushMinutesMin * 60
      await settle(world.work())
      return undefined
    }
    await runAfter(0)
    moves(world, 1, { uploadedBytes: 500 })
    await runAfter()

    expect([...world.pushes].sort()).toEqual(['1', '2'])
    expect(await taskOf(id)).toMatchObject({ active: 2, total: { added: 2, uploadedBytes: 500 } })
  })
})

describe('what a task needs', () => {
  test('is planned with it, and not without', async ({ expect }) => {
    const id = await addTask(world, { enabled: false })
    expect(await jobOfSite()).toBeUndefined()
    expect(await brush.runSoon(id)).toBe(false)

    const change = { name: 'free ones', siteId: world.siteId, downloaderId: 0, everyMinutes: 10, rules }
    await brush.update(id, { ...change, enabled: true })
    await runAfter(0)
    expect(await jobOfSite()).toMatchObject({ dueAtUnix: clock.now + 600 })
    expect(await brush.runSoon(id)).toBe(true)
    expect(await jobOfSite()).toMatchObject({ dueAtUnix: clock.now })
    await brush.remove(id)
    await runAfter(0)
    expect(await jobOfSite()).toBeUndefined()
    expect(await brush.torrents(id)).toBeUndefined()
  })

  test('goes on for what it holds when its site is switched off or gone', async ({ expect }) => {
    world.newest = [hit(1), hit(2)]
    const bounds = { ...rules.bounds, new_per_run_max: 1 }
    const id = await addTask(world, { rules: withRules({ bounds, removal: { incomplete_hours: 1 } }) })
    await runAfter(0)
    await env.DB.prepare('update sites set enabled = 0').run()
    await world.work().plan(world.siteId)
    await runAfter(30)
    const off = await taskOf(id)
    await store.remove(world.siteId)
    await world.work().plan(world.siteId)
    await runAfter(60)

    expect(off).toMatchObject({ site: 'shelf', siteEnabled: false, active: 1 })
    expect(await taskOf(id)).toMatchObject({ site: 'shelf', siteEnabled: false, active: 0, total: { removed: 1 } })
    expect(world.pushes).toEqual(['1'])
  })

  test('is bounded: tasks, and what is remembered of torrents that are over', async ({ expect }) => {
    const ids = []
    for (let number = 0; number < brushTasksMax; number += 1)
      ids.push(await addTask(world, { name: `task ${number}`, enabled: false }))
    expect(
      await brush.add({
        name: 'one more',
        enabled: false,
        siteId: world.siteId,
        downloaderId: 0,
        everyMinutes: 5,
        rules,
      }),
    ).toEqual(failWith('too_many'))
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${brushEndedMax + 1})
       insert into brush_torrents (task_id, site, torrent_id, title, downloader_id, status, size_bytes, taken_at_unix, last_upload_at_unix, ended_at_unix)
       select ${ids[0]}, 'shelf', 'old' || i, '', 1, 'gone', 1, 1, 1, 1 from n`,
    ).run()
    await brush.remove(ids.at(-1) ?? 0)
    await addTask(world, { name: 'the one that runs' })
    await runAfter(0)

    const { results } = await env.DB.prepare(
      'select count(*) as many, min(torrent_id) as first from brush_torrents',
    ).all()
    expect(results).toEqual([{ many: brushEndedMax, first: 'old10' }])
  })
})
