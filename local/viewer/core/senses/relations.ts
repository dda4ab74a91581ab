/** Who uses a symbol and what it uses: what is sure and what is guessed never in one list. */

import { declaredAbove } from '../../../indexer/core/change-reach.ts'
import type { GraphReader } from '../../../indexer/core/graph-reader.ts'
import type { EdgeRow, NodeRow, UnresolvedRow } from '../../../indexer/core/rows.ts'
import type { EdgeKind } from '../../../indexer/core/vocabulary.ts'
import { compareText } from '../search.ts'
import { aboutSymbol } from './about-symbol.ts'
import { type Evidence, labelOf } from './evidence.ts'
import type { Part } from './report.ts'

const callKinds: ReadonlySet<EdgeKind> = new Set(['calls', 'instantiates', 'navigates'])
export const wholeKinds: ReadonlySet<string> = new Set([
  'file',
  'module',
  'namespace',
  'class',
  'interface',
  'struct',
  'trait',
  'protocol',
  'enum',
  'union',
])

/** A symbol and, for what holds others, all that it holds. They are numbered one after another. */
export function withParts(reader: GraphReader, node: NodeRow): readonly number[] {
  const { graph } = reader
  const file = graph.fileOfNode(node.n)
  const found = [node.n]
  for (let n = node.n + 1; n < file.firstNode + file.nodeCount && graph.isInside(n, node.n); n += 1) found.push(n)
  return found
}

interface Uses {
  readonly certain: readonly EdgeRow[]
  readonly possible: readonly EdgeRow[]
  /** The compiler says that something else is called there. */
  readonly refuted: readonly EdgeRow[]
  /** Taken as a value, named as a type, extended, imported. */
  readonly others: readonly EdgeRow[]
  /** Calls of what this overrides, which may end here. */
  readonly above: readonly EdgeRow[]
  /** Calls of something of that name, nobody knows of what. */
  readonly unknown: readonly UnresolvedRow[]
}

const unknownMax = 500
const refutedTitle = 'Refuted by the compiler: something else is called there'
const namedByCalls = new Set([
  'function',
  'method',
  'class',
  'struct',
  'component',
  'constant',
  'variable',
  'field',
  'property',
])

export function usesOf(reader: GraphReader, node: NodeRow): Uses {
  const own = wholeKinds.has(node.kind) ? withParts(reader, node) : [node.n]
  const inside = new Set(own)
  const edges = own
    .flatMap((n) => reader.incoming(n))
    // What a whole does with its own parts is no use of it; a function that calls itself is one.
    .filter((one) => own.length === 1 || !inside.has(one.source))
    .sort(inUseOrder(reader))
  const calls = edges.filter((one) => callKinds.has(one.kind))
  const above = [...declaredAbove(reader.graph, node.parent, node.name)].filter((n) => n !== node.n)
  return {
    ...bySaid(calls),
    // Naming it in an import uses nothing of it yet.
    others: edges
      .filter((one) => !callKinds.has(one.kind))
      .sort((left, right) => Number(left.kind === 'imports') - Number(right.kind === 'imports')),
    above: above
      .flatMap((n) => reader.incoming(n))
      .filter((one) => callKinds.has(one.kind) && one.verdict !== 'refuted'),
    unknown: namedByCalls.has(node.kind)
      ? reader.unresolvedNamed(node.name, unknownMax).filter((one) => callKinds.has(one.kind))
      : [],
  }
}

/** A refuted edge is neither: the compiler says that something else is meant there. */
function bySaid(edges: readonly EdgeRow[]): Pick<Uses, 'certain' | 'possible' | 'refuted'> {
  const open = edges.filter((one) => !one.isCertain)
  return {
    certain: edges.filter((one) => one.isCertain),
    possible: open.filter((one) => one.verdict !== 'refuted'),
    refuted: open.filter((one) => one.verdict === 'refuted'),
  }
}

function inUseOrder(reader: GraphReader): (left: EdgeRow, right: EdgeRow) => number {
  const fileOf = (edge: EdgeRow) => reader.graph.fileOfNode(edge.source)
  return (left, right) =>
    Number(fileOf(left).isNonProduction) - Number(fileOf(right).isNonProduction) ||
    compareText(fileOf(left).path, fileOf(right).path) ||
    left.line - right.line ||
    left.col - right.col
}

function useParts(reader: GraphReader, node: NodeRow, evidence: Evidence): Part[] {
  const { certain, possible, refuted, others, above, unknown } = usesOf(reader, node)
  const through = (edge: EdgeRow): string =>
    edge.target === node.n ? '' : `, of ${reader.graph.qualifiedNameOf(edge.target)}`
  const rows = (edges: readonly EdgeRow[], about: (edge: EdgeRow) => string) =>
    edges.map((edge) => () => evidence.ofEdge(edge, edge.source, about(edge)))
  return [
    { title: 'Certain callers', rows: rows(certain, through) },
    { title: 'Possible callers, by a guess', rows: rows(possible, through) },
    { title: 'Possible callers, through what this overrides', rows: rows(above, through) },
    {
      title: 'Possible callers, by the name alone: nothing is known of what they call it on',
      rows: unknown.map((one) => () => evidence.ofUnknown(one)),
    },
    { title: refutedTitle, rows: rows(refuted, through) },
    { title: 'Other uses', rows: rows(others, (edge) => ` ${edge.kind}${through(edge)}`) },
  ]
}

export const callersTool = aboutSymbol({
  name: 'callers',
  description:
    'Who calls a symbol, each with file, line and the line itself; certain callers and possible ones apart, then other uses. For a class, of its members too.',
  report({ reader }, node, evidence) {
    const parts = useParts(reader, node, evidence)
    const none = parts.every((one) => one.rows.length === 0)
      ? ['Nothing in the index uses it. Code outside the project, or a call by name at run time, may.']
      : []
    return {
      head: [`Callers of ${labelOf(node)}`, evidence.ofNode(node), ...none],
      parts,
    }
  },
})

export const calleesTool = aboutSymbol({
  name: 'callees',
  description:
    'What a symbol calls, in the order of its text, each with the line of the call and where the target stands; certain and possible apart, and names that are outside the project.',
  report({ reader }, node, evidence) {
    const own = withParts(reader, node)
    const inside = new Set(own)
    const calls = own
      .flatMap((n) => reader.outgoing(n))
      .filter((one) => callKinds.has(one.kind) && (one.target === node.n || !inside.has(one.target)))
      .sort((left, right) => left.line - right.line || left.col - right.col)
    const { certain, possible, refuted } = bySaid(calls)
    const outside = own.length === 0 ? [] : reader.unresolvedOf(own[0] ?? 0, own.at(-1) ?? 0)
    const row = (edge: EdgeRow) => () => {
      const target = reader.node(edge.target)
      return evidence.ofEdge(edge, target.n, ` at ${reader.file(target.file).path}:${target.line}`)
    }
    return {
      head: [`What ${labelOf(node)} calls`, evidence.ofNode(node)],
      parts: [
        { title: 'Certain', rows: certain.map(row) },
        { title: 'Possible, by a guess', rows: possible.map(row) },
        { title: refutedTitle, rows: refuted.map(row) },
        {
          title: 'Outside the index, or not found',
          rows: outside
            .filter((one) => callKinds.has(one.kind))
            .map((one) => () => evidence.at(node.file, one.line, one.name)),
        },
      ],
    }
  },
})
