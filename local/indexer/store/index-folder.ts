import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const defaultFolder = '.indexer'

export interface IndexPlace {
  /** The project read. */
  readonly root: string
  readonly folder: string
  readonly database: string
  readonly cache: string
  readonly lock: string
}

/** A folder setting must be one plain name; anything else is refused in favour of the default. */
export function isPlainFolderName(name: string): boolean {
  return (
    name !== '' &&
    name !== '.' &&
    name !== '..' &&
    !/[/\\\0]/.test(name) &&
    !path.isAbsolute(name) &&
    !/^[a-z]:/i.test(name)
  )
}

export function indexPlace(root: string, folderSetting: string | undefined): IndexPlace {
  const name = folderSetting !== undefined && isPlainFolderName(folderSetting) ? folderSetting : defaultFolder
  return indexPlaceIn(path.join(root, name), root)
}

/** Of an index that lies elsewhere than in its project. */
export function indexPlaceIn(folder: string, root: string): IndexPlace {
  return {
    root,
    folder,
    database: path.join(folder, 'index.db'),
    cache: path.join(folder, 'facts.db'),
    lock: path.join(folder, 'index.lock'),
  }
}

/**
 * Makes the folder, private to its owner, and keeps it out of version control. It lies in the project, and may have come
 * with it: links, which nobody here makes, would have a file elsewhere written to, and a pipe is waited for.
 */
export function createIndexFolder(place: IndexPlace): void {
  mkdirSync(place.folder, { recursive: true, mode: 0o700 })
  if (!lstatSync(place.folder).isDirectory()) throw new ForeignFolderError(`${place.folder} is a link; remove it`)
  removeForeign(place)
  const ignore = path.join(place.folder, '.gitignore')
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n!.gitignore\n', { mode: 0o600 })
}

/** Before anything in the folder is opened for writing. */
export function removeForeign({ folder }: IndexPlace): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (!entry.isFile() && !entry.isDirectory()) rmSync(path.join(folder, entry.name))
}

/** What is where the index should be was put there by somebody else. */
export class ForeignFolderError extends Error {}

/** The nearest folder, from the given one upwards, that holds an index or one being built. */
export function findIndexRoot(from: string, folderSetting: string | undefined): string | undefined {
  let at = path.resolve(from)
  for (;;) {
    const place = indexPlace(at, folderSetting)
    if (existsSync(place.database) || existsSync(place.lock)) return at
    const parent = path.dirname(at)
    if (parent === at) return undefined
    at = parent
  }
}

const refusedFolders = new Set([
  '/',
  '/etc',
  '/usr',
  '/bin',
  '/sbin',
  '/var',
  '/tmp',
  '/dev',
  '/proc',
  '/sys',
  '/root',
  '/boot',
  '/lib',
  '/lib64',
  '/opt',
  'c:\\',
  'c:\\windows',
  'c:\\windows\\system32',
])
const refusedHomeFolders = ['.ssh', '.gnupg', '.aws', '.config']

/** Why a folder may not be a project, or undefined when it may. */
export function refuseRoot(folder: string, home: string = os.homedir()): string | undefined {
  const resolved = path.resolve(folder)
  const folded = resolved.toLowerCase()
  if (refusedFolders.has(resolved) || refusedFolders.has(folded)) return `${resolved} is a system folder, not a project`
  for (const name of refusedHomeFolders) {
    const secret = path.join(home, name)
    if (isAtOrBelow(resolved, secret) || isAtOrBelow(folded, secret.toLowerCase()))
      return `${resolved} holds private settings and is never read`
  }
  try {
    if (!statSync(resolved).isDirectory()) return `${resolved} is not a folder`
  } catch {
    return `${resolved} does not exist`
  }
  return undefined
}

/** The whole disk, a home folder or what holds it: too much to read or watch unasked, and not a project. */
export function isTooBroad(root: string, home: string = os.homedir()): boolean {
  const resolved = path.resolve(root)
  return resolved === path.parse(resolved).root || resolved === home || home.startsWith(resolved + path.sep)
}

function isAtOrBelow(folder: string, ancestor: string): boolean {
  return folder === ancestor || folder.startsWith(ancestor + path.sep)
}
