import type { Clock } from '#shared/kernel/clock.ts'
import type { Result } from '#shared/kernel/result.ts'
import type {
  ActionOutcome,
  DownloaderSettings,
  DownloaderStatus,
  DownloaderTarget,
  TorrentQuery,
} from './core/downloader.ts'
import type { Principal } from './core/principal.ts'
import type { Torrent } from './core/torrent.ts'
import type { ListPart, SortKey } from './core/torrent-listing.ts'
import type { DownloaderKind, Scope, TorrentAction } from './core/vocabulary.ts'

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

interface AuditEntry {
  readonly id: number
  readonly atUnix: number
  readonly channel: string
  readonly user: string
  readonly command: string
  readonly result: string
  readonly status?: number
  readonly latencyMs?: number
}

export interface AuditLog {
  /** Records the intent before anything takes effect. Rejects when it cannot be written: then nothing may happen. */
  begin(entry: { channel: string; user: string; command: string; requestId: string }): Promise<number>
  finish(id: number, outcome: { result: string; status: number; latencyMs: number }): Promise<void>
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

/** The live side of the downloaders. Faults of the outside arrive as redacted Chinese text, never as a rejection. */
export interface DownloaderFleet {
  status(target: DownloaderTarget): Promise<Result<DownloaderStatus, string>>
  /** A part of the torrents that match, in the asked order, and how many there are in all. */
  select(
    target: DownloaderTarget,
    query: TorrentQuery,
    part: ListPart,
  ): Promise<Result<{ torrents: Torrent[]; total: number }, string>>
  /** What the first `upTo` of them are sorted by: a late page of several lists is found without moving the lists. */
  sortKeys(target: DownloaderTarget, query: TorrentQuery, upTo: number): Promise<Result<SortKey[], string>>
  /** One outcome for each hash, in order. Reads first, so that an unknown hash is a failure and not a silent success. */
  act(
    target: DownloaderTarget,
    action: TorrentAction,
    infoHashes: readonly string[],
  ): Promise<Result<ActionOutcome[], string>>
  /** Tries settings that are not stored yet. */
  probe(settings: DownloaderSettings): Promise<Result<DownloaderStatus, string>>
}

/** The owner's password and browser sessions. `from` is the caller's address, by which failed attempts are counted. */
export interface OwnerAccount {
  /** True while a password has to be set: never set, or a fresh set-up code exists to replace a lost one. */
  setUp(): Promise<{ readonly done: boolean; readonly codeWaits: boolean }>
  /** Consumes the set-up code and sets the password; every session ends. */
  setPassword(
    code: string,
    password: string,
    from: string,
  ): Promise<Result<{ readonly cookie: string }, 'wrong' | 'too_many_attempts' | 'no_code'>>
  changePassword(
    current: string,
    next: string,
    from: string,
  ): Promise<Result<{ readonly cookie: string }, 'wrong' | 'too_many_attempts'>>
  signIn(
    password: string,
    from: string,
  ): Promise<Result<{ readonly cookie: string }, 'wrong' | 'too_many_attempts' | 'not_set_up'>>
  signOut(cookie: string): Promise<void>
}

/** Everything the routes need, wired once in compose.ts. */
export interface AppDeps {
  readonly clock: Clock
  readonly identifiers: Identifiers
  readonly logger: Logger
  readonly background: Background
  readonly credentials: CredentialReader
  readonly apiTokens: ApiTokens
  readonly audit: AuditLog
  readonly secrets: SecretBox
  readonly downloaders: DownloaderStore
  readonly fleet: DownloaderFleet
  readonly owner: OwnerAccount
  readonly version: string
}
