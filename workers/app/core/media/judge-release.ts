/** Whether a release is what the owner's profile asks for, and how good it is. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type RuleCondition, theFree } from '../rules/filter-rule.ts'
import { judge, prepareRules } from '../rules/judge.ts'
import { Subject } from '../rules/subject.ts'
import type { QualityRules } from './quality-profile.ts'
import type { ReleaseName, ReleaseQuality } from './release-name.ts'
import type { ReleaseRefusal } from './release-refusal.ts'

/** A result of a search, as far as it is judged. */
export interface Candidate {
  readonly site: string
  readonly torrentId: string
  readonly title: string
  readonly subtitle?: string
  /** Undefined for what the site does not tell. */
  readonly sizeBytes: number | undefined
  readonly seeders: number | undefined
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

/** `parts` is how many episodes share the size; 1 for a film. */
export type ReleaseJudge = (
  candidate: Candidate,
  name: ReleaseName,
  parts: number,
) => Result<QualityRank, ReleaseRefusal>

/** A profile's bounds as one rule of the engine, in the order in which their refusals are told. */
export function judgeOf(profile: QualityRules): ReleaseJudge {
  const rules = prepareRules([{ id: 0, rule: { action: 'take', conditions: conditionsOf(profile) } }])
  return (candidate, name, parts) => {
    const { sizeBytes, isFree, freeEndAtUnix, subtitle = '', ...told } = candidate
    const isFreeEnough = isFree && (freeEndAtUnix !== undefined || profile.unknownEnd === 'open')
    const subject = new Subject(
      {
        ...told,
        feed: '',
        subtitle,
        // A size that nobody tells is within no bounds.
        sizeBytes: sizeBytes === undefined ? undefined : sizeBytes / parts,
        promotion: isFreeEnough ? 'FREE' : 'NONE',
      },
      0,
      { isLeaked: name.isLeaked, ...name.quality },
    )
    const { act, clauses } = judge(subject, rules, { mayWait: false })
    const rank = rankOf(name.quality, profile)
    if (act === 'take' && rank !== undefined) return succeed(rank)
    const against = clauses.find(({ state }) => state !== 'met')?.asked.field
    return failWith(refusals[against ?? ''] ?? 'resolution')
  }
}

const refusals: Readonly<Record<string, ReleaseRefusal>> = {
  site: 'site',
  leaked: 'leaked',
  resolution: 'resolution',
  source: 'source',
  title: 'words',
  size_gib: 'size',
  seeders: 'seeders',
  promotion: 'not_free',
  hit_and_run: 'hit_and_run',
}

function conditionsOf(profile: QualityRules): RuleCondition[] {
  const { sites, sources, requiredWords, refusedWords, minGib, maxGib } = profile
  const all: readonly (RuleCondition | false)[] = [
    sites.length > 0 && { field: 'site', op: 'is_any', value: sites },
    { field: 'leaked', op: 'is', value: false },
    { field: 'resolution', op: 'is_any', value: profile.resolutions },
    sources.length > 0 && { field: 'source', op: 'is_any', value: sources },
    requiredWords.length > 0 && { field: 'title', op: 'has_all', value: requiredWords },
    refusedWords.length > 0 && { field: 'title', op: 'has_none', value: refusedWords },
    minGib > 0 && { field: 'size_gib', op: 'at_least', value: minGib },
    maxGib > 0 && { field: 'size_gib', op: 'at_most', value: maxGib },
    profile.minSeeders > 0 && { field: 'seeders', op: 'at_least', value: profile.minSeeders },
    profile.freeOnly && { field: 'promotion', op: 'is_any', value: theFree },
    profile.refuseHr && { field: 'hit_and_run', op: 'is', value: false },
  ]
  return all.filter((one) => one !== false)
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
