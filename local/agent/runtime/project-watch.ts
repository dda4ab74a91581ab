/**
 * What lies in a project and is not the model's to change or to read. Looked through before and after every command,
 * so a folder that did not change since is not read again.
 */
import type { Dirent } from 'node:fs'
import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { isProtectedPath } from '../core/protected-path.ts'
import { watchedFoldersMax, watchedPathsMax } from '../limits.ts'

export interface FoundPath {
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

interface Entry {
  readonly name: string
  readonly isFolder: boolean
}

interface Folder {
  readonly identity: string
  readonly changed: string
  readonly isFresh: boolean
  readonly folders: readonly string[]
  readonly files: readonly string[]
}

/** Others change a folder twice within one tick of the file system's clock: what was read then is read again. */
const tickNs = 50_000_000n
const foldersAtOnce = 200

/** Packages of others: what lies there takes effect where it is called, not by lying there. */
const passedOver = new Set(['node_modules'])

export class ProjectWatch {
  readonly #known = new Map<string, Folder>()

  /** `mayRead` says whether a path, relative to the project, is read without asking. */
  async look(project: string, mayRead: (shown: string) => boolean): Promise<ProjectView> {
    const kept: FoundPath[] = []
    const unread: FoundPath[] = []
    const seen = new Set<string>()
    const waiting = ['']
    let isCut = false
    for (let shown = waiting.pop(); shown !== undefined; shown = waiting.pop()) {
      if (seen.size >= watchedFoldersMax || kept.length + unread.length >= watchedPathsMax) {
        isCut = true
        break
      }
      const full = path.join(project, shown)
      seen.add(full)
      if (seen.size % foldersAtOnce === 0) await breathe()
      const folder = this.#read(full)
      if (folder === undefined) continue
      const inner = (name: string) => (shown === '' ? name : `${shown}/${name}`)
      for (const name of folder.folders) {
        const at = inner(name)
        if (isProtectedPath(at)) addTo(kept, path.join(project, at))
        else if (!passedOver.has(name)) waiting.push(at)
      }
      for (const name of folder.files) {
        const at = inner(name)
        if (isProtectedPath(at)) {
          addTo(kept, path.join(project, at))
          addLinked(kept, project, path.join(project, at))
        }
        if (!mayRead(at)) addTo(unread, path.join(project, at))
      }
    }
    this.#forget(project, seen)
    return { kept, unread, isCut }
  }

  #read(full: string): Folder | undefined {
    const known = this.#known.get(full)
    try {
      const facts = lstatSync(full, { bigint: true })
      if (!facts.isDirectory()) return undefined
      const identity = `${facts.dev}:${facts.ino}`
      const changed = `${facts.mtimeNs}:${facts.ctimeNs}`
      if (known?.isFresh === true && known.identity === identity && known.changed === changed) return known
      const entries = readdirSync(full, { withFileTypes: true }).map(entryOf)
      const isFresh = BigInt(Date.now()) * 1_000_000n - facts.ctimeNs > tickNs
      const folder = {
        identity,
        changed,
        isFresh,
        folders: entries.filter(({ isFolder }) => isFolder).map(({ name }) => name),
        files: entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name),
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
    while (this.#known.size > watchedFoldersMax) {
      const [oldest] = this.#known.keys()
      if (oldest === undefined) return
      this.#known.delete(oldest)
    }
  }
}

function entryOf(entry: Dirent): Entry {
  return { name: entry.name, isFolder: entry.isDirectory() }
}

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
