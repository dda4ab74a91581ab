/** What the disks hold is looked for on other sites: asked within bounds, believed by its files, started when it is whole. */
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { createOwnerSettings } from '../../../workers/app/adapters/d1/owner-settings.ts'
import { createReseedStore } from '../../../workers/app/adapters/d1/reseeds.ts'
import { createReseedService } from '../../../workers/app/adapters/reseed-service/reseed-service.ts'
import { createSiteFleet } from '../../../workers/app/adapters/site-fleet.ts'
import { siteRuntimeOf } from '../../../workers/app/adapters/site-runtime.ts'
import { consolePrefix } from '../../../workers/app/app.ts'
import type { SiteFault } from '../../../workers/app/core/site-fault.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import {
  piecesAgainSeconds,
  piecesKept,
  piecesPerAskMax,
  reseedAgainSeconds,
  reseedAsksMax,
  reseedBytesMin,
  reseedExportsPerLook,
  reseedFilesPerSearch,
  reseedLookSeconds,
  reseedUnansweredSeconds,
  transferCheckStartSeconds,
} from '../../../workers/app/limits.ts'
import type { SiteHost } from '../../../workers/app/objects/site-object.ts'
import type { ReseedDeps } from '../../../workers/app/services/reseed/reseed-deps.ts'
import { runReseed } from '../../../workers/app/services/reseed/run-reseed.ts'
import { torrentFixture } from '../../support/torrent-fixture.ts'
import { ownerSession, send } from '../../support/workerd/app-client.ts'
import { pieceBytes, piecesHash, plainHash, plainTorrent } from '../../support/workerd/plain-torrent.ts'
import {
  addSite,
  clock,
  db,
  downloaders,
  records,
  removeSites,
  secrets,
  silent,
  store,
} from '../../support/workerd/told-sites.ts'

const size = reseedBytesMin
const settings = createOwnerSettings(db, { clock, secrets })
const reseeds = createReseedStore(db, clock)

let held: Map<string, Torrent>
/** Of those that another downloader than the first shows. */
let shownBy: Map<string, number>
let files: Map<string, Uint8Array>
/** At the site, by the hash of their pieces; undefined for one that takes no such question. */
let pieces: Map<string, string> | undefined
let mayBePieces: boolean
/** What answers in its place. */
let trouble: SiteFault | undefined
/** What the downloaders hand out. */
let exports: Map<string, Uint8Array>
let exported: string[]
/** Of a search. */
let silence: SiteFault | undefined
let rows: { torrent_id: string; title: string; size: number; has_hr: boolean }[]
let asked: string[]
let deeds: string[]
let share: number
let downloaderId = 0
let followed = 0
let isCutOff = false

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
  service: createReseedService({ fetch: () => Promise.reject(new Error('not asked')) }, clock),
  proxy: async () => succeed(undefined),
  follow: async () => {
    followed += 1
  },
  siteFleet: {
    async search({ name }, { keyword }) {
      asked.push(`${name}: ${keyword}`)
      if (silence !== undefined) return failWith(silence)
      const json = new TextEncoder().encode(rows.map((row) => `,${JSON.stringify(row)}`).join(''))
      return succeed({ count: rows.length, json })
    },
    mayFindByPieces: async () => succeed(mayBePieces),
    async findByPieces({ name }, hashes) {
      asked.push(`${name}: ${hashes.length} hashes`)
      if (trouble !== undefined) return succeed({ asks: 1, torrents: failWith(trouble) })
      if (pieces === undefined) return succeed({ asks: 2, torrents: failWith({ kind: 'unsupported' as const }) })
      return succeed({ asks: 1, torrents: succeed(pieces) })
    },
    async download(_, torrentId) {
      asked.push(torrentId)
      const file = files.get(torrentId)
      if (torrentId === 'gone') return failWith({ kind: 'status', status: 404 })
      return file === undefined ? failWith({ kind: 'timeout' }) : succeed(file)
    },
  },
  fleet: {
    async select({ id }) {
      const counts = { states: {}, conditions: {} }
      const torrents = [...held.values()].filter(({ infoHash }) => (shownBy.get(infoHash) ?? downloaderId) === id)
      return succeed({ torrents, total: torrents.length, totalBytes: 0, counts })
    },
    find: async (_, hashes) => succeed(hashes.flatMap((infoHash) => held.get(infoHash) ?? [])),
    details: async (_, infoHash) =>
      succeed({
        files: [{ path: held.get(infoHash)?.title ?? '', sizeBytes: held.get(infoHash)?.sizeBytes ?? 0 }],
      } as never),
    async exportFile(_, infoHash) {
      const file = exports.get(infoHash)
      exported.push(infoHash)
      return file === undefined ? failWith({ kind: 'downloader.unsupported', skill: 'export' }) : succeed(file)
    },
    async add(_, { infoHashes, savePath, isPaused, tags, sizeBytes }) {
      const [infoHash] = infoHashes
      deeds.push(`add ${savePath} ${String(isPaused)} ${tags.join()} ${sizeBytes}`)
      if (isCutOff) throw new Error('cut off')
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

const session = await ownerSession()
beforeEach(async () => {
  clock.now = Math.floor(Date.now() / 1000)
  await removeSites()
  for (const table of ['push_records', 'jobs', 'downloaders', 'reseeds', 'reseed_asks', 'piece_hashes'])
    await env.DB.prepare(`delete from ${table}`).run()
  await addSite('other', { autoSignIn: false })
  const added = await downloaders.add({
    ...{ name: 'nas-1', kind: 'qbittorrent', baseUrl: 'http://127.0.0.1:1', username: '' },
    ...{ enabled: true, isDefault: true },
  })
  if (!added.ok) throw new Error(added.failure)
  downloaderId = added.value.id
  held = new Map()
  shownBy = new Map()
  files = new Map()
  exports = new Map()
  exported = []
  mayBePieces = true
  silence = undefined
  pieces = undefined
  trouble = undefined
  isCutOff = false
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
    expect(asked).toEqual(['other: Film 2024', '7'])
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
      () => rows.push({ torrent_id: 'gone', title: 'x', size, has_hr: false }),
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

  test.for<SiteFault>([
    { kind: 'unreachable' },
    { kind: 'timeout' },
    { kind: 'login_expired' },
    { kind: 'challenge' },
    { kind: 'rate_limited' },
    { kind: 'maintenance' },
  ])('is not said to be missing by a site that is in trouble: $kind', async (fault, { expect }) => {
    await hold()
    silence = fault
    const { reason } = await runReseed(deps)
    expect(reason).toEqual({ kind: 'several', of: [{ name: 'other', reason: { kind: `site.${fault.kind}` } }] })
    expect(await states()).toEqual([])
    silence = undefined
    await look()
    expect(await states()).toEqual([['other', 'Film.2024.mkv', 'none']])
  })

  test('is not said to be of other files when its file did not come', async ({ expect }) => {
    await hold()
    rows.push({ torrent_id: '9', title: 'x', size, has_hr: false })
    await look()
    expect(asked).toEqual(['other: Film 2024', '9'])
    expect(await states()).toEqual([])
  })

  test('that the site has no answer to is not in the way of the rest, and is asked for again the next day', async ({
    expect,
  }) => {
    await hold('A.mkv', { sizeBytes: 2 * size })
    await hold('B.mkv')
    silence = { kind: 'status', status: 500 }
    await look()
    silence = undefined
    await look(2)
    expect(asked).toEqual(['other: A', 'other: B'])
    expect((await states()).toSorted()).toEqual([
      ['other', 'A.mkv', 'unanswered'],
      ['other', 'B.mkv', 'none'],
    ])
    clock.now += reseedUnansweredSeconds
    await look(2)
    expect(asked).toEqual(['other: A', 'other: B', 'other: A'])
  })

  test('is no more looked for by what was found of it, on any site', async ({ expect }) => {
    await addSite('third', { autoSignIn: false })
    await turnOn({ sites: ['other'] })
    await hold()
    offer('7', fileOf('other'))
    await look(3)
    expect(await states()).toEqual([['other', 'Film.2024.mkv', 'seeding']])
    await turnOn({ sites: ['other', 'third'] })
    rows = []
    await look(3)
    // Once for both torrents, and not where one of them is from.
    expect(asked.slice(2)).toEqual(['third: Film 2024'])
  })

  test('is looked for by no torrent whose site brought another of the same', async ({ expect }) => {
    await addSite('third', { autoSignIn: false })
    const infoHash = await hold()
    const facts = {
      ...{ site: 'third', torrentId: '3', title: 'x', sizeBytes: 1, category: '', tags: '', free: false, hasHr: false },
      ...{ source: 'app_push' as const, downloader: 'nas-1', downloaderId, infoHashes: [infoHash] as [string] },
    }
    await records.succeeded(await records.begin(facts), facts, infoHash)
    offer('7', fileOf('other'))
    await look(3)
    await turnOn({ sites: ['other', 'third'] })
    await look(3)
    expect(asked).toEqual(['other: Film 2024', '7'])
  })

  test.for([
    [2, 1],
    [3, 2],
    // A search whose find nobody may fetch is not made.
    [4, 3],
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
    isCutOff = true
    await expect(look()).rejects.toThrow('cut off')
    isCutOff = false
    expect(await states()).toEqual([['other', 'Film.2024.mkv', 'adding']])
    // Added, and nobody noted it.
    const infoHash = await hashOf('other')
    held.set(infoHash, torrentFixture(infoHash, { title: 'Film.2024.mkv', state: 'paused' }))
    await look(3)
    expect(await states()).toEqual([['other', 'Film.2024.mkv', 'seeding']])
    // Its file was fetched again, and that counts.
    expect(asked).toEqual(['other: Film 2024', '7', '7'])
    expect([...(await reseeds.asksToday())]).toEqual([['other', 3]])
  })
})

describe('what another site has of the same pieces', () => {
  /** What the disks hold with a file, the largest first; each of its own pieces. */
  async function holdWhole(count: number, from = 0): Promise<string[]> {
    const hashes: string[] = []
    for (let at = from; at < from + count; at++) {
      const length = size + (count - at) * pieceBytes
      const title = `Film.${at}.mkv`
      const infoHash = await hashOf('own', title, length)
      held.set(
        infoHash,
        torrentFixture(infoHash, {
          ...{ title, sizeBytes: length, progressPercent: 100, state: 'seeding', savePath: '/data' },
        }),
      )
      exports.set(infoHash, fileOf('own', title, length))
      hashes.push(await piecesHash(length))
    }
    return hashes
  }
  const found = async () => (await reseeds.sites()).map(({ asks, ways }) => [asks, ways])
  const ofAll = async () => (await reseeds.list()).map(({ title, state }) => `${title} ${state}`).toSorted()
  const lengthOf = (at: number, count: number) => size + (count - at) * pieceBytes

  test('is found by one ask for all that is held, whatever it is called there, and is seeded', async ({ expect }) => {
    const hashes = await holdWhole(3)
    pieces = new Map([[hashes[1] as string, '7007']])
    files.set('7007', fileOf('other', 'Film.1.mkv', lengthOf(1, 3)))
    await look(3)
    expect(asked).toEqual(['other: 3 hashes', '7007'])
    expect(deeds).toEqual(['add /data true reseed 0', 'recheck', 'resume'])
    expect(await ofAll()).toEqual(['Film.0.mkv none', 'Film.1.mkv seeding', 'Film.2.mkv none'])
    expect(await found()).toEqual([[2, [{ way: 'pieces', found: 1 }]]])
    expect((await send('GET', `${consolePrefix}/reseeds`, session)).body).toMatchObject({
      asked: [{ site: 'other', asks: 2, ways: [{ way: 'pieces', found: 1 }] }],
      items: [{ state: 'seeding', way: 'pieces', torrent_id: '7007' }, {}, {}],
    })
    await look(2)
    expect(asked).toHaveLength(2)
  })

  test('with other names of files is left alone', async ({ expect }) => {
    const [hash] = await holdWhole(1)
    pieces = new Map([[hash as string, '8']])
    files.set('8', fileOf('other', 'Other.mkv', lengthOf(0, 1)))
    await look(2)
    expect(asked).toEqual(['other: 1 hashes', '8'])
    expect(await ofAll()).toEqual(['Film.0.mkv other'])
    expect(deeds).toEqual([])
    expect(await found()).toEqual([[2, [{ way: 'pieces', found: 0 }]]])
  })

  test('is fetched so many files a look, and the rest by the next', async ({ expect }) => {
    const count = reseedFilesPerSearch + 1
    const hashes = await holdWhole(count)
    pieces = new Map(hashes.map((hash, at) => [hash, String(at)]))
    for (let at = 0; at < count; at++) files.set(String(at), fileOf('other', `Film.${at}.mkv`, lengthOf(at, count)))
    await look()
    expect(asked).toEqual([`other: ${count} hashes`, '0', '1', '2'])
    expect(deeds.filter((deed) => deed.startsWith('add'))).toHaveLength(reseedFilesPerSearch)
    await look(4)
    expect(asked.slice(4)).toEqual(['other: 1 hashes', '3'])
    expect((await ofAll()).every((one) => one.endsWith('seeding'))).toBe(true)
  })

  test('is not fetched past the asks of the day', async ({ expect }) => {
    await turnOn({ asksPerDay: 2 })
    const hashes = await holdWhole(2)
    pieces = new Map(hashes.map((hash, at) => [hash, String(at)]))
    for (let at = 0; at < 2; at++) files.set(String(at), fileOf('other', `Film.${at}.mkv`, lengthOf(at, 2)))
    await look(6)
    expect(asked).toEqual(['other: 2 hashes', '0'])
  })

  test('is looked for by name where the site takes no such question, and that counts too', async ({ expect }) => {
    await holdWhole(1)
    offer('7', fileOf('other', 'Film.0.mkv', lengthOf(0, 1)), lengthOf(0, 1))
    await look(3)
    expect(asked).toEqual(['other: 1 hashes', 'other: Film 0', '7'])
    expect(await found()).toEqual([[4, [{ way: 'name', found: 1 }]]])
  })

  test('is looked for by name only when asks are left for it', async ({ expect }) => {
    await turnOn({ asksPerDay: 3 })
    await holdWhole(1)
    await look(3)
    expect(asked).toEqual(['other: 1 hashes'])
    expect(await ofAll()).toEqual([])
  })

  test('is looked for again when the site was in trouble', async ({ expect }) => {
    await holdWhole(1)
    trouble = { kind: 'rate_limited' }
    const { reason } = await runReseed(deps)
    expect(reason).toEqual({ kind: 'several', of: [{ name: 'other', reason: { kind: 'site.rate_limited' } }] })
    expect(await found()).toEqual([[1, []]])
    trouble = undefined
    pieces = new Map()
    await look()
    expect(await ofAll()).toEqual(['Film.0.mkv none'])
  })

  test('is not said to be missing when its file did not come', async ({ expect }) => {
    const [hash] = await holdWhole(1)
    pieces = new Map([[hash as string, '8']])
    await look()
    expect(await ofAll()).toEqual([])
    expect(await found()).toEqual([[2, []]])
  })

  test('is not in the way of others when the site hands no file of it out', async ({ expect }) => {
    const hashes = await holdWhole(2)
    pieces = new Map(hashes.map((hash, at) => [hash, at === 0 ? 'gone' : '8']))
    files.set('8', fileOf('other', 'Film.1.mkv', lengthOf(1, 2)))
    await look(3)
    expect(asked).toEqual(['other: 2 hashes', 'gone', '8'])
    expect(await ofAll()).toEqual(['Film.0.mkv none', 'Film.1.mkv seeding'])
  })

  test('twice in one downloader is fetched once', async ({ expect }) => {
    const [hash] = await holdWhole(1)
    const again = await hashOf('third', 'Film.0.mkv', lengthOf(0, 1))
    held.set(again, torrentFixture(again, { ...[...held.values()][0], infoHash: again }))
    exports.set(again, fileOf('third', 'Film.0.mkv', lengthOf(0, 1)))
    pieces = new Map([[hash as string, '8']])
    files.set('8', fileOf('other', 'Film.0.mkv', lengthOf(0, 1)))
    await look(4)
    expect(asked).toEqual(['other: 1 hashes', '8'])
    expect(await ofAll()).toEqual(['Film.0.mkv present', 'Film.0.mkv seeding'])
  })

  test('is not made of files of downloaders for a site that is asked by name', async ({ expect }) => {
    await holdWhole(3)
    mayBePieces = false
    await look()
    expect(asked).toEqual(['other: Film 0'])
    expect(exported).toEqual([])
  })

  test('is asked of so many whose file is fetched in a look', async ({ expect }) => {
    await holdWhole(reseedExportsPerLook + 1)
    pieces = new Map()
    await look(2)
    expect(asked).toEqual([`other: ${reseedExportsPerLook} hashes`, 'other: 1 hashes'])
  })

  test.for([
    [piecesPerAskMax, [`other: ${piecesPerAskMax} hashes`]],
    [piecesPerAskMax + 1, [`other: ${piecesPerAskMax} hashes`, 'other: 1 hashes']],
  ] as const)('is asked of %i whose hashes are known', async ([count, asks], { expect }) => {
    await holdWhole(count)
    let at = 0
    for (const infoHash of held.keys()) await reseeds.keepPieces(infoHash, String(at++).padStart(40, '0'))
    exports.clear()
    pieces = new Map()
    await look(2)
    expect(asked).toEqual(asks)
  })

  test('is asked past what a downloader hands out no file of', async ({ expect }) => {
    const second = await downloaders.add({
      ...{ name: 'nas-2', kind: 'deluge', baseUrl: 'http://127.0.0.1:2', username: '' },
      ...{ enabled: true, isDefault: false },
    })
    if (!second.ok) throw new Error(second.failure)
    shownBy.set(await hold('Large.2024.mkv', { sizeBytes: 100 * size }), second.value.id)
    await holdWhole(1)
    pieces = new Map()
    await look(2)
    expect(asked).toEqual(['other: 1 hashes', 'other: Large 2024'])
    expect(await ofAll()).toEqual(['Film.0.mkv none', 'Large.2024.mkv none'])
  })

  test('is asked by hashes that are kept, and of the last so many torrents', async ({ expect }) => {
    for (const at of [1, 2, 3]) await reseeds.keepPieces(`${at}`, `hash ${at}`)
    const { id } = (await env.DB.prepare('select min(id) as id from piece_hashes').first<{ id: number }>()) ?? { id: 0 }
    const last = id + piecesKept
    await env.DB.prepare('insert into piece_hashes (id, info_hash, hash) values (?, ?, ?)')
      .bind(last, '4', 'hash 4')
      .run()
    expect([...(await reseeds.pieces(['1', '2', '4']))]).toHaveLength(3)
    await reseeds.keepPieces('5', 'hash 5')
    expect([...(await reseeds.pieces(['1', '2', '3', '4', '5'])).keys()]).toEqual(['3', '4', '5'])
  })
})

describe('the door to a site', () => {
  const runtime = siteRuntimeOf({})
  const fleet = createSiteFleet(env.SITES as DurableObjectNamespace<SiteHost>, { logger: silent, runtime })
  const hash = 'ab'.repeat(20)
  const origin = inject('standInSites')
  const state = async (skin: string, change: object) =>
    (await fetch(`${origin}/control/nexusphp/${skin}`, { method: 'POST', body: JSON.stringify(change) })).json()
  const targetOf = async (skin: string) => {
    await addSite(skin, {
      baseUrl: `${origin}/nexusphp/${skin}`,
      cookie: 'c_secure_pass=CanaryCookieOfTheSite9',
      autoSignIn: false,
    })
    const entry = await store.find(skin)
    if (entry === undefined) throw new Error('no site')
    return entry.target
  }
  const callsOf = async (skin: string) => ((await state(skin, {})) as { calls: string[] }).calls

  test('asks it by pieces, and learns how to once', async ({ expect }) => {
    await state('pieces', { pieces: { [hash]: 7007 }, calls: [] })
    const target = await targetOf('pieces')
    expect(await fleet.mayFindByPieces(target)).toEqual(succeed(true))
    expect(await callsOf('pieces')).toEqual([])
    const torrents = succeed(new Map([[hash, '7007']]))
    expect(await fleet.findByPieces(target, [hash, 'cd'.repeat(20)])).toEqual(succeed({ asks: 2, torrents }))
    expect(await fleet.findByPieces(target, [hash])).toEqual(succeed({ asks: 1, torrents }))
    expect(await callsOf('pieces')).toEqual(['POST getrss.php', 'POST api/pieces-hash', 'POST api/pieces-hash'])
  })

  test('does not ask what the site does not offer again for a while, also after it was closed', async ({ expect }) => {
    await state('elder', { calls: [] })
    const target = await targetOf('elder')
    const torrents = failWith({ kind: 'unsupported' })
    expect(await fleet.findByPieces(target, [hash])).toEqual(succeed({ asks: 2, torrents }))
    await abortAllDurableObjects()
    expect(await fleet.mayFindByPieces(target)).toEqual(succeed(false))
    expect(await fleet.findByPieces(target, [hash])).toEqual(succeed({ asks: 0, torrents }))
    expect(await callsOf('elder')).toEqual(['POST getrss.php', 'POST api/pieces-hash'])
    await state('elder', { pieces: { [hash]: 7 } })
    const stub = env.SITES.get(env.SITES.idFromName(`site-${target.id}`))
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec('update without_pieces set since_unix = since_unix - ?', piecesAgainSeconds)
    })
    expect(await fleet.findByPieces(target, [hash])).toEqual(
      succeed({ asks: 2, torrents: succeed(new Map([[hash, '7']])) }),
    )
  })

  test('of a kind of site without such a question asks nothing', async ({ expect }) => {
    const target = { ...(await targetOf('elder')), kind: 'gazelle' as const, revision: 99 }
    expect(await fleet.mayFindByPieces(target)).toEqual(succeed(false))
    expect(await fleet.findByPieces(target, [hash])).toEqual(
      succeed({ asks: 0, torrents: failWith({ kind: 'unsupported' }) }),
    )
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
      service: { address: '', has_token: false, sites: [] },
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
