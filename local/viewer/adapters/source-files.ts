/** The one way to a file of the project: never outside it, never through a link out, never what is no file. */
import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { succeed } from '#shared/kernel/result.ts'
import { listOtherTexts } from '../../indexer/files/list-files.ts'
import { readProjectConfig } from '../../indexer/files/project-config.ts'
import { fileBytesMax } from '../../indexer/limits.ts'
import { type Answer, notFound, refused } from '../core/failure.ts'
import { gatePath } from '../core/file-gate.ts'
import { ownersFiles } from '../core/owners.ts'
import { otherTextsMax, ownersBytesMax, sourceBytesMax } from '../limits.ts'
import type { SourceFiles, SourceState } from '../ports.ts'

export function createSourceFiles(root: string): SourceFiles {
  const realRoot = realpathSync(root)
  return {
    gate(given): Answer<string> {
      const gated = gatePath(given)
      if (!gated.ok) return gated
      // A path that leads out by a link is refused before the index is asked whether it knows the name.
      const real = realOf(path.join(root, gated.value))
      if (real !== undefined && !isInside(real, realRoot)) return refused('this path leads outside the project')
      return gated
    },
    read(file): Answer<SourceState> {
      const bytes = readInside(root, realRoot, file.path)
      if (!bytes.ok) return bytes
      if (bytes.value.kind !== 'read') return succeed(bytes.value)
      const { text, size, modifiedMs } = bytes.value
      const isSame = (size === file.size && modifiedMs === file.modifiedMs) || hashOf(text) === file.hash
      return succeed({ kind: isSame ? 'fresh' : 'drifted', text })
    },
    isDrifted(file): boolean {
      let stat: { size: number; mtimeMs: number; isFile(): boolean }
      try {
        stat = lstatSync(path.join(root, file.path))
      } catch {
        return true
      }
      if (!stat.isFile()) return true
      if (stat.size === file.size && Math.floor(stat.mtimeMs) === file.modifiedMs) return false
      const bytes = readInside(root, realRoot, file.path)
      return !bytes.ok || bytes.value.kind !== 'read' || hashOf(bytes.value.text) !== file.hash
    },
    *others(): Iterable<string> {
      for (const file of listOtherTexts(root, readProjectConfig(root).exclude).slice(0, otherTextsMax)) {
        const bytes = readInside(root, realRoot, file)
        if (bytes.ok && bytes.value.kind === 'read' && bytes.value.size <= fileBytesMax) yield bytes.value.text
      }
    },
    owners(): string | undefined {
      for (const file of ownersFiles) {
        const bytes = readInside(root, realRoot, file)
        if (bytes.ok && bytes.value.kind === 'read')
          return bytes.value.size <= ownersBytesMax ? bytes.value.text : undefined
      }
      return undefined
    },
  }
}

type Read =
  | { readonly kind: 'read'; readonly text: string; readonly size: number; readonly modifiedMs: number }
  | Exclude<SourceState, { text: string }>

function readInside(root: string, realRoot: string, file: string): Answer<Read> {
  let handle: number
  try {
    handle = openSync(path.join(root, file), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ELOOP') return refused('this path is a link')
    if (code === 'ENOENT' || code === 'ENOTDIR') return succeed({ kind: 'gone' })
    return notFound('this file cannot be read now')
  }
  try {
    const stat = fstatSync(handle)
    if (!stat.isFile()) return refused('this path is no ordinary file')
    // Judged on what was opened, not on what the name means a moment later.
    const opened = openedPath(handle, path.join(root, file), stat.ino)
    if (opened === undefined || !isInside(opened, realRoot)) return refused('this path leads outside the project')
    if (stat.size > sourceBytesMax) return succeed({ kind: 'too-large', sizeBytes: stat.size })
    const bytes = Buffer.alloc(stat.size)
    let length = 0
    while (length < bytes.length) {
      const count = readSync(handle, bytes, length, bytes.length - length, length)
      if (count === 0) break
      length += count
    }
    return succeed({
      kind: 'read',
      text: bytes.subarray(0, length).toString('utf8'),
      size: stat.size,
      modifiedMs: Math.floor(stat.mtimeMs),
    })
  } finally {
    closeSync(handle)
  }
}

function openedPath(handle: number, named: string, inode: number): string | undefined {
  try {
    return realpathSync(`/proc/self/fd/${handle}`)
  } catch {
    // Systems without /proc: the name must still mean the file that was opened.
    const real = realOf(named)
    return real !== undefined && statSync(real).ino === inode ? real : undefined
  }
}

function realOf(file: string): string | undefined {
  try {
    return realpathSync(file)
  } catch {
    return undefined
  }
}

function isInside(file: string, realRoot: string): boolean {
  return file === realRoot || file.startsWith(realRoot.endsWith(path.sep) ? realRoot : realRoot + path.sep)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Small files of our own making (trails, settings), never source. */
export function readOwnFile(file: string, bytesMax: number): string | undefined {
  try {
    const stat = lstatSync(file)
    return stat.isFile() && stat.size <= bytesMax ? readFileSync(file, 'utf8') : undefined
  } catch {
    return undefined
  }
}
