/** Which symbol a program means: by name, by name and file, by file and line, or by the id of an earlier answer. */
import type { GraphReader } from '../../../indexer/core/graph-reader.ts'
import type { NodeRow } from '../../../indexer/core/rows.ts'
import { definitionsOf } from '../call-path.ts'
import { type Answer, notFound } from '../failure.ts'
import { searchSymbols } from '../search.ts'
import type { Given } from './tool.ts'

const nameCharsMax = 500
const choicesMax = 12
const nearMax = 5
const partKinds = new Set(['import', 'export', 'parameter'])

export const symbolParameters = {
  symbol: {
    kind: 'text',
    about: 'Name ("render", "Shelf.total"), "path:line", path of a file, or id from an earlier answer.',
    charsMax: nameCharsMax,
    isRequired: true,
  },
  file: {
    kind: 'text',
    about: 'Only a symbol of this file or folder: a path from the root of the project, or its end.',
    charsMax: nameCharsMax,
  },
} as const

export function namedSymbol(reader: GraphReader, given: Given): Answer<NodeRow> {
  const text = String(given['symbol']).trim()
  const file = given['file'] === undefined ? undefined : String(given['file']).trim()
  const all = meantBy(reader, text)
  const found = file === undefined ? all : all.filter((one) => isIn(reader.file(one.file).path, file))
  const [only] = found
  if (only !== undefined && found.length === 1) return { ok: true, value: only }
  if (found.length === 0) return notFound(missing(reader, text, file, all))
  const rows = found.slice(0, choicesMax).map((one) => rowOf(reader, one))
  const rest = found.length > choicesMax ? `\n  ... ${found.length - choicesMax} more` : ''
  return notFound(
    `"${text.slice(0, 200)}" names ${found.length} symbols. Give "file", or one of these as "symbol":\n${rows.join('\n')}${rest}`,
  )
}

function missing(reader: GraphReader, text: string, file: string | undefined, elsewhere: readonly NodeRow[]): string {
  const shown = `"${text.slice(0, 200)}"`
  if (elsewhere.length > 0) {
    const rows = elsewhere.slice(0, choicesMax).map((one) => rowOf(reader, one))
    return `nothing named ${shown} is in "${file}", but elsewhere:\n${rows.join('\n')}`
  }
  const near = searchSymbols(reader, text, nearMax, 100).results.items
  return near.length === 0
    ? `nothing in the index is named ${shown}`
    : `nothing in the index is named ${shown}; close to it:\n${near.map((one) => `  ${one.file}:${one.line}  ${one.kind} ${one.qualifiedName}`).join('\n')}`
}

/** By place and not by id, which is long and dies with the next edit of the file. */
function rowOf(reader: GraphReader, node: NodeRow): string {
  return `  ${reader.file(node.file).path}:${node.line}  ${node.kind} ${node.qualifiedName}`
}

function meantBy(reader: GraphReader, text: string): readonly NodeRow[] {
  const byId = reader.nodeById(text)
  if (byId !== undefined) return [byId]
  const file = reader.fileByPath(text)
  if (file !== undefined) return [reader.node(file.firstNode)]
  const place = /^(.+):(\d{1,7})$/.exec(text)
  const at = place === null ? undefined : atLine(reader, place[1] ?? '', Number(place[2]))
  if (at !== undefined) return [at]
  const exact = reader.nodesNamed(text).filter((one) => !partKinds.has(one.kind))
  return exact.length > 0 ? exact : definitionsOf(reader, text.replaceAll('#', '.'))
}

/** The innermost symbol that the line is one of; what starts there goes before what only holds it. */
function atLine(reader: GraphReader, path: string, line: number): NodeRow | undefined {
  const file = reader.fileByPath(path)
  if (file === undefined || line < 1 || line > Math.max(1, file.lines)) return undefined
  const { graph } = reader
  let inner = file.firstNode
  let starting: number | undefined
  for (let n = file.firstNode + 1; n < file.firstNode + file.nodeCount; n += 1) {
    if (partKinds.has(graph.kindOf(n))) continue
    const from = graph.nodes.line[n] ?? 0
    if (from > line || (graph.nodes.endLine[n] ?? 0) < line) continue
    inner = n
    if (from === line) starting ??= n
  }
  return reader.node(starting ?? inner)
}

function isIn(path: string, wanted: string): boolean {
  const plain = wanted.replace(/^\.\//, '').replace(/\/+$/, '')
  return path === plain || path.endsWith(`/${plain}`) || path.startsWith(`${plain}/`)
}
