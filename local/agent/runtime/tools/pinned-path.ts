/**
 * Opening what was judged, and nothing else. Between the judgement of a path and its use any part of it may be swapped
 * for a link, so it is looked where the handle landed, and names in a folder are reached through the folder's handle.
 */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/** `full` is a path without links, as `realpath` answers it. */
export async function openPinned(full: string, flags = 0): Promise<FileHandle> {
  const handle = await open(full, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | flags)
  try {
    if (await isWhere(handle, full)) return handle
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  throw Object.assign(new Error('The path became a link'), { code: 'ELOOP' })
}

/** Gives `work` a name for the folder that keeps meaning this folder, whatever is put in its place. */
export async function withinFolder<T>(folder: string, work: (at: string) => Promise<T>): Promise<T> {
  const handle = await openPinned(folder, O_DIRECTORY)
  try {
    return await work(process.platform === 'linux' ? descriptorOf(handle) : folder)
  } finally {
    await handle.close()
  }
}

async function isWhere(handle: FileHandle, full: string): Promise<boolean> {
  if (process.platform === 'linux') return (await realpath(descriptorOf(handle))) === full
  // Elsewhere the name must still mean what was opened.
  const [opened, named, real] = [await handle.stat(), await lstat(full), await realpath(full)]
  return real === full && opened.dev === named.dev && opened.ino === named.ino
}

function descriptorOf(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`
}
