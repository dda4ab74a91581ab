import { and, asc, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { localDay } from '../../core/local-day.ts'
import { type DownloadSpan, episodesOf, progressOf, spanOf, standingOf } from '../../core/media/progress.ts'
import { firstStatus } from '../../core/media/subscription.ts'
import type { KnownEpisode, TitleDetails } from '../../core/media/title-details.ts'
import { readReason } from '../../core/reason/stored-reason.ts'
import { foldTitle } from '../../core/torrent-listing.ts'
import type { SubscriptionStatus } from '../../core/vocabulary.ts'
import { subscriptionsMax } from '../../limits.ts'
import type { LibraryFacts } from '../../ports/library.ts'
import type { OwnerLocaleReader } from '../../ports/settings.ts'
import type {
  Subscription,
  SubscriptionDetail,
  SubscriptionRecord,
  Subscriptions,
  SubscriptionTorrent,
} from '../../ports/subscriptions.ts'
import { isTaken } from './is-taken.ts'
import { pushRecords } from './schema/pushes.ts'
import { subscriptionEpisodes, subscriptions, subscriptionTorrents } from './schema/subscriptions.ts'

type Row = typeof subscriptions.$inferSelect
type TorrentRow = typeof subscriptionTorrents.$inferSelect

export function createSubscriptions(
  db: DrizzleD1Database,
  deps: {
    readonly clock: Clock
    readonly locale: OwnerLocaleReader
    readonly library: LibraryFacts
    /** Makes the scheduler look at its list now. */
    readonly wake: () => Promise<void>
  },
): Subscriptions {
  const { clock, library, locale } = deps
  const withId = (id: number) => eq(subscriptions.id, id)
  const today = async () => localDay(unixSeconds(clock), (await locale.read()).timeZone)

  async function record(id: number): Promise<SubscriptionRecord | undefined> {
    const [row] = await db.select().from(subscriptions).where(withId(id))
    return row === undefined ? undefined : toRecord(row)
  }

  /** Episodes without their names, by subscription: a list of them counts, and shows none. */
  async function allEpisodes(): Promise<Map<number, KnownEpisode[]>> {
    const rows = await db
      .select({
        id: subscriptionEpisodes.subscriptionId,
        // One row a subscription: of all of them together there may be many thousands.
        episodes: sql<string>`json_group_array(json_array(${subscriptionEpisodes.number}, ${subscriptionEpisodes.airDate}))`,
      })
      .from(subscriptionEpisodes)
      .groupBy(subscriptionEpisodes.subscriptionId)
    return new Map(
      rows.map(({ id, episodes }) => [
        id,
        (JSON.parse(episodes) as [number, string | null][])
          .map(([number, airDate]) => ({ number, name: '', ...(airDate === null ? {} : { airDate }) }))
          .toSorted((a, b) => a.number - b.number),
      ]),
    )
  }

  /** What is on its way, with how far its downloader was when it was looked at last. */
  async function allDownloading(only?: number): Promise<Map<number, DownloadSpan[]>> {
    const rows = await db
      .select({
        id: subscriptionTorrents.subscriptionId,
        episode: subscriptionTorrents.episode,
        episodeEnd: subscriptionTorrents.episodeEnd,
        percent: pushRecords.progressPercent,
      })
      .from(subscriptionTorrents)
      .leftJoin(
        pushRecords,
        and(eq(pushRecords.site, subscriptionTorrents.site), eq(pushRecords.torrentId, subscriptionTorrents.torrentId)),
      )
      .where(
        and(
          eq(subscriptionTorrents.status, 'downloading'),
          only === undefined ? undefined : eq(subscriptionTorrents.subscriptionId, only),
        ),
      )
    const spans = Map.groupBy(rows, ({ id }) => id)
    return new Map(
      [...spans].map(([id, part]) => [
        id,
        part.map(({ episode, episodeEnd, percent }) => ({ ...spanOf(episode, episodeEnd), percent: percent ?? 0 })),
      ]),
    )
  }

  async function read(id: number): Promise<SubscriptionDetail | undefined> {
    const found = await record(id)
    if (found === undefined) return undefined
    const [episodes, torrents, [held = []], downloads] = await Promise.all([
      db
        .select()
        .from(subscriptionEpisodes)
        .where(eq(subscriptionEpisodes.subscriptionId, id))
        .orderBy(asc(subscriptionEpisodes.number)),
      db
        .select()
        .from(subscriptionTorrents)
        .where(eq(subscriptionTorrents.subscriptionId, id))
        .orderBy(desc(subscriptionTorrents.id)),
      library.holdings([found]),
      allDownloading(id),
    ])
    const downloading = downloads.get(id) ?? []
    const day = await today()
    const known = episodesOf(found, episodes.map(toEpisode), day)
    const standing = standingOf(known, held, downloading, day)
    return {
      record: found,
      progress: progressOf(standing, found.totalEpisodes, day, downloading),
      episodes: found.mediaType === 'movie' ? [] : standing,
      torrents: torrents.map(toTorrent),
    }
  }

  /** Active means that it is searched for now; nothing else is searched for. */
  function columnsOf(status: SubscriptionStatus) {
    return { status, nextSearchAtUnix: status === 'active' ? unixSeconds(clock) : null }
  }

  return {
    async list({ status, keyword = '' }) {
      const rows = await db
        .select()
        .from(subscriptions)
        .where(
          and(
            status === undefined ? undefined : eq(subscriptions.status, status),
            keyword === '' ? undefined : sql`instr(${subscriptions.foldedTitle}, ${foldTitle(keyword)}) > 0`,
          ),
        )
        .orderBy(desc(subscriptions.id))
        .limit(subscriptionsMax)
      const records = rows.map(toRecord)
      const [episodes, downloading, held, day] = await Promise.all([
        allEpisodes(),
        allDownloading(),
        library.holdings(records),
        today(),
      ])
      return records.map((one, at): Subscription => {
        const known = episodesOf(one, episodes.get(one.id) ?? [], day)
        const downloads = downloading.get(one.id) ?? []
        const standing = standingOf(known, held[at] ?? [], downloads, day)
        return { record: one, progress: progressOf(standing, one.totalEpisodes, day, downloads) }
      })
    },

    read,

    async has(title) {
      const found = await db.select({ id: subscriptions.id }).from(subscriptions).where(isOf(title)).limit(1)
      return found.length > 0
    },

    async add({ details, ...wanted }) {
      const [totals] = await db.select({ count: count() }).from(subscriptions)
      if ((totals?.count ?? 0) >= subscriptionsMax) return failWith('too_many')
      const nowUnix = unixSeconds(clock)
      const status = firstStatus(details.releasedOn, await today())
      const insert = db
        .insert(subscriptions)
        .values({
          ...titleColumns(details),
          ...wanted,
          ...columnsOf(status),
          refreshedAtUnix: nowUnix,
          createdAtUnix: nowUnix,
        })
        .returning({ id: subscriptions.id })
      try {
        const [[created]] = await db.batch([insert, insertEpisodes(db, details.episodes, isOf(details))])
        const added = created === undefined ? undefined : await read(created.id)
        if (added === undefined) throw new Error('the subscription was not written')
        await deps.wake()
        return succeed(added)
      } catch (error) {
        if (isTaken(error, 'subscriptions.')) return failWith('taken')
        throw error
      }
    },

    async setStatus(id, status) {
      await db.update(subscriptions).set(columnsOf(status)).where(withId(id))
      if (status === 'active') await deps.wake()
      return read(id)
    },

    async change(id, change) {
      const isDone = and(withId(id), eq(subscriptions.status, 'done'), eq(subscriptions.upgrade, false))
      const reopen = db.update(subscriptions).set(columnsOf('active')).where(isDone)
      const update = db.update(subscriptions).set(change).where(withId(id))
      await (change.upgrade ? db.batch([reopen, update]) : update)
      if (change.upgrade) await deps.wake()
      return read(id)
    },

    async remove(id) {
      const [removed] = await db.batch([
        db.delete(subscriptions).where(withId(id)).returning({ id: subscriptions.id }),
        db.delete(subscriptionEpisodes).where(eq(subscriptionEpisodes.subscriptionId, id)),
        db.delete(subscriptionTorrents).where(eq(subscriptionTorrents.subscriptionId, id)),
      ])
      return removed.length > 0
    },
  }
}

/** What the provider says of it. */
export function titleColumns({ episodes: _, year, posterPath, releasedOn, ...details }: TitleDetails) {
  return {
    ...details,
    foldedTitle: foldTitle(`${details.title}\n${details.originalTitle}`),
    year: year ?? null,
    posterPath: posterPath ?? null,
    releasedOn: releasedOn ?? null,
  }
}

function isOf({ mediaType, tmdbId, season }: Pick<Row, 'mediaType' | 'tmdbId' | 'season'>) {
  return and(eq(subscriptions.mediaType, mediaType), eq(subscriptions.tmdbId, tmdbId), eq(subscriptions.season, season))
}

/** Of the one subscription that meets the condition, where there is one by then. */
export function insertEpisodes(db: DrizzleD1Database, episodes: readonly KnownEpisode[], isIt: SQL | undefined) {
  return db.insert(subscriptionEpisodes).select(
    sql`select ${subscriptions.id}, e.value ->> 'number', e.value ->> 'name', e.value ->> 'airDate'
        from ${subscriptions}, json_each(${JSON.stringify(episodes)}) e where ${isIt}`,
  )
}

function toRecord(row: Row): SubscriptionRecord {
  const { foldedTitle: _, refreshedAtUnix: __, searchingUntilUnix: ___, settledAtUnix: ____, ...known } = row
  const { year, posterPath, releasedOn, lastSearchAtUnix, nextSearchAtUnix, message, ...facts } = known
  const reason = readReason(message)
  return {
    ...facts,
    ...(reason === undefined ? {} : { reason }),
    ...(year === null ? {} : { year }),
    ...(posterPath === null ? {} : { posterPath }),
    ...(releasedOn === null ? {} : { releasedOn }),
    ...(lastSearchAtUnix === null ? {} : { lastSearchAtUnix }),
    ...(nextSearchAtUnix === null ? {} : { nextSearchAtUnix }),
  }
}

function toEpisode({ number, name, airDate }: typeof subscriptionEpisodes.$inferSelect): KnownEpisode {
  return { number, name, ...(airDate === null ? {} : { airDate }) }
}

function toTorrent(row: TorrentRow): SubscriptionTorrent {
  const { id, site, torrentId, title, status, episode, episodeEnd, complete, sizeBytes, message, createdAtUnix } = row
  const reason = readReason(message)
  return {
    id,
    site,
    torrentId,
    title,
    status,
    ...(episode === null ? {} : { episode }),
    ...(episodeEnd === null ? {} : { episodeEnd }),
    complete,
    sizeBytes,
    ...(reason === undefined ? {} : { reason }),
    createdAtUnix,
  }
}
