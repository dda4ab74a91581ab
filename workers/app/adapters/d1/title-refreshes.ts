import { and, asc, eq, inArray, isNull, lte, min, or, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { addDays, localDay, momentOfDay } from '../../core/local-day.ts'
import type { TitleDetails } from '../../core/media/title-details.ts'
import { endedSeasonDays, titleRefreshSeconds, titleRetrySeconds } from '../../limits.ts'
import { hastenJob, serviceJob } from './job-list.ts'
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

/** That have not been looked at for a day, what waits longest first. */
export async function titlesDue(
  db: DrizzleD1Database,
  nowUnix: number,
  today: string,
  upTo: number,
): Promise<Pick<Row, 'id' | 'mediaType' | 'tmdbId' | 'season' | 'title'>[]> {
  return db
    .select({
      id: subscriptions.id,
      mediaType: subscriptions.mediaType,
      tmdbId: subscriptions.tmdbId,
      season: subscriptions.season,
      title: subscriptions.title,
    })
    .from(subscriptions)
    .where(and(lte(subscriptions.refreshedAtUnix, nowUnix - titleRefreshSeconds), isRefreshed(today)))
    .orderBy(asc(subscriptions.refreshedAtUnix), asc(subscriptions.id))
    .limit(upTo)
}

/** When there is something to look at again, or a day of release comes. Undefined when nothing is left. */
export async function nextTitleLook(
  db: DrizzleD1Database,
  today: string,
  timeZone: string,
): Promise<number | undefined> {
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

/** Puts the next look on the scheduler's list, where it is not there for an earlier time. */
export async function planTitles(db: DrizzleD1Database, clock: Clock, timeZone: string): Promise<void> {
  const dueAtUnix = await nextTitleLook(db, localDay(unixSeconds(clock), timeZone), timeZone)
  if (dueAtUnix !== undefined) await hastenJob(db, serviceJob('titles'), dueAtUnix)
}

/** What waited for a day that has come, or that nobody knows any more, is searched for now. */
export async function releaseTitles(db: DrizzleD1Database, nowUnix: number, today: string): Promise<void> {
  await db
    .update(subscriptions)
    .set({ status: 'active', nextSearchAtUnix: nowUnix })
    .where(
      and(
        eq(subscriptions.status, 'pending'),
        or(lte(subscriptions.releasedOn, today), isNull(subscriptions.releasedOn)),
      ),
    )
}

/** What the provider says now takes the place of what it said. */
export async function storeTitle(
  db: DrizzleD1Database,
  id: number,
  details: TitleDetails,
  nowUnix: number,
): Promise<void> {
  await db.batch([
    db
      .update(subscriptions)
      .set({ ...titleColumns(details), refreshedAtUnix: nowUnix })
      .where(eq(subscriptions.id, id)),
    db.delete(subscriptionEpisodes).where(eq(subscriptionEpisodes.subscriptionId, id)),
    insertEpisodes(db, details.episodes, eq(subscriptions.id, id)),
  ])
}

/** The provider has it no more: it is asked again in a day. */
export async function skipTitle(db: DrizzleD1Database, id: number, nowUnix: number): Promise<void> {
  await db.update(subscriptions).set({ refreshedAtUnix: nowUnix }).where(eq(subscriptions.id, id))
}

/** Whatever is due is due a little later. */
export async function postponeTitles(db: DrizzleD1Database, nowUnix: number): Promise<void> {
  await db
    .update(subscriptions)
    .set({ refreshedAtUnix: nowUnix - titleRefreshSeconds + titleRetrySeconds })
    .where(lte(subscriptions.refreshedAtUnix, nowUnix - titleRefreshSeconds))
}

/** There is more to be had than there was when it was done. */
export async function reopenTitle(db: DrizzleD1Database, id: number, nowUnix: number): Promise<void> {
  await db
    .update(subscriptions)
    .set({ status: 'active', nextSearchAtUnix: nowUnix })
    .where(and(eq(subscriptions.id, id), eq(subscriptions.status, 'done')))
}
