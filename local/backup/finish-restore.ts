/** The second half of a restore, which a start ends where it was cut off. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { syncToDisk } from '../files/replace-file.ts'
import { previousKept } from './limits.ts'

export const placesOf = (dataFolder: string) => {
  const restoring = path.join(dataFolder, 'restoring')
  return {
    restoring,
    fresh: path.join(restoring, 'new'),
    note: path.join(restoring, 'ready.json'),
    previous: path.join(dataFolder, 'before-restore'),
  }
}

export interface RestoreNote {
  /** Of the folder that what was there goes to. */
  readonly stamp: string
  /** At the top of the data folder: what is put there, and what was there. */
  readonly put: readonly string[]
  readonly taken: readonly string[]
}

/** Ends a restore that was begun; without its note it is as if there had been none. Answers where the old files are. */
export function finishRestore(dataFolder: string): string | undefined {
  const { restoring, fresh, note, previous } = placesOf(dataFolder)
  if (!existsSync(restoring)) return undefined
  if (!existsSync(note)) {
    rmSync(restoring, { recursive: true, force: true })
    return undefined
  }
  const { stamp, put, taken }: RestoreNote = JSON.parse(readFileSync(note, 'utf8'))
  const old = path.join(previous, stamp)
  mkdirSync(old, { recursive: true, mode: 0o700 })
  for (const name of new Set([...taken, ...put])) {
    const here = path.join(dataFolder, name)
    const isPut = put.includes(name)
    // What was put already is not taken away again.
    const isOld =
      existsSync(here) && !existsSync(path.join(old, name)) && (!isPut || existsSync(path.join(fresh, name)))
    if (isOld) renameSync(here, path.join(old, name))
    if (isPut && existsSync(path.join(fresh, name))) renameSync(path.join(fresh, name), here)
  }
  syncToDisk(dataFolder)
  syncToDisk(old)
  rmSync(restoring, { recursive: true, force: true })
  const isEmpty = readdirSync(old).length === 0
  if (isEmpty) rmSync(old, { recursive: true })
  for (const older of readdirSync(previous).sort().reverse().slice(previousKept))
    rmSync(path.join(previous, older), { recursive: true, force: true })
  return isEmpty ? undefined : old
}
