/** A change as it is reviewed, and a symbol as a review names it. */
import type { ChangedFile } from '../../indexer/core/change-reach.ts'
import type { NodeKind } from '../../indexer/core/vocabulary.ts'

export interface Change {
  readonly range: string
  readonly files: readonly ChangedFile[]
  /** By path the lines that the older side had and the newer has not. */
  readonly removed: ReadonlyMap<string, readonly string[]>
  /** The text that a file had on the older side. */
  readonly older: (path: string) => string | undefined
}

export interface ReviewedSymbol {
  readonly name: string
  readonly kind: NodeKind
  readonly file: string
  readonly line: number
}
