import type { Clock } from '#shared/kernel/clock.ts'
import { readProjectConfig } from '../indexer/files/project-config.ts'
import type { ProofBounds } from '../indexer/prove/watch-proof.ts'
import type { CheckedIndexes } from '../indexer/store/checked-indexes.ts'
import { type IndexPlace, isTooBroad } from '../indexer/store/index-folder.ts'
import { readCheck, readProofs } from '../indexer/store/proof-store.ts'
import { createBuiltPages } from '../pages/built-pages.ts'
import { createBackgroundProof } from './adapters/background-proof.ts'
import { createEventFeed } from './adapters/event-feed.ts'
import { isIndexedIn } from './adapters/indexed-paths.ts'
import { createLineHistories } from './adapters/line-histories.ts'
import { createProjectChanges } from './adapters/project-changes.ts'
import { createIndexAccess } from './adapters/published-index.ts'
import { createSourceFiles } from './adapters/source-files.ts'
import { createSyntaxClasses } from './adapters/syntax-classes.ts'
import { createTextSearch } from './adapters/text-search.ts'
import { watchIndexFolder, watchSourceFolders } from './adapters/watches.ts'
import { notFound } from './core/failure.ts'
import { once } from './core/once.ts'
import type { ViewerDeps } from './ports.ts'
import type { ReviewPorts } from './review.ts'
import { createSenses, type SensePorts, type Senses } from './senses.ts'

export interface ViewerSettings {
  readonly place: IndexPlace
  readonly isReadOnly: boolean
  /** Off when the owner's settings say so. */
  readonly isWatchWanted: boolean
  /** Bounds of the compiler that judges the index in the background; undefined: none does. Never where the viewer only reads. */
  readonly proof: Partial<ProofBounds> | undefined
  readonly pagesFolder: string
  /** Indexes that earlier starts found whole. */
  readonly checked: CheckedIndexes | undefined
  readonly clock: Clock
  readonly report: (message: string) => void
}

export function composeViewer(settings: ViewerSettings): ViewerDeps {
  const { place, clock } = settings
  const index = createIndexAccess(place, settings.checked)
  const mayWatch = (): boolean =>
    settings.isWatchWanted && readProjectConfig(place.root).isWatchEnabled && !isTooBroad(place.root)
  const background =
    settings.proof !== undefined && !settings.isReadOnly && !isTooBroad(place.root)
      ? createBackgroundProof({
          place,
          bounds: settings.proof,
          onTurn: () => events.tellProofs(),
          report: settings.report,
        })
      : undefined
  const events = createEventFeed({
    clock,
    index,
    watchSource: (onChange, onDegraded) =>
      mayWatch() ? watchSourceFolders(place, isIndexedIn(index), onChange, onDegraded) : undefined,
    watchIndex: (onSettled) => watchIndexFolder(place, onSettled),
    onIndexSeen: () => background?.look(),
  })
  return {
    clock,
    projectRoot: place.root,
    isReadOnly: settings.isReadOnly,
    index,
    sources: createSourceFiles(place.root),
    text: createTextSearch(place.root),
    changes: createProjectChanges(place),
    histories: createLineHistories(place.root, process.env['PATH'] ?? ''),
    proofs: () => ({
      files: () => readProofs(place),
      check: () => readCheck(place),
    }),
    syntax: createSyntaxClasses(),
    trails: once(async () => (await import('./adapters/trail-files.ts')).createTrailFiles(place)),
    background,
    events,
    pages: createBuiltPages(settings.pagesFolder),
    report: settings.report,
  }
}

/** For whoever asks once. */
export function composeReview(place: IndexPlace, checked: CheckedIndexes | undefined, within: string): ReviewPorts {
  return {
    index: createIndexAccess(place, checked),
    sources: createSourceFiles(place.root),
    changes: createProjectChanges(place, within),
  }
}

/** `find` is asked until there is an index: whoever starts this may start it before one is built. */
export function composeSenses(find: () => IndexPlace | undefined, checked: CheckedIndexes | undefined): Senses {
  let ports: SensePorts | undefined
  return createSenses(() => {
    if (ports === undefined) {
      const place = find()
      if (place === undefined) return notFound('this project has no index', 'run "indexer init" in the project')
      ports = {
        index: createIndexAccess(place, checked),
        sources: createSourceFiles(place.root),
        text: createTextSearch(place.root),
        changes: createProjectChanges(place),
      }
    }
    return { ok: true, value: ports }
  })
}
