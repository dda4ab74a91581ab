/**
 * Puts a backup back into a data folder that nobody has open. Everything is unpacked and looked through beside what is
 * there; then a note is written, and from that moment on the restore is done, whatever is killed: who opens the folder
 * next moves what is not moved yet. What was there before is kept.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { BackupTrouble } from '../../workers/app/core/operating/backup-trouble.ts'
import { replaceFile } from '../files/replace-file.ts'
import { unpackAndOpen, type Verified } from './backup-file.ts'
import { finishRestore, placesOf, type RestoreNote } from './finish-restore.ts'
import { isKept } from './scope.ts'

export interface Restored extends Verified {
  /** Where what was there before is now; undefined where nothing was. */
  readonly previous: string | undefined
}

export interface RestoreOptions {
  readonly dataFolder: string
  readonly file: string
  readonly passPhrase: string | undefined
  /** Steps that this version knows. */
  readonly migrations: readonly string[]
  readonly stamp: string
}

/** The caller holds the lock of the folder. */
export async function restoreBackup(options: RestoreOptions): Promise<Result<Restored, BackupTrouble>> {
  const { dataFolder, file, passPhrase, migrations, stamp } = options
  finishRestore(dataFolder)
  const { restoring, fresh, note, previous: before } = placesOf(dataFolder)
  mkdirSync(fresh, { recursive: true, mode: 0o700 })
  const unpacked = await unpackAndOpen(file, fresh, passPhrase)
  const steps = unpacked.ok ? unknownSteps(unpacked.value, migrations) : []
  if (!unpacked.ok || steps.length > 0) {
    rmSync(restoring, { recursive: true, force: true })
    return unpacked.ok ? failWith({ kind: 'unknown_steps', steps }) : unpacked
  }
  const put = readdirSync(fresh)
  const written: RestoreNote = { stamp: unusedStamp(before, stamp), put, taken: readdirSync(dataFolder).filter(isKept) }
  replaceFile(note, JSON.stringify(written), { isSynced: true })
  const previous = finishRestore(dataFolder)
  return succeed({ ...unpacked.value, previous })
}

/** Two restores within one second keep what was there before each of them. */
function unusedStamp(previous: string, stamp: string): string {
  let unused = stamp
  for (let n = 2; existsSync(path.join(previous, unused)); n += 1) unused = `${stamp}-${n}`
  return unused
}

function unknownSteps({ manifest }: Verified, migrations: readonly string[]): readonly string[] {
  return manifest.migrations.filter((step) => !migrations.includes(step))
}
