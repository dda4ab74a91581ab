/** Lines of source behind what is said, as they were when it was found out. */
import type { GraphReader } from '../../../indexer/core/graph-reader.ts'
import type { EdgeRow, NodeRow, UnresolvedRow } from '../../../indexer/core/rows.ts'
import type { Verdict } from '../../../indexer/core/vocabulary.ts'
import { splitLines } from '../token-lines.ts'
import { clipped } from './report.ts'
import type { Sensed } from './tool.ts'

const lineShownMax = 160
const textsMax = 64

export class Evidence {
  readonly #reader: GraphReader
  readonly #read: Sensed['read']
  readonly #mayShow: Sensed['mayShow']
  readonly #lines = new Map<number, readonly string[] | undefined>()
  readonly #changed = new Set<string>()

  constructor({ reader, read, mayShow }: Pick<Sensed, 'reader' | 'read' | 'mayShow'>) {
    this.#reader = reader
    this.#read = read
    this.#mayShow = mayShow
  }

  /**
   * Undefined: the file is not as it was indexed, so the numbers of its lines mean nothing in it; or its text may not be
   * shown.
   */
  linesOf(file: number): readonly string[] | undefined {
    if (this.#lines.has(file)) return this.#lines.get(file)
    const row = this.#reader.file(file)
    if (!this.mayShow(file)) return undefined
    const text = this.#read(row)
    if (text === undefined) this.#changed.add(row.path)
    const lines = text === undefined ? undefined : splitLines(text)
    if (this.#lines.size >= textsMax) this.#lines.delete(this.#lines.keys().next().value ?? 0)
    this.#lines.set(file, lines)
    return lines
  }

  at(file: number, line: number, what: string): string {
    const hidden = this.mayShow(file) ? '(changed since it was indexed)' : '(not shown: reading it has to be asked for)'
    const lines = this.linesOf(file)
    const text = lines === undefined ? hidden : clipped((lines[line - 1] ?? '').trim(), lineShownMax)
    return `${this.#reader.file(file).path}:${line}  ${what}  | ${text}`
  }

  mayShow(file: number): boolean {
    return this.#mayShow(this.#reader.file(file).path)
  }

  ofNode(node: NodeRow, more = ''): string {
    return this.at(node.file, node.line, `${labelOf(node)}${more}`)
  }

  /** The line that makes the edge; it stands in the file of its source. */
  ofEdge(edge: EdgeRow, named: number, more = ''): string {
    const guess = ` [guessed by ${edge.resolution}, ${edge.confidence.toFixed(2)}]`
    const doubt = edge.isCertain || edge.verdict !== undefined ? saidOf(edge.verdict) : guess
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

/** What a compiler said about an edge. */
export function saidOf(verdict: Verdict | null | undefined): string {
  return verdict === undefined || verdict === null ? '' : ` [${verdict}]`
}

export function labelOf(node: NodeRow): string {
  return `${node.kind} ${node.qualifiedName}`
}
