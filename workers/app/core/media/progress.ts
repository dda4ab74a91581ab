/** How much of a subscription there is already. */
import type { EpisodeState, MediaType } from '../vocabulary.ts'
import type { KnownEpisode } from './title-details.ts'

/** Episodes that something holds, both ends included. */
export interface EpisodeSpan {
  readonly first: number
  readonly last: number
}

export interface Progress {
  readonly total: number
  /** Whose day has come. */
  readonly aired: number
  readonly inLibrary: number
  readonly downloading: number
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
export function progressOf(standing: readonly EpisodeStanding[], announced: number, today: string): Progress {
  const inState = (state: EpisodeState) => standing.filter((episode) => episode.state === state)
  return {
    total: Math.max(announced, standing.length),
    aired: standing.filter((episode) => hasAired(episode, today)).length,
    inLibrary: inState('library').length,
    downloading: inState('downloading').length,
    missing: inState('missing').map(({ number }) => number),
  }
}

function hasAired({ airDate }: KnownEpisode, today: string): boolean {
  return airDate !== undefined && airDate <= today
}
