/** Module systems of the languages other than JavaScript, over the files of one project. */

import { pushTo } from '#shared/kernel/push-to.ts'
import type { Symbol as CodeSymbol, FileFacts } from '../core/facts.ts'
import { languageFamily } from '../core/language-of.ts'
import { isNonProductionFile, isTestFile } from '../core/test-file.ts'
import { type Denotation, type ModuleLookup, outside } from './denotation.ts'
import type { Place, ProjectFacts } from './project-facts.ts'
import { folderOf, join, normalise } from './script-modules.ts'

export interface GoModule {
  readonly folder: string
  readonly path: string
}

const typeKinds = new Set([
  'class',
  'struct',
  'interface',
  'trait',
  'enum',
  'union',
  'module',
  'namespace',
  'type_alias',
])

interface NameTables {
  readonly full: Map<string, Place[]>
  /** By the full name of the type around. */
  readonly inside: Map<string, Place[]>
  /** By the name of the type it is written for. */
  readonly attached: Map<string, Place[]>
}

/**
 * What every family is asked: files by path and folder, names outside types, methods written outside their type. A name
 * is looked up when it is asked for, so that linking a few files reads few.
 */
class FamilyIndex {
  readonly #project: ProjectFacts
  readonly #family: string
  readonly #separator: string
  readonly #atTop = new Map<string, readonly Place[]>()
  readonly #qualified = new Map<string, Denotation | undefined>()
  readonly #byName = new Map<string, NameTables>()
  readonly #tests = new Map<(path: string) => boolean, Map<string, boolean>>()
  #packages: ReadonlyMap<string, readonly number[]> | undefined
  readonly byPath = new Map<string, number>()
  readonly byFolder = new Map<string, number[]>()

  constructor(project: ProjectFacts, family: string, separator: string) {
    this.#project = project
    this.#family = family
    this.#separator = separator
    for (let f = 0; f < project.count; f += 1) {
      if (languageFamily(project.language(f)) !== family) continue
      const path = project.path(f)
      this.byPath.set(path, f)
      pushTo(this.byFolder, folderOf(path), f)
    }
  }

  facts(f: number): FileFacts {
    return this.#project.facts(f)
  }

  path(f: number): string {
    return this.#project.path(f)
  }

  /** Files by the package they declare for themselves. */
  get packages(): ReadonlyMap<string, readonly number[]> {
    if (this.#packages === undefined) {
      const packages = new Map<string, number[]>()
      for (const f of this.byPath.values()) {
        const name = this.#project.packageName(f)
        if (name !== undefined) pushTo(packages, name, f)
      }
      this.#packages = packages
    }
    return this.#packages
  }

  /** What is written at the top of a file, but for namespaces around it. */
  atTop(name: string): readonly Place[] {
    let places = this.#atTop.get(name)
    if (places === undefined) {
      places = this.#project.symbolsNamed(this.#family, name).filter(({ f, s }) => {
        const file = this.facts(f)
        const symbol = file.symbols[s]
        return symbol !== undefined && symbol.attachedTo === undefined && isInNamespace(file, symbol)
      })
      this.#atTop.set(name, places)
    }
    return places
  }

  attachedTo(type: string, name: string): readonly Place[] {
    return this.#tables(name).attached.get(type) ?? []
  }

  /** What stands under a name in any of the types of that full name. */
  parts(type: string, name: string): readonly Place[] {
    return this.#tables(name).inside.get(type) ?? []
  }

  /** Everything of a full name, in order of file and place. */
  allQualified(name: string): readonly Place[] {
    return namesOf(name, this.#separator)
      .flatMap((one) => this.#tables(one).full.get(name) ?? [])
      .sort((left, right) => left.f - right.f || left.s - right.s)
  }

  /** What code in production can mean: tests bring it their own names, and it never theirs. */
  visibleFrom(from: FileFacts, places: readonly Place[]): readonly Place[] {
    if (places.length === 0 || !this.isProduction(from)) return places
    return places.filter(({ f }) => !this.#isTest(this.path(f), isTestFile))
  }

  isProduction(file: FileFacts): boolean {
    return !this.#isTest(file.path, isNonProductionFile)
  }

  #isTest(path: string, judge: (path: string) => boolean): boolean {
    const known = this.#tests.get(judge) ?? new Map<string, boolean>()
    this.#tests.set(judge, known)
    let is = known.get(path)
    if (is === undefined) {
      is = judge(path)
      known.set(path, is)
    }
    return is
  }

  /** The symbols of a name by what they stand in and by what they are called in full. */
  #tables(name: string): NameTables {
    let tables = this.#byName.get(name)
    if (tables === undefined) {
      tables = { full: new Map(), inside: new Map(), attached: new Map() }
      for (const place of this.#project.symbolsNamed(this.#family, name)) {
        const symbol = this.facts(place.f).symbols[place.s]
        if (symbol === undefined) continue
        if (symbol.attachedTo !== undefined) pushTo(tables.attached, symbol.attachedTo, place)
        const own = this.#fullName(place)
        if (own !== undefined) pushTo(tables.full, own, place)
        const holder = symbol.parent === 0 ? undefined : this.#fullName({ f: place.f, s: symbol.parent })
        if (holder !== undefined) pushTo(tables.inside, holder, place)
      }
      this.#byName.set(name, tables)
    }
    return tables
  }

  qualified(name: string): Denotation | undefined {
    if (this.#qualified.has(name)) return this.#qualified.get(name)
    const [first] = this.allQualified(name)
    const found: Denotation | undefined = first === undefined ? undefined : { t: 'symbol', ...first }
    this.#qualified.set(name, found)
    return found
  }

  /** Types inside a namespace of the file are types of that namespace. */
  #fullName({ f, s }: Place): string | undefined {
    const file = this.facts(f)
    const symbol = file.symbols[s]
    if (symbol === undefined || symbol.attachedTo !== undefined) return undefined
    if (!isInNamespace(file, symbol) && !typeKinds.has(symbol.kind)) return undefined
    const inner = symbol.qualifiedName.replaceAll('::', this.#separator)
    return file.packageName === undefined || inner.startsWith(file.packageName + this.#separator)
      ? inner
      : `${file.packageName}${this.#separator}${inner}`
  }
}

/** What a symbol of that full name may be called: the end of it, at any of the separators. */
function namesOf(name: string, separator: string): string[] {
  const parts = name.split(separator)
  return parts.map((_, at) => parts.slice(at).join(separator))
}

/** At the top of its file, but for namespaces around it. */
function isInNamespace(file: FileFacts, symbol: CodeSymbol): boolean {
  let at = symbol
  while (at.parent !== 0) {
    const parent = file.symbols[at.parent]
    if (parent?.kind !== 'namespace') return false
    at = parent
  }
  return true
}

function oneOf(places: readonly Place[]): Denotation | undefined {
  const [first] = places
  if (first === undefined) return undefined
  if (places.length === 1) return { t: 'symbol', ...first }
  return { t: 'either', of: places.slice(0, 4).map((one) => ({ t: 'symbol', ...one })) }
}

export function pythonLookup(project: ProjectFacts): ModuleLookup {
  const index = new FamilyIndex(project, 'python', '.')
  const fileAt = (path: string): number | undefined =>
    index.byPath.get(`${path}.py`) ?? index.byPath.get(join(path, '__init__.py')) ?? index.byPath.get(`${path}.pyi`)
  let folders: ReadonlySet<string> | undefined
  const packageAt = (path: string): Denotation | undefined => {
    const f = fileAt(path)
    if (f !== undefined) return { t: 'module', f }
    // A folder without __init__ is a package too.
    folders ??= new Set([...index.byFolder.keys()].flatMap((folder) => [folder, ...ancestors(folder)]))
    return folders.has(path) ? { t: 'package', files: [], path } : undefined
  }
  const roots = ['', 'src', 'lib']
  const known = new Map<string, Denotation>()
  const moduleFresh = (from: FileFacts, specifier: string): Denotation => {
    const dots = /^\.*/.exec(specifier)?.[0].length ?? 0
    const tail = specifier.slice(dots).replaceAll('.', '/')
    if (dots > 0) {
      let folder: string | undefined = folderOf(from.path)
      for (let up = 1; up < dots; up += 1) folder = folder === '' ? undefined : folderOf(folder ?? '')
      if (folder === undefined) return outside
      return packageAt(tail === '' ? folder : join(folder, tail)) ?? outside
    }
    // A package is no place that modules are looked for in: what lies beside a file of it is named through it.
    const around = ancestors(folderOf(from.path)).filter((folder) => !index.byPath.has(join(folder, '__init__.py')))
    for (const root of [...roots, ...around]) {
      const found = packageAt(join(root, tail))
      if (found !== undefined) return found
    }
    return outside
  }
  const module = (from: FileFacts, specifier: string): Denotation => {
    const key = `${folderOf(from.path)}\n${specifier}`
    const found = known.get(key) ?? moduleFresh(from, specifier)
    known.set(key, found)
    return found
  }
  return {
    module,
    free(from, name) {
      for (const one of from.imports) {
        if (!one.names.includes('*') || name.startsWith('_')) continue
        const target = module(from, one.specifier)
        if (target.t !== 'module') continue
        const s =
          index
            .facts(target.f)
            .symbols.findIndex(
              (symbol, at) => at > 0 && symbol.parent === 0 && symbol.kind !== 'import' && symbol.name === name,
            ) ?? -1
        if (s !== -1) return { t: 'symbol', f: target.f, s }
      }
      return undefined
    },
    moduleMember(path, name) {
      const folder = path.endsWith('__init__.py') ? folderOf(path) : path.endsWith('.py') ? undefined : path
      return folder === undefined ? undefined : packageAt(join(folder, name))
    },
  }
}

function ancestors(folder: string): string[] {
  const found: string[] = []
  for (let at = folder; at !== ''; at = folderOf(at)) found.push(at)
  return found
}

export function goLookup(project: ProjectFacts, goModules: readonly GoModule[]): ModuleLookup {
  const index = new FamilyIndex(project, 'go', '.')
  const inFolder = (folder: string, name: string): Denotation | undefined => {
    for (const f of index.byFolder.get(folder) ?? []) {
      const s =
        index
          .facts(f)
          .symbols.findIndex(
            (one, at) =>
              at > 0 && one.parent === 0 && one.attachedTo === undefined && one.name === name && one.kind !== 'import',
          ) ?? -1
      if (s !== -1) return { t: 'symbol', f, s }
    }
    return undefined
  }
  return {
    module(_from, specifier) {
      for (const one of goModules) {
        if (specifier !== one.path && !specifier.startsWith(`${one.path}/`)) continue
        const folder = normalise(join(one.folder, specifier.slice(one.path.length + 1))) ?? ''
        const inside = index.byFolder.get(folder)
        if (inside !== undefined) return { t: 'package', files: inside, path: folder }
      }
      return outside
    },
    free: (from, name) => inFolder(folderOf(from.path), name),
    moduleMember: () => undefined,
    attached(from, type, name) {
      const folder = folderOf(from.path)
      return oneOf(index.attachedTo(type, name).filter((one) => folderOf(index.path(one.f)) === folder))
    },
  }
}

/** Java, C# and PHP: names live in packages that files declare for themselves. */
export function namespacedLookup(project: ProjectFacts, family: 'java' | 'csharp' | 'php'): ModuleLookup {
  const separator = family === 'php' ? '\\' : '.'
  const index = new FamilyIndex(project, family, separator)
  const full = (namespace: string | undefined, name: string): Denotation | undefined =>
    index.qualified(namespace === undefined || namespace === '' ? name : `${namespace}${separator}${name}`)
  const packageAt = (path: string): Denotation | undefined => {
    const isInside = (name: string): boolean => name === path || name.startsWith(path + separator)
    const files = [...index.packages].flatMap(([name, own]) => (isInside(name) ? own : []))
    return files.length === 0 ? undefined : { t: 'package', files: files.sort((left, right) => left - right), path }
  }
  /** What a type itself declares by that name, for imports that bring all of its members. */
  const memberOf = (type: string, name: string): Denotation | undefined => {
    const holder = family === 'php' ? undefined : index.qualified(type)
    if (holder?.t !== 'symbol') return undefined
    const s = index.facts(holder.f).symbols.findIndex((one) => one.parent === holder.s && one.name === name)
    return s === -1 ? undefined : { t: 'symbol', f: holder.f, s }
  }
  /** A class of C# may be written in parts, and have methods that are written elsewhere. */
  const attached: ModuleLookup['attached'] = (from, type, name) => {
    const parts = index.parts(from.packageName === undefined ? type : `${from.packageName}.${type}`, name)
    return oneOf(parts) ?? oneOf(index.attachedTo(type, name))
  }
  return {
    ...(family === 'csharp' ? { attached } : {}),
    module(_from, specifier) {
      const found = index.qualified(specifier)
      if (found !== undefined) return found
      const files = index.packages.get(specifier)
      return files === undefined ? outside : { t: 'package', files, path: specifier }
    },
    free(from, name) {
      let namespace = from.packageName
      for (;;) {
        const found = full(namespace, name)
        if (found !== undefined) return found
        // C# looks outwards through the namespaces around; the others stay in their own.
        if (namespace === undefined || family !== 'csharp') break
        const cut = namespace.lastIndexOf('.')
        namespace = cut === -1 ? undefined : namespace.slice(0, cut)
      }
      for (const one of from.imports) {
        if (!one.names.includes('*')) continue
        const found = full(one.specifier, name) ?? memberOf(one.specifier, name)
        if (found !== undefined) return found
      }
      // What nothing else has may be the first part of a name that is written out in full.
      return family === 'php' ? undefined : packageAt(name)
    },
    moduleMember: (path, name) =>
      full(path, name) ?? (family === 'php' ? undefined : packageAt(path + separator + name)),
  }
}

export function rubyLookup(project: ProjectFacts): ModuleLookup {
  const index = new FamilyIndex(project, 'ruby', '::')
  const module = (from: FileFacts, specifier: string): Denotation => {
    const relative = normalise(join(folderOf(from.path), specifier))
    for (const path of [relative, specifier, `lib/${specifier}`]) {
      const f = path === undefined ? undefined : (index.byPath.get(path) ?? index.byPath.get(`${path}.rb`))
      if (f !== undefined) return { t: 'module', f }
    }
    return outside
  }
  const loads = new Map<string, ReadonlySet<number>>()
  const loadedBy = (from: FileFacts): ReadonlySet<number> => {
    let loaded = loads.get(from.path)
    if (loaded === undefined) {
      const found = from.imports.map((one) => module(from, one.specifier))
      loaded = new Set(found.flatMap((one) => (one.t === 'module' ? [one.f] : [])))
      loads.set(from.path, loaded)
    }
    return loaded
  }
  /** A class or module that several files open is one; several that each say what they inherit from are several. */
  const constant = (places: readonly Place[]): Denotation | undefined => {
    const opened = places.filter(({ f, s }) => /^(class|module)$/.test(index.facts(f).symbols[s]?.kind ?? ''))
    if (opened.length === 0 || opened.length < places.length) return oneOf(places)
    const made = opened.filter(({ f, s }) => /^class\s+\S+\s*</.test(index.facts(f).symbols[s]?.signature ?? ''))
    return oneOf(made.length > 0 ? made : opened.slice(0, 1))
  }
  /** Asked for with every constant that is written, and the same for all files of production, and for all others. */
  const constants = new Map<string, Denotation | undefined>()
  const constantOf = (from: FileFacts, name: string): Denotation | undefined => {
    const key = `${index.isProduction(from) ? '+' : '-'}${name}`
    if (constants.has(key)) return constants.get(key)
    const places = name.includes('::') ? index.allQualified(name) : index.atTop(name)
    const found = constant(index.visibleFrom(from, places))
    constants.set(key, found)
    return found
  }
  const methods = new Map<string, readonly Place[]>()
  const methodsOf = (from: FileFacts, name: string): readonly Place[] => {
    const key = `${index.isProduction(from) ? '+' : '-'}${name}`
    let found = methods.get(key)
    if (found === undefined) {
      found = index
        .visibleFrom(from, index.atTop(name))
        .filter(({ f, s }) => index.facts(f).symbols[s]?.kind === 'function')
      methods.set(key, found)
    }
    return found
  }
  return {
    module,
    free(from, name) {
      if (name.includes('::') || /^[A-Z]/.test(name)) return constantOf(from, name)
      // A method outside of all types is there for whoever loads its file.
      const methods = methodsOf(from, name)
      if (methods.length === 0) return undefined
      const loaded = loadedBy(from)
      const certain = methods.filter(({ f }) => loaded.has(f))
      if (certain.length > 0) return oneOf(certain)
      return { t: 'either', of: methods.slice(0, 4).map((one) => ({ t: 'symbol', ...one })), isPartial: true }
    },
    moduleMember: () => undefined,
    // What several files open is one thing.
    attached: (from, _type, name, fullType) => oneOf(index.visibleFrom(from, index.parts(fullType, name))),
  }
}

export function cLookup(project: ProjectFacts): ModuleLookup {
  const index = new FamilyIndex(project, 'c', '::')
  const byBase = new Map<string, number[]>()
  for (const [path, f] of index.byPath) pushTo(byBase, path.slice(path.lastIndexOf('/') + 1), f)
  const included = (from: FileFacts, specifier: string): number | undefined => {
    if (specifier.startsWith('<')) return undefined
    const beside = normalise(join(folderOf(from.path), specifier))
    const direct = (beside === undefined ? undefined : index.byPath.get(beside)) ?? index.byPath.get(specifier)
    if (direct !== undefined) return direct
    return (byBase.get(specifier.slice(specifier.lastIndexOf('/') + 1)) ?? []).find((f) =>
      index.path(f).endsWith(`/${specifier}`),
    )
  }
  const directives = (file: FileFacts): string[] =>
    file.exports.flatMap((one) => ('from' in one && one.name === '*' ? one.from.slice(2) : []))
  const reached = new Map<FileFacts, { readonly around: ReadonlySet<string>; readonly used: readonly string[] }>()
  const reachedFrom = (from: FileFacts) => {
    let known = reached.get(from)
    if (known === undefined) {
      const headers = from.imports.flatMap((one) => included(from, one.specifier) ?? [])
      known = {
        around: new Set(from.symbols.filter((one) => one.kind === 'namespace').map((one) => one.qualifiedName)),
        used: [directives(from), ...headers.map((f) => directives(index.facts(f)))].flat(),
      }
      reached.set(from, known)
    }
    return known
  }
  /** A bare name means what stands in a namespace that the file opens or uses, or in none. */
  const isReached = (from: FileFacts, { f, s }: Place): boolean => {
    const symbol = index.facts(f).symbols[s]
    const namespace = symbol?.qualifiedName.split('::').slice(0, -1).join('::') ?? ''
    if (namespace === '' || symbol?.kind === 'namespace') return true
    const { around, used } = reachedFrom(from)
    return around.has(namespace) || used.some((one) => `::${namespace}`.endsWith(`::${one}`))
  }
  return {
    module(from, specifier) {
      const f = included(from, specifier)
      return f === undefined ? outside : { t: 'module', f }
    },
    free(from, name) {
      const places = index.visibleFrom(from, index.atTop(name)).filter((one) => isReached(from, one))
      const [first] = places
      if (first === undefined) return undefined
      // A namespace is what all files that open it put into it.
      if (index.facts(first.f).symbols[first.s]?.kind === 'namespace') {
        const names = new Map<string, number[]>()
        for (const one of places) pushTo(names, index.facts(one.f).symbols[one.s]?.qualifiedName ?? name, one.f)
        const found = [...names].map(([path, files]): Denotation => ({ t: 'package', files, path }))
        const [only] = found
        return found.length === 1 ? only : { t: 'either', of: found }
      }
      // What the linker would join: one definition of that name, or the one that an included header belongs to.
      if (places.length === 1) return oneOf(places)
      const stems = new Set(from.imports.map((one) => one.specifier.replace(/^.*\//, '').replace(/\.\w+$/, '')))
      const near = places.filter((one) =>
        stems.has(
          index
            .path(one.f)
            .replace(/^.*\//, '')
            .replace(/\.\w+$/, ''),
        ),
      )
      return oneOf(near.length > 0 ? near : places)
    },
    moduleMember: (path, name) => index.qualified(`${path}::${name}`),
    attached: (from, type, name) =>
      oneOf(index.visibleFrom(from, index.attachedTo(type, name))) ?? index.qualified(`${type}::${name}`),
  }
}

export function rustLookup(project: ProjectFacts): ModuleLookup {
  const index = new FamilyIndex(project, 'rust', '::')
  const rootOf = (file: string): string => {
    const at = file.lastIndexOf('src/')
    return at === -1 ? folderOf(file) : file.slice(0, at + 3)
  }
  const fileAt = (folder: string, parts: readonly string[]): number | undefined => {
    const path = parts.length === 0 ? folder : join(folder, parts.join('/'))
    return (
      index.byPath.get(`${path}.rs`) ??
      index.byPath.get(`${path}/mod.rs`) ??
      (parts.length === 0 ? (index.byPath.get(`${folder}/lib.rs`) ?? index.byPath.get(`${folder}/main.rs`)) : undefined)
    )
  }
  const ownModule = (file: string): string =>
    /(^|\/)(mod|lib|main)\.rs$/.test(file) ? folderOf(file) : file.replace(/\.rs$/, '')
  /** `use a::*` brings what a module or an enum offers, and what a module brings in turn. */
  const broughtByStars = (from: FileFacts, name: string, seen: Set<string>): Denotation | undefined => {
    if (seen.has(from.path)) return undefined
    seen.add(from.path)
    for (const one of from.imports) {
      if (!one.names.includes('*')) continue
      const target = module(from, one.specifier)
      if (target.t !== 'module' && target.t !== 'symbol') continue
      const file = index.facts(target.f)
      if (file === from && target.t === 'module') continue
      const holder = target.t === 'symbol' ? target.s : 0
      const s = file.symbols.findIndex(
        (symbol, at) => at > 0 && symbol.parent === holder && symbol.kind !== 'import' && symbol.name === name,
      )
      if (s !== -1) return { t: 'symbol', f: target.f, s }
      const further = target.t === 'module' ? broughtByStars(file, name, seen) : undefined
      if (further !== undefined) return further
    }
    return undefined
  }
  const module = (from: FileFacts, specifier: string): Denotation => {
    const parts = specifier.split('::').filter((one) => one !== '')
    let folder = rootOf(from.path)
    // A path that starts with a name starts at a module of this one, if there is such a module.
    const [first = ''] = parts
    if (!/^(crate|self|super)$/.test(first) && fileAt(ownModule(from.path), [first]) !== undefined)
      folder = ownModule(from.path)
    if (parts[0] === 'crate') parts.shift()
    else if (parts[0] === 'self' || parts[0] === 'super') {
      folder = ownModule(from.path)
      while (parts[0] === 'self' || parts[0] === 'super') if (parts.shift() === 'super') folder = folderOf(folder)
    }
    // The longest part of the path that is a file; what is left are names inside it.
    for (let length = parts.length; length >= 0; length -= 1) {
      const f = fileAt(folder, parts.slice(0, length))
      if (f === undefined) continue
      let at = 0
      for (const name of parts.slice(length)) {
        const next = index.facts(f).symbols.findIndex((one, s) => s > 0 && one.parent === at && one.name === name) ?? -1
        if (next === -1) return outside
        at = next
      }
      return at === 0 ? { t: 'module', f } : { t: 'symbol', f, s: at }
    }
    return outside
  }
  return {
    module,
    free(from, name) {
      const brought = broughtByStars(from, name, new Set())
      if (brought !== undefined) return brought
      if (name === 'crate') {
        const f = fileAt(rootOf(from.path), [])
        return f === undefined ? undefined : { t: 'module', f }
      }
      const f = fileAt(ownModule(from.path), [name])
      return f === undefined ? undefined : { t: 'module', f }
    },
    moduleMember(path, name) {
      const f = fileAt(ownModule(path), [name])
      return f === undefined ? undefined : { t: 'module', f }
    },
    attached: (_from, type, name) => oneOf(index.attachedTo(type, name)),
  }
}
