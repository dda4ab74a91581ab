/**
 * Reads a site's feed. Its address holds the owner's key: it goes to its own host alone, through the site's proxy and as
 * the site's browser, without the account's cookie, and appears in no fault.
 */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { FeedEntry } from '../../core/feeds/feed-entry.ts'
import type { SiteProfile } from '../../core/site.ts'
import type { SiteFault } from '../../core/site-fault.ts'
import { feedBytesMax, feedItemsMax, siteCallMs } from '../../limits.ts'
import type { SiteRuntime } from '../sites/site-driver.ts'
import { SiteHttp, saidInstead } from '../sites/site-http.ts'
import { readFeedItem } from './feed-item.ts'
import { readFeed } from './read-feed.ts'

export interface FeedPlace {
  readonly address: string
  readonly profile: SiteProfile
  readonly proxy?: string | undefined
  /** What the last answer said of itself. */
  readonly etag: string
  readonly lastModified: string
}

export type FeedReading =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'entries'
      readonly entries: readonly FeedEntry[]
      readonly etag: string
      readonly lastModified: string
    }

/** A mark that is longer than any server makes it is left out, rather than sent back cut. */
const markCharactersMax = 256

export async function fetchFeed(place: FeedPlace, runtime: SiteRuntime): Promise<Result<FeedReading, SiteFault>> {
  const { origin } = new URL(place.address)
  const credentials = { cookie: '', apiKey: '', ...(place.proxy === undefined ? {} : { proxy: place.proxy }) }
  const http = new SiteHttp({ kind: 'torznab', baseUrl: origin, credentials, profile: place.profile }, runtime)
  const answer = await http.text(
    {
      path: place.address,
      bytesMax: feedBytesMax,
      headers: {
        accept: 'application/rss+xml, application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1',
        ...(place.etag === '' ? {} : { 'if-none-match': place.etag }),
        ...(place.lastModified === '' ? {} : { 'if-modified-since': place.lastModified }),
      },
    },
    AbortSignal.timeout(siteCallMs),
  )
  if (!answer.ok) {
    const { failure } = answer
    return failure.kind === 'status' && failure.status === 304 ? succeed({ kind: 'unchanged' }) : answer
  }
  const { text, headers } = answer.value
  const feed = readFeed(text)
  // A wrong key is answered with 200 and a word or a page: nothing that could be taken for an empty feed.
  if (!feed.isFeed) return failWith(isWrongKey(text) ? { kind: 'login_expired' } : saidInstead('xml', answer.value))
  const entries = new Map<string, FeedEntry>()
  for (const item of feed.items.slice(0, feedItemsMax)) {
    const entry = readFeedItem(item)
    if (entry !== undefined && !entries.has(entry.torrentId)) entries.set(entry.torrentId, entry)
  }
  return succeed({
    kind: 'entries',
    entries: [...entries.values()],
    etag: markOf(headers.get('etag')),
    lastModified: markOf(headers.get('last-modified')),
  })
}

function markOf(mark: string | null): string {
  return mark === null || mark.length > markCharactersMax ? '' : mark
}

/** nexusphp `torrentrss.php` at a514ed5 says this and no more, with status 200. */
function isWrongKey(text: string): boolean {
  return text.length < 200 && /passkey/i.test(text)
}
