/** Why a profile refuses a release. */
const releaseRefusals = [
  'site',
  'leaked',
  'resolution',
  'source',
  'words',
  'size',
  'seeders',
  'not_free',
  'hit_and_run',
] as const
export type ReleaseRefusal = (typeof releaseRefusals)[number]

/** Why a release was not taken: it is something else, the profile refuses it, or it brings nothing that is wanted. */
export const choiceRefusals = [...releaseRefusals, 'other_title', 'not_wanted'] as const
export type ChoiceRefusal = (typeof choiceRefusals)[number]
