/** Where to start reading: routes, files that run something, tests that reach far, and hubs. */
import { type GraphReader, inSourceOrder } from '../../indexer/core/rows.ts'
import { isCertain, type List, listOf, type NodeRef, nodeRef } from './graph-shapes.ts'
import { type RouteRow, routeRows } from './route-map.ts'
import { compareText } from './search.ts'
import { fileAt, nodeAt, type WholeGraph } from './whole-graph.ts'

const perFolderMax = 2
const filesScannedMax = 400

export interface EntryPoints {
  readonly routes: { readonly routed: boolean; readonly routeCount: number; readonly items: readonly RouteRow[] }
  readonly files: List<NodeRef & { readonly calls: number; readonly reaches: number; readonly dependents: number }>
  readonly tests: List<NodeRef & { readonly reaches: number; readonly refs: number }>
  readonly hubs: List<NodeRef & { readonly dependents: number; readonly uncertain: number }>
}

const notHubs = new Set(['file', 'import', 'export', 'parameter', 'route'])

export function entryPoints(
  reader: GraphReader,
  graph: WholeGraph,
  limit: number,
  routesLimit: number,
  routesMin: number,
): EntryPoints {
  const calls = new Map<number, Set<string>>()
  const reaches = new Map<number, Set<number>>()
  const references = new Map<number, number>()
  const uncertain = new Map<number, number>()
  for (const edge of graph.edges) {
    if (!isCertain(edge)) {
      uncertain.set(edge.target, (uncertain.get(edge.target) ?? 0) + 1)
      continue
    }
    const source = nodeAt(graph, edge.source)
    const file = source.file
    const targetFile = nodeAt(graph, edge.target).file
    if (targetFile !== file) {
      const reached = reaches.get(file) ?? new Set()
      reached.add(targetFile)
      reaches.set(file, reached)
      references.set(file, (references.get(file) ?? 0) + 1)
    }
    const isTop =
      source.kind === 'file' ||
      ((source.kind === 'constant' || source.kind === 'variable') && nodeAt(graph, source.parent).kind === 'file')
    if (isTop && (edge.kind === 'calls' || edge.kind === 'instantiates')) {
      const sites = calls.get(file) ?? new Set()
      sites.add(`${edge.line}:${edge.col}`)
      calls.set(file, sites)
    }
  }
  const { rows, total } = routeRows(reader)
  const routed = rows.length >= routesMin
  return {
    routes: { routed, routeCount: total, items: routed ? rows.slice(0, routesLimit) : [] },
    files: filesThatRun(reader, graph, calls, reaches, limit),
    tests: farTests(reader, graph, reaches, references, limit),
    hubs: hubs(reader, graph, uncertain, limit),
  }
}

function filesThatRun(
  reader: GraphReader,
  graph: WholeGraph,
  calls: ReadonlyMap<number, ReadonlySet<string>>,
  reaches: ReadonlyMap<number, ReadonlySet<number>>,
  limit: number,
): EntryPoints['files'] {
  const scored = [...calls]
    .map(([n, sites]) => ({ file: graph.files[n - 1], calls: sites.size, reaches: reaches.get(n)?.size ?? 0 }))
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
      ...nodeRef(reader, nodeAt(graph, one.file.firstNode)),
      calls: one.calls,
      reaches: one.reaches,
      dependents: graph.dependents[one.file.firstNode] ?? 0,
    })),
    limit,
  )
}

function farTests(
  reader: GraphReader,
  graph: WholeGraph,
  reaches: ReadonlyMap<number, ReadonlySet<number>>,
  references: ReadonlyMap<number, number>,
  limit: number,
): EntryPoints['tests'] {
  const rows = graph.files
    .filter((file) => file.isTest && (reaches.get(file.n)?.size ?? 0) > 0)
    .map((file) => ({ file, reaches: reaches.get(file.n)?.size ?? 0, refs: references.get(file.n) ?? 0 }))
    .sort(
      (left, right) =>
        right.reaches - left.reaches || right.refs - left.refs || compareText(left.file.path, right.file.path),
    )
  const shown = rows
    .slice(0, limit)
    .map((one) => ({ ...nodeRef(reader, nodeAt(graph, one.file.firstNode)), reaches: one.reaches, refs: one.refs }))
  return { total: rows.length, shown: shown.length, truncated: shown.length < rows.length, items: shown }
}

function hubs(
  reader: GraphReader,
  graph: WholeGraph,
  uncertain: ReadonlyMap<number, number>,
  limit: number,
): EntryPoints['hubs'] {
  const rows: { n: number; dependents: number }[] = []
  graph.dependents.forEach((dependents, n) => {
    if (dependents === 0 || n === 0) return
    const node = nodeAt(graph, n)
    if (notHubs.has(node.kind) || fileAt(graph, n).isNonProduction) return
    rows.push({ n, dependents })
  })
  rows.sort(
    (left, right) => right.dependents - left.dependents || inSourceOrder(nodeAt(graph, left.n), nodeAt(graph, right.n)),
  )
  const shown = rows.slice(0, limit).map((one) => ({
    ...nodeRef(reader, nodeAt(graph, one.n)),
    dependents: one.dependents,
    uncertain: uncertain.get(one.n) ?? 0,
  }))
  return { total: rows.length, shown: shown.length, truncated: shown.length < rows.length, items: shown }
}
