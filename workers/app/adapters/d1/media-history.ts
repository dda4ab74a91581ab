import { and, asc, count, desc, eq, inArray, isNotNull, lte, ne, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { storeReason } from '../../core/reason/stored-reason.ts'
import { foldTitle } from '../../core/torrent-listing.ts'
import type { HistoryStatus, LibraryMode } from '../../core/vocabulary.ts'
import { failedJobPauseSeconds, mediaHistoryMax, organisedAtOnceMax } from '../../limits.ts'
import type { MediaHistory } from '../../ports/library.ts'
import { recordEvent } from './events.ts'
import { broughtForward, selectJob, serviceJob } from './job-list.ts'
import { type KnownRecord, type MediaItem, type MediaOutcome, partOf, toItem, toRecord } from './media-items.ts'
import { jobs } from './schema/jobs.ts'
import { mediaHistory } from './schema/library.ts'
import { pushRecords } from './schema/pushes.ts'
import { subscriptionEpisodes, subscriptions, subscriptionTorrents } from './schema/subscriptions.ts'

/** What the service itself writes down about the library. */
export interface MediaHistoryStore extends MediaHistory {
  /** Takes up what became complete since: a row each, before anything is done about it. */
  begin(): Promise<void>
  /** Those whose turn it is, a bounded number; a run that ends in their middle comes back to them later. */
  due(patienceSeconds: number): Promise<MediaItem[]>
  /** When one of them is next looked at; undefined when there is none. */
  nextAtUnix(): Promise<number | undefined>
  /** Before the downloader is asked: after a crash it is looked at first. */
  asked(id: number, target: { readonly library: string; readonly targetPath: string }): Promise<void>
  /** Nothing came of it yet; a `reason` that is undefined clears the one before. `attempts` counts what went wrong; then the downloader is asked anew. */
  postponed(
    id: number,
    change: { readonly seconds: number; readonly reason?: Reason | undefined; readonly attempts?: number },
  ): Promise<void>
  finished(item: MediaItem, outcome: MediaOutcome): Promise<void>
  /** What else of its film or season the library holds. */
  heldBeside(item: MediaItem): Promise<KnownRecord[]>
  /** Where the same torrent lies already that was taken for another season too. */
  sharedPlace(
    item: MediaItem,
  ): Promise<{ readonly library: string; readonly mode: LibraryMode; readonly targetPath: string } | undefined>
  /** Numbers of the season's episodes as far as they are known, and the profile of who wanted them. */
  wishOf(item: MediaItem): Promise<{ readonly episodes: readonly number[]; readonly profileId: number }>
  /** Files of torrents went through this service. */
  filesRemoved(downloaderId: number, infoHashes: readonly string[]): Promise<void>
}

/** How often a new record also removes the oldest: each hundredth, decided by its id. */
const trimEvery = 100
/** What is there: moved, or known to lie where it was written. */
export const heldStatuses: HistoryStatus[] = ['done', 'skipped']

export function createMediaHistory(
  db: DrizzleD1Database,
  deps: { readonly clock: Clock; readonly wake: () => Promise<void> },
): MediaHistoryStore {
  const { clock } = deps
  const withId = (id: number) => eq(mediaHistory.id, id)
  const isSameTitle = ({ mediaType, tmdbId, season }: MediaItem) =>
    and(eq(mediaHistory.mediaType, mediaType), eq(mediaHistory.tmdbId, tmdbId), eq(mediaHistory.season, season))

  async function trim(id: number): Promise<void> {
    await db.run(sql`delete from media_history where under_way = 0 and id <= ${id - mediaHistoryMax}`)
  }

  return {
    async page({ status, keyword }, page, pageSize) {
      const wanted = and(
        isNotNull(mediaHistory.status),
        status === undefined ? undefined : eq(mediaHistory.status, status),
        keyword === undefined || keyword === ''
          ? undefined
          : sql`instr(${mediaHistory.foldedText}, ${foldTitle(keyword)}) > 0`,
      )
      const [rows, totals] = await db.batch([
        db
          .select()
          .from(mediaHistory)
          .where(wanted)
          .orderBy(desc(mediaHistory.updatedAtUnix), desc(mediaHistory.id))
          .limit(pageSize)
          .offset((page - 1) * pageSize),
        db.select({ count: count() }).from(mediaHistory).where(wanted),
      ])
      return { items: rows.flatMap(toRecord), total: totals[0]?.count ?? 0 }
    },

    async tryAgain(id) {
      const nowUnix = unixSeconds(clock)
      const [row] = await db
        .select({ status: mediaHistory.status })
        .from(mediaHistory)
        .where(and(withId(id), isNotNull(mediaHistory.status)))
      if (row === undefined) return failWith('not_found')
      const mayWork = and(withId(id), inArray(mediaHistory.status, ['failed', 'skipped']))
      const [begun] = await db.batch([
        db
          .update(mediaHistory)
          .set({ underWay: true, attempts: 0, askedAtUnix: null, nextAtUnix: nowUnix, begunAtUnix: nowUnix })
          .where(mayWork)
          .returning({ id: mediaHistory.id }),
        planOrganising(db, nowUnix),
      ])
      if (begun.length === 0) return failWith('not_needed')
      await deps.wake()
      return succeed(undefined)
    },

    async begin() {
      const found = await db
        .select({ wanted: subscriptions, torrent: subscriptionTorrents, push: pushRecords })
        .from(subscriptionTorrents)
        .innerJoin(subscriptions, eq(subscriptions.id, subscriptionTorrents.subscriptionId))
        .innerJoin(
          pushRecords,
          and(
            eq(pushRecords.site, subscriptionTorrents.site),
            eq(pushRecords.torrentId, subscriptionTorrents.torrentId),
          ),
        )
        .where(sql`${isComplete} and ${isNotBegun}`)
        .orderBy(asc(subscriptionTorrents.id))
        .limit(organisedAtOnceMax)
      const nowUnix = unixSeconds(clock)
      for (const { wanted, torrent, push } of found) {
        const columns = {
          title: wanted.title,
          year: wanted.year,
          episode: torrent.episode,
          episodeEnd: torrent.episodeEnd,
          torrentName: torrent.title,
          foldedText: foldTitle(`${wanted.title}\n${torrent.title}`),
          sizeBytes: torrent.sizeBytes || push.sizeBytes,
          quality: torrent.quality,
          message: '',
          subscriptionTorrentId: torrent.id,
          downloaderId: push.downloaderId,
          infoHashes: push.infoHashes,
          underWay: true,
          attempts: 0,
          askedAtUnix: null,
          nextAtUnix: nowUnix,
          begunAtUnix: nowUnix,
        }
        const { mediaType, tmdbId, season } = wanted
        const [row] = await db
          .insert(mediaHistory)
          .values({
            ...{ mediaType, tmdbId, season },
            ...{ site: torrent.site, torrentId: torrent.torrentId },
            ...columns,
            createdAtUnix: nowUnix,
            updatedAtUnix: nowUnix,
          })
          .onConflictDoUpdate({
            target: [
              mediaHistory.mediaType,
              mediaHistory.tmdbId,
              mediaHistory.season,
              mediaHistory.site,
              mediaHistory.torrentId,
            ],
            set: columns,
          })
          .returning({ id: mediaHistory.id })
        if (row !== undefined && row.id % trimEvery === 0) await trim(row.id)
      }
    },

    async due(patienceSeconds) {
      const nowUnix = unixSeconds(clock)
      const rows = await db
        .select()
        .from(mediaHistory)
        .where(and(eq(mediaHistory.underWay, true), lte(mediaHistory.nextAtUnix, nowUnix)))
        .orderBy(asc(mediaHistory.nextAtUnix), asc(mediaHistory.id))
        .limit(organisedAtOnceMax)
      await db
        .update(mediaHistory)
        .set({ nextAtUnix: nowUnix + patienceSeconds })
        .where(
          isOneOf(
            mediaHistory.id,
            rows.map(({ id }) => id),
          ),
        )
      return rows.map(toItem)
    },

    async nextAtUnix() {
      const [row] = await db
        .select({ next: mediaHistory.nextAtUnix })
        .from(mediaHistory)
        .where(eq(mediaHistory.underWay, true))
        .orderBy(asc(mediaHistory.nextAtUnix))
        .limit(1)
      return row?.next
    },

    async asked(id, { library, targetPath }) {
      const askedAtUnix = unixSeconds(clock)
      await db.update(mediaHistory).set({ askedAtUnix, library, targetPath, mode: 'move' }).where(withId(id))
    },

    async postponed(id, { seconds, attempts, ...change }) {
      await db
        .update(mediaHistory)
        .set({
          nextAtUnix: unixSeconds(clock) + seconds,
          ...('reason' in change ? { message: storeReason(change.reason) } : {}),
          ...(attempts === undefined ? {} : { attempts, askedAtUnix: null }),
        })
        .where(and(withId(id), eq(mediaHistory.underWay, true)))
    },

    async finished(item, { replaced, ...outcome }) {
      const { reason, ...place } = outcome
      const updatedAtUnix = unixSeconds(clock)
      const { status } = outcome
      const message = storeReason(reason)
      const change =
        status === 'failed'
          ? { message, updatedAtUnix }
          : status === 'removed'
            ? { status: 'failed' as const, message, updatedAtUnix }
            : { status: 'done' as const, complete: true, message, updatedAtUnix }
      const isOpen =
        change.status === 'done'
          ? inArray(subscriptionTorrents.status, ['downloading', 'failed'])
          : eq(subscriptionTorrents.status, 'downloading')
      await db.batch([
        db
          .update(mediaHistory)
          .set({ ...place, message, underWay: false, updatedAtUnix })
          .where(and(withId(item.id), eq(mediaHistory.underWay, true))),
        db
          .update(subscriptionTorrents)
          .set(change)
          .where(and(eq(subscriptionTorrents.id, item.subscriptionTorrentId), isOpen)),
        db
          .update(mediaHistory)
          .set({ status: 'removed', message: replacedMessage, updatedAtUnix })
          .where(
            isOneOf(
              mediaHistory.id,
              replaced.map(({ id }) => id),
            ),
          ),
        db
          .update(subscriptionTorrents)
          .set({ status: 'replaced', updatedAtUnix })
          .where(
            and(
              isOneOf(
                subscriptionTorrents.id,
                replaced.map(({ subscriptionTorrentId }) => subscriptionTorrentId),
              ),
              eq(subscriptionTorrents.status, 'done'),
            ),
          ),
        ...newsOf(db, item, outcome, updatedAtUnix),
      ])
    },

    async heldBeside(item) {
      const rows = await db
        .select()
        .from(mediaHistory)
        .where(and(isSameTitle(item), ne(mediaHistory.id, item.id), inArray(mediaHistory.status, heldStatuses)))
      return rows.map((row) => {
        const { id, holding, subscriptionTorrentId } = toItem(row)
        return { id, holding, subscriptionTorrentId }
      })
    },

    async sharedPlace({ id, site, torrentId, downloaderId }) {
      const [row] = await db
        .select({
          library: mediaHistory.library,
          mode: mediaHistory.mode,
          targetPath: mediaHistory.targetPath,
        })
        .from(mediaHistory)
        .where(
          and(
            eq(mediaHistory.site, site),
            eq(mediaHistory.torrentId, torrentId),
            eq(mediaHistory.downloaderId, downloaderId),
            ne(mediaHistory.id, id),
            eq(mediaHistory.status, 'done'),
          ),
        )
        .limit(1)
      return row
    },

    async wishOf({ mediaType, tmdbId, season }) {
      const rows = await db
        .select({ number: subscriptionEpisodes.number, profileId: subscriptions.profileId })
        .from(subscriptions)
        .leftJoin(subscriptionEpisodes, eq(subscriptionEpisodes.subscriptionId, subscriptions.id))
        .where(
          and(
            eq(subscriptions.mediaType, mediaType),
            eq(subscriptions.tmdbId, tmdbId),
            eq(subscriptions.season, season),
          ),
        )
      return { episodes: rows.flatMap(({ number }) => number ?? []), profileId: rows[0]?.profileId ?? 0 }
    },

    async filesRemoved(downloaderId, infoHashes) {
      const isNamed = sql`exists (
        select 1 from json_each(${JSON.stringify(infoHashes)}) as one
        where instr(',' || ${mediaHistory.infoHashes} || ',', ',' || one.value || ',') > 0
      )`
      const isRemoved = and(
        eq(mediaHistory.downloaderId, downloaderId),
        inArray(mediaHistory.status, heldStatuses),
        isNamed,
      )
      const change = { message: filesRemovedMessage, updatedAtUnix: unixSeconds(clock) }
      const torrents = db.select({ id: mediaHistory.subscriptionTorrentId }).from(mediaHistory).where(isRemoved)
      await db.batch([
        // What the owner threw away is not taken again.
        db
          .update(subscriptionTorrents)
          .set({ status: 'failed', ...change })
          .where(and(eq(subscriptionTorrents.status, 'done'), inArray(subscriptionTorrents.id, torrents))),
        db
          .update(mediaHistory)
          .set({ status: 'removed', ...change })
          .where(isRemoved),
      ])
    },
  }
}

/** As one parameter: a statement takes a hundred of them. */
function isOneOf(column: SQLiteColumn, ids: readonly number[]) {
  return sql`${column} in (select value from json_each(${JSON.stringify(ids)}))`
}

const replacedMessage = storeReason({ kind: 'media.replaced' })
const filesRemovedMessage = storeReason({ kind: 'media.files_deleted' })

/** Complete in its downloader, and not in the library by now. */
const isComplete = sql`subscription_torrents.status = 'downloading' and push_records.completed = 1`
/** One that was removed and taken again is organised again. */
const isNotBegun = sql`not exists (
  select 1 from media_history h
  where h.media_type = subscriptions.media_type and h.tmdb_id = subscriptions.tmdb_id and h.season = subscriptions.season
    and h.site = subscription_torrents.site and h.torrent_id = subscription_torrents.torrent_id
    and (h.under_way = 1 or h.status <> 'removed')
)`

/** Has the scheduler organise what is complete, and go on with what is under way. */
export function planOrganising(db: DrizzleD1Database, nowUnix: number) {
  return db
    .insert(jobs)
    .select(
      selectJob(
        serviceJob('organise'),
        nowUnix,
        sql`where exists (select 1 from media_history where under_way = 1 and next_at_unix <= ${nowUnix}) or exists (
          select 1 from subscription_torrents
            join subscriptions on subscriptions.id = subscription_torrents.subscription_id
            join push_records on push_records.site = subscription_torrents.site
              and push_records.torrent_id = subscription_torrents.torrent_id
          where ${isComplete} and ${isNotBegun})`,
      ),
    )
    .onConflictDoUpdate({
      ...broughtForward,
      // What has just failed waits a little, or it would fail all the time.
      setWhere: sql`${jobs.lastOk} is not 0 or ${jobs.lastFinishedAtUnix} <= ${nowUnix - failedJobPauseSeconds}`,
    })
}

/** Told once, however often it is written. */
function newsOf(
  db: DrizzleD1Database,
  item: MediaItem,
  { status, reason, sizeBytes, library, targetPath }: Omit<MediaOutcome, 'replaced'>,
  nowUnix: number,
) {
  if (status !== 'done' && status !== 'failed') return []
  const facts = { media: item.title, part: partOf(item), library, title: item.torrentName, size: sizeBytes }
  const key = `media ${item.id} ${item.begunAtUnix}`
  return status === 'done'
    ? recordEvent(db, { type: 'media.organised', key, facts: { ...facts, path: targetPath } }, nowUnix)
    : recordEvent(db, { type: 'media.failed', key, facts: { ...facts, reason: reason ?? '' } }, nowUnix)
}
