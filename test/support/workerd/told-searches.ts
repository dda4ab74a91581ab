/** Searches for subscriptions, with a clock that a test moves, sites that find what they are told, and pushes that end as told. */

import { env } from 'cloudflare:workers'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { planJob, serviceJob } from '../../../workers/app/adapters/d1/job-list.ts'
import { createLibraryFacts } from '../../../workers/app/adapters/d1/library-facts.ts'
import { createMediaHistory } from '../../../workers/app/adapters/d1/media-history.ts'
import { createQualityProfiles } from '../../../workers/app/adapters/d1/quality-profiles.ts'
import { createSubscriptionSearchStore } from '../../../workers/app/adapters/d1/subscription-searches.ts'
import { createSubscriptions } from '../../../workers/app/adapters/d1/subscriptions.ts'
import { writeSearchRows } from '../../../workers/app/contract/search-rows.ts'
import type { DownloaderStatus } from '../../../workers/app/core/downloader.ts'
import type { PushFailure } from '../../../workers/app/core/push-fault.ts'
import type { Reason } from '../../../workers/app/core/reason/reason.ts'
import type { SiteSearchQuery } from '../../../workers/app/core/search-plan.ts'
import type { SearchHit } from '../../../workers/app/core/site.ts'
import type { SiteFault } from '../../../workers/app/core/site-fault.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import type { PushOrder, PushOutcome } from '../../../workers/app/ports/pushes.ts'
import type { Subscriptions } from '../../../workers/app/ports/subscriptions.ts'
import { organiseMedia } from '../../../workers/app/services/library/organise-media.ts'
import { createSubscriptionSearches } from '../../../workers/app/services/subscriptions/search-subscriptions.ts'
import { localeOf } from '../locale-of.ts'
import { torrentFixture } from '../torrent-fixture.ts'
import { unwrap } from '../unwrap.ts'
import { clock, db, downloaders, idle, records, silent, store } from './told-sites.ts'

const gib = 1024 ** 3
const locale = localeOf('Asia/Shanghai')

export const profiles = createQualityProfiles(db, clock, locale)
export const subscriptions = createSubscriptions(db, {
  clock,
  locale,
  library: createLibraryFacts(db),
  wake: async () => undefined,
})

/** Undefined for a success. */
type PushEnd = Result<PushOutcome, PushFailure> | 'never' | undefined

export interface ToldWorld {
  /** By keyword, what each site has of it. */
  readonly shelves: Map<string, readonly SearchHit[]>
  /** Sites that do not answer. */
  readonly away: Set<string>
  readonly searched: string[]
  readonly wishes: SiteSearchQuery[]
  readonly pushed: string[]
  readonly orders: PushOrder[]
  /** How the next pushes end; all others succeed. */
  readonly ends: PushEnd[]
  status: Result<DownloaderStatus, Reason>
  /** What the downloader shows. */
  torrents: Torrent[]
  /** Runs before a site answers. */
  beforeAnswer: () => Promise<void>
  beforePush: () => Promise<void>
  random: number
}

export function toldWorld(): ToldWorld {
  return {
    shelves: new Map(),
    away: new Set(),
    searched: [],
    wishes: [],
    pushed: [],
    orders: [],
    ends: [],
    status: succeed(idle),
    torrents: [],
    beforeAnswer: async () => undefined,
    beforePush: async () => undefined,
    random: 0,
  }
}

/** The hash that the stand-in gives the torrent. */
export const hashOf = (torrentId: string) => torrentId.padStart(40, '0')

export function shown(torrentId: string, progressPercent: number): Torrent {
  const state = progressPercent >= 100 ? 'seeding' : 'downloading'
  return torrentFixture(hashOf(torrentId), { progressPercent, sizeBytes: 4 * gib, state, etaSeconds: 0 })
}

export function hit(torrentId: string, title: string, more: Partial<SearchHit> = {}): SearchHit {
  const counts = { seeders: 5, leechers: 0, sizeBytes: 4 * gib }
  return { torrentId, title, ...counts, tags: [], discount: 'NONE', hasHr: false, ...more }
}

/** Instances know only what is stored, as after an eviction. */
export function searchesIn(world: ToldWorld) {
  const facts = (site: string, order: PushOrder, downloader: { readonly id: number; readonly name: string }) => ({
    ...{ site, torrentId: order.torrentId, title: order.title, sizeBytes: 4 * gib, category: '', tags: '' },
    ...{ free: false, hasHr: false, source: order.source, downloader: downloader.name },
    ...{ downloaderId: downloader.id, infoHashes: [hashOf(order.torrentId)] },
  })
  return createSubscriptionSearches({
    store: createSubscriptionSearchStore(db, clock),
    subscriptions,
    profiles,
    sites: store,
    siteFleet: {
      search: async ({ name }, wish) => {
        world.searched.push(`${name} ${wish.keyword}`)
        world.wishes.push(wish)
        await world.beforeAnswer()
        if (world.away.has(name)) return failWith<SiteFault>({ kind: 'timeout' })
        return succeed(writeSearchRows(name, world.shelves.get(wish.keyword) ?? []))
      },
    },
    pushService: {
      push: async ({ name }, downloader, order) => {
        world.pushed.push(order.torrentId)
        world.orders.push(order)
        await world.beforePush()
        const end = world.ends.shift()
        if (end === 'never') return new Promise(() => undefined)
        if (end !== undefined) return end
        const pushing = facts(name, order, downloader)
        const id = await records.begin(pushing)
        await records.succeeded(id, pushing, hashOf(order.torrentId))
        return succeed({ kind: 'pushed', infoHash: hashOf(order.torrentId) })
      },
    },
    downloaders,
    fleet: {
      status: async () => world.status,
      find: async (_, hashes) => succeed(world.torrents.filter(({ infoHash }) => hashes.includes(infoHash))),
    },
    records,
    follow: () => planJob(db, serviceJob('tasks'), 0),
    clock,
    logger: silent,
    random: () => world.random,
    wake: async () => undefined,
  })
}

/** Brings what is complete to where it stays: without a library, where it is. */
export function organised() {
  return organiseMedia({
    clock,
    history: createMediaHistory(db, { clock, wake: async () => undefined }),
    libraries: { list: async () => [] },
    profiles,
    downloaders,
    fleet: {
      find: async (_, hashes) => succeed(hashes.map((infoHash) => ({ ...shown('', 100), infoHash }))),
      move: async () => failWith({ kind: 'quoted', words: 'there is nowhere to go' } as const),
    },
  })
}

/** A film of 2026, or the second season of a series with so many episodes, one a day from the 10th of November 2026. */
export async function subscribeTo(
  what: 'film' | number,
  change: Partial<Parameters<Subscriptions['add']>[0]> & { readonly tmdbId?: number; readonly announced?: number } = {},
): Promise<number> {
  const { tmdbId = 11, announced, ...wanted } = change
  const names = { title: '盐路', originalTitle: 'Yan Lu', searchTitle: 'The Salt Road' }
  const episodes = Array.from({ length: what === 'film' ? 0 : what }, (_, at) => ({
    number: at + 1,
    name: '',
    airDate: `2026-11-${10 + at}`,
  }))
  const added = unwrap(
    await subscriptions.add({
      details: {
        ...{ mediaType: what === 'film' ? 'movie' : 'tv', tmdbId, season: what === 'film' ? 0 : 2 },
        ...names,
        ...{
          year: what === 'film' ? 2026 : 2024,
          releasedOn: '2026-11-10',
          totalEpisodes: announced ?? episodes.length,
        },
        episodes,
      },
      ...{ upgrade: false, profileId: 0, downloaderId: 0, source: 'app' },
      ...wanted,
    }),
  )
  return added.record.id
}

/** How far the downloader is with a torrent, as the service notes it. */
export async function noteProgress(torrentId: string, progressPercent: number): Promise<void> {
  await records.note([{ id: await recordId(torrentId), torrent: shown(torrentId, progressPercent) }])
}

export async function noteLost(torrentId: string, reason: Reason): Promise<void> {
  await records.note([{ id: await recordId(torrentId), lost: reason }])
}

async function recordId(torrentId: string): Promise<number> {
  const row = await env.DB.prepare('select id from push_records where torrent_id = ?').bind(torrentId).first<{
    id: number
  }>()
  if (row === null) throw new Error('there is no such push')
  return row.id
}
