/** The measure of one symbol's blast: the largest among the most depended-on. A floor, not a ceiling. */
import type { CodeGraph } from '../../indexer/core/code-graph.ts'
import { impactOf } from '../../indexer/core/impact.ts'

const sampledSymbols = 24
const scaleHops = 3
const scaleNodesMax = 20_000

export interface BlastScale {
  readonly maxDirect: number
  readonly maxWithinHops: number
  readonly hops: typeof scaleHops
  readonly sampled: number
}

export function blastScale(graph: CodeGraph): BlastScale {
  const { dependents, fileOf } = graph
  const count = (n: number): number => dependents[n] ?? 0
  const ranked: number[] = []
  dependents.forEach((times, n) => {
    if (times > 0 && graph.kindOf(n) !== 'file') ranked.push(n)
  })
  ranked.sort((left, right) => count(right) - count(left) || (fileOf[left] ?? 0) - (fileOf[right] ?? 0) || left - right)
  const sampled = ranked.slice(0, sampledSymbols)
  const reach = sampled.map((n) => impactOf(graph, n, { hops: scaleHops, nodesMax: scaleNodesMax }).nodes.length)
  return {
    maxDirect: count(sampled[0] ?? 0),
    maxWithinHops: Math.max(0, ...reach),
    hops: scaleHops,
    sampled: sampled.length,
  }
}
