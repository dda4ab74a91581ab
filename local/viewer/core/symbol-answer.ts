/** One symbol with everything around it. */

import type { CodeGraph } from '../../indexer/core/code-graph.ts'
import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import { impactOf } from '../../indexer/core/impact.ts'
import type { EdgeRow, NodeRow } from '../../indexer/core/rows.ts'
import { typeKinds } from '../../indexer/core/vocabulary.ts'
import type { NodeAnswer, NodeRef, OfIndex, Relation } from '../contract/wire.ts'
import {
  type Bundle,
  bundles,
  children,
  fansOf,
  hubCallers,
  nodeDetail,
  nodeRef,
  relationOf,
  shownOf,
} from './graph-shapes.ts'
import { hierarchyOf, overriddenBy } from './hierarchy.ts'
import { compareText } from './search.ts'

const incomingShown = 300
const outgoingShown = 200
const membersShown = 500
const testFilesNamed = 6
const outsideSamples = 40
const topFilesShown = 40
const testLookUpsMax = 64
const testHopsMax = 3
const blastHops = 3
const blastNodesMax = 20_000
const containerKinds = new Set([
  'class',
  'interface',
  'struct',
  'union',
  'trait',
  'protocol',
  'module',
  'enum',
  'namespace',
])

export type SymbolFromIndex = OfIndex<NodeAnswer>
type Member = SymbolFromIndex['members']['items'][number]

export function symbolAnswer(reader: GraphReader, node: NodeRow): SymbolFromIndex {
  const allIncoming = reader.incoming(node.n).filter((one) => one.source !== node.n || one.kind === 'calls')
  const allOutgoing = reader.outgoing(node.n)
  const { graph } = reader
  const byName = (left: Bundle, right: Bundle): number =>
    compareText(graph.nameOf(left.other), graph.nameOf(right.other))
  const outgoing = bundles(
    allOutgoing.filter((one) => !isTypeUse(reader, one)),
    'target',
  ).sort((left, right) => left.firstLine - right.firstLine || byName(left, right))
  const typesUsed = bundles(
    allOutgoing.filter((one) => isTypeUse(reader, one)),
    'target',
  ).sort(byName)
  const incoming = bundles(allIncoming, 'source').sort(incomingOrder(reader, node.file))
  const members = memberPlaces(reader, node)
  const outside = reader.unresolvedOf(node.n, node.n)
  const byKind: Record<string, number> = {}
  for (const one of outside) byKind[one.kind] = (byKind[one.kind] ?? 0) + 1
  return {
    node: nodeDetail(reader, node),
    ancestors: ancestorsOf(reader, node),
    members: shownOf(members, membersShown, (one) => memberOf(reader, one)),
    hierarchy: hierarchyOf(reader, node),
    incoming: shownOf(incoming, incomingShown, (one) => relationOf(reader, one)),
    outgoing: shownOf(outgoing, outgoingShown, (one) => withFanIn(reader, one)),
    typesUsed: typesUsed.slice(0, outgoingShown).map((one) => relationOf(reader, one)),
    counts: {
      callers: incoming.length,
      callees: outgoing.length,
      typesUsed: typesUsed.length,
      fanIn: allIncoming.length,
      fanOut: allOutgoing.length,
      members: members.length,
      hub: (graph.dependents[node.n] ?? 0) >= hubCallers,
    },
    tests: testsReaching(graph, node),
    outsideIndex: {
      total: outside.length,
      byKind,
      samples: outside.slice(0, outsideSamples).map(({ name, kind, line, col }) => ({ name, kind, line, col })),
    },
    blast: blastOf(graph, node, allIncoming),
  }
}

function isTypeUse(reader: GraphReader, edge: EdgeRow): boolean {
  return edge.kind === 'references' && typeKinds.has(reader.graph.kindOf(edge.target))
}

function withFanIn(reader: GraphReader, bundle: Bundle): Relation {
  const fanIn = reader.graph.dependents[bundle.other] ?? 0
  return { ...relationOf(reader, bundle), fanIn, hub: fanIn >= hubCallers }
}

function incomingOrder({ graph }: GraphReader, ownFile: number): (left: Bundle, right: Bundle) => number {
  const tier = (n: number): number => (graph.fileOf[n] === ownFile ? 0 : graph.fileOfNode(n).isNonProduction ? 2 : 1)
  return (left, right) =>
    tier(left.other) - tier(right.other) ||
    compareText(graph.fileOfNode(left.other).path, graph.fileOfNode(right.other).path) ||
    left.firstLine - right.firstLine
}

function ancestorsOf(reader: GraphReader, node: NodeRow): NodeRef[] {
  const found: NodeRef[] = []
  let at = node.parent
  while (at !== 0) {
    const parent = reader.node(at)
    found.unshift(nodeRef(reader, parent))
    at = parent.parent
  }
  return found
}

interface MemberPlace {
  readonly node: NodeRow
  readonly parent: NodeRow
  readonly depth: 1 | 2
}

function memberPlaces(reader: GraphReader, node: NodeRow): MemberPlace[] {
  if (node.kind === 'file') return []
  const inside = (parent: NodeRow, depth: 1 | 2): MemberPlace[] =>
    children(reader, parent)
      .sort((left, right) => left.line - right.line || left.col - right.col)
      .map((one) => ({ node: one, parent, depth }))
  return inside(node, 1).flatMap((one) => [one, ...(containerKinds.has(one.node.kind) ? inside(one.node, 2) : [])])
}

function memberOf(reader: GraphReader, { node, parent, depth }: MemberPlace): Member {
  const overrides = typeKinds.has(parent.kind) ? overriddenBy(reader, parent, node.name) : undefined
  return {
    ...nodeRef(reader, node),
    parentId: parent.id,
    depth,
    ...fansOf(reader.graph, node.n),
    ...(overrides === undefined ? {} : { overrides }),
  }
}

/** Test files that reach the symbol: those that use it directly, else through a few callers. */
function testsReaching(graph: CodeGraph, node: NodeRow): SymbolFromIndex['tests'] {
  const seen = new Set([node.n])
  let level = [node.n]
  let budget = testLookUpsMax
  for (let hop = 1; hop <= testHopsMax; hop += 1) {
    const files = new Set<string>()
    const next: number[] = []
    for (const n of level) {
      if (budget === 0)
        return { reached: false, hops: null, fileCount: 0, files: [], exhaustive: false, hopsSearched: hop - 1 }
      budget -= 1
      for (const edge of graph.incomingPlaces(n)) {
        const source = graph.edges.source[edge] ?? 0
        if (!graph.isCertain(edge) || seen.has(source)) continue
        seen.add(source)
        const file = graph.fileOfNode(source)
        if (file.isTest) files.add(file.path)
        else next.push(source)
      }
    }
    if (files.size > 0) {
      const names = [...files].sort()
      return {
        reached: true,
        hops: hop,
        fileCount: names.length,
        files: names.slice(0, testFilesNamed),
        exhaustive: true,
        hopsSearched: hop,
      }
    }
    level = next
  }
  return { reached: false, hops: null, fileCount: 0, files: [], exhaustive: true, hopsSearched: testHopsMax }
}

function blastOf(graph: CodeGraph, node: NodeRow, incoming: readonly EdgeRow[]): SymbolFromIndex['blast'] {
  if (node.kind === 'import' || node.kind === 'export') return null
  const reached = impactOf(graph, node.n, { hops: blastHops, nodesMax: blastNodesMax })
  const symbols = new Map<string, { symbols: number; test: boolean }>()
  let routes = 0
  for (const n of reached.nodes) {
    if (graph.kindOf(n) === 'route') routes += 1
    const file = graph.fileOfNode(n)
    const row = symbols.get(file.path)
    symbols.set(file.path, { symbols: (row?.symbols ?? 0) + 1, test: file.isTest })
  }
  const files = [...symbols].map(([file, row]) => ({ file, ...row }))
  files.sort((left, right) => right.symbols - left.symbols || compareText(left.file, right.file))
  return {
    direct: reached.nodes.filter((n) => reached.hops[n] === 1).length,
    withinHops: reached.nodes.length,
    hops: blastHops,
    files: files.length,
    testFiles: files.filter((one) => one.test).length,
    routes,
    uncertain: new Set(incoming.filter((one) => !one.isCertain).map((one) => one.source)).size,
    topFiles: files.slice(0, topFilesShown),
  }
}
