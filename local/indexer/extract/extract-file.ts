import type { FileFacts } from '../core/facts.ts'
import { languageOf } from '../core/language-of.ts'
import { bracketDepth, isShort } from '../core/text-shape.ts'
import type { GivenUp, Language } from '../core/vocabulary.ts'
import { bracketDepthMax, scriptWordsMax } from '../limits.ts'
import { extractComponentFile } from './component-file.ts'
import { FactBuilder } from './fact-builder.ts'
import { GivenUpError } from './read-bounds.ts'
import { extractScript } from './script/read-script.ts'

/** A project of scripts alone never loads the other parser. */
let trees: typeof import('./tree/read-tree.ts') | undefined

const readAsScript: ReadonlySet<Language> = new Set(['typescript', 'tsx', 'javascript', 'jsx', 'vue', 'svelte'])

/** Loads what the languages need; extraction itself does not wait for anything. */
export async function prepareLanguages(wanted: Iterable<Language>): Promise<void> {
  const missing = new Set([...wanted].filter((language) => !readAsScript.has(language)))
  if (missing.size === 0) return
  trees ??= await import('./tree/read-tree.ts')
  await trees.loadGrammars(missing)
}

/** Facts of one file, whatever its language. A text that cannot be read leaves the file with the reason. */
export function extractFile(path: string, text: string): FileFacts {
  const language = languageOf(path)
  if (language === undefined) throw new Error(`${path} is in no language of the index`)
  if (bracketDepth(text) > bracketDepthMax) return failedFacts(path, language, text, 'too_deep')
  if (readAsScript.has(language) && !isShort(text, scriptWordsMax, Number.POSITIVE_INFINITY))
    return failedFacts(path, language, text, 'too_many_facts')
  try {
    return extractLanguage(path, language, text)
  } catch (error) {
    if (error instanceof GivenUpError) return failedFacts(path, language, text, error.reason)
    // Where what walks a tree has no room left for one step deeper.
    if (error instanceof RangeError) return failedFacts(path, language, text, 'too_deep')
    const builder = new FactBuilder(path, language, text)
    builder.addError(error instanceof Error ? error.message : String(error))
    return builder.build()
  }
}

export function failedFacts(path: string, language: Language, text: string, givenUp: GivenUp): FileFacts {
  return { ...new FactBuilder(path, language, text).build(), givenUp }
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
