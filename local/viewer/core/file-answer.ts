/** One file: its outline, what it takes and gives, and where it calls. */

import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import type { FileRow, NodeRow } from '../../indexer/core/rows.ts'
import type { FileAnswer, FileCodeAnswer, OfIndex } from '../contract/wire.ts'
import { bundles, fansOf, type List, listOf, nodeRef, relationOf, shownOf } from './graph-shapes.ts'
import { compareText } from './search.ts'

const outlineShown = 3000
const importFilesShown = 300
const importSymbolsShown = 12
const unresolvedShown = 60
const callRowsShown = 2000
const outsideShown = 3000
const outsideScannedMax = 50_000

export type FileFromIndex = OfIndex<FileAnswer>
type Outline = FileFromIndex['outline']['items'][number]
type ImportRow = FileFromIndex['imports']['items'][number]

export function fileFacts(reader: GraphReader, file: FileRow): FileFromIndex['file'] {
  return {
    path: file.path,
    language: file.language,
    size: file.size,
    modifiedAt: file.modifiedMs,
    indexedAt: file.indexedMs,
    contentHash: file.hash,
    nodeCount: file.nodeCount,
    generated: file.isGenerated,
    test: file.isNonProduction,
    errors: file.errors,
    id: reader.nodeById(`file:${file.path}`)?.id ?? null,
  }
}

export function fileAnswer(reader: GraphReader, file: FileRow): FileFromIndex {
  const numbers = Array.from({ length: file.nodeCount }, (_, s) => file.firstNode + s)
  const outgoing = numbers.flatMap((n) => reader.outgoing(n))
  const incoming = numbers.flatMap((n) => reader.incoming(n))
  const isForeign = (n: number): boolean => n < file.firstNode || n >= file.firstNode + file.nodeCount
  const fileOf = (n: number): string => reader.graph.fileOfNode(n).path
  return {
    file: fileFacts(reader, file),
    topLevel: { calls: topLevelCalls(reader, file).length },
    outline: outlineOf(reader, file),
    imports: listOf(
      importRows(
        reader,
        outgoing.filter((one) => one.kind === 'imports' && isForeign(one.target)).map((one) => one.target),
      ),
      importFilesShown,
    ),
    importedBy: listOf(
      importRows(
        reader,
        [],
        incoming
          .filter((one) => one.kind === 'imports' && isForeign(one.source))
          .map((one) => ({ from: one.source, to: one.target })),
      ),
      importFilesShown,
    ),
    unresolvedImports: reader
      .unresolvedOf(file.firstNode, file.firstNode + file.nodeCount - 1)
      .filter((one) => one.kind === 'imports')
      .slice(0, unresolvedShown)
      .map(({ name, line }) => ({ name, line })),
    dependencies: [...new Set(outgoing.filter((one) => isForeign(one.target)).map((one) => fileOf(one.target)))].sort(),
    dependents: [...new Set(incoming.filter((one) => isForeign(one.source)).map((one) => fileOf(one.source)))].sort(),
  }
}

function outlineOf(
  reader: GraphReader,
  file: FileRow,
  isWanted: (node: NodeRow) => boolean = () => true,
): List<Outline> {
  const { graph } = reader
  const depths = new Map<number, number>()
  const rows: { node: NodeRow; depth: number }[] = []
  for (const node of reader.nodesOf(file)) {
    if (node.kind === 'file' || node.kind === 'import') continue
    const depth = node.parent === file.firstNode ? 0 : (depths.get(node.parent) ?? 0) + 1
    depths.set(node.n, depth)
    if (isWanted(node)) rows.push({ node, depth })
  }
  rows.sort((left, right) => left.node.line - right.node.line || compareText(left.node.name, right.node.name))
  return shownOf(rows, outlineShown, ({ node, depth }) => ({
    ...nodeRef(reader, node),
    parentId: node.parent === file.firstNode ? null : reader.node(node.parent).id,
    depth,
    ...fansOf(graph, node.n),
  }))
}

/** What runs when the file is loaded: calls outside any definition, counted by where they stand. */
function topLevelCalls(
  reader: GraphReader,
  file: FileRow,
): readonly { readonly line: number; readonly target: number }[] {
  const found = new Map<string, { line: number; target: number }>()
  for (const node of reader.nodesOf(file)) {
    const isTop =
      node.kind === 'file' || (node.parent === file.firstNode && (node.kind === 'constant' || node.kind === 'variable'))
    if (!isTop) continue
    for (const edge of reader.outgoing(node.n)) {
      if (edge.kind === 'calls' || edge.kind === 'instantiates')
        found.set(`${edge.line}:${edge.col}`, { line: edge.line, target: edge.target })
    }
  }
  return [...found.values()]
}

function importRows(
  reader: GraphReader,
  targets: readonly number[],
  users: readonly { from: number; to: number }[] = [],
): ImportRow[] {
  const byFile = new Map<number, Set<number>>()
  const add = (file: number, symbol: NodeRow): void => {
    const list = byFile.get(file) ?? new Set()
    if (symbol.kind !== 'file') list.add(symbol.n)
    byFile.set(file, list)
  }
  for (const target of targets) add(reader.node(target).file, reader.node(target))
  for (const user of users) add(reader.node(user.from).file, reader.node(user.to))
  return [...byFile]
    .map(([n, symbols]) => {
      const file = reader.file(n)
      const rows = [...symbols].map((one) => reader.node(one))
      return {
        file: file.path,
        test: file.isNonProduction,
        symbols: rows.slice(0, importSymbolsShown).map(({ id, name, kind, line }) => ({ id, name, kind, line })),
        symbolCount: rows.length,
      }
    })
    .sort((left, right) => right.symbolCount - left.symbolCount || compareText(left.file, right.file))
}

/** Of what is drawn beside the lines, what the index alone says. */
export type FileCodeFromIndex = Pick<FileCodeAnswer, 'outline' | 'calls' | 'outside' | 'intraFileCalls'>

/** Lines of a file, both ends included. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

/** With a range, the lists are of what concerns those lines; the number of calls inside the file is always the file's. */
export function fileCodeAnswer(reader: GraphReader, file: FileRow, range?: LineRange): FileCodeFromIndex {
  const { graph } = reader
  const calls = reader.nodesOf(file).flatMap((owner) =>
    bundles(
      reader.outgoing(owner.n).filter((one) => one.kind !== 'imports'),
      'target',
    ).map((bundle) => ({ owner, bundle })),
  )
  calls.sort(
    (left, right) =>
      left.bundle.firstLine - right.bundle.firstLine ||
      left.owner.line - right.owner.line ||
      compareText(graph.nameOf(left.bundle.other), graph.nameOf(right.bundle.other)),
  )
  const outside = reader
    .unresolvedOf(file.firstNode, file.firstNode + file.nodeCount - 1)
    .slice(0, outsideScannedMax)
    .filter((one) => one.kind !== 'imports' && /^[\p{L}_$#][\p{L}\p{N}_$]*$/u.test(one.name.split('.').at(-1) ?? ''))
    .map(({ line, col, name, kind }) => ({ line, col, name, kind }))
  const { from, to } = range ?? { from: 0, to: Number.POSITIVE_INFINITY }
  const isWanted = ({ line }: { readonly line: number }): boolean => line >= from && line <= to
  const isInside = (n: number): boolean => n >= file.firstNode && n < file.firstNode + file.nodeCount
  const intraFileCalls = calls
    .slice(0, callRowsShown)
    .filter(({ bundle }) => isInside(bundle.other))
    .reduce((sum, { bundle }) => {
      const lines = new Set(bundle.edges.map((one) => one.line))
      return sum + lines.size - (lines.has(reader.node(bundle.other).line) ? 1 : 0)
    }, 0)
  return {
    outline: outlineOf(reader, file, (node) => node.line <= to && node.endLine >= from),
    calls: shownOf(
      calls.filter(({ bundle }) => bundle.edges.some(isWanted)),
      callRowsShown,
      ({ owner, bundle }) => ({ ownerId: owner.id, ownerLine: owner.line, relation: relationOf(reader, bundle) }),
    ),
    outside: listOf(outside.filter(isWanted), outsideShown),
    intraFileCalls,
  }
}
