/** Feeds with a clock that a test moves: a feed and a site that show what they are told to, and a downloader that has what was pushed. */

import { succeed } from '#shared/kernel/result.ts'
import { createFeeds } from '../../../workers/app/adapters/d1/feeds.ts'
import { createFilterRules } from '../../../workers/app/adapters/d1/filter-rules.ts'
import { createLibraryFacts } from '../../../workers/app/adapters/d1/library-facts.ts'
import type { FeedPlace } from '../../../workers/app/adapters/feeds/fetch-feed.ts'
import type { FeedEntry } from '../../../workers/app/core/feeds/feed-entry.ts'
import { defaultTarget, type FilterRule, type RuleCondition } from '../../../workers/app/core/rules/filter-rule.ts'
import type { DownloaderFleet } from '../../../workers/app/ports/downloaders.ts'
import type { FeedChange } from '../../../workers/app/ports/feeds.ts'
import { createRuleDisks } from '../../../workers/app/services/feeds/rule-disks.ts'
import { createRuleOwned } from '../../../workers/app/services/feeds/rule-owned.ts'
import { type FeedDeps, runFeeds } from '../../../workers/app/services/feeds/run-feeds.ts'
import { unwrap } from '../unwrap.ts'
import { type BrushWorld, brushWorld, gib } from './told-brush.ts'
import { subscriptions } from './told-searches.ts'
import { clock, db, downloaders, feedRuns, records, secrets, type ToldWork, workWith } from './told-sites.ts'

export const feeds = createFeeds(db, {
  clock,
  secrets,
  wake: async () => undefined,
  channelsChanged: async () => false,
})
export const filterRules = createFilterRules(db, clock)

export interface FeedWorld extends BrushWorld {
  /** What the feed holds, newest first. */
  entries: readonly FeedEntry[]
  /** How it was asked for, and what it answers in place of its entries. */
  readonly places: FeedPlace[]
  /** What the one downloader has left for a folder. */
  space: (folder: string) => ReturnType<DownloaderFleet['space']>
  /** What the one downloader has that may be called by one of the names. */
  called: (names: readonly string[]) => Awaited<ReturnType<DownloaderFleet['called']>>
  answer: Awaited<ReturnType<FeedDeps['fetchFeed']>> | undefined
  /** From 0 up to 1. */
  chance: number
  readonly readFeeds: () => ToldWork
}

export async function feedWorld(): Promise<FeedWorld> {
  const brushed = await brushWorld()
  const world: FeedWorld = Object.assign(brushed, {
    entries: [],
    places: [],
    space: async () => succeed({ freeBytes: 100 * gib, pendingBytes: 0, minFreeBytes: 0 }),
    called: () => succeed([]),
    answer: undefined,
    chance: 0,
    readFeeds: () =>
      workWith(brushed.fleet, {
        feeds: {
          ...feedRuns,
          run: (id, entry) =>
            runFeeds(
              {
                clock,
                random: () => world.chance,
                store: feedRuns,
                rules: filterRules,
                downloaders,
                ruleOwned: createRuleOwned({
                  subscriptions,
                  library: createLibraryFacts(db),
                  records,
                  downloaders,
                  fleet: { called: async (_, names) => world.called(names) },
                }),
                ruleDisks: createRuleDisks({ downloaders, fleet: { space: (_, folder) => world.space(folder) } }),
                sites: brushed.fleet.port,
                pushService: brushed.pushService,
                proxyOf: async () => undefined,
                async fetchFeed(place) {
                  world.places.push(place)
                  return (
                    world.answer ?? succeed({ kind: 'entries', entries: world.entries, etag: '"a"', lastModified: '' })
                  )
                },
              },
              id,
              entry,
            ),
        },
      }),
  })
  return world
}

export function entry(number: number, change: Partial<FeedEntry> = {}): FeedEntry {
  return { torrentId: String(number), title: `Torrent ${number}`, ...change }
}

export async function addFeed(world: FeedWorld, change: Partial<FeedChange> = {}): Promise<number> {
  const added = unwrap(
    await feeds.add({
      name: 'fresh',
      enabled: true,
      siteId: world.siteId,
      address: 'https://feed.example/rss?passkey=CanaryPassKeyOfTheFeed',
      everyMinutes: 10,
      ...change,
    }),
  )
  return added.id
}

export async function addRule(
  name: string,
  conditions: readonly RuleCondition[],
  change: Partial<FilterRule> = {},
): Promise<number> {
  const rule = { action: 'take' as const, conditions, target: defaultTarget, ...change }
  const added = unwrap(await filterRules.add({ name, enabled: true, rule }))
  return added.id
}

/** Each item with its status. */
export async function statuses(): Promise<Record<string, string>> {
  return Object.fromEntries((await feeds.items({})).map(({ candidate, status }) => [candidate.torrentId, status]))
}
