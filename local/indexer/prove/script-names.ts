/** What each name in a TypeScript or JavaScript file means, by the compiler, in the form of a compiler's index. */
import path from 'node:path'
import type ts from 'typescript'
import type { ScipOccurrence } from '../core/compiler-index.ts'
import type { Compiler } from './compiler.ts'

export class ScriptNames {
  readonly #ts: Compiler
  readonly #root: string

  constructor(compiler: Compiler, root: string) {
    this.#ts = compiler
    this.#root = root
  }

  /** Names that are defined in the file. */
  definitions(source: ts.SourceFile): ScipOccurrence[] {
    return this.#occurrences(source, (node) => {
      const declaration = this.#declaredBy(node)
      return declaration === undefined ? [] : [this.#keyOfDeclaration(declaration)]
    })
  }

  /** Names that are used in the file. Asking what they mean makes the compiler judge what stands around them. */
  uses(source: ts.SourceFile, checker: ts.TypeChecker): ScipOccurrence[] {
    return this.#occurrences(source, (node) =>
      this.#declaredBy(node) === undefined ? this.#meanings(node, checker) : [],
    )
  }

  /** The file of the project in which a symbol is defined; undefined for one from outside. */
  static fileOf(symbol: string): string | undefined {
    return symbol.startsWith('outside ') ? undefined : symbol.slice(0, symbol.lastIndexOf(':'))
  }

  #occurrences(source: ts.SourceFile, symbolsOf: (node: ts.Identifier) => readonly string[]): ScipOccurrence[] {
    const ts = this.#ts
    const found: ScipOccurrence[] = []
    const visit = (node: ts.Node): void => {
      // The end of an element repeats its name.
      if (ts.isJsxClosingElement(node)) return
      const symbols = ts.isIdentifier(node) ? symbolsOf(node) : []
      if (symbols.length > 0 && ts.isIdentifier(node)) {
        const { line, character: col } = source.getLineAndCharacterOfPosition(node.getStart(source))
        const isImport = ts.findAncestor(node, (one) => ts.isImportDeclaration(one) || ts.isExportDeclaration(one))
        for (const symbol of symbols)
          found.push({
            ...{ line, col, endLine: line, endCol: col + node.text.length, symbol },
            isDefinition: this.#declaredBy(node) !== undefined,
            isImport: isImport !== undefined,
          })
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
    return found
  }

  #meanings(node: ts.Identifier, checker: ts.TypeChecker): string[] {
    const ts = this.#ts
    let symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node)
    // The short form of a property holds what it names, and an alias is what it stands for.
    const short = symbol?.valueDeclaration
    if (short !== undefined && ts.isShorthandPropertyAssignment(short))
      symbol = checker.getShorthandAssignmentValueSymbol(short)
    // A constant that holds what was required is itself something that is named.
    const holder = symbol?.declarations?.find((one) => ts.isBindingElement(one) || ts.isVariableDeclaration(one))
    const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
    if (symbol !== undefined && isAlias) symbol = checker.getAliasedSymbol(symbol)
    // A type and a value of one name are two things.
    const declared = symbol?.declarations ?? []
    const isType = ts.isPartOfTypeNode(node)
    const asMeant = declared.filter((one) => !(isType ? this.#isOnlyValue(one) : this.#isOnlyType(one)))
    const places = new Set((asMeant.length > 0 ? asMeant : declared).map((one) => this.#keyOfDeclaration(one)))
    // What a union has in several of its types is one of them; a name declared in parts is its first part.
    const [first] = places
    const isOfUnion = places.size > 1 && new Set(symbol?.declarations?.map((one) => one.parent)).size > 1
    const meant = first === undefined || isOfUnion ? [] : [first]
    return isAlias && holder !== undefined ? [...meant, this.#keyOfDeclaration(holder)] : meant
  }

  #isOnlyType(node: ts.Node): boolean {
    return this.#ts.isInterfaceDeclaration(node) || this.#ts.isTypeAliasDeclaration(node)
  }

  #isOnlyValue(node: ts.Node): boolean {
    return this.#ts.isFunctionDeclaration(node) || this.#ts.isVariableDeclaration(node)
  }

  /** What declares something under this name. In JavaScript some assignments do: of `this.x`, or of what is exported. */
  #declaredBy(node: ts.Identifier): ts.Node | undefined {
    const { parent } = node
    if (this.#isNameOfDeclaration(node)) return parent
    if (!this.#ts.isPropertyAccessExpression(parent) || parent.name !== node) return undefined
    const assignment = this.#ts.isBinaryExpression(parent.parent) && parent.parent.left === parent
    return [parent, ...(assignment ? [parent.parent] : [])].find((one) => symbolOf(one) !== undefined)
  }

  #isNameOfDeclaration(node: ts.Identifier): boolean {
    const ts = this.#ts
    const { parent } = node
    if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent)) return false
    // The short form names what it takes over.
    if (ts.isNamespaceImport(parent) || ts.isShorthandPropertyAssignment(parent) || ts.isBindingElement(parent))
      return ts.isBindingElement(parent) && parent.name === node
    if (ts.isJsxAttribute(parent) || ts.isMetaProperty(parent) || ts.isNamedTupleMember(parent)) return false
    return 'name' in parent && parent.name === node && !ts.isPropertyAccessExpression(parent)
  }

  /** Each form of an overloaded function is of one name: it is told by where the first of them begins. */
  #keyOfDeclaration(node: ts.Node): string {
    const source = node.getSourceFile()
    const file = path.relative(this.#root, source.fileName).replaceAll(path.sep, '/')
    if (file.startsWith('..') || path.isAbsolute(file) || file.includes('node_modules/'))
      return `outside ${file}:${node.pos}`
    const symbol = symbolOf(node)
    const isType = this.#isOnlyType(node)
    const first =
      symbol?.declarations?.find((one) => one.getSourceFile() === source && this.#isOnlyType(one) === isType) ?? node
    return `${file}:${first.getStart(source)}`
  }
}

/** What the compiler says is declared here, before anything is asked. */
function symbolOf(node: ts.Node): ts.Symbol | undefined {
  return (node as { symbol?: ts.Symbol }).symbol
}
