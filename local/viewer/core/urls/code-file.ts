/** A file whose text is looked through together with what the index has of it. */
import type { GraphReader } from '../../../indexer/core/graph-reader.ts'
import { LineTable } from '../../../indexer/core/line-table.ts'
import type { EdgeRow, FileRow, NodeRow } from '../../../indexer/core/rows.ts'
import { placesOfFileMax } from '../../limits.ts'

/** The arguments of one call that are looked through. */
const callCharsMax = 4000
const testScope = /(^|::)(tests?|specs?)(::|$)/i
const scopeKinds = new Set(['function', 'method', 'class', 'module', 'namespace'])
const commentLine = /^\s*(\/\/|\/\*|\*|#(?![[!])|--)/

export class CodeFile {
  readonly reader: GraphReader
  readonly row: FileRow
  readonly text: string
  readonly lines: readonly string[]
  readonly #table: LineTable
  #nodes: readonly NodeRow[] | undefined
  #edges: readonly EdgeRow[] | undefined

  constructor(reader: GraphReader, row: FileRow, text: string) {
    this.reader = reader
    this.row = row
    this.text = row.language === 'python' ? withoutLongTexts(text) : text
    this.lines = text.split('\n')
    this.#table = new LineTable(text)
  }

  /** Where a pattern fits: a bounded number of places, since a stranger's file may hold nothing else. */
  *places(pattern: RegExp): Generator<RegExpExecArray> {
    let left = placesOfFileMax
    for (const match of this.text.matchAll(pattern)) {
      if (left === 0) return
      left -= 1
      yield match
    }
  }

  line(offset: number): number {
    return this.#table.line(offset)
  }

  offset(line: number, column: number): number {
    return this.#table.offset(line) + column
  }

  /** Remarks, and tests that stand beside the code they are about, say nothing of what runs. */
  isCode(offset: number): boolean {
    const line = this.#table.line(offset)
    if (commentLine.test(this.lines[line - 1] ?? '')) return false
    return !testScope.test(this.around(line, scopeKinds)?.qualifiedName ?? '')
  }

  around(line: number, kinds: ReadonlySet<string>): NodeRow | undefined {
    return this.symbols()
      .filter((one) => one.line <= line && one.endLine >= line && kinds.has(one.kind))
      .sort((left, right) => right.line - left.line || left.endLine - right.endLine)[0]
  }

  symbols(): readonly NodeRow[] {
    this.#nodes ??= this.reader.nodesOf(this.row)
    return this.#nodes
  }

  /** What is named, called or made between two places of the text, in their order; of one place the surest comes last. */
  namedBetween(after: number, end: number): EdgeRow[] {
    const [first, last] = [this.#place(after), this.#place(end)]
    return this.#outgoing()
      .filter((edge) => edge.line > first.line || (edge.line === first.line && edge.col >= first.col))
      .filter((edge) => edge.line < last.line || (edge.line === last.line && edge.col <= last.col))
      .sort((left, right) => left.line - right.line || left.col - right.col || left.confidence - right.confidence)
  }

  /** The sign that closes what is opened first; a line's end where nothing is. */
  endOfCall(from: number, charsMax = callCharsMax): number {
    let depth = 0
    const end = Math.min(this.text.length, from + charsMax)
    for (let at = from; at < end; at += 1) {
      const sign = this.text[at]
      if (sign === '(') depth += 1
      else if (sign === ')') {
        depth -= 1
        if (depth <= 0) return at
      } else if (sign === '\n' && depth === 0) return at
    }
    return end
  }

  #place(offset: number): { readonly line: number; readonly col: number } {
    return { line: this.#table.line(offset), col: this.#table.column(offset) }
  }

  #outgoing(): readonly EdgeRow[] {
    this.#edges ??= this.symbols()
      .flatMap((one) => this.reader.outgoing(one.n))
      .filter((edge) => edge.kind === 'references' || edge.kind === 'calls' || edge.kind === 'instantiates')
    return this.#edges
  }
}

/** What stands in texts of several lines is said about code, and is none. */
function withoutLongTexts(text: string): string {
  return text.replace(/("""|''')[\s\S]*?\1/g, (one) => one.replace(/[^\n]/g, ' '))
}
