/** Free periods: the real database and scheduler, a manual clock, and a downloader that shows what it is told to. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, test } from 'vitest'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { createAuditLog } from '../../../workers/app/adapters/d1/audit-log.ts'
import { createFreeEndStore } from '../../../workers/app/adapters/d1/free-ends.ts'
import { serviceJob } from '../../../workers/app/adapters/d1/job-list.ts'
import { createOwnerSettings } from '../../../workers/app/adapters/d1/owner-settings.ts'
import type { PushFacts } from '../../../workers/app/adapters/d1/push-records.ts'
import { consolePrefix } from '../../../workers/app/app.ts'
import type { SettingValue } from '../../../workers/app/contract/owner-settings.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import { freeEndLeadSeconds, freeEndLookSeconds, freeEndNearLookSeconds } from '../../../workers/app/limits.ts'
import { freeStandings } from '../../../workers/app/services/pushes/free-standings.ts'
import {
  type FreeEndDeps,
  isFreeEndWatched,
  watchFreeEnds,
} from '../../../workers/app/services/pushes/watch-free-ends.ts'
import { torrentFixture } from '../../support/torrent-fixture.ts'
import { type Caller, ownerSession, send } from '../../support/workerd/app-client.ts'
import {
  addDownloader,
  clock,
  db,
  downloaders,
  fakeFleet,
  records,
  secrets,
  silent,
  unix,
  workWith,
} from '../../support/workerd/told-sites.ts'
import { withoutAuditLog } from '../../support/workerd/without-audit-log.ts'

const hour = 3600
const settings = createOwnerSettings(db, { clock, secrets })
const audit = createAuditLog(db, clock)
const hashOf = (number: number) => number.toString(16).padStart(40, '0')

let torrents: Map<string, Torrent>
let acted: string[]
let isAway: boolean
let downloaderId = 0

const fleet: FreeEndDeps['fleet'] = {
  find: async (_, infoHashes) =>
    isAway
      ? failWith({ kind: 'downloader.unreachable' })
      : succeed(infoHashes.flatMap((infoHash) => torrents.get(infoHash) ?? [])),
  act: async (_, action, infoHashes) => {
    acted.push(...infoHashes.map((infoHash) => `${action} ${Number.parseInt(infoHash, 16)}`))
    for (const infoHash of infoHashes) {
      const torrent = torrents.get(infoHash)
      if (torrent !== undefined) torrents.set(infoHash, { ...torrent, state: 'paused' })
    }
    return succeed(infoHashes.map((infoHash) => ({ infoHash, success: true })))
  },
}
const deps: FreeEndDeps = {
  clock,
  logger: silent,
  settings,
  store: createFreeEndStore(db, clock),
  downloaders,
  fleet,
  audit,
}

const work = () =>
  workWith(fakeFleet(), {
    freeEnds: { isAny: () => isFreeEndWatched(deps), watch: () => watchFreeEnds(deps) },
    pushes: { follow: async () => ({ isMore: false }), isAnyFollowed: async () => false },
  })
const choose = (value: Partial<SettingValue<'freeEnd'>>) =>
  settings.write('freeEnd', { action: 'pause', unknownEnd: 'ending', ...value })
const jobOf = async () => (await work().runs()).find(({ name }) => name === 'free_end')
const endings = async () =>
  (await env.DB.prepare('select torrent_id, free_ending from push_records order by id').all()).results.map((row) =>
    Object.values(row),
  )
const told = async () =>
  (
    await env.DB.prepare("select facts from notices where type = 'push.free_ending' order by id").all<{
      facts: string
    }>()
  ).results.map(({ facts }) => JSON.parse(facts))

beforeEach(async () => {
  clock.now = unix('2026-11-20T19:00:00Z')
  for (const table of ['push_records', 'jobs', 'downloaders', 'notices', 'channels', 'settings', 'audit_entries'])
    await env.DB.prepare(`delete from ${table}`).run()
  await env.DB.prepare(
    "insert into channels (name, kind, place, sealed_secrets, enabled, events, created_at_unix, updated_at_unix) values ('c', 'webhook', 'http://127.0.0.1:1', '', 1, ',push.free_ending,', 0, 0)",
  ).run()
  torrents = new Map()
  acted = []
  isAway = false
  downloaderId = await addDownloader('nas-1')
})

/** One that stands still, so that it is never complete in time. */
async function pushed(number: number, change: Partial<PushFacts> = {}, shown: Partial<Torrent> = {}): Promise<void> {
  const infoHash = hashOf(number)
  const facts: PushFacts = {
    ...{ site: 'shelf', torrentId: String(number), title: `Torrent ${number}`, sizeBytes: 1000, category: '' },
    ...{ tags: '', free: true, hasHr: false, source: 'app_push', downloader: 'nas-1', downloaderId },
    infoHashes: [infoHash],
    ...change,
  }
  await records.succeeded(await records.begin(facts), facts, infoHash)
  torrents.set(
    infoHash,
    torrentFixture(infoHash, {
      ...{ state: 'downloading', sizeBytes: 1000, progressPercent: 50, downloadBytesPerSecond: 0 },
      ...shown,
    }),
  )
}

describe('what a site shows of them', () => {
  test('each with its outlook, the nearest end first, and downloaders that do not answer by name', async ({
    expect,
  }) => {
    await choose({ action: 'pause' })
    await pushed(1, { freeEndAtUnix: clock.now + 2 * hour, freeLevel: '2XFREE' })
    await pushed(2, { freeEndAtUnix: clock.now + hour }, { downloadBytesPerSecond: 500 })
    await pushed(3, {}, { state: 'paused' })
    await pushed(4, { site: 'bench' })
    await pushed(5, { free: false })

    const { action, items, silent } = await freeStandings(deps, 'shelf')
    expect([action, silent]).toEqual(['pause', []])
    expect(items.map(({ torrentId, outlook, discount }) => [torrentId, outlook, discount])).toEqual([
      ['3', 'held', 'FREE'],
      ['2', 'in_time', 'FREE'],
      ['1', 'too_slow', '2XFREE'],
    ])
    expect(items[2]).toMatchObject({ billedBytes: 500, actsAtUnix: clock.now + 2 * hour - freeEndLeadSeconds })

    clock.now += 2 * hour
    await work().runDue()
    isAway = true
    const later = await freeStandings(deps, 'shelf')
    expect(later.silent).toEqual(['nas-1'])
    expect(later.items.find(({ torrentId }) => torrentId === '1')).toEqual(
      expect.objectContaining({ outlook: 'unknown', ending: 'paused' }),
    )
  })

  test('is asked for by the console', async ({ expect }) => {
    const session = await ownerSession()
    expect((await send('GET', `${consolePrefix}/sites/999/promotions`, session)).status).toBe(404)
  })
})

describe('a torrent that is free', () => {
  test.for(['app_push', 'subscription', 'brush'] as const)(
    'pushed by %s is paused just before its free period ends, and told of twice: when it becomes clear, and then',
    async (source, { expect }) => {
      await choose({ action: 'pause' })
      const endAtUnix = clock.now + 2 * hour
      await pushed(1, { source, freeEndAtUnix: endAtUnix })

      await work().runDue()
      expect([acted, await endings()]).toEqual([[], [['1', 'warned']]])
      clock.now = endAtUnix - freeEndLeadSeconds - 1
      await work().runDue()
      expect(acted).toEqual([])
      clock.now = endAtUnix - freeEndLeadSeconds + freeEndNearLookSeconds
      await work().runDue()

      expect([acted, await endings()]).toEqual([['pause 1'], [['1', 'paused']]])
      expect(await told()).toMatchObject([
        { site: 'shelf', title: 'Torrent 1', reason: { kind: 'push.free_ending', why: 'too_slow', paused: false } },
        { reason: { kind: 'push.free_ending', why: 'over', paused: true } },
      ])
      const { items } = await audit.page(1, 10)
      expect(items).toMatchObject([
        {
          ...{ channel: 'service', command: 'free-end', result: 'ok' },
          reason: { kind: 'push.free_ending', title: 'Torrent 1', paused: true, why: 'over' },
        },
        { reason: { kind: 'push.free_ending', title: 'Torrent 1', paused: false, why: 'too_slow' } },
      ])
      expect(await jobOf()).toBeUndefined()
    },
  )

  test('is warned about once and goes on, where that is what the owner settled', async ({ expect }) => {
    await choose({ action: 'warn' })
    await pushed(1, { freeEndAtUnix: clock.now + hour })

    await work().runDue()
    clock.now += hour
    await work().runDue()

    expect([acted, await endings(), (await told()).length]).toEqual([[], [['1', 'warned']], 1])
  })

  test('is warned about before the owner settled anything', async ({ expect }) => {
    await pushed(1)

    await work().runDue()

    expect([acted, await endings()]).toEqual([[], [['1', 'warned']]])
    expect(await told()).toMatchObject([{ reason: { why: 'unknown', paused: false } }])
  })

  test('is left alone where the owner wants nothing done, and nobody is kept awake', async ({ expect }) => {
    await choose({ action: 'off' })
    await pushed(1, { freeEndAtUnix: clock.now - 1 })

    await work().runDue()

    expect([acted, await endings(), await jobOf()]).toEqual([[], [['1', null]], undefined])
  })

  test.for([
    ['the setting says it ends now', {}, 'ending', ['pause 1']],
    ['the setting says it is open', {}, 'open', []],
    ['its rule says it is open', { unknownEnd: 'open' }, 'ending', []],
    ['its rule says it ends now', { unknownEnd: 'ending' }, 'open', ['pause 1']],
  ] as const)(
    'without a stated end is judged by its rule, then the setting: %s',
    async ([_, facts, unknownEnd, expected], { expect }) => {
      await choose({ unknownEnd })
      await pushed(1, facts)

      await work().runDue()

      expect(acted).toEqual(expected)
    },
  )

  test('that its owner started again is not paused twice', async ({ expect }) => {
    await choose({})
    await pushed(1, { freeEndAtUnix: clock.now })
    await pushed(2, { freeEndAtUnix: clock.now + hour })
    await work().runDue()
    torrents.set(hashOf(1), torrentFixture(hashOf(1), { state: 'downloading' }))
    clock.now += freeEndLookSeconds
    await work().runDue()

    expect(acted).toEqual(['pause 1'])
  })

  test('that is pushed anew is looked after anew', async ({ expect }) => {
    await choose({})
    await pushed(1, { freeEndAtUnix: clock.now })
    await work().runDue()
    await pushed(1, { freeEndAtUnix: clock.now + 1 })
    await work().runDue()

    expect(acted).toEqual(['pause 1', 'pause 1'])
  })
})

describe('a look', () => {
  test('leaves alone what is not free, what is paused already, and what will be complete in time', async ({
    expect,
  }) => {
    await choose({})
    await pushed(1, { free: false })
    await pushed(2, {}, { state: 'paused' })
    await pushed(3, { freeEndAtUnix: clock.now + 60 }, { downloadBytesPerSecond: 100 })

    await work().runDue()

    expect(acted).toEqual([])
    expect((await jobOf())?.dueAtUnix).toBe(clock.now + freeEndNearLookSeconds)
  })

  test('comes again when a downloader is away, says why, and then does what is due', async ({ expect }) => {
    await choose({})
    await pushed(1, { freeEndAtUnix: clock.now })
    isAway = true
    await work().runDue()

    expect(await jobOf()).toMatchObject({
      ...{ lastOk: false, dueAtUnix: clock.now + freeEndNearLookSeconds },
      lastReason: { kind: 'several', of: [{ name: 'nas-1' }] },
    })
    isAway = false
    clock.now += freeEndLookSeconds
    await work().runDue()
    expect(acted).toEqual(['pause 1'])
  })

  test('that cannot be written down is let go on, says why, and is looked after then', async ({ expect }) => {
    await choose({})
    await pushed(1, { freeEndAtUnix: clock.now })

    await withoutAuditLog(() => work().runDue())

    expect([acted, await jobOf()]).toMatchObject([
      [],
      { lastReason: { kind: 'several', of: [{ name: 'nas-1', reason: { kind: 'audit_unavailable' } }] } },
    ])
    clock.now += freeEndLookSeconds
    await work().runDue()
    expect(acted).toEqual(['pause 1'])
  })

  test('that was cut off is made up for', async ({ expect }) => {
    await choose({})
    await pushed(1, { freeEndAtUnix: clock.now })
    await env.DB.prepare(
      "insert into jobs (scope, name, due_at_unix, lease_until_unix) values ('service', 'free_end', ?, ?)",
    )
      .bind(clock.now - 60, clock.now - 1)
      .run()

    await work().runDue()

    expect(acted).toEqual(['pause 1'])
    expect(await work().runSoon(serviceJob('free_end'))).toBe(false)
  })
})

describe('the setting', () => {
  const path = `${consolePrefix}/settings/free-end`
  let session: Caller

  beforeAll(async () => {
    session = await ownerSession()
  })

  test('is to be told, and to take an untold end for one that is now, until the owner chooses', async ({ expect }) => {
    const first = await send('GET', path, session)
    const chosen = await send('PUT', path, session, { json: { action: 'pause', unknown_end: 'open' } })
    const then = await send('GET', path, session)

    expect(first.body).toEqual({ action: 'warn', unknown_end: 'ending' })
    expect(chosen.body).toEqual({ action: 'pause', unknown_end: 'open' })
    expect(then.body).toEqual(chosen.body)
  })

  test.for([
    ['another action', { action: 'delete', unknown_end: 'open' }],
    ['another end', { action: 'off', unknown_end: 'never' }],
    ['half of it', { action: 'off' }],
    ['more', { action: 'off', unknown_end: 'open', more: 1 }],
  ])('is not %s', async ([_, json], { expect }) => {
    const answer = await send('PUT', path, session, { json: json as object })

    expect([answer.status, (await settings.read('freeEnd')).revision]).toEqual([400, 0])
  })
})
