/** Module systems of the languages other than JavaScript, over the files of one project. */

import { type FileFacts, forAll } from '../core/facts.ts'
import { withoutArity } from '../core/file-links.ts'
import { type Denotation, type ModuleLookup, outside } from './denotation.ts'
import { FamilyIndex, oneOf } from './family-index.ts'
import type { Place, ProjectFacts } from './project-facts.ts'
import { folderOf, join, normalise } from './script-modules.ts'

export interface GoModule {
  readonly folder: string
  readonly path: string
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
  /** What the files of a folder have at their top, asked for with every name that a file does not have itself. */
  const known = new Map<string, ReadonlyMap<string, Denotation>>()
  const namesOf = (folder: string): ReadonlyMap<string, Denotation> => {
    const found = new Map<string, Denotation>()
    for (const f of index.byFolder.get(folder) ?? [])
      index.facts(f).symbols.forEach((one, s) => {
        const isNamed = s > 0 && one.parent === 0 && one.attachedTo === undefined && one.kind !== 'import'
        if (isNamed && !found.has(one.name)) found.set(one.name, { t: 'symbol', f, s })
      })
    known.set(folder, found)
    return found
  }
  const inFolder = (folder: string, name: string): Denotation | undefined =>
    (known.get(folder) ?? namesOf(folder)).get(name)
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

/** Namespaces that what builds a project of C# opens for all files of its folder. */
export interface ProjectUsings {
  readonly folder: string
  readonly namespaces: readonly string[]
}

/** Java, C# and PHP: names live in packages that files declare for themselves. */
export function namespacedLookup(
  project: ProjectFacts,
  family: 'java' | 'csharp' | 'php',
  usings: readonly ProjectUsings[] = [],
): ModuleLookup {
  const separator = family === 'php' ? '\\' : '.'
  const index = new FamilyIndex(project, family, separator)
  const fullName = (namespace: string | undefined, name: string): string =>
    namespace === undefined || namespace === '' ? name : `${namespace}${separator}${name}`
  const full = (namespace: string | undefined, name: string): Denotation | undefined =>
    index.qualified(fullName(namespace, name))
  /** Types of C# of one name are told apart by how many types they are given. */
  const ofArity = (namespace: string | undefined, name: string, arity: number): Denotation | undefined => {
    const places = index.allQualified(fullName(namespace, name))
    const found = places.find(({ f, s }) => (index.facts(f).symbols[s]?.typeParameters?.length ?? 0) === arity)
    return found === undefined ? undefined : { t: 'symbol', ...found }
  }
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
  const forAllIn = new Map<string, readonly string[]>()
  /** What C# says once for a project: in any file that lies above, or in what says how it is built. */
  const importedForAll = (from: FileFacts): readonly string[] =>
    ['', ...ancestors(folderOf(from.path))].flatMap((folder) => {
      let known = forAllIn.get(folder)
      if (known === undefined) {
        const written = (index.byFolder.get(folder) ?? []).flatMap((f) =>
          index.facts(f).exports.flatMap((one) => (one.name === forAll && 'from' in one ? one.from : [])),
        )
        known = [...written, ...usings.flatMap((one) => (one.folder === folder ? one.namespaces : []))]
        forAllIn.set(folder, known)
      }
      return known
    })
  /** A function of PHP that the namespace around does not have is one outside of all. Programs of one project may each have theirs. */
  const functionOf = (from: FileFacts, name: string): Denotation | undefined => {
    for (const namespace of new Set([from.packageName, undefined])) {
      const all = index.allQualified(fullName(namespace, name))
      const functions = all.filter(({ f, s }) => index.facts(f).symbols[s]?.kind === 'function')
      const found = oneOf(index.visibleFrom(from, functions))
      if (found !== undefined) return found
    }
    return undefined
  }
  /** A class of C# may be written in parts, and have methods that are written elsewhere. */
  const attached: ModuleLookup['attached'] = (from, type, name, _fullType, suits) => {
    const parts = index.parts(from.packageName === undefined ? type : `${from.packageName}.${type}`, name)
    return oneOf(parts.filter(suits)) ?? oneOf(index.attachedTo(type, name).filter(suits))
  }
  /** Where a name of a file is looked for: its own namespace first, then those that it opens. */
  const inNamespaces = (
    from: FileFacts,
    find: (namespace: string | undefined) => Denotation | undefined,
    findInType?: (type: string) => Denotation | undefined,
  ): Denotation | undefined => {
    let namespace = from.packageName
    for (;;) {
      const found = find(namespace)
      if (found !== undefined) return found
      // C# looks outwards through the namespaces around; the others stay in their own.
      if (namespace === undefined || family !== 'csharp') break
      const cut = namespace.lastIndexOf('.')
      namespace = cut === -1 ? undefined : namespace.slice(0, cut)
    }
    const specifiers = from.imports.flatMap((one) => (one.names.includes('*') ? one.specifier : []))
    for (const specifier of family === 'csharp' ? [...specifiers, ...importedForAll(from)] : specifiers) {
      const found = find(specifier) ?? findInType?.(specifier)
      if (found !== undefined) return found
    }
    return undefined
  }
  return {
    ...(family === 'csharp' ? { attached } : {}),
    ...(family === 'php' ? { called: functionOf } : {}),
    module(_from, specifier) {
      const found = index.qualified(specifier)
      if (found !== undefined) return found
      const files = index.packages.get(specifier)
      return files === undefined ? outside : { t: 'package', files, path: specifier }
    },
    free(from, written) {
      const name = withoutArity(written)
      if (family === 'csharp') {
        const arity = name === written ? 0 : Number(written.slice(name.length + 1))
        const found = inNamespaces(from, (namespace) => ofArity(namespace, name, arity))
        if (found !== undefined) return found
      }
      const found = inNamespaces(
        from,
        (namespace) => full(namespace, name),
        (type) => memberOf(type, name),
      )
      if (found !== undefined) return found
      // What nothing else has may be the first part of a name that is written out in full.
      return family === 'php' ? functionOf(from, name) : packageAt(name)
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
