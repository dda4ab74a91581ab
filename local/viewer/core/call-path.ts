/** How one symbol reaches another: the shortest chain of calls, and where the static graph stops. */
import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import { type EdgeRow, inSourceOrder, type NodeRow } from '../../indexer/core/rows.ts'

export const pathNodesMax = 12
const visitedMax = 12_000
const callKinds = new Set(['calls', 'instantiates', 'navigates'])

export interface PathStep {
  readonly node: NodeRow
  /** The edge that leads here from the step before; read against its direction when `upward`. */
  readonly edge: EdgeRow | undefined
  readonly upward: boolean
}

/** The shortest chain of certain calls, found from both ends. */
export function shortestPath(reader: GraphReader, from: NodeRow, to: NodeRow): PathStep[] | undefined {
  const forward = new Map<number, EdgeRow | undefined>([[from.n, undefined]])
  const backward = new Map<number, EdgeRow | undefined>([[to.n, undefined]])
  let forwardEdge = [from.n]
  let backwardEdge = [to.n]
  for (let length = 1; length < pathNodesMax && forwardEdge.length > 0 && backwardEdge.length > 0; length += 1) {
    const isForward = forwardEdge.length <= backwardEdge.length
    const seen = isForward ? forward : backward
    const other = isForward ? backward : forward
    const next: number[] = []
    let meeting: number | undefined
    for (const n of isForward ? forwardEdge : backwardEdge) {
      const edges = (isForward ? reader.outgoing(n) : reader.incoming(n)).filter(
        (one) => callKinds.has(one.kind) && one.isCertain,
      )
      for (const edge of edges) {
        const neighbour = isForward ? edge.target : edge.source
        if (seen.has(neighbour)) continue
        seen.set(neighbour, edge)
        if (other.has(neighbour)) meeting = meeting === undefined ? neighbour : Math.min(meeting, neighbour)
        next.push(neighbour)
      }
    }
    if (meeting !== undefined) return assemble(reader, forward, backward, meeting)
    if (seen.size > visitedMax) return undefined
    if (isForward) forwardEdge = next
    else backwardEdge = next
  }
  return undefined
}

function assemble(
  reader: GraphReader,
  forward: ReadonlyMap<number, EdgeRow | undefined>,
  backward: ReadonlyMap<number, EdgeRow | undefined>,
  meeting: number,
): PathStep[] {
  const steps: PathStep[] = []
  let at = meeting
  for (let edge = forward.get(at); ; edge = forward.get(at)) {
    steps.unshift({ node: reader.node(at), edge, upward: false })
    if (edge === undefined) break
    at = edge.source
  }
  at = meeting
  for (let edge = backward.get(at); edge !== undefined; edge = backward.get(at)) {
    at = edge.target
    steps.push({ node: reader.node(at), edge, upward: false })
  }
  return steps
}

/** Recorded hops: the edge between neighbours is looked up, nothing is searched. */
export function recordedPath(
  reader: GraphReader,
  hops: readonly { readonly node: NodeRow; readonly direction: 's' | 'd' | 'u' }[],
): PathStep[] {
  return hops.map((hop, index) => {
    const before = hops[index - 1]
    if (before === undefined) return { node: hop.node, edge: undefined, upward: false }
    const between = (source: NodeRow, target: NodeRow): EdgeRow | undefined =>
      reader
        .outgoing(source.n)
        .filter((one) => one.target === target.n && one.kind !== 'imports')
        .sort(
          (left, right) =>
            Number(callKinds.has(right.kind)) - Number(callKinds.has(left.kind)) || left.line - right.line,
        )[0]
    const down = between(before.node, hop.node)
    const up = between(hop.node, before.node)
    const isUpward = hop.direction === 'u' ? up !== undefined : down === undefined && up !== undefined
    return { node: hop.node, edge: isUpward ? up : down, upward: isUpward }
  })
}

const chainNodesMax = 7
const chainSeedsMax = 8

/** The longest chain that connects symbols by name, with at most one unnamed symbol in between. */
export function longestChain(reader: GraphReader, named: readonly NodeRow[]): PathStep[] | undefined {
  const wanted = new Map(named.map((one) => [one.n, one]))
  let best: PathStep[] | undefined
  let visits = 0
  const extend = (path: PathStep[], used: ReadonlySet<number>, bridges: number): void => {
    const namedCount = path.filter((one) => wanted.has(one.node.n)).length
    const bestCount = best?.filter((one) => wanted.has(one.node.n)).length ?? 1
    const last = path.at(-1)
    if (last === undefined) return
    if (
      wanted.has(last.node.n) &&
      (namedCount > bestCount || (namedCount === bestCount && best !== undefined && path.length < best.length))
    )
      best = path
    if (path.length >= chainNodesMax || visits > 1500) return
    for (const edge of reader.outgoing(last.node.n)) {
      if (!callKinds.has(edge.kind) || !edge.isCertain || used.has(edge.target)) continue
      const isNamed = wanted.has(edge.target)
      if (!isNamed && (bridges > 0 || !wanted.has(last.node.n))) continue
      visits += 1
      extend(
        [...path, { node: reader.node(edge.target), edge, upward: false }],
        new Set([...used, edge.target]),
        bridges + (isNamed ? 0 : 1),
      )
    }
  }
  for (const seed of named.slice(0, chainSeedsMax))
    extend([{ node: seed, edge: undefined, upward: false }], new Set([seed.n]), 0)
  return best
}

const tokenCharsMin = 1
const tokensMax = 16

/** Names out of free text: identifiers, dotted or with `::`. */
export function nameTokens(text: string): string[] {
  const found: string[] = []
  for (const raw of text.split(/[\s,()[\]{}<>]+/)) {
    const token = raw.replace(/\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|php|cs|cc|cpp|hpp|[ch])$/i, '')
    if (
      token.length < tokenCharsMin ||
      !/^[\p{L}_$#][\p{L}\p{N}_$#]*(?:(?:\.|::)[\p{L}_$#][\p{L}\p{N}_$#]*)*$/u.test(token)
    )
      continue
    if (!found.includes(token)) found.push(token)
    if (found.length >= tokensMax) break
  }
  return found
}

const notOnPaths = new Set(['import', 'export', 'parameter', 'file'])

/** Definitions a token may mean, production first. */
export function definitionsOf(reader: GraphReader, token: string): NodeRow[] {
  const parts = token.split(/\.|::/)
  const last = parts.at(-1) ?? token
  const tail = parts.join('::')
  return reader
    .nodesNamed(last)
    .filter((one) => !notOnPaths.has(one.kind))
    .filter((one) => parts.length === 1 || one.qualifiedName === tail || one.qualifiedName.endsWith(`::${tail}`))
    .sort(
      (left, right) =>
        Number(reader.file(left.file).isNonProduction) - Number(reader.file(right.file).isNonProduction) ||
        inSourceOrder(left, right),
    )
}
