/**
 * Data folders of tests are kept in memory where this machine has room for them. Every commit waits for its disk, which is
 * most of what tests of storage waited for; what is acknowledged is as safe from a kill there as on a disk. What looks at a
 * folder as its owner would, a sandbox or another user, has one on the disk.
 */
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const variable = 'WHARF_TEST_MEMORY'
const place = '/dev/shm'
/** Of a whole run with all its workers; a container's own 64 MiB are far less. */
const bytesMin = 4 * 1024 ** 3

/** Where a test makes its data folder. */
export const quickFolder = (): string => process.env[variable] ?? tmpdir()

interface LinkedFolder {
  readonly folder: string
  remove(): Promise<void>
}

/** A folder of its own that is found at a place which has to be on the disk. */
export async function linkQuickFolder(at: string): Promise<LinkedFolder> {
  const folder = await mkdtemp(path.join(quickFolder(), 'wharf-data-'))
  await symlink(folder, at)
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Once for a run: makes the folder, of this process and all that it starts, and takes it away at the end. */
export function makeMemoryFolder(): void {
  if (process.env[variable] !== undefined || !hasRoom()) return
  const folder = mkdtempSync(path.join(place, 'wharf-tests-'))
  // As open as the usual place for temporary files is: who may read what is up to what is made there.
  chmodSync(folder, 0o755)
  process.env[variable] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(place)
    return bavail * bsize >= bytesMin
  } catch {
    return false
  }
}
