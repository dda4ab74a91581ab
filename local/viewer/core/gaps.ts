/** What the index does not have of the project: files left out, given up, or read as far as they could be understood. */
import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import type { GapsAnswer, OfIndex } from '../contract/wire.ts'
import { listOf } from './graph-shapes.ts'

export function gapsOf(reader: GraphReader, limit: number): OfIndex<GapsAnswer> {
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
