import type { DatabaseSync } from 'node:sqlite'
import { CodeGraph } from '../core/code-graph.ts'
import { DamagedIndexError, type FileRow } from '../core/rows.ts'
import { givenUpReasons, languages } from '../core/vocabulary.ts'
import { bytesEachEdge, bytesEachNode, GraphColumns, nodeNumbersMax } from './file-graph.ts'
import { fileFlag } from './schema.ts'

export type Row = Record<string, unknown>

export function readGraph(database: DatabaseSync): CodeGraph {
  const rows = database.prepare('SELECT * FROM files ORDER BY first').all()
  const { nodes, edges, end } = sizesOf(database)
  if (nodes !== total(rows, 'nodes') || edges !== total(rows, 'edges') || end > nodeNumbersMax(nodes))
    throw new DamagedIndexError('the index has not the symbols or edges that it says')
  const shares = new Map(
    rows.map((row) => [
      Number(row['first']),
      { firstNode: Number(row['first']), nodeCount: Number(row['nodes']), edgeCount: Number(row['edges']) },
    ]),
  )
  const columns = new GraphColumns([...shares.values()])
  let put = 0
  for (const { first, nodes, names, edges } of database.prepare('SELECT * FROM graph ORDER BY first').iterate()) {
    const share = shares.get(Number(first))
    if (share === undefined) throw new DamagedIndexError('the index holds symbols of no file')
    columns.put(share, nodes, names, edges)
    put += 1
  }
  if (put !== rows.length) throw new DamagedIndexError('a file has no symbols')
  return new CodeGraph(inOrder(rows), columns.nodes, columns.edges)
}

/** Asked of what is there: what only numbers say would be made room for, and they may be anything in a damaged file. */
function sizesOf(database: DatabaseSync): { nodes: number; edges: number; end: number } {
  const row = database
    .prepare('SELECT sum(length(nodes)) AS nodes, sum(length(edges)) AS edges, max(first) AS last FROM graph')
    .get()
  const nodes = Number(row?.['nodes'] ?? 0) / bytesEachNode
  return { nodes, edges: Number(row?.['edges'] ?? 0) / bytesEachEdge, end: Number(row?.['last'] ?? 0) }
}

function total(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + Number(row[column]), 0)
}

/** Files are numbered by their paths. */
function inOrder(rows: readonly Row[]): FileRow[] {
  return rows
    .map(toFile)
    .sort((left, right) => (left.path < right.path ? -1 : 1))
    .map((file, at) => ({ ...file, n: at + 1 }))
}

function toFile(row: Row): FileRow {
  const flags = Number(row['flags'])
  return {
    n: 0,
    path: String(row['path']),
    language: word(languages, row['language']),
    hash: String(row['hash']),
    size: Number(row['size']),
    modifiedMs: Number(row['modified_ms']),
    indexedMs: Number(row['indexed_ms']),
    lines: Number(row['lines']),
    isGenerated: (flags & fileFlag.generated) !== 0,
    isTest: (flags & fileFlag.test) !== 0,
    isNonProduction: (flags & fileFlag.nonProduction) !== 0,
    firstNode: Number(row['first']),
    nodeCount: Number(row['nodes']),
    errors: typeof row['errors'] === 'string' ? (parseText(row['errors']) as string[]) : [],
    givenUp: row['given_up'] === null ? undefined : word(givenUpReasons, row['given_up']),
    givenUpReferences: Number(row['given_up_references']),
  }
}

export function word<T>(words: readonly T[], index: unknown): T {
  const found = words[Number(index)]
  if (found === undefined) throw new DamagedIndexError('the index holds a word that its vocabulary does not know')
  return found
}

export function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new DamagedIndexError('the index holds a list that cannot be read')
  }
}
