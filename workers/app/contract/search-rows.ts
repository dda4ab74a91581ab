/**
 * Results as the bytes they leave as. Each site's object writes its own, and the answer to a search joins them unread:
 * thousands of small objects would be written and taken apart twice on their way otherwise.
 */

import { discountEndOf } from '../core/free-end.ts'
import { type SearchUntold, searchUntold } from '../core/search-figures.ts'
import type { SearchRows } from '../core/search-plan.ts'
import { isFree, type SearchHit } from '../core/site.ts'
import type { WireSearchItem } from './search.ts'

const utf8 = new TextEncoder()

/** `more` is what a row is told beside what every caller gets. */
export function writeSearchRows(
  site: string,
  hits: readonly SearchHit[],
  more?: (hit: SearchHit) => object,
): SearchRows {
  return rowsOf(hits.map((hit) => ({ ...toWireItem(site, hit), ...more?.(hit) })))
}

/** The rows of all sites in their order, parted by commas: the first so many. One part a site. */
export function joinSearchRows(sites: readonly SearchRows[], itemsMax: number): Uint8Array[] {
  const parts: Uint8Array[] = []
  let left = itemsMax
  for (const rows of sites) {
    const { count, json } = rows.count <= left ? rows : firstOf(rows, left)
    if (count === 0) continue
    parts.push(parts.length === 0 ? json.subarray(1) : json)
    left -= count
  }
  return parts
}

/** For those of us who choose among them. */
export function readSearchRows({ json }: SearchRows): readonly WireSearchItem[] {
  return JSON.parse(`[${new TextDecoder().decode(json.subarray(1))}]`) as readonly WireSearchItem[]
}

/** Only where a bound is reached is anything read again. */
function firstOf(rows: SearchRows, itemsMax: number): SearchRows {
  return rowsOf(readSearchRows(rows).slice(0, itemsMax))
}

function rowsOf(items: readonly unknown[]): SearchRows {
  return { count: items.length, json: utf8.encode(`,${JSON.stringify(items).slice(1, -1)}`) }
}

/** Most rows tell all of them. */
function untold({ sizeBytes, seeders, leechers, discount }: SearchHit): SearchUntold[] | undefined {
  if (sizeBytes !== undefined && seeders !== undefined && leechers !== undefined && discount !== undefined)
    return undefined
  const told = { size: sizeBytes, seeders, leechers, discount }
  return searchUntold.filter((name) => told[name] === undefined)
}

/** Field by field: what a result needs for its download never leaves. What is undefined is not written. */
export function toWireItem(site: string, hit: SearchHit): WireSearchItem {
  return {
    site,
    torrent_id: hit.torrentId,
    title: hit.title,
    subtitle: hit.subtitle,
    info_hash: hit.infoHash,
    size: hit.sizeBytes ?? 0,
    seeders: hit.seeders ?? 0,
    leechers: hit.leechers ?? 0,
    unknown: untold(hit),
    snatched: hit.snatched,
    uploaded_at: hit.uploadedAtUnix,
    category: hit.category,
    tags: hit.tags.length === 0 ? undefined : [...hit.tags],
    discount: hit.discount,
    discount_end_at: hit.discountEndAtUnix,
    discount_end:
      hit.discount === undefined || hit.discount === 'NONE' ? undefined : discountEndOf(hit.discountEndAtUnix),
    free: isFree(hit.discount),
    has_hr: hit.hasHr,
    imdb_id: hit.imdbId,
    douban_id: hit.doubanId,
  }
}
