// @module-tag slow
/** A free torrent that will not be complete in time is paused in a real downloader, and the log says why. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { consoleSite } from '../../support/console-site.ts'
import { until } from '../../support/daemon-process.ts'
import type { DownloaderUnderTest } from '../../support/downloader-under-test.ts'
import { makeTorrent } from '../../support/make-torrent.ts'
import { startQbittorrent } from '../../support/qbittorrent-daemon.ts'
import { requireReal } from '../../support/real-parts.ts'
import { goodApiKey, type StandInSites, startStandInSites } from '../../support/stand-in-sites.ts'
import { startTransmission } from '../../support/transmission-daemon.ts'
import { startWorker, type WorkerUnderTest } from '../../support/worker-under-test.ts'

const qbittorrent = requireReal('qbittorrent-nox')
const transmission = requireReal('transmission-daemon')
const waitMs = 90_000

// Beside one another: each is a world of its own, and waits most of its time for the next look.
describe.concurrent.each([
  ['qBittorrent', qbittorrent, startQbittorrent],
  ['Transmission', transmission, startTransmission],
] as const)('%s', (name, real, start) => {
  describe.skipIf(real.isMissing)(`with nobody to download from ${real.skipNote}`.trim(), () => {
    let worker: WorkerUnderTest
    let sites: StandInSites
    let downloader: DownloaderUnderTest
    let downloaderId = 0
    const first = makeTorrent(`Long Walk ${name}.mkv`, 600_000)
    const second = makeTorrent(`Long Walk 2 ${name}.mkv`, 600_000)

    beforeAll(async () => {
      worker = await startWorker()
      sites = await startStandInSites()
      downloader = await start(real.path)
      downloaderId = await worker.addDownloader('nas-1', downloader.settings, { default: true })
      for (const [site, torrent] of [
        ['shelf', first],
        ['bench', second],
      ] as const) {
        // This software's answers do not tell when a promotion ends.
        sites.state('unit3d', site).file = torrent.file.toString('base64')
        await worker.addSite(consoleSite(site, 'unit3d', sites.address('unit3d', site), { api_key: goodApiKey }))
      }
    }, 2 * 60_000)
    afterAll(async () => {
      await worker?.close()
      await Promise.all([downloader?.dispose(), sites?.stop()])
    })

    const settle = (action: string) => worker.console('PUT', '/settings/free-end', { action, unknown_end: 'ending' })
    async function pushFree(site: string): Promise<string> {
      const found = await worker.app('POST', '/search', { keyword: 'planet', sites: [site] })
      const item = found.body.items.find(({ free }: { free: boolean }) => free)
      const pushed = await worker.app('POST', '/push', {
        site,
        torrent_id: item.torrent_id,
        downloader_id: downloaderId,
      })
      if (pushed.status !== 200) throw new Error(pushed.text)
      return item.discount_end
    }
    const taskOf = async (site: string) => (await worker.app('GET', `/tasks?site=${site}`)).body.items[0]
    const stateOf = async (infoHash: string): Promise<string> =>
      (await worker.app('GET', `/torrents?downloader_id=${downloaderId}`)).body.items.find(
        (one: { info_hash: string }) => one.info_hash === infoHash,
      )?.state

    test('it is warned about and goes on, or is paused, as the owner settled', async ({ expect }) => {
      await settle('warn')
      expect(await pushFree('shelf')).toBe('unknown')
      await until('a warning', async () => (await taskOf('shelf')).free_ending, waitMs)
      expect(await taskOf('shelf')).toMatchObject({ free: true, free_end: 'unknown', free_ending: 'warned' })
      await expect.poll(() => stateOf(first.infoHash), { timeout: 30_000 }).toBe('downloading')

      await settle('pause')
      await pushFree('bench')
      await until(
        'a pause',
        async () => ((await stateOf(second.infoHash)) === downloader.stoppedState ? true : undefined),
        waitMs,
      )
      await until(
        'the record',
        async () => ((await taskOf('bench')).free_ending === 'paused' ? true : undefined),
        waitMs,
      )
      await until('both', async () => ((await taskOf('shelf')).free_ending === 'paused' ? true : undefined), waitMs)

      const { items } = (await worker.console('GET', '/audit')).body
      expect(items.filter(({ command }: { command: string }) => command === 'free-end').at(0)).toMatchObject({
        channel: 'service',
        result: 'ok',
        reason: { kind: 'push.free_ending', paused: true, why: 'unknown' },
      })
    })
  })
})
