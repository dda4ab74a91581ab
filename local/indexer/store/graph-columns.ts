/** The columns of a graph in the database, and the way to change them. */
import type { DatabaseSync } from 'node:sqlite'
import type { EdgeColumns, NodeColumns } from '../core/columns.ts'
import { noNode } from '../core/columns.ts'
import { NumberTable } from '../core/number-table.ts'
import { DamagedIndexError } from '../core/rows.ts'

/** Numbers of two widths, and texts as one list. Machines that store the high byte first are not among ours. */
const byteColumns = ['node.kind', 'node.flags', 'edge.kind', 'edge.how', 'edge.confidence'] as const
const wordColumns = [
  'node.parent',
  'node.line',
  'node.endLine',
  'edge.source',
  'edge.target',
  'edge.line',
  'edge.col',
] as const
const textColumns = ['node.names', 'node.qualifiedNames'] as const

type ByteColumn = (typeof byteColumns)[number]
type WordColumn = (typeof wordColumns)[number]
type TextColumn = (typeof textColumns)[number]

export function readColumns(database: DatabaseSync): { nodes: NodeColumns; edges: EdgeColumns } {
  const data = new Map(
    database
      .prepare('SELECT name, data FROM columns LIMIT 20')
      .all()
      .map((row) => [row['name'], row['data']]),
  )
  const bytes = (name: ByteColumn | WordColumn | TextColumn): Uint8Array => {
    const found = data.get(name)
    if (!(found instanceof Uint8Array)) throw new DamagedIndexError(`the index has no column ${name}`)
    return found
  }
  const words = (name: WordColumn): Uint32Array => {
    const found = bytes(name)
    if (found.length % 4 !== 0) throw new DamagedIndexError(`the column ${name} is cut off`)
    return new Uint32Array(found.slice().buffer)
  }
  const texts = (name: TextColumn): (string | null)[] => {
    let list: unknown
    try {
      list = JSON.parse(new TextDecoder().decode(bytes(name)))
    } catch {
      throw new DamagedIndexError(`the column ${name} cannot be read`)
    }
    const isList = Array.isArray(list) && list.every((one) => typeof one === 'string' || one === null)
    if (!isList) throw new DamagedIndexError(`the column ${name} is no list of texts`)
    return list as (string | null)[]
  }
  return {
    nodes: {
      kind: bytes('node.kind'),
      flags: bytes('node.flags'),
      parent: words('node.parent'),
      line: words('node.line'),
      endLine: words('node.endLine'),
      names: texts('node.names').map((one) => one ?? ''),
      qualifiedNames: texts('node.qualifiedNames'),
    },
    edges: {
      source: words('edge.source'),
      target: words('edge.target'),
      line: words('edge.line'),
      col: words('edge.col'),
      kind: bytes('edge.kind'),
      how: bytes('edge.how'),
      confidence: bytes('edge.confidence'),
    },
  }
}

export interface NodeEntry {
  readonly kind: number
  readonly flags: number
  readonly parent: number
  readonly line: number
  readonly endLine: number
  readonly name: string
  readonly qualifiedName: string | null
}

interface EdgeEntry {
  readonly source: number
  readonly target: number
  readonly kind: number
  readonly line: number
  readonly col: number
  readonly how: number
  readonly confidence: number
}

const nothing: NodeEntry = { kind: noNode, flags: 0, parent: 0, line: 0, endLine: 0, name: '', qualifiedName: null }

/** Columns of edges while an index is written, those first that tell edges apart. */
const edgeColumn = { source: 0, target: 1, kind: 2, line: 3, col: 4, how: 5, confidence: 6 } as const
const tellingApart = 5

/** Edges while an index is written. */
export class EdgeRows {
  readonly #rows = new NumberTable(7)

  push({ source, target, kind, line, col, how, confidence }: EdgeEntry): void {
    this.#rows.push([source, target, kind, line, col, how, confidence])
  }

  /** Those of a table, each once: found in two ways, an edge is as certain as the surer of them. */
  pushDistinct(found: EdgeRows): void {
    const rows = found.#rows
    let kept: number | undefined
    for (const row of rows.sorted(tellingApart)) {
      if (kept === undefined || rows.compare(kept, row, tellingApart) !== 0) {
        if (kept !== undefined) this.#rows.pushRow(rows, kept)
        kept = row
      } else if (rows.get(row, edgeColumn.confidence) > rows.get(kept, edgeColumn.confidence)) kept = row
    }
    if (kept !== undefined) this.#rows.pushRow(rows, kept)
  }

  /** Takes away the edges that start in one of these. */
  removeFrom(isRemoved: (source: number) => boolean): void {
    this.#rows.keep((row) => !isRemoved(this.#rows.get(row, edgeColumn.source)))
  }

  /** Replaces what each edge ends in. */
  changeTargets(change: (target: number) => number): void {
    const { target } = edgeColumn
    for (let row = 0; row < this.#rows.length; row += 1)
      this.#rows.set(row, target, change(this.#rows.get(row, target)))
  }

  bySource(): number[] {
    return this.#rows.sorted(edgeColumn.source + 1)
  }

  get(row: number, column: keyof typeof edgeColumn): number {
    return this.#rows.get(row, edgeColumn[column])
  }
}

/** Columns while an index is written: empty for a new one, those of the published one for its successor. */
export class ColumnsWriter {
  readonly #nodes: NodeEntry[] = [nothing]
  readonly edges = new EdgeRows()

  /** Goes on from what an index holds. */
  take({ nodes, edges }: { nodes: NodeColumns; edges: EdgeColumns }): void {
    for (let n = 0; n < nodes.kind.length; n += 1)
      this.#nodes[n] = {
        kind: nodes.kind[n] ?? noNode,
        flags: nodes.flags[n] ?? 0,
        parent: nodes.parent[n] ?? 0,
        line: nodes.line[n] ?? 0,
        endLine: nodes.endLine[n] ?? 0,
        name: nodes.names[n] ?? '',
        qualifiedName: nodes.qualifiedNames[n] ?? null,
      }
    for (let at = 0; at < edges.source.length; at += 1)
      this.edges.push({
        source: edges.source[at] ?? 0,
        target: edges.target[at] ?? 0,
        kind: edges.kind[at] ?? 0,
        line: edges.line[at] ?? 0,
        col: edges.col[at] ?? 0,
        how: edges.how[at] ?? 0,
        confidence: edges.confidence[at] ?? 0,
      })
  }

  putNode(n: number, node: NodeEntry): void {
    while (this.#nodes.length < n) this.#nodes.push(nothing)
    this.#nodes[n] = node
  }

  removeNodes(first: number, count: number): void {
    this.#nodes.fill(nothing, first, first + count)
  }

  write(database: DatabaseSync): void {
    const nodes = this.#nodes
    const edges = this.edges.bySource()
    const put = database.prepare('INSERT OR REPLACE INTO columns (name, data) VALUES (?, ?)')
    const bytes = <T>(name: ByteColumn, rows: readonly T[], of: (row: T) => number): void =>
      void put.run(name, filled(new Uint8Array(rows.length), rows, of))
    const words = <T>(name: WordColumn, rows: readonly T[], of: (row: T) => number): void =>
      void put.run(name, new Uint8Array(filled(new Uint32Array(rows.length), rows, of).buffer))
    const texts = (name: TextColumn, of: (node: NodeEntry) => string | null): void =>
      void put.run(name, new TextEncoder().encode(JSON.stringify(nodes.map(of))))
    bytes('node.kind', nodes, (one) => one.kind)
    bytes('node.flags', nodes, (one) => one.flags)
    words('node.parent', nodes, (one) => one.parent)
    words('node.line', nodes, (one) => one.line)
    words('node.endLine', nodes, (one) => one.endLine)
    texts('node.names', (one) => one.name)
    texts('node.qualifiedNames', (one) => one.qualifiedName)
    words('edge.source', edges, (row) => this.edges.get(row, 'source'))
    words('edge.target', edges, (row) => this.edges.get(row, 'target'))
    words('edge.line', edges, (row) => this.edges.get(row, 'line'))
    words('edge.col', edges, (row) => this.edges.get(row, 'col'))
    bytes('edge.kind', edges, (row) => this.edges.get(row, 'kind'))
    bytes('edge.how', edges, (row) => this.edges.get(row, 'how'))
    bytes('edge.confidence', edges, (row) => this.edges.get(row, 'confidence'))
  }
}

/** What `from` of an array type does, in a fifth of the time: that one goes through an iterator. */
function filled<A extends Uint8Array | Uint32Array, T>(column: A, rows: readonly T[], of: (row: T) => number): A {
  rows.forEach((row, at) => {
    column[at] = of(row)
  })
  return column
}
