/** The module systems of the languages, as one look-up per family. */
import type { FileFacts } from '../core/facts.ts'
import { languageFamily } from '../core/language-of.ts'
import { cLookup } from './c-modules.ts'
import { type Denotation, type ModuleLookup, outside } from './denotation.ts'
import type { ProjectFacts } from './project-facts.ts'
import { type RustCrate, rustLookup } from './rust-modules.ts'
import { folderOf, type PackageFact, type PathAliases, ScriptModules } from './script-modules.ts'
import { goLookup, namespacedLookup, type ProjectUsings, pythonLookup, rubyLookup } from './tree-modules.ts'
import { cPaths, goPaths, type ImportPaths, pythonPaths, rubyPaths } from './tree-targets.ts'

/** What the project's own settings say, beside its source files. */
export interface ProjectSettings {
  readonly packages: readonly PackageFact[]
  readonly aliases: readonly PathAliases[]
  /** Module paths of go.mod files, by folder. */
  readonly goModules: readonly { readonly folder: string; readonly path: string }[]
  readonly crates: readonly RustCrate[]
  readonly usings: readonly ProjectUsings[]
}

/** Nothing but the outside: the lookup of a language without modules of its own. */
const emptyLookup: ModuleLookup = {
  module: () => outside,
  free: () => undefined,
  moduleMember: () => undefined,
}

/** A family's look-up is made when a file of it first asks, because most of them read all files of their family. */
export function createModuleLookup(
  project: ProjectFacts,
  settings: ProjectSettings,
): (file: FileFacts) => ModuleLookup {
  const makers: Readonly<Record<string, () => ModuleLookup>> = {
    script: () => scriptLookup(project, settings),
    python: () => pythonLookup(project),
    go: () => goLookup(project, settings.goModules),
    java: () => namespacedLookup(project, 'java'),
    csharp: () => namespacedLookup(project, 'csharp', settings.usings),
    php: () => namespacedLookup(project, 'php'),
    ruby: () => rubyLookup(project),
    rust: () => rustLookup(project, settings.crates),
    c: () => cLookup(project),
  }
  const made = new Map<string, ModuleLookup>()
  return (file) => {
    const family = languageFamily(file.language)
    let lookup = made.get(family)
    if (lookup === undefined) {
      lookup = makers[family]?.() ?? emptyLookup
      made.set(family, lookup)
    }
    return lookup
  }
}

type ScriptTargets = (from: string, specifier: string) => number | undefined

/** The files that script specifiers name. Files of a folder that write the same mean the same, and each is looked for once. */
function scriptTargets(paths: readonly string[], settings: ProjectSettings): ScriptTargets {
  const indexOf = new Map(paths.map((path, index) => [path, index]))
  const modules = new ScriptModules(new Set(paths), settings.packages, settings.aliases)
  const ofFolders = new Map<string, Map<string, number | undefined>>()
  const ofFiles = new Map<string, Map<string, number | undefined>>()
  const knownFrom = (from: string): Map<string, number | undefined> => {
    const folder = folderOf(from)
    const known = ofFolders.get(folder) ?? new Map<string, number | undefined>()
    ofFolders.set(folder, known)
    ofFiles.set(from, known)
    return known
  }
  return (from, specifier) => {
    const known = ofFiles.get(from) ?? knownFrom(from)
    const found = known.get(specifier)
    if (found !== undefined || known.has(specifier)) return found
    const target = modules.resolve(from, specifier)
    const f = target.kind === 'file' ? indexOf.get(target.path) : undefined
    known.set(specifier, f)
    return f
  }
}

/**
 * What the imports of each family lead to in a project of these files. Scripts, Python and Go know of others only what
 * they import, so that a change matters to those that import it alone; others look names up in all files of the family.
 */
export function importPaths(paths: readonly string[], settings: ProjectSettings): (family: string) => ImportPaths {
  const makers: Readonly<Record<string, () => ImportPaths>> = {
    script: () => {
      const target = scriptTargets(paths, settings)
      return {
        targets: (from, specifier) => {
          const f = target(from, specifier)
          return f === undefined ? [] : [f]
        },
        place: (from, specifier) => paths[target(from, specifier) ?? -1] ?? '',
      }
    },
    python: () => pythonPaths(paths),
    go: () => goPaths(paths, settings.goModules),
    ruby: () => rubyPaths(paths),
    c: () => cPaths(paths),
  }
  const made = new Map<string, ImportPaths>()
  return (family) => {
    const known = made.get(family) ?? makers[family]?.() ?? { place: () => '' }
    made.set(family, known)
    return known
  }
}

function scriptLookup(project: ProjectFacts, settings: ProjectSettings): ModuleLookup {
  const target = scriptTargets(
    Array.from({ length: project.count }, (_, f) => project.path(f)),
    settings,
  )
  return {
    module(from, specifier): Denotation {
      const f = target(from.path, specifier)
      return f === undefined ? outside : { t: 'module', f }
    },
    free: () => undefined,
    moduleMember: () => undefined,
  }
}
