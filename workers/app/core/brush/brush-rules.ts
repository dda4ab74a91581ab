import type { UnknownEnd } from '../vocabulary.ts'

/**
 * What the owner asks of a brush task, in the words in which it is sent and stored: the rules travel as one value from
 * the form to the decisions. What is left out is not asked for.
 */
export interface BrushRules {
  readonly pick: PickRules
  readonly bounds: BrushBounds
  readonly removal: RemovalRules
}

/** Which torrents of a site's newest list are taken; all that is asked must hold. */
export interface PickRules {
  readonly free_only: boolean
  readonly free_hours_min?: number | undefined
  /** Of a free torrent without a stated end; left out: it ends now. */
  readonly unknown_end?: UnknownEnd | undefined
  readonly size_gib_min?: number | undefined
  readonly size_gib_max?: number | undefined
  readonly seeders_max?: number | undefined
  readonly leechers_min?: number | undefined
  readonly age_hours_max?: number | undefined
  /** One that must be seeded for a time. */
  readonly refuse_hr: boolean
  /** In title or subtitle, in any case. */
  readonly refused_words: readonly string[]
}

/** What a task may hold at one time, and take in one run. */
export interface BrushBounds {
  readonly active_max: number
  readonly downloading_max: number
  readonly active_gib_max: number
  readonly new_per_run_max: number
}

/** When a torrent is removed with its files; one of them is enough. */
export interface RemovalRules {
  readonly seeding_hours?: number | undefined
  /** Uploaded, as a multiple of the torrent's size. */
  readonly ratio?: number | undefined
  readonly uploaded_gib?: number | undefined
  /** Seeding without any upload. */
  readonly idle_hours?: number | undefined
  /** It is not free any more and not complete: what it still downloads is billed. */
  readonly free_over: boolean
  /** Not complete after this long. */
  readonly incomplete_hours?: number | undefined
}
