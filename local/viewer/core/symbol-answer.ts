/** One symbol with everything around it. */
import { impactOf } from '../../indexer/core/impact.ts'
import type { EdgeRow, GraphReader, NodeRow } from '../../indexer/core/rows.ts'
import { typeKinds } from '../../indexer/core/vocabulary.ts'
import {
  children,
  dependentsOf,
  hubCallers,
  isCertain,
  type List,
  listOf,
  type NodeDetail,
  type NodeRef,
  nodeDetail,
  nodeRef,
  type Relation,
  relations,
} from './graph-shapes.ts'
import { type Hierarchy, hierarchyOf, type Override, overriddenBy } from './hierarchy.ts'
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

type Member = NodeRef & {
  readonly parentId: string
  readonly depth: 1 | 2
  readonly fanIn: number
  readonly fanOut: number
  readonly overrides?: Override
}

interface Blast {
  readonly direct: number
  readonly withinHops: number
  readonly hops: number
  readonly files: number
  readonly testFiles: number
  readonly routes: number
  readonly uncertain: number
  readonly topFiles: readonly { readonly file: string; readonly symbols: number; readonly test: boolean }[]
}

export interface SymbolAnswer {
  readonly node: NodeDetail
  readonly ancestors: readonly NodeRef[]
  readonly members: List<Member>
  readonly hierarchy: Hierarchy | null
  readonly incoming: List<Relation>
  readonly outgoing: List<Relation>
  readonly typesUsed: readonly Relation[]
  readonly counts: {
    readonly callers: number
    readonly callees: number
    readonly typesUsed: number
    readonly fanIn: number
    readonly fanOut: number
    readonly members: number
    readonly hub: boolean
  }
  readonly tests: TestReach
  readonly outsideIndex: {
    readonly total: number
    readonly byKind: Readonly<Record<string, number>>
    readonly samples: readonly {
      readonly name: string
      readonly kind: string
      readonly line: number
      readonly col: number
    }[]
  }
  readonly blast: Blast | null
}

interface TestReach {
  readonly reached: boolean
  readonly hops: number | null
  readonly fileCount: number
  readonly files: readonly string[]
  readonly exhaustive: boolean
  readonly hopsSearched: number
}

export function symbolAnswer(reader: GraphReader, node: NodeRow): SymbolAnswer {
  const allIncoming = reader.incoming(node.n).filter((one) => one.source !== node.n || one.kind === 'calls')
  const allOutgoing = reader.outgoing(node.n)
  const typeEdges = allOutgoing.filter((one) => isTypeUse(reader, one))
  const outgoing = relations(
    reader,
    allOutgoing.filter((one) => !isTypeUse(reader, one)),
    'target',
  )
    .map((one) => withFanIn(reader, one))
    .sort((left, right) => (left.lines[0] ?? 0) - (right.lines[0] ?? 0) || compareText(left.node.name, right.node.name))
  const typesUsed = relations(reader, typeEdges, 'target').sort((left, right) =>
    compareText(left.node.name, right.node.name),
  )
  const incoming = relations(reader, allIncoming, 'source').sort(incomingOrder(reader.file(node.file).path))
  const members = membersOf(reader, node)
  const outside = reader.unresolvedOf(node.n, node.n)
  const byKind: Record<string, number> = {}
  for (const one of outside) byKind[one.kind] = (byKind[one.kind] ?? 0) + 1
  const dependents = dependentsOf(reader, node.n)
  return {
    node: nodeDetail(reader, node),
    ancestors: ancestorsOf(reader, node),
    members: listOf(members, membersShown),
    hierarchy: hierarchyOf(reader, node),
    incoming: listOf(incoming, incomingShown),
    outgoing: listOf(outgoing, outgoingShown),
    typesUsed: typesUsed.slice(0, outgoingShown),
    counts: {
      callers: incoming.length,
      callees: outgoing.length,
      typesUsed: typesUsed.length,
      fanIn: allIncoming.length,
      fanOut: allOutgoing.length,
      members: members.length,
      hub: dependents.size >= hubCallers,
    },
    tests: testsReaching(reader, node),
    outsideIndex: {
      total: outside.length,
      byKind,
      samples: outside.slice(0, outsideSamples).map(({ name, kind, line, col }) => ({ name, kind, line, col })),
    },
    blast: blastOf(reader, node, allIncoming),
  }
}

function isTypeUse(reader: GraphReader, edge: EdgeRow): boolean {
  return edge.kind === 'references' && typeKinds.has(reader.node(edge.target).kind)
}

function withFanIn(reader: GraphReader, relation: Relation): Relation {
  const target = reader.nodeById(relation.node.id)
  if (target === undefined) return relation
  const fanIn = dependentsOf(reader, target.n).size
  return { ...relation, fanIn, hub: fanIn >= hubCallers }
}

function incomingOrder(ownFile: string): (left: Relation, right: Relation) => number {
  const tier = (one: Relation): number => (one.node.file === ownFile ? 0 : one.node.test ? 2 : 1)
  return (left, right) =>
    tier(left) - tier(right) ||
    compareText(left.node.file, right.node.file) ||
    (left.lines[0] ?? 0) - (right.lines[0] ?? 0)
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

function membersOf(reader: GraphReader, node: NodeRow): Member[] {
  if (node.kind === 'file') return []
  const member = (one: NodeRow, parent: NodeRow, depth: 1 | 2): Member => {
    const overrides = typeKinds.has(parent.kind) ? overriddenBy(reader, parent, one.name) : undefined
    return {
      ...nodeRef(reader, one),
      parentId: parent.id,
      depth,
      fanIn: reader.incoming(one.n).length,
      fanOut: reader.outgoing(one.n).length,
      ...(overrides === undefined ? {} : { overrides }),
    }
  }
  return children(reader, node)
    .sort((left, right) => left.line - right.line || left.col - right.col)
    .flatMap((one) => [
      member(one, node, 1),
      ...(containerKinds.has(one.kind)
        ? children(reader, one)
            .sort((left, right) => left.line - right.line || left.col - right.col)
            .map((inner) => member(inner, one, 2))
        : []),
    ])
}

/** Test files that reach the symbol: those that use it directly, else through a few callers. */
function testsReaching(reader: GraphReader, node: NodeRow): TestReach {
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
      for (const edge of reader.incoming(n)) {
        if (!isCertain(edge) || seen.has(edge.source)) continue
        seen.add(edge.source)
        const file = reader.file(reader.node(edge.source).file)
        if (file.isTest) files.add(file.path)
        else next.push(edge.source)
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

function blastOf(reader: GraphReader, node: NodeRow, incoming: readonly EdgeRow[]): Blast | null {
  if (node.kind === 'import' || node.kind === 'export') return null
  const reached = impactOf(reader, node, { hops: blastHops, nodesMax: blastNodesMax })
  const symbols = new Map<string, { symbols: number; test: boolean }>()
  let routes = 0
  for (const n of reached.keys()) {
    const one = reader.node(n)
    if (one.kind === 'route') routes += 1
    const file = reader.file(one.file)
    const row = symbols.get(file.path)
    symbols.set(file.path, { symbols: (row?.symbols ?? 0) + 1, test: file.isTest })
  }
  const files = [...symbols].map(([file, row]) => ({ file, ...row }))
  files.sort((left, right) => right.symbols - left.symbols || compareText(left.file, right.file))
  return {
    direct: [...reached.values()].filter((hops) => hops === 1).length,
    withinHops: reached.size,
    hops: blastHops,
    files: files.length,
    testFiles: files.filter((one) => one.test).length,
    routes,
    uncertain: new Set(incoming.filter((one) => !isCertain(one)).map((one) => one.source)).size,
    topFiles: files.slice(0, topFilesShown),
  }
}
