/** What a change of a symbol may touch, and the tests that would tell. */

import { type ReachedFile, testsReaching } from '../../../indexer/core/change-reach.ts'
import type { GraphReader } from '../../../indexer/core/graph-reader.ts'
import { impactOf, type Reach } from '../../../indexer/core/impact.ts'
import type { EdgeRow, NodeRow } from '../../../indexer/core/rows.ts'
import { compareText } from '../search.ts'
import { aboutSymbol } from './about-symbol.ts'
import { type Evidence, labelOf } from './evidence.ts'
import { usesOf, withParts } from './relations.ts'
import type { Part } from './report.ts'

const hopsMax = 10
const hopsDefault = 3
const symbolsMax = 5_000
/** Symbols whose guessed users are looked for. */
const guessedFromMax = 500

export const impactTool = aboutSymbol({
  name: 'impact',
  description:
    'Everything that reaches a symbol within some steps, the nearest first, each with the line by which it does; then what a guess would add.',
  parameters: {
    hops: { kind: 'whole', about: 'How many steps are followed.', min: 1, max: hopsMax, fallback: hopsDefault },
  },
  report({ reader }, node, evidence, given) {
    const hops = Number(given['hops'])
    const own = new Set(withParts(reader, node))
    const reach = impactOf(reader.graph, node.n, { hops, nodesMax: symbolsMax })
    const files = new Set(reach.nodes.map((n) => reader.graph.fileOf[n]))
    const isBounded = reach.nodes.length >= symbolsMax
    return {
      head: [
        `What reaches ${labelOf(node)}`,
        evidence.ofNode(node),
        `${isBounded ? 'At least ' : ''}${reach.nodes.length} symbols in ${files.size} files surely reach it within ${hops} steps.`,
        ...unknownNote(reader, node),
      ],
      parts: [
        ...Array.from({ length: hops }, (_, at): Part => stepPart(reader, reach, at + 1, own, evidence)),
        guessedPart(reader, reach, own, evidence),
      ],
    }
  },
})

/** What no way over the graph can tell: somebody calls that name on something unknown. */
function unknownNote(reader: GraphReader, node: NodeRow): string[] {
  const { length } = usesOf(reader, node).unknown
  return length === 0
    ? []
    : [`Beside that ${length} calls of "${node.name}" have no known target; "callers" lists them.`]
}

function stepPart(reader: GraphReader, reach: Reach, hop: number, own: ReadonlySet<number>, evidence: Evidence): Part {
  const { graph } = reader
  const fileOf = (n: number) => graph.fileOfNode(n)
  const nodes = reach.nodes
    .filter((n) => reach.hops[n] === hop)
    .sort(
      (left, right) =>
        Number(fileOf(left).isNonProduction) - Number(fileOf(right).isNonProduction) ||
        compareText(fileOf(left).path, fileOf(right).path) ||
        left - right,
    )
  return {
    title: `Certain, ${hop} ${hop === 1 ? 'step' : 'steps'} away`,
    rows: nodes.map((n) => () => {
      const edge = reader.outgoing(n).find((one) => one.isCertain && isStepToward(reader, reach, one.target, hop, own))
      return edge === undefined ? evidence.ofNode(reader.node(n)) : evidence.ofEdge(edge, n)
    }),
  }
}

/** What is inside a container that was reached counts as the container. */
function isStepToward(
  reader: GraphReader,
  reach: Reach,
  target: number,
  hop: number,
  own: ReadonlySet<number>,
): boolean {
  for (let at = target; at !== 0; at = reader.graph.parentOf(at))
    if (hop === 1 ? own.has(at) : reach.hops[at] === hop - 1) return true
  return false
}

function guessedPart(reader: GraphReader, reach: Reach, own: ReadonlySet<number>, evidence: Evidence): Part {
  const { graph } = reader
  const edges: EdgeRow[] = []
  const seen = new Set<number>()
  for (const n of [...own, ...reach.nodes].slice(0, guessedFromMax)) {
    for (const place of graph.incomingPlaces(n)) {
      const source = graph.edges.source[place] ?? 0
      if (
        graph.isCertain(place) ||
        graph.isRefuted(place) ||
        own.has(source) ||
        seen.has(source) ||
        (reach.hops[source] ?? 0) > 0
      )
        continue
      seen.add(source)
      edges.push(graph.edge(place))
    }
  }
  return {
    title: 'Possible, one guessed step from these',
    rows: edges.map((edge) => () => evidence.ofEdge(edge, edge.source, ` to ${graph.qualifiedNameOf(edge.target)}`)),
  }
}

export const testsForTool = aboutSymbol({
  name: 'tests_for',
  description:
    'Test files from which some way leads to a symbol (or to anything in a file), with the way; those that surely reach it and those that may apart.',
  report({ reader }, node, evidence) {
    const { certain, possible } = testParts(reader, withParts(reader, node), evidence)
    return {
      head: [
        `Tests that reach ${labelOf(node)}`,
        evidence.ofNode(node),
        ...(certain.length + possible.length === 0 ? ['No test in the index reaches it.'] : []),
        ...unknownNote(reader, node),
      ],
      parts: [
        { title: 'Certain', rows: certain },
        { title: 'Possible, by a guess or through what is overridden', rows: possible },
      ],
    }
  },
})

/** Rows of the test files from which a way leads to the symbols. */
export function testParts(
  reader: GraphReader,
  symbols: readonly number[],
  evidence: Evidence,
): { readonly certain: Part['rows']; readonly possible: Part['rows'] } {
  const tests = testsReaching(reader.graph, symbols).sort(
    (left, right) => left.through.length - right.through.length || compareText(left.file.path, right.file.path),
  )
  const row = (one: ReachedFile) => () => rowOf(reader, one, evidence)
  return {
    certain: tests.filter((one) => one.isCertain).map(row),
    possible: tests.filter((one) => !one.isCertain).map(row),
  }
}

function rowOf(reader: GraphReader, { node, toward, through }: ReachedFile, evidence: Evidence): string {
  const way = through.join(' > ')
  const edge = toward === 0 ? undefined : reader.outgoing(node).find((one) => one.target === toward)
  const from: NodeRow = reader.node(node)
  return evidence.at(from.file, edge?.line ?? from.line, `through ${way}`)
}
