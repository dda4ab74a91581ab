import type { Result } from '#shared/kernel/result.ts'
import type { Masked } from './masking.ts'
import type { Reason } from './reason/reason.ts'
import type { SiteFault } from './site-fault.ts'
import type { SiteUser } from './site-figures.ts'
import type { Discount, SiteKind } from './vocabulary.ts'

/** What a site may call in its own words, as its pages write it. */
export const labelNames = [
  'transfer',
  'uploaded',
  'downloaded',
  'ratio',
  'level',
  'bonus',
  'bonus_per_hour',
  'last_active',
  'hit_and_run',
  'total_size',
  'new_messages',
] as const
export type LabelName = (typeof labelNames)[number]
export type SiteLabels = Readonly<Partial<Record<LabelName, readonly string[]>>>

/** Several sites answer nothing to a client without a name, and a page to one that looks like a browser. */
export const ownUserAgent = 'Mozilla/5.0 (compatible; wharf/1.0)'

/** What differs between sites of one kind. Defaults of the kind, a definition and the owner's overrides, merged. */
export interface SiteProfile {
  /** The site writes its times in this zone, without saying so. */
  readonly utcOffsetMinutes: number
  readonly requestIntervalMs: number
  /** Names a search may use, with the site's own category ids. */
  readonly categories: Readonly<Record<string, readonly string[]>>
  /** Pages, relative to the address. */
  readonly paths: Readonly<Record<string, string>>
  /** CSS selectors of a site that shows pages. */
  readonly selectors: Readonly<Record<string, string>>
  /** Words of a site that shows pages; the usual ones where there are none. */
  readonly labels: SiteLabels
  /** Where else it is, for services that know it by another host than its address has. */
  readonly hosts: readonly string[]
  /** Sent with every call, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Choices among what a definition of the owner's offers, by its names. */
  readonly choices?: Readonly<Record<string, string>>
  /** False where signing in needs a person: a picture to read, a question to answer. */
  readonly signsIn: boolean
  /** False where nothing is known of its lists. */
  readonly searches: boolean
  /** Told to the site as the browser; ours where there is none. */
  readonly userAgent?: string
}

/** What a site has of the torrents whose pieces it was asked for. */
export interface PiecesAnswer {
  /** Requests that it took. */
  readonly asks: number
  /** Its torrents by the hash of their pieces; `unsupported` where it takes no such question. */
  readonly torrents: Result<ReadonlyMap<string, string>, SiteFault>
}

/** Opens the site's account. Never leaves the adapters. */
export interface SiteCredentials {
  readonly cookie: string
  readonly apiKey: string
  /** Not the site's own, but it may hold a password too. Left out for none. */
  readonly proxy?: string
  /** What a definition of the owner's asks for beside them, by its names: user name, password, key. */
  readonly answers?: Readonly<Record<string, string>>
}

/** Everything a driver needs. */
export interface SiteSettings {
  readonly kind: SiteKind
  /** http(s) address with an optional path, without a trailing slash. Chosen by the owner. */
  readonly baseUrl: string
  readonly credentials: SiteCredentials
  readonly profile: SiteProfile
  /** The owner's definition as checked JSON, for the kind that needs one. */
  readonly definition?: string
}

/** A site as the live side knows it. The credentials stay sealed until a call needs them. */
export interface SiteTarget {
  readonly id: number
  readonly name: string
  readonly kind: SiteKind
  /** Changes with the settings; a driver made for another revision is dropped. */
  readonly revision: number
  readonly baseUrl: string
  readonly profile: SiteProfile
  /** Of the owner's, for the kind that needs one. */
  readonly definition?: string
  /** What the account may seed at the site before pushes stop; 0 for no limit. */
  readonly capacityGib: number
  readonly sealedCredentials: string
}

/** A look at whether the credentials still open the account. */
export interface SiteVisit {
  /** When the site last saw the owner: as it says itself, or now where a page view counts as a visit. */
  readonly lastActiveAtUnix?: number
}

export interface SiteReading extends SiteVisit {
  /** Absent for a site kind without accounts. */
  readonly user?: SiteUser
}

/** One page of a site, as its address names it. */
export interface SitePage {
  readonly page: string
  readonly text: string
}

/** Pages fit to be shown, and how much of them was replaced or left out. */
export interface SiteFixture {
  readonly pages: readonly SitePage[]
  readonly replaced: Readonly<Partial<Record<Masked, number>>>
}

/** A message that was not read yet, as the list of them shows it. Listing it does not make it read. */
export interface SiteMessage {
  readonly subject: string
  readonly sender?: string
  readonly atUnix?: number
}

export interface SiteQuery {
  readonly keyword: string
  /** Category ids in the site's own words; empty for all. */
  readonly categoryIds: readonly string[]
  readonly freeOnly: boolean
  /** Whether somebody wants to know where the site shows each torrent. */
  readonly withPages?: true
}

/** What a site does not tell is undefined, written or not: rows of one shape are read and written faster. */
export interface SearchHit {
  readonly torrentId: string
  readonly title: string
  readonly subtitle?: string | undefined
  readonly infoHash?: string | undefined
  /** Never 0: no torrent is that small. */
  readonly sizeBytes?: number | undefined
  readonly seeders?: number | undefined
  readonly leechers?: number | undefined
  readonly snatched?: number | undefined
  readonly uploadedAtUnix?: number | undefined
  readonly category?: string | undefined
  readonly tags: readonly string[]
  readonly discount?: Discount | undefined
  readonly discountEndAtUnix?: number | undefined
  readonly hasHr: boolean
  readonly imdbId?: string | undefined
  readonly doubanId?: string | undefined
  /** Where the site shows it to a person, where its number does not say so and that is asked for. Holds no key. */
  readonly pageUrl?: string | undefined
  /** What the download needs beyond the id: a link or a key. A secret, which stays on the server. */
  readonly downloadKey?: string | undefined
}

export interface SignInOutcome {
  readonly status: 'signed' | 'already' | 'unsupported'
  readonly reason: Reason
}

/** What a site kind can do. */
export interface SiteAbilities {
  readonly statistics: boolean
  readonly signIn: boolean
  readonly search: boolean
  /** Whether its lists tell which torrents must be seeded for a time. */
  readonly hitAndRun: boolean
  /** `none`: a definition says itself what it needs. */
  readonly credential: 'cookie' | 'api_key' | 'either' | 'none'
}

/** Written once, for drivers and console alike. */
export const siteAbilities: Readonly<Record<SiteKind, SiteAbilities>> = {
  nexusphp: { statistics: true, signIn: true, search: true, hitAndRun: true, credential: 'cookie' },
  mteam: { statistics: true, signIn: false, search: true, hitAndRun: false, credential: 'api_key' },
  unit3d: { statistics: true, signIn: false, search: true, hitAndRun: false, credential: 'api_key' },
  gazelle: { statistics: true, signIn: false, search: true, hitAndRun: false, credential: 'either' },
  torznab: { statistics: false, signIn: false, search: true, hitAndRun: true, credential: 'api_key' },
  cardigann: { statistics: false, signIn: false, search: true, hitAndRun: true, credential: 'none' },
}

export function canSignIn(kind: SiteKind, profile: SiteProfile): boolean {
  return siteAbilities[kind].signIn && profile.signsIn
}

export function canSearch(kind: SiteKind, profile: SiteProfile): boolean {
  return siteAbilities[kind].search && profile.searches
}

/** From the share of a download and of an upload that counts. Undefined where nobody tells the first. */
export function discountOfFactors(paid: number | undefined, upload: number | undefined): Discount | undefined {
  if (paid === undefined) return undefined
  const doubled = (upload ?? 1) >= 2
  if (paid <= 0) return doubled ? '2XFREE' : 'FREE'
  if (paid <= 0.3) return 'PERCENT_30'
  if (paid <= 0.5) return doubled ? '2X50' : 'PERCENT_50'
  if (paid <= 0.7) return 'PERCENT_70'
  return doubled ? '2XUP' : 'NONE'
}

export function isFree(discount: Discount | undefined): boolean {
  return discount === 'FREE' || discount === '2XFREE'
}
