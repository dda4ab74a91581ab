import type { Result } from '#shared/kernel/result.ts'
import type { SiteDefinition, SiteOverrides } from '../contract/site-definition.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { SearchRows, SiteSearchQuery } from '../core/search-plan.ts'
import type {
  PiecesAnswer,
  SignInOutcome,
  SiteFixture,
  SiteMessage,
  SiteProfile,
  SiteReading,
  SiteSettings,
  SiteTarget,
  SiteVisit,
} from '../core/site.ts'
import type { Snapshot } from '../core/site-changes.ts'
import type { SiteFault } from '../core/site-fault.ts'
import type { FigureName, SiteUser } from '../core/site-figures.ts'
import type { HistoryPoint } from '../core/site-levels.ts'
import type { CookieOrigin, LoginTier, SignInStatus, SiteKind } from '../core/vocabulary.ts'
import type { Picture } from './catalogue.ts'

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
  /** Of the cookie: how it came, and when. */
  readonly cookieFrom?: CookieOrigin
  readonly cookieAtUnix?: number
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
  /** How it would be asked and read if the owner had said nothing of it. */
  usual(id: number): Promise<SiteProfile | undefined>
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
  /**
   * False where the figure is not doubtful any more, or not what the owner saw. `dayOf` tells the day of the history that a
   * reading is of. Fails when the figures cannot be read.
   */
  sayFigure(
    siteId: number,
    said: FigureWord,
    dayOf: (unix: number) => string,
    nowUnix: number,
  ): Promise<Result<boolean, Reason>>
}

/** What the owner says of a doubtful figure: it is right, or what was known before it still is. */
interface FigureWord {
  readonly figure: FigureName
  /** As it was shown. */
  readonly value: number
  readonly is: 'right' | 'before'
}

/** Left out: not known of that day. */
export interface SiteDay extends HistoryPoint {
  readonly ratio?: number
  readonly seeding?: number
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

/** The live side of the sites. Faults of the outside arrive as values, never as a rejection. */
export interface SiteFleet {
  probe(target: SiteTarget): Promise<Result<SiteVisit, SiteFault>>
  read(target: SiteTarget): Promise<Result<SiteReading, SiteFault>>
  search(target: SiteTarget, wish: SiteSearchQuery): Promise<Result<SearchRows, SiteFault>>
  /** The file of one torrent, as the site gave it. */
  download(target: SiteTarget, torrentId: string): Promise<Result<Uint8Array, SiteFault>>
  /** Pages that the account is read from, fit to be shown to others. */
  fixture(target: SiteTarget): Promise<Result<SiteFixture, SiteFault>>
  /** What of the account's messages is unread. */
  messages(target: SiteTarget): Promise<Result<SiteMessage[], SiteFault>>
  /** Where the owner's own feed is, with the key in it: for whoever seals it. */
  feedAddress(target: SiteTarget): Promise<Result<string, SiteFault>>
  /** Whether it may take the question below, as far as is known here: it is not asked. */
  mayFindByPieces(target: SiteTarget): Promise<Result<boolean, SiteFault>>
  /** Which of its torrents have these pieces. */
  findByPieces(target: SiteTarget, hashes: readonly string[]): Promise<Result<PiecesAnswer, SiteFault>>
  /** Requests that went to it in the last 24 hours. */
  calls(target: SiteTarget): Promise<Result<number, SiteFault>>
  signIn(target: SiteTarget): Promise<Result<SignInOutcome, SiteFault>>
  /** Undefined when the site has none. */
  icon(target: SiteTarget): Promise<Picture | undefined>
  /** Tries settings that are not stored yet, and reads the account as they do. */
  tryOut(settings: SiteSettings): Promise<Result<SiteReading, SiteFault>>
}
