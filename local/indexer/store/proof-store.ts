/** What compilers said about edges, by file and by the text they saw. It outlives the index: what still is as it was stays proved. */
import { statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type CompilerCheck,
  doubtfulFiles,
  isForCompiler,
  type NotJudged,
  type NotJudgedReason,
} from '../core/compiler-check.ts'
import type { GraphReader } from '../core/graph-reader.ts'
import type { FileProof } from '../core/proofs.ts'
import { proofWaitMsMax } from '../limits.ts'
import { isCutChange, takeBackCutChange } from './cut-change.ts'
import { type IndexPlace, removeForeign } from './index-folder.ts'

const layout = `
CREATE TABLE IF NOT EXISTS proofs (path TEXT PRIMARY KEY, hash TEXT NOT NULL, tool TEXT NOT NULL, data TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS checks (id INTEGER PRIMARY KEY CHECK (id = 1), tool TEXT NOT NULL, settings TEXT NOT NULL, begun_ms INTEGER NOT NULL, ended_ms INTEGER);
CREATE TABLE IF NOT EXISTS seen_files (path TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS not_judged (path TEXT PRIMARY KEY, hash TEXT NOT NULL, reason TEXT NOT NULL) WITHOUT ROWID`

function proofFile(place: IndexPlace): string {
  return path.join(place.folder, 'proofs.db')
}

export function proofStamp(place: IndexPlace): string {
  const stat = statSync(proofFile(place), { bigint: true, throwIfNoEntry: false })
  return stat?.isFile() !== true ? '' : `${stat.ino}-${stat.size}-${stat.mtimeNs}`
}

/** In place of what was said about the same files before. */
export function keepProofs(place: IndexPlace, proofs: readonly FileProof[]): void {
  write(place, (database) => {
    const put = database.prepare('INSERT OR REPLACE INTO proofs VALUES (?, ?, ?, ?)')
    for (const { path: of, hash, tool, ...data } of proofs) put.run(of, hash, tool, JSON.stringify(data))
  })
}

/** Of all files. Nothing where nobody said anything, or what was said cannot be read: then nothing is proved. */
export function readProofs(place: IndexPlace): FileProof[] {
  return overProofs(place, (proofs) => [...proofs]) ?? []
}

/** The same one by one, so that not all of it is in the memory at once; undefined where nothing is kept or readable. */
export function overProofs<T>(place: IndexPlace, use: (proofs: Iterable<FileProof>) => T): T | undefined {
  return read(place, (database) => use(proofsIn(database)))
}

function* proofsIn(database: DatabaseSync): Generator<FileProof> {
  for (const row of database.prepare('SELECT path, hash, tool, data FROM proofs ORDER BY path').iterate())
    yield {
      ...{ path: String(row['path']), hash: String(row['hash']), tool: String(row['tool']) },
      ...(JSON.parse(String(row['data'])) as Omit<FileProof, 'path' | 'hash' | 'tool'>),
    }
}

export interface CheckBeginning {
  readonly tool: string
  /** Changes with what says how the project is compiled. */
  readonly settings: string
  readonly nowMs: number
}

/**
 * A check begins: what it has to say anew is not said any more, so that one that is ended in the middle leaves nothing that
 * does not hold. What an owner had another tool say stays.
 */
export function beginCheck(place: IndexPlace, reader: GraphReader, { tool, settings, nowMs }: CheckBeginning): void {
  const [compiler = ''] = tool.split(' ')
  write(place, (database) => {
    const last = database.prepare('SELECT tool, settings FROM checks').get()
    const seen = pairs(database, 'SELECT path, hash FROM seen_files')
    const isSame = last?.['tool'] === tool && last['settings'] === settings
    const doubtful = isSame ? doubtfulFiles(reader.graph, seen) : 'all'
    const own = `tool LIKE '${compiler} %'`
    if (doubtful === 'all') database.exec(`DELETE FROM proofs WHERE ${own}; DELETE FROM not_judged`)
    else {
      const forget = [`DELETE FROM proofs WHERE path = ? AND ${own}`, 'DELETE FROM not_judged WHERE path = ?']
      const statements = forget.map((sql) => database.prepare(sql))
      for (const one of doubtful) for (const statement of statements) statement.run(one)
    }
    database.exec('DELETE FROM seen_files')
    const put = database.prepare('INSERT INTO seen_files VALUES (?, ?)')
    for (const file of reader.graph.files) if (isForCompiler(file.path)) put.run(file.path, file.hash)
    database.prepare('INSERT OR REPLACE INTO checks VALUES (1, ?, ?, ?, NULL)').run(tool, settings, nowMs)
  })
}

/** Files of the compiler's languages of whose text nothing was said. */
export function filesToJudge(place: IndexPlace, { graph }: GraphReader): string[] {
  const known = read(place, (database) => [
    pairs(database, 'SELECT path, hash FROM proofs'),
    pairs(database, 'SELECT path, hash FROM not_judged'),
  ])
  return graph.files
    .filter((file) => isForCompiler(file.path) && known?.some((one) => one.get(file.path) === file.hash) !== true)
    .map((file) => file.path)
}

/** Until their texts are others; files that are not in the index any more are nothing to say anything about. */
export function keepNotJudged(
  place: IndexPlace,
  reader: GraphReader,
  paths: readonly string[],
  reason: NotJudgedReason,
): void {
  if (paths.length === 0) return
  write(place, (database) => {
    const put = database.prepare('INSERT OR REPLACE INTO not_judged VALUES (?, ?, ?)')
    for (const one of paths) {
      const file = reader.fileByPath(one)
      if (file !== undefined) put.run(file.path, file.hash, reason)
    }
  })
}

export function endCheck(place: IndexPlace, nowMs: number): void {
  write(place, (database) => database.prepare('UPDATE checks SET ended_ms = ?').run(nowMs))
}

export function readCheck(place: IndexPlace): CompilerCheck | undefined {
  return read(place, (database) => {
    const row = database.prepare('SELECT tool, begun_ms, ended_ms FROM checks').get()
    if (row === undefined) return undefined
    const notJudged = database.prepare('SELECT path, reason FROM not_judged ORDER BY path').all()
    const ended = row['ended_ms']
    return {
      tool: String(row['tool']),
      begunMs: Number(row['begun_ms']),
      endedMs: ended === null ? undefined : Number(ended),
      notJudged: notJudged.map((one) => ({ path: one['path'], reason: one['reason'] }) as unknown as NotJudged),
    }
  })
}

/** The text that something was said about, by path. */
export function judgedTexts(place: IndexPlace): ReadonlyMap<string, string> {
  return read(place, (database) => pairs(database, 'SELECT path, hash FROM proofs')) ?? new Map()
}

function pairs(database: DatabaseSync, sql: string): ReadonlyMap<string, string> {
  return new Map(
    database
      .prepare(sql)
      .all()
      .map((row) => [String(row['path']), String(row['hash'])]),
  )
}

function write(place: IndexPlace, change: (database: DatabaseSync) => void): void {
  removeForeign(place)
  const database = new DatabaseSync(proofFile(place), { timeout: proofWaitMsMax })
  try {
    database.exec(`BEGIN IMMEDIATE; ${layout}`)
    change(database)
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}

/** Undefined where nothing is kept, or what is kept cannot be read. */
function read<T>(place: IndexPlace, ask: (database: DatabaseSync) => T): T | undefined {
  if (proofStamp(place) === '') return undefined
  const file = proofFile(place)
  const answer = (): T => {
    const database = new DatabaseSync(file, { readOnly: true, timeout: proofWaitMsMax })
    try {
      return ask(database)
    } finally {
      database.close()
    }
  }
  try {
    try {
      return answer()
    } catch (error) {
      // A check that was killed while it wrote.
      if (!isCutChange(error)) throw error
      takeBackCutChange(file)
      return answer()
    }
  } catch {
    return undefined
  }
}
