/** The frameworks of each language. */
import type { Language } from '../../../indexer/core/vocabulary.ts'
import { csharpFrameworks, goFrameworks, javaFrameworks, nativeFrameworks, rustFrameworks } from './compiled.ts'
import { phpFrameworks, rubyFrameworks } from './dynamic.ts'
import type { Framework } from './framework.ts'
import { pythonFrameworks } from './python.ts'
import { scriptFrameworks } from './script.ts'

export const frameworksOf: Readonly<Record<Language, readonly Framework[]>> = {
  typescript: scriptFrameworks,
  tsx: scriptFrameworks,
  javascript: scriptFrameworks,
  jsx: scriptFrameworks,
  vue: scriptFrameworks,
  svelte: scriptFrameworks,
  python: pythonFrameworks,
  go: goFrameworks,
  rust: rustFrameworks,
  java: javaFrameworks,
  c: nativeFrameworks,
  cpp: nativeFrameworks,
  csharp: csharpFrameworks,
  ruby: rubyFrameworks,
  php: phpFrameworks,
}
