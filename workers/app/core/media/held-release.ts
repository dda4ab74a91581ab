/** What a place holds of films and series, as the names of releases say it, and whether that is all another one brings. */
import { foldName } from './fold-name.ts'
import type { EpisodeSpan } from './progress.ts'
import { type ReleaseName, readReleaseName } from './release-name.ts'

/** Of a title that is known by its names: a film of a year, or episodes of a season. */
export interface HeldTitle {
  /** Folded. */
  readonly names: readonly string[]
  readonly year?: number | undefined
  /** Undefined for a film. */
  readonly season?: number | undefined
  readonly span: EpisodeSpan
  /** Of the release that it came of, folded. */
  readonly release?: string | undefined
}

const whole: EpisodeSpan = { first: 0, last: Number.MAX_SAFE_INTEGER }

/** More seasons than any series has are no numbers of seasons. */
const seasonsMax = 100

/** None where its name does not say what it brings. */
export function titlesIn(title: string, subtitle?: string): HeldTitle[] {
  const name = readReleaseName(title, subtitle)
  const names = namesOf(name)
  const told = { names, release: foldName(title), ...(name.year === undefined ? {} : { year: name.year }) }
  if (names.length === 0) return []
  if (name.seasons === undefined && name.episodes === undefined && !name.isComplete)
    // Without a year nobody can tell films of one name apart.
    return name.year === undefined ? [] : [{ ...told, span: whole }]
  const { from, to } = name.seasons ?? { from: 1, to: 1 }
  if (to - from >= seasonsMax) return []
  const span = name.episodes === undefined ? whole : { first: name.episodes.from, last: name.episodes.to }
  return Array.from({ length: to - from + 1 }, (_, at) => ({ ...told, season: from + at, span }))
}

/** All that it may be called by. */
export function namesOf({ names, nameWithYear }: Pick<ReleaseName, 'names' | 'nameWithYear'>): readonly string[] {
  return nameWithYear === undefined ? names : [...names, nameWithYear]
}

/**
 * Whether all that was asked for is among what is held. Undefined where nothing of that title is, and where a whole season
 * is asked for of which only episodes are there: how many it has nobody says.
 */
export function areHeld(wanted: readonly HeldTitle[], held: readonly HeldTitle[]): boolean | undefined {
  const same = held.filter((one) => wanted.some((title) => isSameTitle(title, one)))
  if (same.length === 0) return undefined
  let isAll = true
  for (const { season, span } of wanted) {
    const there = same.filter((one) => one.season === season).map((one) => one.span)
    if (isCovered(span, there)) continue
    if (span === whole && there.length > 0) return undefined
    isAll = false
  }
  return isAll
}

/** Something of what was asked for is there, though nobody can say whether all of it is. */
export function isPartThere(wanted: readonly HeldTitle[], held: readonly HeldTitle[]): boolean {
  return wanted.some((title) => held.some((one) => one.season === title.season && isSameTitle(title, one)))
}

/** A film is one of its year; of a series a year that is told may be another one's. */
function isSameTitle(one: HeldTitle, other: HeldTitle): boolean {
  if (!one.names.some((name) => other.names.includes(name))) return false
  if (one.season === undefined || other.season === undefined)
    return one.season === other.season && one.year === other.year
  return one.year === undefined || other.year === undefined || one.year === other.year
}

function isCovered({ first, last }: EpisodeSpan, spans: readonly EpisodeSpan[]): boolean {
  let next = first
  for (const span of [...spans].sort((one, other) => one.first - other.first)) {
    if (span.first > next) return false
    next = Math.max(next, span.last + 1)
    if (next > last) return true
  }
  return false
}
