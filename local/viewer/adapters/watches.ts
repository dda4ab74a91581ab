/** Watching the source and the index folder. Observe only: nothing here writes, reads content or polls. */
import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs'
import path from 'node:path'
import { builtInIgnoredFolder } from '../../indexer/core/ignore-rules.ts'
import { languageOf } from '../../indexer/core/language-of.ts'
import type { IndexPlace } from '../../indexer/store/index-folder.ts'
import {
  indexQuietMs,
  indexQuietMsMax,
  sourcePendingMax,
  sourceQuietMs,
  sourceQuietShortFiles,
  sourceQuietShortMs,
} from '../limits.ts'
import type { SourceChange, Watch } from './event-feed.ts'

/** One watch on the index folder itself; after a settled write the revision is asked once. */
export function watchIndexFolder(place: IndexPlace, onSettled: () => void): Watch | undefined {
  let quiet: ReturnType<typeof setTimeout> | undefined
  let first: number | undefined
  const settle = (): void => {
    clearTimeout(quiet)
    quiet = undefined
    first = undefined
    onSettled()
  }
  let watcher: FSWatcher
  try {
    watcher = watch(place.folder, () => {
      const now = performance.now()
      first ??= now
      clearTimeout(quiet)
      quiet = setTimeout(settle, Math.max(0, Math.min(indexQuietMs, first + indexQuietMsMax - now)))
    })
  } catch {
    return undefined
  }
  watcher.on('error', () => watcher.close())
  return {
    close() {
      clearTimeout(quiet)
      watcher.close()
    },
  }
}

const foldersMax = 8000

/**
 * One watch a folder that may hold source; `isIndexed` tells whether the index holds something of a folder or file that is
 * otherwise what tools produce. A folder that appears that appears cannot be told per file and asks for a scan.
 */
export function watchSourceFolders(
  place: IndexPlace,
  isIndexed: (path: string) => boolean,
  onChange: (change: SourceChange) => void,
  onDegraded: (reason: string) => void,
): Watch | undefined {
  const watchers = new Map<string, FSWatcher>()
  const pending = new Set<string>()
  let needsScan = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  const close = (): void => {
    isClosed = true
    clearTimeout(timer)
    for (const one of watchers.values()) one.close()
    watchers.clear()
  }
  const fail = (reason: string): void => {
    if (isClosed) return
    close()
    onDegraded(reason)
  }
  const flush = (): void => {
    timer = undefined
    const isScan = needsScan || pending.size > sourcePendingMax
    const files = isScan ? [] : [...pending].sort()
    pending.clear()
    needsScan = false
    if (isScan || files.length > 0) onChange({ files, total: files.length, scan: isScan })
  }
  const schedule = (): void => {
    clearTimeout(timer)
    timer = setTimeout(flush, !needsScan && pending.size <= sourceQuietShortFiles ? sourceQuietShortMs : sourceQuietMs)
  }
  const add = (folder: string): void => {
    if (isClosed || watchers.has(folder)) return
    if (watchers.size >= foldersMax) {
      fail(`more than ${foldersMax} folders to watch`)
      return
    }
    let names: { name: string; isDirectory(): boolean }[]
    try {
      const watcher = watch(path.join(place.root, folder), (_event, name) => onEvent(folder, name))
      watcher.on('error', (error) => fail(reasonOf(error)))
      watchers.set(folder, watcher)
      names = readdirSync(path.join(place.root, folder), { withFileTypes: true })
    } catch (error) {
      // A folder may go between being seen and being watched; a system without watches left is something else.
      if (isExhausted(error)) fail(reasonOf(error))
      return
    }
    for (const one of names)
      if (one.isDirectory() && isWatched(folder, one.name)) add(folder === '' ? one.name : `${folder}/${one.name}`)
  }
  const isOfProject = (file: string): boolean =>
    builtInIgnoredFolder(file) === undefined ||
    (builtInIgnoredFolder(file, true) === undefined && isIndexed(file.replace(/\/x$/, '')))
  const isWatched = (folder: string, name: string): boolean =>
    !name.startsWith('.') &&
    isOfProject(`${folder === '' ? name : `${folder}/${name}`}/x`) &&
    path.join(place.root, folder, name) !== place.folder
  const onEvent = (folder: string, name: string | null): void => {
    if (isClosed) return
    if (name === null) {
      needsScan = true
      schedule()
      return
    }
    const file = folder === '' ? name : `${folder}/${name}`
    if (watchers.has(file) || isFolder(file)) {
      if (!isWatched(folder, name)) return
      if (!isFolder(file)) {
        for (const [known, watcher] of watchers) {
          if (known !== file && !known.startsWith(`${file}/`)) continue
          watcher.close()
          watchers.delete(known)
        }
      } else if (watchers.has(file)) return
      else add(file)
      needsScan = true
      schedule()
      return
    }
    if (languageOf(file) === undefined || !isOfProject(file)) return
    if (pending.size <= sourcePendingMax) pending.add(file)
    schedule()
  }
  const isFolder = (file: string): boolean => {
    try {
      return lstatSync(path.join(place.root, file)).isDirectory()
    } catch {
      return false
    }
  }
  add('')
  return isClosed || watchers.size === 0 ? undefined : { close }
}

function isExhausted(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ENOSPC' || error.code === 'EMFILE' || error.code === 'ENFILE')
  )
}

function reasonOf(error: unknown): string {
  if (isExhausted(error)) return 'the system has no file watches left; raise its limit and open the viewer again'
  return 'watching the files failed'
}
