/** How the files of a project hang together, as it was and as it is alike, and whose imports lead elsewhere now. */

import { pushTo } from '#shared/kernel/push-to.ts'
import type { FileChange, LinkedFile } from '../core/affected-files.ts'
import { type FileFacts, forAll } from '../core/facts.ts'
import type { FileLinks } from '../core/file-links.ts'
import { changedNames, offeredNames } from '../core/file-surface.ts'
import { isHeader, languageFamily, languageOf } from '../core/language-of.ts'
import { importPaths, type ProjectSettings } from '../resolve/modules.ts'
import { folderNames, ModuleNames, packageNames } from '../resolve/path-names.ts'
import { folderOf } from '../resolve/script-modules.ts'

/** A file that is not what it was. Nothing before: it came. Nothing after: it is gone. */
export interface TurnedFile {
  readonly path: string
  readonly before: FileFacts | undefined
  readonly after: FileFacts | undefined
  /** What ties it to others now. */
  readonly links: FileLinks | undefined
}

export interface HangingFiles {
  /** The files there are, in their order, and behind them those that are gone. */
  readonly files: readonly LinkedFile[]
  /** What the turned files are to others, and who has to be linked again for what an import of it means as a whole. */
  readonly changes: readonly FileChange[]
  /** Specifiers that lead elsewhere now, by file. */
  readonly diverted: ReadonlyMap<number, ReadonlySet<string>>
}

export interface ProjectPaths {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** `linksOf`: what ties a file to others, as it was published. Undefined where that is not known of each of them. */
export function hangTogether(
  paths: ProjectPaths,
  turned: readonly TurnedFile[],
  settings: ProjectSettings,
  linksOf: (path: string) => FileLinks | undefined,
): HangingFiles | undefined {
  const gone = turned.flatMap((one) => (one.after === undefined ? [one.path] : []))
  const all = [...paths.after, ...gone]
  const placeOf = new Map(all.map((path, f) => [path, f]))
  const turnedAt = new Map(turned.map((one) => [one.path, one]))
  const moves = turned.filter((one) => one.before === undefined || one.after === undefined)
  const old = importPaths(paths.before, settings)
  const now = moves.length === 0 ? old : importPaths(paths.after, settings)
  const worlds = [
    { paths: paths.before, of: old },
    { paths: paths.after, of: now },
  ].slice(moves.length === 0 ? 1 : 0)
  const families = all.map(familyOf)
  const goFolders = new Map<string, number[]>()
  for (const [f, path] of all.entries()) if (families[f] === 'go') pushTo(goFolders, folderOf(path), f)
  const named = new NamesOfMoves(paths, moves, linksOf)

  const files: LinkedFile[] = []
  const changes: FileChange[] = []
  const diverted = new Map<number, ReadonlySet<string>>()
  for (const [f, path] of all.entries()) {
    const one = turnedAt.get(path)
    const published = one !== undefined && one.before === undefined ? undefined : linksOf(path)
    const links = one?.links ?? published
    if (links === undefined || (published === undefined && one?.before !== undefined)) return undefined
    const family = families[f] ?? ''
    const file = new HangingFile(path, links, family, published, targetsOf)
    files.push(file)
    if (moves.length === 0 || (one !== undefined && moves.includes(one))) continue
    const elsewhere = new Set<string>()
    let isShared = false
    for (const specifier of file.specifiers) {
      const place = now(family).place(path, specifier)
      if (place !== old(family).place(path, specifier) || named.modules(family).isNamedIn(specifier))
        elsewhere.add(specifier)
      isShared ||= named.isShared(family, specifier, place)
    }
    if (elsewhere.size > 0) diverted.set(f, elsewhere)
    if (isShared) changes.push({ file: f, names: new Set(), methods: new Set() })
  }
  for (const one of turned) changes.push({ file: placeOf.get(one.path) ?? 0, ...named.change(one) })
  return { files, changes, diverted }

  function targetsOf(path: string, family: string, specifiers: ReadonlySet<string>): number[] | undefined {
    const targets: number[] = []
    for (const world of worlds) {
      const { targets: reached } = world.of(family)
      if (reached === undefined) return undefined
      for (const specifier of specifiers)
        for (const target of reached(path, specifier)) targets.push(placeOf.get(world.paths[target] ?? '') ?? -1)
    }
    // Files of one folder are one package of Go.
    return family === 'go' ? targets.concat(goFolders.get(folderOf(path)) ?? []) : targets
  }
}

type FindTargets = (path: string, family: string, specifiers: ReadonlySet<string>) => number[] | undefined

/** Asked where it leads to only when somebody wants to know: after most changes nobody does. */
class HangingFile implements LinkedFile {
  readonly path: string
  readonly links: FileLinks
  readonly family: string
  readonly #before: FileLinks | undefined
  readonly #find: FindTargets
  #found: { readonly targets: readonly number[] | undefined } | undefined

  constructor(path: string, links: FileLinks, family: string, before: FileLinks | undefined, find: FindTargets) {
    this.path = path
    this.links = links
    this.family = family
    this.#before = before
    this.#find = find
  }

  get specifiers(): ReadonlySet<string> {
    const before = this.#before === this.links ? [] : (this.#before?.specifiers ?? [])
    return new Set([...this.links.specifiers, ...before])
  }

  get targets(): readonly number[] | undefined {
    this.#found ??= { targets: this.#find(this.path, this.family, this.specifiers) }
    return this.#found.targets
  }
}

/** By what names files that came or are gone are found, beside those that they declare. */
class NamesOfMoves {
  readonly #shared = new Set<string>()
  readonly #modules = new Map<string, ModuleNames>()
  readonly #names = new Map<string, ReadonlySet<string>>()

  constructor(paths: ProjectPaths, moves: readonly TurnedFile[], linksOf: (path: string) => FileLinks | undefined) {
    for (const family of new Set(moves.map((one) => familyOf(one.path)))) {
      const isOurs = (path: string): boolean => familyOf(path) === family
      const own = moves.filter((one) => isOurs(one.path))
      const [before, after] = [paths.before.filter(isOurs), paths.after.filter(isOurs)]
      const packages = own.flatMap((one) => (one.after ?? one.before)?.packageName ?? [])
      for (const one of packages) this.#shared.add(`${family} ${one}`)
      if (family === 'go') for (const one of own) this.#shared.add(`${family} ${folderOf(one.path)}/`)
      if (family === 'rust')
        this.#modules.set(
          family,
          new ModuleNames(
            own.map((one) => one.path),
            [...before, ...after],
          ),
        )
      const names = new Set<string>()
      if (family === 'python')
        for (const one of folderNames(
          own.map((file) => file.path),
          before,
          after,
        ))
          names.add(one)
      if (packages.length > 0) {
        const moved = new Set(own.map((one) => one.path))
        const staying = after.flatMap((path) => (moved.has(path) ? [] : (linksOf(path)?.packageName ?? [])))
        for (const one of packageNames(packages, staying)) names.add(one)
      }
      this.#names.set(family, names)
    }
  }

  modules(family: string): { isNamedIn(specifier: string): boolean } {
    return this.#modules.get(family) ?? { isNamedIn: () => false }
  }

  /** Whether importing that is importing each file of a package that has other files now. */
  isShared(family: string, specifier: string, place: string): boolean {
    return this.#shared.has(`${family} ${family === 'go' ? place : specifier}`)
  }

  change({ path, before, after }: TurnedFile): Omit<FileChange, 'file'> {
    if (before !== undefined && after !== undefined) return changeOfContent(before, after)
    const methods = changedMethods(before, after)
    const facts = before ?? after
    const modules = this.#modules.get(familyOf(path))
    const isSeen = isHeader(path) || modules?.isHidden(path) === true
    if (facts === undefined || isSeen || facts.exports.some((one) => one.name === forAll))
      return { names: undefined, methods }
    const names = [...offeredNames(facts), ...(this.#names.get(familyOf(path)) ?? []), ...(modules?.names ?? [])]
    return { names: new Set(names), methods }
  }
}

/** What a file is to others that has other content now. */
export function changeOfContent(before: FileFacts, after: FileFacts): Omit<FileChange, 'file'> {
  return { names: changedNames(before, after), methods: changedMethods(before, after) }
}

function changedMethods(before: FileFacts | undefined, after: FileFacts | undefined): Set<string> {
  const old = methodsOf(before)
  const now = methodsOf(after)
  return new Set([...old.keys(), ...now.keys()].filter((name) => old.get(name) !== now.get(name)))
}

/** What a call on something unknown may mean: methods, and in Ruby fields, which are read as they are called. */
function methodsOf(facts: FileFacts | undefined): Map<string, number> {
  const counts = new Map<string, number>()
  const isRuby = facts?.language === 'ruby'
  for (const one of facts?.symbols ?? [])
    if (one.kind === 'method' || (isRuby && one.kind === 'field')) counts.set(one.name, (counts.get(one.name) ?? 0) + 1)
  return counts
}

function familyOf(path: string): string {
  const language = languageOf(path)
  return language === undefined ? '' : languageFamily(language)
}
