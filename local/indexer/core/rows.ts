/** Rows of a published index, in words instead of numbers. */
import type { EdgeKind, GivenUp, Language, NodeKind, Resolution, Verdict } from './vocabulary.ts'

/** The index contradicts itself: the file is damaged, the reader is not at fault. */
export class DamagedIndexError extends Error {}

export interface FileRow {
  readonly n: number
  readonly path: string
  readonly language: Language
  readonly hash: string
  readonly size: number
  readonly modifiedMs: number
  readonly indexedMs: number
  readonly lines: number
  readonly isGenerated: boolean
  /** Belongs to a test suite. */
  readonly isTest: boolean
  /** A test suite, sample, benchmark and the like. */
  readonly isNonProduction: boolean
  readonly firstNode: number
  readonly nodeCount: number
  readonly errors: readonly string[]
  /** Why the index has not all of the file. */
  readonly givenUp: GivenUp | undefined
  /** How many of its references were given up. */
  readonly givenUpReferences: number
}

export interface NodeRow {
  readonly n: number
  readonly id: string
  readonly kind: NodeKind
  readonly name: string
  readonly qualifiedName: string
  readonly file: number
  /** 0 for a file. */
  readonly parent: number
  readonly line: number
  readonly endLine: number
  readonly col: number
  readonly endCol: number
  readonly isExported: boolean
  readonly isAsync: boolean
  readonly isStatic: boolean
  readonly isAbstract: boolean
  readonly signature: string | undefined
  readonly doc: string | undefined
  readonly visibility: string | undefined
  readonly decorators: readonly string[]
  readonly typeParameters: readonly string[]
  readonly returnType: string | undefined
}

export interface EdgeRow {
  readonly source: number
  readonly target: number
  readonly kind: EdgeKind
  readonly line: number
  readonly col: number
  readonly resolution: Resolution
  readonly confidence: number
  /** What a compiler said about it; undefined where none did. */
  readonly verdict: Verdict | undefined
  /** By the verdict, and where there is none by the confidence. */
  readonly isCertain: boolean
}

export interface UnresolvedRow {
  readonly source: number
  readonly name: string
  readonly kind: EdgeKind
  readonly line: number
  readonly col: number
}

/** Order of the source: an index brought up to date numbers the nodes of a file that grew behind all others. */
export function inSourceOrder(left: NodeRow, right: NodeRow): number {
  return left.file - right.file || left.n - right.n
}
