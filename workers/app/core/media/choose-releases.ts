/** Which of the found releases are taken for what is wanted of a subscription. */

import { foldName } from './fold-name.ts'
import { type Candidate, compareRanks, judgeOf, type QualityRank, rankOf } from './judge-release.ts'
import type { QualityRules } from './quality-profile.ts'
import { type ReleaseName, type ReleaseQuality, readReleaseName } from './release-name.ts'
import type { NumberSpan } from './release-numbering.ts'
import type { ChoiceRefusal } from './release-refusal.ts'

export interface WantedTitle {
  readonly mediaType: 'movie' | 'tv'
  /** In every language that is known. */
  readonly names: readonly string[]
  /** 0 for a film. */
  readonly season: number
  /** A film's, or those in which the series was shown. Undefined where nobody knows. */
  readonly years?: NumberSpan
}

/** What is asked for of a title. A film is one episode, number 1. */
export interface Wish {
  readonly title: WantedTitle
  /** All episodes that are known. */
  readonly episodes: readonly number[]
  /** No episode is still to come: only then a pack of the season is one. */
  readonly isOver: boolean
  readonly missing: readonly number[]
  /** Episodes that are there, and may be had better; with what is there. */
  readonly improvable: ReadonlyMap<number, ReleaseQuality>
  /** Taken once, whatever became of it: `site torrentId`. */
  readonly taken: ReadonlySet<string>
}

export interface PickedRelease {
  readonly candidate: Candidate
  readonly quality: ReleaseQuality
  /** Absent for a film and for a season as a whole. */
  readonly episodes?: NumberSpan
  /** All there is of it. */
  readonly isComplete: boolean
  readonly isUpgrade: boolean
}

export interface Choice {
  readonly picks: readonly PickedRelease[]
  readonly refusals: ReadonlyMap<ChoiceRefusal, number>
}

interface Judged {
  readonly candidate: Candidate
  readonly name: ReleaseName
  readonly rank: QualityRank
  readonly covers: readonly number[]
  readonly isPack: boolean
}

/** Names of sites hold no space. */
export function takenKey({ site, torrentId }: Pick<Candidate, 'site' | 'torrentId'>): string {
  return `${site} ${torrentId}`
}

export function chooseReleases(
  wish: Wish,
  candidates: readonly Candidate[],
  profile: QualityRules,
  picksMax: number,
): Choice {
  const refusals = new Map<ChoiceRefusal, number>()
  const refuse = (why: ChoiceRefusal) => void refusals.set(why, (refusals.get(why) ?? 0) + 1)
  const judged: Judged[] = []
  const judgeRelease = judgeOf(profile)
  for (const candidate of candidates) {
    if (wish.taken.has(takenKey(candidate))) {
      refuse('not_wanted')
      continue
    }
    const name = readReleaseName(candidate.title, candidate.subtitle)
    const covers = coverage(name, wish)
    if (covers === undefined) {
      refuse('other_title')
      continue
    }
    const rank = judgeRelease(candidate, name, Math.max(1, covers.length))
    if (!rank.ok) refuse(rank.failure)
    else judged.push({ candidate, name, rank: rank.value, covers, isPack: isPack(name, wish.title) })
  }
  const picks = pickFrom(judged.sort(compareJudged), wish, profile, picksMax)
  for (let left = judged.length - picks.length; left > 0; left -= 1) refuse('not_wanted')
  return { picks, refusals }
}

/** Undefined when the release is another title, another season, or nobody can say. */
export function coverage(
  name: ReleaseName,
  { title, episodes, isOver }: Pick<Wish, 'title' | 'episodes' | 'isOver'>,
): number[] | undefined {
  const wanted = new Set(title.names.map(foldName).filter((one) => one !== ''))
  const isCalledSo = name.names.some((one) => wanted.has(one))
  const isCalledWithYear = name.nameWithYear !== undefined && wanted.has(name.nameWithYear)
  if (!isCalledSo && !isCalledWithYear) return undefined
  const isOfYear =
    title.years === undefined ||
    (name.year !== undefined && name.year >= title.years.from && name.year <= title.years.to)
  if (title.mediaType === 'movie') {
    // Without a year nobody can tell films of one name apart.
    if (name.seasons !== undefined || name.episodes !== undefined || name.year === undefined || !isOfYear)
      return undefined
    return [...episodes]
  }
  if (name.year !== undefined && !isCalledWithYear && !isOfYear) return undefined
  // Unnumbered is the first season; without any number it may be a film.
  if (name.seasons === undefined && name.episodes === undefined && !name.isComplete) return undefined
  const seasons = name.seasons ?? { from: 1, to: 1 }
  // Several seasons at once are more than was asked for.
  if (seasons.from !== title.season || seasons.to !== title.season) return undefined
  if (name.episodes === undefined) return isOver ? [...episodes] : []
  const { from, to } = name.episodes
  return episodes.filter((number) => number >= from && number <= to)
}

function isPack(name: ReleaseName, title: WantedTitle): boolean {
  return title.mediaType === 'tv' && name.episodes === undefined
}

/** The better quality first; then the freer, and the one that more people have. */
function compareJudged(one: Judged, other: Judged): number {
  return (
    compareRanks(one.rank, other.rank) ||
    Number(other.candidate.isFree) - Number(one.candidate.isFree) ||
    (other.candidate.seeders ?? 0) - (one.candidate.seeders ?? 0)
  )
}

function pickFrom(judged: readonly Judged[], wish: Wish, profile: QualityRules, picksMax: number): PickedRelease[] {
  const missing = new Set(wish.missing)
  const presentRanks = new Map([...wish.improvable].map(([number, quality]) => [number, rankOf(quality, profile)]))
  const isGain = ({ rank }: Judged, number: number) => {
    if (missing.has(number)) return true
    if (!presentRanks.has(number)) return false
    const present = presentRanks.get(number)
    return present === undefined || compareRanks(rank, present) < 0
  }
  /** What is fetched again without being better must not be the larger part. */
  const isWorthIt = (one: Judged) => {
    const gains = one.covers.filter((number) => isGain(one, number)).length
    return gains > 0 && gains * 2 >= one.covers.length
  }
  const picks: PickedRelease[] = []
  const covered = new Set<number>()
  const take = (one: Judged) => {
    for (const number of one.covers) covered.add(number)
    picks.push(toPick(one, missing))
  }
  const packs = judged.filter((one) => one.isPack)
  const wholeSeason = packs.find(isWorthIt)
  if (wholeSeason !== undefined) take(wholeSeason)
  for (const one of judged) {
    if (picks.length >= picksMax) break
    if (one.isPack || one.covers.some((number) => covered.has(number)) || !isWorthIt(one)) continue
    take(one)
  }
  // Old seasons exist as a whole only: better much again than nothing.
  const last = picks.length === 0 ? packs.find(({ covers }) => covers.some((number) => missing.has(number))) : undefined
  if (last !== undefined) take(last)
  return picks
}

function toPick({ candidate, name, covers }: Judged, missing: ReadonlySet<number>): PickedRelease {
  return {
    candidate,
    quality: name.quality,
    ...(name.episodes === undefined ? {} : { episodes: name.episodes }),
    isComplete: name.episodes === undefined,
    isUpgrade: !covers.some((number) => missing.has(number)),
  }
}
