/** Every closed word list of the App API, written once; contract, schema and pages read it from here. */

/** Of the App API: Read and Operate. */
export const appScopes = ['app:read', 'app:write'] as const
/** What a token may hold. Configure opens the settings' own addresses, and none of the App API. */
export const scopes = [...appScopes, 'app:configure'] as const
export type Scope = (typeof scopes)[number]

/** What a file may declare, in the order in which it is applied. */
export const declaredKinds = ['downloaders', 'libraries', 'sites', 'channels'] as const
export type DeclaredKind = (typeof declaredKinds)[number]

/** What applying a file does with one entry. */
export const declaredChanges = ['add', 'change', 'take_over', 'release'] as const
export type DeclaredChange = (typeof declaredChanges)[number]

export const principalKinds = ['api_token', 'session', 'remote_device'] as const
/** Beside those that the interface document names: a chat that the owner paired, which speaks for the owner. */
export type PrincipalKind = (typeof principalKinds)[number] | 'chatops'

/** What a paired device may do: Read and Operate, or Read. */
export const devicePermissions = ['full', 'read'] as const
export type DevicePermission = (typeof devicePermissions)[number]

/** Feature groups in the order of the interface document. `/meta` lists those that work in the running version. */
export const featureGroups = [
  'overview',
  'sites',
  'torrents',
  'downloaders',
  'tasks',
  'search',
  'push',
  'attendance',
  'brush',
  'media',
  'subscriptions',
  'updates',
  'assistant',
  'templates',
] as const
export type FeatureGroup = (typeof featureGroups)[number]

export const downloaderKinds = ['qbittorrent', 'transmission', 'deluge', 'rtorrent'] as const
export type DownloaderKind = (typeof downloaderKinds)[number]

/** The words of the interface document for a downloader's type: clients know no others. */
export const documentedDownloaderTypes = ['qbittorrent', 'transmission'] as const

/** Further programs are like Transmission to a client: labels in place of categories, and no states of their own. */
export function documentedType(kind: DownloaderKind): (typeof documentedDownloaderTypes)[number] {
  return kind === 'qbittorrent' ? kind : 'transmission'
}

/** What not every downloader can do to a torrent. */
export type DownloaderSkill =
  | 'category'
  | 'tags'
  | 'limits'
  | 'queue'
  | 'low_priority'
  | 'rename'
  | 'rename_file'
  | 'super_seeding'
  | 'sequential'
  | 'first_last'
  | 'add_tracker'
  | 'change_tracker'
  | 'remove_tracker'
  | 'export'

export const torrentStates = ['downloading', 'seeding', 'paused', 'stopped', 'queued', 'checking', 'error'] as const
export type TorrentState = (typeof torrentStates)[number]

/** What a state alone does not tell, most urgent first. */
export const torrentConditions = [
  'local_error',
  'missing_files',
  'tracker_error',
  'tracker_warning',
  'no_peers',
  'stalled',
  'metadata',
  'moving',
] as const
export type TorrentCondition = (typeof torrentConditions)[number]

/** Those that go on until the owner does something. */
export const torrentMatters = ['local_error', 'missing_files', 'tracker_error'] as const satisfies TorrentCondition[]

/** By what torrents are counted apart, and may be asked for. */
export const torrentGroupings = ['tracker', 'category', 'tag', 'folder'] as const
export type TorrentGrouping = (typeof torrentGroupings)[number]

export const filePriorities = ['skip', 'low', 'normal', 'high'] as const
export type FilePriority = (typeof filePriorities)[number]

/** What may be asked for with a new torrent beyond its place. */
export const addWishes = ['files', 'limits', 'sequential', 'first_last'] as const
export type AddWish = (typeof addWishes)[number]

/** `waiting`: it was not asked yet. `off`: it is not asked. */
export const trackerStates = ['working', 'updating', 'waiting', 'error', 'off'] as const
export type TrackerState = (typeof trackerStates)[number]

export const queuePlaces = ['top', 'up', 'down', 'bottom'] as const
export type QueuePlace = (typeof queuePlaces)[number]

export const torrentSorts = [
  'added_at',
  'completed_at',
  'title',
  'progress',
  'size',
  'ratio',
  'state',
  'upload_speed',
  'download_speed',
  'eta',
  'seeds',
] as const
export type TorrentSort = (typeof torrentSorts)[number]

export const sortOrders = ['asc', 'desc'] as const
export type SortOrder = (typeof sortOrders)[number]

export const torrentActions = ['pause', 'resume', 'delete', 'delete_with_files'] as const
export type TorrentAction = (typeof torrentActions)[number]

/** Codes of the App API's error body. `busy_slots` and `busy_conflict` are both written `busy` on the wire. */
/** How something done to all torrents that match came to its end. */
export const torrentRunEnds = ['done', 'stopped', 'too_late'] as const
export type TorrentRunEnd = (typeof torrentRunEnds)[number]

export const failureCodes = [
  'invalid_body',
  'invalid_argument',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'busy_conflict',
  'busy_slots',
  'rate_limited',
  'internal',
  'search_failed',
  'download_failed',
  'attend_failed',
  'upstream',
  'unavailable',
  'assistant_disabled',
  'decided',
  'too_many',
] as const
export type FailureCode = (typeof failureCodes)[number]

/** What lets somebody in beside the password; a new password ends what is not kept by name. */
export const entrances = ['tokens', 'devices', 'passkeys'] as const
export type Entrance = (typeof entrances)[number]

/** What is signed in, to be ended at once. */
export const signedInKinds = ['sessions', 'tokens', 'devices'] as const
export type SignedInKind = (typeof signedInKinds)[number]

/** Lifetimes a caller may choose for an API token; `never` has no end. */
export const tokenLifetimes = ['30d', '90d', '1y', 'never'] as const
export type TokenLifetime = (typeof tokenLifetimes)[number]

export const siteKinds = ['nexusphp', 'mteam', 'unit3d', 'gazelle', 'torznab', 'cardigann'] as const
export type SiteKind = (typeof siteKinds)[number]

/** A name of the internet, without a scheme. */
export const siteHostPattern = /^(?=.*\.)[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?$/

/** How near a site's account is to being closed for inactivity. */
export const loginTiers = ['none', '30d', '14d', '7d', '3d', 'banned-imminent', 'unknown'] as const
export type LoginTier = (typeof loginTiers)[number]

/** State of a site's sign-in on one day; all but `pending` are final. */
export const signInStatuses = ['pending', 'signed', 'already', 'failed', 'unsupported'] as const
export type SignInStatus = (typeof signInStatuses)[number]

/** Promotions of a torrent as the interface names them. */
export const discounts = ['NONE', 'FREE', '2XFREE', 'PERCENT_50', 'PERCENT_30', 'PERCENT_70', '2XUP', '2X50'] as const
export type Discount = (typeof discounts)[number]

/** Whether a site told when a promotion ends. */
export const discountEnds = ['known', 'unknown'] as const
export type DiscountEnd = (typeof discountEnds)[number]

/** How a site's cookie came: typed into the form, pushed by an extension of others, or by ours. */
export const cookieOrigins = ['pasted', 'endpoint', 'extension'] as const
export type CookieOrigin = (typeof cookieOrigins)[number]

/** What a rule takes a free period for whose end nobody tells: over now, or without an end. */
export const unknownEnds = ['ending', 'open'] as const
export type UnknownEnd = (typeof unknownEnds)[number]

/** What becomes of a torrent whose free period ends before it is complete. */
export const freeEndActions = ['off', 'warn', 'pause'] as const
/** What was done about one. */
export const freeEndings = ['warned', 'paused'] as const
export type FreeEnding = (typeof freeEndings)[number]
export type FreeEndAction = (typeof freeEndActions)[number]

/** What a rule does about the end of a torrent. `remove` leaves the files; `keep` has no later rule asked. */
export const endActions = ['remove_with_files', 'remove', 'pause', 'keep'] as const
export type EndAction = (typeof endActions)[number]

/** `dry` only says what the rules would do. */
export const endModes = ['off', 'dry', 'on'] as const
export type EndMode = (typeof endModes)[number]

/** `due`: it would be ended, or will be at the next look. `ending`: its downloader was told, or is about to be. */
export const endStatuses = ['due', 'ending', 'ended', 'failed'] as const
export type EndStatus = (typeof endStatuses)[number]

/** `proposed` waits for a yes; `replaced` gave way to a later plan of its site. */
export const sitePlanStates = ['proposed', 'running', 'reached', 'stopped', 'replaced'] as const
export type SitePlanState = (typeof sitePlanStates)[number]

/** `begun`: its downloader or site was asked, or is about to be. */
export const sitePlanStepStates = ['waiting', 'begun', 'done', 'failed'] as const
export type SitePlanStepState = (typeof sitePlanStepStates)[number]

/** What a job of the service is for: the service itself, one site, or one downloader. */
export const jobScopes = ['service', 'site', 'downloader'] as const
export type JobScope = (typeof jobScopes)[number]

/** How a push record came about. */
export const taskSources = [
  'free_download',
  'filter_rule',
  'manual_push',
  'app_push',
  'brush',
  'subscription',
  'transfer',
  'reseed',
] as const
export type TaskSource = (typeof taskSources)[number]

/** What became of a torrent that a brush task wanted; the first three are in its care. */
export const brushStatuses = [
  'taking',
  'active',
  'removing',
  'removed',
  'gone',
  'released',
  'skipped',
  'failed',
] as const
export type BrushStatus = (typeof brushStatuses)[number]

/** Why a brush task removes a torrent. */
export const brushReasons = ['incomplete', 'free_over', 'seeding', 'ratio', 'uploaded', 'idle'] as const
export type BrushReason = (typeof brushReasons)[number]

/**
 * What became of an item of a feed. `seen`: it was there at the first look; `left`: no rule
 * wants it; `waiting`: what decides is not told
 * yet; `taking`: its push is under way; `present`: the downloader had it; `told`: a rule only notes it; `skipped`: a rule
 * refuses it.
 */
export const feedItemStatuses = [
  'seen',
  'left',
  'waiting',
  'taking',
  'taken',
  'present',
  'told',
  'skipped',
  'failed',
  /** Pushed by hand, whatever was decided. */
  'overruled',
] as const
export type FeedItemStatus = (typeof feedItemStatuses)[number]
/** What no rule took may be pushed by hand all the same. */
export const overrulable: readonly FeedItemStatus[] = ['seen', 'left', 'waiting', 'told', 'skipped', 'failed']

export const mediaTypes = ['movie', 'tv'] as const
export type MediaType = (typeof mediaTypes)[number]

/** `pending` waits for the day of release, `done` for nothing. */
export const subscriptionStatuses = ['active', 'paused', 'pending', 'done'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** Who made a subscription. */
export const subscriptionSources = ['manual', 'explore', 'douban', 'chatops', 'app'] as const
export type SubscriptionSource = (typeof subscriptionSources)[number]

/** Where a list of films and series that somebody wants to see is kept. */
export const watchlistKinds = ['rss', 'trakt', 'imdb', 'douban'] as const
export type WatchlistKind = (typeof watchlistKinds)[number]

/** What the first look at a list does with what is there already. */
export const firstLooks = ['all', 'new'] as const
export type FirstLook = (typeof firstLooks)[number]

/**
 * What became of an entry of a list. `seen`: it was there at the first look; `unclear`: the owner says which title is meant;
 * `present`: it was subscribed, or in the library; `unknown`: the metadata provider has no such title; `left`: the owner
 * does not want it.
 */
export const watchlistStatuses = [
  'seen',
  'waiting',
  'added',
  'present',
  'unclear',
  'unknown',
  'failed',
  'left',
] as const
export type WatchlistStatus = (typeof watchlistStatuses)[number]

export const episodeStates = ['library', 'downloading', 'missing', 'upcoming'] as const
export type EpisodeState = (typeof episodeStates)[number]

export const subscriptionTorrentStatuses = ['downloading', 'done', 'failed', 'replaced'] as const
export type SubscriptionTorrentStatus = (typeof subscriptionTorrentStatuses)[number]

/** What a release may be, the best first. */
export const resolutions = ['2160p', '1080p', '720p', '480p'] as const
export type Resolution = (typeof resolutions)[number]
export const releaseSources = ['remux', 'bluray', 'web', 'hdtv', 'dvd'] as const
export type ReleaseSource = (typeof releaseSources)[number]

/** Whether what is complete goes into the library's folder, or is left where it was written. */
export const libraryModes = ['move', 'keep'] as const
export type LibraryMode = (typeof libraryModes)[number]

/** What became of a torrent that was complete. */
export const historyStatuses = ['done', 'failed', 'skipped', 'removed'] as const
export type HistoryStatus = (typeof historyStatuses)[number]

export const titleLists = ['trending', 'popular', 'search'] as const
export type TitleList = (typeof titleLists)[number]

/** Widths of the metadata provider's images that are offered; originals are not. */
export const imageSizes = ['w92', 'w154', 'w185', 'w342', 'w500', 'w780'] as const
export type ImageSize = (typeof imageSizes)[number]

/** What is written by a message template, in three groups. */
export const templateGroups = ['notify', 'reply', 'assistant'] as const
export type TemplateGroup = (typeof templateGroups)[number]

export const templateVariableTypes = ['string', 'int', 'float', 'bool', 'list'] as const
export type TemplateVariableType = (typeof templateVariableTypes)[number]

/** Events that channels may be told of. */
export const eventTypes = [
  'attendance.summary',
  'attendance.failed',
  'login.reminder',
  'site.failed',
  'push.done',
  'push.stopped',
  'push.completed',
  'push.free_ending',
  'subscription.pushed',
  'subscription.downloaded',
  'downloader.unreachable',
  'disk.low',
  'media.organised',
  'media.failed',
  'brush.removed',
  'brush.failed',
  'rss.matched',
  'message.sent',
] as const
export type EventType = (typeof eventTypes)[number]

/** Everything that has a template. */
export const templateTypes = [
  ...eventTypes,
  'reply.status',
  'reply.sites',
  'reply.torrents',
  'reply.search',
  'reply.brush',
  'reply.pushed',
  'reply.changed',
  'reply.confirm',
  'reply.failed',
  'reply.help',
  'reply.paired',
  'reply.stranger',
  'assistant.stopped',
  'assistant.failed',
  'assistant.step_limit',
] as const
export type TemplateType = (typeof templateTypes)[number]

/** Where notices go: a POST of JSON, or a chat through a bot. */
export const channelKinds = ['webhook', 'bot', 'browser'] as const
export type ChannelKind = (typeof channelKinds)[number]

/** How what is written to a bot gets here: not at all, by asking for it, or by being sent it. */
export const chatWays = ['off', 'poll', 'webhook'] as const
export type ChatWay = (typeof chatWays)[number]

/** What a chat may be allowed, in the order in which help names it. `pause` is resuming too. */
export const chatCommands = ['status', 'sites', 'torrents', 'search', 'push', 'pause', 'brush', 'assistant'] as const
export type ChatCommand = (typeof chatCommands)[number]

/** Where a conversation with the assistant was begun. */
export const conversationEntries = ['web', 'app', 'chatops'] as const
export type ConversationEntry = (typeof conversationEntries)[number]

/** Who wrote a message; a notice is the service's own. */
export const messageRoles = ['user', 'assistant', 'tool', 'notice'] as const

/** What became of an action that the assistant asked for; all but `pending` are final. */
export const confirmationStatuses = ['pending', 'approved', 'denied', 'expired'] as const
export type ConfirmationStatus = (typeof confirmationStatuses)[number]

/** How an answer of the assistant ended. */
export const runOutcomes = ['done', 'canceled', 'failed'] as const
export type RunOutcome = (typeof runOutcomes)[number]

/** Who answers for the assistant: this installation's own gateway, or a service at an address. */
export const assistantEndpoints = ['own', 'address'] as const

/** Where other programs search: all sites below it, one behind its name. */
export const torznabPrefix = '/torznab'

/** Where agents of others find the assistant's tools. */
export const mcpPath = '/mcp'

/** In which the service speaks to its owner: in messages, names and titles. */
export const ownerLanguages = ['zh', 'en'] as const
export type OwnerLanguage = (typeof ownerLanguages)[number]

/** Why a request leaves a step of a route of the gateway for the next one. */
export const gatewayGoOnReasons = ['busy', 'failed', 'slow', 'too_long', 'key_refused'] as const

/** The metadata provider's usual places. Images lie on a server of their own, which asks for no key. */
export const usualMetadataAddresses = {
  api: 'https://api.themoviedb.org/3',
  images: 'https://image.tmdb.org/t/p',
} as const
/** Where an account there gets its key. */
export const metadataKeyPage = 'https://www.themoviedb.org/settings/api'
/** The usual host of release lists. */
/** As its own documents name the host, and over TLS alone. */
export const usualReseedAddress = 'https://2025.iyuu.cn'
export const usualReleaseAddress = 'https://api.github.com'
