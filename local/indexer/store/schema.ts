/**
 * Tables of a published index. Kinds, languages and manners of resolution are numbers: their place in the
 * vocabulary. `contains` edges are not stored: a node's parent says the same.
 */
export const schemaStatements: readonly string[] = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE files (
    n INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, language INTEGER NOT NULL, hash TEXT NOT NULL, size INTEGER NOT NULL,
    modified_ms INTEGER NOT NULL, indexed_ms INTEGER NOT NULL, lines INTEGER NOT NULL, flags INTEGER NOT NULL,
    node_first INTEGER NOT NULL, node_count INTEGER NOT NULL, errors TEXT)`,
  `CREATE TABLE nodes (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL, qualified TEXT, file INTEGER NOT NULL,
    parent INTEGER NOT NULL, line INTEGER NOT NULL, end_line INTEGER NOT NULL, col INTEGER NOT NULL, end_col INTEGER NOT NULL,
    flags INTEGER NOT NULL, signature TEXT, doc TEXT, extra TEXT)`,
  `CREATE UNIQUE INDEX nodes_id ON nodes (id)`,
  `CREATE INDEX nodes_name ON nodes (name COLLATE NOCASE)`,
  `CREATE TABLE edges (
    source INTEGER NOT NULL, target INTEGER NOT NULL, kind INTEGER NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL,
    how INTEGER NOT NULL, confidence INTEGER NOT NULL)`,
  `CREATE INDEX edges_source ON edges (source)`,
  `CREATE INDEX edges_target ON edges (target)`,
  `CREATE TABLE names (n INTEGER PRIMARY KEY, name TEXT NOT NULL)`,
  `CREATE TABLE unresolved (source INTEGER NOT NULL, name INTEGER NOT NULL, kind INTEGER NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL)`,
  `CREATE INDEX unresolved_source ON unresolved (source)`,
  `CREATE VIRTUAL TABLE node_words USING fts5(words, content='', detail=none, columnsize=0, tokenize='unicode61')`,
]

/** Bits of `files.flags`. */
export const fileFlag = { generated: 1, test: 2, nonProduction: 4 } as const
/** Bits of `nodes.flags`. */
export const nodeFlag = { exported: 1, async: 2, static: 4, abstract: 8 } as const
