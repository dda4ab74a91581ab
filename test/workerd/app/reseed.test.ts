/** What the disks hold is looked for on other sites: asked within bounds, believed by its files, started when it is whole. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, test } from 'vitest'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { createOwnerSettings } from '../../../workers/app/adapters/d1/owner-settings.ts'
import { createReseedStore } from '../../../workers/app/adapters/d1/reseeds.ts'
import { consolePrefix } from '../../../workers/app/app.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import {
  reseedAgainSeconds,
  reseedAsksMax,
  reseedBytesMin,
  reseedFilesPerSearch,
  reseedLookSeconds,
  transferCheckStartSeconds,
} from '../../../workers/app/limits.ts'
import { type ReseedDeps, runReseed } from '../../../workers/app/services/reseed/run-reseed.ts'
import { torrentFixture } from '../../support/torrent-fixture.ts'
import { type Caller, ownerSession, send } from '../../support/workerd/app-client.ts'
import { plainHash, plainTorrent } from '../../support/workerd/plain-torrent.ts'
import {
  addSite,
  clock,
  db,
  downloaders,
  records,
  removeSites,
  secrets,
  store,
} from '../../support/workerd/told-sites.ts'

const size = reseedBytesMin
const settings = createOwnerSettings(db, { clock, secrets })
const reseeds = createReseedStore(db, clock)

let session: Caller
let held: Map<string, Torrent>
let files: Map<string, Uint8Array>
let rows: { torrent_id: string; title: string; size: number; has_hr: boolean }[]
let asked: string[]
let deeds: string[]
let share: number
let downloaderId = 0
let followed = 0

const torrentOf = (source: string, name = 'Film.2024.mkv', length = size) => ({ source, name, length })
const fileOf = (...given: Parameters<typeof torrentOf>) => plainTorrent(torrentOf(...given))
const hashOf = (...given: Parameters<typeof torrentOf>) => plainHash(torrentOf(...given))

const deps: ReseedDeps = {
  clock,
  settings,
  store: reseeds,
  records,
  downloaders,
  sites: store,
  follow: async () => {
    followed += 1
  },
  siteFleet: {
    async search({ name }, { keyword }) {
      asked.push(`${name}: ${keyword}`)
      const json = new TextEncoder().encode(rows.map((row) => JSON.stringify(row)).join(','))
      return succeed({ count: rows.length, json })
    },
    async download(_, torrentId) {
      asked.push(torrentId)
      const file = files.get(torrentId)
      return file === undefined ? failWith({ kind: 'timeout' }) : succeed(file)
    },
  },
  fleet: {
    async select() {
      const counts = { states: {}, conditions: {} }
      return succeed({ torrents: [...held.values()], total: held.size, totalBytes: 0, counts })
    },
    find: async (_, hashes) => succeed(hashes.flatMap((infoHash) => held.get(infoHash) ?? [])),
    details: async (_, infoHash) =>
      succeed({
        files: [{ path: held.get(infoHash)?.title ?? '', sizeBytes: held.get(infoHash)?.sizeBytes ?? 0 }],
      } as never),
    async add(_, { infoHashes, savePath, isPaused, tags, sizeBytes }) {
      const [infoHash] = infoHashes
      deeds.push(`add ${savePath} ${String(isPaused)} ${tags.join()} ${sizeBytes}`)
      if (held.has(infoHash)) return { kind: 'present', infoHash }
      held.set(
        infoHash,
        torrentFixture(infoHash, { title: 'Film.2024.mkv', sizeBytes: size, state: 'paused', savePath }),
      )
      return { kind: 'added', infoHash }
    },
    async change(_, { kind }, hashes) {
      deeds.push(kind)
      for (const infoHash of hashes) {
        const torrent = held.get(infoHash)
        if (torrent !== undefined) held.set(infoHash, { ...torrent, progressPercent: share })
      }
      return succeed(hashes.map((infoHash) => ({ infoHash, success: true })))
    },
    async act(_, action, hashes) {
      deeds.push(action)
      for (const infoHash of hashes) {
        const torrent = held.get(infoHash)
        if (action.startsWith('delete')) held.delete(infoHash)
        else if (torrent !== undefined) held.set(infoHash, { ...torrent, state: 'seeding' })
      }
      return succeed(hashes.map((infoHash) => ({ infoHash, success: true })))
    },
  },
}

async function look(times = 1, seconds = reseedLookSeconds): Promise<void> {
  for (let at = 0; at < times; at++) {
    await runReseed(deps)
    clock.now += seconds
  }
}
const states = async () => (await reseeds.list()).map(({ site, title, state }) => [site, title, state])
const turnOn = (change: object = {}) =>
  settings.write('reseed', { enabled: true, sites: ['other'], asksPerDay: 50, ...change })
async function hold(title = 'Film.2024.mkv', change: Partial<Torrent> = {}): Promise<string> {
  const infoHash = await hashOf('own', title)
  held.set(
    infoHash,
    torrentFixture(infoHash, {
      ...{ title, sizeBytes: size, progressPercent: 100, state: 'seeding', savePath: '/data', category: 'films' },
      ...change,
    }),
  )
  return infoHash
}
function offer(torrent_id: string, file: Uint8Array, sizeBytes = size): void {
  files.set(torrent_id, file)
  rows.push({ torrent_id, title: `Film 2024 ${torrent_id}`, size: sizeBytes, has_hr: true })
}

beforeAll(async () => {
  session = await ownerSession()
})
beforeEach(async () => {
  clock.now = Math.floor(Date.now() / 1000)
  await removeSites()
  for (const table of ['push_records', 'jobs', 'downloaders', 'reseeds'])
    await env.DB.prepare(`delete from ${table}`).run()
  await addSite('other', { autoSignIn: false })
  const added = await downloaders.add({
    ...{ name: 'nas-1', kind: 'qbittorrent', baseUrl: 'http://127.0.0.1:1', username: '' },
    ...{ enabled: true, isDefault: true },
  })
  if (!added.ok) throw new Error(added.failure)
  downloaderId = added.value.id
  held = new Map()
  files = new Map()
  rows = []
  asked = []
  deeds = []
  share = 100
  followed = 0
  await turnOn()
})

describe('what another site has of a torrent', () => {
  test('is added paused beside it, checked, started when it is whole, and is a task of its own source', async ({
    expect,
  }) => {
    await hold()
    offer('7', fileOf('other'))
    await look(4)
    expect(asked).toEqual(['other: Film 2024', '7', '7'])
    expect(deeds).toEqual(['add /data true reseed 0', 'recheck', 'resume'])
    expect(held.get(await hashOf('other'))).toMatchObject({ state: 'seeding', progressPercent: 100 })
    expect(await states()).toEqual([['other', 'Film.2024.mkv', 'seeding']])
    const { items } = await records.page({ pushedOnly: false }, 1, 20)
    expect(items).toMatchObject([
      { site: 'other', torrentId: '7', source: 'reseed', hasHr: true, downloader: 'nas-1', pushed: true },
    ])
    expect(followed).toBe(1)
    await look(2)
    expect(asked.filter((one) => one.startsWith('other'))).toHaveLength(1)
  })

  test('is taken out again without its files when the disk does not hold all of it', async ({ expect }) => {
    share = 99.5
    await hold()
    offer('7', fileOf('other'))
    await look(4, transferCheckStartSeconds)
    expect(deeds.slice(-1)).toEqual(['delete'])
    expect([...held.values()].map(({ state }) => state)).toEqual(['seeding'])
    expect((await reseeds.list()).map(({ state, reason }) => [state, reason])).toEqual([
      ['failed', { kind: 'reseed.not_whole', percent: 99.5 }],
    ])
    expect((await records.page({ pushedOnly: false }, 1, 20)).total).toBe(0)
  })

  test.for<[string, () => void, string, number]>([
    ['of another size is not asked for', () => offer('7', fileOf('other'), size * 1.02), 'none', 1],
    ['of other files is left alone', () => offer('7', fileOf('other', 'Film.2024.mkv', size - 1)), 'other', 2],
    ['of another name is left alone', () => offer('7', fileOf('other', 'Other.mkv')), 'other', 2],
    ['that cannot be read is left alone', () => offer('7', new Uint8Array([1, 2])), 'other', 2],
    [
      'that is no file at the site is left alone',
      () => rows.push({ torrent_id: '9', title: 'x', size, has_hr: false }),
      'other',
      2,
    ],
    [
      'among many is looked for in so many files',
      () => {
        for (let at = 0; at < reseedFilesPerSearch + 2; at++) offer(String(at), fileOf('other', 'Other.mkv'))
      },
      'other',
      1 + reseedFilesPerSearch,
    ],
    ['that it has already stays', () => offer('7', fileOf('own')), 'present', 2],
  ])('%s', async ([, prepare, state, asks], { expect }) => {
    await hold()
    prepare()
    await look(2)
    expect(asked).toHaveLength(asks)
    expect(await states()).toEqual([['other', 'Film.2024.mkv', state]])
    expect(deeds).toEqual([])
    expect([...(await reseeds.asksToday())]).toEqual([['other', asks]])
  })

  test.for<[string, () => Promise<unknown>]>([
    ['not complete', () => hold('Film.2024.mkv', { progressPercent: 99.9 })],
    ['small', () => hold('Film.2024.mkv', { sizeBytes: size - 1 })],
    ['in trouble', () => hold('Film.2024.mkv', { state: 'error' })],
    [
      'from there',
      async () => {
        const infoHash = await hold()
        const facts = {
          ...{
            site: 'other',
            torrentId: '3',
            title: 'x',
            sizeBytes: 1,
            category: '',
            tags: '',
            free: false,
            hasHr: false,
          },
          ...{ source: 'app_push' as const, downloader: 'nas-1', downloaderId, infoHashes: [infoHash] as [string] },
        }
        await records.succeeded(await records.begin(facts), facts, infoHash)
      },
    ],
  ])('is not looked for of one that is %s', async ([, prepare], { expect }) => {
    await prepare()
    await look()
    expect(asked).toEqual([])
  })

  test('is looked for again only when much time has passed', async ({ expect }) => {
    await hold()
    await look(3)
    expect(asked).toHaveLength(1)
    clock.now += reseedAgainSeconds
    await look()
    expect(asked).toHaveLength(2)
  })

  test.for([
    [2, 2],
    [3, 3],
  ] as const)('is asked for %i times in a day and no more', async ([asksPerDay, most], { expect }) => {
    for (const title of ['A.mkv', 'B.mkv', 'C.mkv', 'D.mkv']) await hold(title)
    await turnOn({ asksPerDay })
    await look(8)
    expect(asked).toHaveLength(most)
    clock.now += 24 * 3600
    await look()
    expect(asked).toHaveLength(most + 1)
  })

  test('that was cut off between its steps goes on', async ({ expect }) => {
    await hold()
    offer('7', fileOf('other'))
    await look()
    // Added, and nobody noted it.
    const infoHash = await hashOf('other')
    held.set(infoHash, torrentFixture(infoHash, { title: 'Film.2024.mkv', state: 'paused' }))
    await look(3)
    expect(await states()).toEqual([['other', 'Film.2024.mkv', 'seeding']])
  })
})

describe('the settings of reseeding', () => {
  const put = (change: object) =>
    send('PUT', `${consolePrefix}/settings/reseed`, session, {
      json: { enabled: true, sites: ['other'], asks_per_day: 50, ...change },
    })
  test('are kept, and told with what was asked', async ({ expect }) => {
    expect((await put({ asks_per_day: reseedAsksMax })).status).toBe(200)
    expect((await send('GET', `${consolePrefix}/reseeds`, session)).body).toEqual({
      ...{ enabled: true, sites: ['other'], asks_per_day: reseedAsksMax, asked: [], items: [] },
    })
  })
  test.for<[object, string]>([
    [{ asks_per_day: reseedAsksMax + 1 }, 'asks_per_day'],
    [{ asks_per_day: 1 }, 'asks_per_day'],
    [{ sites: ['nowhere'] }, 'sites'],
  ])('refuse %o', async ([change, field], { expect }) => {
    const answer = await put(change)
    expect([answer.status, answer.body.reason.field]).toEqual([400, field])
  })
})
