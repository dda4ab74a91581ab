/** Why a profile refuses a release. */
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

/** Why a release was not taken: it is something else, the profile refuses it, or it brings nothing that is wanted. */
export type ChoiceRefusal = ReleaseRefusal | 'other_title' | 'not_wanted'
