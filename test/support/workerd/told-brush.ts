/** Brush tasks with a clock that a test moves: a site that lists what it is told to, and a downloader that has what was pushed. */

import { env } from 'cloudflare:workers'
import { succeed } from '#shared/kernel/result.ts'
import { createBrushTasks } from '../../../workers/app/adapters/d1/brush-tasks.ts'
import type { PushFacts } from '../../../workers/app/adapters/d1/push-records.ts'
import { writeSearchRows } from '../../../workers/app/contract/search-rows.ts'
import type { BrushRules } from '../../../workers/app/core/brush/brush-rules.ts'
import type { Reason } from '../../../workers/app/core/reason/reason.ts'
import type { SearchHit } from '../../../workers/app/core/site.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import type { BrushTaskChange } from '../../../workers/app/ports/brush.ts'
import type { PushOrder, PushService } from '../../../workers/app/ports/pushes.ts'
import { runBrush } from '../../../workers/app/services/brush/run-brush.ts'
import { localeOf } from '../locale-of.ts'
import { torrentFixture } from '../torrent-fixture.ts'
import { unwrap } from '../unwrap.ts'
import {
  addDownloader,
  addSite,
  brushRuns,
  clock,
  db,
  downloaders,
  fakeFleet,
  records,
  type ToldWork,
  workWith,
} from './told-sites.ts'

export const gib = 1024 ** 3
export const hour = 3600

export const rules: BrushRules = {
  pick: { free_only: true, refuse_hr: true, refused_words: [] },
  bounds: { active_max: 5, downloading_max: 5, active_gib_max: 100, new_per_run_max: 5 },
  removal: { free_over: false },
}

export const brush = createBrushTasks(db, {
  clock,
  locale: localeOf('Asia/Shanghai'),
  downloaders,
  wake: async () => undefined,
})

export function hit(number: number, change: Partial<SearchHit> = {}): SearchHit {
  return {
    torrentId: String(number),
    title: `Torrent ${number}`,
    sizeBytes: 10 * gib,
    seeders: 1,
    // So many want it that it is chosen before those of greater numbers.
    leechers: 1000 - number,
    tags: [],
    discount: 'FREE',
    discountEndAtUnix: clock.now + 30 * 24 * hour,
    hasHr: false,
    ...change,
  }
}

export const hashOf = (number: number) => number.toString(16).padStart(40, '0')

/** How a push goes, in place of one that succeeds. */
type Outcome = Awaited<ReturnType<PushService['push']>>

export interface BrushWorld {
  newest: readonly SearchHit[]
  readonly torrents: Map<string, Torrent>
  readonly fleet: ReturnType<typeof fakeFleet>
  /** Ids that were pushed, and hashes that were deleted with their files, in order. */
  readonly pushes: string[]
  readonly deleted: string[]
  /** Called in the middle of a push: the record is written, the downloader has nothing yet. */
  midPush: (order: PushOrder) => Promise<Outcome | undefined>
  /** Why the downloader does not answer. */
  isAway: Reason | undefined
  readonly work: () => ToldWork
  readonly pushService: PushService
  readonly siteId: number
  readonly downloaderId: number
}

export async function brushWorld(site = 'shelf'): Promise<BrushWorld> {
  for (const table of [
    'feeds',
    'feed_items',
    'filter_rules',
    'brush_tasks',
    'brush_torrents',
    'brush_looks',
    'push_records',
    'jobs',
    'downloaders',
    'notices',
    'channels',
  ])
    await env.DB.prepare(`delete from ${table}`).run()
  const fleet = fakeFleet()
  const siteId = await addSite(site)
  const downloaderId = await addDownloader('nas-1')
  const world: BrushWorld = {
    newest: [],
    torrents: new Map(),
    fleet,
    pushes: [],
    deleted: [],
    midPush: async () => undefined,
    isAway: undefined,
    siteId,
    downloaderId,
    pushService: { push: (target, downloader, order) => pushService.push(target, downloader, order) },
    work: () =>
      workWith(fleet, {
        brush: {
          ...brushRuns,
          run: (id, entry) =>
            runBrush(
              { clock, store: brushRuns, downloaders, fleet: downloads, sites: fleet.port, pushService },
              id,
              entry,
            ),
        },
      }),
  }
  fleet.port = {
    ...fleet.port,
    search: async ({ name }, { keyword }) => {
      fleet.asked.push(`search ${name} ${keyword}`.trim())
      return succeed(writeSearchRows(name, world.newest))
    },
  }
  fleet.downloads = {
    ...fleet.downloads,
    find: async (_, infoHashes) =>
      world.isAway === undefined
        ? succeed(infoHashes.flatMap((infoHash) => world.torrents.get(infoHash) ?? []))
        : { ok: false, failure: world.isAway },
  }
  const downloads: Parameters<typeof runBrush>[0]['fleet'] = {
    find: (target, infoHashes) => fleet.downloads.find(target, infoHashes),
    act: async (_, action, infoHashes) => {
      if (world.isAway !== undefined) return { ok: false, failure: world.isAway }
      if (action === 'delete_with_files') world.deleted.push(...infoHashes)
      return succeed(infoHashes.map((infoHash) => ({ infoHash, success: world.torrents.delete(infoHash) })))
    },
  }
  const pushService: PushService = {
    async push(target, downloader, order) {
      const infoHash = hashOf(Number(order.torrentId))
      const sizeBytes = world.newest.find(({ torrentId }) => torrentId === order.torrentId)?.sizeBytes ?? 0
      if (world.torrents.has(infoHash)) {
        if (order.source !== 'brush') await records.claimed(downloader.id, infoHash, order.source)
        return succeed({ kind: 'skipped', infoHash })
      }
      const facts: PushFacts = {
        site: target.name,
        torrentId: order.torrentId,
        title: order.title,
        sizeBytes,
        category: order.category,
        tags: order.tags.join(','),
        free: true,
        hasHr: false,
        source: order.source,
        downloader: downloader.name,
        downloaderId: downloader.id,
        infoHashes: [infoHash],
      }
      const id = await records.begin(facts)
      world.pushes.push(order.torrentId)
      const instead = await world.midPush(order)
      if (instead !== undefined) {
        if (instead.ok && 'reason' in instead.value) await records.failed(id, instead.value.reason)
        return instead
      }
      world.torrents.set(infoHash, { ...torrentOf(Number(order.torrentId)), sizeBytes, addedAtUnix: clock.now })
      await records.succeeded(id, facts, infoHash)
      return succeed({ kind: 'pushed', infoHash })
    },
  }
  return world
}

function torrentOf(number: number): Torrent {
  return torrentFixture(hashOf(number), { title: `Torrent ${number}`, sizeBytes: 10 * gib, category: 'brush' })
}

/** What the downloader shows of one from now on. */
export function moves(world: BrushWorld, number: number, change: Partial<Torrent>): void {
  world.torrents.set(hashOf(number), { ...(world.torrents.get(hashOf(number)) ?? torrentOf(number)), ...change })
}

export async function addTask(world: BrushWorld, change: Partial<BrushTaskChange> = {}) {
  const added = unwrap(
    await brush.add({
      name: 'free ones',
      enabled: true,
      siteId: world.siteId,
      downloaderId: 0,
      everyMinutes: 10,
      rules,
      ...change,
    }),
  )
  return added.id
}

export async function taskOf(id: number) {
  const task = (await brush.list()).find((one) => one.id === id)
  if (task === undefined) throw new Error('no such task')
  return task
}

/** Each torrent of a task with its status. */
export async function statusesOf(id: number): Promise<Record<string, string>> {
  const torrents = (await brush.torrents(id)) ?? []
  return Object.fromEntries(torrents.map(({ torrentId, status }) => [torrentId, status]))
}
