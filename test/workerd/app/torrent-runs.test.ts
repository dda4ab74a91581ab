/** What is done to every torrent that matches: chosen once, carried out in batches, and said as it came out. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, test } from 'vitest'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { createTorrentRunStore } from '../../../workers/app/adapters/d1/torrent-runs.ts'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import type { ActionOutcome, DownloaderTarget } from '../../../workers/app/core/downloader.ts'
import type { Reason } from '../../../workers/app/core/reason/reason.ts'
import type { RunDeed } from '../../../workers/app/core/torrent-run.ts'
import type { TorrentAction } from '../../../workers/app/core/vocabulary.ts'
import {
  torrentRunBatchSize,
  torrentRunExceptMax,
  torrentRunFailuresShownMax,
  torrentRunSeconds,
  torrentRunSliceMs,
  torrentRunsKeptMax,
  torrentRunsOpenMax,
  torrentRunTargetsMax,
} from '../../../workers/app/limits.ts'
import { carryOnRuns, createTorrentRuns } from '../../../workers/app/services/downloaders/torrent-runs.ts'
import { type Caller, ownerSession, send } from '../../support/workerd/app-client.ts'
import { db } from '../../support/workerd/told-sites.ts'

const hashOf = (number: number) => number.toString(16).padStart(40, '0')
const targetOf = (id: number): DownloaderTarget => ({
  ...{ id, name: `nas-${id}`, kind: 'qbittorrent', isDefault: id === 1, minFreeGib: 0, revision: 1 },
  ...{ baseUrl: 'http://192.0.2.7:8080', username: '', sealedPassword: '' },
})
const owners = [targetOf(1), targetOf(2)]
const pause: RunDeed = { kind: 'action', action: 'pause' }
const removal: RunDeed = { kind: 'action', action: 'delete_with_files' }

let nowMs = 0
const clock = { nowMs: () => nowMs }
const store = createTorrentRunStore(db, clock)

/** What each downloader has; true stands for a torrent that is held. */
let shown: Map<number, Map<string, boolean>>
let told: { readonly id: number; readonly action: TorrentAction; readonly hashes: readonly string[] }[]
/** Why a downloader does nothing. */
let refusals: Map<number, Reason>
/** Called once a downloader did what it was told, before it says so. */
let onDone: () => Promise<void> | void

const deps = {
  clock,
  store,
  downloaders: { targets: async () => owners },
  fleet: {
    async matching({ id }: DownloaderTarget) {
      const refusal = refusals.get(id)
      if (refusal !== undefined) return failWith(refusal)
      return succeed(
        [...(shown.get(id) ?? [])].map(([infoHash, isHeld]) => ({
          infoHash,
          title: `T ${infoHash.slice(-3)}`,
          isHeld,
        })),
      )
    },
    async act(
      { id }: DownloaderTarget,
      action: TorrentAction,
      hashes: readonly string[],
    ): Promise<Result<ActionOutcome[], Reason>> {
      const refusal = refusals.get(id)
      if (refusal !== undefined) return failWith(refusal)
      told.push({ id, action, hashes })
      const torrents = shown.get(id) ?? new Map<string, boolean>()
      const outcomes = hashes.map((infoHash): ActionOutcome => {
        if (!torrents.has(infoHash)) return { infoHash, success: false, reason: { kind: 'none', what: 'torrent' } }
        if (action.startsWith('delete')) torrents.delete(infoHash)
        else torrents.set(infoHash, action === 'pause')
        return { infoHash, success: true }
      })
      await onDone()
      return succeed(outcomes)
    },
    change: async (): Promise<Result<ActionOutcome[], Reason>> =>
      failWith({ kind: 'downloader.unsupported', skill: 'queue' }),
  },
}
const runs = createTorrentRuns({ ...deps, wake: async () => undefined })
const order = (deed: RunDeed, countMax = torrentRunTargetsMax) => ({
  deed,
  owners,
  filter: {},
  except: new Map(),
  countMax,
})

async function begun(deed: RunDeed): Promise<number> {
  const answer = await runs.begin(order(deed))
  if (!answer.ok) throw new Error(answer.failure.kind)
  return answer.value.id
}
const runOf = async (id: number) => {
  const run = await runs.find(id)
  if (run === undefined) throw new Error(`run ${id}`)
  return run
}
const fill = (id: number, count: number) =>
  shown.set(id, new Map(Array.from({ length: count }, (_, at) => [hashOf(id * 100_000 + at), at % 2 === 1])))

beforeEach(async () => {
  for (const table of ['torrent_runs', 'torrent_run_batches', 'jobs'])
    await env.DB.prepare(`delete from ${table}`).run()
  nowMs = 1_793_577_600_000
  shown = new Map()
  told = []
  refusals = new Map()
  onDone = () => undefined
})

test('reaches every torrent of every downloader, in batches, and says what became of each', async ({ expect }) => {
  fill(1, 2 * torrentRunBatchSize + 1)
  fill(2, torrentRunBatchSize)
  const id = await begun(pause)
  const gone = hashOf(100_007)
  shown.get(1)?.delete(gone)
  expect(await runOf(id)).toMatchObject({ total: 301, succeeded: 0, failed: 0, end: undefined })

  expect(await carryOnRuns(deps)).toBe(false)

  expect(told.map(({ hashes }) => hashes.length).sort((a, b) => a - b)).toEqual([1, 100, 100, 100])
  expect([...shown.values()].flatMap((torrents) => [...torrents.values()]).every((isHeld) => isHeld)).toBe(true)
  expect(await runOf(id)).toMatchObject({
    ...{ total: 301, succeeded: 300, failed: 1, end: 'done' },
    failures: [{ downloaderId: 1, infoHash: gone, title: 'T 6a7', reason: { kind: 'none', what: 'torrent' } }],
  })
  expect(await store.isAnyOpen()).toBe(false)
})

test('cut off in its middle it goes on: what was told once is not told of as lost, and nothing is left out', async ({
  expect,
}) => {
  fill(1, 3 * torrentRunBatchSize)
  const id = await begun(removal)
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  // The process ends between what the downloader did and the row that says so.
  onDone = () => {
    if (told.length < 2) return
    reach()
    return new Promise(() => undefined)
  }
  void carryOnRuns(deps)
  await reached
  expect(await runOf(id)).toMatchObject({ succeeded: 100, failed: 0, end: undefined })
  expect(shown.get(1)?.size).toBe(100)

  onDone = () => undefined
  expect(await carryOnRuns(deps)).toBe(false)

  expect(told).toHaveLength(4)
  expect(told[2]?.hashes).toEqual(told[1]?.hashes)
  expect(shown.get(1)?.size).toBe(0)
  expect(await runOf(id)).toMatchObject({ total: 300, succeeded: 300, failed: 0, end: 'done' })
})

test('stopped in its middle it does what is under way, and the rest is not tried', async ({ expect }) => {
  fill(1, 3 * torrentRunBatchSize)
  const id = await begun(removal)
  onDone = async () => {
    await runs.stop(id)
  }

  expect(await carryOnRuns(deps)).toBe(false)

  expect(shown.get(1)?.size).toBe(200)
  expect(await runOf(id)).toMatchObject({ total: 300, succeeded: 100, failed: 0, end: 'stopped' })
  expect(await runs.stop(id)).toMatchObject({ end: 'stopped' })
  expect(await runs.stop(id + 1)).toBeUndefined()
})

test('what one downloader refuses altogether it is told once, and the others are not held up', async ({ expect }) => {
  fill(1, 3 * torrentRunBatchSize)
  fill(2, 150)
  const id = await begun(pause)
  refusals.set(1, { kind: 'downloader.timeout' })

  await carryOnRuns(deps)

  const run = await runOf(id)
  expect(run).toMatchObject({ total: 450, succeeded: 150, failed: 300, end: 'done' })
  expect(run.failures).toHaveLength(torrentRunFailuresShownMax)
  expect(run.failures[0]).toMatchObject({ downloaderId: 1, title: 'T 6a0', reason: { kind: 'downloader.timeout' } })
})

test('one that cannot be read when it begins is named, and left out', async ({ expect }) => {
  fill(1, 2)
  refusals.set(2, { kind: 'downloader.unreachable' })

  expect(await runs.begin(order(pause))).toMatchObject({
    ok: true,
    value: { total: 2, unread: [{ downloaderId: 2, downloader: 'nas-2', reason: { kind: 'downloader.unreachable' } }] },
  })
})

describe('bounds', () => {
  test('more than the caller means is not touched; those excepted do not count', async ({ expect }) => {
    fill(1, 11)
    const except = new Map([[1, new Set([hashOf(100_000)])]])

    expect(await runs.begin(order(pause, 10))).toEqual({ ok: false, failure: { kind: 'more_match', count: 11 } })
    expect(await runs.list()).toEqual([])
    expect(await runs.begin({ ...order(pause, 10), except })).toMatchObject({ ok: true, value: { total: 10 } })
    await carryOnRuns(deps)
    expect(shown.get(1)?.get(hashOf(100_000))).toBe(false)
  })

  test('so many are under way at once, and one more waits', async ({ expect }) => {
    fill(1, 1)
    for (let at = 0; at < torrentRunsOpenMax; at += 1) await begun(pause)

    expect(await runs.begin(order(pause))).toEqual({ ok: false, failure: { kind: 'too_many' } })
    await carryOnRuns(deps)
    expect((await runs.begin(order(pause))).ok).toBe(true)
  })

  test('of those that are over so many are kept', async ({ expect }) => {
    fill(1, 1)
    for (let at = 0; at <= torrentRunsKeptMax + 1; at += 1) {
      await begun(pause)
      await carryOnRuns(deps)
    }

    expect((await runs.list()).length).toBe(torrentRunsKeptMax)
    const { results } = await env.DB.prepare('select count(*) as count from torrent_run_batches').all()
    expect(results).toEqual([{ count: torrentRunsKeptMax + 1 }])
  })

  test('it is carried on for so long at a time', async ({ expect }) => {
    fill(1, 3 * torrentRunBatchSize)
    const id = await begun(pause)
    onDone = () => {
      nowMs += torrentRunSliceMs
    }

    expect(await carryOnRuns(deps)).toBe(true)
    expect(await runOf(id)).toMatchObject({ succeeded: 100, end: undefined })
    expect(await carryOnRuns(deps)).toBe(true)
    expect(await carryOnRuns(deps)).toBe(false)
    expect(await runOf(id)).toMatchObject({ succeeded: 300, end: 'done' })
  })

  test.for([
    [torrentRunSeconds - 1, 'done', 0],
    [torrentRunSeconds, 'too_late', 1],
  ] as const)('after %i s without a run it ends as %s', async ([seconds, end, left], { expect }) => {
    fill(1, 1)
    const id = await begun(removal)
    nowMs += seconds * 1000

    await carryOnRuns(deps)

    expect(await runOf(id)).toMatchObject({ end, succeeded: 1 - left })
    expect(shown.get(1)?.size).toBe(left)
  })
})

describe('taking back', () => {
  test('resumes those alone that the pause had changed', async ({ expect }) => {
    fill(1, 4)
    const id = await begun(pause)
    expect(await runs.undo(id)).toEqual({ ok: false, failure: 'no_way_back' })
    await carryOnRuns(deps)

    expect(await runs.undo(id)).toMatchObject({ ok: true, value: { total: 2, deed: { action: 'resume' } } })
    await carryOnRuns(deps)
    expect([...(shown.get(1)?.values() ?? [])]).toEqual([false, true, false, true])
  })

  test('of a deletion there is none', async ({ expect }) => {
    const id = await begun(removal)
    await carryOnRuns(deps)

    expect(await runs.undo(id)).toEqual({ ok: false, failure: 'no_way_back' })
    expect(await runs.undo(id + 1)).toEqual({ ok: false, failure: 'not_found' })
  })
})

describe('over HTTP', () => {
  let session: Caller
  beforeAll(async () => {
    session = await ownerSession()
  })
  const begin = (json: object) => send('POST', `${appPrefix}/torrent-runs`, session, { json })
  const right = { deed: { kind: 'pause' }, at_most: 5 }

  test.for([
    ['no deed', { at_most: 5 }, 400],
    ['no count', { deed: { kind: 'pause' } }, 400],
    ['a count beyond the bound', { ...right, at_most: torrentRunTargetsMax + 1 }, 400],
    ['a change of one torrent alone', { ...right, deed: { kind: 'rename', name: 'x' } }, 400],
    ['an address with a key', { ...right, deed: { kind: 'add_tracker', address: 'https://t.example/x' } }, 400],
    ['an unknown field', { ...right, all: true }, 400],
    [
      'too many exceptions',
      { ...right, except: Array.from({ length: torrentRunExceptMax + 1 }, () => ({ downloader_id: 1, task_id: 'a' })) },
      400,
    ],
    ['a downloader that is none', { ...right, downloader_id: 77_777 }, 404],
    [
      'nothing but what is right',
      { ...right, except: Array.from({ length: torrentRunExceptMax }, () => ({ downloader_id: 1, task_id: 'a' })) },
      200,
    ],
  ] as const)('%s', async ([, json, status], { expect }) => {
    expect((await begin(json)).status).toBe(status)
    expect((await runs.list()).length).toBe(status === 200 ? 1 : 0)
  })

  test('a run is followed, stopped and refused in the words of the interface', async ({ expect }) => {
    await env.DB.prepare('delete from downloaders').run()
    const json = {
      name: 'away',
      type: 'qbittorrent',
      address: 'http://127.0.0.1:1',
      username: '',
      password: '',
      enabled: true,
      default: true,
    }
    await send('POST', `${consolePrefix}/downloaders`, session, { json })
    const { body } = await begin({ ...right, deed: { kind: 'tags', tags: 'kept' }, at_most: torrentRunTargetsMax })

    expect(body).toMatchObject({ deed: 'tags', total: 0, unread: [{ downloader: 'away', error: '无法连接下载器' }] })
    const at = `${appPrefix}/torrent-runs/${body.id}`
    await expect.poll(async () => (await send('GET', at, session)).body.status, { timeout: 10_000 }).toBe('done')
    expect((await send('GET', `${appPrefix}/torrent-runs`, session)).body.items).toMatchObject([{ id: body.id }])
    expect((await send('POST', `${at}/stop`, session)).body).toMatchObject({ id: body.id, status: 'done' })
    expect(await send('POST', `${at}/undo`, session)).toMatchObject({
      status: 409,
      body: { error: 'busy', reason: { kind: 'torrent_run.no_way_back' } },
    })
    expect((await send('GET', `${at}7`, session)).status).toBe(404)
  })
})
