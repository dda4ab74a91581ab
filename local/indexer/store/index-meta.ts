/** What an index says of itself: counted from its rows, in the transaction that makes them. */
import type { DatabaseSync } from 'node:sqlite'
import type { GraphTally } from '../core/figures.ts'
import { extractionVersion, languages, schemaVersion } from '../core/vocabulary.ts'
import { word } from './read-graph.ts'
import { fileFlag } from './schema.ts'

export interface IndexCounts {
  readonly files: number
  readonly lines: number
  readonly nodes: number
  readonly edges: number
  /** Files that could not be read completely, given up ones among them. */
  readonly withErrors: number
  /** Files that were given up, whole or some of their references. */
  readonly givenUp: number
  /** Files that the index does not hold. */
  readonly leftOut: number
}

export function putMeta(
  database: DatabaseSync,
  tally: GraphTally,
  meta: Readonly<Record<string, string>>,
): IndexCounts {
  const row = database
    .prepare(
      `SELECT count(*) AS files, coalesce(sum(lines), 0) AS lines, count(errors) AS broken, count(given_up) AS given_up,
         coalesce(sum(unresolved), 0) AS unresolved, max(indexed_ms) AS latest,
         count(*) FILTER (WHERE flags & ${fileFlag.generated}) AS generated FROM files`,
    )
    .get()
  const number = (key: string): number => Number(row?.[key])
  const figures = tally.figures({
    files: number('files'),
    generatedFiles: number('generated'),
    lastIndexedAt: row?.['latest'] === null ? null : number('latest'),
    filesByLanguage: Object.fromEntries(
      database
        .prepare('SELECT language, count(*) AS files FROM files GROUP BY language ORDER BY language')
        .all()
        .map((one) => [word(languages, one['language']), Number(one['files'])]),
    ),
  })
  const counts: IndexCounts = {
    ...{ files: figures.files, nodes: figures.nodes, edges: figures.edges, lines: number('lines') },
    ...{ withErrors: number('broken'), givenUp: number('given_up'), leftOut: Number(meta['left_out'] ?? 0) },
  }
  const put = database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)')
  for (const [key, value] of Object.entries({
    ...meta,
    schema_version: schemaVersion,
    extraction_version: extractionVersion,
    index_state: 'complete',
    figures: JSON.stringify(figures),
    nodes: counts.nodes,
    lines: counts.lines,
    edges: counts.edges,
    with_errors: counts.withErrors,
    given_up: counts.givenUp,
    unresolved: number('unresolved'),
  }))
    put.run(key, String(value))
  return counts
}
