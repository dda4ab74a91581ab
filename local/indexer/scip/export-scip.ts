/** The index in a form that other programs read: symbols with their places, and what surely names them where. */
import { pathToFileURL } from 'node:url'
import type { ScipDocument, ScipIndex, ScipOccurrence, ScipSymbol } from '../core/compiler-index.ts'
import type { GraphReader } from '../core/graph-reader.ts'
import type { FileRow } from '../core/rows.ts'
import type { Language, NodeKind } from '../core/vocabulary.ts'

export interface ScipExport {
  readonly index: ScipIndex
  /** Files that are not as they were indexed: their lines would be others. */
  readonly stale: readonly string[]
}

/** A name stands on the line of its declaration, or below marks before it. */
const nameLinesMax = 30
const namedEdges = new Set(['calls', 'references', 'instantiates', 'extends', 'implements', 'imports', 'decorates'])

const languageNames: Readonly<Record<Language, string>> = {
  typescript: 'TypeScript',
  tsx: 'TypeScriptReact',
  javascript: 'JavaScript',
  jsx: 'JavaScriptReact',
  vue: 'Vue',
  svelte: 'Svelte',
  python: 'Python',
  go: 'Go',
  rust: 'Rust',
  java: 'Java',
  c: 'C',
  cpp: 'CPP',
  csharp: 'CSharp',
  ruby: 'Ruby',
  php: 'PHP',
}

/** The schema's number and the sign that a name of the kind ends with. */
const kinds: Partial<Record<NodeKind, readonly [number, string]>> = {
  module: [29, '/'],
  namespace: [30, '/'],
  class: [7, '#'],
  struct: [49, '#'],
  interface: [21, '#'],
  trait: [53, '#'],
  protocol: [42, '#'],
  enum: [11, '#'],
  union: [59, '#'],
  type_alias: [55, '#'],
  function: [17, '().'],
  component: [17, '().'],
  method: [26, '().'],
  property: [41, '.'],
  field: [15, '.'],
  variable: [61, '.'],
  constant: [8, '.'],
  enum_member: [12, '.'],
}

export function exportScip(
  reader: GraphReader,
  read: (file: FileRow) => string | undefined,
  about: { readonly root: string; readonly version: string },
): ScipExport {
  const stale: string[] = []
  const names = new SymbolNames(reader)
  const documents = reader.files().flatMap((file): ScipDocument[] => {
    const text = read(file)
    if (text === undefined) {
      stale.push(file.path)
      return []
    }
    return [documentOf(reader, file, text.split('\n'), names)]
  })
  const projectRoot = pathToFileURL(about.root).href
  return { index: { tool: 'wharf-index', toolVersion: about.version, projectRoot, documents }, stale }
}

function documentOf(reader: GraphReader, file: FileRow, lines: readonly string[], names: SymbolNames): ScipDocument {
  const occurrences: ScipOccurrence[] = []
  const symbols: ScipSymbol[] = []
  for (const node of reader.nodesOf(file)) {
    const symbol = names.of(node.n)
    const kind = kinds[node.kind]
    if (symbol !== undefined && kind !== undefined) {
      const place = placeOf(lines, node.line, node.col, node.name, nameLinesMax)
      if (place !== undefined) occurrences.push({ ...place, symbol, isDefinition: true, isImport: false })
      symbols.push({
        ...{ symbol, name: node.name, kind: kind[0], documentation: node.doc, signature: node.signature },
        implements: reader
          .outgoing(node.n)
          .filter((edge) => edge.kind === 'extends' || edge.kind === 'implements')
          .flatMap((edge) => (edge.isCertain ? (names.of(edge.target) ?? []) : [])),
      })
    }
    for (const edge of reader.outgoing(node.n)) {
      const target = names.of(edge.target)
      if (target === undefined || !edge.isCertain || !namedEdges.has(edge.kind)) continue
      const place = placeOf(lines, edge.line, edge.col, reader.graph.nameOf(edge.target), 1)
      if (place !== undefined)
        occurrences.push({ ...place, symbol: target, isDefinition: false, isImport: edge.kind === 'imports' })
    }
  }
  occurrences.sort((left, right) => left.line - right.line || left.col - right.col)
  const once = occurrences.filter((one, at) => {
    const before = occurrences[at - 1]
    return before === undefined || before.line !== one.line || before.col !== one.col || before.symbol !== one.symbol
  })
  return { path: file.path, language: languageNames[file.language], columns: 'utf16', occurrences: once, symbols }
}

/** Where a name is written, at a place or behind it. */
function placeOf(
  lines: readonly string[],
  line: number,
  col: number,
  name: string,
  linesMax: number,
): Pick<ScipOccurrence, 'line' | 'col' | 'endLine' | 'endCol'> | undefined {
  for (let below = 0; below < linesMax; below += 1) {
    const text = lines[line - 1 + below]
    if (text === undefined) return undefined
    for (let at = text.indexOf(name, below === 0 ? col : 0); at !== -1; at = text.indexOf(name, at + 1)) {
      const isWord = !/[\w$]/.test(text[at - 1] ?? '') && !/[\w$]/.test(text[at + name.length] ?? '')
      if (isWord) return { line: line - 1 + below, col: at, endLine: line - 1 + below, endCol: at + name.length }
    }
  }
  return undefined
}

/** The name of each symbol among all: its file, and the names around it. Of several of one name each has a number. */
class SymbolNames {
  readonly #reader: GraphReader
  readonly #names = new Map<number, string>()
  readonly #taken = new Set<string>()

  constructor(reader: GraphReader) {
    this.#reader = reader
    for (const file of reader.files())
      for (let n = file.firstNode; n < file.firstNode + file.nodeCount; n += 1) this.#name(n, file)
  }

  of(n: number): string | undefined {
    return this.#names.get(n)
  }

  /** What is around comes before what is in it. */
  #name(n: number, file: FileRow): void {
    const { graph } = this.#reader
    if (n === file.firstNode) {
      this.#names.set(n, `wharf . . . ${file.path.split('/').map(identifier).join('/')}/`)
      return
    }
    const around = this.#names.get(graph.parentOf(n))
    const kind = kinds[graph.kindOf(n)]
    if (around === undefined || kind === undefined) return
    const [, suffix] = kind
    const plain = `${around}${identifier(graph.nameOf(n))}`
    let whole = `${plain}${suffix}`
    for (let copy = 1; this.#taken.has(whole); copy += 1)
      whole = suffix === '().' ? `${plain}(+${copy}).` : `${plain}:${copy}${suffix}`
    this.#taken.add(whole)
    this.#names.set(n, whole)
  }
}

function identifier(name: string): string {
  return /^[\w+$-]+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``
}
