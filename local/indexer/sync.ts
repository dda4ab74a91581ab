/** Brings an index up to date with the files of its project: all of them, or those that changed. */
import { createHash } from 'node:crypto'
import { buildPatch } from './build/build-patch.ts'
import type { BuildStage, BuildTask } from './build/build-task.ts'
import { buildWhole } from './build/build-whole.ts'
import { findChanges } from './build/changes.ts'
import { filesLeftOut } from './core/left-out.ts'
import { listFiles } from './files/list-files.ts'
import { readProjectConfig } from './files/project-config.ts'
import { readProjectSettings } from './files/project-settings.ts'
import { settleCutChange } from './store/cut-change.ts'
import { FactsCache } from './store/facts-cache.ts'
import { createIndexFolder, type IndexPlace } from './store/index-folder.ts'
import type { IndexCounts } from './store/index-meta.ts'
import { readIndexState } from './store/index-state.ts'
import { takeLock } from './store/lock.ts'

export interface SyncReport extends IndexCounts {
  readonly added: number
  readonly changed: number
  readonly removed: number
  /** Files whose edges were made anew. */
  readonly linked: number
  readonly elapsedMs: number
  /** False when nothing had changed and the published index was left as it is. */
  readonly isPublished: boolean
}

export interface SyncOptions {
  readonly place: IndexPlace
  /** Reads every file again, whatever the index says. */
  readonly isFull: boolean
  readonly nowMs: number
  readonly version: string
  readonly onProgress?: (stage: BuildStage, done: number, total: number) => void
  readonly signal?: AbortSignal
}

export type SyncOutcome =
  | { readonly kind: 'done'; readonly report: SyncReport }
  | { readonly kind: 'locked'; readonly pid: number }
  | { readonly kind: 'stopped' }

export async function syncIndex(options: SyncOptions): Promise<SyncOutcome> {
  createIndexFolder(options.place)
  const lock = takeLock(options.place.lock)
  if (!('release' in lock)) return { kind: 'locked', pid: lock.pid }
  try {
    return await syncLocked(options)
  } finally {
    lock.release()
  }
}

async function syncLocked(options: SyncOptions): Promise<SyncOutcome> {
  const started = performance.now()
  const { place } = options
  options.onProgress?.('listing', 0, 0)
  settleCutChange(place.database)
  const config = readProjectConfig(place.root)
  const listing = listFiles(place.root, config.exclude)
  const { settings, hash: settingsHash } = readProjectSettings(place.root, listing.settings)
  const state = options.isFull ? undefined : readIndexState(place.database)
  const changes = findChanges(place.root, listing, state)
  const { added, changed, removed } = changes
  const report = (counts: IndexCounts, linked: number, isPublished: boolean): SyncOutcome => ({
    kind: 'done',
    report: {
      added,
      changed,
      removed,
      ...counts,
      linked,
      elapsedMs: Math.round(performance.now() - started),
      isPublished,
    },
  })
  const leftOutHash = createHash('sha256').update(JSON.stringify(changes.leftOut)).digest('hex')
  const isAsItWas = (key: string, value: string): boolean => state?.meta.get(key) === value
  if (
    added + changed + removed === 0 &&
    isAsItWas('settings_hash', settingsHash) &&
    isAsItWas('left_out_hash', leftOutHash) &&
    state !== undefined
  )
    return report(countsOf(state.meta, changes.files.length), 0, false)

  const cache = new FactsCache(place.cache)
  try {
    const task: BuildTask = {
      place,
      listing,
      settings,
      state,
      changes,
      cache,
      nowMs: options.nowMs,
      meta: {
        indexed_with_version: options.version,
        indexed_ms: String(options.nowMs),
        settings_hash: settingsHash,
        left_out: String(filesLeftOut(changes.leftOut)),
        left_out_hash: leftOutHash,
      },
      signal: options.signal,
      onProgress: options.onProgress,
    }
    const outcome = (await buildPatch(task)) ?? (await buildWhole(task))
    return outcome.kind === 'stopped' ? outcome : report(outcome.counts, outcome.linked, true)
  } finally {
    cache.close()
  }
}

function countsOf(meta: ReadonlyMap<string, string>, files: number): IndexCounts {
  const number = (key: string): number => Number(meta.get(key) ?? 0)
  return {
    files,
    lines: number('lines'),
    nodes: number('nodes'),
    edges: number('edges'),
    withErrors: number('with_errors'),
    givenUp: number('given_up'),
    leftOut: number('left_out'),
  }
}
