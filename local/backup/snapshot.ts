/** Copies of everything in a data folder, of one moment as far as there is one, while others write. */
import { createHash } from 'node:crypto'
import { copyFileSync, createReadStream, mkdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { pieceBytes, pinnedDatabasesMax } from './limits.ts'
import type { BackupReason, Manifest, ManifestFile } from './manifest.ts'
import { filesOf, type ScopedFile } from './scope.ts'

const busyMs = 5_000
/** All of a database in one step: between steps writers would make it begin anew. */
const allPages = 2 ** 31 - 1

export interface SnapshotOptions {
  readonly dataFolder: string
  /** An empty folder, for the copies. */
  readonly into: string
  readonly version: string
  readonly reason: BackupReason
  readonly atUnix: number
}

/**
 * Up to the first `await` nobody else of this process runs: where the script runs in it too, whatever it has committed is
 * in the copies, and nothing that it commits from then on. Elsewhere the databases are held still one after the other,
 * within milliseconds, the main one first.
 */
export async function takeSnapshot(options: SnapshotOptions): Promise<Manifest> {
  const { dataFolder, into } = options
  const scoped = filesOf(dataFolder)
  const sources = scoped.filter(({ kind }) => kind === 'database').map((one) => ({ one, pinned: undefined as Pin }))
  for (const source of sources.slice(0, pinnedDatabasesMax)) source.pinned = pin(path.join(dataFolder, source.one.path))
  const damaged: string[] = []
  try {
    for (const source of sources) {
      const { one } = source
      const file = path.join(dataFolder, one.path)
      const copy = path.join(into, one.path)
      mkdirSync(path.dirname(copy), { recursive: true, mode: 0o700 })
      const from = source.pinned ?? pin(file)
      source.pinned = undefined
      // Gone meanwhile: an object that was deleted.
      if (from === 'gone') continue
      if (typeof from === 'string' || !(await copied(from, copy))) {
        copyFileSync(file, copy)
        damaged.push(one.path)
      }
    }
  } finally {
    for (const { pinned } of sources) if (pinned instanceof DatabaseSync) pinned.close()
  }
  for (const { path: own, kind } of scoped) if (kind === 'file') copyPlain(dataFolder, into, own)
  return describe(options, scoped, damaged)
}

type Pin = DatabaseSync | 'gone' | 'damaged' | undefined

/** Opened for reading, and held at what it says now. */
function pin(file: string): DatabaseSync | 'gone' | 'damaged' {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return 'gone'
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: busyMs })
    database.exec('BEGIN')
    database.prepare('SELECT count(*) FROM sqlite_master').get()
    return database
  } catch {
    database?.close()
    return 'damaged'
  }
}

async function copied(from: DatabaseSync, copy: string): Promise<boolean> {
  try {
    await backup(from, copy, { rate: allPages })
    return true
  } catch {
    rmSync(copy, { force: true })
    return false
  } finally {
    from.close()
  }
}

/** These are written whole and renamed into place; one that goes meanwhile is of no use. */
function copyPlain(dataFolder: string, into: string, own: string): void {
  mkdirSync(path.dirname(path.join(into, own)), { recursive: true, mode: 0o700 })
  try {
    copyFileSync(path.join(dataFolder, own), path.join(into, own))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

async function describe(options: SnapshotOptions, scoped: readonly ScopedFile[], damaged: string[]): Promise<Manifest> {
  const { into, version, reason, atUnix } = options
  const files: ManifestFile[] = []
  let rows = 0
  let migrations: string[] = []
  for (const { path: own, kind } of scoped) {
    const copy = path.join(into, own)
    if (statSync(copy, { throwIfNoEntry: false }) === undefined) continue
    if (kind === 'database' && !damaged.includes(own)) {
      const looked = lookInto(copy)
      if (looked.damage !== undefined) damaged.push(own)
      rows += looked.rows
      if (own.startsWith('state/d1/') && looked.migrations.length > 0) migrations = looked.migrations
    }
    files.push({ path: own, kind, bytes: statSync(copy).size, sha256: await digestOf(copy) })
  }
  return { format: 1, version, madeAtUnix: atUnix, reason, migrations, rows, files, damaged }
}

export interface LookedInto {
  readonly damage: string | undefined
  readonly rows: number
  readonly migrations: string[]
}

/** Opens a database that nobody else has, reads through it and counts what is in it. */
export function lookInto(file: string): LookedInto {
  let database: DatabaseSync | undefined
  const migrations: string[] = []
  let rows = 0
  try {
    database = new DatabaseSync(file, { timeout: 0 })
    const said = String(Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0])
    if (said !== 'ok') return { damage: said, rows, migrations }
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL").all()
    for (const { name } of tables) {
      const quoted = `"${String(name).replaceAll('"', '""')}"`
      rows += Number(database.prepare(`SELECT count(*) AS count FROM ${quoted}`).get()?.['count'] ?? 0)
      if (name === 'd1_migrations')
        for (const step of database.prepare('SELECT name FROM d1_migrations ORDER BY id').all())
          migrations.push(String(step['name']))
    }
    return { damage: undefined, rows, migrations }
  } catch (error) {
    return { damage: error instanceof Error ? error.message : String(error), rows, migrations }
  } finally {
    database?.close()
  }
}

export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file, { highWaterMark: pieceBytes })) hash.update(piece as Buffer)
  return hash.digest('hex')
}
