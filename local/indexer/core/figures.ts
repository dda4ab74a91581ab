/** What an index says about itself as a whole, counted when it is published. */
import { DamagedIndexError } from './rows.ts'
import { edgeKinds, nodeKinds } from './vocabulary.ts'

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
}

/** What is counted file by file, and so can be counted on after a few of them changed. */
export class GraphTally {
  readonly #nodes: Uint32Array
  readonly #edges: Uint32Array

  constructor(before?: Figures) {
    this.#nodes = Uint32Array.from(nodeKinds, (kind) => before?.nodesByKind[kind] ?? 0)
    this.#edges = Uint32Array.from(edgeKinds, (kind) => before?.edgesByKind[kind] ?? 0)
    // Containment is kept as each node's parent.
    this.#edges[edgeKinds.indexOf('contains')] = 0
  }

  add(kinds: { readonly nodes: Uint8Array; readonly edges: Uint8Array }, sign: 1 | -1): void {
    for (const one of kinds.nodes) this.#nodes[one] = (this.#nodes[one] ?? 0) + sign
    for (const one of kinds.edges) this.#edges[one] = (this.#edges[one] ?? 0) + sign
  }

  figures(files: Pick<Figures, 'files' | 'generatedFiles' | 'lastIndexedAt' | 'filesByLanguage'>): Figures {
    const nodes = sum(this.#nodes)
    const contains = nodes - files.files
    const edgesByKind = counted(edgeKinds, this.#edges)
    return {
      ...files,
      nodes,
      edges: sum(this.#edges) + contains,
      nodesByKind: counted(nodeKinds, this.#nodes),
      edgesByKind: contains > 0 ? { contains, ...edgesByKind } : edgesByKind,
    }
  }
}

function counted(words: readonly string[], counts: Uint32Array): Record<string, number> {
  return Object.fromEntries(words.map((word, at) => [word, counts[at] ?? 0] as const).filter(([, count]) => count > 0))
}

function sum(counts: Uint32Array): number {
  return counts.reduce((all, one) => all + one, 0)
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
const tables = ['nodesByKind', 'edgesByKind', 'filesByLanguage'] as const

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
