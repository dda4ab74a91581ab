/** What a changed profile would have chosen of what turned up, for the subscriptions that use it, beside the present one. */
import { pushTo } from '#shared/kernel/push-to.ts'
import type { Candidate as PastCandidate } from '../rules/filter-rule.ts'
import { isFree } from '../site.ts'
import { chooseReleases, type PickedRelease, takenKey, type Wish } from './choose-releases.ts'
import { foldName } from './fold-name.ts'
import type { Candidate } from './judge-release.ts'
import type { EpisodeStanding, Progress } from './progress.ts'
import type { QualityRules } from './quality-profile.ts'
import { readReleaseName } from './release-name.ts'
import type { ChoiceRefusal } from './release-refusal.ts'
import { type SearchedTitle, wishFor } from './subscription-search.ts'

/** What turned up, by the names that releases say they have: each is read once, however many titles there are. */
interface NamedReleases {
  of(title: Pick<SearchedTitle, 'title' | 'originalTitle' | 'searchTitle'>): readonly Candidate[]
}

interface ProfileSubject {
  readonly title: SearchedTitle
  readonly progress: Progress
  readonly episodes: readonly EpisodeStanding[]
  readonly releases: readonly Candidate[]
}

export interface TriedRelease {
  readonly candidate: Candidate
  /** What the other profile has against it; left out where it prefers another one. */
  readonly against?: ChoiceRefusal
}

/** The same of the present and of the changed profile. */
export interface ProfileChoices {
  readonly stored: readonly TriedRelease[]
  readonly tried: readonly TriedRelease[]
}

export function byName(past: readonly PastCandidate[]): NamedReleases {
  const named = new Map<string, Candidate[]>()
  for (const one of past) {
    const { names, nameWithYear } = readReleaseName(one.title, one.subtitle)
    const candidate = toCandidate(one)
    for (const name of new Set([...names, ...(nameWithYear === undefined ? [] : [nameWithYear])]))
      pushTo(named, name, candidate)
  }
  return {
    of: ({ title, originalTitle, searchTitle }) => [
      ...new Set([title, originalTitle, searchTitle].flatMap((name) => named.get(foldName(name)) ?? [])),
    ],
  }
}

/** As if nothing of the title were there yet: what is there came of the present profile. */
export function tryProfile(
  subject: ProfileSubject,
  rules: { readonly stored: QualityRules; readonly tried: QualityRules },
  picksMax: number,
): ProfileChoices {
  const wish = wishOf(subject)
  const picksOf = (profile: QualityRules) => chooseReleases(wish, subject.releases, profile, picksMax).picks
  const stored = picksOf(rules.stored)
  const tried = picksOf(rules.tried)
  return {
    stored: stored.map((pick) => toldOf(pick, wish, rules.tried)),
    tried: tried.map((pick) => toldOf(pick, wish, rules.stored)),
  }
}

export function isSameChoice({ stored, tried }: ProfileChoices): boolean {
  const keys = (list: readonly TriedRelease[]) =>
    list
      .map(({ candidate }) => takenKey(candidate))
      .sort()
      .join()
  return keys(stored) === keys(tried)
}

function wishOf({ title, progress, episodes }: ProfileSubject): Wish {
  const wish = wishFor(title, { progress, episodes }, [])
  const aired = new Set(episodes.filter(({ state }) => state !== 'upcoming').map(({ number }) => number))
  const missing = title.mediaType === 'movie' ? wish.episodes : wish.episodes.filter((number) => aired.has(number))
  return { ...wish, missing, improvable: new Map() }
}

function toldOf({ candidate }: PickedRelease, wish: Wish, other: QualityRules): TriedRelease {
  const { picks, refusals } = chooseReleases(wish, [candidate], other, 1)
  const [against] = picks.length > 0 ? [] : refusals.keys()
  return against === undefined ? { candidate } : { candidate, against }
}

/** A promotion that nobody told is none. */
function toCandidate(past: PastCandidate): Candidate {
  const { site, torrentId, title, subtitle, sizeBytes, seeders, promotion, freeUntilUnix, hasHr = false } = past
  const isFreeOne = isFree(promotion)
  return {
    ...{ site, torrentId, title, subtitle, sizeBytes, seeders, isFree: isFreeOne, hasHr },
    ...(isFreeOne && freeUntilUnix !== undefined ? { freeEndAtUnix: freeUntilUnix } : {}),
  }
}
