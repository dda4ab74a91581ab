import { and, asc, count, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { StoredAnnounces } from '../../core/feeds/announce.ts'
import { readReason } from '../../core/reason/stored-reason.ts'
import type { Clause } from '../../core/rules/clause.ts'
import type { Candidate } from '../../core/rules/filter-rule.ts'
import { overrulable } from '../../core/vocabulary.ts'
import { dryRunItemsMax, feedItemsShown, feedsMax } from '../../limits.ts'
import type { Feed, FeedChange, FeedItem, Feeds } from '../../ports/feeds.ts'
import type { SecretBox } from '../../ports/secrets.ts'
import { isTaken } from './is-taken.ts'
import { planJob } from './own-pace.ts'
import { feedItems, feeds } from './schema/feeds.ts'
import { sites } from './schema/sites.ts'

export type FeedRow = typeof feeds.$inferSelect
export type FeedItemRow = typeof feedItems.$inferSelect

const daySeconds = 24 * 3600

/** Binds a sealed address to its row, so that it opens nowhere else. */
export function addressContext(feedId: number): string {
  return `feed:${feedId}:address`
}

/** The same for what opens a channel. */
export function enterContext(feedId: number): string {
  return `feed:${feedId}:enter`
}

export function createFeeds(
  db: DrizzleD1Database,
  deps: {
    readonly clock: Clock
    readonly secrets: SecretBox
    readonly wake: () => Promise<void>
    /** The host joins and leaves them. */
    readonly channelsChanged: () => Promise<unknown>
  },
): Feeds {
  const { clock, secrets } = deps

  async function list(id?: number): Promise<Feed[]> {
    const recent = db
      .select({
        feedId: feedItems.feedId,
        found: count().as('found'),
        taken: sql<number>`sum(${feedItems.status} in ('taking', 'taken'))`.as('taken'),
      })
      .from(feedItems)
      .where(gt(feedItems.foundAtUnix, unixSeconds(clock) - daySeconds))
      .groupBy(feedItems.feedId)
      .as('recent')
    const rows = await db
      .select({
        row: feeds,
        site: sites.name,
        siteEnabled: sites.enabled,
        found: recent.found,
        taken: recent.taken,
      })
      .from(feeds)
      .leftJoin(sites, eq(sites.id, feeds.siteId))
      .leftJoin(recent, eq(recent.feedId, feeds.id))
      .where(id === undefined ? undefined : eq(feeds.id, id))
      .orderBy(asc(feeds.id))
    return rows.map(({ row, site, siteEnabled, found, taken }) => ({
      id: row.id,
      name: row.name,
      enabled: row.enabled,
      site: site ?? row.site,
      siteEnabled: siteEnabled ?? false,
      host: row.host,
      everyMinutes: row.everyMinutes,
      dueAtUnix: row.dueAtUnix,
      ...(row.lastFinishedAtUnix === null ? {} : { lastFinishedAtUnix: row.lastFinishedAtUnix }),
      ...(row.lastItemAtUnix === null ? {} : { lastItemAtUnix: row.lastItemAtUnix }),
      ...lastReasonOf(row.unheard ?? row.lastError),
      ...announcesOf(row.announces),
      found: found ?? 0,
      taken: taken ?? 0,
    }))
  }

  /** What is set anew is read at once, and knows nothing of failures before. */
  function columnsOf({ name, enabled, everyMinutes, siteId }: FeedChange) {
    const nowUnix = unixSeconds(clock)
    return {
      name,
      enabled,
      everyMinutes,
      unheard: null,
      siteId,
      site: sql<string>`(select name from sites where id = ${siteId})`,
      dueAtUnix: nowUnix,
      lastError: null,
      failures: 0,
      updatedAtUnix: nowUnix,
    }
  }

  /** What opens a channel goes with its server: another address forgets it. */
  async function channelOf(
    id: number,
    { announces, enter, address }: FeedChange,
    stored = '',
  ): Promise<Result<Pick<FeedRow, 'announces'>, 'secrets'>> {
    if (announces === undefined) return succeed({ announces: '' })
    if (enter === undefined) {
      const { sealed_enter } = address === undefined && stored !== '' ? readStored(stored) : {}
      return succeed({ announces: JSON.stringify({ ...announces, sealed_enter }) })
    }
    if ((await secrets.state()) !== 'ready') return failWith('secrets')
    return succeed({
      announces: JSON.stringify({ ...announces, sealed_enter: await secrets.seal(enter, enterContext(id)) }),
    })
  }

  /** Another place is looked at for the first time, and knows no mark of the one before. */
  async function placeOf(id: number, address: string): Promise<Result<Partial<FeedRow>, 'secrets'>> {
    // Of what is said in a channel nothing was said before.
    const anew = { primed: /^ircs?:/.test(address), etag: '', lastModified: '' }
    if (address === '') return succeed({ ...anew, sealedAddress: '', host: '' })
    if ((await secrets.state()) !== 'ready') return failWith('secrets')
    const sealedAddress = await secrets.seal(address, addressContext(id))
    return succeed({ ...anew, sealedAddress, host: new URL(address).host })
  }

  async function planned(id: number, siteId: number): Promise<Feed> {
    await planJob(db, 'feeds', feeds, siteId)
    await deps.wake()
    await deps.channelsChanged()
    const [feed] = await list(id)
    if (feed === undefined) throw new Error('the feed was not written')
    return feed
  }

  return {
    list: () => list(),

    async add(change) {
      const [present] = await db
        .select({ count: count(), last: sql<number>`coalesce(max(${feeds.id}), 0)` })
        .from(feeds)
      if ((present?.count ?? 0) >= feedsMax) return failWith('too_many')
      // The row's id is part of what the seal authenticates, so it is chosen before the row exists.
      const [sequence] = await db.all<{ seq: number }>(sql`select seq from sqlite_sequence where name = 'feeds'`)
      const id = Math.max(sequence?.seq ?? 0, present?.last ?? 0) + 1
      const place = await placeOf(id, change.address ?? '')
      if (!place.ok) return place
      const channel = await channelOf(id, change)
      if (!channel.ok) return channel
      const added = await named(() =>
        db
          .insert(feeds)
          .values({ id, ...columnsOf(change), ...channel.value, ...place.value, createdAtUnix: unixSeconds(clock) }),
      )
      return added.ok ? succeed(await planned(id, change.siteId)) : added
    },

    async update(id, change) {
      const [present] = await db.select().from(feeds).where(eq(feeds.id, id))
      if (present === undefined) return failWith('not_found')
      const place = change.address === undefined ? succeed<Partial<FeedRow>>({}) : await placeOf(id, change.address)
      if (!place.ok) return place
      const channel = await channelOf(id, change, present.announces)
      if (!channel.ok) return channel
      const anew = present.siteId === change.siteId ? {} : { primed: change.announces !== undefined }
      const changed = await named(() =>
        db
          .update(feeds)
          // A run that goes by the old settings writes nothing more.
          .set({ ...columnsOf(change), ...channel.value, ...anew, ...place.value, run: sql`${feeds.run} + 1` })
          .where(eq(feeds.id, id))
          .returning({ id: feeds.id }),
      )
      if (!changed.ok) return changed
      return changed.value.length === 0 ? failWith('not_found') : succeed(await planned(id, change.siteId))
    },

    async remove(id) {
      const [removed] = await db.batch([
        db.delete(feeds).where(eq(feeds.id, id)).returning({ id: feeds.id }),
        db.delete(feedItems).where(eq(feedItems.feedId, id)),
      ])
      await deps.channelsChanged()
      return removed.length > 0
    },

    async runSoon(id) {
      const [row] = await db
        .update(feeds)
        .set({ dueAtUnix: unixSeconds(clock) })
        .where(and(eq(feeds.id, id), eq(feeds.enabled, true)))
        .returning({ siteId: feeds.siteId })
      if (row === undefined) return false
      await planJob(db, 'feeds', feeds, row.siteId)
      await deps.wake()
      return true
    },

    async items({ feedId, statuses, beforeId }) {
      const rows = await db
        .select({ item: feedItems, feed: feeds.name })
        .from(feedItems)
        .innerJoin(feeds, eq(feeds.id, feedItems.feedId))
        .where(
          and(
            feedId === undefined ? undefined : eq(feedItems.feedId, feedId),
            statuses === undefined ? undefined : inArray(feedItems.status, [...statuses]),
            beforeId === undefined ? undefined : lt(feedItems.id, beforeId),
          ),
        )
        .orderBy(desc(feedItems.id))
        .limit(feedItemsShown)
      return rows.map(({ item, feed }) => toItem(item, feed))
    },

    async item(id) {
      const [row] = await db
        .select({ item: feedItems, feed: feeds.name })
        .from(feedItems)
        .innerJoin(feeds, eq(feeds.id, feedItems.feedId))
        .where(eq(feedItems.id, id))
      return row === undefined ? undefined : toItem(row.item, row.feed)
    },

    async overrule({ id, decidedAtUnix }, status) {
      const isSame = and(eq(feedItems.id, id), eq(feedItems.decidedAtUnix, decidedAtUnix))
      await db
        .update(feedItems)
        .set({ status, reason: null })
        .where(and(isSame, inArray(feedItems.status, [...overrulable])))
    },

    async candidates(sinceUnix) {
      const rows = await db
        .select({ candidate: feedItems.candidate, atUnix: feedItems.decidedAtUnix, status: feedItems.status })
        .from(feedItems)
        // What a first look found was never decided about.
        .where(and(gt(feedItems.foundAtUnix, sinceUnix), sql`${feedItems.status} <> 'seen'`))
        .orderBy(desc(feedItems.id))
        .limit(dryRunItemsMax)
      return rows.map(({ candidate, atUnix, status }) => ({
        candidate: readCandidate(candidate),
        atUnix,
        isTaken: status === 'taken' || status === 'taking',
      }))
    },

    async leftSince(unix) {
      const [row] = await db
        .select({ left: count() })
        .from(feedItems)
        .where(and(gt(feedItems.foundAtUnix, unix), eq(feedItems.status, 'left')))
      return row?.left ?? 0
    },
  }
}

function readStored(stored: string): StoredAnnounces {
  return JSON.parse(stored) as StoredAnnounces
}

function announcesOf(stored: string): Pick<Feed, 'announces' | 'hasEnter'> {
  if (stored === '') return {}
  const { sealed_enter: enter, ...announces } = readStored(stored)
  return { announces, ...(enter === undefined ? {} : { hasEnter: true }) }
}

function readCandidate(stored: string): Candidate {
  return JSON.parse(stored) as Candidate
}

function toItem(row: FeedItemRow, feed: string): FeedItem {
  const reason = readReason(row.reason)
  return {
    id: row.id,
    feed,
    candidate: readCandidate(row.candidate),
    status: row.status,
    rule: row.ruleName,
    clauses: JSON.parse(row.clauses) as Clause[],
    ...(reason === undefined ? {} : { reason }),
    foundAtUnix: row.foundAtUnix,
    decidedAtUnix: row.decidedAtUnix,
  }
}

function lastReasonOf(stored: string | null): Pick<Feed, 'lastReason'> {
  const lastReason = readReason(stored)
  return lastReason === undefined ? {} : { lastReason }
}

/** The index over names decides, so that two writes at once cannot make one name twice. */
async function named<T>(write: () => Promise<T>): Promise<Result<T, 'name_taken'>> {
  try {
    return succeed(await write())
  } catch (error) {
    if (isTaken(error, 'feeds.name')) return failWith('name_taken')
    throw error
  }
}
