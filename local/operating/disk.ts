/** The disk of a data folder: how much is left of it, and whether it takes anything. */
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { MachineProblem } from '../../workers/app/core/operating/machine.ts'
import { diskLowBytes, diskTryBytes } from './limits.ts'

export interface DiskSpace {
  readonly freeBytes: number
  readonly totalBytes: number
}

export function spaceOn(folder: string): DiskSpace {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** Tries it: quotas, and what is mounted read-only, show in no number. */
export function diskProblem(folder: string): MachineProblem | undefined {
  const file = path.join(folder, 'disk-try')
  try {
    const handle = openSync(file, 'w', 0o600)
    try {
      if (writeSync(handle, Buffer.alloc(diskTryBytes)) < diskTryBytes)
        return { kind: 'machine.disk_full', path: folder }
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    return { kind: isFull(error) ? 'machine.disk_full' : 'machine.disk_unwritable', path: folder }
  } finally {
    removeQuietly(file)
  }
  const { freeBytes, totalBytes } = spaceOn(folder)
  const low = Math.min(diskLowBytes, totalBytes / 10)
  return freeBytes < low ? { kind: 'machine.disk_low', path: folder, left: freeBytes } : undefined
}

const fullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL'])

export function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && fullCodes.has(error.code)
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // On a disk that is read-only there is nothing to remove.
  }
}
