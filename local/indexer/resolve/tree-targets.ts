/** What imports lead to, told from paths alone. */

import { pushTo } from '#shared/kernel/push-to.ts'
import type { FileFacts } from '../core/facts.ts'
import { languageFamily, languageOf } from '../core/language-of.ts'
import { cLookup } from './c-modules.ts'
import type { ModuleLookup } from './denotation.ts'
import type { ProjectFacts } from './project-facts.ts'
import { folderOf } from './script-modules.ts'
import { type GoModule, goLookup, pythonLookup, rubyLookup } from './tree-modules.ts'

/** What the imports of a family lead to. */
export interface ImportPaths {
  /** Files that names behind a specifier may come from; undefined where every file of the family is within reach. */
  readonly targets?: (from: string, specifier: string) => readonly number[]
  /** Where a specifier leads: one text for one place, and '' for the outside. */
  readonly place: (from: string, specifier: string) => string
}

type Module = ModuleLookup['module']

/** A package hands out whatever lies below it, imported or not. */
export function pythonPaths(paths: readonly string[]): ImportPaths {
  const { module } = pythonLookup(onlyPaths(paths))
  const below = new Map<string, number[]>()
  for (const [f, path] of paths.entries()) {
    if (familyOf(path) !== 'python') continue
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      pushTo(below, folder, f)
      if (folder === '') break
    }
  }
  return {
    targets: (from, specifier) => {
      const target = module(fileAt(from), specifier)
      if (target.t === 'package') return below.get(target.path) ?? []
      if (target.t !== 'module') return []
      const path = paths[target.f] ?? ''
      return path.endsWith('__init__.py') ? (below.get(folderOf(path)) ?? []) : [target.f]
    },
    place: placeBy(module, paths),
  }
}

export function goPaths(paths: readonly string[], goModules: readonly GoModule[]): ImportPaths {
  const { module } = goLookup(onlyPaths(paths), goModules)
  return {
    targets: (from, specifier) => {
      const target = module(fileAt(from), specifier)
      return target.t === 'package' ? target.files : []
    },
    place: placeBy(module, paths),
  }
}

export function rubyPaths(paths: readonly string[]): ImportPaths {
  return { place: placeBy(rubyLookup(onlyPaths(paths)).module, paths) }
}

export function cPaths(paths: readonly string[]): ImportPaths {
  return { place: placeBy(cLookup(onlyPaths(paths)).module, paths) }
}

function placeBy(module: Module, paths: readonly string[]): ImportPaths['place'] {
  return (from, specifier) => {
    const target = module(fileAt(from), specifier)
    if (target.t === 'module') return paths[target.f] ?? ''
    return target.t === 'package' ? `${target.path}/` : ''
  }
}

function familyOf(path: string): string | undefined {
  const language = languageOf(path)
  return language === undefined ? undefined : languageFamily(language)
}

/** Where a specifier leads depends on where it is written, and on nothing that is written there. */
function fileAt(path: string): FileFacts {
  return {
    path,
    language: languageOf(path) ?? 'python',
    lines: 0,
    generated: false,
    symbols: [],
    locals: [],
    references: [],
    imports: [],
    exports: [],
    routes: [],
    errors: [],
  }
}

function onlyPaths(paths: readonly string[]): ProjectFacts {
  const path = (f: number): string => paths[f] ?? ''
  return {
    count: paths.length,
    path,
    language: (f) => languageOf(path(f)) ?? 'python',
    facts: (f) => fileAt(path(f)),
    packageName: () => undefined,
    symbolsNamed: () => [],
  }
}
