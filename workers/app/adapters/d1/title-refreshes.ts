import { and, asc, eq, inArray, isNull, lte, min, or, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { addDays, localDay, momentOfDay } from '../../core/local-day.ts'
import type { TitleDetails } from '../../core/media/title-details.ts'
import { endedSeasonDays, titleRefreshSeconds, titleRetrySeconds } from '../../limits.ts'
import { bringJobForward, serviceJob } from './job-list.ts'
import { subscriptionEpisodes, subscriptions } from './schema/subscriptions.ts'
import { insertEpisodes, titleColumns } from './subscriptions.ts'

type Row = typeof subscriptions.$inferSelect

/**
 * Those whose titles are looked at again: what is searched for and what waits for its day. A season that is done is one
 * of them for a while after its last episode, because a list may grow on.
 */
function isRefreshed(today: string) {
  const lastAired = sql`(select max(air_date) from ${subscriptionEpisodes}
    where ${subscriptionEpisodes.subscriptionId} = ${subscriptions.id})`
  return or(
    inArray(subscriptions.status, ['active', 'pending']),
    and(eq(subscriptions.status, 'done'), sql`${lastAired} >= ${addDays(today, -endedSeasonDays)}`),
  )
}

/** Subscribed titles, as what is to be asked about again. */
export interface TitleRefreshes {
  /** That have not been looked at for a day, what waits longest first. */
  due(today: string, upTo: number): Promise<Pick<Row, 'id' | 'mediaType' | 'tmdbId' | 'season' | 'title'>[]>
  /** When there is something to look at again, or a day of release comes. Undefined when nothing is left. */
  next(today: string, timeZone: string): Promise<number | undefined>
  /** Puts the next look on the scheduler's list, where it is not there for an earlier time. */
  plan(timeZone: string): Promise<void>
  /** What waited for a day that has come, or that nobody knows any more, is searched for now. */
  release(today: string): Promise<void>
  /** What the provider says now takes the place of what it said. */
  store(id: number, details: TitleDetails): Promise<void>
  /** The provider has it no more: it is asked again in a day. */
  skip(id: number): Promise<void>
  /** Whatever is due is due a little later. */
  postpone(): Promise<void>
  /** There is more to be had than there was when it was done. */
  reopen(id: number): Promise<void>
}

export function createTitleRefreshes(db: DrizzleD1Database, clock: Clock): TitleRefreshes {
  const now = () => unixSeconds(clock)

  async function next(today: string, timeZone: string): Promise<number | undefined> {
    const [[oldest], [release]] = await db.batch([
      db
        .select({ atUnix: min(subscriptions.refreshedAtUnix) })
        .from(subscriptions)
        .where(isRefreshed(today)),
      db
        .select({ day: min(subscriptions.releasedOn) })
        .from(subscriptions)
        .where(eq(subscriptions.status, 'pending')),
    ])
    const times = [
      ...(typeof oldest?.atUnix === 'number' ? [oldest.atUnix + titleRefreshSeconds] : []),
      ...(typeof release?.day === 'string' ? [momentOfDay(release.day, 0, timeZone)] : []),
    ]
    return times.length === 0 ? undefined : Math.min(...times)
  }

  return {
    async due(today, upTo) {
      return db
        .select({
          id: subscriptions.id,
          mediaType: subscriptions.mediaType,
          tmdbId: subscriptions.tmdbId,
          season: subscriptions.season,
          title: subscriptions.title,
        })
        .from(subscriptions)
        .where(and(lte(subscriptions.refreshedAtUnix, now() - titleRefreshSeconds), isRefreshed(today)))
        .orderBy(asc(subscriptions.refreshedAtUnix), asc(subscriptions.id))
        .limit(upTo)
    },

    next,

    async plan(timeZone) {
      const dueAtUnix = await next(localDay(now(), timeZone), timeZone)
      if (dueAtUnix !== undefined) await bringJobForward(db, serviceJob('titles'), dueAtUnix)
    },

    async release(today) {
      await db
        .update(subscriptions)
        .set({ status: 'active', nextSearchAtUnix: now() })
        .where(
          and(
            eq(subscriptions.status, 'pending'),
            or(lte(subscriptions.releasedOn, today), isNull(subscriptions.releasedOn)),
          ),
        )
    },

    async store(id, details) {
      await db.batch([
        db
          .update(subscriptions)
          .set({ ...titleColumns(details), refreshedAtUnix: now() })
          .where(eq(subscriptions.id, id)),
        db.delete(subscriptionEpisodes).where(eq(subscriptionEpisodes.subscriptionId, id)),
        insertEpisodes(db, details.episodes, eq(subscriptions.id, id)),
      ])
    },

    async skip(id) {
      await db.update(subscriptions).set({ refreshedAtUnix: now() }).where(eq(subscriptions.id, id))
    },

    async postpone() {
      const dueSinceUnix = now() - titleRefreshSeconds
      await db
        .update(subscriptions)
        .set({ refreshedAtUnix: dueSinceUnix + titleRetrySeconds })
        .where(lte(subscriptions.refreshedAtUnix, dueSinceUnix))
    },

    async reopen(id) {
      await db
        .update(subscriptions)
        .set({ status: 'active', nextSearchAtUnix: now() })
        .where(and(eq(subscriptions.id, id), eq(subscriptions.status, 'done')))
    },
  }
}
