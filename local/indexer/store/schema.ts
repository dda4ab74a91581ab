/**
 * Tables of a published index. Kinds, languages and manners of resolution are numbers: their place in the
 * vocabulary. Edges, and what walking the graph asks of nodes, are columns (`graph-columns.ts`) and no rows. `contains`
 * edges are not stored: a node's parent says the same.
 */
export const schemaStatements: readonly string[] = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE files (
    n INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, language INTEGER NOT NULL, hash TEXT NOT NULL, size INTEGER NOT NULL,
    modified_ms INTEGER NOT NULL, indexed_ms INTEGER NOT NULL, lines INTEGER NOT NULL, flags INTEGER NOT NULL,
    node_first INTEGER NOT NULL, node_count INTEGER NOT NULL, errors TEXT,
    given_up INTEGER, given_up_references INTEGER NOT NULL)`,
  `CREATE TABLE left_out (path TEXT PRIMARY KEY, reason INTEGER NOT NULL, files INTEGER NOT NULL, bytes INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE nodes (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL,
    col INTEGER NOT NULL, end_col INTEGER NOT NULL, signature TEXT, doc TEXT, extra TEXT)`,
  `CREATE UNIQUE INDEX nodes_id ON nodes (id)`,
  `CREATE INDEX nodes_name ON nodes (name COLLATE NOCASE)`,
  `CREATE TABLE columns (name TEXT PRIMARY KEY, data BLOB NOT NULL)`,
  `CREATE TABLE names (n INTEGER PRIMARY KEY, name TEXT NOT NULL)`,
  `CREATE TABLE unresolved (file INTEGER PRIMARY KEY, count INTEGER NOT NULL, data BLOB NOT NULL)`,
  `CREATE VIRTUAL TABLE node_words USING fts5(words, content='', detail=none, columnsize=0, tokenize='unicode61')`,
]

/** Bits of `files.flags`. */
export const fileFlag = { generated: 1, test: 2, nonProduction: 4 } as const
