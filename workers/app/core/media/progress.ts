/** How much of a subscription there is already. */
import type { EpisodeState, MediaType } from '../vocabulary.ts'
import type { KnownEpisode } from './title-details.ts'

/** Episodes that something holds, both ends included. */
export interface EpisodeSpan {
  readonly first: number
  readonly last: number
}

/** Episodes on their way, and how far what brings them is: 0 to 100. */
export interface DownloadSpan extends EpisodeSpan {
  readonly percent: number
}

export interface Progress {
  readonly total: number
  /** Whose day has come. */
  readonly aired: number
  readonly inLibrary: number
  readonly downloading: number
  /** How far those are on average, 0 to 100. Left out where none is. */
  readonly downloadingPercent?: number
  /** Numbers of those that are out, and neither in the library nor on their way. */
  readonly missing: readonly number[]
}

export interface EpisodeStanding extends KnownEpisode {
  readonly state: EpisodeState
}

/** What has no episode is whole: a film, or all of a season. */
export function spanOf(episode: number | null, episodeEnd: number | null): EpisodeSpan {
  if (episode === null) return { first: 0, last: Number.MAX_SAFE_INTEGER }
  return { first: episode, last: episodeEnd ?? episode }
}

/**
 * Its episodes, of which a film has one. Of a film that nobody dates nothing says that it is not out; an episode
 * without a date is to come.
 */
export function episodesOf(
  { mediaType, releasedOn }: { readonly mediaType: MediaType; readonly releasedOn?: string },
  episodes: readonly KnownEpisode[],
  today: string,
): readonly KnownEpisode[] {
  return mediaType === 'movie' ? [{ number: 1, name: '', airDate: releasedOn ?? today }] : episodes
}

export function standingOf(
  episodes: readonly KnownEpisode[],
  held: readonly EpisodeSpan[],
  downloading: readonly EpisodeSpan[],
  today: string,
): EpisodeStanding[] {
  return episodes.map((episode) => {
    const isIn = (spans: readonly EpisodeSpan[]) =>
      spans.some(({ first, last }) => first <= episode.number && episode.number <= last)
    const state = isIn(held)
      ? 'library'
      : isIn(downloading)
        ? 'downloading'
        : hasAired(episode, today)
          ? 'missing'
          : 'upcoming'
    return { ...episode, state }
  })
}

/** `announced` may be more than are listed by now. */
export function progressOf(
  standing: readonly EpisodeStanding[],
  announced: number,
  today: string,
  downloads: readonly DownloadSpan[] = [],
): Progress {
  const inState = (state: EpisodeState) => standing.filter((episode) => episode.state === state)
  return {
    total: Math.max(announced, standing.length),
    aired: standing.filter((episode) => hasAired(episode, today)).length,
    inLibrary: inState('library').length,
    downloading: inState('downloading').length,
    ...downloadedOf(inState('downloading'), downloads),
    missing: inState('missing').map(({ number }) => number),
  }
}

/** Of two that bring the same the one that is further counts. */
function downloadedOf(
  episodes: readonly EpisodeStanding[],
  downloads: readonly DownloadSpan[],
): Pick<Progress, 'downloadingPercent'> {
  if (episodes.length === 0 || downloads.length === 0) return {}
  const percents = episodes.map(({ number }) =>
    Math.max(
      0,
      ...downloads.filter(({ first, last }) => first <= number && number <= last).map(({ percent }) => percent),
    ),
  )
  const mean = percents.reduce((sum, percent) => sum + percent, 0) / percents.length
  return { downloadingPercent: Math.round(mean * 10) / 10 }
}

function hasAired({ airDate }: KnownEpisode, today: string): boolean {
  return airDate !== undefined && airDate <= today
}
