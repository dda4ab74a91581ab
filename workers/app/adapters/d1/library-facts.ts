import { eq } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type EpisodeSpan, spanOf } from '../../core/media/progress.ts'
import type { LibraryFacts } from '../../ports.ts'
import { subscriptions, subscriptionTorrents } from './schema.ts'

/** The library as far as subscriptions filled it. */
export function createLibraryFacts(db: DrizzleD1Database): LibraryFacts {
  function rows() {
    return db
      .select({
        mediaType: subscriptions.mediaType,
        tmdbId: subscriptions.tmdbId,
        season: subscriptions.season,
        episode: subscriptionTorrents.episode,
        episodeEnd: subscriptionTorrents.episodeEnd,
      })
      .from(subscriptionTorrents)
      .innerJoin(subscriptions, eq(subscriptions.id, subscriptionTorrents.subscriptionId))
      .where(eq(subscriptionTorrents.status, 'done'))
  }

  return {
    async holdings(wanted) {
      const held = Map.groupBy(await rows(), keyOf)
      return wanted.map((title): EpisodeSpan[] =>
        (held.get(keyOf(title)) ?? []).map(({ episode, episodeEnd }) => spanOf(episode, episodeEnd)),
      )
    },

    async titles(mediaType, ids) {
      const held = (await rows()).filter((row) => row.mediaType === mediaType && ids.includes(row.tmdbId))
      return new Set(held.map(({ tmdbId }) => tmdbId))
    },
  }
}

function keyOf(title: { readonly mediaType: string; readonly tmdbId: number; readonly season: number }): string {
  return `${title.mediaType} ${title.tmdbId} ${title.season}`
}
