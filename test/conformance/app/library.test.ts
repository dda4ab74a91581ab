/** From a complete torrent to the library, with real downloaders and the service in its own process, which is killed on the way. */
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { until } from '../../support/daemon-process.ts'
import type { DownloaderUnderTest } from '../../support/downloader-under-test.ts'
import { type MadeTorrent, makeTorrent } from '../../support/make-torrent.ts'
import { startQbittorrent } from '../../support/qbittorrent-daemon.ts'
import { requireReal } from '../../support/real-parts.ts'
import { ownerOf, type RunningWharf, startWharf, temporaryFolder, tokenOf } from '../../support/running-wharf.ts'
import { goodMetadataKey, type StandInServices, startStandInServices } from '../../support/stand-in-services.ts'
import { startTransmission } from '../../support/transmission-daemon.ts'

const qbittorrent = requireReal('qbittorrent-nox')
const transmission = requireReal('transmission-daemon')
const parts = [qbittorrent, transmission]
const patienceMs = 60_000

describe.skipIf(parts.some(({ isMissing }) => isMissing))(
  `from a complete torrent to the library ${parts.map(({ skipNote }) => skipNote).join('')}`.trim(),
  () => {
    const folder = temporaryFolder()
    const film = makeTorrent('Planet.Walk.2020.1080p.mkv')
    const episode = makeTorrent('The.Salt.Road.S01E02.mkv')
    let wharf: RunningWharf
    let cookie: Readonly<Record<string, string>>
    let token: Readonly<Record<string, string>>
    let services: StandInServices
    let qb: DownloaderUnderTest
    let tr: DownloaderUnderTest
    const ids = { qb: 0, tr: 0, film: 0, series: 0 }

    const app = (method: string, at: string, body?: unknown) => wharf.request(method, `/api/app/v1${at}`, token, body)
    async function settle(method: string, at: string, body: unknown): Promise<number> {
      const answer = await wharf.request(method, `/api/console/v1${at}`, { ...cookie, origin: wharf.origin }, body)
      if (answer.status !== 200) throw new Error(answer.text)
      return Number(answer.body.id)
    }
    const addLibrary = (media_type: string, at: string) =>
      settle('POST', '/libraries', { name: media_type, media_type, path: at, mode: 'move', default: true })
    const historyOf = async (torrent: MadeTorrent) =>
      (await app('GET', `/media/history?q=${encodeURIComponent(torrent.name)}`)).body.items
    const organised = (torrent: MadeTorrent, status: string) =>
      until(
        `${torrent.name} to be ${status}`,
        async () => {
          const [item] = await historyOf(torrent)
          return item?.status === status ? item : undefined
        },
        patienceMs,
      )
    const shown = async (id: number, { infoHash }: MadeTorrent) =>
      (await app('GET', `/torrents?downloader_id=${id}`)).body.items.find(
        (one: { info_hash: string }) => one.info_hash === infoHash,
      )
    const seedsFrom = (id: number, torrent: MadeTorrent, place: string) =>
      until('the torrent to seed from its new place', async () => {
        const one = await shown(id, torrent)
        return one?.state === 'seeding' && one.save_path.replace(/\/$/, '') === place ? one : undefined
      })
    const wake = () => app('POST', `/subscriptions/${ids.film}/status`, { status: 'active' })

    beforeAll(async () => {
      wharf = await startWharf(folder.path)
      cookie = await ownerOf(wharf)
      token = await tokenOf(wharf, cookie, ['app:read', 'app:write'])
      const starts = [
        startStandInServices().then((one) => {
          services = one
        }),
        startQbittorrent(qbittorrent.path).then((one) => {
          qb = one
        }),
        startTransmission(transmission.path).then((one) => {
          tr = one
        }),
      ]
      await Promise.allSettled(starts)
      await Promise.all(starts)
      const provider = `${services.origin}/library`
      await settle('PUT', '/settings/metadata', {
        api_address: `${provider}/3`,
        image_address: `${provider}/t/p`,
        api_key: goodMetadataKey,
      })
      const add = ({ kind, settings: { baseUrl: address, username, password } }: DownloaderUnderTest) =>
        settle('POST', '/downloaders', {
          ...{ name: kind, type: kind, address, username, password, enabled: true, default: kind === 'qbittorrent' },
        })
      ids.qb = await add(qb)
      ids.tr = await add(tr)
      ids.film = (await app('POST', '/subscriptions', { media_type: 'movie', tmdb_id: 11 })).body.id
      ids.series = (await app('POST', '/subscriptions', { media_type: 'tv', tmdb_id: 21, season: 1 })).body.id
      await addLibrary('movie', path.join(qb.savePath, 'films'))
      await qb.add(film, { hasData: true, isPaused: false })
      await tr.add(episode, { hasData: true, isPaused: false })
      for (const [id, torrent] of [
        [ids.qb, film],
        [ids.tr, episode],
      ] as const)
        await until('the torrent to seed', async () =>
          (await shown(id, torrent))?.state === 'seeding' ? true : undefined,
        )
      await wharf.stop()
      const taken = [
        { torrent: film, subscriptionId: ids.film, downloaderId: ids.qb, episode: null },
        { torrent: episode, subscriptionId: ids.series, downloaderId: ids.tr, episode: 2 },
      ]
      changeDatabase(folder.path, (database) => noteTaken(database, taken))
      wharf = await startWharf(folder.path)
    }, 3 * 60_000)

    afterAll(async () => {
      await wharf?.kill()
      await Promise.all([qb?.dispose(), tr?.dispose(), services?.stop()])
      folder.remove()
    })

    test('a film is moved by qBittorrent and seeds on, though the service is killed on the way', async ({ expect }) => {
      const place = path.join(qb.savePath, 'films', '星球漫步 (2020)')
      await wake()
      // Somewhere between the intent and its outcome, or at its end: it comes to the same.
      await until('the folder to be made', async () => (existsSync(place) ? true : undefined), patienceMs)
      await wharf.kill()
      passTime(folder.path)
      wharf = await startWharf(folder.path)
      // At another port its cookie has another name.
      cookie = await ownerOf(wharf)
      await wake()

      const item = await organised(film, 'done')

      expect(item).toMatchObject({
        media_type: 'movie',
        tmdb_id: 11,
        torrent_name: film.name,
        library: 'movie',
        target_path: place,
        mode: 'move',
        size: film.data.length,
      })
      expect(await historyOf(film)).toHaveLength(1)
      await seedsFrom(ids.qb, film, place)
      expect((await readFile(path.join(place, film.name))).equals(film.data)).toBe(true)
      expect(existsSync(path.join(qb.savePath, film.name))).toBe(false)
      expect((await app('GET', `/subscriptions/${ids.film}`)).body.progress).toMatchObject({
        in_library: 1,
        missing: [],
      })
    })

    test('an episode without a library stays; with one Transmission moves it when the owner says so', async ({
      expect,
    }) => {
      const skipped = await organised(episode, 'skipped')
      const before = (await app('GET', `/subscriptions/${ids.series}`)).body.progress
      await addLibrary('tv', path.join(tr.savePath, 'tv'))

      await settle('POST', `/media/history/${skipped.id}/retry`, {})
      const item = await organised(episode, 'done')

      const place = path.join(tr.savePath, 'tv', '盐路 (2018)', 'Season 01')
      expect(skipped).toMatchObject({ mode: 'keep', target_path: tr.savePath })
      expect(before).toMatchObject({ in_library: 1, missing: [1] })
      expect(item).toMatchObject({ id: skipped.id, season: 1, episode: 2, mode: 'move', target_path: place })
      await seedsFrom(ids.tr, episode, place)
      expect((await readFile(path.join(place, episode.name))).equals(episode.data)).toBe(true)
      expect(existsSync(path.join(tr.savePath, episode.name))).toBe(false)
    })

    test('a subscription that is deleted leaves its film in the library, seeding, and its history', async ({
      expect,
    }) => {
      const place = path.join(qb.savePath, 'films', '星球漫步 (2020)')

      const deleted = await app('DELETE', `/subscriptions/${ids.film}`)

      expect(deleted.body).toEqual({ ok: true })
      expect((await readFile(path.join(place, film.name))).equals(film.data)).toBe(true)
      await seedsFrom(ids.qb, film, place)
      expect(await historyOf(film)).toMatchObject([{ status: 'done', target_path: place }])
    })

    test('what is deleted with its files is not in the library any more', async ({ expect }) => {
      const targets = [{ downloader_id: ids.tr, task_id: episode.infoHash }]

      const acted = await app('POST', '/torrents/actions', { action: 'delete_with_files', targets })

      expect(acted.body).toMatchObject({ succeeded: 1, failed: 0 })
      expect(await historyOf(episode)).toMatchObject([{ status: 'removed' }])
      expect((await app('GET', `/subscriptions/${ids.series}`)).body.progress).toMatchObject({
        in_library: 0,
        missing: [1, 2],
      })
    })
  },
)

interface Taken {
  readonly torrent: MadeTorrent
  readonly subscriptionId: number
  readonly downloaderId: number
  readonly episode: number | null
}

/** Of a service that does not run. */
function changeDatabase(dataFolder: string, change: (database: DatabaseSync) => void): void {
  for (const name of readdirSync(dataFolder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.sqlite')) continue
    const database = new DatabaseSync(path.join(dataFolder, name))
    if (database.prepare("select 1 from sqlite_master where name = 'subscription_torrents'").get()) change(database)
    database.close()
  }
}

/** What a run that was cut off holds is given up after a minute: here at once. */
function passTime(dataFolder: string): void {
  changeDatabase(dataFolder, (database) => {
    database.exec('update jobs set lease_until_unix = 0; update media_history set next_at_unix = 0')
  })
}

/** As a search run leaves them once they are downloaded. */
function noteTaken(database: DatabaseSync, taken: readonly Taken[]): void {
  for (const { torrent, subscriptionId, downloaderId, episode } of taken) {
    database
      .prepare(
        `insert into subscription_torrents (subscription_id, site, torrent_id, title, episode, complete, size_bytes, status,
           pushed, created_at_unix, updated_at_unix)
           values (?, 'shelf', ?, ?, ?, 1, ?, 'downloading', 1, unixepoch(), unixepoch())`,
      )
      .run(subscriptionId, String(downloaderId), torrent.name, episode, torrent.data.length)
    database
      .prepare(
        `insert into push_records (site, torrent_id, title, folded_title, size_bytes, source, downloader_id, downloader,
           info_hashes, pushed, pushed_at_unix, progress_percent, completed, completed_at_unix, created_at_unix)
           values ('shelf', ?, ?, '', ?, 'subscription', ?, 'a downloader', ?, 1, 1, 100, 1, 1, 1)`,
      )
      .run(String(downloaderId), torrent.name, torrent.data.length, downloaderId, torrent.infoHash)
  }
}
