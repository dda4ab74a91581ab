/** Torrents that move between downloaders: step by step, cut off anywhere, and what stays where it was. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { createTransferStore } from '../../../workers/app/adapters/d1/transfers.ts'
import { consolePrefix } from '../../../workers/app/app.ts'
import type { DownloaderTarget } from '../../../workers/app/core/downloader.ts'
import type { Reason } from '../../../workers/app/core/reason/reason.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import type { FolderMapping } from '../../../workers/app/core/transfers/transfer.ts'
import { transferAttemptsMax, transferCheckStartSeconds, transferTargetsMax } from '../../../workers/app/limits.ts'
import type { DownloaderFleet } from '../../../workers/app/ports/downloaders.ts'
import { runTransfers, type TransferDeps } from '../../../workers/app/services/transfers/run-transfers.ts'
import { torrentFixture } from '../../support/torrent-fixture.ts'
import { ownerSession, send } from '../../support/workerd/app-client.ts'
import { plainHash, plainTorrent } from '../../support/workerd/plain-torrent.ts'
import { clock, db, downloaders, records } from '../../support/workerd/told-sites.ts'

const torrentFile = { name: 'film', length: 5, source: 'one' }
const file = plainTorrent(torrentFile)
const gone: Reason = { kind: 'downloader.unreachable' }
let hash = ''
let ids: [number, number] = [0, 0]

/** Two programs that hold torrents; data lies in folders that the second sees or does not. */
let held: Map<number, Map<string, Torrent>>
let deeds: string[]
let seesData: boolean
let exports: boolean
/** The call at which everything is cut off, once. */
let cutAt: number
let calls: number
let areAway: boolean
/** The downloader goes away for good once it has removed a torrent, before it can say so. */
let leavesAfterRemoval: boolean
let left: number | undefined
let wereBothSeeding: boolean

class CutOff extends Error {}

async function called<T>(what: string, isLate: boolean, act: () => T): Promise<Result<T, Reason>> {
  calls += 1
  if (calls === cutAt && !isLate) throw new CutOff(what)
  if (areAway) return failWith(gone)
  const done = act()
  const seeding = [...held.values()].filter((all) => all.get(hash)?.state === 'seeding')
  wereBothSeeding ||= seeding.length > 1
  if (calls === cutAt) throw new CutOff(what)
  return succeed(done)
}

/** `isLate`: what is cut off was done, and nobody heard of it. */
function fleetOf(isLate: boolean): TransferDeps['fleet'] {
  const allOf = ({ id }: DownloaderTarget) => held.get(id) ?? new Map<string, Torrent>()
  return {
    find: (target, hashes) =>
      target.id === left
        ? Promise.resolve(failWith(gone))
        : called('find', isLate, () => hashes.flatMap((infoHash) => allOf(target).get(infoHash) ?? [])),
    exportFile: (target, infoHash) =>
      exports
        ? called('export', isLate, () => (allOf(target).has(infoHash) ? file : undefined))
        : Promise.resolve(failWith({ kind: 'downloader.unsupported', skill: 'export' })),
    async add(target, { savePath, isPaused, category, tags }) {
      const isThere = allOf(target).has(hash)
      const added = await called('add', isLate, () => {
        deeds.push(`add ${target.name} ${savePath} ${isPaused === true ? 'paused' : 'started'}`)
        if (!isThere)
          allOf(target).set(hash, torrentFixture(hash, { state: 'paused', savePath, category, tags: tags.join(',') }))
      })
      if (!added.ok) return { kind: 'refused', reason: added.failure, mayHaveArrived: true }
      return { kind: isThere ? 'present' : 'added', infoHash: hash }
    },
    change: (target, change, hashes) =>
      called('change', isLate, () => {
        deeds.push(`${change.kind} ${target.name}`)
        for (const infoHash of hashes) {
          const torrent = allOf(target).get(infoHash)
          if (torrent !== undefined) allOf(target).set(infoHash, { ...torrent, progressPercent: seesData ? 100 : 0 })
        }
        return hashes.map((infoHash) => ({ infoHash, success: true }))
      }),
    act: async (target, action, hashes) => {
      if (target.id === left) return failWith(gone)
      const acted = await called('act', isLate, () => {
        deeds.push(`${action} ${target.name}`)
        for (const infoHash of hashes) {
          const torrent = allOf(target).get(infoHash)
          if (torrent === undefined) continue
          if (action.startsWith('delete')) allOf(target).delete(infoHash)
          else allOf(target).set(infoHash, { ...torrent, state: action === 'pause' ? 'paused' : 'seeding' })
        }
        return hashes.map((infoHash) => ({ infoHash, success: true }))
      })
      if (!leavesAfterRemoval || action !== 'delete') return acted
      left = target.id
      return failWith(gone)
    },
  } satisfies Pick<DownloaderFleet, 'find' | 'exportFile' | 'add' | 'change' | 'act'>
}

const depsOf = (isLate = false): TransferDeps => ({
  clock,
  store: createTransferStore(db, clock),
  downloaders,
  fleet: fleetOf(isLate),
  sites: { find: async (name) => (name === 'shelf' ? ({ target: {} } as never) : undefined) },
  siteFleet: { download: async () => succeed(file) },
})

const store = createTransferStore(db, clock)
const noMapping: FolderMapping = { from: '', to: '' }
async function begin(folder = noMapping): Promise<void> {
  const torrents = [{ infoHash: hash, title: 'film', sizeBytes: 5 }]
  await store.add({ fromId: ids[0], toId: ids[1], folder, torrents })
}
/** Until nothing is left to do; what is cut off is begun anew, as the scheduler does. */
async function run(isLate = false, looksMax = 200): Promise<number> {
  for (let looks = 1; looks <= looksMax; looks++) {
    try {
      if ((await runTransfers(depsOf(isLate))).dueAtUnix === undefined) return looks
    } catch (error) {
      if (!(error instanceof CutOff)) throw error
    }
    clock.now += transferCheckStartSeconds
  }
  return looksMax
}
const stateOf = async () => {
  const [one] = await store.list()
  return one === undefined ? undefined : [one.state, one.reason?.kind]
}
const shownBy = (at: 0 | 1) => held.get(ids[at])?.get(hash)

const session = await ownerSession()
hash = await plainHash(torrentFile)
beforeEach(async () => {
  clock.now = Math.floor(Date.now() / 1000)
  for (const table of ['push_records', 'jobs', 'downloaders', 'transfers'])
    await env.DB.prepare(`delete from ${table}`).run()
  const added: number[] = []
  for (const name of ['old', 'new']) {
    const one = await downloaders.add({
      ...{ name, kind: 'qbittorrent', baseUrl: 'http://127.0.0.1:1', username: '', enabled: true },
      isDefault: name === 'old',
    })
    if (!one.ok) throw new Error(one.failure)
    added.push(one.value.id)
  }
  ids = added as [number, number]
  const torrent = torrentFixture(hash, {
    ...{ title: 'film', state: 'seeding', progressPercent: 100, sizeBytes: 5, savePath: '/downloads/tv' },
    ...{ category: 'tv', tags: 'a,b' },
  })
  held = new Map([
    [ids[0], new Map([[hash, torrent]])],
    [ids[1], new Map()],
  ])
  deeds = []
  seesData = true
  exports = true
  cutAt = 0
  calls = 0
  leavesAfterRemoval = false
  left = undefined
  areAway = false
  wereBothSeeding = false
})

describe('a transfer', () => {
  test('adds paused, checks, and lets the old one go only then, without its files', async ({ expect }) => {
    await begin({ from: '/downloads', to: '/data' })
    await run()
    expect(deeds).toEqual(['add new /data/tv paused', 'recheck new', 'pause old', 'resume new', 'delete old'])
    expect(shownBy(1)).toMatchObject({ state: 'seeding', category: 'tv', tags: 'a,b', savePath: '/data/tv' })
    expect(await stateOf()).toEqual(['done', undefined])
    expect(wereBothSeeding).toBe(false)
  })

  const steps = Array.from({ length: 13 }, (_, at) => at + 1)
  test.for([true, false].flatMap((isLate) => steps.map((at) => [isLate, at] as const)))(
    'that is cut off (after the deed: %s) at call %i ends as if it was not',
    async ([isLate, at], { expect }) => {
      cutAt = at
      await begin()
      await run(isLate)
      expect(await stateOf()).toEqual(['done', undefined])
      expect(shownBy(0)).toBeUndefined()
      expect(shownBy(1)).toMatchObject({ state: 'seeding', progressPercent: 100 })
      expect(deeds.filter((deed) => deed.startsWith('delete_with_files') || deed === 'delete new')).toEqual([])
      expect(wereBothSeeding).toBe(false)
    },
  )

  test('of what the other one does not find whole leaves it where it was', async ({ expect }) => {
    seesData = false
    await begin()
    await run()
    expect(await stateOf()).toEqual(['failed', 'transfer.not_whole'])
    expect([shownBy(0)?.state, shownBy(1)]).toEqual(['seeding', undefined])
  })

  test.for<[string, () => void, string]>([
    [
      'is not complete',
      () => held.get(ids[0])?.set(hash, torrentFixture(hash, { progressPercent: 99 })),
      'transfer.incomplete',
    ],
    ['is there already', () => held.get(ids[1])?.set(hash, torrentFixture(hash)), 'push.there_already'],
    ['is gone', () => held.get(ids[0])?.clear(), 'none'],
    ['has no file to be had', () => (exports = false), 'transfer.no_file'],
  ])('of one that %s says so and changes nothing', async ([, prepare, kind], { expect }) => {
    prepare()
    await begin()
    await run()
    expect((await stateOf())?.[1]).toBe(kind)
    expect(deeds.filter((deed) => !deed.startsWith('delete new'))).toEqual([])
  })

  test('takes the file from the site it was pushed from, and its push goes along as a transfer', async ({ expect }) => {
    const facts = {
      ...{ site: 'shelf', torrentId: '7', title: 'film', sizeBytes: 5, category: 'tv', tags: '', free: false },
      ...{ hasHr: false, source: 'app_push' as const, downloader: 'old', downloaderId: ids[0] },
      infoHashes: [hash] as [string],
    }
    await records.succeeded(await records.begin(facts), facts, hash)
    exports = false
    await begin()
    await run()
    expect(await stateOf()).toEqual(['done', undefined])
    const { items } = await records.page({ pushedOnly: false }, 1, 20)
    expect(items.map(({ source, downloader }) => [source, downloader])).toEqual([['transfer', 'new']])
  })

  test('that was paused stays so', async ({ expect }) => {
    held.get(ids[0])?.set(hash, torrentFixture(hash, { state: 'paused', progressPercent: 100 }))
    await begin()
    await run()
    expect([await stateOf(), shownBy(1)?.state]).toEqual([['done', undefined], 'paused'])
  })

  test('waits for what is away, and gives up in the end', async ({ expect }) => {
    areAway = true
    await begin()
    expect(await run(false, transferAttemptsMax - 1)).toBe(transferAttemptsMax - 1)
    expect(await stateOf()).toEqual(['waiting', 'downloader.unreachable'])
    await run(false, 2)
    expect(await stateOf()).toEqual(['failed', 'downloader.unreachable'])
  })

  test('never takes back the last of the two, when the old one is gone and its downloader with it', async ({
    expect,
  }) => {
    leavesAfterRemoval = true
    await begin()
    await run()
    expect(await stateOf()).toEqual(['failed', 'downloader.unreachable'])
    expect(shownBy(0)).toBeUndefined()
    expect(shownBy(1)).toMatchObject({ state: 'seeding' })
  })

  test('that is stopped before it switches stays where it was', async ({ expect }) => {
    await begin()
    await runTransfers(depsOf())
    await runTransfers(depsOf())
    const [one] = await store.list()
    const stopped = await send('POST', `${consolePrefix}/transfers/${one?.id}/stop`, session, { json: {} })
    expect(stopped.status).toBe(200)
    await run()
    expect(await stateOf()).toEqual(['failed', 'transfer.stopped'])
    expect([shownBy(0)?.state, shownBy(1)]).toEqual(['seeding', undefined])
    expect((await send('POST', `${consolePrefix}/transfers/${one?.id}/stop`, session, { json: {} })).status).toBe(404)
  })

  test('is begun once while it is under way', async ({ expect }) => {
    await begin()
    await begin()
    expect(await store.list()).toHaveLength(1)
  })
})

describe('POST /transfers', () => {
  const body = () => ({ from: ids[0], to: ids[1], task_ids: [hash] })
  test.for<[string, () => object, string]>([
    ['the same downloader', () => ({ ...body(), to: ids[0] }), 'to'],
    ['one that is not there', () => ({ ...body(), from: 4040 }), 'from'],
    ['none', () => ({ ...body(), task_ids: [] }), 'task_ids'],
    ['one too many', () => ({ ...body(), task_ids: Array(transferTargetsMax + 1).fill(hash) }), 'task_ids'],
    ['half a mapping', () => ({ ...body(), folder: { from: '/a' } }), 'folder.to'],
    ['a mapping from the root', () => ({ ...body(), folder: { from: '/', to: '/data' } }), 'folder.from'],
  ])('refuses %s', async ([, make, field], { expect }) => {
    const answer = await send('POST', `${consolePrefix}/transfers`, session, { json: make() })
    expect([answer.status, answer.body.reason.field]).toEqual([400, field])
  })
})
