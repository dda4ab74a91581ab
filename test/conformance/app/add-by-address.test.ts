/** Torrents from an address that a caller names, into a real qBittorrent and a real Transmission. */
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { torrentFileBytesMax } from '../../../workers/app/limits.ts'
import { until } from '../../support/daemon-process.ts'
import type { DownloaderUnderTest } from '../../support/downloader-under-test.ts'
import { endServer, listenOnLoopback } from '../../support/loopback.ts'
import { makeTorrent } from '../../support/make-torrent.ts'
import { runtimeUnderTest } from '../../support/process-host.ts'
import { startQbittorrent } from '../../support/qbittorrent-daemon.ts'
import { requireReal } from '../../support/real-parts.ts'
import { startTransmission } from '../../support/transmission-daemon.ts'
import { startWorker, type WorkerUnderTest } from '../../support/worker-under-test.ts'

const qbittorrent = requireReal('qbittorrent-nox')
const transmission = requireReal('transmission-daemon')
const isMissing = qbittorrent.isMissing || transmission.isMissing

/** `home` is a name of the internet; `inside` is one, too, and leads into this network. Whoever answers is this machine. */
const names = { home: 'files.lantern.dev', inside: 'inside.lantern.dev' }
const preloaded = pathToFileURL(`${import.meta.dirname}/../../support/own-names.mjs`).href

// workerd resolves names by itself, where no test has a say.
describe.skipIf(isMissing || runtimeUnderTest !== 'node')(
  `torrents from an address, on real downloaders ${qbittorrent.skipNote}${transmission.skipNote}`.trim(),
  () => {
    const torrents = { qb: makeTorrent('Tide.Tables.S01E01.1080p'), tr: makeTorrent('Tide.Tables.S01E02.1080p') }
    const asked: string[] = []
    const files = createServer(({ url = '', headers }, response) => {
      asked.push(`${headers.host?.split(':')[0]}${url}`)
      const torrent = Object.values(torrents).find(({ name }) => url === `/${name}.torrent`)
      if (torrent !== undefined) response.end(torrent.file)
      else if (url.startsWith('/to/')) response.writeHead(302, { location: decodeURIComponent(url.slice(4)) }).end()
      else if (url === '/large.torrent') response.end(Buffer.alloc(torrentFileBytesMax + 1, 'd'))
      else response.end('<!doctype html><title>Sign in</title><form action="/takelogin.php" method="post"></form>')
    })
    let worker: WorkerUnderTest
    let port = ''
    const downloaders: Partial<Record<keyof typeof torrents, DownloaderUnderTest>> = {}
    const ids: Partial<Record<keyof typeof torrents, number>> = {}

    beforeAll(async () => {
      const { url } = await listenOnLoopback(files)
      port = new URL(url).port
      ;[worker, downloaders.qb, downloaders.tr] = await Promise.all([
        startWorker({
          NODE_OPTIONS: `--import=${preloaded}`,
          WHARF_TEST_NAMES: `${names.home}=93.184.215.14,${names.inside}=192.168.7.20`,
        }),
        startQbittorrent(qbittorrent.path),
        startTransmission(transmission.path),
      ])
      ids.qb = await worker.addDownloader('first', downloaders.qb.settings)
      ids.tr = await worker.addDownloader('second', downloaders.tr.settings)
    })
    afterAll(async () => {
      await worker?.close()
      await Promise.all([downloaders.qb?.dispose(), downloaders.tr?.dispose(), endServer(files)])
    })

    const at = (name: string, path: string) => `http://${name}:${port}${path}`
    /** Where it is sent on to another address. */
    const on = (address: string) => at(names.home, `/to/${encodeURIComponent(address)}`)

    test.for(['qb', 'tr'] as const)(
      '%s has the very torrent that stands there, and runs it',
      async (which, { expect }) => {
        const torrent = torrents[which]
        const address = at(names.home, `/${torrent.name}.torrent`)
        const body = { downloader_id: ids[which], address, category: 'series' }
        const added = await worker.app('POST', '/torrents', body)
        expect(added).toMatchObject({
          status: 200,
          body: { success: true, skipped: false, title: torrent.name, info_hash: torrent.infoHash },
        })
        const shown = await until('the torrent to run', async () => {
          const { body: details } = await worker.app('GET', `/torrents/${ids[which]}/${torrent.infoHash}`)
          return details.torrent?.state === 'downloading' ? details : undefined
        })
        expect(shown).toMatchObject({
          torrent: { category: 'series' },
          pieces: 3,
          files: [{ size: torrent.data.length }],
        })
        const kept = await fetch(`${worker.address}/api/console/v1/torrents/${ids[which]}/${torrent.infoHash}/file`, {
          headers: worker.ownerHeaders,
        })
        // Transmission hands out no files; that its hash is this one's says as much.
        expect(kept.status).toBe(which === 'qb' ? 200 : 409)
        if (which === 'qb') {
          const info = torrent.file.subarray(torrent.file.indexOf('4:info'), -1)
          expect(Buffer.from(await kept.arrayBuffer()).includes(info)).toBe(true)
        }
        const again = await worker.app('POST', '/torrents', body)
        expect(again.body).toMatchObject({ success: true, skipped: true, reason: { kind: 'push.there_already' } })
      },
    )

    test('one that leads to a magnet link adds that', async ({ expect }) => {
      const { infoHash } = makeTorrent('Tide.Tables.S01E03.1080p')
      const body = { downloader_id: ids.qb, address: on(`magnet:?xt=urn:btih:${infoHash}&dn=Tide`) }
      const added = await worker.app('POST', '/torrents', body)
      expect(added.body).toMatchObject({ success: true, title: 'Tide', info_hash: infoHash })
    })

    test.for<[string, () => string, number, string]>([
      ['a login page', () => at(names.home, '/login.php'), 502, 'site.broken'],
      ['what is too large', () => at(names.home, '/large.torrent'), 502, 'site.too_large'],
      ['an address of this machine', () => at('127.0.0.1', '/x.torrent'), 400, 'rule.public_address'],
      ['a name that leads into this network', () => at(names.inside, '/x.torrent'), 502, 'site.unreachable'],
      ['one that leads on to such a name', () => on(at(names.inside, '/x.torrent')), 502, 'site.unreachable'],
      ['one that leads on to this machine', () => on(at('127.0.0.1', '/x.torrent')), 502, 'site.redirected'],
    ])('%s adds nothing, and nothing inside is asked', async ([, address, status, why], { expect }) => {
      const total = async () => (await worker.app('GET', '/torrents')).body.total
      const before = await total()
      asked.length = 0
      const answer = await worker.app('POST', '/torrents', { downloader_id: ids.tr, address: address() })
      expect(answer.status).toBe(status)
      const { reason, rule } = answer.body.reason
      expect((reason ?? rule).kind).toBe(why)
      expect(await total()).toBe(before)
      expect(asked.filter((one) => !one.startsWith(names.home))).toEqual([])
    })
  },
)
