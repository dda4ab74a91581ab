/**
 * What the databases looked like when the service last ended, so that bytes which change on a disk by themselves are
 * noticed: most of a database is text and numbers, of which any would do. A file that somebody wrote since is not judged.
 * The note lies beside the databases and in no backup: what is put back begins without one.
 */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import path from 'node:path'
import { replaceFile } from '../files/replace-file.ts'
import { startCheckBytesMax } from './limits.ts'

interface Noted {
  readonly bytes: number
  readonly changedAtNs: string
  readonly sha256: string
  /** It was not as noted before, and is told of until a backup is put back. */
  readonly isSuspect?: boolean | undefined
}
type Note = Record<string, Noted>

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
  replaceFile(noteFileOf(dataFolder), JSON.stringify(note))
}

function readNote(dataFolder: string): Note {
  try {
    const note: unknown = JSON.parse(readFileSync(noteFileOf(dataFolder), 'utf8'))
    if (typeof note === 'object' && note !== null && Object.values(note).every(isNoted)) return note as Note
  } catch {
    // None yet, or not whole.
  }
  // Then nothing can be said.
  return {}
}

/** By hand: a start would otherwise load what reads schemas for this one. */
function isNoted(one: unknown): one is Noted {
  if (typeof one !== 'object' || one === null) return false
  const { bytes, changedAtNs, sha256, isSuspect } = one as Record<keyof Noted, unknown>
  const isTold = typeof bytes === 'number' && typeof changedAtNs === 'string' && typeof sha256 === 'string'
  return isTold && (isSuspect === undefined || typeof isSuspect === 'boolean')
}

function nameOf(dataFolder: string, file: string): string {
  return path.relative(dataFolder, file)
}

function stampOf(file: string): string {
  const { size, mtimeNs } = statSync(file, { bigint: true })
  return `${size} ${mtimeNs}`
}

function stampIn({ bytes, changedAtNs }: Noted): string {
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
