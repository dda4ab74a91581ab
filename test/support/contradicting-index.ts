/** A compiler's recorded index that contradicts one edge, as one would that knows another method to be meant. */
import { readScip, writeScip } from '../../local/indexer/scip/scip-index.ts'

/** The index of the fixture with the call of `open` in `pack` (line 8 of `src/crate.ts`) told as a call of `trim`. */
export function contradictingIndex(recorded: Uint8Array): Uint8Array {
  const said = readScip(recorded)
  return writeScip({
    ...said,
    documents: said.documents.map((one) => ({
      ...one,
      occurrences: one.occurrences.map((at) =>
        one.path === 'src/crate.ts' && at.line === 7 ? { ...at, symbol: at.symbol.replace('#open', '#trim') } : at,
      ),
    })),
  })
}
