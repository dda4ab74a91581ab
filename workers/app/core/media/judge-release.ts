/** Whether a release is what the owner's profile asks for, and how good it is. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { QualityRules } from './quality-profile.ts'
import type { ReleaseName, ReleaseQuality } from './release-name.ts'

/** A result of a search, as far as it is judged. */
export interface Candidate {
  readonly site: string
  readonly torrentId: string
  readonly title: string
  readonly subtitle?: string
  /** 0 when the site does not say. */
  readonly sizeBytes: number
  readonly seeders: number
  readonly isFree: boolean
  /** Of one that is free, where the site tells until when. */
  readonly freeEndAtUnix?: number
  readonly hasHr: boolean
}

/** Places in the profile's lists: the smaller, the better. */
export interface QualityRank {
  readonly resolution: number
  readonly source: number
}

export type ReleaseRefusal =
  | 'site'
  | 'leaked'
  | 'resolution'
  | 'source'
  | 'words'
  | 'size'
  | 'seeders'
  | 'not_free'
  | 'hit_and_run'

const gibBytes = 1024 ** 3

/** `parts` is how many episodes share the size; 1 for a film. */
export function judgeRelease(
  candidate: Candidate,
  name: ReleaseName,
  parts: number,
  profile: QualityRules,
): Result<QualityRank, ReleaseRefusal> {
  const { site, sizeBytes, seeders, isFree, freeEndAtUnix, hasHr } = candidate
  if (profile.sites.length > 0 && !profile.sites.includes(site)) return failWith('site')
  if (name.isLeaked) return failWith('leaked')
  const rank = rankOf(name.quality, profile)
  if (rank === undefined)
    return failWith(isListed(profile.resolutions, name.quality.resolution) ? 'source' : 'resolution')
  const text = `${candidate.title} ${candidate.subtitle ?? ''}`.normalize('NFKC').toLowerCase()
  const has = (word: string) => text.includes(word.normalize('NFKC').toLowerCase())
  if (!profile.requiredWords.every(has) || profile.refusedWords.some(has)) return failWith('words')
  const gib = sizeBytes / gibBytes / parts
  // A size that nobody tells is within no bounds.
  if (profile.minGib > 0 && gib < profile.minGib) return failWith('size')
  if (profile.maxGib > 0 && (sizeBytes === 0 || gib > profile.maxGib)) return failWith('size')
  if (seeders < profile.minSeeders) return failWith('seeders')
  const isFreeEnough = isFree && (freeEndAtUnix !== undefined || profile.unknownEnd === 'open')
  if (profile.freeOnly && !isFreeEnough) return failWith('not_free')
  if (profile.refuseHr && hasHr) return failWith('hit_and_run')
  return succeed(rank)
}

/** Undefined for what the profile does not take. */
export function rankOf(quality: ReleaseQuality, profile: QualityRules): QualityRank | undefined {
  const { resolution, source } = quality
  if (!isListed(profile.resolutions, resolution)) return undefined
  if (profile.sources.length > 0 && !isListed(profile.sources, source)) return undefined
  return {
    resolution: profile.resolutions.indexOf(resolution),
    source: isListed(profile.sources, source) ? profile.sources.indexOf(source) : 0,
  }
}

function isListed<T>(list: readonly T[], value: T | undefined): value is T {
  return value !== undefined && list.includes(value)
}

/** Below zero when the first is better. */
export function compareRanks(one: QualityRank, other: QualityRank): number {
  return one.resolution - other.resolution || one.source - other.source
}

/** Whether nothing better than this is asked for. */
export function isBestQuality(quality: ReleaseQuality, profile: QualityRules): boolean {
  const rank = rankOf(quality, profile)
  return rank !== undefined && rank.resolution === 0 && rank.source === 0
}
