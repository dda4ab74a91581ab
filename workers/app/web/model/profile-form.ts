/** What is written in the form of a quality profile, and what becomes of it. */
import type { QualityProfileBody, WireQualityProfile } from '../../contract/console-subscriptions.ts'
import {
  profileGibMax,
  profileNameCharactersMax,
  profileSeedersMax,
  profileWordCharactersMax,
  profileWordsMax,
  searchSitesMax,
} from '../../limits.ts'

type Resolution = WireQualityProfile['resolutions'][number]
type ReleaseSource = WireQualityProfile['sources'][number]

export interface ProfileDraft {
  readonly name: string
  readonly isDefault: boolean
  readonly resolutions: readonly Resolution[]
  readonly sources: readonly ReleaseSource[]
  /** One a line. */
  readonly required: string
  readonly refused: string
  /** As it is typed. */
  readonly minGib: string
  readonly maxGib: string
  readonly minSeeders: string
  readonly freeOnly: boolean
  /** Whether a free one without a stated end counts as free without one. */
  readonly openEnds: boolean
  readonly refuseHr: boolean
  readonly sites: readonly string[]
}

/** What is wrong, by field. */
export type ProfileFault =
  | 'name'
  | 'resolutions'
  | 'required'
  | 'refused'
  | 'minGib'
  | 'maxGib'
  | 'gibOrder'
  | 'minSeeders'
  | 'sites'

export function profileDraftOf(stored: WireQualityProfile | undefined): ProfileDraft {
  const bound = (value: number | undefined) => (value === undefined || value === 0 ? '' : String(value))
  return {
    name: stored?.name ?? '',
    isDefault: stored?.default ?? false,
    resolutions: stored?.resolutions ?? ['1080p', '2160p', '720p'],
    sources: stored?.sources ?? [],
    required: stored?.required_words.join('\n') ?? '',
    refused: stored?.refused_words.join('\n') ?? '',
    minGib: bound(stored?.min_gib),
    maxGib: bound(stored?.max_gib),
    minSeeders: bound(stored?.min_seeders),
    freeOnly: stored?.free_only ?? false,
    openEnds: stored?.unknown_end === 'open',
    refuseHr: stored?.refuse_hr ?? false,
    sites: stored?.sites ?? [],
  }
}

export function readProfile(draft: ProfileDraft): {
  readonly body: QualityProfileBody
  readonly faults: ReadonlySet<ProfileFault>
} {
  const body: QualityProfileBody = {
    name: draft.name.trim(),
    default: draft.isDefault,
    resolutions: [...draft.resolutions],
    sources: [...draft.sources],
    required_words: linesOf(draft.required),
    refused_words: linesOf(draft.refused),
    min_gib: readNumber(draft.minGib),
    max_gib: readNumber(draft.maxGib),
    min_seeders: readNumber(draft.minSeeders),
    free_only: draft.freeOnly,
    ...(draft.openEnds ? { unknown_end: 'open' as const } : {}),
    refuse_hr: draft.refuseHr,
    sites: [...draft.sites],
  }
  const hasTooMuch = (words: readonly string[]) =>
    words.length > profileWordsMax || words.some((word) => word.length > profileWordCharactersMax)
  const isGib = (value: number) => value >= 0 && value <= profileGibMax
  const wrong: Readonly<Record<ProfileFault, boolean>> = {
    name: body.name === '' || body.name.length > profileNameCharactersMax,
    resolutions: body.resolutions.length === 0,
    required: hasTooMuch(body.required_words),
    refused: hasTooMuch(body.refused_words),
    minGib: !isGib(body.min_gib),
    maxGib: !isGib(body.max_gib),
    gibOrder: body.max_gib > 0 && body.min_gib > body.max_gib,
    minSeeders: !(Number.isInteger(body.min_seeders) && body.min_seeders >= 0 && body.min_seeders <= profileSeedersMax),
    sites: body.sites.length > searchSitesMax,
  }
  return { body, faults: new Set((Object.keys(wrong) as ProfileFault[]).filter((field) => wrong[field])) }
}

/** With nothing of it changed but the mark. */
export function asDefault({ id: _, ...profile }: WireQualityProfile): QualityProfileBody {
  return { ...profile, default: true }
}

/** Of a list that begins with the best; what is at an end stays there. */
export function moved<T>(list: readonly T[], item: T, by: -1 | 1): readonly T[] {
  const at = list.indexOf(item)
  const to = at + by
  if (at < 0 || to < 0 || to >= list.length) return list
  return list.toSpliced(at, 1).toSpliced(to, 0, item)
}

/** Each once, in the order in which they are written. */
function linesOf(text: string): string[] {
  return [
    ...new Set(
      text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    ),
  ]
}

/** Nothing written is no bound; what is no number is NaN, which no bound admits. */
function readNumber(text: string): number {
  const written = text.trim()
  if (written === '') return 0
  return /^[0-9]+(?:\.[0-9]+)?$/.test(written) ? Number(written) : Number.NaN
}
