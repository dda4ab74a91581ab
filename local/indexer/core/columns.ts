/** A graph as columns of numbers, as the index holds it. */

/** The kind of a place between the files, where no symbol is. */
export const noNode = 255

/** One entry for each node number; place 0 is no node. */
export interface NodeColumns {
  readonly kind: Uint8Array
  readonly flags: Uint8Array
  /** 0 for a file. */
  readonly parent: Uint32Array
  readonly line: Uint32Array
  readonly endLine: Uint32Array
  readonly names: readonly string[]
  /** Null where it is the name. */
  readonly qualifiedNames: readonly (string | null)[]
}

/** One entry for each edge; edges of one source lie together, sources ascending. */
export interface EdgeColumns {
  readonly source: Uint32Array
  readonly target: Uint32Array
  readonly line: Uint32Array
  readonly col: Uint32Array
  readonly kind: Uint8Array
  readonly how: Uint8Array
  /** In hundredths. */
  readonly confidence: Uint8Array
}
