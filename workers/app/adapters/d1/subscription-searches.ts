import { and, asc, eq, gte, lte, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { EventFacts } from '../../core/event-values.ts'
import { takenKey } from '../../core/media/choose-releases.ts'
import type { Candidate } from '../../core/media/judge-release.ts'
import type { ReleaseQuality } from '../../core/media/release-name.ts'
import type { NumberSpan } from '../../core/media/release-numbering.ts'
import type { TakenTorrent } from '../../core/media/subscription-search.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { readReason, storeReason } from '../../core/reason/stored-reason.ts'
import type { EventType } from '../../core/vocabulary.ts'
import { followedTasksMax, searchLeaseSeconds, subscriptionTorrentSeconds } from '../../limits.ts'
import { type NewEvent, recordEvent } from './events.ts'
import { broughtForward, selectJob, serviceJob } from './job-list.ts'
import { jobs } from './schema/jobs.ts'
import { pushRecords } from './schema/pushes.ts'
import { subscriptions, subscriptionTorrents } from './schema/subscriptions.ts'

/** A search under way: nobody else searches for the same before its lease ends. */
export interface SearchRun {
  readonly id: number
  readonly leaseUntilUnix: number
  /** When it was due as it began: what is planned anew meanwhile stays planned. */
  readonly dueAtUnix: number | null
}

/** A release that is about to be pushed. */
interface TakenRelease {
  readonly candidate: Pick<Candidate, 'site' | 'torrentId' | 'title' | 'sizeBytes'>
  readonly episodes?: NumberSpan
  readonly quality: ReleaseQuality
}

/** A torrent on its way, and what its push record says. */
export interface TravellingTorrent {
  readonly id: number
  readonly subscriptionId: number
  readonly site: string
  readonly title: string
  readonly sizeBytes: number
  readonly downloader: string
  readonly episode: number | null
  readonly episodeEnd: number | null
  readonly end: { readonly kind: 'complete' | 'not_pushed' } | { readonly kind: 'failed'; readonly reason: Reason }
}

/** What is written down about searches for subscriptions and what came of them. */
export interface SubscriptionSearchStore {
  /** Those that are to be searched for now, what waits longest first. */
  due(upTo: number): Promise<number[]>
  /** When the next one is. */
  nextAtUnix(): Promise<number | undefined>
  begin(id: number): Promise<Result<SearchRun, 'not_found' | 'not_active' | 'busy'>>
  /** Undefined when the search is not wanted any more, or is somebody else's by now. */
  renew(run: SearchRun): Promise<SearchRun | undefined>
  end(
    run: SearchRun,
    outcome: { told: Reason | undefined; nextSearchAtUnix: number; hasSearched: boolean },
  ): Promise<void>
  torrents(id: number): Promise<TakenTorrent[]>
  /** Before it is pushed. Undefined when it was taken before. */
  take(id: number, release: TakenRelease): Promise<number | undefined>
  /** The push came to nothing that lasts: it may be taken again. */
  drop(torrent: number): Promise<void>
  fail(torrent: number, reason: Reason): Promise<void>
  /** With its notice, which is told once. */
  pushed(torrent: number, facts: EventFacts): Promise<void>
  /** Torrents of which the end is known and not written down. */
  ended(): Promise<TravellingTorrent[]>
  /** Its downloader has all of it; from there it goes on into the library. */
  arrived(torrent: TravellingTorrent, facts: EventFacts): Promise<void>
  /** Active subscriptions of which something came into the library since they were last looked at. */
  filled(): Promise<number[]>
  /** It was looked at. With a reason it is done. */
  settled(id: number, done: Reason | undefined): Promise<void>
}

/** The search that is due next, on the scheduler's list. */
export async function planSearches(db: DrizzleD1Database): Promise<void> {
  await db
    .insert(jobs)
    .select(
      selectJob(
        serviceJob('subscriptions'),
        sql`min(max(next_search_at_unix, searching_until_unix))`,
        sql`from subscriptions where status = 'active' and next_search_at_unix is not null having count(*) > 0`,
      ),
    )
    .onConflictDoUpdate(broughtForward)
}

export function createSubscriptionSearchStore(db: DrizzleD1Database, clock: Clock): SubscriptionSearchStore {
  const now = () => unixSeconds(clock)
  const withId = (id: number) => eq(subscriptions.id, id)
  const isActive = eq(subscriptions.status, 'active')
  const torrentWithId = (id: number) => eq(subscriptionTorrents.id, id)
  const isHeldBy = (run: SearchRun) => and(withId(run.id), eq(subscriptions.searchingUntilUnix, run.leaseUntilUnix))

  return {
    async due(upTo) {
      const rows = await db
        .select({ id: subscriptions.id })
        .from(subscriptions)
        .where(and(isActive, lte(subscriptions.nextSearchAtUnix, now()), lte(subscriptions.searchingUntilUnix, now())))
        .orderBy(asc(subscriptions.nextSearchAtUnix), asc(subscriptions.id))
        .limit(upTo)
      return rows.map(({ id }) => id)
    },

    async nextAtUnix() {
      const soonest = sql<number | null>`min(max(next_search_at_unix, searching_until_unix))`
      const [row] = await db.select({ at: soonest }).from(subscriptions).where(isActive)
      return row?.at ?? undefined
    },

    async begin(id) {
      const leaseUntilUnix = now() + searchLeaseSeconds
      const [begun] = await db
        .update(subscriptions)
        .set({ searchingUntilUnix: leaseUntilUnix })
        .where(and(withId(id), isActive, lte(subscriptions.searchingUntilUnix, now())))
        .returning({ dueAtUnix: subscriptions.nextSearchAtUnix })
      if (begun !== undefined) return succeed({ id, leaseUntilUnix, dueAtUnix: begun.dueAtUnix })
      const [row] = await db.select({ status: subscriptions.status }).from(subscriptions).where(withId(id))
      return failWith(row === undefined ? 'not_found' : row.status === 'active' ? 'busy' : 'not_active')
    },

    async renew(run) {
      // Never the same moment twice: it tells whose lease it is.
      const leaseUntilUnix = Math.max(now() + searchLeaseSeconds, run.leaseUntilUnix + 1)
      const renewed = await db
        .update(subscriptions)
        .set({ searchingUntilUnix: leaseUntilUnix })
        .where(and(isHeldBy(run), isActive))
        .returning({ id: subscriptions.id })
      return renewed.length === 0 ? undefined : { ...run, leaseUntilUnix }
    },

    async end(run, { told, nextSearchAtUnix, hasSearched }) {
      await db
        .update(subscriptions)
        .set({
          searchingUntilUnix: 0,
          message: storeReason(told),
          ...(hasSearched ? { lastSearchAtUnix: now() } : {}),
          nextSearchAtUnix: sql`case when next_search_at_unix is ${run.dueAtUnix} and status = 'active'
            then ${nextSearchAtUnix} else next_search_at_unix end`,
        })
        .where(isHeldBy(run))
    },

    async torrents(id) {
      const rows = await db
        .select()
        .from(subscriptionTorrents)
        .where(eq(subscriptionTorrents.subscriptionId, id))
        .orderBy(asc(subscriptionTorrents.id))
      return rows.map((row) => ({
        key: takenKey(row),
        status: row.status,
        episode: row.episode,
        episodeEnd: row.episodeEnd,
        quality: readQuality(row.quality),
      }))
    },

    async take(id, { candidate, episodes, quality }) {
      const nowUnix = now()
      const { site, torrentId, title, sizeBytes = 0 } = candidate
      const [row] = await db
        .insert(subscriptionTorrents)
        .values({
          subscriptionId: id,
          ...{ site, torrentId, title, sizeBytes },
          episode: episodes?.from ?? null,
          episodeEnd: episodes?.to ?? null,
          quality: JSON.stringify(quality),
          status: 'downloading',
          createdAtUnix: nowUnix,
          updatedAtUnix: nowUnix,
        })
        .onConflictDoNothing()
        .returning({ id: subscriptionTorrents.id })
      return row?.id
    },

    async drop(torrent) {
      await db.delete(subscriptionTorrents).where(torrentWithId(torrent))
    },

    async fail(torrent, reason) {
      await db
        .update(subscriptionTorrents)
        .set({ status: 'failed', message: storeReason(reason), updatedAtUnix: now() })
        .where(and(torrentWithId(torrent), eq(subscriptionTorrents.status, 'downloading')))
    },

    async pushed(torrent, facts) {
      await db.batch([
        ...recordEvent(db, noticeOf('subscription.pushed', torrent, facts), now()),
        db.update(subscriptionTorrents).set({ pushed: true }).where(torrentWithId(torrent)),
      ])
    },

    async ended() {
      const nowUnix = now()
      const rows = await db
        .select({ torrent: subscriptionTorrents, push: pushRecords })
        .from(subscriptionTorrents)
        .leftJoin(
          pushRecords,
          and(
            eq(pushRecords.site, subscriptionTorrents.site),
            eq(pushRecords.torrentId, subscriptionTorrents.torrentId),
          ),
        )
        .where(eq(subscriptionTorrents.status, 'downloading'))
        .orderBy(asc(subscriptionTorrents.id))
        .limit(followedTasksMax)
      return rows.flatMap(({ torrent, push }): TravellingTorrent[] => {
        const end = endOf(torrent, push, nowUnix)
        if (end === undefined) return []
        const { id, subscriptionId, site, title, sizeBytes, episode, episodeEnd } = torrent
        const downloader = push?.downloader ?? ''
        return [{ id, subscriptionId, site, title, sizeBytes, downloader, episode, episodeEnd, end }]
      })
    },

    async arrived({ id }, facts) {
      const updatedAtUnix = now()
      await db.batch([
        ...recordEvent(db, noticeOf('subscription.downloaded', id, facts), updatedAtUnix),
        db
          .update(subscriptionTorrents)
          .set({ complete: true, message: '', updatedAtUnix })
          .where(and(torrentWithId(id), eq(subscriptionTorrents.status, 'downloading'))),
      ])
    },

    async filled() {
      const rows = await db
        .selectDistinct({ id: subscriptions.id })
        .from(subscriptions)
        .innerJoin(
          subscriptionTorrents,
          and(eq(subscriptionTorrents.subscriptionId, subscriptions.id), eq(subscriptionTorrents.status, 'done')),
        )
        // What came in the second of the look may have come after it: it is looked at once more.
        .where(and(isActive, gte(subscriptionTorrents.updatedAtUnix, subscriptions.settledAtUnix)))
      return rows.map(({ id }) => id)
    },

    async settled(id, done) {
      const change = { status: 'done', nextSearchAtUnix: null, message: storeReason(done) } as const
      await db
        .update(subscriptions)
        .set({ settledAtUnix: now(), ...(done === undefined ? {} : change) })
        .where(and(withId(id), isActive))
    },
  }
}

/** Undefined while it may still come. */
function endOf(
  torrent: typeof subscriptionTorrents.$inferSelect,
  push: typeof pushRecords.$inferSelect | null,
  nowUnix: number,
): TravellingTorrent['end'] | undefined {
  const age = nowUnix - torrent.createdAtUnix
  if (torrent.complete && age < subscriptionTorrentSeconds) return undefined
  if (torrent.complete) return { kind: 'failed', reason: { kind: 'subscription.never_organised' } }
  const isUnderWay = push !== null && (push.startedAtUnix !== null || push.followed)
  if (isUnderWay && age >= subscriptionTorrentSeconds)
    return { kind: 'failed', reason: { kind: 'subscription.never_complete' } }
  if (isUnderWay) return undefined
  // What an older push of the same torrent left behind says nothing about this one.
  const isPushed = push !== null && (torrent.pushed || (push.pushedAtUnix ?? 0) >= torrent.createdAtUnix)
  // Cut off, or a search that is still at it: it writes its row before its push has a record.
  if (!isPushed) return age < searchLeaseSeconds ? undefined : { kind: 'not_pushed' }
  return push.completed
    ? { kind: 'complete' }
    : { kind: 'failed', reason: readReason(push.error) ?? { kind: 'subscription.not_complete' } }
}

function noticeOf(type: Extract<EventType, `subscription.${string}`>, torrent: number, facts: EventFacts): NewEvent {
  return { type, key: `${type} ${torrent}`, facts }
}

function readQuality(json: string): ReleaseQuality {
  return JSON.parse(json) as ReleaseQuality
}
