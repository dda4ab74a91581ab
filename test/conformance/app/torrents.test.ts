/** Torrents and downloaders through the whole Worker on this machine, with a real qBittorrent and a real Transmission. */

import { existsSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { torrentSorts } from '../../../workers/app/core/vocabulary.ts'
import { downloaderWaitMs } from '../../../workers/app/limits.ts'
import { until } from '../../support/daemon-process.ts'
import type { DownloaderUnderTest } from '../../support/downloader-under-test.ts'
import { endServer, listenOnLoopback } from '../../support/loopback.ts'
import { type MadeTorrent, makeFolderTorrent, makeTorrent } from '../../support/make-torrent.ts'
import { startQbittorrent } from '../../support/qbittorrent-daemon.ts'
import { requireReal } from '../../support/real-parts.ts'
import { startTransmission } from '../../support/transmission-daemon.ts'
import { startWorker, type WorkerUnderTest } from '../../support/worker-under-test.ts'

const qbittorrent = requireReal('qbittorrent-nox')
const transmission = requireReal('transmission-daemon')
const isMissing = qbittorrent.isMissing || transmission.isMissing

interface WireTorrent {
  readonly downloader_id: number
  readonly task_id: string
  readonly title: string
  readonly state: string
  readonly [field: string]: unknown
}

describe.skipIf(isMissing)(
  `torrents on real downloaders ${qbittorrent.skipNote}${transmission.skipNote}`.trim(),
  () => {
    let worker: WorkerUnderTest
    let qb: DownloaderUnderTest
    let tr: DownloaderUnderTest
    let qbId = 0
    let trId = 0

    beforeAll(async () => {
      ;[worker, qb, tr] = await Promise.all([
        startWorker(),
        startQbittorrent(qbittorrent.path),
        startTransmission(transmission.path),
      ])
      qbId = await worker.addDownloader('first', qb.settings)
      trId = await worker.addDownloader('second', tr.settings, { default: true })
      await worker.addDownloader('switched off', { ...qb.settings, baseUrl: 'http://127.0.0.1:9' }, { enabled: false })
    })
    afterAll(async () => {
      await worker?.close()
      await Promise.all([qb?.dispose(), tr?.dispose()])
    })

    const listed = async (query = ''): Promise<WireTorrent[]> =>
      (await worker.app('GET', `/torrents?page_size=200${query}`)).body.items
    const act = (action: string, targets: readonly (readonly [number, string])[]) =>
      worker.app('POST', '/torrents/actions', {
        action,
        targets: targets.map(([downloader_id, task_id]) => ({ downloader_id, task_id })),
      })
    const stateOf = async (id: number, torrent: MadeTorrent): Promise<string | undefined> =>
      (await listed(`&downloader_id=${id}`)).find(({ task_id }) => task_id === torrent.infoHash)?.state

    async function added(
      downloader: DownloaderUnderTest,
      id: number,
      name: string,
      hasData: boolean,
    ): Promise<MadeTorrent> {
      const torrent = makeTorrent(name)
      await downloader.add(torrent, { hasData, isPaused: false })
      const state = hasData ? 'seeding' : 'downloading'
      await until(`${name} to be ${state}`, async () => ((await stateOf(id, torrent)) === state ? true : undefined))
      return torrent
    }

    test('what a tracker refuses is said in its words, counted and found by it, without the key in them', async ({
      expect,
    }) => {
      const key = 'c0ffee'.repeat(6)
      const words = `not authorized for use with this tracker, passkey=${key}`
      const tracker = createServer((_, response) => {
        response.end(`d14:failure reason${words.length}:${words}e`)
      })
      const { port } = await listenOnLoopback(tracker)
      const announce = `http://127.0.0.1:${port}/announce?passkey=${key}`
      const refused = ['Refused One.bin', 'Refused Two.bin'].map((name) => makeTorrent(name, 40_000, { announce }))
      try {
        for (const [index, torrent] of refused.entries())
          await [qb, tr][index]?.add(torrent, { hasData: false, isPaused: false })
        const found = await until('both refusals', async () => {
          const { body } = await worker.app('GET', '/torrents?condition=tracker_error&q=refused')
          return body.total === 2 ? body : undefined
        })
        expect(found.items.map(({ title }: WireTorrent) => title).sort()).toEqual(refused.map(({ name }) => name))
        expect(found.counts).toEqual({ states: { downloading: 2 }, conditions: { tracker_error: 2 } })
        for (const item of found.items) {
          expect(item).toMatchObject({ state: 'downloading', condition: 'tracker_error' })
          expect(item.condition_said).toContain('not authorized for use with this tracker')
        }
        expect(JSON.stringify(found)).not.toContain(key)
        const { body: groups } = await worker.app('GET', '/torrents/groups?state=paused')
        const matters = groups.matters as readonly { tracker?: string; total: number; condition_said?: string }[]
        const ours = matters.filter(({ tracker }) => tracker === `127.0.0.1:${port}`)
        expect(ours.reduce((sum, { total }) => sum + total, 0)).toBe(2)
        const asked = new URLSearchParams({ tracker: `127.0.0.1:${port}`, said: ours[0]?.condition_said ?? '' })
        expect((await worker.app('GET', `/torrents?${asked}`)).body.total).toBe(ours[0]?.total)
        expect(JSON.stringify(groups)).not.toContain(key)
        expect((await worker.app('GET', '/torrents?condition=moving')).body).toMatchObject({ total: 0 })
        expect((await worker.app('GET', '/torrents?condition=sleeping')).status).toBe(400)
      } finally {
        await Promise.all([
          qb.removeElsewhere(refused[0]?.infoHash ?? ''),
          tr.removeElsewhere(refused[1]?.infoHash ?? ''),
        ])
        await endServer(tracker)
      }
    })

    test('a magnet link and a file are added, looked into, changed and moved, on either downloader', async ({
      expect,
    }) => {
      const folder = (downloader: DownloaderUnderTest) => path.join(downloader.savePath, 'kept here')
      for (const [id, downloader] of [
        [qbId, qb],
        [trId, tr],
      ] as const) {
        const torrent = makeTorrent(`Brought To ${id}.bin`)
        const link = makeTorrent(`Linked To ${id}`)
        const file = torrent.file.toString('base64')
        const body = { downloader_id: id, file, category: 'films', tags: 'one, two', save_path: folder(downloader) }

        const added = await worker.app('POST', '/torrents', { ...body, paused: true })
        expect(added).toMatchObject({
          status: 200,
          body: { success: true, skipped: false, title: torrent.name, info_hash: torrent.infoHash, downloader_id: id },
        })
        const again = await worker.app('POST', '/torrents', body)
        expect(again.body).toMatchObject({ success: true, skipped: true, reason: { kind: 'push.there_already' } })
        const magnet = `magnet:?xt=urn:btih:${link.infoHash}&dn=Linked`
        const linked = await worker.app('POST', '/torrents', { downloader_id: id, magnet })
        expect(linked.body).toMatchObject({ success: true, title: 'Linked', info_hash: link.infoHash })

        const details = async () => (await worker.app('GET', `/torrents/${id}/${torrent.infoHash}`)).body
        await until('what was asked for', async () => {
          const { torrent: shown } = await details()
          const isThere = shown?.save_path?.replace(/\/$/, '') === folder(downloader)
          return shown?.state === downloader.stoppedState && shown.category === 'films' && isThere ? true : undefined
        })
        const seen = await details()
        expect(seen).toMatchObject({
          private: true,
          pieces: 3,
          piece_size: 16_384,
          upload_limit: 0,
          files: [{ index: 0, path: torrent.name, size: 40_000, progress: 0, priority: 'normal' }],
          trackers: [{ host: '127.0.0.1:9' }],
          peers: [],
        })
        expect(JSON.stringify(seen)).not.toContain('/announce')

        const targets = [{ downloader_id: id, task_id: torrent.infoHash }]
        const change = (what: object) => worker.app('POST', '/torrents/changes', { change: what, targets })
        for (const what of [
          { kind: 'category', category: 'series' },
          { kind: 'tags', tags: 'kept' },
          { kind: 'limits', upload_limit: 50_000, download_limit: 0 },
          { kind: 'move', save_path: path.join(downloader.savePath, 'moved') },
        ])
          expect((await change(what)).body).toMatchObject({ succeeded: 1, failed: 0 })
        await until('the changes', async () => {
          const { torrent: shown, upload_limit: limit } = await details()
          const isMoved = shown.save_path.replace(/\/$/, '') === path.join(downloader.savePath, 'moved')
          return isMoved && shown.category === 'series' && shown.tags === 'kept' && limit === 50_000 ? true : undefined
        })
        await act('delete', [
          [id, torrent.infoHash],
          [id, link.infoHash],
        ])
        expect((await worker.app('GET', `/torrents/${id}/${torrent.infoHash}`)).status).toBe(404)
      }
    })

    test('of a new torrent files are chosen before it starts, and what cannot be had is said', async ({ expect }) => {
      for (const [id, unmet] of [
        [qbId, undefined],
        [
          trId,
          [
            expect.objectContaining({
              wish: 'sequential',
              reason: { kind: 'downloader.unsupported', skill: 'sequential' },
            }),
          ],
        ],
      ] as const) {
        const torrent = makeFolderTorrent(`Chosen At ${id}`, [
          ['one.mkv', 30_000],
          ['two.mkv', 20_000],
          ['three.mkv', 20_000],
        ])
        const file = torrent.file.toString('base64')
        const wishes = { files: [0, 2], upload_limit: 50_000, sequential: true }
        const added = await worker.app('POST', '/torrents', { downloader_id: id, file, ...wishes })
        expect(added.body).toMatchObject({ success: true, skipped: false })
        expect(added.body.unmet).toEqual(unmet)
        await until('what was wished', async () => {
          const { body } = await worker.app('GET', `/torrents/${id}/${torrent.infoHash}`)
          const chosen = body.files?.map(({ priority }: { priority: string }) => priority).join()
          return chosen === 'normal,skip,normal' && body.upload_limit === 50_000 && body.torrent.state === 'downloading'
            ? true
            : undefined
        })
        const again = await worker.app('POST', '/torrents', { downloader_id: id, file, files: [1] })
        expect(again.body).toMatchObject({ success: true, skipped: true })
        const outside = makeFolderTorrent(`Outside At ${id}`, [['one.mkv', 30_000]])
        const none = { downloader_id: id, file: outside.file.toString('base64'), files: [7] }
        expect((await worker.app('POST', '/torrents', none)).body.unmet).toMatchObject([{ wish: 'files' }])
        await act('delete', [
          [id, torrent.infoHash],
          [id, outside.infoHash],
        ])
      }
    })

    test.for<[object, number, string]>([
      [{}, 400, 'invalid_argument'],
      [{ magnet: 'magnet:?dn=nothing' }, 400, 'invalid_argument'],
      [{ magnet: `magnet:?xt=urn:btih:${'a'.repeat(40)}`, file: 'ZA==' }, 400, 'invalid_argument'],
      [{ file: 'not base64!' }, 400, 'invalid_argument'],
      [{ file: Buffer.from('d4:infod4:name1:aee').toString('base64') }, 400, 'invalid_argument'],
      [{ address: 'http://127.0.0.1/x.torrent' }, 400, 'invalid_argument'],
      [{ address: 'http://10.0.0.1/x.torrent' }, 400, 'invalid_argument'],
      [{ address: 'https://no-such-host.invalid-name.example/x.torrent' }, 502, 'download_failed'],
      [{ magnet: `magnet:?xt=urn:btih:${'a'.repeat(40)}`, downloader_id: 99 }, 400, 'invalid_argument'],
      [{ magnet: `magnet:?xt=urn:btih:${'a'.repeat(40)}`, start: true }, 400, 'invalid_body'],
      [{ magnet: `magnet:?xt=urn:btih:${'a'.repeat(40)}`, files: [0] }, 400, 'invalid_argument'],
      [{ file: 'ZA==', files: [] }, 400, 'invalid_argument'],
      [{ file: 'ZA==', files: [-1] }, 400, 'invalid_argument'],
      [{ file: 'ZA==', upload_limit: -1 }, 400, 'invalid_argument'],
      [{ file: 'ZA==', sequential: 'yes' }, 400, 'invalid_body'],
    ])('adding %j is refused', async ([body, status, error], { expect }) => {
      const before = (await listed()).length
      const answer = await worker.app('POST', '/torrents', body)
      expect([answer.status, answer.body.error]).toEqual([status, error])
      expect((await listed()).length).toBe(before)
    })

    const someTarget = [{ downloader_id: 1, task_id: 'a' }]
    test.for<object>([
      { targets: someTarget },
      { change: { kind: 'recheck' }, targets: [] },
      { change: { kind: 'recheck' }, targets: Array(101).fill(someTarget[0]) },
      { change: { kind: 'delete' }, targets: someTarget },
      { change: { kind: 'move', save_path: ' ' }, targets: someTarget },
      { change: { kind: 'limits', upload_limit: -1, download_limit: 0 }, targets: someTarget },
      { change: { kind: 'limits', upload_limit: 0.5, download_limit: 0 }, targets: someTarget },
      { change: { kind: 'files', indexes: [], priority: 'skip' }, targets: someTarget },
      { change: { kind: 'files', indexes: [0], priority: 'some' }, targets: someTarget },
      { change: { kind: 'files', indexes: [0], priority: 'skip' }, targets: [...someTarget, ...someTarget] },
      { change: { kind: 'recheck', more: 1 }, targets: someTarget },
      { change: { kind: 'super_seeding' }, targets: someTarget },
      { change: { kind: 'sequential', on: 'yes' }, targets: someTarget },
      { change: { kind: 'add_tracker', address: 'file:///etc/passwd' }, targets: someTarget },
      { change: { kind: 'add_tracker', address: `https://a/${'x'.repeat(1015)}` }, targets: someTarget },
      { change: { kind: 'change_tracker', host: '', address: 'https://a/b' }, targets: someTarget },
      { change: { kind: 'remove_tracker', host: 'x'.repeat(301) }, targets: someTarget },
      { change: { kind: 'rename', name: '../up' }, targets: someTarget },
      { change: { kind: 'rename', name: 'a/b' }, targets: someTarget },
      { change: { kind: 'rename', name: 'a' }, targets: [...someTarget, ...someTarget] },
      { change: { kind: 'rename_file', index: 0, path: 'a/../../b' }, targets: someTarget },
      { change: { kind: 'rename_file', index: 100_001, path: 'a' }, targets: someTarget },
      { change: { kind: 'rename_file', index: 0, path: 'a' }, targets: [...someTarget, ...someTarget] },
    ])('the change %# is refused', async (body, { expect }) => {
      const answer = await worker.app('POST', '/torrents/changes', body)
      expect(answer.status).toBe(400)
      expect(answer.body.error).toMatch(/^invalid_(argument|body)$/)
    })

    test('the longest address and name of a tracker are read, and what a program cannot is said', async ({
      expect,
    }) => {
      const change = (what: object, id: number) =>
        worker.app('POST', '/torrents/changes', {
          change: what,
          targets: [{ downloader_id: id, task_id: 'f'.repeat(40) }],
        })
      const longest = { kind: 'add_tracker', address: `https://a/${'x'.repeat(1014)}` }
      expect((await change(longest, qbId)).status).toBe(200)
      expect((await change({ kind: 'remove_tracker', host: 'x'.repeat(300) }, qbId)).status).toBe(200)
      const torrent = makeTorrent('Cannot Be Given First.bin')
      await tr.add(torrent, { hasData: false, isPaused: true })
      const targets = [{ downloader_id: trId, task_id: torrent.infoHash }]
      const body = { change: { kind: 'super_seeding', on: true }, targets }
      expect((await worker.app('POST', '/torrents/changes', body)).body).toMatchObject({
        failed: 1,
        results: [{ success: false, reason: { kind: 'downloader.unsupported', skill: 'super_seeding' } }],
      })
      await tr.removeElsewhere(torrent.infoHash)
    })

    test('changes of a batch are told apart, and details of what is not there are 404', async ({ expect }) => {
      const { body } = await worker.app('POST', '/torrents/changes', {
        change: { kind: 'reannounce' },
        targets: [
          { downloader_id: qbId, task_id: 'f'.repeat(40) },
          { downloader_id: 999, task_id: 'f'.repeat(40) },
        ],
      })
      expect(body).toMatchObject({ succeeded: 0, failed: 2, results: [{ success: false }, { success: false }] })
      for (const place of [`${qbId}/${'f'.repeat(40)}`, `${qbId}/all`, `999/${'f'.repeat(40)}`])
        expect((await worker.app('GET', `/torrents/${place}`)).status).toBe(404)
      expect((await worker.app('GET', '/torrents/0/a')).status).toBe(400)
    })

    const auditResults = async (): Promise<string[]> => {
      const { body } = await worker.console('GET', '/audit?page_size=100')
      return body.items
        .filter((entry: { command: string }) => entry.command === 'POST /api/app/v1/torrents/actions')
        .map((entry: { result: string }) => entry.result)
    }

    test('enabled downloaders are listed by id with their live figures', async ({ expect }) => {
      const { body } = await worker.app('GET', '/downloaders')

      expect(body.items).toEqual([
        {
          id: qbId,
          name: 'first',
          type: 'qbittorrent',
          program: 'qbittorrent',
          default: false,
          reachable: true,
          version: expect.stringMatching(/^\d+\.\d/),
          upload_speed: expect.any(Number),
          download_speed: expect.any(Number),
          uploaded: expect.any(Number),
          downloaded: expect.any(Number),
          free_space: expect.any(Number),
        },
        expect.objectContaining({ id: trId, name: 'second', type: 'transmission', default: true, reachable: true }),
      ])
      for (const item of body.items) expect(item.free_space).toBeGreaterThan(1_000_000)
    })

    test('both downloaders show in one list, with every field of the interface', async ({ expect }) => {
      const one = await added(qb, qbId, 'On The First.bin', true)
      const other = await added(tr, trId, 'On The Second.bin', false)

      const { body } = await worker.app('GET', '/torrents')

      expect(body.failures).toEqual([])
      expect(body).toMatchObject({ page: 1, page_size: 20, total: body.items.length })
      // Its tracker is a closed port, of which the downloader knows sooner or later.
      const shown = body.items.find(({ task_id }: WireTorrent) => task_id === one.infoHash)
      const { condition: _, condition_said: __, ...item } = shown
      expect(item).toEqual({
        downloader_id: qbId,
        downloader: 'first',
        task_id: one.infoHash,
        info_hash: one.infoHash,
        title: 'On The First.bin',
        progress: 100,
        size: 40_000,
        state: 'seeding',
        ratio: 0,
        seeds: 0,
        peers: 0,
        upload_speed: 0,
        download_speed: 0,
        eta: -1,
        added_at: expect.any(Number),
        completed_at: expect.any(Number),
        category: 'films',
        tags: 'one,two',
        save_path: qb.savePath,
        tracker: '127.0.0.1:9',
      })
      expect(body.items.find(({ task_id }: WireTorrent) => task_id === other.infoHash)).toMatchObject({
        downloader_id: trId,
        downloader: 'second',
        state: 'downloading',
        progress: 0,
        completed_at: 0,
      })
    })

    test('filters by downloader, by state and by a keyword in any case', async ({ expect }) => {
      await added(qb, qbId, 'Needle in Hay.bin', false)
      await added(tr, trId, 'needle Seeding.bin', true)

      const found = await listed('&q=NEEDLE')
      const downloading = await listed('&q=needle&state=downloading')
      const second = await listed(`&q=needle&downloader_id=${trId}`)
      const unknown = await worker.app('GET', '/torrents?downloader_id=4711')

      expect(found.map(({ title }) => title).sort()).toEqual(['Needle in Hay.bin', 'needle Seeding.bin'])
      expect(downloading.map(({ title }) => title)).toEqual(['Needle in Hay.bin'])
      expect(second.map(({ title }) => title)).toEqual(['needle Seeding.bin'])
      expect(unknown.body).toEqual({
        items: [],
        total: 0,
        page: 1,
        page_size: 20,
        total_size: 0,
        counts: { states: {}, conditions: {} },
        failures: [],
      })
    })

    test('finds words in any order, with dots, underscores and dashes as blanks', async ({ expect }) => {
      await added(qb, qbId, 'Harbour.Lights.S01-QB.bin', false)
      await added(tr, trId, 'Lights_of_the_Harbour-TR.bin', true)

      const titlesOf = async (q: string) =>
        (await listed(`&q=${encodeURIComponent(q)}`)).map(({ title }) => title).sort()

      expect(await titlesOf('harbour lights')).toEqual(['Harbour.Lights.S01-QB.bin', 'Lights_of_the_Harbour-TR.bin'])
      expect(await titlesOf('s01 harbour')).toEqual(['Harbour.Lights.S01-QB.bin'])
      expect(await titlesOf('lights of.the-harbour')).toEqual(['Lights_of_the_Harbour-TR.bin'])
      expect(await titlesOf('harbour lights nowhere')).toEqual([])
    })

    test('every sort orders the joined list, both ways', async ({ expect }) => {
      for (const sort of torrentSorts) {
        for (const order of ['asc', 'desc']) {
          const values = (await listed(`&sort=${sort}&order=${order}`)).map((torrent) => {
            const value = torrent[sort]
            return typeof value === 'string' && sort === 'title' ? value.toLowerCase() : value
          }) as (number | string)[]

          const inOrder = [...values].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
          expect(values, `${sort} ${order}`).toEqual(order === 'asc' ? inOrder : inOrder.reverse())
        }
      }
      const byDefault = await listed()
      expect(byDefault).toEqual(await listed('&sort=added_at&order=desc'))
      expect(await listed('&sort=size')).toEqual(await listed('&sort=size&order=desc'))
    })

    test('pages join without a gap or an overlap, and past the end there is nothing', async ({ expect }) => {
      const whole = (await listed('&sort=title&order=asc')).map(({ task_id }) => task_id)

      const pages: string[] = []
      for (let page = 1; page <= Math.ceil(whole.length / 3); page++) {
        const { body } = await worker.app('GET', `/torrents?sort=title&order=asc&page_size=3&page=${page}`)
        expect(body).toMatchObject({ total: whole.length, page, page_size: 3 })
        pages.push(...body.items.map(({ task_id }: WireTorrent) => task_id))
      }
      const past = await worker.app('GET', '/torrents?page=100&page_size=200')

      expect(pages).toEqual(whole)
      expect(past.body.items).toEqual([])
      expect(past.body.total).toBe(whole.length)
    })

    test.for([
      ['state=sleeping', 'state'],
      ['sort=name', 'sort'],
      ['order=up', 'order'],
      ['downloader_id=0', 'downloader_id'],
      ['downloader_id=x', 'downloader_id'],
      ['page_size=201', 'page_size'],
      ['page=0', 'page'],
    ] as const)('%s is refused and named', async ([query, name], { expect }) => {
      const { status, body } = await worker.app('GET', `/torrents?${query}`)

      expect(status).toBe(400)
      expect(body.error).toBe('invalid_argument')
      expect(body.message).toContain(name)
    })

    test('one action works on both downloaders and is seen by the next read', async ({ expect }) => {
      const one = await added(qb, qbId, 'Both One.bin', false)
      const other = await added(tr, trId, 'Both Other.bin', false)
      const targets = [
        [trId, other.infoHash],
        [qbId, one.infoHash],
      ] as const

      const paused = await act('pause', targets)
      const pausedStates = [await stateOf(qbId, one), await stateOf(trId, other)]
      const resumed = await act('resume', targets)
      const resumedStates = [await stateOf(qbId, one), await stateOf(trId, other)]

      const allDone = {
        succeeded: 2,
        failed: 0,
        results: targets.map(([downloader_id, task_id]) => ({ downloader_id, task_id, success: true })),
      }
      expect(paused.body).toEqual(allDone)
      expect(pausedStates).toEqual([qb.stoppedState, tr.stoppedState])
      expect(resumed.body).toEqual(allDone)
      expect(resumedStates).toEqual(['downloading', 'downloading'])
      expect((await auditResults()).slice(0, 2)).toEqual(['ok', 'ok'])
      const { body: log } = await worker.console('GET', '/audit?page_size=1')
      expect(log.items[0].about).toEqual({ deed: 'resume', names: [expect.any(String), expect.any(String)], more: 0 })
    })

    test('delete keeps the data and delete_with_files does not', async ({ expect }) => {
      for (const [downloader, id] of [
        [qb, qbId],
        [tr, trId],
      ] as const) {
        const kept = await added(downloader, id, `Kept ${id}.bin`, true)
        const dropped = await added(downloader, id, `Dropped ${id}.bin`, true)

        const deleted = await act('delete', [[id, kept.infoHash]])
        const withFiles = await act('delete_with_files', [[id, dropped.infoHash]])

        expect([deleted.body.succeeded, withFiles.body.succeeded]).toEqual([1, 1])
        expect([await stateOf(id, kept), await stateOf(id, dropped)]).toEqual([undefined, undefined])
        await until('the data to go', async () =>
          existsSync(path.join(downloader.savePath, `Dropped ${id}.bin`)) ? undefined : true,
        )
        expect(existsSync(path.join(downloader.savePath, `Kept ${id}.bin`))).toBe(true)
      }
    })

    test('words that mean every torrent touch none', async ({ expect }) => {
      const before = (await listed('&sort=title')).map(({ task_id, state }) => [task_id, state])
      const first = before[0]?.[0] ?? ''
      const hostile = ['all', `${first}|${first}`, `${first},${first}`, '*', '.', 'recently-active', ' ', `${first} `]

      for (const action of ['delete_with_files', 'pause']) {
        const { status, body } = await act(
          action,
          hostile.flatMap((task) => [[qbId, task] as const, [trId, task] as const]),
        )
        expect(status).toBe(200)
        expect(body).toMatchObject({ succeeded: 0, failed: hostile.length * 2 })
      }

      expect((await listed('&sort=title')).map(({ task_id, state }) => [task_id, state])).toEqual(before)
      expect((await auditResults()).slice(0, 2)).toEqual(['error:all_failed', 'error:all_failed'])
    })

    test('failures of a batch are told apart, in the order asked, and the answer is 200', async ({ expect }) => {
      const torrent = await added(qb, qbId, 'Among Failures.bin', false)
      const unknown = 'e'.repeat(40)

      const { status, body } = await act('pause', [
        [qbId, unknown],
        [4711, torrent.infoHash],
        [qbId, torrent.infoHash],
        [trId, torrent.infoHash],
        [qbId, torrent.infoHash],
      ])

      expect(status).toBe(200)
      expect([body.succeeded, body.failed]).toEqual([2, 3])
      expect(body.results.map(({ success }: { success: boolean }) => success)).toEqual([
        false,
        false,
        true,
        false,
        true,
      ])
      for (const result of body.results.filter(({ success }: { success: boolean }) => !success)) {
        expect(result.message).toMatch(/[\u4e00-\u9fff]/)
      }
      expect((await auditResults())[0]).toBe('error:partial')
    })

    test.for([
      [{ action: 'stop', targets: [{ downloader_id: 1, task_id: 'a' }] }, 'invalid_argument'],
      [{ action: 'pause', targets: [] }, 'invalid_argument'],
      [
        { action: 'pause', targets: Array.from({ length: 101 }, () => ({ downloader_id: 1, task_id: 'a' })) },
        'invalid_argument',
      ],
      [{ action: 'pause', targets: [{ downloader_id: 0, task_id: 'a' }] }, 'invalid_argument'],
      [{ action: 'pause', targets: [{ downloader_id: 1, task_id: '' }] }, 'invalid_argument'],
      [{ action: 'pause', targets: [{ downloader_id: 1, task_id: 'a', extra: 1 }] }, 'invalid_body'],
      [{ action: 'pause' }, 'invalid_argument'],
    ] as const)('the batch %j is refused', async ([batch, error], { expect }) => {
      const answer = await worker.app('POST', '/torrents/actions', batch)

      expect(answer.status).toBe(400)
      expect(answer.body.error).toBe(error)
    })

    test('a batch of 100 targets is accepted', async ({ expect }) => {
      const unknown = Array.from({ length: 100 }, (_, index) => [qbId, index.toString(16).padStart(40, 'd')] as const)

      const { status, body } = await act('resume', unknown)

      expect(status).toBe(200)
      expect(body).toMatchObject({ succeeded: 0, failed: 100 })
    })

    test('a wrong password, a closed port and a wrong kind are readable and give nothing away', async ({ expect }) => {
      const wrong = [
        await worker.addDownloader('wrong password', { ...tr.settings, password: 'hunter2-of-this-test' }),
        await worker.addDownloader('closed port', { ...qb.settings, baseUrl: 'http://127.0.0.1:9' }),
        await worker.addDownloader('wrong kind', { ...qb.settings, kind: 'transmission' }),
      ]

      const downloaders = await worker.app('GET', '/downloaders')
      const torrents = await worker.app('GET', '/torrents')
      const acted = await act(
        'pause',
        wrong.map((id) => [id, 'c'.repeat(40)] as const),
      )
      for (const id of wrong) await worker.console('DELETE', `/downloaders/${id}`)

      const shown = downloaders.body.items.filter(({ id }: { id: number }) => wrong.includes(id))
      const expected = ['用户名或密码错误', '无法连接下载器', '该地址上的程序不像 Transmission，请检查类型和地址']
      const reasons = [
        { kind: 'downloader.credentials' },
        { kind: 'downloader.unreachable' },
        { kind: 'downloader.not_this_kind', program: 'transmission' },
      ]
      expect(shown.map(({ reachable }: { reachable: boolean }) => reachable)).toEqual([false, false, false])
      expect(shown.map(({ error }: { error: string }) => error)).toEqual(expected)
      expect(torrents.body.failures).toEqual(
        ['wrong password', 'closed port', 'wrong kind'].map((downloader, index) => ({
          downloader_id: wrong[index],
          downloader,
          error: expected[index],
          reason: reasons[index],
        })),
      )
      expect(acted.body.results.map(({ message }: { message: string }) => message)).toEqual(expected)
      const ports = [qb, tr].map(({ settings }) => new URL(settings.baseUrl).port)
      for (const text of [downloaders.text, torrents.text, acted.text, worker.said()]) {
        // The closed port that the torrents of these tests announce to is no downloader's.
        const told = text.replaceAll('"tracker":"127.0.0.1:9"', '')
        for (const secret of ['hunter2', qb.settings.password, '127.0.0.1', ...ports.map((port) => `:${port}`)]) {
          if (text !== worker.said() || secret.includes('hunter2') || secret === qb.settings.password)
            expect(told).not.toContain(secret)
        }
      }
    })

    test('the connection test says what is wrong before anything is stored', async ({ expect }) => {
      const body = { type: 'qbittorrent', address: qb.settings.baseUrl, username: qb.settings.username }

      const right = await worker.console('POST', '/downloaders/test', { ...body, password: qb.settings.password })
      const wrong = await worker.console('POST', '/downloaders/test', { ...body, password: 'not it' })
      const stored = await worker.console('POST', '/downloaders/test', { ...body, id: qbId })

      expect(right.body).toMatchObject({ reachable: true, version: expect.any(String) })
      expect(wrong.body).toEqual({
        reachable: false,
        error: '用户名或密码错误',
        reason: { kind: 'downloader.credentials' },
      })
      expect(stored.body).toMatchObject({ reachable: true })
    })

    test('while one downloader is down the other is shown, and its torrents are told to be as they were', async ({
      expect,
    }) => {
      const torrent = await added(qb, qbId, 'Still There.bin', false)
      await listed()

      await tr.stop('SIGKILL')
      const down = await until('the failure to show', async () => {
        const { body } = await worker.app('GET', '/torrents?page_size=200')
        return body.failures.length > 0 ? body : undefined
      })
      const downloaders = await worker.app('GET', '/downloaders')
      await tr.restart()
      const back = await until('the downloader to be back', async () => {
        const { body } = await worker.app('GET', '/torrents?page_size=200')
        return body.failures.length === 0 ? body : undefined
      })

      expect(down.failures).toEqual([
        {
          downloader_id: trId,
          downloader: 'second',
          error: '无法连接下载器',
          reason: { kind: 'downloader.unreachable' },
          last_answer_at: expect.any(Number),
        },
      ])
      expect(down.items.some(({ task_id }: WireTorrent) => task_id === torrent.infoHash)).toBe(true)
      expect(downloaders.body.items.find(({ id }: { id: number }) => id === trId)).toMatchObject({
        reachable: false,
        error: '无法连接下载器',
        upload_speed: 0,
        free_space: 0,
      })
      expect(back.failures).toEqual([])
    })

    test('data that vanished shows as an error, on either downloader', { tags: 'slow' }, async ({ expect }) => {
      for (const [downloader, id] of [
        [qb, qbId],
        [tr, trId],
      ] as const) {
        const name = `Vanishing ${id}.bin`
        const torrent = await added(downloader, id, name, true)
        await downloader.stop()
        rmSync(path.join(downloader.savePath, name))
        await downloader.restart()
        await until('the downloader to be back', async () =>
          (await stateOf(id, torrent)) === undefined ? undefined : true,
        )

        await act('resume', [[id, torrent.infoHash]])

        const state = await until('the error to show', async () =>
          (await stateOf(id, torrent)) === 'error' ? 'error' : undefined,
        )
        expect(state).toBe('error')
        await act('delete', [[id, torrent.infoHash]])
      }
    })

    test('a torrent beyond what the downloader lets run is queued', async ({ expect }) => {
      const waiting = Array.from({ length: 8 }, (_, index) => makeTorrent(`Queue ${index}.bin`))
      for (const torrent of waiting) await tr.add(torrent, { hasData: false, isPaused: false })

      const queued = await until('one to be queued', async () => {
        const torrents = await listed(`&downloader_id=${trId}&q=queue&state=queued`)
        return torrents.length > 0 ? torrents : undefined
      })

      expect(queued.every(({ state, eta }) => state === 'queued' && eta === -1)).toBe(true)
      await act(
        'delete',
        waiting.map(({ infoHash }) => [trId, infoHash] as const),
      )
    })

    test('a hanging downloader costs its own time limit, and only itself', async ({ expect }) => {
      tr.freeze()
      await new Promise((resolve) => setTimeout(resolve, 2100))
      const startedAtMs = Date.now()
      const order: string[] = []
      const answered = async (query: string, name: string) => {
        const answer = await worker.app('GET', `/torrents${query}`)
        order.push(name)
        return answer
      }

      const [both] = await Promise.all([answered('', 'both'), answered(`?downloader_id=${qbId}`, 'one')])

      const bothMs = Date.now() - startedAtMs
      expect(both.body.failures).toEqual([
        {
          ...{ downloader_id: trId, downloader: 'second', error: '下载器响应超时' },
          ...{ reason: { kind: 'downloader.timeout' }, last_answer_at: expect.any(Number) },
        },
      ])
      expect(both.body.items.length).toBeGreaterThan(0)
      expect(order).toEqual(['one', 'both'])
      // The next lists know that it keeps still: it costs them nothing to speak of beside the others.
      const againMs: number[] = []
      for (let round = 0; round < 20; round += 1) {
        const atMs = performance.now()
        const again = await worker.app('GET', '/torrents')
        againMs.push(performance.now() - atMs)
        expect(again.body.failures).toMatchObject([{ downloader_id: trId, reason: { kind: 'downloader.timeout' } }])
      }
      expect(againMs.sort((a, b) => a - b)[10]).toBeLessThan(bothMs / 4)
      // Its limit for a call is 8 s; beyond the wait of 20 s it would have been given up unanswered.
      expect(bothMs).toBeLessThan(downloaderWaitMs)
      tr.thaw()
      await until('it to be shown again', async () => {
        const { body } = await worker.app('GET', '/torrents')
        return body.failures.length === 0 ? true : undefined
      })
    })

    test('changed settings are used by the next read', async ({ expect }) => {
      const torrents = await listed(`&downloader_id=${trId}`)
      expect(torrents.length).toBeGreaterThan(0)

      await worker.console('PUT', `/downloaders/${trId}`, {
        name: 'second',
        type: 'transmission',
        address: tr.settings.baseUrl,
        username: tr.settings.username,
        password: 'changed to a wrong one',
        enabled: true,
        default: true,
      })
      const wrong = await worker.app('GET', `/torrents?downloader_id=${trId}`)
      await worker.console('PUT', `/downloaders/${trId}`, {
        name: 'second',
        type: 'transmission',
        address: tr.settings.baseUrl,
        username: tr.settings.username,
        password: tr.settings.password,
        enabled: true,
        default: true,
      })

      expect(wrong.body).toMatchObject({ items: [], failures: [{ downloader_id: trId, error: '用户名或密码错误' }] })
      expect((await listed(`&downloader_id=${trId}`)).length).toBe(torrents.length)
    })
  },
)
