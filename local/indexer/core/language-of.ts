import type { Language } from './vocabulary.ts'

const byExtension: Readonly<Record<string, Language>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'jsx',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  hh: 'cpp',
  hxx: 'cpp',
  cs: 'csharp',
  rb: 'ruby',
  php: 'php',
  vue: 'vue',
  svelte: 'svelte',
}

/** The language of a path by its extension, or undefined for a file the index does not read. */
export function languageOf(path: string): Language | undefined {
  const dot = path.lastIndexOf('.')
  if (dot === -1 || dot < path.lastIndexOf('/')) return undefined
  return Object.hasOwn(byExtension, path.slice(dot + 1).toLowerCase())
    ? byExtension[path.slice(dot + 1).toLowerCase()]
    : undefined
}

const scriptFamily: ReadonlySet<Language> = new Set(['typescript', 'tsx', 'javascript', 'jsx', 'vue', 'svelte'])

/** Whether it is made to be included: what such a file of C says is said for others. */
export function isHeader(path: string): boolean {
  return /\.(?:h|hh|hpp|hxx)$/i.test(path)
}

/** Languages that can name one another's symbols. A guess never crosses families. */
export function languageFamily(language: Language): string {
  if (scriptFamily.has(language)) return 'script'
  return language === 'cpp' ? 'c' : language
}
