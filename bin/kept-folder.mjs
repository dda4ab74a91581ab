// Plain JavaScript: what strips the types of the first TypeScript file takes longer to load than all that follows it.
import { lstatSync, mkdirSync } from 'node:fs'
import path from 'node:path'

/**
 * A folder for what one start keeps for the next, or undefined when no place is safe. What lies there is run or believed:
 * so never in the project, which may be someone else's, and only in a folder that nobody else can write.
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @param {string} home
 * @returns {string | undefined}
 */
export function keptFolder(environment, home) {
  const shared = environment.XDG_CACHE_HOME ?? ''
  const base = path.isAbsolute(shared) ? shared : path.join(home, '.cache')
  const folder = path.join(base, 'wharf')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = lstatSync(folder)
    const isOwn = process.getuid === undefined || found.uid === process.getuid()
    return found.isDirectory() && isOwn && (found.mode & 0o077) === 0 ? folder : undefined
  } catch {
    return undefined
  }
}

/**
 * Where compiled code of the last start lies.
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @param {string} home
 * @returns {string | undefined}
 */
export function compiledFolder(environment, home) {
  const folder = keptFolder(environment, home)
  return folder === undefined ? undefined : path.join(folder, 'compiled')
}
