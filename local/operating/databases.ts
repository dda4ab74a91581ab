/** The databases of a data folder, and whether they are whole. Nobody may have them open. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type JournalLoss, journalLossOf } from '../sqlite/journal.ts'
import { startCheckBytesMax, thoroughCheckBytesMax } from './limits.ts'
import { changedByThemselves } from './noted-digests.ts'

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
  /** It can be used, and something in it is not what was written. */
  readonly isReadable?: true
}

export interface CutJournal extends DatabaseFile {
  readonly loss: JournalLoss
}

export interface Checked {
  readonly damages: readonly Damage[]
  /** Of databases that are as they were some time before the end: what was written last is gone. */
  readonly cutJournals: readonly CutJournal[]
  /** Left out: all together are larger than what a start has time for. */
  readonly unchecked: number
}

export function checkDatabases(dataFolder: string, bytesMax = startCheckBytesMax): Checked {
  const damages: Damage[] = []
  const cutJournals: CutJournal[] = []
  let left = bytesMax
  let unchecked = 0
  const files = databasesOf(dataFolder)
  const changed = changedByThemselves(dataFolder, files)
  for (const one of files) {
    const bytes = bytesOf(one.file)
    if (bytes > left) {
      unchecked += 1
      continue
    }
    left -= bytes
    // Whoever opens it takes what is left of its journal for the whole.
    const loss = journalLossOf(one.file)
    const why = loss?.isMixed === true ? sayMixed(loss) : damageOf(one.file)
    if (why !== undefined) damages.push({ ...one, why })
    else if (changed.has(one.file)) damages.push({ ...one, why: changedByItself, isReadable: true })
    else if (loss !== undefined) cutJournals.push({ ...one, loss })
  }
  return { damages, cutJournals, unchecked }
}

const changedByItself = 'bytes of it are not what they were when it was last closed, and nobody wrote them'

function sayMixed({ committed, whole }: JournalLoss): string {
  return `its journal lost ${committed - whole} of ${committed} pages, some of which were taken over already`
}
