import { DatabaseSync } from 'node:sqlite'

/**
 * Tables of a published index. Kinds, languages and manners of resolution are numbers: their place in the
 * vocabulary. Every row of a file is found by the number of its first node (`first`); the order of files is that of their
 * paths. Edges, and what walking the graph asks of nodes, are columns of each file (`file-graph.ts`) and no rows. `contains`
 * edges are not stored: a node's parent says the same.
 */
export const schemaStatements: readonly string[] = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE files (
    first INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, language INTEGER NOT NULL, hash TEXT NOT NULL, size INTEGER NOT NULL,
    modified_ms INTEGER NOT NULL, indexed_ms INTEGER NOT NULL, lines INTEGER NOT NULL, flags INTEGER NOT NULL,
    nodes INTEGER NOT NULL, edges INTEGER NOT NULL, unresolved INTEGER NOT NULL, errors TEXT,
    given_up INTEGER, given_up_references INTEGER NOT NULL)`,
  `CREATE TABLE left_out (path TEXT PRIMARY KEY, reason INTEGER NOT NULL, files INTEGER NOT NULL, bytes INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE nodes (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL,
    col INTEGER NOT NULL, end_col INTEGER NOT NULL, signature TEXT, doc TEXT, extra TEXT)`,
  `CREATE UNIQUE INDEX nodes_id ON nodes (id)`,
  `CREATE INDEX nodes_name ON nodes (name COLLATE NOCASE)`,
  `CREATE TABLE graph (first INTEGER PRIMARY KEY, nodes BLOB NOT NULL, names TEXT NOT NULL, edges BLOB NOT NULL)`,
  `CREATE TABLE names (n INTEGER PRIMARY KEY, name TEXT NOT NULL, uses INTEGER NOT NULL)`,
  `CREATE INDEX names_name ON names (name)`,
  `CREATE TABLE unresolved (first INTEGER PRIMARY KEY, data BLOB NOT NULL)`,
  `CREATE VIRTUAL TABLE node_words USING fts5(words, content='', detail=none, columnsize=0, tokenize='unicode61')`,
]

/** Bits of `files.flags`. */
export const fileFlag = { generated: 1, test: 2, nonProduction: 4 } as const

let expectedSchema: string | undefined

/** An index that came with a repository may carry views or triggers of its own: only the schema we write is read. */
export function hasOurSchema(database: DatabaseSync): boolean {
  if (expectedSchema === undefined) {
    const own = new DatabaseSync(':memory:')
    for (const statement of schemaStatements) own.exec(statement)
    expectedSchema = schemaText(own)
    own.close()
  }
  return schemaText(database) === expectedSchema
}

function schemaText(database: DatabaseSync): string {
  return database
    .prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name LIMIT 200')
    .all()
    .map((row) => `${String(row['type'])} ${String(row['name'])} ${String(row['sql'])}`)
    .join('\n')
}
