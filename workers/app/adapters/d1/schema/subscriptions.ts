import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  mediaTypes,
  subscriptionSources,
  subscriptionStatuses,
  subscriptionTorrentStatuses,
} from '../../../core/vocabulary.ts'

/** Which releases are wanted. One is the default. */
export const qualityProfiles = sqliteTable(
  'quality_profiles',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    isDefault: integer('is_default', { mode: 'boolean' }).notNull().default(false),
    /** JSON. */
    rules: text('rules').notNull(),
    updatedAtUnix: integer('updated_at_unix').notNull(),
  },
  (table) => [
    uniqueIndex('quality_profiles_by_name').on(table.name),
    uniqueIndex('quality_profiles_one_default').on(table.isDefault).where(sql`is_default = 1`),
  ],
)

/** A film, or one season of a series, that the owner wants to have. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    mediaType: text('media_type', { enum: mediaTypes }).notNull(),
    tmdbId: integer('tmdb_id').notNull(),
    /** 0 for a film. */
    season: integer('season').notNull(),
    title: text('title').notNull(),
    originalTitle: text('original_title').notNull(),
    /** Both titles, for searches in any case. */
    foldedTitle: text('folded_title').notNull(),
    /** The name that sites know it by. */
    searchTitle: text('search_title').notNull(),
    year: integer('year'),
    totalEpisodes: integer('total_episodes').notNull(),
    posterPath: text('poster_path'),
    /** `YYYY-MM-DD`: of a film its release, of a season its first episode. */
    releasedOn: text('released_on'),
    status: text('status', { enum: subscriptionStatuses }).notNull(),
    upgrade: integer('upgrade', { mode: 'boolean' }).notNull(),
    /** 0 for the one that is the default at the time, as of the downloader. */
    profileId: integer('profile_id').notNull().default(0),
    downloaderId: integer('downloader_id').notNull().default(0),
    source: text('source', { enum: subscriptionSources }).notNull(),
    message: text('message').notNull().default(''),
    lastSearchAtUnix: integer('last_search_at_unix'),
    nextSearchAtUnix: integer('next_search_at_unix'),
    /** While a search is under way, when its lease ends. */
    searchingUntilUnix: integer('searching_until_unix').notNull().default(0),
    /** When it was last looked at whether all of it is there. */
    settledAtUnix: integer('settled_at_unix').notNull().default(0),
    /** From here its day counts until the provider is asked about it again. */
    refreshedAtUnix: integer('refreshed_at_unix').notNull(),
    createdAtUnix: integer('created_at_unix').notNull(),
  },
  (table) => [
    uniqueIndex('subscriptions_by_title').on(table.mediaType, table.tmdbId, table.season),
    index('subscriptions_by_next_search').on(table.status, table.nextSearchAtUnix),
  ],
)

/** Episodes of a subscribed season, as the provider lists them. */
export const subscriptionEpisodes = sqliteTable(
  'subscription_episodes',
  {
    subscriptionId: integer('subscription_id').notNull(),
    number: integer('number').notNull(),
    name: text('name').notNull(),
    /** `YYYY-MM-DD`. */
    airDate: text('air_date'),
  },
  (table) => [primaryKey({ columns: [table.subscriptionId, table.number] })],
)

/** Torrents that were taken for a subscription. */
export const subscriptionTorrents = sqliteTable(
  'subscription_torrents',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    subscriptionId: integer('subscription_id').notNull(),
    site: text('site').notNull(),
    torrentId: text('torrent_id').notNull(),
    title: text('title').notNull(),
    /** Without one it is all of it: a film, or the whole season. */
    episode: integer('episode'),
    episodeEnd: integer('episode_end'),
    /** Whether the downloader took it: of one that it did not, an older push may have left a record. */
    pushed: integer('pushed', { mode: 'boolean' }).notNull().default(false),
    /** Whether the downloader has all of it. */
    complete: integer('complete', { mode: 'boolean' }).notNull().default(false),
    sizeBytes: integer('size_bytes').notNull(),
    /** JSON of what the release's name says of its quality. */
    quality: text('quality').notNull().default('{}'),
    status: text('status', { enum: subscriptionTorrentStatuses }).notNull(),
    message: text('message').notNull().default(''),
    createdAtUnix: integer('created_at_unix').notNull(),
    updatedAtUnix: integer('updated_at_unix').notNull(),
  },
  (table) => [
    uniqueIndex('subscription_torrents_by_torrent').on(table.subscriptionId, table.site, table.torrentId),
    index('subscription_torrents_by_place').on(table.site, table.torrentId),
    index('subscription_torrents_by_status').on(table.status),
  ],
)
