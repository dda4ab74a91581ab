/**
 * What the databases looked like when the service last ended, so that bytes which change on a disk by themselves are
 * noticed: most of a database is text and numbers, of which any would do. A file that somebody wrote since is not judged.
 * The note lies beside the databases and in no backup: what is put back begins without one.
 */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { startCheckBytesMax } from './limits.ts'

const noteSchema = z.record(
  z.string(),
  z.object({
    bytes: z.number(),
    changedAtNs: z.string(),
    sha256: z.string(),
    /** It was not as noted before, and is told of until a backup is put back. */
    isSuspect: z.boolean().optional(),
  }),
)
type Note = z.infer<typeof noteSchema>

const pieceBytes = 1024 ** 2

export function noteFileOf(dataFolder: string): string {
  return path.join(dataFolder, 'state', 'noted-digests.json')
}

/** Of databases that nobody wrote since the service ended: those that are others now, or were at an earlier start. */
export function changedByThemselves(dataFolder: string, files: readonly { readonly file: string }[]): Set<string> {
  const note = readNote(dataFolder)
  const changed = new Set<string>()
  for (const { file } of files) {
    const noted = note[nameOf(dataFolder, file)]
    if (noted === undefined) continue
    if (noted.isSuspect === true) changed.add(file)
    else if (stampOf(file) === stampIn(noted) && digestOf(file) !== noted.sha256) changed.add(file)
  }
  return changed
}

/** When the service has ended and nobody has the databases open; those with a journal are not at rest. */
export function noteDigests(
  dataFolder: string,
  files: readonly { readonly file: string }[],
  suspects: ReadonlySet<string>,
  bytesMax = startCheckBytesMax,
): void {
  const before = readNote(dataFolder)
  const note: Note = {}
  let left = bytesMax
  for (const { file } of files) {
    const { size } = statSync(file)
    left -= size
    if (left < 0 || (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) continue
    const known = before[nameOf(dataFolder, file)]
    const stamp = stampOf(file)
    const isSame = known !== undefined && stamp === stampIn(known)
    note[nameOf(dataFolder, file)] = {
      bytes: size,
      changedAtNs: stamp.split(' ')[1] ?? '',
      sha256: isSame ? known.sha256 : digestOf(file),
      ...(suspects.has(file) ? { isSuspect: true } : {}),
    }
  }
  const file = noteFileOf(dataFolder)
  writeFileSync(`${file}.new`, JSON.stringify(note), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

function readNote(dataFolder: string): Note {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(noteFileOf(dataFolder), 'utf8')))
  } catch {
    // None yet, or not whole: then nothing can be said.
    return {}
  }
}

function nameOf(dataFolder: string, file: string): string {
  return path.relative(dataFolder, file)
}

function stampOf(file: string): string {
  const { size, mtimeNs } = statSync(file, { bigint: true })
  return `${size} ${mtimeNs}`
}

function stampIn({ bytes, changedAtNs }: Note[string]): string {
  return `${bytes} ${changedAtNs}`
}

function digestOf(file: string): string {
  const hash = createHash('sha256')
  const piece = Buffer.alloc(pieceBytes)
  const handle = openSync(file, 'r')
  try {
    for (let read = readSync(handle, piece); read > 0; read = readSync(handle, piece))
      hash.update(piece.subarray(0, read))
  } finally {
    closeSync(handle)
  }
  return hash.digest('hex')
}
