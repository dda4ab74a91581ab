/**
 * Results as the text they leave as. Each site's object writes its own, and the answer to a search joins them unread:
 * thousands of small objects would be written and taken apart twice on their way otherwise.
 */

import type { SearchRows } from '../core/search-plan.ts'
import { isFree, type SearchHit } from '../core/site.ts'
import type { WireSearchItem } from './search.ts'

/** JSON text holds no line break of its own, so this stands between rows only. */
const separator = ',\n'

export function writeSearchRows(site: string, hits: readonly SearchHit[]): SearchRows {
  return { count: hits.length, text: hits.map((hit) => JSON.stringify(toWireItem(site, hit))).join(separator) }
}

/** The JSON of one array, of the first so many. */
export function joinSearchRows(rows: readonly SearchRows[], itemsMax: number): string {
  const text = rows
    .map((one) => one.text)
    .filter((one) => one !== '')
    .join(separator)
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  return `[${total <= itemsMax ? text : text.split(separator, itemsMax).join(separator)}]`
}

/** Field by field: what a result needs for its download never leaves. What is undefined is not written. */
export function toWireItem(site: string, hit: SearchHit): WireSearchItem {
  return {
    site,
    torrent_id: hit.torrentId,
    title: hit.title,
    subtitle: hit.subtitle,
    info_hash: hit.infoHash,
    size: hit.sizeBytes,
    seeders: hit.seeders,
    leechers: hit.leechers,
    snatched: hit.snatched,
    uploaded_at: hit.uploadedAtUnix,
    category: hit.category,
    tags: hit.tags.length === 0 ? undefined : [...hit.tags],
    discount: hit.discount,
    discount_end_at: hit.discountEndAtUnix,
    free: isFree(hit.discount),
    has_hr: hit.hasHr,
    imdb_id: hit.imdbId,
    douban_id: hit.doubanId,
  }
}
