/**
 * Brings indexes up to date for the agent server, one after another, in a process of its own: what an index takes of memory
 * and time is bounded from outside, and a lock that is left behind has no living holder.
 */
import os from 'node:os'
import type { BuildStage } from './indexer/build/build-task.ts'
import { compileLess } from './indexer/build/compile-less.ts'
import type { IndexPlace } from './indexer/store/index-folder.ts'
import { type SyncOutcome, syncIndex } from './indexer/sync.ts'

export interface IndexOrder {
  readonly id: number
  readonly place: IndexPlace
  readonly version: string
}

export type IndexNews =
  | {
      readonly id: number
      readonly kind: 'progress'
      readonly stage: BuildStage
      readonly done: number
      readonly total: number
    }
  | { readonly id: number; readonly kind: SyncOutcome['kind'] }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string }

/** Whoever types on this machine goes first. */
os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)
compileLess()

const tell = (news: IndexNews): void => void process.send?.(news)

process.on('message', ({ id, place, version }: IndexOrder) => {
  syncIndex({
    place,
    isFull: false,
    nowMs: Date.now(),
    version,
    onProgress: (stage, done, total) => tell({ id, kind: 'progress', stage, done, total }),
  }).then(
    ({ kind }) => tell({ id, kind }),
    (error: unknown) => tell({ id, kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  )
})
// Nobody is left to ask for it; what was begun is left as it was.
process.on('disconnect', () => process.exit())
