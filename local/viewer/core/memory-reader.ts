/**
 * A published index held in memory for as long as it is the published one: walking the graph asks for thousands
 * of edges, and each would be a query. Texts and unresolved references stay in the file.
 */
import {
  type EdgeRow,
  type FileRow,
  type GraphReader,
  inSourceOrder,
  type NodeRow,
  type UnresolvedRow,
} from '../../indexer/core/rows.ts'
import { nodeAt, nodesInOrder, type WholeGraph } from './whole-graph.ts'

const noEdges: readonly EdgeRow[] = []

/** Edges by the node they start from or end in, made once for each published index. */
export interface Adjacency {
  readonly incoming: readonly (readonly EdgeRow[] | undefined)[]
  readonly outgoing: readonly (readonly EdgeRow[] | undefined)[]
  readonly byPath: ReadonlyMap<string, FileRow>
  readonly byName: ReadonlyMap<string, readonly NodeRow[]>
  /** Lower-case qualified name by node number. */
  readonly searchNames: readonly string[]
}

export function adjacencyOf(graph: WholeGraph): Adjacency {
  const incoming: EdgeRow[][] = []
  const outgoing: EdgeRow[][] = []
  for (const edge of graph.edges) {
    const to = incoming[edge.target]
    if (to === undefined) incoming[edge.target] = [edge]
    else to.push(edge)
    const from = outgoing[edge.source]
    if (from === undefined) outgoing[edge.source] = [edge]
    else from.push(edge)
  }
  const byName = new Map<string, NodeRow[]>()
  const searchNames: string[] = []
  for (const node of nodesInOrder(graph)) {
    searchNames[node.n] = node.qualifiedName.toLowerCase()
    const list = byName.get(node.name)
    if (list === undefined) byName.set(node.name, [node])
    else list.push(node)
  }
  return { incoming, outgoing, byPath: new Map(graph.files.map((file) => [file.path, file])), byName, searchNames }
}

export class MemoryReader implements GraphReader {
  readonly meta: ReadonlyMap<string, string>
  readonly #stored: GraphReader
  readonly #graph: WholeGraph
  readonly #adjacency: Adjacency

  constructor(stored: GraphReader, graph: WholeGraph, adjacency: Adjacency) {
    this.meta = stored.meta
    this.#stored = stored
    this.#graph = graph
    this.#adjacency = adjacency
  }

  files(): readonly FileRow[] {
    return this.#graph.files
  }

  file(n: number): FileRow {
    return this.#graph.files[n - 1] ?? this.#stored.file(n)
  }

  fileByPath(path: string): FileRow | undefined {
    return this.#adjacency.byPath.get(path)
  }

  node(n: number): NodeRow {
    return nodeAt(this.#graph, n)
  }

  nodeById(id: string): NodeRow | undefined {
    return this.#stored.nodeById(id)
  }

  nodesOf(file: FileRow): readonly NodeRow[] {
    return this.#graph.nodes.slice(file.firstNode, file.firstNode + file.nodeCount).filter((one) => one !== undefined)
  }

  nodesNamed(name: string): readonly NodeRow[] {
    return this.#adjacency.byName.get(name) ?? []
  }

  nodesContaining(text: string, limit: number): readonly NodeRow[] {
    const wanted = text.toLowerCase()
    const found: { node: NodeRow; isInName: boolean }[] = []
    this.#adjacency.searchNames.forEach((name, n) => {
      if (!name.includes(wanted)) return
      const node = nodeAt(this.#graph, n)
      found.push({ node, isInName: node.name.toLowerCase().includes(wanted) })
    })
    found.sort(
      (left, right) =>
        Number(right.isInName) - Number(left.isInName) ||
        left.node.name.length - right.node.name.length ||
        inSourceOrder(left.node, right.node),
    )
    return found.slice(0, limit).map((one) => one.node)
  }

  nodesAbout(words: readonly string[], limit: number): readonly NodeRow[] {
    return this.#stored.nodesAbout(words, limit)
  }

  allNodes(): Iterable<NodeRow> {
    return nodesInOrder(this.#graph)
  }

  incoming(n: number): readonly EdgeRow[] {
    return this.#adjacency.incoming[n] ?? noEdges
  }

  outgoing(n: number): readonly EdgeRow[] {
    return this.#adjacency.outgoing[n] ?? noEdges
  }

  allEdges(): readonly EdgeRow[] {
    return this.#graph.edges
  }

  unresolvedOf(first: number, last: number): readonly UnresolvedRow[] {
    return this.#stored.unresolvedOf(first, last)
  }

  unresolvedNames(): ReadonlySet<string> {
    return this.#stored.unresolvedNames()
  }

  unresolvedCount(): number {
    return this.#stored.unresolvedCount()
  }
}
