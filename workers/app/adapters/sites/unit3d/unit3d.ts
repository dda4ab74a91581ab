import { z } from '@hono/zod-openapi'
import { isRecord, type JsonRecord } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { SearchHit, SignInOutcome, SiteQuery, SiteReading, SiteSettings, SiteVisit } from '../../../core/site.ts'
import type { SiteFault } from '../../../core/site-fault.ts'
import { userOf } from '../../../core/site-figures.ts'
import { plainText, readSize, readTime, toldCount, toldNumber, toldSize } from '../../../core/site-numbers.ts'
import type { Discount } from '../../../core/vocabulary.ts'
import { siteHitsMax, siteTextCharactersMax } from '../../../limits.ts'
import { saidRefusal } from '../said-refusal.ts'
import type { SiteDriver } from '../site-driver.ts'
import type { SiteHttp } from '../site-http.ts'
import { downloadTorrent } from '../torrent-download.ts'

const figure = z.union([z.number(), z.string()]).nullish()
/** How many, or since a version of 2021 the torrents themselves. */
const listed = z.union([z.number(), z.string(), z.array(z.unknown())]).nullish()
/** The last ones of each are what a site calls them that has another page for the account. */
const account = z.object({
  username: z.string().min(1),
  group: z.string().nullish(),
  uploaded: figure,
  downloaded: figure,
  ratio: figure,
  seeding: listed,
  active_seeds: figure,
  leeching: listed,
  active_leeches: figure,
  seedbonus: figure,
  hunos: figure,
  /** Sites add it to what the software tells. */
  seed_size: figure,
  hit_and_runs: figure,
  join_date: z.string().nullish(),
  member_since: z.string().nullish(),
})
/** A list has hundreds of rows, and each field is judged where it is used. */
const rows = z.array(z.unknown())
const list = z.object({ data: z.union([rows, z.object({ data: rows })]) })

const noAccount: SiteFault = { kind: 'broken', part: 'account' }

/** Sites built on UNIT3D, through their JSON API. */
export class Unit3dDriver implements SiteDriver {
  readonly #settings: SiteSettings
  readonly #http: SiteHttp

  constructor(settings: SiteSettings, http: SiteHttp) {
    this.#settings = settings
    this.#http = http
  }

  get #accountPage(): string {
    return this.#settings.profile.paths['user'] ?? 'api/user'
  }

  async probe(signal: AbortSignal): Promise<Result<SiteVisit, SiteFault>> {
    const user = await this.#account(signal)
    return user.ok ? succeed({}) : user
  }

  async read(signal: AbortSignal): Promise<Result<SiteReading, SiteFault>> {
    const user = await this.#account(signal)
    if (!user.ok) return user
    const told = user.value
    const { username, group } = told
    const field = (label: keyof typeof told) => ({ page: this.#accountPage, label })
    const joinedAtUnix = readTime(told.join_date ?? told.member_since ?? '', this.#settings.profile.utcOffsetMinutes)
    // The interface has no count of messages.
    const figures = userOf(plainText(username, siteTextCharactersMax), [
      ['level', group == null ? undefined : plainText(group, siteTextCharactersMax), field('group')],
      ['uploaded', amount(told.uploaded), field('uploaded')],
      ['downloaded', amount(told.downloaded), field('downloaded')],
      ['ratio', toldNumber(told.ratio), field('ratio')],
      ['bonus', toldNumber(told.seedbonus), field('seedbonus')],
      ['bonus', toldNumber(told.hunos), field('hunos')],
      ['seeding', lengthOf(told.seeding), field('seeding')],
      ['seeding', toldCount(told.active_seeds), field('active_seeds')],
      ['leeching', lengthOf(told.leeching), field('leeching')],
      ['leeching', toldCount(told.active_leeches), field('active_leeches')],
      ['seeding_size', amount(told.seed_size), field('seed_size')],
      ['hnr_unsatisfied', toldCount(told.hit_and_runs), field('hit_and_runs')],
    ])
    return succeed({ user: { ...figures, ...(joinedAtUnix === undefined ? {} : { joinedAtUnix }) } })
  }

  async search(query: SiteQuery, signal: AbortSignal): Promise<Result<SearchHit[], SiteFault>> {
    const parameters = new URLSearchParams({ name: query.keyword, perPage: '100' })
    for (const id of query.categoryIds) parameters.append('categories[]', id)
    if (query.freeOnly) parameters.append('free[]', '100')
    const answer = await this.#get(`api/torrents/filter?${parameters}`, signal)
    if (!answer.ok) return answer
    const parsed = list.safeParse(answer.value)
    if (!parsed.success) return failWith(refusalIn(answer.value) ?? { kind: 'broken', part: 'list' })
    const { data } = parsed.data
    const listed = Array.isArray(data) ? data : data.data
    const hits = listed.slice(0, siteHitsMax).flatMap(toHit)
    // A list of which nothing can be read is another program's list.
    if (hits.length === 0 && listed.length > 0) return failWith({ kind: 'broken', part: 'list' })
    return succeed(hits)
  }

  async signIn(): Promise<Result<SignInOutcome, SiteFault>> {
    return failWith({ kind: 'unsupported' })
  }

  async download(torrentId: string, downloadKey: string | undefined, signal: AbortSignal) {
    const path = downloadKey ?? `torrents/download/${encodeURIComponent(torrentId)}`
    return downloadTorrent(this.#http, { path, headers: this.#headers() }, signal)
  }

  async #account(signal: AbortSignal): Promise<Result<z.output<typeof account>, SiteFault>> {
    const answer = await this.#get(this.#accountPage, signal)
    if (!answer.ok) return answer
    const parsed = account.safeParse(unwrapped(answer.value))
    return parsed.success ? succeed(parsed.data) : failWith(refusalIn(answer.value) ?? noAccount)
  }

  #get(path: string, signal: AbortSignal): Promise<Result<unknown, SiteFault>> {
    return this.#http.json({ path, headers: this.#headers() }, signal)
  }

  #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#settings.credentials.apiKey}` }
  }
}

/** An account that is banned is told so in an answer like any other. */
function refusalIn(answer: unknown): SiteFault | undefined {
  return isRecord(answer) ? saidRefusal(textOf(answer['message'])) : undefined
}

/** Some versions put the account below `data`. */
function unwrapped(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'data' in value ? value.data : value
}

/** Current versions write amounts for people, older ones as bytes. */
function amount(value: number | string | null | undefined): number | undefined {
  return typeof value === 'string' ? (readSize(value) ?? toldCount(value)) : toldCount(value)
}

function lengthOf(value: z.output<typeof listed>): number | undefined {
  return Array.isArray(value) ? value.length : toldCount(value)
}

function toHit(item: unknown): SearchHit[] {
  if (!isRecord(item)) return []
  const { id } = item
  // One site writes them beside the number.
  const attributes = isRecord(item['attributes']) ? item['attributes'] : item
  const { name, size, seeders, leechers, times_completed, imdb_id } = attributes
  if ((typeof id !== 'string' && typeof id !== 'number') || typeof name !== 'string') return []
  const uploadedAtUnix = readTime(textOf(attributes['created_at']), 0)
  const infoHash = textOf(attributes['info_hash'])
  const category = nameOf(attributes['category'])
  const link = textOf(attributes['download_link'])
  const imdb = toldCount(imdb_id) ?? 0
  return [
    {
      torrentId: String(id),
      title: plainText(name, siteTextCharactersMax),
      sizeBytes: typeof size === 'string' ? toldSize(readSize(size) ?? size) : toldSize(size),
      seeders: toldCount(seeders),
      leechers: toldCount(leechers),
      snatched: toldCount(times_completed),
      tags: [],
      discount: discountOf(attributes),
      hasHr: false,
      infoHash: /^[0-9a-f]{40}$/i.test(infoHash) ? infoHash.toLowerCase() : undefined,
      uploadedAtUnix,
      category: category === '' ? undefined : plainText(category, siteTextCharactersMax),
      imdbId: imdb === 0 ? undefined : `tt${String(imdb).padStart(7, '0')}`,
      downloadKey: link || undefined,
    },
  ]
}

/** A name, or what has it. */
function nameOf(value: unknown): string {
  return textOf(isRecord(value) ? value['name'] : value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A share, or as older versions have it whether all is let off. */
function percentOf(freeleech: unknown): number | undefined {
  if (isYes(freeleech)) return 100
  if (freeleech === false || freeleech === 'No') return 0
  const told = typeof freeleech === 'number' ? freeleech : Number.parseFloat(textOf(freeleech))
  return Number.isNaN(told) ? undefined : told
}

/** As versions have it: a flag, its number, or `Yes`. */
function isYes(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'Yes'
}

/** Undefined where a site leaves out what is let off, or says it in other words: one has no mark of it that is public. */
function discountOf({ freeleech, double_upload, featured }: JsonRecord): Discount | undefined {
  // What is featured is free and counts twice, whatever else is said of it.
  const isFeatured = isYes(featured)
  const doubled = isFeatured || isYes(double_upload)
  const percent = isFeatured ? 100 : percentOf(freeleech)
  if (percent === undefined) return undefined
  if (percent >= 100) return doubled ? '2XFREE' : 'FREE'
  // The interface knows what is paid, the site what is let off.
  if (percent >= 70) return 'PERCENT_30'
  if (percent >= 50) return doubled ? '2X50' : 'PERCENT_50'
  if (percent >= 30) return 'PERCENT_70'
  return doubled ? '2XUP' : 'NONE'
}
