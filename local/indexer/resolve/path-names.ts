/** Names by which files are found that no file declares: those of folders, modules and packages. */
import { nameParts } from '../core/file-links.ts'
import { folderOf } from './script-modules.ts'

/** Python: names that a package hands out because files of it came or went. */
export function folderNames(
  moved: readonly string[],
  before: readonly string[],
  after: readonly string[],
): Set<string> {
  const names = new Set<string>()
  const old = foldersOf(before)
  const now = foldersOf(after)
  for (const folder of [...old, ...now]) if (!old.has(folder) || !now.has(folder)) names.add(lastOf(folder))
  for (const path of moved) {
    const stem = lastOf(path).replace(/\.pyi?$/, '')
    names.add(stem === '__init__' ? lastOf(folderOf(path)) : stem)
  }
  return names
}

/** Names that packages bring which no other file is in, or below. */
export function packageNames(moved: readonly string[], staying: readonly string[]): Set<string> {
  const known = new Set(staying.flatMap(levelsOf))
  const fresh = moved.flatMap(levelsOf).filter((one) => !known.has(one))
  return new Set(fresh.flatMap((one) => nameParts(one).at(-1) ?? []))
}

/** Rust: the words that a path to a module is made of. */
export class ModuleNames {
  readonly names: ReadonlySet<string>
  readonly #hidden: ReadonlySet<string>

  constructor(moved: readonly string[], all: readonly string[]) {
    const paths = new Set(all)
    const names = new Set<string>()
    for (const path of moved) {
      const own = moduleOf(path)
      names.add(lastOf(own))
      if (/(^|\/)(lib|main)\.rs$/.test(path) || [...paths].some((one) => one !== path && one.startsWith(`${own}/`)))
        for (const one of ['crate', 'self', 'super']) names.add(one)
    }
    this.names = names
    const owners = new Map<string, number>()
    for (const path of paths) owners.set(moduleOf(path), (owners.get(moduleOf(path)) ?? 0) + 1)
    this.#hidden = new Set(moved.filter((path) => (owners.get(moduleOf(path)) ?? 0) > 1))
  }

  isNamedIn(specifier: string): boolean {
    return nameParts(specifier).some((one) => this.names.has(one))
  }

  /** Whether another file is the same module, so that one of the two hides what the other declares. */
  isHidden(path: string): boolean {
    return this.#hidden.has(path)
  }
}

function moduleOf(path: string): string {
  return /(^|\/)(mod|lib|main)\.rs$/.test(path) ? folderOf(path) : path.replace(/\.rs$/, '')
}

function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>()
  for (const path of paths)
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder))
      folders.add(folder)
  return folders
}

/** A package and those around it. */
function levelsOf(name: string): string[] {
  const parts = name.split(/([.\\])/)
  return parts.flatMap((_, at) => (at % 2 === 0 ? [parts.slice(0, at + 1).join('')] : []))
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
