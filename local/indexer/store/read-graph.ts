import type { DatabaseSync } from 'node:sqlite'
import { CodeGraph } from '../core/code-graph.ts'
import { DamagedIndexError, type FileRow } from '../core/rows.ts'
import { givenUpReasons, languages } from '../core/vocabulary.ts'
import { readColumns } from './graph-columns.ts'
import { fileFlag } from './schema.ts'

export type Row = Record<string, unknown>

export function readGraph(database: DatabaseSync): CodeGraph {
  const { nodes, edges } = readColumns(database)
  return new CodeGraph(database.prepare('SELECT * FROM files ORDER BY n').all().map(toFile), nodes, edges)
}

function toFile(row: Row): FileRow {
  const flags = Number(row['flags'])
  return {
    n: Number(row['n']),
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
    firstNode: Number(row['node_first']),
    nodeCount: Number(row['node_count']),
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
