/** Lines of source behind what is said, as they were when it was found out. */
import type { GraphReader } from '../../../indexer/core/graph-reader.ts'
import type { EdgeRow, NodeRow, UnresolvedRow } from '../../../indexer/core/rows.ts'
import { isCertain } from '../graph-shapes.ts'
import { splitLines } from '../token-lines.ts'
import { clipped } from './report.ts'
import type { ReadAsIndexed } from './tool.ts'

const lineShownMax = 160
const textsMax = 64

export class Evidence {
  readonly #reader: GraphReader
  readonly #read: ReadAsIndexed
  readonly #lines = new Map<number, readonly string[] | undefined>()
  readonly #changed = new Set<string>()

  constructor(reader: GraphReader, read: ReadAsIndexed) {
    this.#reader = reader
    this.#read = read
  }

  /** Undefined: the file is not as it was indexed, so the numbers of its lines mean nothing in it. */
  linesOf(file: number): readonly string[] | undefined {
    if (this.#lines.has(file)) return this.#lines.get(file)
    const row = this.#reader.file(file)
    const text = this.#read(row)
    if (text === undefined) this.#changed.add(row.path)
    const lines = text === undefined ? undefined : splitLines(text)
    if (this.#lines.size >= textsMax) this.#lines.delete(this.#lines.keys().next().value ?? 0)
    this.#lines.set(file, lines)
    return lines
  }

  at(file: number, line: number, what: string): string {
    const lines = this.linesOf(file)
    const text =
      lines === undefined ? '(changed since it was indexed)' : clipped((lines[line - 1] ?? '').trim(), lineShownMax)
    return `${this.#reader.file(file).path}:${line}  ${what}  | ${text}`
  }

  ofNode(node: NodeRow, more = ''): string {
    return this.at(node.file, node.line, `${labelOf(node)}${more}`)
  }

  /** The line that makes the edge; it stands in the file of its source. */
  ofEdge(edge: EdgeRow, named: number, more = ''): string {
    const doubt = isCertain(edge) ? '' : ` [guessed by ${edge.resolution}, ${edge.confidence.toFixed(2)}]`
    const source = this.#reader.node(edge.source)
    return this.at(source.file, edge.line, `${labelOf(this.#reader.node(named))}${more}${doubt}`)
  }

  ofUnknown(row: UnresolvedRow): string {
    const source = this.#reader.node(row.source)
    return this.at(source.file, row.line, `${labelOf(source)} calls ${row.name}`)
  }

  notes(): string[] {
    const changed = [...this.#changed]
    if (changed.length === 0) return []
    const first = changed.slice(0, 3).join(', ')
    const rest = changed.length > 3 ? ` and ${changed.length - 3} more` : ''
    return [`Not as indexed: ${first}${rest}. "indexer sync" brings the index up to date.`]
  }
}

export function labelOf(node: NodeRow): string {
  return `${node.kind} ${node.qualifiedName}`
}
