/** What of a data folder belongs into a backup: all that cannot be made again. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { isHalfReplaced } from '../files/replace-file.ts'

/** At the top of the folder: what is made anew, what is of one run, and the backups themselves. */
const leftOut: ReadonlySet<string> = new Set([
  'cache',
  'logs',
  'tmp',
  'backups',
  'before-restore',
  'restoring',
  'addresses.json',
  'disk-try',
  'host.lock',
])

export function isKept(name: string): boolean {
  return !leftOut.has(name) && !name.startsWith('host.mutex') && !isHalfReplaced(name)
}

/** What the agent server has compiled, and what databases looked like that are no more when a backup is put back. */
const leftOutBelow: ReadonlySet<string> = new Set(['agent/compiled', 'state/noted-digests.json'])

export interface ScopedFile {
  /** With slashes, below the data folder. */
  readonly path: string
  readonly kind: 'database' | 'file'
}

const databaseName = /\.(sqlite|db)$/
/** Beside a database: what is in them comes with it. */
const journalName = /\.(sqlite|db)-(wal|shm|journal)$/

/** The main database first, then objects, then the rest: what the main one says stands on what objects have kept. */
export function filesOf(dataFolder: string): ScopedFile[] {
  const found: ScopedFile[] = []
  const walk = (below: string): void => {
    for (const entry of readdirSync(path.join(dataFolder, below), { withFileTypes: true })) {
      const own = below === '' ? entry.name : `${below}/${entry.name}`
      if ((below === '' && !isKept(entry.name)) || leftOutBelow.has(own)) continue
      if (entry.isDirectory()) walk(own)
      if (!entry.isFile() || journalName.test(entry.name) || isHalfReplaced(entry.name)) continue
      found.push({ path: own, kind: databaseName.test(entry.name) ? 'database' : 'file' })
    }
  }
  walk('')
  return found.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))
}

function rank({ path: file, kind }: ScopedFile): number {
  if (kind === 'file') return 3
  if (file.startsWith('state/d1/')) return 0
  return file.startsWith('state/') ? 1 : 2
}
