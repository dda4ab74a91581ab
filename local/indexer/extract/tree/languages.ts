/** The languages that are read with a tree-sitter grammar; each has a file of its own. */
import type { Language } from '../../core/vocabulary.ts'
import { c, cpp } from '../languages/cpp.ts'
import { csharp } from '../languages/csharp.ts'
import { go } from '../languages/go.ts'
import { java } from '../languages/java.ts'
import { php } from '../languages/php.ts'
import { python } from '../languages/python.ts'
import { ruby } from '../languages/ruby.ts'
import { rust } from '../languages/rust.ts'
import type { TreeLanguage } from '../languages/tree-language.ts'

export const treeLanguages: Readonly<Partial<Record<Language, TreeLanguage>>> = {
  python,
  go,
  java,
  csharp,
  rust,
  c,
  cpp,
  ruby,
  php,
}
