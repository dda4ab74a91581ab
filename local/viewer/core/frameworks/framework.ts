/** What a framework is known by, and what it calls that no code of the project calls. All of it is data. */
import type { NodeKind } from '../../../indexer/core/vocabulary.ts'

/**
 * A place that gives a URL to code. `pattern` has the groups `url`, and `method` where the place names one; with `owner`
 * and `member` it names who answers in words of its own.
 */
export interface UrlRule {
  readonly pattern: RegExp
  /** Where the place itself names none; null for any. */
  readonly method?: string | null
  /**
   * Who answers: what the call is handed (`call`), what the mark stands above (`mark`), or who is `named` by owner and
   * member.
   */
  readonly handler: 'call' | 'mark' | 'named'
  /** One URL is given to several, each by a call of its own inside; group `method`. */
  readonly each?: RegExp
}

/** Symbols that the framework calls by their name or place. What is left out is not asked. */
export interface EntryRule {
  readonly path?: RegExp
  readonly name?: RegExp
  /** The name of the symbol around it. */
  readonly owner?: RegExp
  readonly kinds?: readonly NodeKind[]
}

export interface Framework {
  readonly name: string
  /** Specifiers that a file imports it by. */
  readonly imports?: RegExp
  /** Files that are its by their place. */
  readonly path?: RegExp
  readonly urls?: readonly UrlRule[]
  /** What a mark above a type puts before the URLs of its members; group `url`. */
  readonly prefix?: RegExp
  readonly entries?: readonly EntryRule[]
}

export const callables: readonly NodeKind[] = ['function', 'method', 'component']
