/** Questions about the whole: counts, routes, places to start, the map, dead code, screens. */
import { Hono } from 'hono/tiny'
import { succeed } from '#shared/kernel/result.ts'
import type { GraphReader } from '../../../indexer/core/graph-reader.ts'
import type { FileRow } from '../../../indexer/core/rows.ts'
import { extractionVersion, uncertainBelow } from '../../../indexer/core/vocabulary.ts'
import type {
  DeadCodeAnswer,
  EntryPointsAnswer,
  MapAnswer,
  RoutesAnswer,
  ScreensAnswer,
  StatsAnswer,
} from '../../contract/wire.ts'
import { blastScale } from '../../core/blast-scale.ts'
import { deadCode, parseKinds } from '../../core/dead-code.ts'
import { entryPoints } from '../../core/entry-points.ts'
import type { Answer } from '../../core/failure.ts'
import { gapsOf } from '../../core/gaps.ts'
import { hubCallers } from '../../core/graph-shapes.ts'
import { moduleMap } from '../../core/module-map.ts'
import { flagParameter, integerParameter, textParameter } from '../../core/parameters.ts'
import { routesAnswer } from '../../core/route-map.ts'
import { modulePrefixes } from '../../core/urls/module-prefixes.ts'
import {
  deadCodeLimitMax,
  entryLimitDefault,
  entryLimitMax,
  entryRoutesDefault,
  entryRoutesMax,
  entryRoutesMin,
  gapsLimitDefault,
  gapsLimitMax,
  mapDepthMax,
  routesLimitDefault,
  routesLimitMax,
  routesLimitMin,
  routesMin,
  textCharsMax,
  urlBounds,
} from '../../limits.ts'
import type { OpenedIndex, ViewerDeps } from '../../ports.ts'
import { answerOfIndex, answerWith } from '../answer.ts'
import { parametersOf } from '../query.ts'
import { flatten } from './flatten.ts'

type Deps = Pick<ViewerDeps, 'index' | 'sources' | 'events' | 'projectRoot'>

export function overviewRoutes(deps: Deps): Hono {
  const router = new Hono()
  router.get('/api/stats', () => answerWith<StatsAnswer>(deps.index.use((index) => statsAnswer(deps, index))))
  router.get('/api/routes', (c) =>
    answerOfIndex<RoutesAnswer>(
      c,
      flatten(
        deps.index.use((index) => {
          const { reader, stamp, remember } = index
          const limit = integerParameter(parametersOf(c), 'limit', routesLimitMin, routesLimitMax)
          if (!limit.ok) return limit
          const count = limit.value ?? routesLimitDefault
          return succeed({
            body: remember(`routes ${count}`, () => routesAnswer(reader, count, routesMin, prefixesOf(deps, index)))
              .value,
            stamp,
          })
        }),
      ),
    ),
  )
  router.get('/api/entrypoints', (c) => {
    const started = performance.now()
    return answerWith<EntryPointsAnswer>(
      flatten(
        deps.index.use((index) => {
          const parameters = parametersOf(c)
          const limit = integerParameter(parameters, 'limit', 1, entryLimitMax)
          if (!limit.ok) return limit
          const routes = integerParameter(parameters, 'routes', entryRoutesMin, entryRoutesMax)
          if (!routes.ok) return routes
          const size = limit.value ?? entryLimitDefault
          const routesSize = routes.value ?? entryRoutesDefault
          const { value, cached } = index.remember(`entry ${size} ${routesSize}`, () =>
            entryPoints(index.reader, size, { limit: routesSize, min: routesMin, prefixes: prefixesOf(deps, index) }),
          )
          return succeed({
            frameworks: frameworksOf(index.reader),
            ...value,
            index: indexOf(index.reader),
            timing: timing(started, cached),
          })
        }),
      ),
    )
  })
  router.get('/api/gaps', (c) =>
    answerWith(
      flatten(
        deps.index.use(({ reader }) => {
          const limit = integerParameter(parametersOf(c), 'limit', 1, gapsLimitMax)
          if (!limit.ok) return limit
          return succeed({ ...gapsOf(reader, limit.value ?? gapsLimitDefault), index: indexOf(reader) })
        }),
      ),
    ),
  )
  router.get('/api/map', (c) => {
    const started = performance.now()
    return answerWith<MapAnswer>(
      flatten(
        deps.index.use((index) => {
          const parameters = parametersOf(c)
          const root = textParameter(parameters, 'root', textCharsMax)
          if (!root.ok) return root
          const depth = integerParameter(parameters, 'depth', 1, mapDepthMax)
          if (!depth.ok) return depth
          const production = flagParameter(parameters, 'production')
          if (!production.ok) return production
          const given = root.value === undefined || root.value.trim() === '' ? undefined : root.value
          const hasTests = !production.value
          const { value, cached } = index.remember(`map ${given ?? '\0'} ${depth.value ?? ''} ${hasTests}`, () =>
            moduleMap(index.reader.graph, given, depth.value, hasTests),
          )
          return succeed({
            ...value,
            index: { ...indexOf(index.reader), edges: index.reader.graph.edges.kind.length },
            timing: timing(started, cached),
          })
        }),
      ),
    )
  })
  router.get('/api/deadcode', (c) => {
    const started = performance.now()
    return answerWith(flatten(deps.index.use((index) => deadCodeAnswer(deps, index, parametersOf(c), started))))
  })
  router.get('/api/screens', () => {
    const started = performance.now()
    return answerWith<ScreensAnswer>(
      deps.index.use(({ reader }) => ({
        routed: false,
        entry: null,
        screens: [],
        origins: [],
        links: [],
        dropped: 0,
        index: indexOf(reader),
        timing: timing(started, false),
      })),
    )
  })
  return router
}

function deadCodeAnswer(
  deps: Deps,
  index: OpenedIndex,
  parameters: ReturnType<typeof parametersOf>,
  started: number,
): Answer<DeadCodeAnswer> {
  const limit = integerParameter(parameters, 'limit', 1, deadCodeLimitMax)
  if (!limit.ok) return limit
  const kindsText = textParameter(parameters, 'kinds', textCharsMax)
  if (!kindsText.ok) return kindsText
  const kinds = parseKinds(kindsText.value)
  if (!kinds.ok) return kinds
  const exported = flagParameter(parameters, 'exported')
  if (!exported.ok) return exported
  const tests = flagParameter(parameters, 'tests')
  if (!tests.ok) return tests
  const generated = flagParameter(parameters, 'generated')
  if (!generated.ok) return generated
  const options = {
    limit: limit.value ?? deadCodeLimitMax,
    kinds: kinds.value,
    includeExported: exported.value,
    includeTests: tests.value,
    includeGenerated: generated.value,
  }
  const { value, cached } = index.remember(`dead ${JSON.stringify(options)}`, () =>
    deadCode(index.reader, options, { of: textsOf(deps), others: () => deps.sources.others() }),
  )
  return succeed({ ...value, timing: timing(started, cached) })
}

const indexStates = ['complete', 'partial', 'failed', 'indexing'] as const

function statsAnswer(deps: Deps, index: OpenedIndex): StatsAnswer {
  const { reader } = index
  const meta = reader.meta
  const { files, generatedFiles, lastIndexedAt, nodes, edges, nodesByKind, edgesByKind, filesByLanguage } =
    reader.figures
  const blast = index.remember('blast scale', () => blastScale(reader.graph)).value
  return {
    project: { root: deps.projectRoot, name: deps.projectRoot.split(/[/\\]/).at(-1) ?? '' },
    index: {
      state: indexStates.find((state) => state === meta.get('index_state')) ?? null,
      lastIndexedAt,
      stale: false,
      version: meta.get('indexed_with_version') ?? null,
      extractionVersion,
      backend: 'node:sqlite',
      journalMode: 'delete',
      pendingReferences: reader.unresolvedCount(),
      generatedFiles,
      watching: deps.events.isWatching,
      watcherDegraded: deps.events.degraded,
    },
    graph: {
      ...{ nodes, edges, files, nodesByKind, edgesByKind, filesByLanguage },
      dbSizeBytes: index.sizeBytes,
      walSizeBytes: 0,
    },
    frameworks: frameworksOf(reader),
    thresholds: { hub: hubCallers, uncertainBelow },
    blastScale: { ...blast, estimated: true },
  }
}

/** What modules put before the URLs of the classes that answer them. */
function prefixesOf(deps: Deps, { reader, remember }: OpenedIndex): ReadonlyMap<number, readonly string[]> {
  return remember('module prefixes', () => modulePrefixes(reader, textsOf(deps), urlBounds)).value
}

function frameworksOf(reader: GraphReader): string[] {
  return JSON.parse(reader.meta.get('frameworks') ?? '[]') as string[]
}

/** Texts of files as they were indexed; undefined for one that is not so now, or cannot be read. */
export function textsOf({ sources }: Pick<Deps, 'sources'>): (file: FileRow) => string | undefined {
  return (file) => {
    const state = sources.read(file)
    return state.ok && 'text' in state.value ? state.value.text : undefined
  }
}

export function indexOf(reader: GraphReader): { readonly lastIndexedAt: number | null; readonly files: number } {
  const { lastIndexedAt, files } = reader.figures
  return { lastIndexedAt, files }
}

export function timing(started: number, cached: boolean): { readonly elapsedMs: number; readonly cached: boolean } {
  return { elapsedMs: Math.round(performance.now() - started), cached }
}
