/** What an index says about itself as a whole, counted once when it is published. */
import type { CodeGraph } from './code-graph.ts'
import { impactOf } from './impact.ts'
import { DamagedIndexError } from './rows.ts'
import { edgeKinds, nodeKinds } from './vocabulary.ts'

const sampledSymbols = 24
const scaleHops = 3
const scaleNodesMax = 20_000

type Counts = Readonly<Record<string, number>>

export interface Figures {
  readonly files: number
  readonly generatedFiles: number
  readonly lastIndexedAt: number | null
  readonly nodes: number
  readonly edges: number
  readonly nodesByKind: Counts
  readonly edgesByKind: Counts
  readonly filesByLanguage: Counts
  /** The measure of one symbol's blast: the largest among the most depended-on. A floor, not a ceiling. */
  readonly blast: {
    readonly maxDirect: number
    readonly maxWithinHops: number
    readonly hops: typeof scaleHops
    readonly sampled: number
  }
}

export function figuresOf(graph: CodeGraph): Figures {
  const { files } = graph
  const nodesByKind = tally(nodeKinds, graph.nodes.kind)
  const nodes = Object.values(nodesByKind).reduce((sum, one) => sum + one, 0)
  // Containment is kept as each node's parent; it counts as an edge like any other.
  const contains = nodes - files.length
  const edges = tally(edgeKinds, graph.edges.kind)
  const filesByLanguage: Record<string, number> = {}
  for (const { language } of files) filesByLanguage[language] = (filesByLanguage[language] ?? 0) + 1
  return {
    files: files.length,
    generatedFiles: files.filter((one) => one.isGenerated).length,
    lastIndexedAt: files.length === 0 ? null : files.reduce((latest, file) => Math.max(latest, file.indexedMs), 0),
    nodes,
    edges: graph.edges.kind.length + contains,
    nodesByKind,
    edgesByKind: contains > 0 ? { contains, ...edges } : edges,
    filesByLanguage,
    blast: blastScale(graph),
  }
}

/** How often each word of a vocabulary is in a column. */
function tally(words: readonly string[], column: Uint8Array): Record<string, number> {
  const counts = new Uint32Array(256)
  for (const one of column) counts[one] = (counts[one] ?? 0) + 1
  return Object.fromEntries(words.map((word, at) => [word, counts[at] ?? 0] as const).filter(([, count]) => count > 0))
}

function blastScale(graph: CodeGraph): Figures['blast'] {
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

/** The figures as an index holds them. */
export function parseFigures(text: string): Figures {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new DamagedIndexError('the figures of the index cannot be read')
  }
  if (!isFigures(value)) throw new DamagedIndexError('the figures of the index are incomplete')
  return value
}

const numbers = ['files', 'generatedFiles', 'nodes', 'edges'] as const
const tables = ['nodesByKind', 'edgesByKind', 'filesByLanguage', 'blast'] as const

function isFigures(value: unknown): value is Figures {
  if (!isRecord(value)) return false
  const { lastIndexedAt } = value
  return (
    (lastIndexedAt === null || typeof lastIndexedAt === 'number') &&
    numbers.every((one) => typeof value[one] === 'number') &&
    tables.every((one) => isRecord(value[one]) && Object.values(value[one]).every((count) => typeof count === 'number'))
  )
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
