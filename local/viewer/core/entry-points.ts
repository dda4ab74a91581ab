/** Where to start reading: routes, files that run something, tests that reach far, and hubs. */

import type { CodeGraph } from '../../indexer/core/code-graph.ts'
import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import type { EntryPointsAnswer, OfIndex } from '../contract/wire.ts'
import { listOf, nodeRef } from './graph-shapes.ts'
import { routeRows } from './route-map.ts'
import { compareText } from './search.ts'

const perFolderMax = 2
const filesScannedMax = 400

export type EntryPoints = Omit<OfIndex<EntryPointsAnswer>, 'frameworks'>

const notHubs = new Set(['file', 'import', 'export', 'parameter', 'route'])

/** `min`: fewer routes make no map of URLs. */
interface RoutesWanted {
  readonly limit: number
  readonly min: number
  readonly prefixes: ReadonlyMap<number, readonly string[]>
}

export function entryPoints(reader: GraphReader, limit: number, routesWanted: RoutesWanted): EntryPoints {
  const { graph } = reader
  const calls = new Map<number, Set<number>>()
  const reaches = new Map<number, Set<number>>()
  const references = new Map<number, number>()
  const uncertain = new Map<number, number>()
  const { source: sources, target: targets, line, col } = graph.edges
  for (let edge = 0; edge < sources.length; edge += 1) {
    const source = sources[edge] ?? 0
    const target = targets[edge] ?? 0
    if (!graph.isCertain(edge)) {
      uncertain.set(target, (uncertain.get(target) ?? 0) + 1)
      continue
    }
    const file = graph.fileOf[source] ?? 0
    const targetFile = graph.fileOf[target] ?? 0
    if (targetFile !== file) {
      setOf(reaches, file).add(targetFile)
      references.set(file, (references.get(file) ?? 0) + 1)
    }
    const kind = graph.edgeKindOf(edge)
    if ((kind === 'calls' || kind === 'instantiates') && isTopLevel(graph, source))
      setOf(calls, file).add((line[edge] ?? 0) * columnsMax + (col[edge] ?? 0))
  }
  const { rows, total } = routeRows(reader, routesWanted.prefixes)
  const routed = rows.length >= routesWanted.min
  return {
    routes: { routed, routeCount: total, items: routed ? rows.slice(0, routesWanted.limit) : [] },
    files: filesThatRun(reader, calls, reaches, limit),
    tests: farTests(reader, reaches, references, limit),
    hubs: hubs(reader, uncertain, limit),
  }
}

/** More than a line has columns: place and line make one number. */
const columnsMax = 2 ** 20

function setOf(sets: Map<number, Set<number>>, key: number): Set<number> {
  let found = sets.get(key)
  if (found === undefined) {
    found = new Set()
    sets.set(key, found)
  }
  return found
}

/** What runs when its file is loaded. */
function isTopLevel(graph: CodeGraph, n: number): boolean {
  const kind = graph.kindOf(n)
  return kind === 'file' || ((kind === 'constant' || kind === 'variable') && graph.kindOf(graph.parentOf(n)) === 'file')
}

function filesThatRun(
  reader: GraphReader,
  calls: ReadonlyMap<number, ReadonlySet<number>>,
  reaches: ReadonlyMap<number, ReadonlySet<number>>,
  limit: number,
): EntryPoints['files'] {
  const scored = [...calls]
    .map(([n, sites]) => ({ file: reader.graph.files[n - 1], calls: sites.size, reaches: reaches.get(n)?.size ?? 0 }))
    .flatMap((one) => (one.file === undefined || one.file.isNonProduction ? [] : [{ ...one, file: one.file }]))
    .sort(
      (left, right) =>
        right.calls * (1 + right.reaches) - left.calls * (1 + left.reaches) ||
        compareText(left.file.path, right.file.path),
    )
    .slice(0, filesScannedMax)
  const perFolder = new Map<string, number>()
  const kept = scored.filter((one) => {
    const folder = one.file.path.slice(0, Math.max(0, one.file.path.lastIndexOf('/')))
    const before = perFolder.get(folder) ?? 0
    perFolder.set(folder, before + 1)
    return before < perFolderMax
  })
  return listOf(
    kept.map((one) => ({
      ...nodeRef(reader, reader.node(one.file.firstNode)),
      calls: one.calls,
      reaches: one.reaches,
      dependents: reader.graph.dependents[one.file.firstNode] ?? 0,
    })),
    limit,
  )
}

function farTests(
  reader: GraphReader,
  reaches: ReadonlyMap<number, ReadonlySet<number>>,
  references: ReadonlyMap<number, number>,
  limit: number,
): EntryPoints['tests'] {
  const rows = reader.graph.files
    .filter((file) => file.isTest && (reaches.get(file.n)?.size ?? 0) > 0)
    .map((file) => ({ file, reaches: reaches.get(file.n)?.size ?? 0, refs: references.get(file.n) ?? 0 }))
    .sort(
      (left, right) =>
        right.reaches - left.reaches || right.refs - left.refs || compareText(left.file.path, right.file.path),
    )
  const shown = rows
    .slice(0, limit)
    .map((one) => ({ ...nodeRef(reader, reader.node(one.file.firstNode)), reaches: one.reaches, refs: one.refs }))
  return { total: rows.length, shown: shown.length, truncated: shown.length < rows.length, items: shown }
}

function hubs(reader: GraphReader, uncertain: ReadonlyMap<number, number>, limit: number): EntryPoints['hubs'] {
  const { graph } = reader
  const rows: { n: number; file: number; dependents: number }[] = []
  graph.dependents.forEach((dependents, n) => {
    if (dependents === 0 || notHubs.has(graph.kindOf(n)) || graph.fileOfNode(n).isNonProduction) return
    rows.push({ n, file: graph.fileOf[n] ?? 0, dependents })
  })
  rows.sort((left, right) => right.dependents - left.dependents || left.file - right.file || left.n - right.n)
  const shown = rows.slice(0, limit).map((one) => ({
    ...nodeRef(reader, reader.node(one.n)),
    dependents: one.dependents,
    uncertain: uncertain.get(one.n) ?? 0,
  }))
  return { total: rows.length, shown: shown.length, truncated: shown.length < rows.length, items: shown }
}
