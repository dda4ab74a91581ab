/** The module systems of the languages, as one look-up per family. */
import type { FileFacts } from '../core/facts.ts'
import { languageFamily } from '../core/language-of.ts'
import { type Denotation, type ModuleLookup, outside } from './evaluate.ts'
import { emptyLookup } from './link.ts'
import { type PackageFact, type PathAliases, ScriptModules } from './script-modules.ts'
import { cLookup, goLookup, namespacedLookup, pythonLookup, rubyLookup, rustLookup } from './tree-modules.ts'

/** What the project's own settings say, beside its source files. */
export interface ProjectSettings {
  readonly packages: readonly PackageFact[]
  readonly aliases: readonly PathAliases[]
  /** Module paths of go.mod files, by folder. */
  readonly goModules: readonly { readonly folder: string; readonly path: string }[]
}

export function createModuleLookup(
  files: readonly FileFacts[],
  settings: ProjectSettings,
): (file: FileFacts) => ModuleLookup {
  const indexOf = new Map(files.map((file, index) => [file.path, index]))
  const paths = new Set(indexOf.keys())
  const script = scriptLookup(indexOf, new ScriptModules(paths, settings.packages, settings.aliases))
  const lookups: Readonly<Record<string, ModuleLookup>> = {
    script,
    python: pythonLookup(files),
    go: goLookup(files, settings.goModules),
    java: namespacedLookup(files, 'java'),
    csharp: namespacedLookup(files, 'csharp'),
    php: namespacedLookup(files, 'php'),
    ruby: rubyLookup(files),
    rust: rustLookup(files),
    c: cLookup(files),
  }
  return (file) => lookups[languageFamily(file.language)] ?? emptyLookup
}

function scriptLookup(indexOf: ReadonlyMap<string, number>, modules: ScriptModules): ModuleLookup {
  return {
    module(from, specifier): Denotation {
      const target = modules.resolve(from.path, specifier)
      const f = target.kind === 'file' ? indexOf.get(target.path) : undefined
      return f === undefined ? outside : { t: 'module', f }
    },
    free: () => undefined,
    moduleMember: () => undefined,
  }
}
