/**
 * From a search, or a subscription, to a complete download, with everything real but the site and the metadata provider:
 * the service in its own process, a tracker, one downloader that has the file and another one that gets it.
 */
import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { consoleSite } from '../../support/console-site.ts'
import { until } from '../../support/daemon-process.ts'
import type { DownloaderUnderTest } from '../../support/downloader-under-test.ts'
import { type MadeTorrent, makeTorrent } from '../../support/make-torrent.ts'
import { startQbittorrent } from '../../support/qbittorrent-daemon.ts'
import { requireReal } from '../../support/real-parts.ts'
import { goodMetadataKey, type StandInServices, startStandInServices } from '../../support/stand-in-services.ts'
import { canaryLinkKey, goodCookie, type StandInSites, startStandInSites } from '../../support/stand-in-sites.ts'
import { chooseTracker, startTracker, type TrackerUnderTest } from '../../support/tracker-daemon.ts'
import { startTransmission } from '../../support/transmission-daemon.ts'
import { startWorker, type WorkerUnderTest } from '../../support/worker-under-test.ts'

const qbittorrent = requireReal('qbittorrent-nox')
const transmission = requireReal('transmission-daemon')
const opentracker = requireReal('opentracker')
const parts = [qbittorrent, transmission, opentracker]
const completionMs = 90_000

describe.skipIf(parts.some(({ isMissing }) => isMissing))(
  `from a search to a complete download ${parts.map(({ skipNote }) => skipNote).join('')}`.trim(),
  () => {
    let worker: WorkerUnderTest
    let sites: StandInSites
    let provider: StandInServices
    let tracker: TrackerUnderTest
    let qb: DownloaderUnderTest
    let tr: DownloaderUnderTest
    let intoQb: MadeTorrent
    let intoTr: MadeTorrent
    let wanted: MadeTorrent
    let brushed: MadeTorrent
    let qbId = 0
    let trId = 0

    beforeAll(async () => {
      // First and alone: it has the longest start.
      worker = await startWorker()
      const { port, announce } = await chooseTracker()
      intoQb = makeTorrent('Planet Walk 星球漫步.mkv', 600_000, { announce })
      intoTr = makeTorrent('Planet Walk 2.mkv', 600_000, { announce })
      wanted = makeTorrent('Planet Walk 3.mkv', 600_000, { announce })
      brushed = makeTorrent('Planet Walk 4.mkv', 600_000, { announce })
      // What started is ended even when another does not start.
      const starts = [
        startStandInSites().then((one) => {
          sites = one
        }),
        startStandInServices().then((one) => {
          provider = one
        }),
        startTracker(opentracker.path, port, [intoQb, intoTr, wanted, brushed]).then((one) => {
          tracker = one
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
      qbId = await worker.addDownloader('first', qb.settings, { default: true })
      trId = await worker.addDownloader('second', tr.settings)
      await addSite('shelf', intoQb)
      await addSite('bench', intoTr)
      await addSite('stall', brushed)
    }, 2 * 60_000)
    afterAll(async () => {
      await worker?.close()
      await Promise.all([qb?.dispose(), tr?.dispose(), tracker?.dispose(), sites?.stop(), provider?.stop()])
    })

    async function addSite(name: string, torrent: MadeTorrent): Promise<void> {
      sites.state('nexusphp', name).file = torrent.file.toString('base64')
      const address = sites.address('nexusphp', name)
      const site = consoleSite(name, 'nexusphp', address, { cookie: goodCookie })
      await worker.addSite(site)
    }

    const taskOf = async (site: string) => (await worker.app('GET', `/tasks?site=${site}`)).body.items[0]

    test.for(['qBittorrent', 'Transmission'] as const)(
      'a torrent found at a site comes into %s, and its task says when it is complete',
      async (name, { expect }) => {
        const [site, torrent, giver, taker, id] =
          name === 'qBittorrent'
            ? (['shelf', intoQb, tr, qb, qbId] as const)
            : (['bench', intoTr, qb, tr, trId] as const)
        const give = async () => {
          await giver.add(torrent, { hasData: true, isPaused: false })
          await tracker.hears(torrent.infoHash, 'complete')
        }
        // Clients ask the tracker rarely. Who asks second learns of the other; and Transmission does not call an address
        // of its own machine, so qBittorrent comes second both times.
        if (giver === tr) await give()
        const found = await worker.app('POST', '/search', { keyword: 'planet', sites: [site] })
        const item = found.body.items.find(({ free }: { free: boolean }) => free)

        const pushed = await worker.app('POST', '/push', {
          site: item.site,
          torrent_id: item.torrent_id,
          downloader_id: id,
          category: 'films',
        })

        expect(pushed.status, pushed.text).toBe(200)
        expect(pushed.body).toMatchObject({ success: true, skipped: false, info_hash: torrent.infoHash })
        expect(await taskOf(site)).toMatchObject({
          torrent_id: item.torrent_id,
          title: torrent.name,
          pushed: true,
          free: true,
          has_hr: true,
          source: 'app_push',
        })
        if (giver === qb) {
          await tracker.hears(torrent.infoHash, 'incomplete')
          await give()
        }
        // The first one waits for the service to look by itself. The other way round it is told to, as from the console.
        if (taker === tr) {
          await until(
            'the download to end',
            async () => {
              const { items } = (await worker.app('GET', `/torrents?downloader_id=${id}&q=Walk%202`)).body
              return items[0]?.progress === 100 ? true : undefined
            },
            completionMs,
          )
          await worker.console('POST', '/jobs/run', { job: 'tasks' })
        }
        const done = await until(
          'the task to be complete',
          async () => {
            const task = await taskOf(site)
            return task.completed ? task : undefined
          },
          completionMs,
        )
        expect(done).toMatchObject({ progress: 100, completed: true, pushed: true })
        expect(done.completed_at).toBeGreaterThanOrEqual(done.pushed_at)
        expect(done).not.toHaveProperty('error')
        expect((await readFile(path.join(taker.savePath, torrent.name))).equals(torrent.data)).toBe(true)
        const { body } = await worker.app('GET', `/torrents?downloader_id=${id}`)
        expect(
          body.items.map(({ category, progress }: Record<string, unknown>) => [category, progress]),
        ).toContainEqual(['films', 100])
      },
    )

    test('a second push of each is skipped, and adds no record', async ({ expect }) => {
      const answers = [
        await worker.app('POST', '/push', { site: 'shelf', torrent_id: '101' }),
        await worker.app('POST', '/push', { site: 'bench', torrent_id: '101', downloader_id: trId }),
      ]

      for (const { status, body } of answers) expect([status, body.success, body.skipped]).toEqual([200, true, true])
      expect((await worker.app('GET', '/tasks')).body.total).toBe(2)
    })

    test('a film that is subscribed to is found by itself, downloaded, and done', async ({ expect }) => {
      await addSite('den', wanted)
      await tr.add(wanted, { hasData: true, isPaused: false })
      await tracker.hears(wanted.infoHash, 'complete')
      const film = {
        id: 11,
        title: '星球漫步',
        original_title: 'Planet Walk',
        release_date: '2026-03-01',
        poster_path: null,
      }
      await fetch(`${provider.origin}/control/films`, {
        method: 'POST',
        body: JSON.stringify({ details: { '/movie/11': film } }),
      })
      const address = `${provider.origin}/films`
      await worker.console('PUT', '/settings/metadata', {
        ...{ api_address: `${address}/3`, image_address: `${address}/t/p`, api_key: goodMetadataKey },
      })
      const { body: profile } = await worker.console('POST', '/quality-profiles', {
        ...{ name: 'den', default: false, resolutions: ['1080p'], sources: [], required_words: [], refused_words: [] },
        ...{ min_gib: 0, max_gib: 0, min_seeders: 1, free_only: true, refuse_hr: false, sites: ['den'] },
      })

      const subscribed = await worker.app('POST', '/subscriptions', {
        ...{ media_type: 'movie', tmdb_id: 11, profile_id: profile.id },
      })

      expect(subscribed.status, subscribed.text).toBe(200)
      const subscription = `/subscriptions/${subscribed.body.id}`
      await until(
        'the download to end',
        async () => {
          const { items } = (await worker.app('GET', `/torrents?downloader_id=${qbId}&q=Walk%203`)).body
          return items[0]?.progress === 100 ? true : undefined
        },
        completionMs,
      )
      await worker.console('POST', '/jobs/run', { job: 'tasks' })
      const done = await until(
        'the subscription to be done',
        async () => {
          const { body } = await worker.app('GET', subscription)
          return body.status === 'done' ? body : undefined
        },
        completionMs,
      )
      expect(done.progress).toEqual({ total: 1, aired: 1, in_library: 1, downloading: 0, missing: [] })
      expect(done.torrents).toMatchObject([
        { site: 'den', torrent_id: '101', title: 'Planet.Walk.2026.1080p', status: 'done', complete: true },
      ])
      expect(await taskOf('den')).toMatchObject({ source: 'subscription', completed: true, downloader: 'first' })
      expect((await readFile(path.join(qb.savePath, wanted.name))).equals(wanted.data)).toBe(true)
      // Nothing is left to look for.
      expect((await worker.app('POST', `${subscription}/search`)).status).toBe(400)
    })

    test('a brush task takes a free torrent, counts what it moves, and removes it with its files by rule', async ({
      expect,
    }) => {
      const settings = (removal: object) => ({
        name: 'fresh',
        enabled: true,
        site: 'stall',
        downloader_id: trId,
        every_minutes: 60,
        rules: {
          pick: { free_only: true, refuse_hr: false, refused_words: [] },
          bounds: { active_max: 1, downloading_max: 1, active_gib_max: 10, new_per_run_max: 1 },
          removal: { free_over: false, ...removal },
        },
      })
      const added = await worker.console('POST', '/brush-tasks', settings({}))
      expect(added.status, added.text).toBe(200)
      const task = async () => (await worker.app('GET', '/brush/tasks')).body[0]
      /** Run again and again, as from the console, until the task is like that. */
      const runsUntil = (what: string, isSo: (shown: Awaited<ReturnType<typeof task>>) => boolean) =>
        until(
          what,
          async () => {
            await worker.console('POST', `/brush-tasks/${added.body.id}/run`)
            const shown = await task()
            return isSo(shown) ? shown : undefined
          },
          completionMs,
        )
      // As above: who asks the tracker second calls the other one.
      await tracker.hears(brushed.infoHash, 'incomplete')
      expect(await task()).toMatchObject({ site: 'stall', downloader: 'second', active: 1, downloading: 1 })
      await qb.add(brushed, { hasData: true, isPaused: false })
      const seeding = await runsUntil('the task to see it complete', ({ downloading }) => downloading === 0)
      const file = path.join(tr.savePath, brushed.name)
      expect((await readFile(file)).equals(brushed.data)).toBe(true)
      const { items } = (await worker.app('GET', `/torrents?downloader_id=${trId}&q=Walk%204`)).body
      expect(items).toMatchObject([{ category: 'brush', tags: 'fresh', progress: 100 }])
      // Some seconds, which are over.
      await worker.console('PUT', `/brush-tasks/${added.body.id}`, settings({ seeding_hours: 0.001 }))
      const over = await runsUntil('the task to remove it', ({ active }) => active === 0)

      expect(seeding).toMatchObject({ active: 1, active_size: 600_000, total: { added: 1, removed: 0 } })
      expect(seeding.today.downloaded).toBeGreaterThanOrEqual(600_000)
      expect(over.total).toMatchObject({ downloaded: seeding.today.downloaded, added: 1, removed: 1 })
      expect((await worker.app('GET', `/torrents?downloader_id=${trId}&q=Walk%204`)).body.items).toEqual([])
      await until('its file to be gone', () =>
        access(file).then(
          () => undefined,
          () => true,
        ),
      )
      expect(await taskOf('stall')).toMatchObject({ source: 'brush', pushed: true })
    })

    test('nothing that was printed or stored in the open holds a key of the account', ({ expect }) => {
      expect(worker.said()).not.toContain(canaryLinkKey)
      expect(worker.said()).not.toContain(goodCookie.split('=')[1])
    })
  },
)
