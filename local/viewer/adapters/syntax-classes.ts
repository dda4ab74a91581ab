import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Language, Node } from 'web-tree-sitter'
import type { Highlight } from '../contract/wire.ts'
import { type ClassifiedSpan, classify, plainLines, syntaxClassNames, tokenLines } from '../core/token-lines.ts'
import { highlightCacheBytesMax, highlightCharsMax, highlightLinesMax } from '../limits.ts'
import type { SyntaxClasses } from '../ports.ts'

const grammarOf: Readonly<Record<string, string>> = {
  typescript: 'typescript',
  tsx: 'tsx',
  javascript: 'javascript',
  jsx: 'javascript',
  python: 'python',
  go: 'go',
  rust: 'rust',
  java: 'java',
  c: 'cpp',
  cpp: 'cpp',
  csharp: 'c-sharp',
  ruby: 'ruby',
  php: 'php',
}

export function createSyntaxClasses(): SyntaxClasses {
  const grammars = new Map<string, Promise<Language>>()
  const cache = new Map<string, { highlight: Highlight; bytes: number }>()
  let cachedBytes = 0
  let ready: Promise<typeof import('web-tree-sitter')> | undefined
  const start = async (): Promise<typeof import('web-tree-sitter')> => {
    const library = await import('web-tree-sitter')
    await library.Parser.init()
    return library
  }
  const load = ({ Language }: typeof import('web-tree-sitter'), name: string): Promise<Language> => {
    const known = grammars.get(name)
    if (known !== undefined) return known
    const folder = path.dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/package.json'))
    const loading = Language.load(readFileSync(path.join(folder, 'wasm', `tree-sitter-${name}.wasm`)))
    grammars.set(name, loading)
    return loading
  }
  const fresh = async (language: string, text: string): Promise<Highlight> => {
    const grammar = grammarOf[language]
    const plain = (reason: string): Highlight => ({
      engine: 'plain',
      grammar: null,
      classes: syntaxClassNames,
      lines: plainLines(text),
      reason,
    })
    if (grammar === undefined) return plain('there is no grammar for this language')
    if (text.length > highlightCharsMax || text.split('\n').length > highlightLinesMax)
      return plain('the file is too long to be coloured')
    ready ??= start()
    const library = await ready
    const parser = new library.Parser()
    try {
      parser.setLanguage(await load(library, grammar))
      const tree = parser.parse(text)
      if (tree === null) return plain('the file could not be parsed')
      try {
        return {
          engine: 'tree-sitter',
          grammar,
          classes: syntaxClassNames,
          lines: tokenLines(text, spansOf(tree.rootNode)),
        }
      } finally {
        tree.delete()
      }
    } finally {
      parser.delete()
    }
  }
  return {
    async of(language, contentHash, text) {
      const key = `${language} ${contentHash ?? createHash('sha256').update(text).digest('hex')}`
      const known = cache.get(key)
      if (known !== undefined) {
        cache.delete(key)
        cache.set(key, known)
        return known.highlight
      }
      const highlight = await fresh(language, text)
      // A token costs about this much more than its text.
      const bytes = text.length * 12
      cache.set(key, { highlight, bytes })
      cachedBytes += bytes
      for (const [oldest, entry] of cache) {
        if (cachedBytes <= highlightCacheBytesMax || cache.size === 1) break
        cache.delete(oldest)
        cachedBytes -= entry.bytes
      }
      return highlight
    },
  }
}

/** Leaves of the tree in order, each with its class; comments and strings whole. */
function spansOf(root: Node): ClassifiedSpan[] {
  const spans: ClassifiedSpan[] = []
  const cursor = root.walk()
  try {
    for (;;) {
      const { nodeType, nodeIsNamed, startIndex, endIndex } = cursor
      const isLeaf = cursor.currentNode.childCount === 0
      const isWhole =
        /comment/.test(nodeType) ||
        (/string|char_literal|character_literal|regex$|heredoc/.test(nodeType) &&
          nodeIsNamed &&
          !hasSubstitution(cursor.currentNode))
      if (isLeaf || isWhole) {
        spans.push({
          start: startIndex,
          end: endIndex,
          of: classify(nodeType, nodeIsNamed, cursor.currentFieldName ?? '', cursor.currentNode.parent?.type ?? ''),
        })
      }
      if (!isWhole && cursor.gotoFirstChild()) continue
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return spans
    }
  } finally {
    cursor.delete()
  }
}

function hasSubstitution(node: Node): boolean {
  for (let index = 0; index < node.childCount; index += 1) {
    if (/substitution|interpolation|embedded/.test(node.child(index)?.type ?? '')) return true
  }
  return false
}
