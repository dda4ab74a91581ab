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
  /** Only where what the call hangs on was seen to be a router: its name alone says too little. */
  readonly isOfRouter?: true
  /** One URL is given to several, each by a call of its own inside; group `method`. */
  readonly each?: RegExp
}

/** A place that puts something before the URLs of a router. */
export interface MountRule {
  /**
   * Groups: `url`, what is put before them (none: nothing), and `child`, the names of what it is put before, or its
   * `module`. What has neither hands the router over last.
   */
  readonly pattern: RegExp
  /**
   * Which URLs: those of a router that is `handed` over, of the one that the call has `made`, those written in the
   * `arguments` of the call, or in the `block` that ends with a line indented like its first.
   */
  readonly before: 'handed' | 'made' | 'arguments' | 'block'
  /** The arguments are those of the last call in the pattern, not of the first. */
  readonly opensLast?: true
  /** In place of what the router puts before its URLs itself. */
  readonly replaces?: true
  /** There is more before them, and it is not written here. */
  readonly isUnknown?: true
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
  readonly mounts?: readonly MountRule[]
  /** What makes a router that serves nothing unless it is put somewhere. */
  readonly part?: RegExp
  /** What makes a router that serves as it is. */
  readonly whole?: RegExp
  /** What the framework puts before the URLs of files in a place. */
  readonly placed?: { readonly path: RegExp; readonly url: string }
  /** What answers is put somewhere by its own name. */
  readonly mountsHandlers?: true
  readonly entries?: readonly EntryRule[]
}

export const callables: readonly NodeKind[] = ['function', 'method', 'component']
