/** The files of one torrent as folders show them. */
import type { WireTorrentDetails } from '../../contract/torrents.ts'
import type { FilePriority } from '../../core/vocabulary.ts'

export type TorrentFile = WireTorrentDetails['files'][number]
export const fileFilters = ['unfinished', 'skipped'] as const
export type FileFilter = (typeof fileFilters)[number]

export interface FileRow {
  /** The path of it, with a slash behind that of a folder. */
  readonly path: string
  readonly name: string
  /** How many folders it is in. */
  readonly depth: number
  readonly isFolder: boolean
  /** Bytes; of a folder, of all in it. */
  readonly size: number
  /** Per cent; of a folder, of its bytes. */
  readonly progress: number
  /** Undefined where files of a folder differ. */
  readonly priority: FilePriority | undefined
  /** Places of its files in the torrent. */
  readonly indexes: readonly number[]
}

interface Folder {
  readonly name: string
  readonly path: string
  readonly folders: Map<string, Folder>
  readonly files: { readonly name: string; readonly file: TorrentFile }[]
}

const emptyFolder = (name: string, path: string): Folder => ({ name, path, folders: new Map(), files: [] })

export function matchesFilter({ progress, priority }: TorrentFile, filter: FileFilter): boolean {
  return filter === 'skipped' ? priority === 'skip' : priority !== 'skip' && progress < 100
}

export function chosenOf(files: readonly TorrentFile[]): { count: number; size: number } {
  const chosen = files.filter(({ priority }) => priority !== 'skip')
  return { count: chosen.length, size: sizeOf(chosen) }
}

export function sizeOf(files: readonly TorrentFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

export function withPriorities(
  files: readonly TorrentFile[],
  priorities: ReadonlyMap<number, FilePriority>,
): readonly TorrentFile[] {
  if (priorities.size === 0) return files
  return files.map((file) => ({ ...file, priority: priorities.get(file.index) ?? file.priority }))
}

/** Those whose path holds all words, in any case. */
export function findFiles(
  files: readonly TorrentFile[],
  words: string,
  filter: FileFilter | undefined,
): readonly TorrentFile[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return files.filter(
    (file) =>
      (filter === undefined || matchesFilter(file, filter)) &&
      wanted.every((word) => file.path.toLowerCase().includes(word)),
  )
}

const { compare } = new Intl.Collator(undefined, { numeric: true })
const byName = (one: { name: string }, other: { name: string }) => compare(one.name, other.name)

/** Folders before files, each by name, numbers by their value; what is in a closed folder is left out. */
export function fileRows(files: readonly TorrentFile[], closed: ReadonlySet<string>): readonly FileRow[] {
  const root = emptyFolder('', '')
  for (const file of files) {
    const parts = file.path.split('/')
    const name = parts.pop() ?? ''
    let folder = root
    for (const part of parts) {
      const known = folder.folders.get(part) ?? emptyFolder(part, `${folder.path}${part}/`)
      folder.folders.set(part, known)
      folder = known
    }
    folder.files.push({ name, file })
  }
  const rows: FileRow[] = []
  /** Returns all files in it. */
  function add(folder: Folder, depth: number): TorrentFile[] {
    const all: TorrentFile[] = []
    for (const inner of [...folder.folders.values()].sort(byName)) {
      const at = rows.length
      const within = add(inner, depth + 1)
      const row = folderRow(inner, depth, within)
      if (closed.has(inner.path)) rows.splice(at, rows.length - at, row)
      else rows.splice(at, 0, row)
      all.push(...within)
    }
    for (const { name, file } of folder.files.sort(byName)) {
      const { path, size, progress, priority, index } = file
      rows.push({ path, name, depth, isFolder: false, size, progress, priority, indexes: [index] })
      all.push(file)
    }
    return all
  }
  add(root, 0)
  return rows
}

function folderRow({ name, path }: Folder, depth: number, files: readonly TorrentFile[]): FileRow {
  const size = sizeOf(files)
  const here = files.reduce((sum, file) => sum + file.size * file.progress, 0)
  const [first] = files
  return {
    path,
    name,
    depth,
    isFolder: true,
    size,
    progress: size === 0 ? 100 : here / size,
    priority: files.every(({ priority }) => priority === first?.priority) ? first?.priority : undefined,
    indexes: files.map(({ index }) => index),
  }
}
