import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  discountOfFactors,
  type SearchHit,
  type SignInOutcome,
  type SiteQuery,
  type SiteReading,
  type SiteSettings,
  type SiteVisit,
} from '../../../core/site.ts'
import type { SiteFault } from '../../../core/site-fault.ts'
import { plainText, toldCount, toldNumber, toldSize } from '../../../core/site-numbers.ts'
import { shownPage } from '../../../core/torrent-page.ts'
import { pageAddressCharactersMax, siteHitsMax, siteTextCharactersMax } from '../../../limits.ts'
import { type FeedItem, publishedAt, readFeed } from '../../feeds/read-feed.ts'
import { rowIdentifier } from '../row-identifier.ts'
import type { SiteDriver } from '../site-driver.ts'
import { type SiteHttp, saidInstead } from '../site-http.ts'
import { downloadTorrent } from '../torrent-download.ts'

const noFeed: SiteFault = { kind: 'broken', part: 'xml' }

/** An indexer that speaks Torznab, as Jackett and Prowlarr do. It searches; it has no account to watch. */
export class TorznabDriver implements SiteDriver {
  readonly #settings: SiteSettings
  readonly #http: SiteHttp

  constructor(settings: SiteSettings, http: SiteHttp) {
    this.#settings = settings
    this.#http = http
  }

  /** The list of categories is given out without a key; a search for one row is not. */
  async probe(signal: AbortSignal): Promise<Result<SiteVisit, SiteFault>> {
    const rows = await this.#ask({ t: 'search', q: '', limit: '1' }, signal)
    return rows.ok ? succeed({}) : rows
  }

  async read(signal: AbortSignal): Promise<Result<SiteReading, SiteFault>> {
    return this.probe(signal)
  }

  async search(query: SiteQuery, signal: AbortSignal): Promise<Result<SearchHit[], SiteFault>> {
    const rows = await this.#ask(
      {
        t: 'search',
        q: query.keyword,
        ...(query.categoryIds.length === 0 ? {} : { cat: query.categoryIds.join(',') }),
        limit: '100',
        extended: '1',
      },
      signal,
    )
    if (!rows.ok) return rows
    const secrets = query.withPages ? [this.#settings.credentials.apiKey] : undefined
    const hits = rows.value.slice(0, siteHitsMax).flatMap((row) => toHit(row, secrets))
    return hits.length === 0 && rows.value.length > 0 ? failWith(noFeed) : succeed(hits)
  }

  async signIn(): Promise<Result<SignInOutcome, SiteFault>> {
    return failWith({ kind: 'unsupported' })
  }

  async download(_torrentId: string, downloadKey: string | undefined, signal: AbortSignal) {
    // The feed's link is the only way to the file, and it is known only while the search is remembered.
    if (downloadKey === undefined) return failWith<SiteFault>({ kind: 'broken', part: 'torrent' })
    return downloadTorrent(this.#http, { path: downloadKey }, signal)
  }

  async #ask(
    parameters: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Result<readonly FeedItem[], SiteFault>> {
    const query = new URLSearchParams({ ...parameters, apikey: this.#settings.credentials.apiKey })
    const path = this.#settings.profile.paths['search'] ?? 'api'
    const answer = await this.#http.text({ path: `${path}?${query}` }, signal)
    if (!answer.ok) return answer
    const { text } = answer.value
    const { error, isFeed, items } = readFeed(text)
    if (error !== undefined) return failWith(faultOf(error.code, error.description))
    if (!isFeed) return failWith(saidInstead('xml', answer.value))
    // Without its end the feed was cut on its way.
    if (!/<\/rss\s{0,3}>\s{0,64}$/i.test(text.slice(-256))) return failWith(noFeed)
    return succeed(items)
  }
}

/** 100 to 199 are about the account by the specification; the key is the account here. */
function faultOf(code: string, description: string): SiteFault {
  if (/^1[0-9]{2}$/.test(code) || /api ?key/i.test(description)) return { kind: 'login_expired' }
  return code === '500' || code === '501' || /limit/i.test(description) ? { kind: 'rate_limited' } : { kind: 'refused' }
}

function toHit({ texts, attributes, enclosure }: FeedItem, secrets: readonly string[] | undefined): SearchHit[] {
  const textOf = (name: string) => texts.get(name)?.trim() ?? ''
  const title = plainText(textOf('title'), siteTextCharactersMax)
  const link = enclosure?.url ?? textOf('link')
  const guid = textOf('guid')
  if (title === '' || (link === '' && guid === '')) return []
  const seeders = toldCount(attributes.get('seeders'))
  const infoHash = /^[0-9a-f]{40}$/i.exec(attributes.get('infohash') ?? '')?.[0].toLowerCase()
  const category = textOf('category')
  const imdb = /[0-9]{5,10}/.exec(attributes.get('imdbid') ?? attributes.get('imdb') ?? '')?.[0]
  return [
    {
      torrentId: rowIdentifier(guid === '' ? link : guid),
      title,
      sizeBytes: toldSize(textOf('size')) ?? toldSize(attributes.get('size')) ?? toldSize(enclosure?.length),
      seeders,
      leechers: leechersOf(attributes, seeders),
      snatched: toldCount(attributes.get('grabs')),
      uploadedAtUnix: publishedAt(textOf('pubDate')),
      category: category === '' ? undefined : plainText(category, siteTextCharactersMax),
      tags: [],
      discount: discountOfFactors(
        toldNumber(attributes.get('downloadvolumefactor')),
        toldNumber(attributes.get('uploadvolumefactor')),
      ),
      hasHr: attributes.has('minimumseedtime') || attributes.has('minimumratio'),
      infoHash,
      imdbId: imdb === undefined ? undefined : `tt${imdb.padStart(7, '0')}`,
      // The page with the comments is the torrent's own; where there is none, the row is often named by its page.
      pageUrl: secrets && shownPage(textOf('comments') || guid, secrets, pageAddressCharactersMax),
      downloadKey: link || undefined,
    },
  ]
}

/** All peers without those who have it all; fewer than these is a figure of another kind. */
function leechersOf(attributes: ReadonlyMap<string, string>, seeders: number | undefined): number | undefined {
  const told = toldCount(attributes.get('leechers'))
  const peers = toldCount(attributes.get('peers'))
  if (told !== undefined || peers === undefined || seeders === undefined) return told
  return peers < seeders ? undefined : peers - seeders
}
