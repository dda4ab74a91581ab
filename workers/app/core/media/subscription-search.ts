/** What is asked of the sites for a subscription, what is wanted of their answers, and what is told of a search. */
import type { Covers, Reason, ReasonOf, SiteError } from '../reason/reason.ts'
import type { MediaType } from '../vocabulary.ts'
import type { WantedTitle, Wish } from './choose-releases.ts'
import { isBestQuality } from './judge-release.ts'
import { type EpisodeStanding, type Progress, spanOf } from './progress.ts'
import type { QualityRules } from './quality-profile.ts'
import type { ReleaseQuality } from './release-name.ts'
import type { NumberSpan } from './release-numbering.ts'
import type { ChoiceRefusal } from './release-refusal.ts'

export interface SearchedTitle {
  readonly mediaType: MediaType
  readonly season: number
  readonly title: string
  readonly originalTitle: string
  readonly searchTitle: string
  readonly year?: number
  readonly totalEpisodes: number
  readonly upgrade: boolean
}

/** A torrent that was taken for a subscription, as far as later searches go by it. */
export interface TakenTorrent {
  readonly key: string
  readonly status: 'downloading' | 'done' | 'failed' | 'replaced'
  /** Null for all of it. */
  readonly episode: number | null
  readonly episodeEnd: number | null
  readonly quality: ReleaseQuality
}

/** Asked one after another until one brings something: the name that sites use, narrowed down, and the local one. */
export function searchKeywords({ mediaType, season, searchTitle, title, year }: SearchedTitle): string[] {
  const narrow = mediaType === 'tv' ? `S${String(season).padStart(2, '0')}` : (year ?? '')
  return [...new Set([words(`${searchTitle} ${narrow}`), words(title)])].filter((keyword) => keyword !== '')
}

/** Sites look for words: signs between them are written in many ways. */
function words(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}']+/gu, ' ').trim()
}

export function wishFor(
  title: SearchedTitle,
  { progress, episodes }: { readonly progress: Progress; readonly episodes: readonly EpisodeStanding[] },
  torrents: readonly TakenTorrent[],
): Wish {
  const isFilm = title.mediaType === 'movie'
  const standing = isFilm
    ? [{ number: 1, state: progress.inLibrary > 0 ? ('library' as const) : ('missing' as const) }]
    : episodes
  const isOnItsWay = coveredBy(torrents.filter(({ status }) => status === 'downloading'))
  const present = torrents.filter(({ status }) => status === 'done')
  const improvable = new Map<number, ReleaseQuality>()
  for (const { number, state } of standing) {
    if (!title.upgrade || state !== 'library' || isOnItsWay(number)) continue
    // What came into the library otherwise is the owner's own choice.
    const torrent = present.findLast((one) => coveredBy([one])(number))
    if (torrent !== undefined) improvable.set(number, torrent.quality)
  }
  return {
    title: wantedTitle(title, episodes),
    episodes: standing.map(({ number }) => number),
    isOver: isFilm || (episodes.length >= title.totalEpisodes && episodes.every(({ state }) => state !== 'upcoming')),
    missing: progress.missing,
    improvable,
    taken: new Set(torrents.map(({ key }) => key)),
  }
}

function coveredBy(torrents: readonly TakenTorrent[]): (episode: number) => boolean {
  const spans = torrents.map(({ episode, episodeEnd }) => spanOf(episode, episodeEnd))
  return (episode) => spans.some(({ first, last }) => first <= episode && episode <= last)
}

function wantedTitle(title: SearchedTitle, episodes: readonly EpisodeStanding[]): WantedTitle {
  const { mediaType, season, year } = title
  const lastAired = Math.max(0, ...episodes.map(({ airDate }) => Number(airDate?.slice(0, 4) ?? 0)))
  const last = mediaType === 'movie' ? year : lastAired
  return {
    mediaType,
    names: [title.title, title.originalTitle, title.searchTitle],
    season,
    ...(year === undefined ? {} : { years: { from: year - 1, to: Math.max(year, last ?? year) + 1 } }),
  }
}

/** Whether nothing more is to be looked for, ever: all of it is there, and as good as the owner wants it. */
export function isAllThere(
  { upgrade }: Pick<SearchedTitle, 'upgrade'>,
  progress: Progress,
  torrents: readonly TakenTorrent[],
  profile: QualityRules,
): boolean {
  if (progress.total === 0 || progress.inLibrary < progress.total) return false
  return !upgrade || torrents.every(({ status, quality }) => status !== 'done' || isBestQuality(quality, profile))
}

/** Which episodes it brings; undefined for a film. */
export function coversOf(mediaType: MediaType, episodes: NumberSpan | undefined): Covers | undefined {
  if (mediaType === 'movie') return undefined
  return episodes === undefined ? 'season' : { from: episodes.from, to: episodes.to }
}

/** What it is and what came of it, as notices say it. */
export function newsOf(
  { mediaType, title, season }: Pick<SearchedTitle, 'mediaType' | 'title' | 'season'>,
  covers: Covers | undefined,
): { readonly subscription: Reason; readonly covers: Reason } {
  return {
    subscription: { kind: 'news.title', title, season: mediaType === 'movie' ? 0 : season },
    covers: { kind: 'news.covers', ...(covers === undefined ? {} : { covers }) },
  }
}

export interface SearchFindings {
  readonly pushes: ReasonOf<'subscription.told'>['pushes']
  readonly refusals: ReadonlyMap<ChoiceRefusal, number>
  /** Sites that could not be asked. */
  readonly errors: readonly SiteError[]
}

/** For the owner; the most frequent refusals first. */
export function searchReason({ pushes, refusals, errors }: SearchFindings): Reason {
  const refused = [...refusals].toSorted((one, other) => other[1] - one[1]).map(([why, count]) => ({ why, count }))
  return { kind: 'subscription.told', pushes, refused, sites: errors }
}
