/** Judges call edges by what the TypeScript compiler says the same calls mean. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import type { FileFacts } from '../../local/indexer/core/facts.ts'
import { languageOf } from '../../local/indexer/core/language-of.ts'
import { uncertainBelow } from '../../local/indexer/core/vocabulary.ts'
import { extractFile } from '../../local/indexer/extract/extract-file.ts'
import { readProjectSettings } from '../../local/indexer/files/project-settings.ts'
import { link } from '../../local/indexer/resolve/link.ts'
import { FactsInMemory } from '../../local/indexer/resolve/project-facts.ts'

/** Of a project that says nothing itself. */
export const plainOptions: ts.CompilerOptions = {
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}

export interface OracleVerdict {
  /** Calls whose target the compiler finds in the project. */
  readonly calls: number
  readonly found: number
  /** Calls with an edge shown as certain that the compiler contradicts. */
  readonly certain: number
  readonly wrong: readonly string[]
  readonly missed: readonly string[]
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory())
      return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : filesBelow(root, file)
    return languageOf(file) === undefined ? [] : [file]
  })
}

export function judge(root: string, folder: string, options: ts.CompilerOptions = {}): OracleVerdict {
  const paths = filesBelow(root, folder).filter((file) => /\.[cm]?tsx?$/.test(file))
  const { settings } = readProjectSettings(root, ['package.json', 'tsconfig.json'])
  const files = paths.map((file): FileFacts => extractFile(file, readFileSync(path.join(root, file), 'utf8')))
  const edges = [...link(new FactsInMemory(files), settings).edges].filter(
    (edge) => edge.kind === 'calls' || edge.kind === 'instantiates',
  )
  const bySite = new Map<string, { name: string; file: string; line: number; endLine: number; isCertain: boolean }[]>()
  for (const edge of edges) {
    const symbol = files[edge.targetFile]?.symbols[edge.target]
    const key = `${files[edge.sourceFile]?.path}:${edge.line}:${edge.col}`
    if (symbol === undefined) continue
    const target = {
      name: symbol.name,
      file: files[edge.targetFile]?.path ?? '',
      line: symbol.line,
      endLine: symbol.endLine,
      isCertain: edge.confidence >= uncertainBelow,
    }
    bySite.set(key, [...(bySite.get(key) ?? []), target])
  }
  const program = ts.createProgram({
    rootNames: paths.map((file) => path.join(root, file)),
    options: { ...plainOptions, ...options },
  })
  const checker = program.getTypeChecker()
  const wrong: string[] = []
  const missed: string[] = []
  let calls = 0
  let found = 0
  let certain = 0
  for (const file of paths) {
    const source = program.getSourceFile(path.join(root, file))
    if (source === undefined) continue
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit)
      if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return
      const at = ts.isNewExpression(node)
        ? node
        : ts.isPropertyAccessExpression(node.expression)
          ? node.expression.name
          : node.expression
      const position = source.getLineAndCharacterOfPosition(at.getStart(source))
      const site = `${file}:${position.line + 1}:${position.character}`
      const ours = bySite.get(site) ?? []
      const declarations = declarationsOf(checker, node).flatMap((one) => {
        const own = path.relative(root, one.getSourceFile().fileName)
        return paths.includes(own)
          ? [{ file: own, line: one.getSourceFile().getLineAndCharacterOfPosition(one.getStart()).line + 1 }]
          : []
      })
      const matches = (target: (typeof ours)[number]): boolean =>
        declarations.some((one) => one.file === target.file && one.line >= target.line && one.line <= target.endLine)
      const text = `${site} ${node.expression.getText(source).slice(0, 60).replace(/\s+/g, ' ')}`
      if (declarations.length > 0) {
        calls += 1
        if (ours.some(matches)) found += 1
        else missed.push(text)
      }
      for (const one of ours.filter((target) => target.isCertain)) {
        certain += 1
        if (!matches(one) && isJudged(checker, node)) wrong.push(`${text} -> ${one.file}#${one.name}`)
      }
    }
    visit(source)
  }
  return { calls, found, certain, wrong, missed }
}

/** Everything a call may mean: the declaration of its name, of what the name stands for, and of the signature taken. */
function declarationsOf(checker: ts.TypeChecker, node: ts.CallExpression | ts.NewExpression): ts.Node[] {
  const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression
  const found: ts.Node[] = []
  let symbol = checker.getSymbolAtLocation(name)
  if (symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0) symbol = checker.getAliasedSymbol(symbol)
  found.push(...(symbol?.declarations ?? []))
  const signature = checker.getResolvedSignature(node)?.declaration
  if (signature !== undefined) found.push(signature)
  return found.filter(
    (one) =>
      !ts.isParameter(one) &&
      !ts.isFunctionTypeNode(one) &&
      !(ts.isVariableDeclaration(one) && !isModuleLevel(one) && !holdsFunction(one)),
  )
}

function isModuleLevel(node: ts.VariableDeclaration): boolean {
  return ts.isSourceFile(node.parent.parent.parent)
}

function holdsFunction(node: ts.VariableDeclaration): boolean {
  return (
    node.initializer !== undefined &&
    (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer))
  )
}

/** A call of something typed `any` says nothing about whether an edge is right. */
function isJudged(checker: ts.TypeChecker, node: ts.CallExpression | ts.NewExpression): boolean {
  const type = checker.getTypeAtLocation(node.expression)
  return (type.flags & ts.TypeFlags.Any) === 0
}
