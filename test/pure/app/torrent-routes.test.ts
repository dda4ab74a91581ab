/** What the routes make of the downloaders' answers, on the wire. */

import { test } from 'vitest'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type {
  ActionOutcome,
  DownloaderStatus,
  DownloaderTarget,
  TorrentFilter,
  TorrentQuery,
} from '../../../workers/app/core/downloader.ts'
import { fromQbittorrent } from '../../../workers/app/core/qbittorrent-torrent.ts'
import { inChinese } from '../../../workers/app/core/reason/chinese.ts'
import type { Reason } from '../../../workers/app/core/reason/reason.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import { TorrentCatalogue } from '../../../workers/app/core/torrent-catalogue.ts'
import type { ListPart } from '../../../workers/app/core/torrent-listing.ts'
import type { TorrentAction } from '../../../workers/app/core/vocabulary.ts'
import type { BoundRoute } from '../../../workers/app/http/bind.ts'
import { downloaderRoutes } from '../../../workers/app/http/routes/downloaders.ts'
import { torrentRoutes } from '../../../workers/app/http/routes/torrents.ts'
import { joinedPrefixMax } from '../../../workers/app/limits.ts'
import type { DownloaderFleet } from '../../../workers/app/ports/downloaders.ts'
import type { AppDeps } from '../../../workers/app/ports.ts'
import { saying } from '../../support/said.ts'

const one = '1'.repeat(40)
const two = '2'.repeat(40)

function target(id: number, name: string, isDefault = false): DownloaderTarget {
  return {
    id,
    name,
    kind: id === 2 ? 'transmission' : 'qbittorrent',
    isDefault,
    minFreeGib: 1,
    revision: 1,
    baseUrl: 'http://192.0.2.7:8080',
    username: 'the-user-name',
    sealedPassword: 'sealed',
  }
}
const targets = [target(1, 'first'), target(2, 'second', true), target(3, 'third')]

const status: DownloaderStatus = {
  version: '5.1.0',
  uploadBytesPerSecond: 11,
  downloadBytesPerSecond: 12,
  uploadedBytes: 13,
  downloadedBytes: 14,
  freeSpaceBytes: 15,
}

/** In memory, with the listing rules in use; the third downloader is down. */
const unreachable: Reason = { kind: 'downloader.unreachable' }
const timeout: Reason = { kind: 'downloader.timeout' }

const never = (why: string) => (): never => {
  throw new Error(why)
}

class FleetOfThree implements DownloaderFleet {
  readonly acted: (readonly [number, TorrentAction, readonly string[]])[] = []
  /** The most torrents any read asked for. */
  mostMoved = 0
  readonly #catalogues = new Map<number, TorrentCatalogue>()

  constructor() {
    this.fill(1, [fromQbittorrent(one, { name: 'On the first', state: 'uploading', added_on: 1 })])
    this.fill(2, [fromQbittorrent(two, { name: 'On the second', state: 'uploading', added_on: 2 })])
  }

  fill(id: number, torrents: readonly Torrent[]): void {
    const catalogue = new TorrentCatalogue()
    catalogue.apply({ kind: 'full', torrents })
    this.#catalogues.set(id, catalogue)
  }

  async shownStatus({ id }: DownloaderTarget): Promise<Result<DownloaderStatus, Reason>> {
    if (id === 3) return failWith(unreachable)
    const { freeSpaceBytes: _, ...withoutSpace } = status
    return succeed(id === 1 ? status : withoutSpace)
  }

  async select({ id }: DownloaderTarget, query: TorrentQuery, part: ListPart) {
    const catalogue = this.#catalogues.get(id)
    this.mostMoved = Math.max(this.mostMoved, part.count)
    return catalogue === undefined ? failWith(timeout) : succeed(catalogue.select(query, part))
  }

  async sortKeys({ id }: DownloaderTarget, query: TorrentQuery, upTo: number) {
    const catalogue = this.#catalogues.get(id)
    return catalogue === undefined ? failWith(timeout) : succeed(catalogue.sortKeys(query, upTo))
  }

  async act({ id }: DownloaderTarget, action: TorrentAction, hashes: readonly string[]) {
    this.acted.push([id, action, hashes])
    if (id === 3) return failWith(unreachable)
    return succeed(
      hashes.map(
        (infoHash): ActionOutcome =>
          infoHash === one
            ? { infoHash, title: 'On the first', success: true }
            : { infoHash, success: false, reason: saying('没有') },
      ),
    )
  }

  async groups({ id }: DownloaderTarget, filter: TorrentFilter) {
    const catalogue = this.#catalogues.get(id)
    return catalogue === undefined ? failWith(timeout) : succeed(catalogue.groups(filter))
  }

  status = never('a list waits for no downloader that keeps still')
  called = never('these routes look for no name')
  matching = never('these routes act on no list')
  find = never('these routes look for no single torrent')
  space = never('these routes ask for no room')
  add = never('these routes add nothing')
  details = never('these routes tell no details')
  exportFile = never('these routes give no file out')
  change = never('these routes change nothing')
  move = never('these routes move nothing')
  probe = never('no route probes here')
}

function setUp(): {
  fleet: FleetOfThree
  call: (name: string, input: object) => Promise<{ body: unknown; auditResult?: string }>
} {
  const fleet = new FleetOfThree()
  const downloaders = { targets: async () => targets } as unknown as AppDeps['downloaders']
  const torrentService = { add: () => Promise.reject(new Error('these tests add nothing')) }
  const routes: BoundRoute[] = [
    ...downloaderRoutes({ downloaders, fleet }),
    ...torrentRoutes({ downloaders, fleet, torrentService }),
  ]
  return {
    fleet,
    async call(name, input) {
      const bound = routes.find(({ route }) => route.operationId === name)
      if (bound === undefined) throw new Error(name)
      const answer = await bound.handle({ say: inChinese, ...input } as Parameters<BoundRoute['handle']>[0])
      if (!answer.ok) throw new Error(answer.failure.reason.kind)
      const route = bound.route.answers[200]
      if (route !== undefined && route !== 'image' && route !== 'file') route.parse(answer.value.body)
      return answer.value
    },
  }
}

const page = { page: 1, page_size: 20 }

test('a downloader shows its own totals, speeds and free space, and never where it is', async ({ expect }) => {
  const { body } = await setUp().call('listDownloaders', {})

  expect(body).toEqual({
    items: [
      {
        id: 1,
        name: 'first',
        type: 'qbittorrent',
        program: 'qbittorrent',
        default: false,
        reachable: true,
        version: '5.1.0',
        upload_speed: 11,
        download_speed: 12,
        uploaded: 13,
        downloaded: 14,
        free_space: 15,
      },
      {
        id: 2,
        name: 'second',
        type: 'transmission',
        program: 'transmission',
        default: true,
        reachable: true,
        version: '5.1.0',
        upload_speed: 11,
        download_speed: 12,
        uploaded: 13,
        downloaded: 14,
        free_space: 0,
      },
      {
        id: 3,
        name: 'third',
        type: 'qbittorrent',
        program: 'qbittorrent',
        default: false,
        reachable: false,
        error: '无法连接下载器',
        reason: unreachable,
        upload_speed: 0,
        download_speed: 0,
        uploaded: 0,
        downloaded: 0,
        free_space: 0,
      },
    ],
  })
  expect(JSON.stringify(body)).not.toMatch(/192\.0\.2\.7|8080|the-user-name|sealed/)
})

test('a downloader that could not be read is named in failures, and the others are listed', async ({ expect }) => {
  const { body } = await setUp().call('listTorrents', { query: page })

  expect(body).toMatchObject({
    total: 2,
    failures: [{ downloader_id: 3, downloader: 'third', error: '下载器响应超时' }],
  })
})

test('optional fields of a torrent are left out when they are empty', async ({ expect }) => {
  const { body } = await setUp().call('listTorrents', { query: { ...page, downloader_id: 1 } })

  expect(body).toEqual({
    items: [
      {
        downloader_id: 1,
        downloader: 'first',
        task_id: one,
        info_hash: one,
        title: 'On the first',
        progress: 0,
        size: 0,
        state: 'seeding',
        ratio: 0,
        seeds: 0,
        peers: 0,
        upload_speed: 0,
        download_speed: 0,
        eta: -1,
        added_at: 1,
        completed_at: 0,
      },
    ],
    total: 1,
    page: 1,
    page_size: 20,
    total_size: 0,
    counts: { states: { seeding: 1 }, conditions: {} },
    failures: [],
  })
})

test('the newest comes first unless asked otherwise, and a sort without an order falls', async ({ expect }) => {
  const { call } = setUp()
  const hashes = async (query: object) =>
    ((await call('listTorrents', { query: { ...page, ...query } })).body as { items: { task_id: string }[] }).items.map(
      ({ task_id }) => task_id,
    )

  expect(await hashes({})).toEqual([two, one])
  expect(await hashes({ sort: 'added_at' })).toEqual([two, one])
  expect(await hashes({ order: 'asc' })).toEqual([one, two])
  expect(await hashes({ sort: 'title' })).toEqual([two, one])
  expect(await hashes({ sort: 'title', order: 'asc' })).toEqual([one, two])
})

test('late pages of a long list over two downloaders join without a gap and move only themselves', async ({
  expect,
}) => {
  const { fleet, call } = setUp()
  const made = (id: number) =>
    Array.from({ length: 700 }, (_, index) =>
      fromQbittorrent(`${id}${index.toString(16).padStart(39, '0')}`, {
        name: `${(index * 7) % 90}`,
        state: 'uploading',
        size: (index * id) % 50,
      }),
    )
  fleet.fill(1, made(1))
  fleet.fill(2, made(2))
  const pageOf = async (page: number, size: number) => {
    const query = { page, page_size: size, sort: 'size', order: 'asc' }
    return (await call('listTorrents', { query })).body as { items: { size: number; task_id: string }[]; total: number }
  }

  const items: { size: number; task_id: string }[] = []
  for (let page = 1; page <= joinedPrefixMax / 200; page++) items.push(...(await pageOf(page, 200)).items)
  fleet.mostMoved = 0
  for (let page = joinedPrefixMax / 200 + 1; page <= 8; page++) items.push(...(await pageOf(page, 200)).items)

  expect(items).toHaveLength(1400)
  expect(new Set(items.map(({ task_id }) => task_id)).size).toBe(1400)
  expect(items.map(({ size }) => size)).toEqual(items.map(({ size }) => size).sort((low, high) => low - high))
  expect(fleet.mostMoved).toBeLessThanOrEqual(200)
  expect((await pageOf(9, 200)).items).toEqual([])
  expect((await pageOf(9, 200)).total).toBe(1400)
})

test('a batch goes to each downloader once, and partial and complete failures are told to the audit', async ({
  expect,
}) => {
  const { fleet, call } = setUp()
  const batch = (...list: [number, string][]) => ({
    body: { action: 'pause', targets: list.map(([downloader_id, task_id]) => ({ downloader_id, task_id })) },
  })

  const fine = await call('actOnTorrents', batch([1, one]))
  const partial = await call('actOnTorrents', batch([2, two], [1, one], [1, 'all'], [1, two], [1, one], [9, one]))
  const none = await call('actOnTorrents', batch([3, one], [2, two]))

  expect(fine).toEqual({
    audited: { deed: 'pause', names: ['On the first'], count: 1 },
    body: { succeeded: 1, failed: 0, results: [{ downloader_id: 1, task_id: one, success: true }] },
  })
  expect(partial.auditResult).toBe('error:partial')
  expect(partial.body).toMatchObject({
    succeeded: 2,
    failed: 4,
    results: [false, true, false, false, true, false].map((success) => ({ success })),
  })
  expect(none.auditResult).toBe('error:all_failed')
  expect(fleet.acted).toEqual([
    [1, 'pause', [one]],
    [2, 'pause', [two]],
    [1, 'pause', [one, two]],
    [3, 'pause', [one]],
    [2, 'pause', [two]],
  ])
})

test('a batch without one info hash reaches no downloader', async ({ expect }) => {
  const { fleet, call } = setUp()

  const answer = await call('actOnTorrents', {
    body: { action: 'delete_with_files', targets: [{ downloader_id: 1, task_id: 'all' }] },
  })

  expect(answer.auditResult).toBe('error:all_failed')
  expect(fleet.acted).toEqual([])
})
