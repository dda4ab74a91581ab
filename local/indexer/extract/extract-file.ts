import type { FileFacts } from '../core/facts.ts'
import { languageOf } from '../core/language-of.ts'
import type { Language } from '../core/vocabulary.ts'
import { extractComponentFile } from './component-file.ts'
import { FactBuilder } from './fact-builder.ts'
import { extractScript } from './script.ts'

/** A project of scripts alone never loads the other parser. */
let trees: typeof import('./tree.ts') | undefined

const readAsScript: ReadonlySet<Language> = new Set(['typescript', 'tsx', 'javascript', 'jsx', 'vue', 'svelte'])

/** Loads what the languages need; extraction itself does not wait for anything. */
export async function prepareLanguages(wanted: Iterable<Language>): Promise<void> {
  const missing = new Set([...wanted].filter((language) => !readAsScript.has(language)))
  if (missing.size === 0) return
  trees ??= await import('./tree.ts')
  await trees.loadGrammars(missing)
}

/** Facts of one file, whatever its language. A text that cannot be read leaves the file with its error. */
export function extractFile(path: string, text: string): FileFacts {
  const language = languageOf(path)
  if (language === undefined) throw new Error(`${path} is in no language of the index`)
  try {
    return extractLanguage(path, language, text)
  } catch (error) {
    return failedFacts(path, language, text, error instanceof Error ? error.message : String(error))
  }
}

export function failedFacts(path: string, language: Language, text: string, message: string): FileFacts {
  const builder = new FactBuilder(path, language, text)
  builder.addError(message)
  return builder.build()
}

function extractLanguage(path: string, language: Language, text: string): FileFacts {
  switch (language) {
    case 'typescript':
    case 'tsx':
    case 'javascript':
    case 'jsx':
      return extractScript(path, language, text)
    case 'vue':
    case 'svelte':
      return extractComponentFile(path, language, text)
    default:
      if (trees === undefined) throw new Error(`nothing that reads ${language} is loaded`)
      return trees.extractTree(path, language, text)
  }
}
