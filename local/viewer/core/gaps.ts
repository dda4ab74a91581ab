/** What the index does not have of the project: files left out, given up, or read as far as they could be understood. */
import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import type { LeftOut } from '../../indexer/core/left-out.ts'
import type { GivenUp } from '../../indexer/core/vocabulary.ts'
import { type List, listOf } from './graph-shapes.ts'

export interface Gaps {
  readonly givenUp: List<{ readonly file: string; readonly reason: GivenUp; readonly references: number }>
  readonly leftOut: List<LeftOut>
  readonly filesLeftOut: number
  readonly halfParsed: List<{ readonly file: string; readonly errors: readonly string[] }>
}

export function gapsOf(reader: GraphReader, limit: number): Gaps {
  const files = reader.files()
  return {
    givenUp: listOf(
      files.flatMap(({ path: file, givenUp: reason, givenUpReferences: references }) =>
        reason === undefined ? [] : [{ file, reason, references }],
      ),
      limit,
    ),
    leftOut: listOf(reader.leftOut(), limit),
    filesLeftOut: Number(reader.meta.get('left_out') ?? 0),
    halfParsed: listOf(
      files.flatMap(({ path: file, errors }) => (errors.length === 0 ? [] : [{ file, errors }])),
      limit,
    ),
  }
}
