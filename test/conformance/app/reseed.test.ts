// @module-tag slow
/** What a real downloader holds is seeded on another site too, or moved to another downloader. */
import { createHash } from 'node:crypto'
import { existsSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { bencode } from '../../support/bencode.ts'
import { consoleSite } from '../../support/console-site.ts'
import { startDeluge } from '../../support/deluge-daemon.ts'
import type { DownloaderUnderTest } from '../../support/downloader-under-test.ts'
import type { MadeTorrent } from '../../support/make-torrent.ts'
import { startQbittorrent } from '../../support/qbittorrent-daemon.ts'
import { requireReal } from '../../support/real-parts.ts'
import { reseedToken } from '../../support/reseed-token.ts'
import { startRtorrent } from '../../support/rtorrent-daemon.ts'
import { type StandInReseedService, startStandInReseedService } from '../../support/stand-in-reseed-service.ts'
import { goodApiKey, goodCookie, type StandInSites, startStandInSites } from '../../support/stand-in-sites.ts'
import { startTransmission } from '../../support/transmission-daemon.ts'
import { startWorker, type WorkerUnderTest } from '../../support/worker-under-test.ts'

const waitMs = 120_000
/** As the stand-in sites list it: large enough to be worth asking, and a hole in the disk. */
const ownName = 'Quiet.River.S01.mkv'
/** Each of the worlds hashes all of it three times. */
const bytes = 1024 ** 3 / 4
const skinOf = (site: string) => `quarter-${site}`
const pieceBytes = 16 * 1024 ** 2
const hole = createHash('sha1').update(Buffer.alloc(pieceBytes)).digest()

/** The file of holes as a site has it; another one has another hash of the same data. */
function torrentOf(source: string, piece = hole, name = ownName): MadeTorrent {
  const pieces = Buffer.concat(Array.from({ length: bytes / pieceBytes }, () => piece))
  const info = { length: bytes, name, 'piece length': pieceBytes, pieces, private: 1, source }
  const infoHash = createHash('sha1').update(bencode(info)).digest('hex')
  const file = bencode({ announce: 'http://127.0.0.1:9/announce', info })
  return { name, data: Buffer.alloc(0), file, infoHash, v2Hash: infoHash }
}

const own = torrentOf('own')
const other = torrentOf('other')
const others = { pier: other.file, quay: torrentOf('false', Buffer.alloc(20, 7)).file }

const qbittorrent = requireReal('qbittorrent-nox')
const transmission = requireReal('transmission-daemon')

const deluged = requireReal('deluged')
const delugeWeb = requireReal('deluge-web')
const rtorrent = requireReal('rtorrent')
const nginx = requireReal('nginx')

/** The data of that file, which takes no room; gives back where it is. */
function putHole({ savePath }: DownloaderUnderTest): string {
  const place = path.join(savePath, ownName)
  writeFileSync(place, '')
  truncateSync(place, bytes)
  return place
}

/** Progress and state by info hash. */
async function shownBy(worker: WorkerUnderTest): Promise<Record<string, [number, string]>> {
  const { items } = (await worker.app('GET', '/torrents')).body
  return Object.fromEntries(
    items.map((one: { info_hash: string; progress: number; state: string }) => [
      one.info_hash,
      [one.progress, one.state],
    ]),
  )
}

/** What a site was asked on the way to a file; its account is read besides. */
function lookedAt(sites: StandInSites, site: string): string[] {
  return sites.state('nexusphp', site).calls.filter((call) => /^POST|download|torrents/.test(call))
}

// Beside one another: each is a world of its own, and waits most of its time for the next look and for checks to begin.
describe.concurrent.each([
  ['qBittorrent', [qbittorrent], () => startQbittorrent(qbittorrent.path)],
  ['Transmission', [transmission], () => startTransmission(transmission.path)],
  ['Deluge', [deluged, delugeWeb], () => startDeluge({ deluged: deluged.path, delugeWeb: delugeWeb.path })],
  ['rTorrent', [rtorrent, nginx], () => startRtorrent({ rtorrent: rtorrent.path, nginx: nginx.path })],
] as const)('%s', (_, parts, start) => {
  const note = parts.map(({ skipNote }) => skipNote).join('')
  describe.skipIf(parts.some((part) => part.isMissing))(`with a torrent of 256 MB ${note}`.trim(), () => {
    let worker: WorkerUnderTest
    let sites: StandInSites
    let downloader: DownloaderUnderTest

    beforeAll(async () => {
      ;[worker, sites, downloader] = await Promise.all([startWorker(), startStandInSites(), start()])
      await worker.addDownloader('nas-1', downloader.settings, { default: true })
      for (const [site, file] of Object.entries(others)) {
        sites.state('unit3d', skinOf(site)).file = file.toString('base64')
        const address = sites.address('unit3d', skinOf(site))
        await worker.addSite(consoleSite(site, 'unit3d', address, { api_key: goodApiKey }))
      }
      putHole(downloader)
      await downloader.add(own, { hasData: false, isPaused: false })
    }, waitMs)
    afterAll(async () => {
      await worker?.close()
      await Promise.all([downloader?.dispose(), sites?.stop()])
    })

    const found = async () =>
      Object.fromEntries(
        (await worker.console('GET', '/reseeds')).body.items.map(
          (one: { site: string; state: string; reason?: { kind: string } }) => [
            one.site,
            one.reason === undefined ? one.state : [one.state, one.reason.kind],
          ],
        ),
      )

    test('it is seeded where its files are the same, and taken out where they are not', {
      timeout: 4 * waitMs,
    }, async ({ expect }) => {
      const shown = () => shownBy(worker)
      const whole = [100, 'seeding']
      await expect.poll(shown, { timeout: waitMs, interval: 500 }).toEqual({ [own.infoHash]: whole })

      const wanted = { enabled: true, sites: Object.keys(others), asks_per_day: 50 }
      expect((await worker.console('PUT', '/settings/reseed', wanted)).status).toBe(200)
      await expect
        .poll(found, { timeout: waitMs, interval: 500 })
        .toEqual({ pier: 'seeding', quay: ['failed', 'reseed.not_whole'] })
      await expect
        .poll(shown, { timeout: waitMs, interval: 500 })
        .toEqual({ [own.infoHash]: whole, [other.infoHash]: whole })
      const { items } = (await worker.app('GET', '/tasks')).body
      expect(items).toMatchObject([{ site: 'pier', source: 'reseed', pushed: true, completed: true }])
      expect(items).toHaveLength(1)

      expect(statSync(path.join(downloader.savePath, ownName)).size).toBe(bytes)
    })
  })
})

/** What the stand-in sites know a torrent's content by. */
const piecesOf = () =>
  createHash('sha1')
    .update(Buffer.concat(Array.from({ length: bytes / pieceBytes }, () => hole)))
    .digest('hex')

describe.skipIf(qbittorrent.isMissing).concurrent(`A site that knows pieces ${qbittorrent.skipNote}`.trim(), () => {
  let worker: WorkerUnderTest
  let sites: StandInSites
  let downloader: DownloaderUnderTest
  const offered = { pier: other, quay: torrentOf('other', hole, 'Another.Name.mkv') }

  beforeAll(async () => {
    ;[worker, sites, downloader] = await Promise.all([
      startWorker(),
      startStandInSites(),
      startQbittorrent(qbittorrent.path),
    ])
    await worker.addDownloader('nas-1', downloader.settings, { default: true })
    for (const [site, { file }] of Object.entries(offered)) {
      const state = sites.state('nexusphp', site)
      state.file = file.toString('base64')
      state.pieces = { [piecesOf()]: 7007 }
      await worker.addSite(consoleSite(site, 'nexusphp', sites.address('nexusphp', site), { cookie: goodCookie }))
    }
    putHole(downloader)
    await downloader.add(own, { hasData: false, isPaused: false })
  }, waitMs)
  afterAll(async () => {
    await worker?.close()
    await Promise.all([downloader?.dispose(), sites?.stop()])
  })

  test('is asked once, and what it has is seeded where its files are the same', { timeout: 4 * waitMs }, async ({
    expect,
  }) => {
    const shown = () => shownBy(worker)
    const whole = [100, 'seeding']
    await expect.poll(shown, { timeout: waitMs, interval: 500 }).toEqual({ [own.infoHash]: whole })
    const wanted = { enabled: true, sites: Object.keys(offered), asks_per_day: 50 }
    expect((await worker.console('PUT', '/settings/reseed', wanted)).status).toBe(200)
    await expect
      .poll(shown, { timeout: waitMs, interval: 500 })
      .toEqual({ [own.infoHash]: whole, [other.infoHash]: whole })
    const reseeds = async () => (await worker.console('GET', '/reseeds')).body
    await expect
      .poll(async () => (await reseeds()).items, {
        timeout: waitMs,
        interval: 500,
      })
      .toMatchObject([
        { site: 'pier', way: 'pieces', state: 'seeding', torrent_id: '7007' },
        { site: 'quay', way: 'pieces', state: 'other' },
      ])
    const { asked } = await reseeds()
    // What opens the lookup, the lookup and the file: no search, and nothing that is fetched twice.
    const calls = ['POST getrss.php', 'POST api/pieces-hash', 'GET download.php']
    // What is seeded now is of the same content, and asked about no more.
    expect([lookedAt(sites, 'pier'), lookedAt(sites, 'quay')]).toEqual([calls, calls])
    expect(asked).toMatchObject([
      { site: 'pier', asks: 3, ways: [{ way: 'pieces', found: 1 }] },
      { site: 'quay', ways: [{ way: 'pieces', found: 0 }] },
    ])
    expect((await worker.app('GET', '/tasks')).body.items).toMatchObject([
      { site: 'pier', torrent_id: '7007', source: 'reseed', pushed: true },
    ])
  })
})

describe.concurrent.each([
  ['qBittorrent', qbittorrent, () => startQbittorrent(qbittorrent.path), ['POST getrss.php', 'POST api/pieces-hash']],
  ['Transmission, which hands no file out', transmission, () => startTransmission(transmission.path), []],
] as const)('%s', (_, part, start, before) => {
  describe.skipIf(part.isMissing)(`with a service that knows its torrent ${part.skipNote}`.trim(), () => {
    let worker: WorkerUnderTest
    let sites: StandInSites
    let service: StandInReseedService
    let downloader: DownloaderUnderTest
    const offered = { pier: other, quay: torrentOf('other', hole, 'Another.Name.mkv') }

    beforeAll(async () => {
      ;[worker, sites, service, downloader] = await Promise.all([
        startWorker(),
        startStandInSites(),
        startStandInReseedService(),
        start(),
      ])
      await worker.addDownloader('nas-1', downloader.settings, { default: true })
      // Two hosts, as the service knows a site by its own.
      const addresses = {
        pier: sites.address('nexusphp', 'pier'),
        quay: sites.address('nexusphp', 'quay').replace('127.0.0.1', 'localhost'),
      }
      for (const [site, { file }] of Object.entries(offered)) {
        sites.state('nexusphp', site).file = file.toString('base64')
        const address = addresses[site as keyof typeof addresses]
        await worker.addSite(consoleSite(site, 'nexusphp', address, { cookie: goodCookie }))
      }
      service.set('reseed', {
        sites: [
          { id: 7, site: 'pier', base_url: new URL(addresses.pier).host },
          { id: 9, site: 'quay', base_url: new URL(addresses.quay).host },
        ],
        torrents: {
          [own.infoHash]: [
            { sid: 7, torrent_id: 7007, info_hash: offered.pier.infoHash },
            { sid: 9, torrent_id: 9009, info_hash: offered.quay.infoHash },
          ],
        },
      })
      putHole(downloader)
      await downloader.add(own, { hasData: false, isPaused: false })
    }, waitMs)
    afterAll(async () => {
      await worker?.close()
      await Promise.all([downloader?.dispose(), sites?.stop(), service?.stop()])
    })

    test('it is found by one question, and seeded where its files are the same', { timeout: 4 * waitMs }, async ({
      expect,
    }) => {
      const shown = () => shownBy(worker)
      const whole = [100, 'seeding']
      await expect.poll(shown, { timeout: waitMs, interval: 500 }).toEqual({ [own.infoHash]: whole })
      const opened = { address: `${service.origin}/reseed`, token: reseedToken }
      expect((await worker.console('PUT', '/settings/reseed-service', opened)).body).toMatchObject({ has_token: true })
      const wanted = { enabled: true, sites: Object.keys(offered), asks_per_day: 50 }
      expect((await worker.console('PUT', '/settings/reseed', wanted)).status).toBe(200)
      await expect
        .poll(shown, { timeout: waitMs, interval: 500 })
        .toEqual({ [own.infoHash]: whole, [other.infoHash]: whole })
      const reseeds = async () => (await worker.console('GET', '/reseeds')).body
      await expect
        .poll(async () => (await reseeds()).items, { timeout: waitMs, interval: 500 })
        .toMatchObject([
          { site: 'pier', way: 'service', state: 'seeding', torrent_id: '7007', info_hash: own.infoHash },
          { site: 'quay', way: 'service', state: 'other', info_hash: own.infoHash },
        ])
      expect(service.set('reseed', {}).calls).toEqual([
        'GET reseed/sites/index',
        'POST reseed/sites/reportExisting',
        'POST reseed/index/index',
      ])
      // A site that might know pieces is asked for that first.
      for (const site of Object.keys(offered)) expect(lookedAt(sites, site)).toEqual([...before, 'GET download.php'])
      expect((await reseeds()).service).toMatchObject({ has_token: true, sites: ['pier', 'quay'] })
      expect((await worker.app('GET', '/tasks')).body.items).toMatchObject([
        { site: 'pier', torrent_id: '7007', source: 'reseed', pushed: true },
      ])
      expect(statSync(path.join(downloader.savePath, ownName)).size).toBe(bytes)
    })
  })
})

const isMissing = qbittorrent.isMissing || transmission.isMissing
describe.skipIf(isMissing).concurrent(`Transmission ${transmission.skipNote}${qbittorrent.skipNote}`.trim(), () => {
  let worker: WorkerUnderTest
  let sites: StandInSites
  let old: DownloaderUnderTest
  let next: DownloaderUnderTest

  beforeAll(async () => {
    ;[worker, sites, old, next] = await Promise.all([
      startWorker(),
      startStandInSites(),
      startTransmission(transmission.path),
      startQbittorrent(qbittorrent.path),
    ])
    sites.state('unit3d', skinOf('pier')).file = other.file.toString('base64')
    const address = sites.address('unit3d', skinOf('pier'))
    await worker.addSite(consoleSite('pier', 'unit3d', address, { api_key: goodApiKey }))
  }, waitMs)
  afterAll(async () => {
    await worker?.close()
    await Promise.all([old?.dispose(), next?.dispose(), sites?.stop()])
  })

  test('hands no file out: its torrent moves to qBittorrent by the file of its site, with its data in place', {
    timeout: 3 * waitMs,
  }, async ({ expect }) => {
    const from = await worker.addDownloader('old', old.settings)
    const to = await worker.addDownloader('next', next.settings)
    const place = putHole(old)
    await worker.app('POST', '/search', { keyword: 'quiet' })
    const pushed = await worker.app('POST', '/push', { site: 'pier', torrent_id: '103', downloader_id: from })
    expect(pushed.body).toMatchObject({ success: true, info_hash: other.infoHash })
    const shown = async () =>
      (await worker.app('GET', '/torrents')).body.items.map(
        (one: { downloader_id: number; info_hash: string; progress: number; state: string; save_path: string }) => [
          one.downloader_id,
          one.info_hash,
          one.progress,
          one.state,
          one.save_path,
        ],
      )
    const at = (id: number) => [[id, other.infoHash, 100, 'seeding', old.savePath]]
    await expect.poll(shown, { timeout: waitMs, interval: 500 }).toEqual(at(from))

    const order = { from, to, task_ids: [other.infoHash] }
    expect((await worker.console('POST', '/transfers', order)).body).toEqual({ begun: 1 })
    await expect.poll(shown, { timeout: waitMs, interval: 1000 }).toEqual(at(to))
    await expect
      .poll(async () => (await worker.console('GET', '/transfers')).body.items, { timeout: waitMs })
      .toMatchObject([{ state: 'done' }])
    expect((await worker.app('GET', '/tasks')).body.items).toMatchObject([
      { site: 'pier', source: 'transfer', downloader: 'next' },
    ])
    expect(existsSync(place)).toBe(true)
  })
})
