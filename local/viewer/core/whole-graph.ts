/** The graph as arrays, for questions about all of it at once. Made once for each published index. */
import {
  DamagedIndexError,
  type EdgeRow,
  type FileRow,
  type GraphReader,
  type NodeRow,
} from '../../indexer/core/rows.ts'
import { isCertain } from './graph-shapes.ts'

export interface WholeGraph {
  readonly files: readonly FileRow[]
  /** By node number; place 0 is empty. */
  readonly nodes: readonly (NodeRow | undefined)[]
  readonly edges: readonly EdgeRow[]
  /** Distinct symbols that depend on a node over certain edges, by node number. */
  readonly dependents: Uint32Array
  readonly uncertainEdges: number
}

export function wholeGraph(reader: GraphReader): WholeGraph {
  const nodes: (NodeRow | undefined)[] = [undefined]
  for (const node of reader.allNodes()) nodes[node.n] = node
  const edges = reader.allEdges()
  const dependents = new Uint32Array(nodes.length)
  const pairs = new Set<number>()
  let uncertainEdges = 0
  for (const edge of edges) {
    if (!isCertain(edge)) {
      uncertainEdges += 1
      continue
    }
    if (edge.source === edge.target) continue
    const pair = edge.source * nodes.length + edge.target
    if (pairs.has(pair)) continue
    pairs.add(pair)
    dependents[edge.target] = (dependents[edge.target] ?? 0) + 1
  }
  return { files: reader.files(), nodes, edges, dependents, uncertainEdges }
}

export function* nodesInOrder(graph: WholeGraph): Iterable<NodeRow> {
  for (const file of graph.files)
    for (let n = file.firstNode; n < file.firstNode + file.nodeCount; n += 1) yield nodeAt(graph, n)
}

export function nodeAt(graph: WholeGraph, n: number): NodeRow {
  const node = graph.nodes[n]
  if (node === undefined) throw new DamagedIndexError(`the index names node ${n}, which it does not hold`)
  return node
}

export function fileAt(graph: WholeGraph, n: number): FileRow {
  const file = graph.files[nodeAt(graph, n).file - 1]
  if (file === undefined) throw new DamagedIndexError(`the index names a file that it does not hold`)
  return file
}
