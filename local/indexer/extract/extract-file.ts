import type { FileFacts } from '../core/facts.ts'
import { languageOf } from '../core/language-of.ts'
import type { Language } from '../core/vocabulary.ts'
import { extractComponentFile } from './component-file.ts'
import { FactBuilder } from './fact-builder.ts'
import { extractScript } from './script.ts'
import { extractTree } from './tree.ts'
import { treeLanguages } from './tree-languages.ts'

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
      return treeLanguages[language] === undefined
        ? new FactBuilder(path, language, text).build()
        : extractTree(path, language, text)
  }
}
