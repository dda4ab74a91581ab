/** What of a project is not as its index has it. */
import { hash } from 'node:crypto'
import path from 'node:path'
import { readSmallBytes } from '../../git/find-repository.ts'
import type { LeftOut, LeftOutReason } from '../core/left-out.ts'
import { type Listing, type SourceFile, statSource } from '../files/list-files.ts'
import { fileBytesMax } from '../limits.ts'
import type { IndexState } from '../store/index-state.ts'

/** A file with its text as it was read, which a whole build lets go of once it has its facts. */
export interface SourceText {
  readonly file: SourceFile
  text: string
  readonly hash: string
}

export interface CurrentFile {
  readonly file: SourceFile
  readonly hash: string
  /** When its present content was indexed; undefined: it has not been yet. */
  readonly indexedMs: number | undefined
  /** Read already, because it did not look like what is indexed; gone again once its facts are taken from it. */
  source: SourceText | undefined
}

export interface Changes {
  /** Every file that belongs into the index, in order of path. */
  readonly files: readonly CurrentFile[]
  readonly added: number
  readonly changed: number
  readonly removed: number
  /** What the listing left out, and what could not be read as text. */
  readonly leftOut: readonly LeftOut[]
}

export function findChanges(root: string, listing: Listing, state: IndexState | undefined): Changes {
  const files: CurrentFile[] = []
  let added = 0
  let changed = 0
  const leftOut = [...listing.leftOut]
  for (const file of listing.files) {
    const record = state?.files.get(file.path)
    if (record !== undefined && record.size === file.size && record.modifiedMs === file.modifiedMs) {
      files.push({ file, hash: record.hash, indexedMs: record.indexedMs, source: undefined })
      continue
    }
    const source = readSource(root, file.path)
    if (source === undefined) continue
    if (typeof source === 'string') {
      leftOut.push({ path: file.path, reason: source, files: 1, bytes: file.size })
      continue
    }
    // Same bytes under a new time: nothing to parse, and nothing that a reader would see changes.
    if (record?.hash === source.hash) {
      files.push({ file: source.file, hash: record.hash, indexedMs: record.indexedMs, source: undefined })
      continue
    }
    if (record === undefined) added += 1
    else changed += 1
    files.push({ file: source.file, hash: source.hash, indexedMs: undefined, source })
  }
  const current = new Set(files.map((one) => one.file.path))
  const removed = state === undefined ? 0 : [...state.files.keys()].filter((one) => !current.has(one)).length
  return { files, added, changed, removed, leftOut }
}

/** Undefined: it is gone. Reads a file and its times together: when they moved in between, the next sync sees the difference. */
export function readSource(root: string, filePath: string): SourceText | LeftOutReason | undefined {
  const file = statSource(root, filePath)
  if (file === undefined) return undefined
  if (file.size > fileBytesMax) return 'too_large'
  const bytes = readSmallBytes(path.join(root, file.path), fileBytesMax)
  if (bytes === undefined) return statSource(root, filePath) === undefined ? undefined : 'unreadable'
  if (bytes.includes(0)) return 'not_text'
  const text = bytes.toString('utf8')
  return { file: { ...file, size: bytes.length }, text, hash: hash('sha256', text) }
}
