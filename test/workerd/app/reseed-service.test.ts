/** The service that knows by info hash what other sites have: asked within bounds, and believed by the site's own file. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { createOwnerSettings } from '../../../workers/app/adapters/d1/owner-settings.ts'
import { createReseedStore } from '../../../workers/app/adapters/d1/reseeds.ts'
import { createReseedService } from '../../../workers/app/adapters/reseed-service/reseed-service.ts'
import { siteRuntimeOf } from '../../../workers/app/adapters/site-runtime.ts'
import { consolePrefix } from '../../../workers/app/app.ts'
import type { SiteFault } from '../../../workers/app/core/site-fault.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import {
  reseedBytesMin,
  reseedFilesPerSearch,
  reseedLookSeconds,
  reseedServiceHashesMax,
  reseedServiceRestSeconds,
  reseedServiceRowsMax,
  reseedServiceSitesSeconds,
  reseedServiceToldSeconds,
} from '../../../workers/app/limits.ts'
import type { ReseedDeps } from '../../../workers/app/services/reseed/reseed-deps.ts'
import { createReseeds } from '../../../workers/app/services/reseed/reseed-settings.ts'
import { runReseed } from '../../../workers/app/services/reseed/run-reseed.ts'
import { reseedToken } from '../../support/reseed-token.ts'
import { torrentFixture } from '../../support/torrent-fixture.ts'
import { ownerSession, send } from '../../support/workerd/app-client.ts'
import { pieceBytes, piecesHash, plainHash, plainTorrent } from '../../support/workerd/plain-torrent.ts'
import {
  addDownloader,
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
const origin = inject('standInReseedService')

let place = ''
let places = 0
let downloaderId = 0
let held: Map<string, Torrent>
let files: Map<string, Uint8Array>
let exports: Map<string, Uint8Array>
/** Sites that take questions by pieces. */
let byPieces: Set<string>
/** Undefined for a site that turns out to take no such question. */
let pieces: Map<string, string> | undefined
let asked: string[]
let deeds: string[]
let share: number

const lengthOf = (at: number) => size + at * pieceBytes
const torrentOf = (source: string, at: number, name = `Film.${at}.mkv`) => ({ source, name, length: lengthOf(at) })

const fleet: ReseedDeps['fleet'] = {
  async select({ id }) {
    const torrents = id === downloaderId ? [...held.values()] : []
    return succeed({ torrents, total: torrents.length, totalBytes: 0, counts: { states: {}, conditions: {} } })
  },
  find: async (_, hashes) => succeed(hashes.flatMap((infoHash) => held.get(infoHash) ?? [])),
  async details(_, infoHash) {
    const { title = '', sizeBytes = 0 } = held.get(infoHash) ?? {}
    return succeed({ files: [{ path: title, sizeBytes }] } as never)
  },
  async exportFile(_, infoHash) {
    const file = exports.get(infoHash)
    return file === undefined ? failWith({ kind: 'downloader.unsupported', skill: 'export' }) : succeed(file)
  },
  async add(_, { infoHashes: [infoHash], isPaused, savePath }) {
    deeds.push(`add ${isPaused ? 'paused' : 'started'} ${savePath}`)
    held.set(infoHash, torrentFixture(infoHash, { title: 'Film', state: 'paused', savePath }))
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
    for (const infoHash of hashes) if (action.startsWith('delete')) held.delete(infoHash)
    return succeed(hashes.map((infoHash) => ({ infoHash, success: true })))
  },
}
const deps: ReseedDeps = {
  ...{ clock, settings, store: reseeds, records, downloaders, fleet, sites: store, follow: async () => undefined },
  siteFleet: {
    async search({ name }) {
      asked.push(`${name} by name`)
      return succeed({ count: 0, json: new Uint8Array() })
    },
    mayFindByPieces: async ({ name }) => succeed(byPieces.has(name)),
    async findByPieces({ name }, hashes) {
      asked.push(`${name} by ${hashes.length} hashes`)
      const torrents = pieces === undefined ? failWith<SiteFault>({ kind: 'unsupported' }) : succeed(pieces)
      return succeed({ asks: 1, torrents })
    },
    async download({ name }, torrentId) {
      asked.push(`${name} ${torrentId}`)
      const file = files.get(torrentId)
      return file === undefined ? failWith<SiteFault>({ kind: 'timeout' }) : succeed(file)
    },
  },
  // What it holds against its own clock is that of the machine, and not the one that a test moves.
  service: createReseedService(siteRuntimeOf({}), { nowMs: () => Date.now() }),
  proxy: async () => succeed(undefined),
}
const owned = createReseeds({ settings, store: reseeds, sites: store, lookSoon: async () => undefined })

interface Played {
  readonly calls: string[]
  readonly asked: string[][]
}
async function play(change: object = {}): Promise<Played> {
  const answer = await fetch(`${origin}/control/${place}`, { method: 'POST', body: JSON.stringify(change) })
  return answer.json()
}
/** What came since it was last looked at. */
async function cameTo(): Promise<string[]> {
  const { calls } = await play()
  await play({ calls: [] })
  return calls.map((call) => call.replace(/^.*\//, ''))
}
const questions = async () => (await play()).asked.map((hashes) => hashes.length)

async function look(times = 1): Promise<void> {
  for (let at = 0; at < times; at++) {
    await runReseed(deps)
    clock.now += reseedLookSeconds
  }
}
async function hold(at: number): Promise<string> {
  const infoHash = await plainHash(torrentOf('own', at))
  const shown = { title: `Film.${at}.mkv`, sizeBytes: lengthOf(at), progressPercent: 100, savePath: '/data' }
  held.set(infoHash, torrentFixture(infoHash, { ...shown, state: 'seeding' }))
  return infoHash
}
/** What the service says of it: that site 7 has it under this number. */
async function know(infoHash: string, torrentId: number, source: string, at: number): Promise<void> {
  const other = await plainHash(torrentOf(source, at))
  await play({ torrents: { [infoHash]: [{ sid: 7, torrent_id: torrentId, info_hash: other }] } })
}
const turnOn = (sites: readonly string[] = ['pier']) =>
  settings.write('reseed', { enabled: true, sites: [...sites], asksPerDay: 50 })
const giveToken = (token = reseedToken) => owned.changeService({ address: `${origin}/${place}`, token })
const states = async () => (await reseeds.list()).map(({ site, way, state }) => `${site} ${way} ${state}`).toSorted()
const said = async () => (await owned.service()).reason

const session = await ownerSession()
beforeEach(async () => {
  clock.now = Math.floor(Date.now() / 1000)
  await removeSites()
  for (const table of ['push_records', 'jobs', 'downloaders', 'reseeds', 'reseed_asks', 'piece_hashes', 'settings'])
    await env.DB.prepare(`delete from ${table}`).run()
  await addSite('pier', { autoSignIn: false, baseUrl: 'https://pier.example' })
  downloaderId = await addDownloader('nas-1')
  held = new Map()
  files = new Map()
  exports = new Map()
  byPieces = new Set()
  pieces = new Map()
  asked = []
  deeds = []
  share = 100
  places += 1
  place = `place-${places}`
  await play({
    sites: [
      { id: 3, site: 'quay', base_url: 'quay.example' },
      { id: 7, site: 'pier', base_url: 'www.pier.example' },
      { id: 9, site: 'dock', base_url: 'dock.example' },
    ],
  })
  await turnOn()
  await giveToken()
})

describe('what the service knows of a torrent', () => {
  test('is found by one question, under the number of the site, and is seeded', async ({ expect }) => {
    await know(await hold(0), 7007, 'other', 0)
    files.set('7007', plainTorrent(torrentOf('other', 0)))
    await look(3)
    expect(await cameTo()).toEqual(['index', 'reportExisting', 'index'])
    expect(asked).toEqual(['pier 7007'])
    expect(deeds).toEqual(['add paused /data', 'recheck', 'resume'])
    expect(await states()).toEqual(['pier service seeding'])
    expect(await reseeds.sites()).toEqual([{ site: 'pier', asks: 1, ways: [{ way: 'service', found: 1 }] }])
    expect(await owned.service()).toMatchObject({ hasToken: true, sites: ['pier'] })
    await look(2)
    expect(await cameTo()).toEqual([])
  })

  test('is not added when the file of the site is of other files', async ({ expect }) => {
    await know(await hold(0), 7007, 'other', 0)
    files.set('7007', plainTorrent(torrentOf('other', 0, 'Another.mkv')))
    await look(2)
    expect([asked, deeds]).toEqual([['pier 7007'], []])
    expect(await states()).toEqual(['pier service other'])
  })

  test('is taken out again when the disk does not hold all of it', async ({ expect }) => {
    share = 99.5
    await know(await hold(0), 7007, 'other', 0)
    files.set('7007', plainTorrent(torrentOf('other', 0)))
    for (let at = 0; at < 5; at++) await look()
    expect(await states()).toEqual(['pier service failed'])
    expect(deeds.slice(-1)).toEqual(['delete'])
  })

  test('is there already where the downloader shows it, and no file is fetched', async ({ expect }) => {
    await know(await hold(0), 7007, 'own', 1)
    await hold(1)
    await look()
    expect(asked).toEqual([])
    expect((await reseeds.list()).map(({ title, state }) => [title, state]).toSorted()).toEqual([
      ['Film.0.mkv', 'present'],
      ['Film.1.mkv', 'none'],
    ])
  })

  test('may be nothing, for all of the sites at once, and is not asked for again', async ({ expect }) => {
    await addSite('dock', { autoSignIn: false, baseUrl: 'https://dock.example/' })
    await turnOn(['pier', 'dock'])
    for (let at = 0; at < 7; at++) await hold(at)
    await look(3)
    expect(await questions()).toEqual([7])
    expect(await states()).toEqual([...Array(7).fill('dock service none'), ...Array(7).fill('pier service none')])
    expect(asked).toEqual([])
    expect(await owned.service()).not.toHaveProperty('reason')
  })

  test('is looked for by name on a site that the service does not know', async ({ expect }) => {
    await addSite('mole', { autoSignIn: false, baseUrl: 'https://mole.example' })
    await turnOn(['pier', 'mole'])
    await hold(0)
    await look()
    expect(asked).toEqual(['mole by name'])
    expect(await states()).toEqual(['mole name none', 'pier service none'])
  })

  test('is none of its business where the site takes a question by pieces, unless no file is handed out', async ({
    expect,
  }) => {
    byPieces.add('pier')
    const infoHash = await hold(0)
    exports.set(infoHash, plainTorrent(torrentOf('own', 0)))
    pieces = new Map([[await piecesHash(lengthOf(0)), '12']])
    files.set('12', plainTorrent(torrentOf('other', 0, 'Another.mkv')))
    await look()
    expect(asked).toEqual(['pier by 1 hashes', 'pier 12'])
    expect(await cameTo()).toEqual(['index'])
    exports.clear()
    await hold(1)
    await look()
    expect(asked).toHaveLength(2)
    expect(await questions()).toEqual([1])
    expect(await states()).toEqual(['pier pieces other', 'pier service none'])
  })

  test('is asked of it in the same look in which a site is found to take no question by pieces', async ({ expect }) => {
    byPieces.add('pier')
    pieces = undefined
    exports.set(await hold(0), plainTorrent(torrentOf('own', 0)))
    await look()
    expect(asked).toEqual(['pier by 1 hashes'])
    expect(await states()).toEqual(['pier service none'])
  })

  test('is fetched so many files a look, without another question', async ({ expect }) => {
    const count = reseedFilesPerSearch + 1
    const known: Record<string, object[]> = {}
    for (let at = 0; at < count; at++) {
      known[await hold(at)] = [{ sid: 7, torrent_id: 100 + at, info_hash: await plainHash(torrentOf('other', at)) }]
      files.set(`${100 + at}`, plainTorrent(torrentOf('other', at, 'Another.mkv')))
    }
    await play({ torrents: known })
    await look()
    // The largest first.
    expect(asked).toEqual(['pier 103', 'pier 102', 'pier 101'])
    expect((await states()).filter((one) => one.endsWith('told'))).toHaveLength(1)
    await look()
    expect(asked.slice(3)).toEqual(['pier 100'])
    expect(await questions()).toEqual([count])
  })

  test.for([
    [reseedServiceHashesMax, [reseedServiceHashesMax]],
    [reseedServiceHashesMax + 1, [reseedServiceHashesMax, 1]],
  ] as const)('is asked of %i at most so many a question', async ([count, each], { expect }) => {
    for (let at = 0; at < count; at++) {
      const infoHash = at.toString(16).padStart(40, '0')
      held.set(infoHash, torrentFixture(infoHash, { sizeBytes: size, progressPercent: 100, state: 'seeding' }))
    }
    await look(3)
    expect(await questions()).toEqual(each)
  })
})

test('an answer about many sites is of fewer torrents, so that it can be noted', async ({ expect }) => {
  const count = 60
  const names = Array.from({ length: count }, (_, at) => `site-${at}`)
  for (const name of names) await addSite(name, { autoSignIn: false, baseUrl: `https://${name}.example` })
  await play({ sites: names.map((site, at) => ({ id: at + 1, site, base_url: `${site}.example` })) })
  await turnOn(names)
  const most = reseedServiceRowsMax / count
  for (let at = 0; at <= most; at++) await hold(at)
  await look(2)
  expect(await questions()).toEqual([most, 1])
  const noted = await env.DB.prepare("select count(*) as rows from reseeds where state = 'none'").first()
  expect(noted).toEqual({ rows: (most + 1) * count })
})

describe('the service', () => {
  test('is not asked without a token', async ({ expect }) => {
    await giveToken('')
    await hold(0)
    await look()
    expect(await cameTo()).toEqual([])
    expect(asked).toEqual(['pier by name'])
  })

  test('is asked for its sites once a day, and told of the owner’s when they change or it forgot', async ({
    expect,
  }) => {
    const anew = async () => {
      await hold(held.size)
      await look()
      return cameTo()
    }
    expect(await anew()).toEqual(['index', 'reportExisting', 'index'])
    expect(await anew()).toEqual(['index'])
    await addSite('dock', { autoSignIn: false, baseUrl: 'https://dock.example' })
    await turnOn(['pier', 'dock'])
    expect(await anew()).toEqual(['reportExisting', 'index'])
    clock.now += reseedServiceSitesSeconds
    expect(await anew()).toEqual(['index', 'index'])
    clock.now += reseedServiceToldSeconds
    expect(await anew()).toEqual(['index', 'reportExisting', 'index'])
    await play({ told: {} })
    expect(await anew()).toEqual(['index'])
    expect(await said()).toEqual({ kind: 'reseed.refused', quoted: '站点缓存哈希值无效' })
    clock.now += reseedServiceRestSeconds
    expect(await anew()).toEqual(['reportExisting', 'index'])
    expect(await said()).toBeUndefined()
  })

  test('is left alone for as long as it wants, and what it said is shown', async ({ expect }) => {
    await look()
    await hold(0)
    await play({ throttledFor: 2 * reseedLookSeconds, calls: [] })
    const { reason } = await runReseed(deps)
    const words = { kind: 'reseed.refused', quoted: '访问频率过快' }
    expect(reason).toEqual({ kind: 'several', of: [{ name: new URL(origin).host, reason: words }] })
    expect(await cameTo()).toEqual(['reportExisting'])
    await play({ throttledFor: 0 })
    await look(2)
    expect(await cameTo()).toEqual([])
    // Nothing is said to be missing meanwhile, and nothing is searched for by name.
    expect([await states(), asked]).toEqual([[], []])
    await look()
    expect(await cameTo()).toEqual(['reportExisting', 'index'])
    expect(await states()).toEqual(['pier service none'])
  })

  test('that does not take the token is not asked again before long, and never heard to say it', async ({ expect }) => {
    const wrong = `IYUU2T${'ab'.repeat(20)}`
    await giveToken(wrong)
    await hold(0)
    await look(2)
    expect(await cameTo()).toEqual(['index'])
    expect(await said()).toEqual({ kind: 'reseed.refused', quoted: 'token *** 无效' })
    clock.now += reseedServiceRestSeconds
    await look()
    expect(await cameTo()).toEqual(['index'])
    // Another token is tried at once.
    await giveToken()
    expect(await said()).toBeUndefined()
    await hold(1)
    await look()
    expect(await cameTo()).toEqual(['index', 'reportExisting', 'index'])
  })

  test('that is changed while it is asked has nothing from before kept of it', async ({ expect }) => {
    await hold(0)
    const sites: ReseedDeps['service']['sites'] = async (where) => {
      const answer = await deps.service.sites(where)
      await owned.changeService({ address: 'https://elsewhere.example', token: 'another' })
      return answer
    }
    await runReseed({ ...deps, service: { ...deps.service, sites } })
    expect((await settings.read('reseedServiceSeen')).value).toMatchObject({ sites: {}, sidSha1: '', sitesAtUnix: 0 })
  })

  test('behind a page that lets nobody through is said to refuse', async ({ expect }) => {
    await play({ isShielded: true })
    await hold(0)
    await look()
    expect(await said()).toEqual({ kind: 'service.refused', service: 'reseed' })
  })

  test('that cannot be reached leaves what is looked for by name to it', async ({ expect }) => {
    await owned.changeService({ address: 'http://127.0.0.1:1', token: reseedToken })
    await hold(0)
    await look()
    expect(await said()).toEqual({ kind: 'service.unreachable', service: 'reseed' })
    // It never said which sites it knows.
    expect(asked).toEqual(['pier by name'])
  })
})

describe('the settings of the service', () => {
  const put = (json: object) => send('PUT', `${consolePrefix}/settings/reseed-service`, session, { json })
  const usual = { address: '', token: reseedToken }

  test('never show the token, and keep it while it goes to the same place', async ({ expect }) => {
    const saved = await put(usual)
    expect([saved.status, saved.body]).toEqual([200, { address: '', has_token: true, sites: [] }])
    expect((await put({ address: 'https://2025.iyuu.cn' })).body).toMatchObject({ has_token: true })
    const moved = await put({ address: 'https://elsewhere.example' })
    expect([moved.status, moved.body.reason]).toMatchObject([400, { kind: 'field.fill_in_again', field: 'token' }])
    const shown = await send('GET', `${consolePrefix}/reseeds`, session)
    expect(shown.body.service).toEqual({ address: 'https://2025.iyuu.cn', has_token: true, sites: [] })
    expect(JSON.stringify(shown.body)).not.toContain(reseedToken)
    const { results } = await env.DB.prepare('select value, sealed from settings').all()
    expect(JSON.stringify(results)).not.toContain(reseedToken)
    expect((await put({ address: '', token: '' })).body).toMatchObject({ has_token: false })
  })

  test.for([
    ['http://2025.iyuu.cn', 'address', 'address.https'],
    ['http://192.168.1.2', 'address', 'address.https'],
    ['http://127.0.0.1.example', 'address', 'address.https'],
    ['ftp://2025.iyuu.cn', 'address', 'address.scheme'],
    ['https://me:it@2025.iyuu.cn', 'address', 'address.user'],
    ['https://2025.iyuu.cn?token=x', 'address', 'address.query'],
  ] as const)('refuse %s', async ([address, field, kind], { expect }) => {
    const { status, body } = await put({ address, token: reseedToken })
    expect([status, body.reason]).toMatchObject([400, { field, rule: { kind } }])
  })

  test.for(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080', 'https://192.168.1.2'])(
    'take %s',
    async (address, { expect }) => {
      expect((await put({ address, token: reseedToken })).body).toMatchObject({ address })
    },
  )
})
