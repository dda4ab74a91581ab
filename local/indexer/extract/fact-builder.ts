import type {
  Symbol as CodeSymbol,
  ExportFact,
  FileFacts,
  ImportFact,
  Reference,
  RouteFact,
  Value,
} from '../core/facts.ts'
import { isGeneratedFile } from '../core/generated-file.ts'
import type { Language, NodeKind } from '../core/vocabulary.ts'
import { factsPerFileMax } from '../limits.ts'
import { GivenUpError } from './read-bounds.ts'

const docCharsMax = 2000
const signatureCharsMax = 300
const factsOfSymbol = 3

export interface SymbolStart {
  readonly kind: NodeKind
  readonly name: string
  readonly parent: number
  readonly line: number
  readonly col: number
  readonly endLine: number
  readonly endCol: number
}

/** Collects the facts of one file; every extractor writes through it, and is ended by a `GivenUpError` where there are too many. */
export class FactBuilder {
  readonly path: string
  readonly language: Language
  readonly symbols: CodeSymbol[] = []
  readonly locals: Value[] = []
  readonly references: Reference[] = []
  readonly imports: ImportFact[] = []
  readonly exports: ExportFact[] = []
  readonly routes: RouteFact[] = []
  readonly errors: string[] = []
  /** Names the file's own scope has from imports, for what is not script in it. */
  readonly importedNames: { readonly local: string; readonly specifier: string; readonly imported: string }[] = []
  readonly #generated: boolean
  readonly #lines: number
  packageName: string | undefined
  #facts = 0

  constructor(path: string, language: Language, text: string) {
    this.path = path
    this.language = language
    this.#generated = isGeneratedFile(path, text)
    const end = text.endsWith('\n') ? text.length - 1 : text.length
    let lines = text === '' ? 0 : 1
    let lastLine = 0
    for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
      lines += 1
      lastLine = at + 1
    }
    this.#lines = lines
    this.symbols.push({
      kind: 'file',
      name: path.slice(path.lastIndexOf('/') + 1),
      qualifiedName: path,
      parent: 0,
      line: 1,
      col: 0,
      endLine: Math.max(1, this.#lines),
      endCol: end - lastLine,
    })
  }

  symbol(index: number): CodeSymbol {
    const symbol = this.symbols[index]
    if (symbol === undefined) throw new Error(`no symbol ${index} in ${this.path}`)
    return symbol
  }

  addSymbol(start: SymbolStart): number {
    const parent = this.symbol(start.parent)
    const qualifiedName = start.parent === 0 ? start.name : `${parent.qualifiedName}::${start.name}`
    this.#count(factsOfSymbol)
    this.symbols.push({ ...start, qualifiedName })
    return this.symbols.length - 1
  }

  addLocal(value: Value): number {
    this.#count(1)
    this.locals.push(value)
    return this.locals.length - 1
  }

  addReference(reference: Reference): void {
    this.#count(1)
    this.references.push(reference)
  }

  #count(facts: number): void {
    this.#facts += facts
    if (this.#facts > factsPerFileMax) throw new GivenUpError('too_many_facts')
  }

  addError(message: string): void {
    if (this.errors.length < 5) this.errors.push(message.slice(0, 300))
  }

  build(): FileFacts {
    return {
      path: this.path,
      language: this.language,
      lines: this.#lines,
      generated: this.#generated,
      symbols: this.symbols,
      locals: this.locals,
      references: this.references,
      imports: this.imports,
      exports: this.exports,
      routes: this.routes,
      errors: this.errors,
      ...(this.packageName === undefined ? {} : { packageName: this.packageName }),
    }
  }
}

/** Most signatures have nothing to fold, and to see that costs less than folding. */
const folds = /\s\s|[^\S ]/

export function clipSignature(text: string): string {
  const folded = (folds.test(text) ? text.replace(/\s+/g, ' ') : text).trim()
  return folded.length > signatureCharsMax ? `${folded.slice(0, signatureCharsMax - 1)}…` : folded
}

/** The words of a comment block without its marks. */
export function commentText(raw: string): string {
  return raw
    .split('\n')
    .map((line) => line.replace(/^\s*(\/\*\*?|\*\/|\*|\/\/[/!]?|#+)\s?/, '').replace(/\s*\*\/\s*$/, ''))
    .join('\n')
    .trim()
    .slice(0, docCharsMax)
}
