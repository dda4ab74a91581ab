/** Which files of a directory a snapshot can keep, and how those that it does not have are taken away. */
import { constants } from 'node:fs'
import { access, lstat, realpath, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { snapshotFileBytesMax } from '../limits.ts'
import { withinFolder } from './tools/pinned-path.ts'

/** A folder that became a link leads elsewhere: what was in it is gone. */
export async function byReach(directory: string, names: readonly string[]) {
  const root = await realpath(directory)
  const here: string[] = []
  const gone: string[] = []
  for (const [folder, inFolder] of byFolder(names)) {
    const real = await realpath(path.join(root, folder)).catch(() => undefined)
    const reached = real === undefined || real === path.join(root, folder) ? here : gone
    reached.push(...inFolder)
  }
  return { here, gone }
}

function byFolder(names: readonly string[]): Map<string, string[]> {
  return Map.groupBy(names, (name) => path.dirname(name))
}

/** Very large files are data, and what cannot be read cannot be kept: neither may cost the others their way back. */
export async function keepable(directory: string, names: readonly string[]): Promise<string[]> {
  const kept: string[] = []
  for (const name of names) {
    const full = path.join(directory, name)
    const facts = await lstat(full).catch(() => undefined)
    if (facts === undefined || facts.size > snapshotFileBytesMax) continue
    const isReadable = await access(full, constants.R_OK).then(
      () => true,
      () => false,
    )
    if (facts.isSymbolicLink() || (facts.isFile() && isReadable)) kept.push(name)
  }
  return kept
}

/** Where a folder is gone, or became a link meanwhile, the files that were made there are gone with it. */
export async function removeFiles(directory: string, names: readonly string[]): Promise<void> {
  for (const [folder, inFolder] of byFolder(names)) {
    await ignoringGone(
      withinFolder(path.join(directory, folder), async (at) => {
        for (const name of inFolder) await rm(path.join(at, path.basename(name)), { force: true })
      }),
    )
    await removeEmptyFolders(directory, folder)
  }
}

/** Git keeps no folder without files, so one that a command made for its files goes with them. */
async function removeEmptyFolders(directory: string, folder: string): Promise<void> {
  if (folder === '.') return
  const full = path.join(directory, folder)
  const isRemoved = await ignoringGone(
    withinFolder(path.dirname(full), (at) => rmdir(path.join(at, path.basename(full)))),
  )
  if (isRemoved) await removeEmptyFolders(directory, path.dirname(folder))
}

async function ignoringGone(work: Promise<void>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENOTEMPTY'].includes(code)) return false
    throw error
  }
}
