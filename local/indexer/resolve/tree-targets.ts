/** What imports of Python and Go reach, told from paths alone. */
import type { FileFacts } from '../core/facts.ts'
import { languageFamily, languageOf } from '../core/language-of.ts'
import { pushTo } from '../core/push-to.ts'
import type { ProjectFacts } from './project-facts.ts'
import { folderOf } from './script-modules.ts'
import { type GoModule, goLookup, pythonLookup } from './tree-modules.ts'

/** The files that names behind a specifier may come from. */
export type SpecifierTargets = (from: string, specifier: string) => readonly number[]

/** A package hands out whatever lies below it, imported or not. */
export function pythonTargets(paths: readonly string[]): SpecifierTargets {
  const { module } = pythonLookup(onlyPaths(paths))
  const below = new Map<string, number[]>()
  for (const [f, path] of paths.entries()) {
    if (familyOf(path) !== 'python') continue
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      pushTo(below, folder, f)
      if (folder === '') break
    }
  }
  return (from, specifier) => {
    const target = module(fileAt(from), specifier)
    if (target.t === 'package') return below.get(target.path) ?? []
    if (target.t !== 'module') return []
    const path = paths[target.f] ?? ''
    return path.endsWith('__init__.py') ? (below.get(folderOf(path)) ?? []) : [target.f]
  }
}

export function goTargets(paths: readonly string[], goModules: readonly GoModule[]): SpecifierTargets {
  const { module } = goLookup(onlyPaths(paths), goModules)
  return (from, specifier) => {
    const target = module(fileAt(from), specifier)
    return target.t === 'package' ? target.files : []
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
