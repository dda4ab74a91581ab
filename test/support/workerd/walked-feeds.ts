/**
 * Sites, their feeds and a downloader over months of simulated time: what turns up and what it costs stands in a plan made
 * beforehand, so that each thing the service does can be held against what was true at that moment.
 */
import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { createFeedRunStore } from '../../../workers/app/adapters/d1/feed-runs.ts'
import { createPushRecords, type PushFacts } from '../../../workers/app/adapters/d1/push-records.ts'
import { writeSearchRows } from '../../../workers/app/contract/search-rows.ts'
import type { SearchHit } from '../../../workers/app/core/site.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import { feedsJob } from '../../../workers/app/jobs/feeds.ts'
import { pruneJob } from '../../../workers/app/jobs/prune.ts'
import { tasksJob } from '../../../workers/app/jobs/tasks.ts'
import { feedItemsMax } from '../../../workers/app/limits.ts'
import { runFeeds } from '../../../workers/app/services/feeds/run-feeds.ts'
import { torrentFixture } from '../torrent-fixture.ts'
import { type Life, lifeOf, mortalDatabase } from './mortal-database.ts'
import { gib, hashOf } from './told-brush.ts'
import { filterRules } from './told-feeds.ts'
import { clock, downloaders, fakeFleet, pushesOf, secrets, type ToldWork, workWith } from './told-sites.ts'

const hour = 3600
const listMax = 100

/** Something that turns up at a site. */
export interface PlannedItem {
  readonly id: number
  readonly site: string
  readonly category: number
  /** The same release has the same name at each site. */
  readonly title: string
  readonly sizeGib: number
  readonly atUnix: number
  /** Free from when it turned up or later, until then; the site tells the end of some. */
  readonly freeFromUnix: number
  readonly freeUntilUnix: number
  readonly isEndTold: boolean
}

export interface PushedItem {
  readonly item: PlannedItem
  readonly atUnix: number
  readonly source: string
  readonly tags: readonly string[]
}

export interface WalkPlan {
  readonly sites: readonly string[]
  readonly items: number
  readonly startUnix: number
  readonly days: number
  readonly random: () => number
}

export const categoriesOfSite = 5
/** So many entries a feed has at once. */
export const entriesOfFeed = 30

/** The last category of each site is a slow one: what stands in its feed stays there for months. */
export function planItems({ sites, items, startUnix, days, random }: WalkPlan): PlannedItem[] {
  const planned: PlannedItem[] = []
  const spanSeconds = days * 24 * hour
  for (let id = 1; id <= items; id += 1) {
    const twin = id > 100 && random() < 0.15 ? planned[planned.length - 1 - Math.floor(random() * 50)] : undefined
    const atUnix = Math.floor(startUnix + (spanSeconds * id) / items)
    const isFreeAtOnce = random() < 0.4
    const freeFromUnix = atUnix + (isFreeAtOnce ? 0 : Math.floor(random() * 72 * hour))
    const hasFree = isFreeAtOnce || random() < 0.2
    planned.push({
      id,
      site: sites[Math.floor(random() * sites.length)] ?? '',
      category: random() < 0.05 ? categoriesOfSite - 1 : Math.floor(random() * (categoriesOfSite - 1)),
      title: twin?.title ?? `Some.Title.${id}.2026.1080p`,
      sizeGib: 1 + Math.floor(random() * 40),
      atUnix,
      freeFromUnix,
      freeUntilUnix: hasFree ? freeFromUnix + Math.floor((0.05 + random()) * 48 * hour) : freeFromUnix,
      isEndTold: random() < 0.5,
    })
  }
  return planned
}

export const isFreeAt = (item: PlannedItem, atUnix: number) =>
  item.freeFromUnix <= atUnix && atUnix < item.freeUntilUnix

export interface WalkedFeeds {
  /** A process of the service that dies after so many steps. */
  live(steps: number): { readonly work: ToldWork; readonly life: Life }
  readonly pushed: PushedItem[]
  /** Names of releases that were sent to the downloader though it has them already. */
  readonly twice: string[]
  /** When each feed was asked, by its address. */
  readonly asked: Map<string, number[]>
  /** Requests to the sites' own lists. */
  listed: number
  failed: number
}

/** Everything outside of the service outlives it. */
export function walkedFeeds(plan: WalkPlan, items: readonly PlannedItem[]): WalkedFeeds {
  const bySite = Map.groupBy(items, ({ site }) => site)
  const held = new Map<string, Torrent>()
  const titles = new Set<string>()
  /** Of what is there by now the newest, of one category or of all. */
  const newest = (site: string, count: number, category?: number) => {
    const found: PlannedItem[] = []
    const all = bySite.get(site) ?? []
    for (let at = endOf(all, clock.now) - 1; at >= 0 && found.length < count; at -= 1) {
      const item = all[at]
      if (item !== undefined && (category === undefined || item.category === category)) found.push(item)
    }
    return found
  }

  const world: WalkedFeeds = {
    pushed: [],
    twice: [],
    asked: new Map(),
    listed: 0,
    failed: 0,
    live(steps) {
      const life = lifeOf(steps)
      const db = drizzle(mortalDatabase(env.DB, life))
      const records = createPushRecords(db, clock)
      const store = createFeedRunStore(db, { clock, secrets })
      const fleet = fakeFleet()
      fleet.downloads = {
        ...fleet.downloads,
        find: async (_, hashes) => succeed(hashes.flatMap((hash) => held.get(hash) ?? [])),
      }
      const deps: Parameters<typeof runFeeds>[0] = {
        clock,
        random: plan.random,
        store,
        rules: filterRules,
        downloaders,
        ruleDisks: async () => [],
        ruleOwned: async () => () => ({}),
        sites: {
          async search({ name }) {
            await life.step()
            world.listed += 1
            if (plan.random() < 0.02) return failWith({ kind: 'timeout' })
            return succeed(writeSearchRows(name, newest(name, listMax).map(hitOf)))
          },
        },
        proxyOf: async () => undefined,
        async fetchFeed({ address, etag }) {
          await life.step()
          world.asked.set(address, [...(world.asked.get(address) ?? []), clock.now])
          if (plan.random() < 0.03) {
            world.failed += 1
            return failWith({ kind: 'unreachable' })
          }
          const url = new URL(address)
          const shown = newest(url.hostname.split('.')[0] ?? '', entriesOfFeed, Number(url.pathname.slice(1)))
          const mark = `"${shown[0]?.id ?? 0}"`
          if (etag === mark) return succeed({ kind: 'unchanged' })
          const entries = shown.slice(0, feedItemsMax).map(({ id, title, atUnix }) => ({
            torrentId: String(id),
            title,
            uploadedAtUnix: atUnix,
          }))
          return succeed({ kind: 'entries', entries, etag: mark, lastModified: '' })
        },
        pushService: {
          async push(target, downloader, order) {
            const item = items[Number(order.torrentId) - 1]
            if (item === undefined) throw new Error(`nobody told of ${order.torrentId}`)
            const infoHash = hashOf(item.id)
            await life.step()
            if (held.has(infoHash)) return succeed({ kind: 'skipped', infoHash })
            const facts: PushFacts = {
              site: target.name,
              torrentId: order.torrentId,
              title: order.title,
              sizeBytes: item.sizeGib * gib,
              category: order.category,
              tags: order.tags.join(','),
              free: false,
              hasHr: false,
              source: order.source,
              downloader: downloader.name,
              downloaderId: downloader.id,
              infoHashes: [infoHash],
            }
            const id = await records.begin(facts)
            if (plan.random() < 0.02) {
              const reason = { kind: 'downloader.unreachable' } as const
              await records.failed(id, reason)
              return succeed({ kind: 'refused', infoHash, reason })
            }
            if (titles.has(item.title)) world.twice.push(item.title)
            titles.add(item.title)
            held.set(infoHash, torrentFixture(infoHash, { title: item.title, addedAtUnix: clock.now }))
            world.pushed.push({ item, atUnix: clock.now, source: order.source, tags: order.tags })
            await life.step()
            await records.succeeded(id, facts, infoHash)
            return succeed({ kind: 'pushed', infoHash })
          },
        },
      }
      const work = workWith(fleet, {
        jobs: [feedsJob, tasksJob, pruneJob],
        feeds: { ...store, run: (id, entry) => runFeeds(deps, id, entry) },
        pushes: pushesOf({ clock, records, downloaders, fleet: fleet.downloads }),
      })
      return { work, life }
    },
  }
  return world
}

/** How many of them are there by then; they stand in the order in which they turn up. */
function endOf(items: readonly PlannedItem[], atUnix: number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle]?.atUnix ?? 0) <= atUnix) low = middle + 1
    else high = middle
  }
  return low
}

function hitOf(item: PlannedItem): SearchHit {
  const free = isFreeAt(item, clock.now)
  return {
    torrentId: String(item.id),
    title: item.title,
    sizeBytes: item.sizeGib * gib,
    seeders: 1,
    leechers: 1,
    tags: [],
    discount: free ? 'FREE' : 'NONE',
    ...(free && item.isEndTold ? { discountEndAtUnix: item.freeUntilUnix } : {}),
    hasHr: false,
    uploadedAtUnix: item.atUnix,
  }
}
