/** The databases of a data folder, and whether they are whole. Nobody may have them open. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startCheckBytesMax, thoroughCheckBytesMax } from './limits.ts'

export interface DatabaseFile {
  readonly file: string
  /** The main one; when to look after the objects of a class; or one object's. */
  readonly kind: 'main' | 'index' | 'object'
}

const indexName = 'metadata.sqlite'

/** The main one first: what it says stands on what objects have kept before. */
export function databasesOf(dataFolder: string): DatabaseFile[] {
  const state = path.join(dataFolder, 'state')
  const inFolders = (family: string) =>
    foldersIn(path.join(state, family)).flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.sqlite'))
        .sort()
        .map((name) => path.join(folder, name)),
    )
  const objects = inFolders('do')
  const of = (kind: DatabaseFile['kind'], files: readonly string[]) => files.map((file) => ({ file, kind }))
  return [
    ...of(
      'main',
      inFolders('d1').filter((file) => path.basename(file) !== indexName),
    ),
    ...of(
      'index',
      objects.filter((file) => path.basename(file) === indexName),
    ),
    ...of(
      'object',
      objects.filter((file) => path.basename(file) !== indexName),
    ),
  ]
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(folder, entry.name))
    .sort()
}

/** With what waits in its journal. */
export function bytesOf(file: string): number {
  return [file, `${file}-wal`].reduce((sum, one) => sum + (statSync(one, { throwIfNoEntry: false })?.size ?? 0), 0)
}

/** What is wrong with a database; undefined for one that is whole. */
export function damageOf(file: string): string | undefined {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 1_000 })
    const check = bytesOf(file) <= thoroughCheckBytesMax ? 'integrity_check' : 'quick_check'
    const row = database.prepare(`PRAGMA ${check}(1)`).get()
    const said = String(Object.values(row ?? {})[0])
    return said === 'ok' ? undefined : said.replaceAll('\n', ' ')
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    database?.close()
  }
}

export interface Damage extends DatabaseFile {
  readonly why: string
}

export interface Checked {
  readonly damages: readonly Damage[]
  /** Left out: all together are larger than what a start has time for. */
  readonly unchecked: number
}

export function checkDatabases(dataFolder: string, bytesMax = startCheckBytesMax): Checked {
  const damages: Damage[] = []
  let left = bytesMax
  let unchecked = 0
  for (const one of databasesOf(dataFolder)) {
    const bytes = bytesOf(one.file)
    if (bytes > left) {
      unchecked += 1
      continue
    }
    left -= bytes
    const why = damageOf(one.file)
    if (why !== undefined) damages.push({ ...one, why })
  }
  return { damages, unchecked }
}
