import { impactOf } from '../../indexer/core/impact.ts'
import type { GraphReader } from '../../indexer/core/rows.ts'
import { uncertainBelow } from '../../indexer/core/vocabulary.ts'
import { hubCallers } from './graph-shapes.ts'
import { nodeAt, type WholeGraph } from './whole-graph.ts'

const sampledSymbols = 24
const scaleHops = 3
const scaleNodesMax = 20_000

export interface GraphCounts {
  readonly nodes: number
  readonly edges: number
  readonly files: number
  readonly nodesByKind: Readonly<Record<string, number>>
  readonly edgesByKind: Readonly<Record<string, number>>
  readonly filesByLanguage: Readonly<Record<string, number>>
}

export interface BlastScale {
  readonly maxDirect: number
  readonly maxWithinHops: number
  readonly hops: number
  readonly sampled: number
  readonly estimated: true
}

export const thresholds = { hub: hubCallers, uncertainBelow } as const

export function graphCounts(graph: WholeGraph): GraphCounts {
  const nodesByKind = tally(graph.nodes.flatMap((one) => (one === undefined ? [] : [one.kind])))
  const nodes = graph.nodes.length - 1
  // Containment is kept as each node's parent; it counts as an edge like any other.
  const contains = nodes - graph.files.length
  const edgesByKind = tally(graph.edges.map((one) => one.kind))
  return {
    nodes,
    edges: graph.edges.length + contains,
    files: graph.files.length,
    nodesByKind,
    edgesByKind: contains > 0 ? { contains, ...edgesByKind } : edgesByKind,
    filesByLanguage: tally(graph.files.map((one) => one.language)),
  }
}

function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

/** The measure of one symbol's blast: the largest among the most depended-on. A floor, not a ceiling. */
export function blastScale(reader: GraphReader, graph: WholeGraph): BlastScale {
  const ranked = [...graph.dependents.entries()]
    .filter(([n, count]) => n > 0 && count > 0 && nodeAt(graph, n).kind !== 'file')
    .sort((left, right) => right[1] - left[1] || left[0] - right[0])
    .slice(0, sampledSymbols)
  const reach = ranked.map(
    ([n]) => impactOf(reader, nodeAt(graph, n), { hops: scaleHops, nodesMax: scaleNodesMax }).size,
  )
  return {
    maxDirect: ranked[0]?.[1] ?? 0,
    maxWithinHops: Math.max(0, ...reach),
    hops: scaleHops,
    sampled: ranked.length,
    estimated: true,
  }
}
