import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Language as Grammar, Parser } from 'web-tree-sitter'
import type { FileFacts } from '../../core/facts.ts'
import type { Language } from '../../core/vocabulary.ts'
import { FactBuilder } from '../fact-builder.ts'
import { named } from '../languages/shapes.ts'
import type { Opened, TreeLanguage } from '../languages/tree-language.ts'
import { GivenUpError, ParseTime, SyntaxCount } from '../read-bounds.ts'
import { TreeDeclarations } from './declarations.ts'
import { TreeFile } from './file.ts'
import { treeLanguages } from './languages.ts'
import { outermostScope } from './scope.ts'
import { type GrammarNames, grammarNames, type Parse, type ParsedText, plainTree, type TreeNode } from './tree-node.ts'
import { ReferenceVisitor } from './visitor.ts'

interface LoadedGrammar {
  readonly grammar: Grammar
  readonly names: GrammarNames
}

/** Parts of a text that are read in another way: so many inside one another, and so many tried one by one. */
const openedDepthMax = 4
const partsTriedMax = 32

const grammars = new Map<string, LoadedGrammar>()
let ready: Promise<void> | undefined

/** Loads the grammars that the languages need; parsing itself does not wait for anything. */
export async function loadGrammars(wanted: Iterable<Language>): Promise<void> {
  for (const language of wanted) {
    const name = treeLanguages[language]?.grammar
    if (name === undefined || grammars.has(name)) continue
    ready ??= Parser.init()
    await ready
    const folder = path.dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/package.json'))
    const grammar = await Grammar.load(readFileSync(path.join(folder, 'wasm', `tree-sitter-${name}.wasm`)))
    grammars.set(name, { grammar, names: grammarNames(grammar) })
  }
}

export function extractTree(filePath: string, language: Language, text: string): FileFacts {
  const facts = new FactBuilder(filePath, language, text)
  const spec = treeLanguages[language]
  const loaded = spec === undefined ? undefined : grammars.get(spec.grammar)
  if (spec === undefined || loaded === undefined) throw new Error(`the grammar of ${language} is not loaded`)
  const parser = new Parser()
  try {
    parser.setLanguage(loaded.grammar)
    const bounds = { time: new ParseTime(), nodes: new SyntaxCount() }
    const parse: Parse = (part, { isAgain = false, rowsBefore = 0 } = {}) =>
      isAgain && !bounds.nodes.hasRoom ? undefined : parsedText(parser, loaded.names, bounds, part, rowsBefore)
    const parsed = readable(parse, spec, text)
    if (parsed.hasError) facts.addError('the file has syntax errors')
    readTree(new TreeFile(facts, spec, text, parse), parsed.root)
  } finally {
    parser.delete()
  }
  return facts.build()
}

function parsedText(
  parser: Parser,
  names: GrammarNames,
  { time, nodes }: { readonly time: ParseTime; readonly nodes: SyntaxCount },
  text: string,
  rowsBefore: number,
): ParsedText | undefined {
  let isOver = false
  const tree = parser.parse(text, null, {
    progressCallback: () => {
      isOver ||= time.isOver()
      return isOver
    },
  })
  if (isOver) throw new GivenUpError('too_slow')
  if (tree === null) return undefined
  try {
    return { root: plainTree(tree, text, names, nodes, rowsBefore), hasError: tree.rootNode.hasError }
  } finally {
    tree.delete()
  }
}

function readable(parse: Parse, spec: TreeLanguage, text: string): ParsedText {
  const plain = spec.readable?.(text) ?? text
  const first = parse(plain)
  if (first === undefined) throw new Error('the file could not be parsed')
  const parsed = spec.opened === undefined ? first : opened(parse, spec, first, plain, 0)
  if (!parsed.hasError || spec.simplified === undefined) return parsed
  const plainer = parse(spec.simplified(text))
  return plainer === undefined || plainer.hasError ? parsed : plainer
}

/** What of a text is read in another way, and what of that in turn. Each part is tried alone where not all are known. */
function opened(parse: Parse, spec: TreeLanguage, parsed: ParsedText, text: string, depth: number): ParsedText {
  const parts = depth === openedDepthMax ? [] : (spec.opened?.(parsed.root, text) ?? [])
  if (parts.length === 0) return parsed
  const whole = withParts(text, parts)
  const all = parse(whole, { isAgain: true })
  if (all !== undefined && (!all.hasError || parsed.hasError)) return opened(parse, spec, all, whole, depth + 1)
  const known = parts.slice(0, partsTriedMax).filter((one) => parse(one.text, { isAgain: true })?.hasError === false)
  if (known.length === 0 || known.length === parts.length) return parsed
  const some = withParts(text, known)
  const read = parse(some, { isAgain: true })
  return read === undefined || read.hasError ? parsed : opened(parse, spec, read, some, depth + 1)
}

function withParts(text: string, parts: readonly Opened[]): string {
  let whole = ''
  let done = 0
  for (const one of parts) {
    whole += text.slice(done, one.from) + one.text
    done = one.to
  }
  return whole + text.slice(done)
}

function readTree(file: TreeFile, root: TreeNode): void {
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
