/** Files of this machine's owner that are whole or absent, whoever reads them and whenever the process ends. */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

interface Replacing {
  /** What was acknowledged, and is to outlast a power cut: it is on the disk before this returns. */
  readonly isSynced?: boolean
}

/** Written beside, for its owner's eyes alone, then renamed into place; where that fails nothing is left behind. */
export function replaceFile(file: string, content: string | Uint8Array, { isSynced = false }: Replacing = {}): void {
  const beside = `${file}.${randomBytes(6).toString('hex')}.new`
  try {
    // `wx` follows no link that somebody has put there.
    writeFileSync(beside, content, { mode: 0o600, flag: 'wx', flush: isSynced })
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
  if (isSynced) syncToDisk(path.dirname(file))
}

/** Whether it is what a process that ended in between has left, or one is about to rename. */
export function isHalfReplaced(name: string): boolean {
  return /\.[0-9a-f]{12}\.new$/.test(name)
}

/** What was written to a file, or put into a folder or taken out of it, is on the disk once this returns. */
export function syncToDisk(place: string): void {
  const handle = openSync(place, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
