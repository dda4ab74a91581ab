import { z } from '@hono/zod-openapi'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { SearchHit, SignInOutcome, SiteQuery, SiteReading, SiteSettings, SiteVisit } from '../../../core/site.ts'
import type { SiteFault } from '../../../core/site-fault.ts'
import { decimal, plainText, readSize, readTime, wholeBytes } from '../../../core/site-numbers.ts'
import type { Discount } from '../../../core/vocabulary.ts'
import { siteHitsMax, siteTextCharactersMax } from '../../../limits.ts'
import type { SiteDriver } from '../site-driver.ts'
import type { SiteHttp } from '../site-http.ts'
import { downloadTorrent } from '../torrent-download.ts'

const figure = z.union([z.number(), z.string()]).nullish()
const account = z.object({
  username: z.string().min(1),
  group: z.string().nullish(),
  uploaded: figure,
  downloaded: figure,
  ratio: figure,
  seeding: figure,
  leeching: figure,
  seedbonus: figure,
  hit_and_runs: figure,
})
const attributes = z.object({
  name: z.string(),
  size: figure,
  seeders: figure,
  leechers: figure,
  times_completed: figure,
  category: z.string().nullish(),
  created_at: z.string().nullish(),
  download_link: z.string().nullish(),
  info_hash: z.string().nullish(),
  freeleech: z.union([z.string(), z.number(), z.boolean()]).nullish(),
  double_upload: z.union([z.boolean(), z.number()]).nullish(),
  featured: z.union([z.boolean(), z.number()]).nullish(),
  imdb_id: figure,
})
const list = z.object({
  data: z.array(z.object({ id: z.union([z.number(), z.string()]), attributes: z.unknown().optional() })),
})

const noAccount: SiteFault = { kind: 'broken', part: 'account' }

/** Sites built on UNIT3D, through their JSON API. */
export class Unit3dDriver implements SiteDriver {
  readonly #settings: SiteSettings
  readonly #http: SiteHttp

  constructor(settings: SiteSettings, http: SiteHttp) {
    this.#settings = settings
    this.#http = http
  }

  async probe(signal: AbortSignal): Promise<Result<SiteVisit, SiteFault>> {
    const user = await this.#account(signal)
    return user.ok ? succeed({}) : user
  }

  async read(signal: AbortSignal): Promise<Result<SiteReading, SiteFault>> {
    const user = await this.#account(signal)
    if (!user.ok) return user
    const uploadedBytes = amount(user.value.uploaded)
    const downloadedBytes = amount(user.value.downloaded)
    return succeed({
      user: {
        username: plainText(user.value.username, siteTextCharactersMax),
        ...(user.value.group == null ? {} : { level: plainText(user.value.group, siteTextCharactersMax) }),
        uploadedBytes,
        downloadedBytes,
        ratio: Math.max(0, decimal(user.value.ratio)),
        bonus: decimal(user.value.seedbonus),
        seeding: wholeBytes(user.value.seeding),
        leeching: wholeBytes(user.value.leeching),
        unreadMessages: 0,
        ...(user.value.hit_and_runs == null ? {} : { hnrUnsatisfied: wholeBytes(user.value.hit_and_runs) }),
      },
    })
  }

  async search(query: SiteQuery, signal: AbortSignal): Promise<Result<SearchHit[], SiteFault>> {
    const parameters = new URLSearchParams({ name: query.keyword, perPage: '100' })
    for (const id of query.categoryIds) parameters.append('categories[]', id)
    if (query.freeOnly) parameters.append('free[]', '100')
    const answer = await this.#get(`api/torrents/filter?${parameters}`, signal)
    if (!answer.ok) return answer
    const parsed = list.safeParse(answer.value)
    if (!parsed.success) return failWith({ kind: 'broken', part: 'list' })
    const hits = parsed.data.data.slice(0, siteHitsMax).flatMap(({ id, attributes: raw }) => {
      const item = attributes.safeParse(raw)
      return item.success ? [toHit(String(id), item.data)] : []
    })
    // A list of which nothing can be read is another program's list.
    if (hits.length === 0 && parsed.data.data.length > 0) return failWith({ kind: 'broken', part: 'list' })
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
    const answer = await this.#get('api/user', signal)
    if (!answer.ok) return answer
    const parsed = account.safeParse(unwrapped(answer.value))
    return parsed.success ? succeed(parsed.data) : failWith(noAccount)
  }

  #get(path: string, signal: AbortSignal): Promise<Result<unknown, SiteFault>> {
    return this.#http.json({ path, headers: this.#headers() }, signal)
  }

  #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#settings.credentials.apiKey}` }
  }
}

/** Some versions put the account below `data`. */
function unwrapped(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'data' in value ? value.data : value
}

/** Current versions write amounts for people, older ones as bytes. */
function amount(value: number | string | null | undefined): number {
  return typeof value === 'string' ? (readSize(value) ?? wholeBytes(value)) : wholeBytes(value)
}

function toHit(torrentId: string, item: z.output<typeof attributes>): SearchHit {
  const uploadedAtUnix = readTime(item.created_at ?? '', 0)
  const infoHash = /^[0-9a-f]{40}$/i.test(item.info_hash ?? '') ? item.info_hash?.toLowerCase() : undefined
  const imdb = wholeBytes(item.imdb_id)
  return {
    torrentId,
    title: plainText(item.name, siteTextCharactersMax),
    sizeBytes: wholeBytes(item.size),
    seeders: wholeBytes(item.seeders),
    leechers: wholeBytes(item.leechers),
    snatched: wholeBytes(item.times_completed),
    tags: [],
    discount: discountOf(item),
    hasHr: false,
    ...(infoHash === undefined ? {} : { infoHash }),
    ...(uploadedAtUnix === undefined ? {} : { uploadedAtUnix }),
    ...(item.category == null ? {} : { category: plainText(item.category, siteTextCharactersMax) }),
    ...(imdb === 0 ? {} : { imdbId: `tt${String(imdb).padStart(7, '0')}` }),
    ...(item.download_link == null ? {} : { downloadKey: item.download_link }),
  }
}

function discountOf(item: z.output<typeof attributes>): Discount {
  const doubled = item.double_upload === true || item.double_upload === 1
  const percent =
    item.freeleech === true
      ? 100
      : Number.parseFloat(typeof item.freeleech === 'boolean' ? '0' : `${item.freeleech ?? 0}`)
  if (percent >= 100 || item.featured === true || item.featured === 1) return doubled ? '2XFREE' : 'FREE'
  // The interface knows what is paid, the site what is let off.
  if (percent >= 70) return 'PERCENT_30'
  if (percent >= 50) return doubled ? '2X50' : 'PERCENT_50'
  if (percent >= 30) return 'PERCENT_70'
  return doubled ? '2XUP' : 'NONE'
}
