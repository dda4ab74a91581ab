import type { CodeGraph } from './code-graph.ts'

const containerKinds = new Set(['class', 'interface', 'struct', 'union', 'trait', 'protocol', 'module', 'enum'])

export interface ImpactOptions {
  readonly hops: number
  /** Stop once this many symbols are reached. */
  readonly nodesMax: number
}

export interface Reach {
  /** Nearest first. */
  readonly nodes: readonly number[]
  /** Distance by node number, where the node is reached. */
  readonly hops: Uint8Array
}

/**
 * Every symbol that reaches this one over certain edges within some hops. What is inside a container counts as the
 * container.
 */
export function impactOf(graph: CodeGraph, start: number, options: ImpactOptions): Reach {
  const nodes: number[] = []
  const hops = new Uint8Array(graph.size)
  let frontier = [start, ...membersOf(graph, start)]
  const isOwn = new Uint8Array(graph.size)
  for (const n of frontier) isOwn[n] = 1
  for (let hop = 1; hop <= options.hops && frontier.length > 0; hop += 1) {
    const next: number[] = []
    for (const n of frontier) {
      for (const edge of graph.incomingPlaces(n)) {
        const source = graph.edges.source[edge] ?? 0
        if (hops[source] !== 0 || isOwn[source] !== 0 || !graph.isCertain(edge)) continue
        hops[source] = hop
        nodes.push(source)
        if (nodes.length >= options.nodesMax) return { nodes, hops }
        next.push(source)
        for (const member of membersOf(graph, source)) if (hops[member] === 0 && isOwn[member] === 0) next.push(member)
      }
    }
    frontier = next
  }
  return { nodes, hops }
}

const none: readonly number[] = []

/** Symbols inside a container, however deep: their dependents are dependents of the container. */
function membersOf(graph: CodeGraph, n: number): readonly number[] {
  if (!containerKinds.has(graph.kindOf(n))) return none
  const found = [...graph.childrenOf(n)]
  for (const one of found) found.push(...graph.childrenOf(one))
  return found
}
