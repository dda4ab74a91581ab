/** Rules about the ends of torrents, through the console and the job: what is due, what is ended, and why. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { createAuditLog } from '../../../workers/app/adapters/d1/audit-log.ts'
import { createEndRules } from '../../../workers/app/adapters/d1/end-rules.ts'
import { createOwnerSettings } from '../../../workers/app/adapters/d1/owner-settings.ts'
import { createTorrentEndStore } from '../../../workers/app/adapters/d1/torrent-ends.ts'
import { createTorrentHistory } from '../../../workers/app/adapters/d1/torrent-history.ts'
import { consolePrefix } from '../../../workers/app/app.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import { endLookSeconds, endRulesMax, endsPerLookMax } from '../../../workers/app/limits.ts'
import { areEndsWatched, type EndDeps, watchEnds } from '../../../workers/app/services/ends/watch-ends.ts'
import { torrentFixture } from '../../support/torrent-fixture.ts'
import { ownerSession, send } from '../../support/workerd/app-client.ts'
import {
  addSite,
  clock,
  db,
  downloaders,
  fakeFleet,
  figures,
  idle,
  records,
  removeSites,
  secrets,
  silent,
  store,
  workWith,
} from '../../support/workerd/told-sites.ts'
import { withoutAuditLog } from '../../support/workerd/without-audit-log.ts'

const hour = 3600
const hashOf = (number: number) => number.toString(16).padStart(40, '0')

let torrents: Map<string, Torrent>
let acts: string[]
let isAway: boolean
let isRefused: boolean
let downloaderId = 0
let kept: Awaited<ReturnType<EndDeps['kept']>>

const deps: EndDeps = {
  clock,
  logger: silent,
  settings: createOwnerSettings(db, { clock, secrets }),
  rules: createEndRules(db, clock),
  store: createTorrentEndStore(db, clock),
  sites: store,
  figures,
  rulesOf: () => ({ hit_and_run: { seed_hours: 24, ratio: 2 } }),
  downloaders,
  fleet: {
    status: async () => (isAway ? failWith({ kind: 'downloader.unreachable' }) : succeed(idle)),
    select: async (_, __, { from, count }) => {
      const all = [...torrents.values()]
      const counts = { states: {}, conditions: {} }
      return succeed({ torrents: all.slice(from, from + count), total: all.length, totalBytes: 0, counts })
    },
    act: async (_, action, hashes) => {
      acts.push(...hashes.map((hash) => `${action} ${Number.parseInt(hash, 16)}`))
      if (isRefused) return failWith({ kind: 'downloader.unreachable' })
      if (action.startsWith('delete')) for (const hash of hashes) torrents.delete(hash)
      return succeed(hashes.map((infoHash) => ({ infoHash, success: true })))
    },
  },
  audit: createAuditLog(db, clock),
  kept: async () => kept,
}
const work = () => workWith(fakeFleet(), { ends: { isAny: () => areEndsWatched(deps), watch: () => watchEnds(deps) } })
const jobOf = async () => (await work().runs()).find(({ name }) => name === 'torrent_ends')
async function look(): Promise<void> {
  clock.now += endLookSeconds
  await work().runDue()
}
const console_ = (method: string, path: string, body?: unknown) =>
  send(method, `${consolePrefix}${path}`, session, body === undefined ? {} : { json: body })
const ended = async () =>
  (await console_('GET', '/torrent-ends')).body.items.map((one: { title: string; status: string; action: string }) => [
    one.title,
    one.status,
    one.action,
  ])

function hold(number: number, change: Partial<Torrent> = {}): void {
  torrents.set(
    hashOf(number),
    torrentFixture(hashOf(number), {
      ...{ title: `Torrent ${number}`, state: 'seeding', progressPercent: 100, sizeBytes: 1000, savePath: '/data' },
      ...{ uploadedBytes: 3000, seedingSeconds: 48 * hour, addedAtUnix: clock.now - 50 * hour },
      ...change,
    }),
  )
}

async function pushed(number: number, hasHr: boolean): Promise<void> {
  const facts = {
    ...{
      site: 'shelf',
      torrentId: String(number),
      title: `Torrent ${number}`,
      sizeBytes: 1000,
      category: '',
      tags: '',
    },
    ...{ free: false, hasHr, source: 'app_push' as const, downloader: 'nas-1', downloaderId },
    infoHashes: [hashOf(number)] as [string],
  }
  await records.succeeded(await records.begin(facts), facts, hashOf(number))
}

const ratioRule = (change: object = {}) => ({
  name: 'Enough given',
  enabled: true,
  rule: { action: 'remove_with_files', conditions: [{ field: 'ratio', op: 'at_least', value: 2 }] },
  ...change,
})

const session = await ownerSession()
beforeEach(async () => {
  clock.now = Math.floor(Date.now() / 1000)
  await removeSites()
  for (const table of ['push_records', 'jobs', 'downloaders', 'end_rules', 'torrent_ends', 'audit_entries'])
    await env.DB.prepare(`delete from ${table}`).run()
  await env.DB.prepare("delete from settings where name = 'ends'").run()
  torrents = new Map()
  acts = []
  isAway = false
  isRefused = false
  kept = { sites: new Set(), infoHashes: new Set() }
  await addSite('shelf', { definition: '13city', autoSignIn: false, enabled: false })
  const added = await downloaders.add({
    ...{ name: 'nas-1', kind: 'qbittorrent', baseUrl: 'http://127.0.0.1:1', username: '' },
    ...{ enabled: true, isDefault: true },
  })
  if (!added.ok) throw new Error(added.failure)
  downloaderId = added.value.id
})

describe('the job', () => {
  test('is dry until it is turned on: what is due is shown with its clauses, and nothing happens', async ({
    expect,
  }) => {
    hold(1)
    hold(2, { uploadedBytes: 1999 })
    expect((await console_('POST', '/end-rules', ratioRule())).status).toBe(200)
    for (let at = 0; at < 3; at++) await look()

    expect(acts).toEqual([])
    const { items } = (await console_('GET', '/torrent-ends')).body
    expect(items).toMatchObject([
      {
        ...{ title: 'Torrent 1', status: 'due', action: 'remove_with_files', rule: 'Enough given', size: 1000 },
        clauses: [
          { asked: { field: 'ratio' }, state: 'met', found: 3 },
          { asked: { field: 'duty_done' }, state: 'met' },
        ],
      },
    ])
    expect(await createTorrentHistory(db).of(downloaderId, hashOf(1))).toMatchObject([
      { kind: 'end_due', rule: 'Enough given', clauses: [{ state: 'met' }, { state: 'met' }] },
    ])
  })

  test('turned on it ends what was due in two looks, keeps why, and writes it into the log', async ({ expect }) => {
    hold(1)
    await console_('POST', '/end-rules', ratioRule())
    await console_('PUT', '/end-mode', { mode: 'on' })
    await look()
    expect(acts).toEqual([])
    clock.now += endLookSeconds
    await work().runDue()
    expect(acts).toEqual(['delete_with_files 1'])
    expect(await ended()).toEqual([['Torrent 1', 'ended', 'remove_with_files']])
    expect((await console_('GET', '/audit')).body.items[0]).toMatchObject({
      ...{ channel: 'service', command: 'torrent-end', result: 'ok' },
      reason: { kind: 'torrent.ended', action: 'remove_with_files', rule: 'Enough given', title: 'Torrent 1' },
    })
    expect((await console_('GET', '/end-rules')).body).toMatchObject({
      mode: 'on',
      items: [{ ended: 1, ended_today: 1 }],
    })
    await look()
    expect(acts).toHaveLength(1)
  })

  test('spares what is not due any more at the second look, and what still has to be seeded', async ({ expect }) => {
    hold(1)
    hold(2, { seedingSeconds: hour, uploadedBytes: 1500 })
    await pushed(2, true)
    await console_(
      'POST',
      '/end-rules',
      ratioRule({ rule: { action: 'remove', conditions: [{ field: 'ratio', op: 'at_least', value: 1 }] } }),
    )
    await console_('PUT', '/end-mode', { mode: 'on' })
    await look()
    expect(await ended()).toEqual([['Torrent 1', 'due', 'remove']])
    hold(1, { uploadedBytes: 0 })
    await look()
    await look()
    expect(acts).toEqual([])
    expect(await ended()).toEqual([])
    // Its duty done, it goes like all others.
    hold(2, { seedingSeconds: 24 * hour, uploadedBytes: 1500 })
    await look()
    await look()
    expect(acts).toEqual(['delete 2'])
  })

  test('leaves alone what a plan for a level counts on: all of its site, and each torrent it seeds', async ({
    expect,
  }) => {
    for (const number of [1, 2, 3]) hold(number)
    await pushed(1, false)
    kept = { sites: new Set(['shelf']), infoHashes: new Set([hashOf(2)]) }
    await console_('POST', '/end-rules', ratioRule())
    await console_('PUT', '/end-mode', { mode: 'on' })
    await look()
    await look()
    expect(acts).toEqual(['delete_with_files 3'])
    kept = { sites: new Set(), infoHashes: new Set() }
    await look()
    await look()
    expect(acts.toSorted()).toEqual(['delete_with_files 1', 'delete_with_files 2', 'delete_with_files 3'])
  })

  test('pauses once: whoever starts it again keeps it', async ({ expect }) => {
    hold(1)
    await console_('POST', '/end-rules', ratioRule({ rule: { ...ratioRule().rule, action: 'pause' } }))
    await console_('PUT', '/end-mode', { mode: 'on' })
    await look()
    await look()
    expect(acts).toEqual(['pause 1'])
    await look()
    await look()
    expect(acts).toEqual(['pause 1'])
  })

  test('that was cut off between the deed and its note notes it, and does nothing twice', async ({ expect }) => {
    hold(1)
    hold(2)
    await console_('POST', '/end-rules', ratioRule())
    await look()
    await env.DB.prepare("update torrent_ends set status = 'ending'").run()
    torrents.delete(hashOf(1))
    await look()
    expect((await ended()).sort()).toEqual([
      ['Torrent 1', 'ended', 'remove_with_files'],
      ['Torrent 2', 'due', 'remove_with_files'],
    ])
    expect(acts).toEqual([])
  })

  test('says why it could not, and keeps what is due while a downloader is away', async ({ expect }) => {
    hold(1)
    await console_('POST', '/end-rules', ratioRule())
    await console_('PUT', '/end-mode', { mode: 'on' })
    await look()
    isAway = true
    await look()
    expect(await ended()).toEqual([['Torrent 1', 'due', 'remove_with_files']])
    expect(await jobOf()).toMatchObject({ lastOk: false, lastReason: { kind: 'several', of: [{ name: 'nas-1' }] } })
    isAway = false
    isRefused = true
    await look()
    expect((await console_('GET', '/torrent-ends')).body.items).toMatchObject([
      { status: 'failed', reason: { kind: 'downloader.unreachable' } },
    ])
  })

  test('ends nothing that cannot be written down, says so, and does it at the next look', async ({ expect }) => {
    hold(1)
    await console_('POST', '/end-rules', ratioRule())
    await console_('PUT', '/end-mode', { mode: 'on' })
    await look()
    await withoutAuditLog(look)
    expect(acts).toEqual([])
    expect(await jobOf()).toMatchObject({
      lastReason: { kind: 'several', of: [{ name: 'nas-1', reason: { kind: 'audit_unavailable' } }] },
    })
    await look()
    expect(acts).toEqual(['delete_with_files 1'])
  })

  test('ends so many at a time, and is gone from the list when it is off', async ({ expect }) => {
    for (let number = 1; number <= endsPerLookMax + 1; number++) hold(number)
    await console_('POST', '/end-rules', ratioRule())
    await console_('PUT', '/end-mode', { mode: 'on' })
    await look()
    await look()
    expect(acts).toHaveLength(endsPerLookMax)
    await look()
    expect(acts).toHaveLength(endsPerLookMax + 1)
    await console_('PUT', '/end-mode', { mode: 'off' })
    await look()
    expect(await jobOf()).toBeUndefined()
  })
})

describe('rules about ends', () => {
  test('are added, changed, ordered and removed', async ({ expect }) => {
    const first = (await console_('POST', '/end-rules', ratioRule())).body
    const second = (await console_('POST', '/end-rules', ratioRule({ name: 'Second' }))).body
    expect((await console_('PUT', `/end-rules/${first.id}`, ratioRule({ enabled: false }))).body.enabled).toBe(false)
    expect((await console_('POST', '/end-rules/order', { ids: [second.id, first.id] })).status).toBe(200)
    const names = async () => (await console_('GET', '/end-rules')).body.items.map(({ name }: { name: string }) => name)
    expect(await names()).toEqual(['Second', 'Enough given'])
    expect((await console_('DELETE', `/end-rules/${second.id}`)).status).toBe(200)
    expect(await names()).toEqual(['Enough given'])
  })

  test.for([
    ['a name that is taken', 'POST', '/end-rules', ratioRule(), 400, 'name'],
    ['one that is not there', 'PUT', '/end-rules/4040', ratioRule({ name: 'Other' }), 404, undefined],
    ['an order that names each not once', 'POST', '/end-rules/order', { ids: [1, 1] }, 400, 'ids'],
    ['a mode that there is not', 'PUT', '/end-mode', { mode: 'maybe' }, 400, 'mode'],
  ] as const)('refuse %s', async ([, method, path, body, status, field], { expect }) => {
    await console_('POST', '/end-rules', ratioRule())
    const answer = await console_(method, path, body)
    expect(answer.status).toBe(status)
    if (field !== undefined) expect(answer.body.reason).toMatchObject({ field })
  })

  test('are so many and no more', async ({ expect }) => {
    const values = Array.from(
      { length: endRulesMax - 1 },
      (_, at) => `('r${at}', 1, ${at}, '${JSON.stringify(ratioRule().rule)}', 1, 1)`,
    )
    await env.DB.prepare(
      `insert into end_rules (name, enabled, position, rule, created_at_unix, updated_at_unix) values ${values.join(',')}`,
    ).run()
    expect((await console_('POST', '/end-rules', ratioRule())).status).toBe(200)
    const refused = await console_('POST', '/end-rules', ratioRule({ name: 'Another' }))
    expect([refused.status, refused.body.reason.kind]).toEqual([400, 'too_many'])
  })
})
