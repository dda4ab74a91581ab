/**
 * Tables of the App API in D1. Sizes are bytes and times Unix seconds unless a name says otherwise. Secrets are sealed
 * (`SecretBox`) before they reach a row; of tokens and sessions only the SHA-256 is kept, as hex.
 */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  brushReasons,
  brushStatuses,
  channelKinds,
  conversationEntries,
  devicePermissions,
  discounts,
  downloaderKinds,
  feedItemStatuses,
  freeEndings,
  historyStatuses,
  jobScopes,
  libraryModes,
  loginTiers,
  mediaTypes,
  noticeTypes,
  signInStatuses,
  siteKinds,
  subscriptionSources,
  subscriptionStatuses,
  subscriptionTorrentStatuses,
  taskSources,
  templateTypes,
  unknownEnds,
} from '../../core/vocabulary.ts'
import { minFreeGibDefault } from '../../limits.ts'

/** The one owner of this installation; the row exists once set-up is done. */
export const owner = sqliteTable('owner', {
  id: integer('id').primaryKey(),
  passwordHash: text('password_hash').notNull(),
  /** SHA-256 of the set-up code that made this password: a code works once. */
  setupCodeHash: text('setup_code_hash').notNull(),
  createdAtUnix: integer('created_at_unix').notNull(),
  updatedAtUnix: integer('updated_at_unix').notNull(),
})

export const sessions = sqliteTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    createdAtUnix: integer('created_at_unix').notNull(),
    expiresAtUnix: integer('expires_at_unix').notNull(),
    lastUsedAtUnix: integer('last_used_at_unix').notNull(),
  },
  (table) => [index('sessions_by_expiry').on(table.expiresAtUnix)],
)

export const apiTokens = sqliteTable(
  'api_tokens',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    tokenHash: text('token_hash').notNull(),
    /** Comma-separated scopes in the vocabulary's order. */
    scopes: text('scopes').notNull(),
    createdAtUnix: integer('created_at_unix').notNull(),
    expiresAtUnix: integer('expires_at_unix'),
    revokedAtUnix: integer('revoked_at_unix'),
    lastUsedAtUnix: integer('last_used_at_unix'),
  },
  (table) => [index('api_tokens_by_creation').on(table.createdAtUnix)],
)

/** What the owner's authenticators signed up with. None of it is secret. */
export const passkeys = sqliteTable('passkeys', {
  /** Of the credential, as base64url; so is the key, in COSE form. */
  id: text('id').primaryKey(),
  publicKey: text('public_key').notNull(),
  name: text('name').notNull(),
  /** The host it works at: browsers offer it nowhere else. */
  host: text('host').notNull(),
  /** What authenticators know the owner of this installation by. */
  userHandle: text('user_handle').notNull(),
  counter: integer('counter').notNull(),
  isSynced: integer('is_synced', { mode: 'boolean' }).notNull(),
  /** When the challenge it answered last was made: none made before it is answered again. */
  challengeMs: integer('challenge_ms').notNull(),
  createdAtUnix: integer('created_at_unix').notNull(),
  lastUsedAtUnix: integer('last_used_at_unix'),
})

/** One row per Operate call of a token or device, refused ones included. Written before the call takes effect. */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    atUnix: integer('at_unix').notNull(),
    channel: text('channel').notNull(),
    user: text('user').notNull(),
    /** Method and route pattern, never the path as sent. */
    command: text('command').notNull(),
    /** `started` until the call ended; then `ok`, `error`, or `error:<what>`. */
    result: text('result').notNull(),
    status: integer('status'),
    /** JSON of why it did not do what was asked, or of what came of it; empty where there is nothing to say. */
    reason: text('reason').notNull().default(''),
    latencyMs: integer('latency_ms'),
    requestId: text('request_id').notNull(),
  },
  (table) => [index('audit_entries_by_time').on(table.atUnix)],
)

export const downloaders = sqliteTable(
  'downloaders',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    kind: text('kind', { enum: downloaderKinds }).notNull(),
    baseUrl: text('base_url').notNull(),
    username: text('username').notNull().default(''),
    /** Sealed password or API key; empty when the downloader asks for none. */
    sealedPassword: text('sealed_password').notNull().default(''),
    enabled: integer('enabled', { mode: 'boolean' }).notNull().default(true),
    isDefault: integer('is_default', { mode: 'boolean' }).notNull().default(false),
    /** A push that would leave less free space than this is stopped. */
    minFreeGib: integer('min_free_gib').notNull().default(minFreeGibDefault),
    /** Grows with every change, so that a live connection made with older settings is dropped. */
    revision: integer('revision').notNull().default(1),
    createdAtUnix: integer('created_at_unix').notNull(),
    updatedAtUnix: integer('updated_at_unix').notNull(),
  },
  (table) => [
    uniqueIndex('downloaders_by_name').on(table.name),
    uniqueIndex('downloaders_one_default').on(table.isDefault).where(sql`is_default = 1`),
  ],
)

/** A known text sealed under the master key: tells a lost or changed key from damaged data. */
export const keyCheck = sqliteTable('key_check', {
  id: integer('id').primaryKey(),
  sealed: text('sealed').notNull(),
})

/** Attempts at the password, in fixed windows. */
export const attempts = sqliteTable(
  'attempts',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    windowStartUnix: integer('window_start_unix').notNull(),
  },
  (table) => [index('attempts_by_window').on(table.windowStartUnix)],
)

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

/** What the service does by itself: for what, when next, and how the last run went. */
export const jobs = sqliteTable(
  'jobs',
  {
    scope: text('scope', { enum: jobScopes }).notNull(),
    /** The number of a site or a downloader; the service itself has 0. */
    subjectId: integer('subject_id').notNull().default(0),
    /** Of the registry; a name that stands there no more is left alone. */
    name: text('name').notNull(),
    dueAtUnix: integer('due_at_unix').notNull(),
    /** A run that began and did not end by then was cut off; it begins again. */
    leaseUntilUnix: integer('lease_until_unix').notNull().default(0),
    lastStartedAtUnix: integer('last_started_at_unix'),
    lastFinishedAtUnix: integer('last_finished_at_unix'),
    lastOk: integer('last_ok', { mode: 'boolean' }),
    lastError: text('last_error'),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.subjectId, table.name] }),
    index('jobs_by_due').on(table.dueAtUnix),
  ],
)

/** What was pushed into a downloader, or should have been. Written before anything is sent; one row a torrent of a site. */
export const pushRecords = sqliteTable(
  'push_records',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** The name, which outlives the site's settings. */
    site: text('site').notNull(),
    torrentId: text('torrent_id').notNull(),
    title: text('title').notNull(),
    /** For searches in any case. */
    foldedTitle: text('folded_title').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    category: text('category').notNull().default(''),
    tags: text('tags').notNull().default(''),
    free: integer('free', { mode: 'boolean' }).notNull().default(false),
    freeLevel: text('free_level', { enum: discounts }),
    freeEndAtUnix: integer('free_end_at_unix'),
    /** What the rule it was taken by says of an end that nobody tells; null for what the owner settled for all. */
    unknownEnd: text('unknown_end', { enum: unknownEnds }),
    /** What was done because its free period ends before it is complete; null for nothing. */
    freeEnding: text('free_ending', { enum: freeEndings }),
    hasHr: integer('has_hr', { mode: 'boolean' }).notNull().default(false),
    /** What the downloader gave of it: the most that was ever seen. Null before the first look. */
    seededSeconds: integer('seeded_seconds'),
    givenBytes: integer('given_bytes'),
    /** Whether it was seeding when that was last seen, and when that was. */
    isSeeding: integer('is_seeding', { mode: 'boolean' }).notNull().default(false),
    givenAtUnix: integer('given_at_unix'),
    source: text('source', { enum: taskSources }).notNull(),
    downloaderId: integer('downloader_id').notNull(),
    downloader: text('downloader').notNull(),
    /** Info hashes under which the downloader may show it, comma-separated: the first is the torrent's own. */
    infoHashes: text('info_hashes').notNull(),
    pushed: integer('pushed', { mode: 'boolean' }).notNull().default(false),
    pushedAtUnix: integer('pushed_at_unix'),
    progressPercent: real('progress_percent').notNull().default(0),
    completed: integer('completed', { mode: 'boolean' }).notNull().default(false),
    completedAtUnix: integer('completed_at_unix'),
    error: text('error'),
    createdAtUnix: integer('created_at_unix').notNull(),
    /** Set while a push is under way: after a crash the downloader is asked what came of it. */
    startedAtUnix: integer('started_at_unix'),
    /** Followed in the downloader: pushed, not complete, and not gone. */
    followed: integer('followed', { mode: 'boolean' }).notNull().default(false),
    /** Since when its downloader does not show it. */
    missingSinceUnix: integer('missing_since_unix'),
  },
  (table) => [
    uniqueIndex('push_records_by_torrent').on(table.site, table.torrentId),
    index('push_records_followed').on(table.followed).where(sql`followed = 1`),
    index('push_records_started').on(table.startedAtUnix).where(sql`started_at_unix is not null`),
    index('push_records_free').on(table.freeEnding).where(sql`followed = 1 and free = 1`),
    index('push_records_brushed').on(table.downloaderId).where(sql`source = 'brush'`),
  ],
)

/** Accounts the owner was reminded to visit: one row a site, until it was visited. */
export const loginReminders = sqliteTable('login_reminders', {
  siteId: integer('site_id').primaryKey(),
  tier: text('tier', { enum: loginTiers }).notNull(),
  daysRemaining: integer('days_remaining').notNull(),
  raisedAtUnix: integer('raised_at_unix').notNull(),
})

/** What the owner settled for the service as a whole: one row a matter. */
export const settings = sqliteTable('settings', {
  name: text('name').primaryKey(),
  /** JSON of the matter's own shape. */
  value: text('value').notNull(),
  /** Its secret, sealed; empty when it keeps none. */
  sealed: text('sealed').notNull().default(''),
  revision: integer('revision').notNull().default(1),
  updatedAtUnix: integer('updated_at_unix').notNull(),
})

/** Texts of events as the owner wrote them. An event without a row has its built-in text. */
export const messageTemplates = sqliteTable('message_templates', {
  type: text('type', { enum: templateTypes }).primaryKey(),
  title: text('title').notNull(),
  text: text('text').notNull(),
  updatedAtUnix: integer('updated_at_unix').notNull(),
})

/** Where notices are sent, and how that last went. */
export const channels = sqliteTable('channels', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  name: text('name').notNull(),
  kind: text('kind', { enum: channelKinds }).notNull(),
  /** Scheme and host of a webhook, whose address may hold a key; the base address of a bot. */
  place: text('place').notNull(),
  chatId: text('chat_id').notNull().default(''),
  headerName: text('header_name').notNull().default(''),
  /** Whether its messages are signed, with a key among the sealed. */
  signed: integer('signed', { mode: 'boolean' }).notNull().default(false),
  sealedSecrets: text('sealed_secrets').notNull(),
  enabled: integer('enabled', { mode: 'boolean' }).notNull(),
  /** `,a,b,`: each type between commas, so that one is found by its whole name. */
  events: text('events').notNull(),
  lastAtUnix: integer('last_at_unix'),
  lastOk: integer('last_ok', { mode: 'boolean' }),
  lastError: text('last_error'),
  /** Notices given up since the settings were last saved. */
  lost: integer('lost').notNull().default(0),
  createdAtUnix: integer('created_at_unix').notNull(),
  updatedAtUnix: integer('updated_at_unix').notNull(),
})

/** What happened, written together with what it tells. Kept a while after it was passed on, so that it is told once. */
export const notices = sqliteTable(
  'notices',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    type: text('type', { enum: noticeTypes }).notNull(),
    /** Of what may be told once only. */
    key: text('key'),
    facts: text('facts').notNull(),
    atUnix: integer('at_unix').notNull(),
    /** When the messages for the channels were made of it. */
    spreadAtUnix: integer('spread_at_unix'),
  },
  (table) => [
    uniqueIndex('notices_by_key').on(table.key),
    index('notices_waiting').on(table.spreadAtUnix).where(sql`spread_at_unix is null`),
  ],
)

/** A message that a channel has not taken yet. */
export const deliveries = sqliteTable(
  'deliveries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    noticeId: integer('notice_id').notNull(),
    channelId: integer('channel_id').notNull(),
    type: text('type', { enum: noticeTypes }).notNull(),
    title: text('title').notNull(),
    text: text('text').notNull(),
    atUnix: integer('at_unix').notNull(),
    dueAtUnix: integer('due_at_unix').notNull(),
    attempts: integer('attempts').notNull().default(0),
  },
  (table) => [uniqueIndex('deliveries_by_channel').on(table.channelId, table.noticeId)],
)

/** Devices paired through remote access. Their private keys are theirs alone. */
export const devices = sqliteTable(
  'devices',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** X25519, as base64url. */
    publicKey: text('public_key').notNull(),
    permission: text('permission', { enum: devicePermissions }).notNull(),
    pairedAtUnix: integer('paired_at_unix').notNull(),
    lastUsedAtUnix: integer('last_used_at_unix'),
  },
  (table) => [uniqueIndex('devices_by_key').on(table.publicKey)],
)

/** The one code that a device may be paired with now. */
export const pairingCode = sqliteTable('pairing_code', {
  id: integer('id').primaryKey(),
  sealed: text('sealed').notNull(),
  permission: text('permission', { enum: devicePermissions }).notNull(),
  expiresAtUnix: integer('expires_at_unix').notNull(),
})

/** The service's own key for handshakes with devices; made with the first code and kept. */
export const tunnelKey = sqliteTable('tunnel_key', {
  id: integer('id').primaryKey(),
  publicKey: text('public_key').notNull(),
  sealed: text('sealed').notNull(),
  /** Devices that were paired before know another one. */
  madeAtUnix: integer('made_at_unix').notNull().default(0),
})

/** What is known of a downloader, so that a change is told once. */
export const downloaderWatch = sqliteTable('downloader_watch', {
  downloaderId: integer('downloader_id').primaryKey(),
  /** Looks in a row without an answer. */
  misses: integer('misses').notNull(),
  isLow: integer('is_low', { mode: 'boolean' }).notNull(),
})

/** Conversations with the assistant, as far as they are listed and counted. What was said is in their own objects. */
export const conversations = sqliteTable(
  'conversations',
  {
    id: text('id').primaryKey(),
    principalId: text('principal_id').notNull(),
    title: text('title').notNull(),
    entry: text('entry', { enum: conversationEntries }).notNull(),
    /** What is being answered. */
    runId: text('run_id'),
    createdAtMs: integer('created_at_ms').notNull(),
    updatedAtMs: integer('updated_at_ms').notNull(),
  },
  (table) => [
    index('conversations_by_principal').on(table.principalId, table.updatedAtMs),
    index('conversations_by_run').on(table.runId),
  ],
)

/** What takes fresh torrents of a site and removes them when they no longer pay, and what came of it. */
export const brushTasks = sqliteTable(
  'brush_tasks',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    enabled: integer('enabled', { mode: 'boolean' }).notNull(),
    siteId: integer('site_id').notNull(),
    /** As it was last called: a task outlives its site. */
    site: text('site').notNull(),
    /** 0 for the default one. */
    downloaderId: integer('downloader_id').notNull(),
    everyMinutes: integer('every_minutes').notNull(),
    /** JSON of `BrushRules`. */
    rules: text('rules').notNull(),
    dueAtUnix: integer('due_at_unix').notNull(),
    /** Number of its last run: one that another run overtook writes nothing any more. */
    run: integer('run').notNull().default(0),
    lastFinishedAtUnix: integer('last_finished_at_unix'),
    lastError: text('last_error'),
    /** Runs that failed, in a row. */
    failures: integer('failures').notNull().default(0),
    /** The local day that the first four figures are of. */
    day: text('day').notNull().default(''),
    dayUploadedBytes: integer('day_uploaded_bytes').notNull().default(0),
    dayDownloadedBytes: integer('day_downloaded_bytes').notNull().default(0),
    dayAdded: integer('day_added').notNull().default(0),
    dayRemoved: integer('day_removed').notNull().default(0),
    uploadedBytes: integer('uploaded_bytes').notNull().default(0),
    downloadedBytes: integer('downloaded_bytes').notNull().default(0),
    added: integer('added').notNull().default(0),
    removed: integer('removed').notNull().default(0),
    createdAtUnix: integer('created_at_unix').notNull(),
    updatedAtUnix: integer('updated_at_unix').notNull(),
  },
  (table) => [uniqueIndex('brush_tasks_by_name').on(table.name), index('brush_tasks_by_site').on(table.siteId)],
)

/** A torrent of a site that a brush task wanted. Written before it is pushed, and before it is removed. */
export const brushTorrents = sqliteTable(
  'brush_torrents',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    taskId: integer('task_id').notNull(),
    /** Site and id name its push record too. */
    site: text('site').notNull(),
    torrentId: text('torrent_id').notNull(),
    title: text('title').notNull(),
    downloaderId: integer('downloader_id').notNull(),
    /** As the downloader shows it; empty until it does. */
    infoHash: text('info_hash').notNull().default(''),
    status: text('status', { enum: brushStatuses }).notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    uploadedBytes: integer('uploaded_bytes').notNull().default(0),
    downloadedBytes: integer('downloaded_bytes').notNull().default(0),
    takenAtUnix: integer('taken_at_unix').notNull(),
    completedAtUnix: integer('completed_at_unix'),
    lastUploadAtUnix: integer('last_upload_at_unix').notNull(),
    freeEndAtUnix: integer('free_end_at_unix'),
    missingSinceUnix: integer('missing_since_unix'),
    attempts: integer('attempts').notNull().default(1),
    /** Why it is or was removed. */
    reason: text('reason', { enum: brushReasons }),
    endedAtUnix: integer('ended_at_unix'),
  },
  (table) => [
    uniqueIndex('brush_torrents_by_torrent').on(table.site, table.torrentId),
    index('brush_torrents_by_task').on(table.taskId, table.status),
  ],
)

/** Where torrents turn up by themselves: a feed of a site, or the site's own newest list. */
export const feeds = sqliteTable(
  'feeds',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    enabled: integer('enabled', { mode: 'boolean' }).notNull(),
    siteId: integer('site_id').notNull(),
    /** As it was last called: a feed outlives its site. */
    site: text('site').notNull(),
    /** Holds the owner's key. Empty for the site's own newest list. */
    sealedAddress: text('sealed_address').notNull().default(''),
    /** All of the address that may be shown. */
    host: text('host').notNull().default(''),
    everyMinutes: integer('every_minutes').notNull(),
    /** Its first look is over: what was there then was only noted. */
    primed: integer('primed', { mode: 'boolean' }).notNull().default(false),
    /** What the last answer said of itself, for the next question. */
    etag: text('etag').notNull().default(''),
    lastModified: text('last_modified').notNull().default(''),
    dueAtUnix: integer('due_at_unix').notNull(),
    /** Number of its last run: one that another run overtook writes nothing any more. */
    run: integer('run').notNull().default(0),
    lastFinishedAtUnix: integer('last_finished_at_unix'),
    lastItemAtUnix: integer('last_item_at_unix'),
    lastError: text('last_error'),
    /** Runs that failed, in a row. */
    failures: integer('failures').notNull().default(0),
    createdAtUnix: integer('created_at_unix').notNull(),
    updatedAtUnix: integer('updated_at_unix').notNull(),
  },
  (table) => [uniqueIndex('feeds_by_name').on(table.name), index('feeds_by_site').on(table.siteId)],
)

/** In their order, the first that fits decides. */
export const filterRules = sqliteTable(
  'filter_rules',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    enabled: integer('enabled', { mode: 'boolean' }).notNull(),
    position: integer('position').notNull(),
    /** JSON of `FilterRule`. */
    rule: text('rule').notNull(),
    createdAtUnix: integer('created_at_unix').notNull(),
    updatedAtUnix: integer('updated_at_unix').notNull(),
  },
  (table) => [uniqueIndex('filter_rules_by_name').on(table.name)],
)

/** What turned up, what was decided about it and why. Written before anything is pushed. */
export const feedItems = sqliteTable(
  'feed_items',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    feedId: integer('feed_id').notNull(),
    /** Site and id name its push record too. */
    site: text('site').notNull(),
    torrentId: text('torrent_id').notNull(),
    title: text('title').notNull(),
    /** What titles of one release have in common, on whichever site. */
    releaseKey: text('release_key').notNull(),
    status: text('status', { enum: feedItemStatuses }).notNull(),
    /** JSON of `Candidate`, as it was when it was decided. */
    candidate: text('candidate').notNull(),
    /** Of the rule that decided, or came nearest; null for the rule of free ones. */
    ruleId: integer('rule_id'),
    ruleName: text('rule_name').notNull().default(''),
    /** JSON of `Clause`s. */
    clauses: text('clauses').notNull().default('[]'),
    attempts: integer('attempts').notNull().default(0),
    /** Why it could not be pushed. */
    reason: text('reason'),
    foundAtUnix: integer('found_at_unix').notNull(),
    decidedAtUnix: integer('decided_at_unix').notNull(),
  },
  (table) => [
    uniqueIndex('feed_items_by_torrent').on(table.site, table.torrentId),
    index('feed_items_by_feed').on(table.feedId, table.status),
    index('feed_items_by_rule').on(table.ruleId, table.decidedAtUnix),
    index('feed_items_by_age').on(table.foundAtUnix),
    index('feed_items_by_release').on(table.releaseKey),
  ],
)

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

/** Folders that films or series are brought into. */
export const libraries = sqliteTable(
  'libraries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull(),
    mediaType: text('media_type', { enum: mediaTypes }).notNull(),
    path: text('path').notNull(),
    mode: text('mode', { enum: libraryModes }).notNull(),
    isDefault: integer('is_default', { mode: 'boolean' }).notNull(),
    createdAtUnix: integer('created_at_unix').notNull(),
    updatedAtUnix: integer('updated_at_unix').notNull(),
  },
  (table) => [
    uniqueIndex('libraries_by_name').on(table.name),
    uniqueIndex('libraries_one_default').on(table.mediaType).where(sql`is_default = 1`),
  ],
)

/**
 * What became of each torrent that was complete: one row for each film or season that it was taken for. Written before
 * anything is moved, and kept when its subscription goes: from it the service knows what the library holds.
 */
export const mediaHistory = sqliteTable(
  'media_history',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    mediaType: text('media_type', { enum: mediaTypes }).notNull(),
    tmdbId: integer('tmdb_id').notNull(),
    /** 0 for a film. */
    season: integer('season').notNull(),
    title: text('title').notNull(),
    year: integer('year'),
    /** Without one it is all of it. */
    episode: integer('episode'),
    episodeEnd: integer('episode_end'),
    site: text('site').notNull(),
    torrentId: text('torrent_id').notNull(),
    torrentName: text('torrent_name').notNull(),
    /** Title and name of the torrent, for searches in any case. */
    foldedText: text('folded_text').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** JSON of what the release's name says of its quality. */
    quality: text('quality').notNull(),
    /** The library's name, which outlives it; empty for none. */
    library: text('library').notNull().default(''),
    mode: text('mode', { enum: libraryModes }).notNull().default('keep'),
    /** Where it lies, or is to lie; empty while nobody knows. */
    targetPath: text('target_path').notNull().default(''),
    /** Null before anything came of it. */
    status: text('status', { enum: historyStatuses }),
    message: text('message').notNull().default(''),
    subscriptionTorrentId: integer('subscription_torrent_id').notNull(),
    downloaderId: integer('downloader_id').notNull(),
    infoHashes: text('info_hashes').notNull(),
    /** It is being organised, for the first time or once more. */
    underWay: integer('under_way', { mode: 'boolean' }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When the downloader was last asked to move it. */
    askedAtUnix: integer('asked_at_unix'),
    /** When it is looked at next while it is being organised. */
    nextAtUnix: integer('next_at_unix').notNull(),
    /** When it was last begun. */
    begunAtUnix: integer('begun_at_unix').notNull(),
    createdAtUnix: integer('created_at_unix').notNull(),
    updatedAtUnix: integer('updated_at_unix').notNull(),
  },
  (table) => [
    uniqueIndex('media_history_by_torrent').on(
      table.mediaType,
      table.tmdbId,
      table.season,
      table.site,
      table.torrentId,
    ),
    index('media_history_by_update').on(table.updatedAtUnix),
    index('media_history_by_place').on(table.site, table.torrentId),
    index('media_history_by_downloader').on(table.downloaderId),
    index('media_history_under_way').on(table.nextAtUnix).where(sql`under_way = 1`),
  ],
)
