import type { GraphReader, NodeRow } from './rows.ts'
import { uncertainBelow } from './vocabulary.ts'

const containerKinds = new Set(['class', 'interface', 'struct', 'union', 'trait', 'protocol', 'module', 'enum'])

export interface ImpactOptions {
  readonly hops: number
  /** Stop once this many symbols are reached. */
  readonly nodesMax: number
}

/**
 * Every symbol that reaches this one over certain edges within some hops, with its distance. What is inside a
 * container counts as the container.
 */
export function impactOf(reader: GraphReader, start: NodeRow, options: ImpactOptions): Map<number, number> {
  const reached = new Map<number, number>()
  const own = new Set<number>([start.n, ...membersOf(reader, start)])
  let frontier = [...own]
  for (let hop = 1; hop <= options.hops && frontier.length > 0; hop += 1) {
    const next: number[] = []
    for (const n of frontier) {
      for (const edge of reader.incoming(n)) {
        if (edge.confidence < uncertainBelow || own.has(edge.source) || reached.has(edge.source)) continue
        reached.set(edge.source, hop)
        if (reached.size >= options.nodesMax) return reached
        next.push(edge.source)
        for (const member of membersOf(reader, reader.node(edge.source))) {
          if (!reached.has(member) && !own.has(member)) next.push(member)
        }
      }
    }
    frontier = next
  }
  return reached
}

/** Symbols inside a container: their dependents are dependents of the container. */
function membersOf(reader: GraphReader, node: NodeRow): number[] {
  if (!containerKinds.has(node.kind)) return []
  const file = reader.file(node.file)
  const inside = new Set([node.n])
  const found: number[] = []
  for (const one of reader.nodesOf(file)) {
    if (one.n > node.n && inside.has(one.parent)) {
      inside.add(one.n)
      found.push(one.n)
    }
  }
  return found
}
