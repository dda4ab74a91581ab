import type { Listing } from '../files/list-files.ts'
import type { ProjectSettings } from '../resolve/modules.ts'
import type { FactsCache } from '../store/facts-cache.ts'
import type { IndexPlace } from '../store/index-folder.ts'
import type { IndexCounts } from '../store/index-meta.ts'
import type { IndexState } from '../store/index-state.ts'
import type { Changes } from './changes.ts'

export type BuildStage = 'listing' | 'reading' | 'resolving' | 'writing'

/** Everything that bringing an index up to date starts from. */
export interface BuildTask {
  readonly place: IndexPlace
  readonly listing: Listing
  readonly settings: ProjectSettings
  /** What the published index says of itself; undefined: there is none to build upon. */
  readonly state: IndexState | undefined
  readonly changes: Changes
  readonly cache: FactsCache
  readonly nowMs: number
  /** What the new index says of itself, beside what is counted in it. */
  readonly meta: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((stage: BuildStage, done: number, total: number) => void) | undefined
}

export type BuildOutcome =
  | {
      readonly kind: 'published'
      readonly counts: IndexCounts /** Files whose edges were made anew. */
      readonly linked: number
    }
  | { readonly kind: 'stopped' }

export function isStopped(task: BuildTask): boolean {
  return task.signal?.aborted === true
}
