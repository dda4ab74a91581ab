/** A plan for a level: made of what sites and downloaders tell, carried out step by step after one yes, and taken up after a crash. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { createSitePlanStore } from '../../../workers/app/adapters/d1/site-plans.ts'
import { createTorrentEndStore } from '../../../workers/app/adapters/d1/torrent-ends.ts'
import { appPrefix } from '../../../workers/app/app.ts'
import type { SiteRules } from '../../../workers/app/contract/site-rules.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import {
  sitePlanAttemptsMax,
  sitePlanFreeSeconds,
  sitePlanLookSeconds,
  sitePlanRetrySeconds,
  sitePlanStepSeconds,
  sitePlanStepsPerLook,
  sitePlansKept,
  sitePlanYesSeconds,
} from '../../../workers/app/limits.ts'
import type { PushOutcome, PushService } from '../../../workers/app/ports/pushes.ts'
import type { SitePlan } from '../../../workers/app/ports/site-plans.ts'
import type { SiteEntry } from '../../../workers/app/ports/sites.ts'
import { createSitePlans, runSitePlans, type SitePlanDeps } from '../../../workers/app/services/sites/site-plans.ts'
import { torrentFixture } from '../../support/torrent-fixture.ts'
import { unwrap } from '../../support/unwrap.ts'
import { auditRows, makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'
import {
  addDownloader,
  addSite,
  clock,
  db,
  downloaders,
  figures,
  idle,
  shanghai,
  store,
} from '../../support/workerd/told-sites.ts'

const gib = 1024 ** 3
const levels: NonNullable<SiteRules['levels']> = [
  { name: 'User' },
  { name: 'Power User', seeding: 30, seeding_size: 400 * gib },
]
const plans = createSitePlanStore(db, clock)

let site: SiteEntry
let held: Torrent[]
let rows: Record<string, unknown>[]
let deeds: string[]
let searches: number
let isDown: boolean
let pushes: (order: string) => Promise<PushOutcome>

const deps: SitePlanDeps = {
  ...{ clock, store: plans, records: createTorrentEndStore(db, clock), locale: shanghai, sites: store, figures },
  rulesOf: () => ({ levels }),
  downloaders,
  fleet: {
    status: async () => succeed(idle),
    async select() {
      if (isDown) return failWith({ kind: 'downloader.unreachable' })
      return succeed({ torrents: held, total: held.length, totalBytes: 0, counts: { states: {}, conditions: {} } })
    },
    async act(_, action, hashes) {
      deeds.push(`${action} ${hashes.map((hash) => hash.slice(0, 2)).join()}`)
      if (isDown) return failWith({ kind: 'downloader.unreachable' })
      return succeed(hashes.map((infoHash) => ({ infoHash, success: held.some((one) => one.infoHash === infoHash) })))
    },
  },
  siteFleet: {
    async search() {
      searches += 1
      return succeed({
        count: rows.length,
        json: new TextEncoder().encode(rows.map((row) => `,${JSON.stringify(row)}`).join('')),
      })
    },
  },
  pushService: {
    async push(_, { name }, { torrentId, source }) {
      deeds.push(`push ${torrentId} ${source} ${name}`)
      return succeed(await pushes(torrentId))
    },
  } satisfies PushService,
}
const service = createSitePlans({ ...deps, plan: async () => undefined, wake: async () => undefined })
const states = (plan: SitePlan | undefined) => plan?.steps.map(({ state }) => state)

function hold(digit: string, sizeGib: number, change: Partial<Torrent> = {}): void {
  held.push(
    torrentFixture(digit.repeat(40), {
      ...{ title: `Film.${digit}`, sizeBytes: sizeGib * gib, progressPercent: 100, state: 'paused' },
      ...{ tracker: 'tracker.shelf.example', ...change },
    }),
  )
}
function offer(torrent_id: string, sizeGib: number, change: Record<string, unknown> = {}): void {
  const free = { discount: 'FREE', free: true, discount_end_at: clock.now + 2 * 86_400 }
  const figuresOf = { size: sizeGib * gib, seeders: 3, leechers: 0 }
  rows.push({ site: 'shelf', torrent_id, title: `Free.${torrent_id}`, ...figuresOf, ...free, has_hr: false, ...change })
}
const has = (change: Record<string, unknown> = {}) =>
  figures.noteReading(
    site.record.id,
    { user: { username: 'walker', level: 'User', seeding: 26, seedingSizeBytes: 300 * gib, ...change } },
    '2026-11-20',
    clock.now,
  )
const made = async () => unwrap(await service.make(site))
const run = () => runSitePlans(deps)
const after = async (seconds: number) => {
  clock.now += seconds
  return run()
}

const session = await ownerSession()
beforeEach(async () => {
  for (const table of ['sites', 'site_users', 'site_snapshots', 'jobs', 'downloaders', 'site_plans', 'push_records'])
    await env.DB.prepare(`delete from ${table}`).run()
  clock.now = Math.floor(Date.now() / 1000)
  await addSite('shelf', { baseUrl: 'http://shelf.example', autoSignIn: false })
  await addDownloader('nas-1')
  const entry = await store.find('shelf')
  if (entry === undefined) throw new Error('no site')
  site = entry
  ;[held, rows, deeds, searches, isDown] = [[], [], [], 0, false]
  pushes = async () => ({ kind: 'pushed', infoHash: 'f'.repeat(40) })
  await has()
})

describe('a plan', () => {
  test('is simulated from what lies idle and what stays free, and nothing happens before its yes', async ({
    expect,
  }) => {
    hold('1', 50)
    hold('2', 20, { state: 'stopped' })
    hold('3', 10, { state: 'seeding' })
    hold('4', 90, { progressPercent: 99 })
    hold('5', 90, { tracker: 'tracker.other.example' })
    offer('7', 25)
    offer('8', 400, { discount_end_at: clock.now + sitePlanFreeSeconds - 1 })
    offer('9', 400, { discount: 'PERCENT_50' })
    offer('10', 400, { has_hr: true })
    offer('11', 400, { discount_end_at: undefined })
    offer('12', 0, { unknown: ['size'] })
    offer('13', 30, { discount_end_at: clock.now + sitePlanFreeSeconds })

    const plan = await made()
    await run()

    expect(plan.steps.map(({ kind, title, state }) => [kind, title, state])).toEqual([
      ['seed', 'Film.1', 'waiting'],
      ['seed', 'Film.2', 'waiting'],
      ['push', 'Free.13', 'waiting'],
      ['push', 'Free.7', 'waiting'],
    ])
    expect(plan).toMatchObject({
      state: 'proposed',
      level: 'Power User',
      kept: { count: 1, bytes: 10 * gib },
      unread: [],
    })
    expect(plan.atUnix).toBeUndefined()
    expect(plan.plannedAtUnix).toBe(clock.now + 86_400)
    expect([deeds, searches]).toEqual([[], 1])
  })

  test('after one yes starts and pushes exactly what was shown, a few steps a look, and keeps its torrents', async ({
    expect,
  }) => {
    for (const digit of '123') hold(digit, 10)
    for (const id of ['7', '8', '9']) offer(id, 30)
    const { id } = await made()
    hold('4', 500)
    unwrap(await service.carryOut(id))
    expect(await plans.kept()).toEqual({
      sites: new Set(['shelf']),
      infoHashes: new Set(['1', '2', '3'].map((digit) => digit.repeat(40))),
    })

    expect((await run()).dueAtUnix).toBe(clock.now + sitePlanStepSeconds)
    expect(deeds).toHaveLength(sitePlanStepsPerLook)
    expect((await run()).dueAtUnix).toBe(clock.now + sitePlanLookSeconds)

    expect(deeds).toEqual([
      ...['resume 11', 'resume 22', 'resume 33'],
      ...['7', '8', '9'].map((torrent) => `push ${torrent} free_download nas-1`),
    ])
    expect(states(await service.current(site.record.id))).toEqual(Array(6).fill('done'))
    await after(sitePlanLookSeconds)
    expect(deeds).toHaveLength(6)
  })

  test('that was cut off in a step takes it again, and nothing else twice', async ({ expect }) => {
    hold('1', 60)
    offer('7', 50)
    const { id } = await made()
    unwrap(await service.carryOut(id))
    pushes = () => Promise.reject(new Error('killed'))
    await expect(run()).rejects.toThrow('killed')
    expect(states(await plans.find(id))).toEqual(['done', 'begun'])
    pushes = async () => ({ kind: 'skipped', infoHash: 'f'.repeat(40) })
    await run()
    expect(states(await plans.find(id))).toEqual(['done', 'done'])
    expect(deeds).toEqual(['resume 11', 'push 7 free_download nas-1', 'push 7 free_download nas-1'])
  })

  test('pushes nothing that is free no more, and says what a gate said', async ({ expect }) => {
    for (const id of ['7', '8']) offer(id, 60)
    const { id } = await made()
    unwrap(await service.carryOut(id))
    rows = rows.filter(({ torrent_id }) => torrent_id === '8')
    const full = { kind: 'push.capacity_full', seeding: 1, size: 2, limit: 2 } as const
    pushes = async () => ({ kind: 'stopped', infoHash: 'f'.repeat(40), reason: full })
    await run()
    const plan = await plans.find(id)
    expect(plan?.steps.map(({ state, reason }) => [state, reason])).toEqual([
      ['failed', { kind: 'plan.not_free' }],
      ['failed', full],
    ])
    expect(deeds).toEqual(['push 8 free_download nas-1'])
  })

  test('tries a downloader that is away so many times, and no more', async ({ expect }) => {
    hold('1', 100)
    const { id } = await made()
    unwrap(await service.carryOut(id))
    isDown = true
    for (let at = 1; at < sitePlanAttemptsMax; at++) {
      expect((await run()).dueAtUnix).toBe(clock.now + sitePlanRetrySeconds)
      expect(states(await plans.find(id))).toEqual(['waiting'])
    }
    await run()
    expect((await plans.find(id))?.steps).toMatchObject([
      { state: 'failed', reason: { kind: 'downloader.unreachable' }, attempts: sitePlanAttemptsMax },
    ])
    await run()
    expect(deeds).toHaveLength(sitePlanAttemptsMax)
  })

  test('stops at the owner’s word, and ends when its level is there', async ({ expect }) => {
    hold('1', 100)
    const first = await made()
    unwrap(await service.carryOut(first.id))
    expect(unwrap(await service.stop(first.id)).state).toBe('stopped')
    expect((await run()).dueAtUnix).toBeUndefined()
    expect(deeds).toEqual([])

    const second = await made()
    unwrap(await service.carryOut(second.id))
    await has({ level: 'Power User' })
    expect((await run()).dueAtUnix).toBeUndefined()
    expect(await plans.find(second.id)).toMatchObject({ state: 'reached', endedAtUnix: clock.now })
    expect(await plans.kept()).toEqual({ sites: new Set(), infoHashes: new Set() })
  })

  test('waits so long for its yes, gives way to a newer one, and is one at a time', async ({ expect }) => {
    hold('1', 100)
    const first = await made()
    clock.now += sitePlanYesSeconds - 1
    expect((await service.carryOut(first.id)).ok).toBe(true)
    const second = await made()
    expect((await service.current(site.record.id))?.id).toBe(first.id)
    unwrap(await service.carryOut(second.id))
    expect(await plans.find(first.id)).toMatchObject({ state: 'replaced' })
    expect(await service.carryOut(first.id)).toEqual(failWith({ kind: 'plan.over' }))
    unwrap(await service.stop(second.id))

    const third = await made()
    clock.now += sitePlanYesSeconds
    expect(await service.carryOut(third.id)).toEqual(failWith({ kind: 'plan.too_old' }))
    expect((await service.current(site.record.id))?.id).toBe(second.id)
  })

  test('is kept with so many before it, and none of a site that is gone', async ({ expect }) => {
    hold('1', 100)
    for (let at = 0; at < sitePlansKept + 2; at++) unwrap(await service.carryOut((await made()).id))
    const count = () => env.DB.prepare('select count(*) as n from site_plans').first<{ n: number }>()
    expect((await count())?.n).toBe(sitePlansKept)
    await store.remove(site.record.id)
    expect((await run()).dueAtUnix).toBeUndefined()
    expect(await plans.running()).toEqual([])
  })

  test.for([
    ['plan.highest', { level: 'Power User' }],
    ['plan.level_unknown', { level: 'Emperor' }],
  ] as const)('is none, and says why: %s', async ([kind, change], { expect }) => {
    await has(change)
    expect(await service.make(site)).toEqual(failWith({ kind }))
  })

  test('is none before the account was read, and tells which downloader it could not read', async ({ expect }) => {
    isDown = true
    expect((await made()).unread).toEqual([{ name: 'nas-1', reason: { kind: 'downloader.unreachable' } }])
    await env.DB.prepare('delete from site_users').run()
    expect(await service.make(site)).toEqual(failWith({ kind: 'plan.no_figures' }))
  })
})

describe('over the interface', () => {
  const at = (path: string) => `${appPrefix}/sites/${path}`

  test('is made by who may read, and carried out by who may operate, which is written down', async ({ expect }) => {
    const reader = (await makeToken(session, ['app:read'])).caller
    // The definition of this site says nothing of levels.
    const answer = await send('POST', at('shelf/plan'), reader, { json: {} })
    expect([answer.status, answer.body.reason]).toEqual([200, { kind: 'plan.no_levels' }])
    hold('1', 100)
    const plan = await made()
    expect((await send('GET', at('shelf/plan'), reader)).body.plan).toMatchObject({
      ...{ id: plan.id, state: 'proposed', level: 'Power User', keeps: { count: 0, size: 0 } },
      steps: [{ kind: 'seed', downloader: 'nas-1', info_hash: '1'.repeat(40), state: 'waiting' }],
    })
    const path = at(`shelf/plan/${plan.id}/carry-out`)
    expect((await send('POST', path, reader, { json: {} })).status).toBe(403)
    const both = (await makeToken(session, ['app:read', 'app:write'])).caller
    expect((await send('POST', path, both, { json: {} })).body).toMatchObject({ id: plan.id, state: 'running' })
    expect((await auditRows()).some(({ command }) => command.endsWith('/plan/{plan_id}/carry-out'))).toBe(true)
    expect((await send('POST', at(`shelf/plan/${plan.id}/stop`), both, { json: {} })).body.state).toBe('stopped')
    expect((await send('POST', path, both, { json: {} })).body).toMatchObject({
      ...{ error: 'busy', reason: { kind: 'plan.over' } },
    })
  })

  test('is found below its own site alone', async ({ expect }) => {
    await addSite('attic', { autoSignIn: false })
    hold('1', 100)
    const plan = await made()
    for (const path of [`attic/plan/${plan.id}/carry-out`, `shelf/plan/${plan.id + 1}/stop`, 'nowhere/plan']) {
      const answer = await send('POST', at(path), session, { json: {} })
      expect([path, answer.status, answer.body.error]).toEqual([path, 404, 'not_found'])
    }
  })
})
