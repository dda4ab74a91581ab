/** What each name in the TypeScript files of a project means, by the compiler, in the form of a compiler's index. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import type { ScipDocument, ScipIndex, ScipOccurrence } from '../../../local/indexer/core/compiler-index.ts'
import { plainOptions } from '../compiler-oracle.ts'

export function usesOfTypeScript(root: string): ScipIndex {
  const program = ts.createProgram({ rootNames: filesBelow(root), options: optionsOf(root) })
  const checker = program.getTypeChecker()
  const documents = program.getSourceFiles().flatMap((source): ScipDocument[] => {
    const file = path.relative(root, source.fileName)
    if (file.startsWith('..') || file.includes('node_modules/')) return []
    return [
      {
        path: file,
        language: 'typescript',
        columns: 'utf16',
        symbols: [],
        occurrences: occurrencesIn(source, checker, root),
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

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) return /^(\.|node_modules$)/.test(entry.name) ? [] : filesBelow(file)
    return /\.[cm]?tsx?$/.test(entry.name) ? [file] : []
  })
}

function occurrencesIn(source: ts.SourceFile, checker: ts.TypeChecker, root: string): ScipOccurrence[] {
  const found: ScipOccurrence[] = []
  const visit = (node: ts.Node): void => {
    // The end of an element repeats its name.
    if (ts.isJsxClosingElement(node)) return
    if (ts.isIdentifier(node)) {
      const isDefinition = isNameOfDeclaration(node)
      const symbol = isDefinition ? keyOfDeclaration(node.parent as ts.NamedDeclaration, root) : meaning(node)
      if (symbol !== undefined) {
        const { line, character: col } = source.getLineAndCharacterOfPosition(node.getStart(source))
        const isImport = ts.findAncestor(node, (one) => ts.isImportDeclaration(one) || ts.isExportDeclaration(one))
        const endCol = col + node.text.length
        found.push({ line, col, endLine: line, endCol, symbol, isDefinition, isImport: isImport !== undefined })
      }
    }
    ts.forEachChild(node, visit)
  }
  const meaning = (node: ts.Identifier): string | undefined => {
    let symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node)
    // The short form of a property holds what it names, and an alias is what it stands for.
    const short = symbol?.valueDeclaration
    if (short !== undefined && ts.isShorthandPropertyAssignment(short))
      symbol = checker.getShorthandAssignmentValueSymbol(short)
    if (symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0) symbol = checker.getAliasedSymbol(symbol)
    const places = new Set((symbol?.declarations ?? []).map((one) => keyOfDeclaration(one, root)))
    // What a union has in several of its types is one of them; a name declared in parts is its first part.
    const [first] = places
    const isOfUnion = places.size > 1 && new Set(symbol?.declarations?.map((one) => one.parent)).size > 1
    return isOfUnion ? undefined : first
  }
  visit(source)
  return found
}

function isNameOfDeclaration(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent)) return false
  // The short form names what it takes over.
  if (ts.isNamespaceImport(parent) || ts.isShorthandPropertyAssignment(parent) || ts.isBindingElement(parent))
    return ts.isBindingElement(parent) && parent.name === node
  return 'name' in parent && parent.name === node && !ts.isPropertyAccessExpression(parent) && isDeclaration(parent)
}

function isDeclaration(node: ts.Node): boolean {
  return !(ts.isJsxAttribute(node) || ts.isMetaProperty(node) || ts.isNamedTupleMember(node))
}

/** Each form of an overloaded function is of one name: it is told by where the first of them begins. */
function keyOfDeclaration(node: ts.Node, root: string): string {
  const source = node.getSourceFile()
  const file = path.relative(root, source.fileName)
  if (file.startsWith('..') || file.includes('node_modules/')) return `outside ${file}:${node.pos}`
  const symbol = (node as { symbol?: ts.Symbol }).symbol
  const first = symbol?.declarations?.find((one) => one.getSourceFile() === source) ?? node
  return `${file}:${first.getStart(source)}`
}
