/** A film, or one season of a series, as the metadata provider knows it. */
import type { MediaType, OwnerLanguage } from '../vocabulary.ts'

export interface KnownEpisode {
  readonly number: number
  /** Empty for none. */
  readonly name: string
  /** `YYYY-MM-DD`; absent while it is not known. */
  readonly airDate?: string
}

export interface TitleDetails {
  readonly mediaType: MediaType
  /** The provider's. */
  readonly tmdbId: number
  /** 0 for a film. */
  readonly season: number
  readonly title: string
  /** Empty for none. */
  readonly originalTitle: string
  /** The name that sites know it by: the English one where there is one. */
  readonly searchTitle: string
  readonly year?: number
  /** With the leading `/`. */
  readonly posterPath?: string
  /** Of a film its release, of a season its first episode. */
  readonly releasedOn?: string
  /** Of a film none. */
  readonly totalEpisodes: number
  readonly episodes: readonly KnownEpisode[]
}

/** Whose details are wanted; of a series season 0 stands for the latest as of `today`. */
export interface TitleDetailQuery {
  readonly mediaType: MediaType
  readonly tmdbId: number
  readonly season: number
  readonly today: string
}

/** What one answer in one language says of a title. */
export interface NamedTitle {
  readonly title: string
  readonly originalTitle: string
  readonly date?: string
  readonly posterPath?: string
}

export interface AnnouncedSeason {
  readonly number: number
  readonly airDate?: string
  readonly episodeCount: number
  readonly posterPath?: string
}

export interface NamedSeries extends NamedTitle {
  readonly seasons: readonly AnnouncedSeason[]
}

/** The wanted season; of those that began by today the latest, or the first that is to come. Specials are no season. */
export function chooseSeason(
  seasons: readonly AnnouncedSeason[],
  wanted: number,
  today: string,
): AnnouncedSeason | undefined {
  if (wanted > 0) return seasons.find(({ number }) => number === wanted)
  const regular = seasons.filter(({ number }) => number > 0).toSorted((a, b) => a.number - b.number)
  return regular.findLast(({ airDate }) => airDate !== undefined && airDate <= today) ?? regular[0]
}

/** The second language fills what the first, the owner's, leaves empty; sites call the title by its English name. */
export function filmDetails(
  tmdbId: number,
  owners: OwnerLanguage,
  first: NamedTitle,
  second: NamedTitle | undefined,
): TitleDetails {
  const { date, posterPath } = first
  return {
    mediaType: 'movie',
    tmdbId,
    season: 0,
    ...namesOf(owners, first, second),
    ...(date === undefined ? {} : { year: yearOf(date), releasedOn: date }),
    ...(posterPath === undefined ? {} : { posterPath }),
    totalEpisodes: 0,
    episodes: [],
  }
}

export function seasonDetails(
  tmdbId: number,
  owners: OwnerLanguage,
  season: AnnouncedSeason,
  series: readonly [NamedSeries, NamedSeries | undefined],
  episodes: readonly [readonly KnownEpisode[], readonly KnownEpisode[]],
): TitleDetails {
  const [first, second] = series
  const merged = mergeEpisodes(...episodes)
  const posterPath = season.posterPath ?? first.posterPath
  const releasedOn = earliest(merged) ?? season.airDate
  return {
    mediaType: 'tv',
    tmdbId,
    season: season.number,
    ...namesOf(owners, first, second),
    ...(first.date === undefined ? {} : { year: yearOf(first.date) }),
    ...(posterPath === undefined ? {} : { posterPath }),
    ...(releasedOn === undefined ? {} : { releasedOn }),
    // The list may lag behind the number that is announced.
    totalEpisodes: Math.max(season.episodeCount, merged.length),
    episodes: merged,
  }
}

/** Whether an episode lacks what the second language may have. */
export function hasNamelessEpisodes(episodes: readonly KnownEpisode[]): boolean {
  return episodes.some(({ name }) => name === '')
}

/** In their order, each once. */
function mergeEpisodes(first: readonly KnownEpisode[], second: readonly KnownEpisode[]): KnownEpisode[] {
  const others = new Map(second.map((episode) => [episode.number, episode]))
  const merged = new Map(
    first.map((episode) => [
      episode.number,
      episode.name === '' ? { ...episode, name: others.get(episode.number)?.name ?? '' } : episode,
    ]),
  )
  return [...merged.values()].toSorted((a, b) => a.number - b.number)
}

function namesOf(owners: OwnerLanguage, first: NamedTitle, second: NamedTitle | undefined) {
  const originalTitle = first.originalTitle || (second?.originalTitle ?? '')
  const title = first.title || second?.title || originalTitle
  return { title, originalTitle, searchTitle: (owners === 'en' ? first : second)?.title || originalTitle || title }
}

function earliest(episodes: readonly KnownEpisode[]): string | undefined {
  return episodes.flatMap(({ airDate }) => airDate ?? []).toSorted()[0]
}

function yearOf(date: string): number {
  return Number(date.slice(0, 4))
}
