import type { Clock } from '#shared/kernel/clock.ts'
import type { Result } from '#shared/kernel/result.ts'
import type {
  AssertedPasskey,
  AttestedPasskey,
  WirePasskeyCreation,
  WirePasskeyRequest,
} from './contract/console-passkeys.ts'
import type { SettingName, SettingValue } from './contract/owner-settings.ts'
import type { SiteDefinition, SiteOverrides } from './contract/site-definition.ts'
import type { SiteRules } from './contract/site-rules.ts'
import type { ChatMessage } from './core/assistant/chat-history.ts'
import type {
  Confirmation,
  ConversationDetail,
  ConversationSummary,
  StartedRun,
} from './core/assistant/conversation.ts'
import type { ModelFault } from './core/assistant/model-fault.ts'
import type { ProposedAction } from './core/assistant/proposed-action.ts'
import type { BrushRules } from './core/brush/brush-rules.ts'
import type { CheckedDefinition, DefinitionFacts, PlacedFault } from './core/cardigann/checked-definition.ts'
import type { GivenChannel } from './core/channel.ts'
import type { PushSeal } from './core/cookie-push.ts'
import type {
  ActionOutcome,
  AddOutcome,
  DownloaderSettings,
  DownloaderStatus,
  DownloaderTarget,
  MoveOutcome,
  TorrentQuery,
  TorrentSelection,
  TorrentUpload,
} from './core/downloader.ts'
import type { Given } from './core/hit-and-run.ts'
import type { EpisodeSpan, EpisodeStanding, Progress } from './core/media/progress.ts'
import type { QualityProfile, QualityRules } from './core/media/quality-profile.ts'
import type { DetailWish, TitleDetails } from './core/media/title-details.ts'
import type { NoticeFacts } from './core/notice-values.ts'
import type { BackupFault, BackupShelf, KeptBackup, MachineReport } from './core/operating/machine.ts'
import type { OperatingFigures } from './core/operating/metric-families.ts'
import type { PasskeyPlace } from './core/passkey-place.ts'
import type { Principal } from './core/principal.ts'
import type { PushFailure } from './core/push-fault.ts'
import type { Reason } from './core/reason/reason.ts'
import type { Release } from './core/release.ts'
import type { Candidate, FilterRule } from './core/rules/filter-rule.ts'
import type { Clause } from './core/rules/judge.ts'
import type { LostSecret } from './core/sealed-text.ts'
import type { SearchRows, SearchWish } from './core/search-plan.ts'
import type { ServiceFault } from './core/service-fault.ts'
import type {
  SignInOutcome,
  SitePage,
  SiteProfile,
  SiteReading,
  SiteSettings,
  SiteTarget,
  SiteVisit,
} from './core/site.ts'
import type { Snapshot } from './core/site-changes.ts'
import type { SiteFault } from './core/site-fault.ts'
import type { SiteUser } from './core/site-figures.ts'
import type { HistoryPoint } from './core/site-levels.ts'
import type { TemplateValues } from './core/template-event.ts'
import type { TemplateFault } from './core/template-fault.ts'
import type { TitlePage, TitleWish } from './core/title.ts'
import type { Torrent } from './core/torrent.ts'
import type { TorrentChange, TorrentDetails } from './core/torrent-details.ts'
import type { ListPart, SortKey } from './core/torrent-listing.ts'
import type {
  BrushReason,
  BrushStatus,
  ChannelKind,
  DevicePermission,
  Discount,
  DownloaderKind,
  Entrance,
  FeedItemStatus,
  FreeEnding,
  HistoryStatus,
  ImageSize,
  JobScope,
  LibraryMode,
  LoginTier,
  MediaType,
  NoticeType,
  OwnerLanguage,
  Scope,
  SignedInKind,
  SignInStatus,
  SiteKind,
  SubscriptionSource,
  SubscriptionStatus,
  SubscriptionTorrentStatus,
  TaskSource,
  TemplateType,
  TorrentAction,
  UnknownEnd,
} from './core/vocabulary.ts'

/** New identifiers and secrets. */
export interface Identifiers {
  /** A short random name for a row or a request. */
  next(): string
  /** 32 random bytes as base64url text. */
  secret(): string
}

/** One line for each fact. Values are redacted before they are written. */
export interface Logger {
  info(event: string, facts?: Readonly<Record<string, unknown>>): void
  error(event: string, facts?: Readonly<Record<string, unknown>>): void
}

/** Work that outlives the answer. The runtime waits for it. */
export interface Background {
  run(work: Promise<unknown>): void
}

/** A caller that a credential stands for, and until when. */
export interface KnownPrincipal {
  readonly principal: Principal
  readonly expiresAtUnix?: number
}

/** Resolves a credential. Undefined for an unknown, wrong, expired or revoked one; rejects when the store fails. */
export interface CredentialReader {
  byToken(token: string): Promise<KnownPrincipal | undefined>
  bySession(cookie: string): Promise<KnownPrincipal | undefined>
  /** What was paired under this id. That the device itself is calling is known by then. */
  byDevice(id: string): Promise<KnownPrincipal | undefined>
}

export interface ApiToken {
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly createdAtUnix: number
  readonly expiresAtUnix?: number
  readonly lastUsedAtUnix?: number
}

export interface ApiTokens {
  /** Newest first; revoked ones are gone. */
  list(): Promise<ApiToken[]>
  /** The text of the token is in this answer and nowhere else. */
  create(wanted: {
    readonly name: string
    readonly scopes: readonly Scope[]
    readonly expiresAtUnix?: number
  }): Promise<Result<{ readonly token: ApiToken; readonly text: string }, 'too_many'>>
  /** False when there is no such token. */
  revoke(id: string): Promise<boolean>
}

/** A device paired through remote access. */
export interface Device {
  readonly id: string
  readonly name: string
  readonly permission: DevicePermission
  readonly pairedAtUnix: number
  readonly lastUsedAtUnix?: number
}

export interface Devices {
  /** Newest first. */
  list(): Promise<Device[]>
  /** In place of the one before. Its text is in this answer and nowhere else. */
  makeCode(
    permission: DevicePermission,
  ): Promise<Result<{ readonly code: string; readonly expiresAtUnix: number }, 'too_many' | 'secrets'>>
  rename(id: string, name: string): Promise<Device | undefined>
  /** False when there is no such device. */
  revoke(id: string): Promise<boolean>
}

/** `refused` says nothing of why: it is the same for whatever is wrong with a message. */
/** The caller tried too often. */
export interface TooManyAttempts {
  /** After which another attempt may be made. */
  readonly retryAfterSeconds: number
}

export type TunnelRefusal = 'refused' | 'unavailable' | TooManyAttempts

/** The way of paired devices to the interface. `from` is the caller's address, by which messages are counted. */
export interface Tunnel {
  /** Tells somebody with the code the key that a device has to know before it shows its own. */
  introduce(message: Uint8Array, from: string): Promise<Result<Uint8Array, TunnelRefusal>>
  pair(message: Uint8Array, from: string): Promise<Result<Uint8Array, TunnelRefusal>>
  shakeHands(message: Uint8Array, from: string): Promise<Result<Uint8Array, TunnelRefusal>>
  /** A sealed request to its sealed answer. */
  carry(envelope: Uint8Array): Promise<Result<Uint8Array, TunnelRefusal>>
  /** Ends the sessions of a device. */
  close(deviceId: string): Promise<void>
}

interface AuditEntry {
  readonly id: number
  readonly atUnix: number
  readonly channel: string
  readonly user: string
  readonly command: string
  readonly result: string
  readonly status?: number
  readonly reason?: Reason
  readonly latencyMs?: number
}

export interface AuditLog {
  /** Records the intent before anything takes effect. Rejects when it cannot be written: then nothing may happen. */
  begin(entry: { channel: string; user: string; command: string; requestId: string }): Promise<number>
  finish(id: number, outcome: { result: string; status: number; latencyMs: number; reason?: Reason }): Promise<void>
  /** Newest first. */
  page(page: number, pageSize: number): Promise<{ items: AuditEntry[]; total: number }>
}

/** How the owner's key stands to what it sealed: `changed` and `missing` are said plainly on the console. */
export type SecretsState = 'ready' | 'missing' | 'changed'

/** Seals secrets at rest. `context` binds a sealed text to its place, so that it cannot be moved to another row. */
export interface SecretBox {
  state(): Promise<SecretsState>
  seal(plain: string, context: string): Promise<string>
  /** Fails when the key is missing or another one than the text was sealed with. */
  open(sealed: string, context: string): Promise<Result<string, Exclude<SecretsState, 'ready'>>>
}

/** A configured downloader as the owner sees it. Never its password. */
export interface DownloaderRecord {
  readonly id: number
  readonly name: string
  readonly kind: DownloaderKind
  readonly baseUrl: string
  readonly username: string
  readonly hasPassword: boolean
  readonly enabled: boolean
  readonly isDefault: boolean
  readonly minFreeGib: number
}

export interface DownloaderChange {
  readonly name: string
  readonly kind: DownloaderKind
  readonly baseUrl: string
  readonly username: string
  /** Undefined keeps the stored one. */
  readonly password?: string
  readonly enabled: boolean
  readonly isDefault: boolean
  /** Undefined keeps the stored one. */
  readonly minFreeGib?: number
}

export interface DownloaderStore {
  /** All of them, by id. */
  list(): Promise<DownloaderRecord[]>
  /** What the live side needs to reach them; enabled ones only, by id. */
  targets(): Promise<DownloaderTarget[]>
  settings(id: number): Promise<Result<DownloaderSettings, 'not_found' | 'missing' | 'changed'>>
  add(change: DownloaderChange): Promise<Result<DownloaderRecord, 'name_taken' | 'too_many' | 'secrets'>>
  update(
    id: number,
    change: DownloaderChange,
  ): Promise<Result<DownloaderRecord, 'not_found' | 'name_taken' | 'secrets'>>
  remove(id: number): Promise<boolean>
}

/** The live side of the downloaders. Faults of the outside arrive as reasons, never as a rejection. */
export interface DownloaderFleet {
  status(target: DownloaderTarget): Promise<Result<DownloaderStatus, Reason>>
  /** A part of the torrents that match, in the asked order, and how many there are in all. */
  select(target: DownloaderTarget, query: TorrentQuery, part: ListPart): Promise<Result<TorrentSelection, Reason>>
  /** What the first `upTo` of them are sorted by: a late page of several lists is found without moving the lists. */
  sortKeys(target: DownloaderTarget, query: TorrentQuery, upTo: number): Promise<Result<SortKey[], Reason>>
  /** One outcome for each hash, in order. Reads first, so that an unknown hash is a failure and not a silent success. */
  act(
    target: DownloaderTarget,
    action: TorrentAction,
    infoHashes: readonly string[],
  ): Promise<Result<ActionOutcome[], Reason>>
  /** Undefined when there is no such torrent. */
  details(target: DownloaderTarget, infoHash: string): Promise<Result<TorrentDetails | undefined, Reason>>
  /** One outcome for each hash, in order. An unknown hash is a failure; what was accepted shows in later reads. */
  change(
    target: DownloaderTarget,
    change: TorrentChange,
    infoHashes: readonly string[],
  ): Promise<Result<ActionOutcome[], Reason>>
  /** Those of the named torrents that are there. */
  find(target: DownloaderTarget, infoHashes: readonly string[]): Promise<Result<Torrent[], Reason>>
  /** Adds a torrent unless it is there or there is no room for it; the space of one is never promised to another. */
  add(target: DownloaderTarget, upload: TorrentUpload): Promise<AddOutcome>
  /** Has it take a torrent's files to a folder, unless they are there, and seed on from it. */
  move(target: DownloaderTarget, infoHashes: readonly string[], folder: string): Promise<Result<MoveOutcome, Reason>>
  /** Tries settings that are not stored yet. */
  probe(settings: DownloaderSettings): Promise<Result<DownloaderStatus, Reason>>
}

/** What a caller brings to be taken up. */
export type TorrentSource =
  | { readonly kind: 'magnet'; readonly text: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'file'; readonly base64: string }

export interface AddedTorrent {
  readonly title: string
  readonly infoHash: string
  readonly outcome: AddOutcome
}

export type AddRefusal =
  | { readonly kind: 'wrong'; readonly field: 'magnet' | 'address' | 'file'; readonly rule: Reason }
  | { readonly kind: 'download'; readonly fault: SiteFault }

export interface TorrentDesk {
  /** Reads what it is before any downloader hears of it. */
  add(
    target: DownloaderTarget,
    source: TorrentSource,
    place: Pick<TorrentUpload, 'category' | 'tags' | 'savePath' | 'isPaused'>,
  ): Promise<Result<AddedTorrent, AddRefusal>>
}

/** What ended at once, by id where somebody has to tidy up behind it. */
export interface EndedAccess {
  readonly tokens: readonly string[]
  readonly devices: readonly string[]
  readonly passkeys: number
  readonly sessions: number
}

/** Browsers that have signed in before. The mark of one lets nobody in; its attempts are counted by themselves. */
export interface KnownBrowsers {
  /** Of a browser that has just signed in; undefined without the master key. */
  mark(): Promise<string | undefined>
  /** Undefined for whatever is no mark of ours, or an old one. */
  nameOf(mark: string): Promise<string | undefined>
}

/**
 * The owner's password and browser sessions. `from` is the caller's address or the name of a known browser, by which
 * attempts are counted.
 */
export interface OwnerAccount {
  /** True while a password has to be set: never set, or a fresh set-up code exists to replace a lost one. */
  setUp(): Promise<{ readonly done: boolean; readonly codeWaits: boolean }>
  /** Consumes the set-up code and sets the password. Every session ends, and what is not kept; so below. */
  setPassword(
    code: string,
    next: NewPassword,
    from: string,
  ): Promise<Result<{ readonly cookie: string; readonly ended: EndedAccess }, 'wrong' | 'no_code' | TooManyAttempts>>
  changePassword(
    current: string,
    next: NewPassword,
    from: string,
  ): Promise<Result<{ readonly cookie: string; readonly ended: EndedAccess }, 'wrong' | TooManyAttempts>>
  signIn(
    password: string,
    from: string,
  ): Promise<Result<{ readonly cookie: string }, 'wrong' | 'not_set_up' | TooManyAttempts>>
  signOut(cookie: string): Promise<void>
  /** All in one step, or nothing. */
  signOutEverywhere(ends: readonly SignedInKind[]): Promise<EndedAccess>
}

export interface NewPassword {
  readonly password: string
  readonly keep: readonly Entrance[]
}

/** A configured site as the owner sees it. Never its credentials. */
export interface SiteRecord {
  readonly id: number
  readonly name: string
  readonly displayName: string
  readonly kind: SiteKind
  readonly definition: string
  readonly baseUrl: string
  readonly hasCookie: boolean
  readonly hasApiKey: boolean
  /** Empty for none. */
  readonly proxyHost: string
  /** Names of what was answered to a definition of the owner's. */
  readonly answered: readonly string[]
  readonly enabled: boolean
  readonly autoSignIn: boolean
  readonly inactivityDays: number
  readonly remindBeforeDays: number
  readonly capacityGib: number
  readonly overrides: SiteOverrides
  readonly profile: SiteProfile
  readonly lastActiveAtUnix?: number
  readonly lastProbeAtUnix?: number
  readonly lastProbeStatus?: string
}

export interface SiteEntry {
  readonly record: SiteRecord
  /** What the live side needs to reach it. */
  readonly target: SiteTarget
}

export interface SiteChange {
  readonly name: string
  readonly displayName: string
  readonly kind: SiteKind
  readonly definition: string
  readonly baseUrl: string
  /** Undefined keeps the stored one. */
  readonly cookie?: string
  readonly apiKey?: string
  /** Undefined keeps the stored one, too; empty for none. */
  readonly proxy?: string
  /** To a definition of the owner's. What is left out stays as it was stored; empty for none. */
  readonly answers?: Readonly<Record<string, string>>
  readonly enabled: boolean
  readonly autoSignIn: boolean
  readonly inactivityDays: number
  readonly remindBeforeDays: number
  readonly capacityGib: number
  readonly overrides: SiteOverrides
}

export interface SiteStore {
  definitions(): readonly SiteDefinition[]
  /** By id, disabled ones too. */
  list(): Promise<SiteEntry[]>
  find(name: string): Promise<SiteEntry | undefined>
  /** Settings to try, with the stored credentials of `id` where none are given. */
  trial(
    change: Pick<
      SiteChange,
      'kind' | 'definition' | 'baseUrl' | 'cookie' | 'apiKey' | 'proxy' | 'answers' | 'overrides'
    >,
    id: number | undefined,
  ): Promise<Result<SiteSettings, 'not_found' | 'missing' | 'changed'>>
  add(change: SiteChange): Promise<Result<SiteRecord, 'name_taken' | 'too_many' | 'secrets'>>
  update(id: number, change: SiteChange): Promise<Result<SiteRecord, 'not_found' | 'name_taken' | 'secrets'>>
  /** With everything that was learned about it. */
  remove(id: number): Promise<boolean>
}

/** What is shown of a definition that the owner brought. */
export interface OwnDefinition {
  readonly id: string
  readonly facts: DefinitionFacts
  /** Empty for one that was given as a text. */
  readonly address: string
  readonly updatedAtUnix: number
  /** Sites that are made from it. */
  readonly sites: number
}

export interface OwnDefinitions {
  /** By name. */
  list(): Promise<OwnDefinition[]>
  find(id: string): Promise<OwnDefinition | undefined>
  /** In place of one with the same id: its sites are read by the new one from then on. */
  put(checked: CheckedDefinition, address: string): Promise<Result<OwnDefinition, 'too_many'>>
  remove(id: string): Promise<Result<true, 'not_found' | 'in_use'>>
}

/** Reads definitions. */
export interface DefinitionDesk {
  check(source: string): Result<CheckedDefinition, readonly PlacedFault[]>
  /** Asks an address for one; `undefined` for what cannot be reached or is too long. */
  fetch(address: string): Promise<string | undefined>
}

/** A site that is opened by a cookie, with the one that is stored; empty for none. */
export interface HeldCookie {
  readonly id: number
  readonly name: string
  readonly baseUrl: string
  readonly revision: number
  readonly cookie: string
}

export interface SiteCookies {
  /** Those whose credentials can be opened, disabled sites too. */
  list(): Promise<HeldCookie[]>
  /** False when the site was changed since it was listed. The browser's name, where there is one, is stored with it. */
  renew(site: Pick<HeldCookie, 'id' | 'revision'>, cookie: string, userAgent: string | undefined): Promise<boolean>
}

interface CookiePush {
  readonly uuid: string
  /** Base64. */
  readonly encrypted: string
  readonly seal: PushSeal
  /** As the audit log calls it. */
  readonly command: string
}

/** Cookies that the owner's browser pushes by itself. */
export interface CookieDesk {
  /** `uuid` is empty while nothing is taken; `atUnix` is 0 while nothing was. */
  state(): Promise<{ readonly uuid: string; readonly atUnix: number; readonly sites: readonly string[] }>
  /** Begins anew, with a name and a password of its own; what was known before is of no use any more. */
  start(): Promise<Result<{ readonly uuid: string; readonly password: string }, 'secrets'>>
  stop(): Promise<void>
  /** Counts a push before it is read. 0 when it may be made, otherwise the seconds after which another one may. */
  knock(from: string): Promise<number>
  /** The names of the sites it renewed. */
  take(
    push: CookiePush,
    caller: { readonly from: string; readonly browser: string; readonly requestId: string },
  ): Promise<Result<string[], 'refused' | 'unreadable' | 'unavailable'>>
}

export interface FetchedUser extends SiteUser {
  readonly fetchedAtUnix: number
}

export interface SignInDay {
  readonly day: string
  readonly status: SignInStatus
  readonly reason?: Reason
  readonly attempts: number
  readonly lastAttemptAtUnix?: number
}

/** What was learned about the sites. */
export interface SiteFigures {
  /** Fails when the figures cannot be read. */
  users(): Promise<Result<ReadonlyMap<number, FetchedUser>, Reason>>
  /** Snapshots of the days, and of each site the last one before them. Rejects when they cannot be read. */
  snapshotsFor(from: string, to: string): Promise<Snapshot[]>
  signIns(day: string): Promise<ReadonlyMap<number, SignInDay>>
  /** Of one site, from that day on, oldest first: what was known of each day. */
  historyOf(siteId: number, from: string): Promise<SiteDay[]>
}

/** Left out: not known of that day. */
export interface SiteDay extends HistoryPoint {
  readonly ratio?: number
  readonly seeding?: number
}

/** What a job is called where people read. */
export interface JobLabel {
  readonly zh: string
  readonly en: string
}

/** Work of the service and how it last went. */
export interface JobRun {
  readonly scope: JobScope
  /** The number of a site or a downloader; the service itself has 0. */
  readonly subjectId: number
  readonly name: string
  readonly label: JobLabel
  readonly dueAtUnix: number
  readonly isRunning: boolean
  readonly lastStartedAtUnix?: number
  readonly lastFinishedAtUnix?: number
  readonly lastOk?: boolean
  /** Why the last run failed. */
  readonly lastReason?: Reason
}

/** What the service does by itself, and what of it the owner may ask for now. */
export interface Jobs {
  /** Of all jobs that there are. */
  readonly names: readonly string[]
  runs(): Promise<JobRun[]>
  /** After a site or a downloader was added or changed: what it needs is planned, and what it does not need any more is not. */
  subjectChanged(scope: JobScope, subjectId: number): Promise<void>
  /** Runs it as soon as its subject is free. False when there is no such work. */
  runSoon(job: Pick<JobRun, 'scope' | 'subjectId' | 'name'>): Promise<boolean>
}

export interface SiteSignIns {
  signInNow(entry: SiteEntry): Promise<Result<SignInDay, SiteFault>>
}

/** Accounts that came near their end, the most urgent first. */
export interface LoginReminderList {
  list(): Promise<LoginReminder[]>
}

interface LoginReminder {
  readonly siteId: number
  readonly tier: LoginTier
  readonly daysRemaining: number
  readonly raisedAtUnix: number
}

/** A push of what has to be seeded, and what its downloader gave of it. */
export interface HitAndRunRecord extends Given {
  readonly id: number
  readonly site: string
  readonly torrentId: string
  readonly title: string
  /** The site's lists marked it. */
  readonly isMarked: boolean
  readonly downloader: string
  readonly downloaderId: number
  readonly infoHashes: readonly string[]
}

export interface HitAndRunBook {
  /** The newest first: what its lists marked, and of a site that asks it of every torrent all of them. */
  ofSite(site: string, isAskedOfAll: boolean): Promise<HitAndRunRecord[]>
  /** What is complete, of all sites; `askedOfAll` are names. Those looked at longest ago first. */
  open(askedOfAll: readonly string[]): Promise<HitAndRunRecord[]>
  isAny(askedOfAll: readonly string[]): Promise<boolean>
  note(
    looks: readonly {
      readonly id: number
      readonly seededSeconds: number | undefined
      readonly givenBytes: number
      readonly isSeeding: boolean
    }[],
  ): Promise<void>
}

export interface PushRecord {
  readonly id: number
  readonly site: string
  readonly torrentId: string
  readonly title: string
  readonly sizeBytes: number
  readonly category: string
  /** Comma-separated. */
  readonly tags: string
  readonly free: boolean
  readonly freeLevel?: Discount
  readonly freeEndAtUnix?: number
  readonly freeEnding?: FreeEnding
  readonly hasHr: boolean
  readonly source: TaskSource
  readonly downloader: string
  readonly pushed: boolean
  readonly pushedAtUnix?: number
  readonly progressPercent: number
  readonly completed: boolean
  readonly completedAtUnix?: number
  /** Why it was not pushed, or is lost. */
  readonly reason?: Reason
  readonly createdAtUnix: number
}

export interface PushRecords {
  /** Newest first. */
  page(
    filter: { readonly site?: string; readonly keyword?: string; readonly pushedOnly: boolean },
    page: number,
    pageSize: number,
  ): Promise<{ items: PushRecord[]; total: number }>
}

export interface BrushFigures {
  readonly uploadedBytes: number
  readonly downloadedBytes: number
  readonly added: number
  readonly removed: number
}

/** What takes fresh torrents of a site and removes them when they no longer pay. */
export interface BrushTask {
  readonly id: number
  readonly name: string
  readonly enabled: boolean
  /** As it is called now; as it was last called once it is gone. */
  readonly site: string
  /** False also for a site that is gone. */
  readonly siteEnabled: boolean
  /** 0 for the default one. */
  readonly downloaderId: number
  /** The one that is meant; empty while there is none. */
  readonly downloader: string
  readonly everyMinutes: number
  readonly rules: BrushRules
  readonly active: number
  readonly downloading: number
  readonly activeBytes: number
  readonly today: BrushFigures
  readonly total: BrushFigures
  readonly dueAtUnix: number
  readonly lastFinishedAtUnix?: number
  readonly lastReason?: Reason
}

export interface BrushTaskChange
  extends Pick<BrushTask, 'name' | 'enabled' | 'downloaderId' | 'everyMinutes' | 'rules'> {
  readonly siteId: number
}

/** A torrent that a brush task wanted. */
export interface BrushTorrent {
  readonly torrentId: string
  readonly title: string
  readonly status: BrushStatus
  readonly reason?: BrushReason
  readonly sizeBytes: number
  readonly uploadedBytes: number
  readonly downloadedBytes: number
  readonly takenAtUnix: number
  readonly completedAtUnix?: number
  readonly freeEndAtUnix?: number
  readonly endedAtUnix?: number
}

export interface BrushTasks {
  /** All of them, by id. */
  list(): Promise<BrushTask[]>
  add(change: BrushTaskChange): Promise<Result<BrushTask, 'name_taken' | 'too_many'>>
  update(id: number, change: BrushTaskChange): Promise<Result<BrushTask, 'not_found' | 'name_taken'>>
  /** What it took stays in the downloader. */
  remove(id: number): Promise<boolean>
  /** As soon as its site is free. False when there is no such task, or it is switched off. */
  runSoon(id: number): Promise<boolean>
  /** Those in its care, then those it had, the newest first. Undefined when there is no such task. */
  torrents(id: number): Promise<BrushTorrent[] | undefined>
}

/** Where torrents turn up by themselves. Never its address: that holds the owner's key. */
export interface Feed {
  readonly id: number
  readonly name: string
  readonly enabled: boolean
  /** As it is called now; as it was last called once it is gone. */
  readonly site: string
  /** False also for a site that is gone. */
  readonly siteEnabled: boolean
  /** All that is shown of its address. Empty for the site's own newest list. */
  readonly host: string
  readonly everyMinutes: number
  readonly dueAtUnix: number
  readonly lastFinishedAtUnix?: number
  readonly lastItemAtUnix?: number
  readonly lastReason?: Reason
  /** In the last 24 hours. */
  readonly found: number
  readonly taken: number
}

export interface FeedChange extends Pick<Feed, 'name' | 'enabled' | 'everyMinutes'> {
  readonly siteId: number
  /** Undefined keeps the stored one; empty for the site's own newest list. */
  readonly address?: string
}

export interface Feeds {
  /** All of them, by id. */
  list(): Promise<Feed[]>
  add(change: FeedChange): Promise<Result<Feed, 'name_taken' | 'too_many' | 'secrets'>>
  update(id: number, change: FeedChange): Promise<Result<Feed, 'not_found' | 'name_taken' | 'secrets'>>
  /** What it brought stays in the downloader. */
  remove(id: number): Promise<boolean>
  /** As soon as its site is free. False when there is no such feed, or it is switched off. */
  runSoon(id: number): Promise<boolean>
  items(wish: FeedItemWish): Promise<FeedItem[]>
  /** What was found since then, newest first and bounded, to try rules on. */
  candidates(
    sinceUnix: number,
  ): Promise<readonly { readonly candidate: Candidate; readonly atUnix: number; readonly isTaken: boolean }[]>
}

interface FeedItemWish {
  readonly feedId?: number
  readonly statuses?: readonly FeedItemStatus[]
  /** Items with smaller numbers. */
  readonly beforeId?: number
}

/** What turned up, and what was decided about it. */
export interface FeedItem {
  readonly id: number
  readonly feed: string
  readonly candidate: Candidate
  readonly status: FeedItemStatus
  /** Of the rule that decided or came nearest; empty for the rule of free ones. */
  readonly rule: string
  readonly clauses: readonly Clause[]
  readonly reason?: Reason
  readonly foundAtUnix: number
  readonly decidedAtUnix: number
}

export interface StoredRule {
  readonly id: number
  readonly name: string
  readonly enabled: boolean
  readonly rule: FilterRule
  /** In the last 30 days, and in the last 24 hours. */
  readonly taken: number
  readonly takenToday: number
}

export type RuleChange = Pick<StoredRule, 'name' | 'enabled' | 'rule'>

export interface FilterRules {
  /** In their order. */
  list(): Promise<StoredRule[]>
  /** At the end. */
  add(change: RuleChange): Promise<Result<StoredRule, 'name_taken' | 'too_many'>>
  update(id: number, change: RuleChange): Promise<Result<StoredRule, 'not_found' | 'name_taken'>>
  remove(id: number): Promise<boolean>
  /** False when it does not name each rule once. */
  order(ids: readonly number[]): Promise<boolean>
}

/** A torrent of a site that somebody wants in a downloader. */
export interface PushOrder {
  readonly torrentId: string
  readonly source: TaskSource
  /** Empty: the name inside the torrent file. */
  readonly title: string
  readonly category: string
  readonly tags: readonly string[]
  readonly savePath: string
  /** By the rule that ordered it: what a free period is whose end nobody tells. */
  readonly unknownEnd?: UnknownEnd
}

/** What became of it. */
export type PushOutcome =
  | { readonly kind: 'pushed' | 'skipped'; readonly infoHash: string }
  /** A gate stopped it, or the downloader did. */
  | { readonly kind: 'stopped' | 'refused'; readonly infoHash: string; readonly reason: Reason }

/** Brings torrents from sites into downloaders: one at a time for each site. */
export interface PushDesk {
  push(site: SiteTarget, downloader: DownloaderTarget, order: PushOrder): Promise<Result<PushOutcome, PushFailure>>
}

/** An image that was judged by its bytes. */
export interface Picture {
  readonly bytes: Uint8Array
  readonly type: string
  readonly etag: string
}

/** The live side of the sites. Faults of the outside arrive as values, never as a rejection. */
export interface SiteFleet {
  probe(target: SiteTarget): Promise<Result<SiteVisit, SiteFault>>
  read(target: SiteTarget): Promise<Result<SiteReading, SiteFault>>
  search(target: SiteTarget, wish: SearchWish): Promise<Result<SearchRows, SiteFault>>
  /** The file of one torrent, as the site gave it. */
  download(target: SiteTarget, torrentId: string): Promise<Result<Uint8Array, SiteFault>>
  /** Pages that the account is read from, fit to be shown to others. */
  fixture(target: SiteTarget): Promise<Result<SitePage[], SiteFault>>
  signIn(target: SiteTarget): Promise<Result<SignInOutcome, SiteFault>>
  /** Undefined when the site has none. */
  icon(target: SiteTarget): Promise<Picture | undefined>
  /** Tries settings that are not stored yet, and reads the account as they do. */
  tryOut(settings: SiteSettings): Promise<Result<SiteReading, SiteFault>>
}

/** What the owner settled about one matter. Never its secret. */
export interface OwnerSetting<N extends SettingName> {
  readonly value: SettingValue<N>
  readonly hasSecret: boolean
  /** Grows with every change; 0 while it was never set. */
  readonly revision: number
}

/** Matters that the owner settles for the service as a whole. */
export interface OwnerSettings {
  read<N extends SettingName>(name: N): Promise<OwnerSetting<N>>
  /** Empty when there is none. */
  openSecret(name: SettingName): Promise<Result<string, Exclude<SecretsState, 'ready'>>>
  /** A secret that is left out stays; an empty one is removed. */
  write<N extends SettingName>(
    name: N,
    value: SettingValue<N>,
    secret?: string,
  ): Promise<Result<OwnerSetting<N>, 'secrets'>>
}

/** By which clock the owner's days begin and sign-ins happen, and in which language the service speaks to the owner. */
export interface OwnerLocale {
  /** A name of the IANA table. */
  readonly timeZone: string
  readonly language: OwnerLanguage
}

export interface OwnerLocaleReader {
  /** What the owner chose; where nothing was chosen, what the deployment says. Another one's change shows within seconds. */
  read(): Promise<OwnerLocale>
  /** The owner just chose something else. */
  forget(): void
}

/** What the owner has of one title. */
export interface TitleStanding {
  readonly inLibrary: boolean
  /** The newest; absent while there is none. */
  readonly subscriptionId?: number
}

export interface TitleStandings {
  /** Those of them of which there is something to tell. */
  of(mediaType: MediaType, ids: readonly number[]): Promise<ReadonlyMap<number, TitleStanding>>
}

/** A film, or one season of a series, that the owner wants to have. */
export interface SubscriptionRecord {
  readonly id: number
  readonly mediaType: MediaType
  readonly tmdbId: number
  /** 0 for a film. */
  readonly season: number
  readonly title: string
  /** Empty for none. */
  readonly originalTitle: string
  /** The name that sites know it by. */
  readonly searchTitle: string
  readonly year?: number
  /** As announced; 0 for a film. */
  readonly totalEpisodes: number
  readonly posterPath?: string
  readonly releasedOn?: string
  readonly status: SubscriptionStatus
  readonly upgrade: boolean
  /** 0 for the one that is the default at the time, as of the downloader. */
  readonly profileId: number
  readonly downloaderId: number
  readonly source: SubscriptionSource
  /** What came of the last search. */
  readonly reason?: Reason
  readonly lastSearchAtUnix?: number
  readonly nextSearchAtUnix?: number
  readonly createdAtUnix: number
}

export interface SubscriptionTorrent {
  readonly id: number
  readonly site: string
  readonly torrentId: string
  readonly title: string
  readonly status: SubscriptionTorrentStatus
  /** Absent for all of it. */
  readonly episode?: number
  readonly episodeEnd?: number
  readonly complete: boolean
  readonly sizeBytes: number
  readonly reason?: Reason
  readonly createdAtUnix: number
}

export interface Subscription {
  readonly record: SubscriptionRecord
  readonly progress: Progress
}

export interface SubscriptionDetail extends Subscription {
  /** None of a film. */
  readonly episodes: readonly EpisodeStanding[]
  /** Newest first. */
  readonly torrents: readonly SubscriptionTorrent[]
}

interface NewSubscription extends Pick<SubscriptionRecord, 'upgrade' | 'profileId' | 'downloaderId' | 'source'> {
  readonly details: TitleDetails
}

/** What the owner wants to have. What is active is searched for as soon as it became so. */
export interface Subscriptions {
  /** Newest first, a bounded number. */
  list(filter: { readonly status?: SubscriptionStatus; readonly keyword?: string }): Promise<Subscription[]>
  read(id: number): Promise<SubscriptionDetail | undefined>
  has(title: Pick<SubscriptionRecord, 'mediaType' | 'tmdbId' | 'season'>): Promise<boolean>
  add(wanted: NewSubscription): Promise<Result<Subscription, 'taken' | 'too_many'>>
  /** Undefined when there is none; so below. */
  setStatus(id: number, status: Extract<SubscriptionStatus, 'active' | 'paused'>): Promise<Subscription | undefined>
  /** One that was done and is to be upgraded from now on is active again. */
  change(
    id: number,
    change: Pick<SubscriptionRecord, 'upgrade' | 'profileId' | 'downloaderId'>,
  ): Promise<Subscription | undefined>
  /** What was pushed for it stays where it is. */
  remove(id: number): Promise<boolean>
}

/** Looks for what is wanted of subscriptions. */
export interface SubscriptionHunt {
  /** Searches once, now: what came of it. */
  searchNow(id: number): Promise<Result<Reason, 'not_found' | 'not_active' | 'busy'>>
}

export interface QualityProfileChange extends QualityRules {
  readonly name: string
  readonly isDefault: boolean
}

/** Which releases are wanted. There is always one, and one of them is the default. */
export interface QualityProfiles {
  /** By id. */
  list(): Promise<QualityProfile[]>
  /** The default for 0, and for one that is gone. */
  of(id: number): Promise<QualityProfile>
  add(change: QualityProfileChange): Promise<Result<QualityProfile, 'name_taken' | 'too_many'>>
  /** The default stays one until another one becomes it. */
  update(
    id: number,
    change: QualityProfileChange,
  ): Promise<Result<QualityProfile, 'not_found' | 'name_taken' | 'is_default'>>
  /** Subscriptions that named it go on with the default. */
  remove(id: number): Promise<Result<void, 'not_found' | 'is_default'>>
}

/** What is in the library. */
export interface LibraryFacts {
  /** Of each of the films and seasons, in the order they were asked for. */
  holdings(
    wanted: readonly Pick<SubscriptionRecord, 'mediaType' | 'tmdbId' | 'season'>[],
  ): Promise<(readonly EpisodeSpan[])[]>
  /** Those of the titles of which anything is there. */
  titles(mediaType: MediaType, ids: readonly number[]): Promise<ReadonlySet<number>>
}

/** What others publish for everybody. Faults of the outside arrive as values, never as a rejection. */
export interface Catalogue {
  titles(wish: TitleWish): Promise<Result<TitlePage, ServiceFault>>
  /** `not_found` for a title that the provider does not have, and for a season that it does not. */
  details(wish: DetailWish): Promise<Result<TitleDetails, ServiceFault>>
  image(size: ImageSize, file: string): Promise<Result<Picture, ServiceFault>>
  /** Tries a key that is not stored yet. */
  tryMetadataKey(apiUrl: string, key: string): Promise<Result<void, ServiceFault>>
  /** As last looked at: at most a day ago, or longer while the list cannot be read. */
  releases(): Promise<Result<{ readonly checkedAtUnix: number; readonly releases: readonly Release[] }, ServiceFault>>
}

/** Of a title and a text, an empty one stands for the built-in one. */
export interface TemplateTexts {
  readonly title: string
  readonly text: string
}

export interface StoredTemplate extends TemplateTexts {
  readonly updatedAtUnix: number
}

/** What the service says, in the owner's words or its own. */
export interface MessageTemplates {
  /** With the event's sample data; nothing is stored. */
  preview(type: TemplateType, texts: TemplateTexts, language: OwnerLanguage): Result<TemplateTexts, TemplateFault>
  /** The owner's own texts. */
  stored(): Promise<ReadonlyMap<TemplateType, StoredTemplate>>
  /** Two empty texts restore the built-in ones; then there is nothing to give back. */
  save(type: TemplateType, texts: TemplateTexts): Promise<StoredTemplate | undefined>
  /** What is sent. A text of the owner's that fails with these values gives way to the built-in one; `fault` says why. */
  render(
    type: TemplateType,
    values: TemplateValues,
    language: OwnerLanguage,
  ): Promise<{ readonly rendered: TemplateTexts; readonly fault?: TemplateFault }>
}

/** What stands in a conversation when an answer ends otherwise than it should, in the owner's words. Never rejects. */
export interface AssistantNotices {
  write(type: Extract<TemplateType, `assistant.${string}`>, facts?: NoticeFacts): Promise<string>
}

/** A channel as the owner sees it. Never its token, its header's value, or what of its address may be a key. */
export interface ChannelRecord {
  readonly id: number
  readonly name: string
  readonly kind: ChannelKind
  /** Scheme and host of a webhook, the base address of a bot. */
  readonly place: string
  readonly chatId: string
  readonly headerName: string
  readonly signed: boolean
  readonly enabled: boolean
  readonly events: readonly NoticeType[]
  /** Messages it has not taken yet. */
  readonly waiting: number
  /** Messages given up since its settings were saved. */
  readonly lost: number
  /** Of the last attempt. */
  readonly lastAtUnix?: number
  readonly lastOk?: boolean
  /** Why the last run failed. */
  readonly lastReason?: Reason
}

export interface ChannelChange extends GivenChannel {
  readonly name: string
  readonly enabled: boolean
  readonly events: readonly NoticeType[]
}

export type ChannelRefusal =
  | { readonly kind: 'not_found' | 'name_taken' | 'too_many' | 'secrets' }
  /** It names the field. */
  | { readonly kind: 'settings'; readonly reason: Reason }

/** Where notices go. What is stored is tried with its new settings at once. */
export interface Channels {
  /** All of them, by id. */
  list(): Promise<ChannelRecord[]>
  add(change: ChannelChange): Promise<Result<ChannelRecord, ChannelRefusal>>
  update(id: number, change: ChannelChange): Promise<Result<ChannelRecord, ChannelRefusal>>
  /** With what waits for it. */
  remove(id: number): Promise<boolean>
  /** Sends a message with settings that need not be stored, and with the stored ones of `id` where none are given. */
  test(change: GivenChannel, id: number | undefined): Promise<Result<{ readonly reason?: Reason }, ChannelRefusal>>
  /** What a browser subscribes with; undefined while nothing can be sealed. */
  pushKey(): Promise<string | undefined>
}

/** Conversations of one caller each: nobody reaches those of another one, whatever id is asked for. */
/** `unread`: the list that says which there are cannot be read. `in_vain`: the caller asked for too many that are not. */
export type ConversationFault = 'not_found' | 'unread' | 'in_vain'

export interface AssistantDesk {
  /** Most recently updated first, a bounded number. */
  list(caller: Principal): Promise<ConversationSummary[]>
  /** With a first message it is being answered at once, or nothing is made. */
  create(
    caller: Principal,
    wanted: { readonly title: string; readonly message?: string },
  ): Promise<
    Result<{ readonly conversation: ConversationSummary; readonly run?: StartedRun }, 'too_many' | 'unavailable'>
  >
  read(caller: Principal, id: string): Promise<Result<ConversationDetail, ConversationFault>>
  /** All of a caller who will not come back: nobody else could. */
  removeAll(callerId: string): Promise<void>
  remove(caller: Principal, id: string): Promise<Result<void, ConversationFault>>
  send(
    caller: Principal,
    id: string,
    text: string,
  ): Promise<Result<StartedRun, ConversationFault | 'busy' | 'too_many' | 'unavailable'>>
  cancel(caller: Principal, id: string): Promise<Result<void, ConversationFault>>
  /** A page of events as JSON text, as soon as there are any, or when the time is over. */
  follow(caller: Principal, id: string, after: number, waitMs: number): Promise<Result<string, ConversationFault>>
  decide(
    caller: Principal,
    confirmationId: string,
    approve: boolean,
    requestId: string,
  ): Promise<Result<Confirmation, 'not_found' | 'decided' | 'audit'>>
}

/** A tool as a model is told of it. */
export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** What a call of a tool comes to before anything happens. */
export type JudgedCall =
  | { readonly kind: 'refused'; readonly reason: Reason }
  | { readonly kind: 'read' }
  /** Somebody has to say yes to exactly these arguments. */
  | {
      readonly kind: 'confirm'
      readonly arguments: Readonly<Record<string, unknown>>
      readonly proposed: ProposedAction
    }

export interface ToolOutcome {
  readonly text: string
  readonly isError: boolean
}

/** What the assistant can do in a caller's name: what the interface lets that caller do, and of that a part. */
export interface AssistantTools {
  /** Those that change something are for callers with Operate only. */
  list(caller: Principal): readonly ToolDescription[]
  changes(name: string): boolean
  /** `found` are results of earlier searches in the conversation, newest first, from which torrents get their names. */
  judge(
    caller: Principal,
    call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
    found: readonly string[],
  ): Promise<JudgedCall>
  run(
    caller: Principal,
    call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
    requestId: string,
  ): Promise<ToolOutcome>
}

export interface ModelQuestion {
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ToolDescription[]
  readonly signal: AbortSignal
  /** Each piece of text as it comes. */
  readonly onText: (piece: string) => void
}

export interface ModelAnswer {
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  /** The model would have gone on: its own bound on answers ended it. */
  readonly isCut: boolean
}

/** Who answers for the assistant. */
export interface ChatModel {
  answer(question: ModelQuestion): Promise<Result<ModelAnswer, ModelFault>>
  /** Tries settings that are not stored yet: says whether the model calls tools. */
  tryOut(settings: ModelSettings): Promise<Result<{ readonly callsTools: boolean }, ModelFault>>
}

export interface ModelSettings {
  /** Undefined: this installation's own gateway. */
  readonly address: string | undefined
  readonly model: string
  readonly apiKey: string
}

/** This installation's own gateway, without a way over the network. Undefined when it has no key. */
export type OwnGateway = (body: string, signal: AbortSignal) => Promise<Response> | undefined

/** The door of this installation's own gateway for its owner, without a way over the network. */
export interface GatewayOffice {
  /** Where its routes lie. */
  readonly path: string
  ask(method: 'GET' | 'POST' | 'DELETE', target: string, body: string | undefined): Promise<Response>
}

export interface GatewayFault {
  readonly status: number
  readonly words: string | undefined
}

/** What the owner asks of the gateway: its keys, and what they spend. */
export interface GatewayDesk {
  readonly path: string
  /** The text of the answer. `target` lies below the gateway's own routes for its owner. */
  ask(method: 'GET' | 'POST' | 'DELETE', target: string, body?: object): Promise<Result<string, GatewayFault>>
}

/** A folder on the downloader's machine that the owner's films or series lie in. */
export interface Library {
  readonly id: number
  readonly name: string
  readonly mediaType: MediaType
  readonly path: string
  readonly mode: LibraryMode
  readonly isDefault: boolean
}

export type LibraryChange = Omit<Library, 'id'>

/** Of each kind that has libraries one is the default, whatever is changed or removed. */
export interface Libraries {
  /** All of them, by id. */
  list(): Promise<Library[]>
  add(change: LibraryChange): Promise<Result<Library, 'name_taken' | 'too_many'>>
  update(id: number, change: LibraryChange): Promise<Result<Library, 'not_found' | 'name_taken'>>
  /** Files stay, and what is known of them. */
  remove(id: number): Promise<boolean>
}

/** What became of a torrent that was complete. */
export interface MediaRecord {
  readonly id: number
  readonly mediaType: MediaType
  readonly tmdbId: number
  readonly title: string
  readonly year?: number
  /** Absent for a film. */
  readonly season?: number
  /** Absent for all of it. */
  readonly episode?: number
  readonly episodeEnd?: number
  readonly torrentName: string
  /** Empty for none. */
  readonly library: string
  readonly targetPath: string
  readonly mode: LibraryMode
  readonly sizeBytes: number
  readonly status: HistoryStatus
  readonly reason?: Reason
  readonly createdAtUnix: number
}

export interface MediaHistory {
  /** Most recently updated first. What is being organised is not among them yet. */
  page(
    filter: { readonly status?: HistoryStatus; readonly keyword?: string },
    page: number,
    pageSize: number,
  ): Promise<{ items: MediaRecord[]; total: number }>
  /** Organises it once more, with the libraries as they are now. */
  tryAgain(id: number): Promise<Result<void, 'not_found' | 'not_needed'>>
}

/** An authenticator's key that signs the owner in at one host. */
export interface Passkey {
  readonly id: string
  readonly name: string
  readonly host: string
  readonly isSynced: boolean
  readonly createdAtUnix: number
  readonly lastUsedAtUnix?: number
}

/** `refused` says nothing of why: it is the same for whatever is wrong with an answer. */
export interface Passkeys {
  /** Newest first. */
  list(): Promise<Passkey[]>
  worksAt(host: string): Promise<boolean>
  begin(place: PasskeyPlace): Promise<Result<WirePasskeyCreation, 'too_many'>>
  add(place: PasskeyPlace, name: string, answer: AttestedPasskey): Promise<Result<Passkey, 'refused' | 'too_many'>>
  rename(id: string, name: string): Promise<Passkey | undefined>
  /** False when there is no such passkey. */
  remove(id: string): Promise<boolean>
  beginSignIn(place: PasskeyPlace): Promise<Result<WirePasskeyRequest, 'refused'>>
  /** Each challenge is answered once, and none that is older than the one answered last. */
  signIn(place: PasskeyPlace, answer: AssertedPasskey): Promise<Result<{ readonly cookie: string }, 'refused'>>
}

/** Everything the routes need, wired once in compose.ts. */
/** What monitors are told of the service's own work. */
export interface OperatingBook {
  /** Rejects when the database does not answer. */
  answers(): Promise<void>
  figures(): Promise<OperatingFigures>
}

/** The host on one's own machine. */
export interface MachineDesk {
  /** Undefined at the edge. */
  report(): Promise<MachineReport | undefined>
  /** Undefined at the edge. */
  backups(): Promise<BackupShelf | undefined>
  makeBackup(): Promise<Result<KeptBackup, BackupFault>>
  /** Unpacks and opens it. */
  readBack(name: string): Promise<Result<NonNullable<KeptBackup['readBack']>, BackupFault>>
  /** Undefined for one that there is not. */
  openBackup(name: string): Promise<{ readonly bytes: number; readonly content: ReadableStream } | undefined>
}

/** The description of the App API, or undefined where the pages hold none. Without a body it is what the caller knows. */
export type InterfaceDocument = (
  knownEtag: string | undefined,
) => Promise<{ readonly etag: string | undefined; readonly body?: ReadableStream } | undefined>

export interface AppDeps {
  readonly cookieDesk: CookieDesk
  readonly clock: Clock
  readonly identifiers: Identifiers
  readonly logger: Logger
  readonly background: Background
  readonly credentials: CredentialReader
  readonly apiTokens: ApiTokens
  readonly audit: AuditLog
  readonly secrets: SecretBox
  /** What was sealed with a key that is not at hand. */
  readonly lostSecrets: () => Promise<LostSecret[]>
  /** Goes on with the key at hand. False without one. */
  readonly adoptKey: () => Promise<boolean>
  readonly downloaders: DownloaderStore
  readonly fleet: DownloaderFleet
  readonly torrentDesk: TorrentDesk
  readonly owner: OwnerAccount
  readonly passkeys: Passkeys
  readonly knownBrowsers: KnownBrowsers
  readonly sites: SiteStore
  readonly ownDefinitions: OwnDefinitions
  readonly definitionDesk: DefinitionDesk
  readonly siteFigures: SiteFigures
  readonly siteFleet: SiteFleet
  readonly hitAndRuns: Pick<HitAndRunBook, 'ofSite'>
  /** What a site of that definition asks of its members, as far as it is known. */
  readonly siteRulesOf: (definition: string) => SiteRules
  readonly siteSignIns: SiteSignIns
  readonly loginReminders: LoginReminderList
  readonly jobs: Jobs
  readonly pushRecords: PushRecords
  readonly pushDesk: PushDesk
  readonly settings: OwnerSettings
  readonly catalogue: Catalogue
  readonly titleStandings: TitleStandings
  readonly subscriptions: Subscriptions
  readonly subscriptionHunt: SubscriptionHunt
  readonly qualityProfiles: QualityProfiles
  readonly templates: MessageTemplates
  readonly channels: Channels
  readonly libraries: Libraries
  readonly mediaHistory: MediaHistory
  readonly brush: BrushTasks
  readonly feeds: Feeds
  readonly filterRules: FilterRules
  readonly devices: Devices
  readonly tunnel: Tunnel

  readonly assistant: AssistantDesk
  readonly chatModel: ChatModel
  readonly locale: OwnerLocaleReader
  /** Whether the host has an outgoing side that sends calls through a site's proxy. */
  readonly canUseProxies: boolean
  /** Origins of our own pages beside the one a request was sent to. */
  readonly publicOrigins: readonly string[]
  /** Origins of other people's pages that may use the App API with a token. */
  readonly apiOrigins: readonly string[]
  readonly interfaceDocument: InterfaceDocument
  readonly version: string
  readonly gatewayDesk: GatewayDesk
  readonly operatingBook: OperatingBook
  readonly machine: MachineDesk
}
