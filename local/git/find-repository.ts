/** Finds the repository a folder belongs to, without git: its discovery reads configuration that may be a stranger's. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { gitLinkBytesMax } from './limits.ts'

export interface Repository {
  /** The folder that has the `.git`. What its configuration calls its work tree is not asked. */
  readonly top: string
  /** Where `HEAD` and the index are: a work tree of several has a folder of its own. */
  readonly folder: string
  /** Where objects and references are. */
  readonly common: string
}

/**
 * Undefined outside of a repository. A folder that merely looks like a repository is none, and neither is one that
 * belongs to another user: what he says about it is not for us.
 */
export function findRepository(directory: string): Repository | undefined {
  let top = path.resolve(directory)
  for (;;) {
    const folder = gitFolderOf(top)
    if (folder !== undefined) {
      const isInside = `${directory}/`.startsWith(`${folder}/`)
      return !isInside && isOurs(top) && isOurs(folder) ? withCommon(top, folder) : undefined
    }
    const parent = path.dirname(top)
    if (parent === top) return undefined
    top = parent
  }
}

function gitFolderOf(top: string): string | undefined {
  const place = path.join(top, '.git')
  try {
    const facts = statSync(place)
    if (facts.isDirectory()) return looksWhole(place) ? realpathSync(place) : undefined
  } catch {
    return undefined
  }
  const target = /^gitdir: (.+?)\n*$/.exec(readSmallFile(place, gitLinkBytesMax) ?? '')?.[1]
  if (target === undefined) return undefined
  try {
    const folder = realpathSync(path.resolve(top, target))
    return looksWhole(folder) ? folder : undefined
  } catch {
    return undefined
  }
}

/** An empty folder called `.git` ends no search. */
function looksWhole(folder: string): boolean {
  try {
    return lstatSync(path.join(folder, 'HEAD')).size > 0
  } catch {
    return false
  }
}

function withCommon(top: string, folder: string): Repository | undefined {
  const named = readSmallFile(path.join(folder, 'commondir'), gitLinkBytesMax)?.trim()
  if (named === undefined || named === '') return { top, folder, common: folder }
  try {
    const common = realpathSync(path.resolve(folder, named))
    return isOurs(common) ? { top, folder, common } : undefined
  } catch {
    return undefined
  }
}

function isOurs(place: string): boolean {
  return process.geteuid === undefined || statSync(place).uid === process.geteuid()
}

export function readSmallFile(file: string, bytesMax: number): string | undefined {
  return readSmallBytes(file, bytesMax)?.toString('utf8')
}

/** Undefined unless it is an ordinary file of at most so many bytes. A pipe that lies there makes nobody wait. */
export function readSmallBytes(file: string, bytesMax: number): Buffer | undefined {
  let handle: number
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const facts = fstatSync(handle)
    if (!facts.isFile() || facts.size > bytesMax) return undefined
    const bytes = Buffer.alloc(facts.size)
    let length = 0
    while (length < bytes.length) {
      const read = readSync(handle, bytes, length, bytes.length - length, length)
      if (read === 0) break
      length += read
    }
    return bytes.subarray(0, length)
  } catch {
    return undefined
  } finally {
    closeSync(handle)
  }
}
