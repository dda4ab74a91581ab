/** Modules of Rust: crates of a workspace, files of modules, and what `use` passes on. */
import { pushTo } from '#shared/kernel/push-to.ts'
import type { FileFacts, Value } from '../core/facts.ts'
import { type Denotation, type ModuleLookup, outside } from './denotation.ts'
import { FamilyIndex, oneOf } from './family-index.ts'
import { typeLikeKinds } from './known-types.ts'
import type { Place, ProjectFacts } from './project-facts.ts'
import { folderOf, join } from './script-modules.ts'

export interface RustCrate {
  readonly folder: string
  /** As code names it. */
  readonly name: string
  /** The file its library begins with. */
  readonly library: string
  /** Files that its targets are said to begin with. */
  readonly roots: readonly string[]
  /** Other crates, by what this one calls them. */
  readonly renamed: ReadonlyMap<string, string>
}

/** Where a target begins; the file is not known where only a folder says so. */
interface Root {
  readonly folder: string
  readonly file: string | undefined
}

/** A file that a path leads to, and the names inside it that are left of the path. */
interface Start {
  readonly f: number
  readonly names: readonly string[]
}

const passedOnMax = 16
const isFunction: ReadonlySet<string> = new Set(['function'])

export function rustLookup(project: ProjectFacts, crates: readonly RustCrate[]): ModuleLookup {
  return new RustModules(project, crates)
}

class RustModules implements ModuleLookup {
  readonly #index: FamilyIndex
  /** Longest folder first. */
  readonly #crates: readonly RustCrate[]
  readonly #byName: ReadonlyMap<string, RustCrate>
  readonly #roots = new Map<string, Root>()
  /** What was asked for already: modules by file and specifier, names by file and name. Few are asked for once. */
  readonly #starts = new Map<string, Start | undefined>()
  readonly #members = new Map<string, Denotation | undefined>()
  readonly #free = new Map<string, Denotation | undefined>()
  readonly #symbolsByName: (ReadonlyMap<string, readonly number[]> | undefined)[] = []

  constructor(project: ProjectFacts, crates: readonly RustCrate[]) {
    this.#index = new FamilyIndex(project, 'rust', '::')
    this.#crates = crates.toSorted((left, right) => right.folder.length - left.folder.length)
    this.#byName = new Map(crates.map((one) => [one.name, one]))
  }

  module(from: FileFacts, specifier: string): Denotation {
    return this.#module(from, specifier, new Set())
  }

  free(from: FileFacts, name: string): Denotation | undefined {
    return kept(this.#free, `${from.path} ${name}`, () => this.#freeFresh(from, name))
  }

  #freeFresh(from: FileFacts, name: string): Denotation | undefined {
    if (name.endsWith('!')) return this.#macro(from.path, name)
    const brought = this.#broughtByStars(from, undefined, name, new Set())
    if (brought !== undefined) return brought
    if (name === 'crate') return this.#moduleOf(this.#fileAt(this.#rootOf(from.path), []))
    const own = this.#moduleOf(this.#fileAt({ folder: this.#ownModule(from.path), file: undefined }, [name]))
    return own ?? this.#library(from.path, name)
  }

  moduleMember(path: string, name: string, s = 0): Denotation | undefined {
    return kept(this.#members, `${path} ${s} ${name}`, () => this.#moduleMemberFresh(path, name, s))
  }

  #moduleMemberFresh(path: string, name: string, s: number): Denotation | undefined {
    if (name.endsWith('!')) return this.#macro(path, name)
    if (s !== 0) {
      const f = this.#index.byPath.get(path)
      return f === undefined ? undefined : this.#passedOn(f, s, name, new Set())
    }
    const own = this.#moduleOf(this.#fileAt({ folder: this.#ownModule(path), file: undefined }, [name]))
    if (own !== undefined) return own
    const f = this.#index.byPath.get(path)
    return f === undefined ? undefined : this.#broughtByStars(this.#index.facts(f), undefined, name, new Set())
  }

  attached(_from: FileFacts, type: string, name: string): Denotation | undefined {
    return oneOf(this.#index.attachedTo(type, name))
  }

  #crateOf(path: string): RustCrate | undefined {
    return this.#crates.find((one) => one.folder === '' || path.startsWith(`${one.folder}/`))
  }

  /** Where the target that a file belongs to begins. */
  #rootOf(path: string): Root {
    let root = this.#roots.get(path)
    if (root === undefined) {
      root = this.#rootFresh(path)
      this.#roots.set(path, root)
    }
    return root
  }

  #rootFresh(path: string): Root {
    const own = this.#crateOf(path)
    const folder = folderOf(path)
    if (own !== undefined) {
      const inside = own.folder === '' ? path : path.slice(own.folder.length + 1)
      if (own.roots.includes(path)) return { folder, file: path }
      // Each file beside the others is a program of its own, unless the manifest names them.
      const isAlone = /^(tests|examples|benches|src\/bin)\/[^/]+\.rs$/.test(inside)
      if (isAlone && !own.roots.some((one) => folderOf(one) === folder)) return { folder, file: path }
      const around = own.roots
        .filter((one) => folderOf(one) === folder || folder.startsWith(`${folderOf(one)}/`))
        .toSorted((left, right) => folderOf(right).length - folderOf(left).length)
      const named = around.find((one) => one === own.library) ?? around[0]
      if (named !== undefined && folderOf(named) !== '') return { folder: folderOf(named), file: named }
    }
    const at = path.lastIndexOf('src/')
    return { folder: at === -1 ? folder : path.slice(0, at + 3), file: undefined }
  }

  #ownModule(path: string): string {
    const isHead = /(^|\/)(mod|lib|main)\.rs$/.test(path) || this.#rootOf(path).file === path
    return isHead ? folderOf(path) : path.replace(/\.rs$/, '')
  }

  #fileAt({ folder, file }: Root, parts: readonly string[]): number | undefined {
    const { byPath } = this.#index
    if (parts.length > 0) {
      const path = join(folder, parts.join('/'))
      return byPath.get(`${path}.rs`) ?? byPath.get(`${path}/mod.rs`)
    }
    return (
      (file === undefined ? undefined : byPath.get(file)) ??
      byPath.get(`${folder}.rs`) ??
      byPath.get(join(folder, 'mod.rs')) ??
      byPath.get(join(folder, 'lib.rs')) ??
      byPath.get(join(folder, 'main.rs'))
    )
  }

  #moduleOf(f: number | undefined): Denotation | undefined {
    return f === undefined ? undefined : { t: 'module', f }
  }

  /** The library that a file calls by this name. */
  #libraryRoot(from: string, name: string): Root | undefined {
    const crate = this.#byName.get(this.#crateOf(from)?.renamed.get(name) ?? name)
    return crate === undefined ? undefined : { folder: folderOf(crate.library), file: crate.library }
  }

  #library(from: string, name: string): Denotation | undefined {
    const root = this.#libraryRoot(from, name)
    return root === undefined ? undefined : this.#moduleOf(this.#fileAt(root, []))
  }

  #module(from: FileFacts, specifier: string, seen: Set<string>): Denotation {
    const start = kept(this.#starts, `${from.path} ${specifier}`, () => this.#startOf(from, specifier))
    return start === undefined ? outside : this.#inside({ t: 'module', f: start.f }, start.names, seen)
  }

  #startOf(from: FileFacts, specifier: string): Start | undefined {
    const parts = specifier.split('::').filter((one) => one !== '')
    let root = this.#rootOf(from.path)
    const [first = ''] = parts
    if (first === 'crate') parts.shift()
    else if (first === 'self' || first === 'super') {
      let folder = this.#ownModule(from.path)
      while (parts[0] === 'self' || parts[0] === 'super') if (parts.shift() === 'super') folder = folderOf(folder)
      root = folder === root.folder ? root : { folder, file: undefined }
    } else {
      // A path that starts with a name starts at a module of this one, if there is such a module, or at a crate.
      const isInside = from.symbols.some((one) => one.parent === 0 && one.kind === 'module' && one.name === first)
      const f = isInside ? this.#index.byPath.get(from.path) : undefined
      if (f !== undefined) return { f, names: parts }
      const own = { folder: this.#ownModule(from.path), file: undefined }
      const library = this.#libraryRoot(from.path, first)
      if (this.#fileAt(own, [first]) !== undefined) root = own
      else if (library !== undefined) {
        root = library
        parts.shift()
      }
    }
    // The longest part of the path that is a file; what is left are names inside it.
    for (let length = parts.length; length >= 0; length -= 1) {
      const f = this.#fileAt(root, parts.slice(0, length))
      if (f !== undefined) return { f, names: parts.slice(length) }
    }
    return undefined
  }

  /** Names inside of modules, whether they stand there or are passed on. */
  #inside(start: Denotation, names: readonly string[], seen: Set<string>): Denotation {
    let at = start
    for (const name of names) {
      const next = eachOf(at).flatMap((one) => {
        if (one.t !== 'module' && one.t !== 'symbol') return []
        const holder = one.t === 'symbol' ? one.s : 0
        return eachOf(this.#declared(one.f, holder, name) ?? this.#passedOn(one.f, holder, name, seen))
      })
      const [first] = next
      if (first === undefined) return outside
      at = next.length === 1 ? first : { t: 'either', of: next }
    }
    return at
  }

  #declared(f: number, holder: number, name: string): Denotation | undefined {
    const { symbols } = this.#index.facts(f)
    this.#symbolsByName[f] ??= byName(symbols)
    const named = this.#symbolsByName[f]?.get(name) ?? []
    const found = named.flatMap((s): Place[] => {
      const one = symbols[s]
      return one?.parent === holder && (holder !== 0 || one.attachedTo === undefined) ? [{ f, s }] : []
    })
    // Functions of one name, and types, are written for several conditions; other things of one name are of several kinds.
    const isOne = [isFunction, typeLikeKinds].some((kinds) =>
      found.every((one) => kinds.has(symbols[one.s]?.kind ?? 'file')),
    )
    return oneOf(isOne ? found : found.slice(0, 1))
  }

  /** What a module names by `use`, which it hands on. */
  #passedOn(f: number, holder: number, name: string, seen: Set<string>): Denotation | undefined {
    const file = this.#index.facts(f)
    const key = `${f} ${holder} ${name}`
    if (seen.has(key) || seen.size > passedOnMax) return undefined
    const within = holder === 0 ? undefined : file.symbols[holder]
    if (within !== undefined && within.kind !== 'module') return undefined
    seen.add(key)
    const own = holder === 0 ? this.#fileAt({ folder: this.#ownModule(file.path), file: undefined }, [name]) : undefined
    if (own !== undefined) return { t: 'module', f: own }
    let isOutside = false
    for (const one of file.exports) {
      if (one.name !== name || !('value' in one) || one.in !== within?.qualifiedName) continue
      const found = this.#named(file, one.value, seen)
      if (found !== undefined && found.t !== 'external') return found
      isOutside ||= found !== undefined
    }
    // What is named comes before what is brought wholesale.
    if (isOutside) return outside
    return this.#broughtByStars(file, within?.qualifiedName, name, seen)
  }

  #named(file: FileFacts, value: Value, seen: Set<string>): Denotation | undefined {
    if (value.k === 'mod') return this.#module(file, value.m, seen)
    if (value.k === 'alt') {
      const found = value.v.flatMap((one) => eachOf(this.#named(file, one, seen)))
      const known = found.filter((one) => one.t !== 'external')
      return known.length === 0 ? found[0] : { t: 'either', of: known }
    }
    return value.k === 'imp' ? this.#inside(this.#module(file, value.m, seen), [value.n], seen) : undefined
  }

  /** `use a::*` brings what a module or an enum offers, and what a module brings in turn. */
  #broughtByStars(
    from: FileFacts,
    within: string | undefined,
    name: string,
    seen: Set<string>,
  ): Denotation | undefined {
    const key = `${from.path} ${within ?? ''} * ${name}`
    if (seen.has(key) || seen.size > passedOnMax) return undefined
    seen.add(key)
    const specifiers =
      within === undefined
        ? from.imports.flatMap((one) => (one.names.includes('*') ? one.specifier : []))
        : from.exports.flatMap((one) => (one.in === within && one.name === '*' && 'from' in one ? one.from : []))
    for (const specifier of specifiers) {
      const target = this.#module(from, specifier, seen)
      if (target.t !== 'module' && target.t !== 'symbol') continue
      const around = target.t === 'symbol' ? target.s : 0
      const isSelf = this.#index.facts(target.f) === from && around === 0
      const found = isSelf
        ? undefined
        : (this.#declared(target.f, around, name) ?? this.#passedOn(target.f, around, name, seen))
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Macros are named crate-wide: that of the own crate, or the only one that others offer. */
  #macro(path: string, name: string): Denotation | undefined {
    const places = this.#index.named(name)
    const { folder } = this.#rootOf(path)
    const near = places.filter((one) => this.#rootOf(this.#index.path(one.f)).folder === folder)
    if (near.length > 0) return oneOf(near)
    return places.length === 1 ? oneOf(places) : undefined
  }
}

function eachOf(denotation: Denotation | undefined): readonly Denotation[] {
  if (denotation === undefined) return []
  return denotation.t === 'either' ? denotation.of : [denotation]
}

function kept<T>(known: Map<string, T>, key: string, find: () => T): T {
  const found = known.get(key)
  if (found !== undefined || known.has(key)) return found as T
  const fresh = find()
  known.set(key, fresh)
  return fresh
}

/** What a file declares, by name, and in order. */
function byName(symbols: FileFacts['symbols']): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [s, one] of symbols.entries()) if (s > 0 && one.kind !== 'import') pushTo(found, one.name, s)
  return found
}
