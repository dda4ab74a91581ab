import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { calledBy } from '../../core/media/called-by.ts'
import { foldName } from '../../core/media/fold-name.ts'
import { type HeldTitle, namesOf } from '../../core/media/held-release.ts'
import { type EpisodeSpan, spanOf } from '../../core/media/progress.ts'
import { readReleaseName } from '../../core/media/release-name.ts'
import { calledRecordsMax } from '../../limits.ts'
import type { LibraryFacts } from '../../ports/library.ts'
import { heldStatuses } from './media-history.ts'
import { mediaHistory } from './schema/library.ts'

/** The library as far as the service filled it. */
export function createLibraryFacts(db: DrizzleD1Database): LibraryFacts {
  const isHeld = inArray(mediaHistory.status, heldStatuses)

  return {
    async holdings(wanted) {
      const list = JSON.stringify(wanted.map(({ mediaType, tmdbId, season }) => [mediaType, tmdbId, season]))
      const rows = await db
        .selectDistinct({
          at: sql<number>`one.key`,
          episode: mediaHistory.episode,
          episodeEnd: mediaHistory.episodeEnd,
        })
        .from(sql`json_each(${list}) as one`)
        .innerJoin(
          mediaHistory,
          and(
            isHeld,
            sql`${mediaHistory.mediaType} = one.value ->> 0 and ${mediaHistory.tmdbId} = one.value ->> 1 and ${mediaHistory.season} = one.value ->> 2`,
          ),
        )
      const held = Map.groupBy(rows, ({ at }) => at)
      return wanted.map((_, at): EpisodeSpan[] =>
        (held.get(at) ?? []).map(({ episode, episodeEnd }) => spanOf(episode, episodeEnd)),
      )
    },

    async titles(mediaType, ids) {
      const isOne = sql`${mediaHistory.tmdbId} in (select value from json_each(${JSON.stringify(ids)}))`
      const rows = await db
        .selectDistinct({ tmdbId: mediaHistory.tmdbId })
        .from(mediaHistory)
        .where(and(eq(mediaHistory.mediaType, mediaType), isOne, isHeld))
      return new Set(rows.map(({ tmdbId }) => tmdbId))
    },

    async called(names) {
      const newest = await db
        .select({ id: mediaHistory.id, title: mediaHistory.title, torrentName: mediaHistory.torrentName })
        .from(mediaHistory)
        .where(isHeld)
        .orderBy(desc(mediaHistory.id))
        .limit(calledRecordsMax)
      const isCalled = calledBy(names)
      const ids = newest.flatMap(({ id, title, torrentName }) =>
        isCalled(foldName(`${title} ${torrentName}`)) ? [id] : [],
      )
      if (ids.length === 0) return []
      const isOne = sql`${mediaHistory.id} in (select value from json_each(${JSON.stringify(ids)}))`
      const rows = await db.select().from(mediaHistory).where(isOne)
      return rows.map(({ mediaType, title, torrentName, year, season, episode, episodeEnd }): HeldTitle => {
        const release = readReleaseName(torrentName)
        const known = year ?? release.year
        return {
          names: [foldName(title), ...namesOf(release)],
          release: foldName(torrentName),
          ...(known === undefined ? {} : { year: known }),
          ...(mediaType === 'movie' ? {} : { season }),
          span: spanOf(episode, episodeEnd),
        }
      })
    },
  }
}
