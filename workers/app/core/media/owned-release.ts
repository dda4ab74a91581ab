import { coverage } from './choose-releases.ts'
import type { EpisodeStanding, Progress } from './progress.ts'
import { readReleaseName } from './release-name.ts'
import { type SearchedTitle, wishFor } from './subscription-search.ts'

/** Whether all that a release brings is there; undefined where it is another title, or nobody can say what it brings. */
export function isOwned(
  release: { readonly title: string; readonly subtitle?: string },
  title: SearchedTitle,
  has: { readonly progress: Progress; readonly episodes: readonly EpisodeStanding[] },
): boolean | undefined {
  const name = readReleaseName(release.title, release.subtitle)
  const covers = coverage(name, wishFor(title, has, []))
  if (covers === undefined) return undefined
  if (title.mediaType === 'movie') return has.progress.inLibrary > 0
  // A season that goes on brings nobody knows what, and so does an episode that nobody announced.
  const announced = name.episodes === undefined ? 1 : name.episodes.to - name.episodes.from + 1
  if (covers.length < announced) return undefined
  const there = new Set(has.episodes.filter(({ state }) => state === 'library').map(({ number }) => number))
  return covers.every((number) => there.has(number))
}
