import { and, eq, inArray, max } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import type { LibraryFacts } from '../../ports/library.ts'
import type { TitleStandings } from '../../ports/subscriptions.ts'
import { subscriptions } from './schema/subscriptions.ts'

/** What the owner has of the titles of one page, of a series in any of its seasons. */
export function createTitleStandings(db: DrizzleD1Database, library: LibraryFacts): TitleStandings {
  return {
    async of(mediaType, ids) {
      if (ids.length === 0) return new Map()
      const [held, subscribed] = await Promise.all([
        library.titles(mediaType, ids),
        db
          .select({ tmdbId: subscriptions.tmdbId, newest: max(subscriptions.id) })
          .from(subscriptions)
          .where(and(eq(subscriptions.mediaType, mediaType), inArray(subscriptions.tmdbId, [...ids])))
          .groupBy(subscriptions.tmdbId),
      ])
      const newest = new Map(subscribed.map((row) => [row.tmdbId, row.newest]))
      return new Map(
        ids.map((id) => {
          const subscriptionId = newest.get(id)
          return [id, { inLibrary: held.has(id), ...(subscriptionId ? { subscriptionId } : {}) }]
        }),
      )
    },
  }
}
