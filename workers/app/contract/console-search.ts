/** The console's own search: the rows of each site as it answers. */
import { type ReleaseQuality, readReleaseName } from '../core/media/release-name.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { SearchHit, SiteTarget } from '../core/site.ts'
import { torrentPage } from '../core/torrent-page.ts'
import { declareRoute, type RouteDeclaration } from './route.ts'
import { search, type WireSearchItem } from './search.ts'

/** What a title says of picture and origin. */
export interface WireQuality {
  readonly resolution?: ReleaseQuality['resolution'] | undefined
  readonly source?: ReleaseQuality['source'] | undefined
  readonly codec?: ReleaseQuality['codec'] | undefined
  readonly hdr?: true | undefined
  readonly dolby_vision?: true | undefined
  readonly group?: string | undefined
}

export interface WireFoundTorrent extends WireSearchItem {
  readonly quality: WireQuality
  /** Where the site shows it to a person; left out where nobody knows, or the address would hold a key. */
  readonly page?: string | undefined
}

/** Each under its own name: `asked`, one of `found` and `failed` for each site that was asked, and `done`. */
export interface SearchEvents {
  readonly asked: { readonly sites: readonly string[] }
  /** `total` counts those too that are beyond the bound of all results. */
  readonly found: { readonly site: string; readonly total: number; readonly items: readonly WireFoundTorrent[] }
  readonly failed: { readonly site: string; readonly reason: Reason }
  readonly done: { readonly duration_ms: number }
}

export const streamSearch = declareRoute('session', 'post', '/search/events', {
  operationId: 'streamSearch',
  isTrial: true,
  summary: 'Search several sites at once, and have the rows of each as it answers',
  body: search.body,
  answers: { 200: 'file' },
})

export const consoleSearchDeclarations: readonly RouteDeclaration[] = [streamSearch]

/** What the console shows of a result beside what every caller gets. */
export function toFoundTorrent(site: Pick<SiteTarget, 'kind' | 'baseUrl'>, hit: SearchHit) {
  const { resolution, source, codec, isHdr, isDolbyVision, group } = readReleaseName(hit.title, hit.subtitle).quality
  return {
    quality: { resolution, source, codec, hdr: isHdr, dolby_vision: isDolbyVision, group },
    page: torrentPage(site, hit),
  } satisfies Omit<WireFoundTorrent, keyof WireSearchItem>
}
