/**
 * What lies in a project and is not the model's to change or to read. Looked through before and after every command,
 * so a folder that did not change since is not read again.
 */
import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import { isProtectedPath } from '../core/protected-path.ts'
import { watchedFoldersMax, watchedPathsMax } from '../limits.ts'

interface FoundPath {
  readonly full: string
  /** Device and inode: the same thing keeps them wherever it is moved. */
  readonly identity: string
  readonly isFolder: boolean
  readonly isLink: boolean
}

export interface ProjectView {
  readonly kept: readonly FoundPath[]
  /** Files whose reading is asked for. */
  readonly unread: readonly FoundPath[]
  /** There is more than is looked through. */
  readonly isCut: boolean
}

interface Place {
  readonly full: string
  /** As the rules see it: relative to the project. */
  readonly shown: string
}

interface Folder {
  readonly dev: number
  readonly ino: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly isFresh: boolean
  /** Folders to look into. */
  readonly folders: readonly Place[]
  /** Names of what is protected. */
  readonly kept: readonly string[]
  readonly files: readonly string[]
  unread: { readonly rules: string; readonly names: readonly string[] } | undefined
}

/** How the rules about reading stand: `key` is another one once they answer otherwise. */
export interface ReadRules {
  readonly key: string
  mayRead(shown: string): boolean
}

/** Others change a folder twice within one tick of the file system's clock: what was read then is read again. */
const tickMs = 50
const foldersAtOnce = 200

/** Packages of others: what lies there takes effect where it is called, not by lying there. */
const passedOver = new Set(['node_modules'])

interface WatchBounds {
  readonly foldersMax: number
  /** Of what is kept and what is not read, together. */
  readonly pathsMax: number
}

export class ProjectWatch {
  readonly #known = new Map<string, Folder>()
  readonly #bounds: WatchBounds

  constructor(bounds: WatchBounds = { foldersMax: watchedFoldersMax, pathsMax: watchedPathsMax }) {
    this.#bounds = bounds
  }

  /** Paths are judged relative to the project. */
  async look(project: string, rules: ReadRules): Promise<ProjectView> {
    const kept: FoundPath[] = []
    const unread: FoundPath[] = []
    const seen = new Set<string>()
    const waiting: Place[] = [{ full: project, shown: '' }]
    const { foldersMax, pathsMax } = this.#bounds
    const isFull = () => kept.length + unread.length > pathsMax
    let isCut = false
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (isCut || seen.size >= foldersMax) {
        isCut = true
        break
      }
      const { full, shown } = place
      seen.add(full)
      if (seen.size % foldersAtOnce === 0) await breathe()
      const folder = this.#read(full, shown)
      if (folder === undefined) continue
      for (const inner of folder.folders) waiting.push(inner)
      for (const name of folder.kept) {
        if (isFull()) break
        addTo(kept, `${full}/${name}`)
        addLinked(kept, project, `${full}/${name}`)
      }
      if (folder.unread?.rules !== rules.key) {
        const inner = innerOf(shown)
        folder.unread = { rules: rules.key, names: folder.files.filter((name) => !rules.mayRead(inner(name))) }
      }
      for (const name of folder.unread.names) {
        if (isFull()) break
        addTo(unread, `${full}/${name}`)
      }
      isCut = isFull()
    }
    this.#forget(project, seen)
    return { kept, unread, isCut }
  }

  #read(full: string, shown: string): Folder | undefined {
    const known = this.#known.get(full)
    try {
      const facts = lstatSync(full)
      if (!facts.isDirectory()) return undefined
      const { dev, ino, mtimeMs, ctimeMs } = facts
      const isSame = known?.ino === ino && known.dev === dev && known.mtimeMs === mtimeMs && known.ctimeMs === ctimeMs
      if (isSame && known.isFresh) return known
      const entries = readdirSync(full, { withFileTypes: true })
      const inner = innerOf(shown)
      const folder: Folder = {
        dev,
        ino,
        mtimeMs,
        ctimeMs,
        isFresh: Date.now() - ctimeMs > tickMs,
        folders: entries.flatMap((entry) =>
          entry.isDirectory() && !passedOver.has(entry.name) && !isProtectedPath(inner(entry.name))
            ? [{ full: `${full}/${entry.name}`, shown: inner(entry.name) }]
            : [],
        ),
        kept: entries.flatMap(({ name }) => (isProtectedPath(inner(name)) ? [name] : [])),
        files: entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])),
        unread: undefined,
      }
      this.#known.set(full, folder)
      return folder
    } catch {
      // It went away, or may not be looked into: a command can do no more there than we can.
      return undefined
    }
  }

  #forget(project: string, seen: ReadonlySet<string>): void {
    for (const full of this.#known.keys()) {
      if (!seen.has(full) && (full === project || full.startsWith(`${project}/`))) this.#known.delete(full)
    }
    while (this.#known.size > this.#bounds.foldersMax) {
      const [oldest] = this.#known.keys()
      if (oldest === undefined) return
      this.#known.delete(oldest)
    }
  }
}

const innerOf = (shown: string) => (name: string) => (shown === '' ? name : `${shown}/${name}`)

function addTo(list: FoundPath[], full: string): void {
  try {
    const facts = lstatSync(full)
    list.push({
      full,
      identity: `${facts.dev}:${facts.ino}`,
      isFolder: facts.isDirectory(),
      isLink: facts.isSymbolicLink(),
    })
  } catch {
    // It went away meanwhile.
  }
}

/** What a link of such a name leads to has its effect under that name. */
function addLinked(list: FoundPath[], project: string, full: string): void {
  if (list.at(-1)?.full !== full || list.at(-1)?.isLink !== true) return
  try {
    const real = realpathSync(full)
    if (real.startsWith(`${project}/`)) addTo(list, real)
  } catch {
    // It leads nowhere.
  }
}

/** What is protected now and was not there, as it is, before. */
export function newlyKept(before: ProjectView, after: ProjectView): string[] {
  const known = new Set(before.kept.map(({ identity }) => identity))
  return after.kept.filter(({ identity }) => !known.has(identity)).map(({ full }) => full)
}
