/** What a compiler's indexer says of a project: which symbol each name in its files means. */

export interface ScipOccurrence {
  /** From 0, as the columns are. */
  readonly line: number
  readonly col: number
  readonly endLine: number
  readonly endCol: number
  readonly symbol: string
  readonly isDefinition: boolean
  readonly isImport: boolean
}

export interface ScipSymbol {
  readonly symbol: string
  readonly name: string
  /** A number of the schema's kinds. */
  readonly kind: number
  readonly documentation: string | undefined
  readonly signature: string | undefined
  /** Types and members that it is a form of. */
  readonly implements: readonly string[]
}

export interface ScipDocument {
  readonly path: string
  readonly language: string
  readonly occurrences: readonly ScipOccurrence[]
  readonly symbols: readonly ScipSymbol[]
  /** What columns count; undefined: it is not said. */
  readonly columns: 'utf8' | 'utf16' | 'utf32' | undefined
}

export interface ScipIndex {
  readonly tool: string
  readonly toolVersion: string
  readonly projectRoot: string
  readonly documents: readonly ScipDocument[]
}
