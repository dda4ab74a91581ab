import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Language as Grammar, type Node, Parser, type Tree } from 'web-tree-sitter'
import type { FileFacts } from '../../core/facts.ts'
import type { Language } from '../../core/vocabulary.ts'
import { FactBuilder } from '../fact-builder.ts'
import { named } from '../languages/shapes.ts'
import type { TreeLanguage } from '../languages/tree-language.ts'
import { TreeDeclarations } from './declarations.ts'
import { TreeFile } from './file.ts'
import { treeLanguages } from './languages.ts'
import { outermostScope } from './scope.ts'
import { ReferenceVisitor } from './visitor.ts'

const grammars = new Map<string, Grammar>()
let ready: Promise<void> | undefined

/** Loads the grammars that the languages need; parsing itself does not wait for anything. */
export async function loadGrammars(wanted: Iterable<Language>): Promise<void> {
  for (const language of wanted) {
    const name = treeLanguages[language]?.grammar
    if (name === undefined || grammars.has(name)) continue
    ready ??= Parser.init()
    await ready
    const folder = path.dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/package.json'))
    grammars.set(name, await Grammar.load(readFileSync(path.join(folder, 'wasm', `tree-sitter-${name}.wasm`))))
  }
}

export function extractTree(filePath: string, language: Language, text: string): FileFacts {
  const facts = new FactBuilder(filePath, language, text)
  const spec = treeLanguages[language]
  const grammar = spec === undefined ? undefined : grammars.get(spec.grammar)
  if (spec === undefined || grammar === undefined) throw new Error(`the grammar of ${language} is not loaded`)
  const parser = new Parser()
  try {
    parser.setLanguage(grammar)
    const tree = readable(parser, spec, text)
    try {
      if (tree.rootNode.hasError) facts.addError('the file has syntax errors')
      const more: Tree[] = []
      const parseMore = (part: string): Node | undefined => {
        const parsed = parser.parse(part)
        if (parsed !== null) more.push(parsed)
        return parsed?.rootNode
      }
      try {
        readTree(new TreeFile(facts, spec, text, parseMore), tree.rootNode)
      } finally {
        for (const one of more) one.delete()
      }
    } finally {
      tree.delete()
    }
  } finally {
    parser.delete()
  }
  return facts.build()
}

function readable(parser: Parser, spec: TreeLanguage, text: string): Tree {
  const tree = parser.parse(spec.readable?.(text) ?? text)
  if (tree === null) throw new Error('the file could not be parsed')
  if (!tree.rootNode.hasError || spec.simplified === undefined) return tree
  const plainer = parser.parse(spec.simplified(text))
  if (plainer === null) return tree
  const [kept, other] = plainer.rootNode.hasError ? [tree, plainer] : [plainer, tree]
  other.delete()
  return kept
}

function readTree(file: TreeFile, root: Node): void {
  const { facts, spec } = file
  facts.packageName = spec.packageName?.(root)
  new TreeDeclarations(file).declareAll(root, 0, 0)
  const visitor = new ReferenceVisitor(file)
  const scope = outermostScope()
  for (const child of named(root)) visitor.visit(child, scope, 0)
  facts.symbols.forEach((symbol, index) => {
    if (index > 0 && symbol.parent === 0 && symbol.kind !== 'import')
      facts.exports.push({ name: symbol.name, value: { k: 'sym', s: index } })
  })
  const listed = spec.publicNames?.(root)
  if (listed !== undefined) {
    for (const symbol of facts.symbols) {
      if (symbol.parent !== 0 || symbol.kind === 'file' || symbol.kind === 'import') continue
      if (listed.has(symbol.name)) symbol.exported = true
      else delete symbol.exported
    }
  }
  for (const [local, value] of file.imported)
    if (local !== '' && local !== '*') facts.exports.push({ name: local, value })
}
