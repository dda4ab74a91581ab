/** Which releases are wanted for a subscription. */
import type { OwnerLanguage, ReleaseSource, Resolution, UnknownEnd } from '../vocabulary.ts'

export interface QualityRules {
  /** The best first; others are not taken. */
  readonly resolutions: readonly Resolution[]
  /** The best first; empty for any. */
  readonly sources: readonly ReleaseSource[]
  /** In any case: all of the one have to be in a release's name, and none of the other. */
  readonly requiredWords: readonly string[]
  readonly refusedWords: readonly string[]
  /** Of a film or one episode; 0 for no bound. */
  readonly minGib: number
  readonly maxGib: number
  readonly minSeeders: number
  readonly freeOnly: boolean
  /** Of a free one without a stated end; left out: it ends now. */
  readonly unknownEnd?: UnknownEnd
  readonly refuseHr: boolean
  /** Names; empty for all. */
  readonly sites: readonly string[]
}

export interface QualityProfile extends QualityRules {
  readonly id: number
  readonly name: string
  /** For subscriptions that name none. */
  readonly isDefault: boolean
}

/** What there is before the owner sets anything. */
export const builtInRules: QualityRules = {
  resolutions: ['1080p', '2160p', '720p'],
  sources: [],
  requiredWords: [],
  refusedWords: [],
  minGib: 0,
  maxGib: 0,
  minSeeders: 0,
  freeOnly: false,
  refuseHr: false,
  sites: [],
}

export const builtInProfileName: Readonly<Record<OwnerLanguage, string>> = { zh: '默认', en: 'Default' }
