/** What each name in the TypeScript files of a project means, by the compiler, in the form of a compiler's index. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import type { ScipDocument, ScipIndex } from '../../../local/indexer/core/compiler-index.ts'
import { ScriptNames } from '../../../local/indexer/prove/script-names.ts'
import { plainOptions } from '../compiler-oracle.ts'
import { filesBelow } from './files-below.ts'

export function usesOfTypeScript(root: string): ScipIndex {
  const program = ts.createProgram({
    rootNames: filesBelow(root, /\.[cm]?tsx?$/).map((file) => path.join(root, file)),
    options: optionsOf(root),
  })
  const checker = program.getTypeChecker()
  const names = new ScriptNames(ts, root)
  const documents = program.getSourceFiles().flatMap((source): ScipDocument[] => {
    const file = path.relative(root, source.fileName)
    if (file.startsWith('..') || file.includes('node_modules/')) return []
    return [
      {
        path: file,
        language: 'typescript',
        columns: 'utf16',
        symbols: [],
        occurrences: [...names.definitions(source), ...names.uses(source, checker)],
      },
    ]
  })
  return { tool: 'typescript', toolVersion: ts.version, projectRoot: root, documents }
}

/** A project's own options; without its packages only where modules lie matters. */
function optionsOf(root: string): ts.CompilerOptions {
  const file = path.join(root, 'tsconfig.json')
  if (!existsSync(file)) return plainOptions
  const { config } = ts.readConfigFile(file, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  return { ...options, noEmit: true, skipLibCheck: true, types: [], composite: false, incremental: false }
}
