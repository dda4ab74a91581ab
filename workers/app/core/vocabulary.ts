/** Every closed word list of the App API, written once; contract, schema and pages read it from here. */

export const scopes = ['app:read', 'app:write'] as const
export type Scope = (typeof scopes)[number]

export const principalKinds = ['api_token', 'session', 'remote_device'] as const
export type PrincipalKind = (typeof principalKinds)[number]

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

export const downloaderKinds = ['qbittorrent', 'transmission'] as const
export type DownloaderKind = (typeof downloaderKinds)[number]

export const torrentStates = ['downloading', 'seeding', 'paused', 'stopped', 'queued', 'checking', 'error'] as const
export type TorrentState = (typeof torrentStates)[number]

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

/** Lifetimes a caller may choose for an API token, in seconds; `never` has none. */
export const tokenLifetimes = ['30d', '90d', '1y', 'never'] as const
export type TokenLifetime = (typeof tokenLifetimes)[number]
