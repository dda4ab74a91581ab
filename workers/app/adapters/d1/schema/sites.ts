import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { cookieOrigins, loginTiers, signInStatuses, siteKinds } from '../../../core/vocabulary.ts'

export const sites = sqliteTable(
  'sites',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    displayName: text('display_name').notNull(),
    kind: text('kind', { enum: siteKinds }).notNull(),
    /** The ready-made definition it was made from; empty for none. */
    definition: text('definition').notNull().default(''),
    baseUrl: text('base_url').notNull(),
    /** Sealed JSON of cookie, API key and proxy; empty when none is set. */
    sealedCredentials: text('sealed_credentials').notNull().default(''),
    hasCookie: integer('has_cookie', { mode: 'boolean' }).notNull().default(false),
    hasApiKey: integer('has_api_key', { mode: 'boolean' }).notNull().default(false),
    /** Of the cookie that is stored: how it came and when. Null for none, and for one that is older than these columns. */
    cookieFrom: text('cookie_from', { enum: cookieOrigins }),
    cookieAtUnix: integer('cookie_at_unix'),
    /** Of the proxy's address, what may be shown; empty for none. */
    proxyHost: text('proxy_host').notNull().default(''),
    /** JSON list: names of what was answered to a definition of the owner's. */
    answered: text('answered').notNull().default('[]'),
    enabled: integer('enabled', { mode: 'boolean' }).notNull().default(true),
    autoSignIn: integer('auto_sign_in', { mode: 'boolean' }).notNull().default(false),
    inactivityDays: integer('inactivity_days').notNull(),
    remindBeforeDays: integer('remind_before_days').notNull(),
    /** 0 for no limit. */
    capacityGib: integer('capacity_gib').notNull().default(0),
    /** JSON of what the owner set for this site alone. */
    overrides: text('overrides').notNull().default('{}'),
    revision: integer('revision').notNull().default(1),
    createdAtUnix: integer('created_at_unix').notNull(),
    updatedAtUnix: integer('updated_at_unix').notNull(),
    lastActiveAtUnix: integer('last_active_at_unix'),
    lastProbeAtUnix: integer('last_probe_at_unix'),
    /** `ok`, or the kind of the fault. */
    lastProbeStatus: text('last_probe_status'),
  },
  (table) => [uniqueIndex('sites_by_name').on(table.name)],
)

/** Tracker definitions that the owner brought. */
export const ownDefinitions = sqliteTable('own_definitions', {
  /** As the definition calls itself. */
  id: text('id').primaryKey(),
  /** JSON of what is shown of it, as checked: name, language, links, what it asks its owner for. */
  facts: text('facts').notNull(),
  /** JSON of what it sets for every site that is made from it. */
  overrides: text('overrides').notNull(),
  /** The definition itself as a tree of texts, in JSON. */
  tree: text('tree').notNull(),
  /** Where it was fetched; empty for one that was given as a text. */
  address: text('address').notNull().default(''),
  createdAtUnix: integer('created_at_unix').notNull(),
  updatedAtUnix: integer('updated_at_unix').notNull(),
})

/** The account's figures as last fetched; no row before the first time, and null for what the site does not tell. */
export const siteUsers = sqliteTable('site_users', {
  siteId: integer('site_id').primaryKey(),
  username: text('username').notNull(),
  level: text('level'),
  uploadedBytes: integer('uploaded_bytes'),
  downloadedBytes: integer('downloaded_bytes'),
  ratio: real('ratio'),
  bonus: real('bonus'),
  bonusPerHour: real('bonus_per_hour'),
  seeding: integer('seeding'),
  leeching: integer('leeching'),
  seedingSizeBytes: integer('seeding_size_bytes'),
  unreadMessages: integer('unread_messages'),
  hnrUnsatisfied: integer('hnr_unsatisfied'),
  joinedAtUnix: integer('joined_at_unix'),
  seedingPoints: real('seeding_points'),
  /** JSON: which of them are doubtful, and why. */
  doubts: text('doubts').notNull().default('[]'),
  /** JSON: where each of them was read. */
  sources: text('sources').notNull().default('{}'),
  fetchedAtUnix: integer('fetched_at_unix').notNull(),
})

/** One row per site and local day: of each figure the last one of the day that was known. */
export const siteSnapshots = sqliteTable(
  'site_snapshots',
  {
    siteId: integer('site_id').notNull(),
    /** `YYYY-MM-DD` in the service's time zone. */
    day: text('day').notNull(),
    uploadedBytes: integer('uploaded_bytes'),
    downloadedBytes: integer('downloaded_bytes'),
    bonus: real('bonus'),
    ratio: real('ratio'),
    seeding: integer('seeding'),
    seedingSizeBytes: integer('seeding_size_bytes'),
    seedingPoints: real('seeding_points'),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.day] }), index('site_snapshots_by_day').on(table.day)],
)

/** The sign-in of a site on one local day. */
export const siteSignIns = sqliteTable(
  'site_sign_ins',
  {
    siteId: integer('site_id').notNull(),
    day: text('day').notNull(),
    status: text('status', { enum: signInStatuses }).notNull(),
    message: text('message').notNull().default(''),
    /** Automatic attempts, each counted before it is sent. */
    attempts: integer('attempts').notNull().default(0),
    lastAttemptAtUnix: integer('last_attempt_at_unix'),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.day] })],
)

/** Accounts the owner was reminded to visit: one row a site, until it was visited. */
export const loginReminders = sqliteTable('login_reminders', {
  siteId: integer('site_id').primaryKey(),
  tier: text('tier', { enum: loginTiers }).notNull(),
  daysRemaining: integer('days_remaining').notNull(),
  raisedAtUnix: integer('raised_at_unix').notNull(),
})
