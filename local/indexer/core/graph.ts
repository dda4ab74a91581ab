import type { EdgeKind, Resolution } from './vocabulary.ts'

/** One edge between two symbols, each named by its file and its place in the file's facts. */
export interface GraphEdge {
  readonly sourceFile: number
  readonly source: number
  readonly targetFile: number
  readonly target: number
  readonly kind: EdgeKind
  readonly line: number
  readonly col: number
  readonly resolution: Resolution
  readonly confidence: number
}

/** A reference whose target is outside the index, or was not found. */
export interface UnresolvedReference {
  readonly file: number
  readonly from: number
  readonly name: string
  readonly kind: EdgeKind
  readonly line: number
  readonly col: number
}
