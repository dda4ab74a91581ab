/** The index to and from the form that compilers' indexers write. */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { readSource } from '../build/changes.ts'
import type { ScipIndex } from '../core/compiler-index.ts'
import { judgeEdges } from '../core/proofs.ts'
import type { FileRow } from '../core/rows.ts'
import { scipBytesMax } from '../limits.ts'
import { exportScip } from '../scip/export-scip.ts'
import { DamagedMessageError } from '../scip/protobuf.ts'
import { readScip, writeScip } from '../scip/scip-index.ts'
import { keepProofs } from '../store/proof-store.ts'
import { CommandRefusal, printJson } from './output.ts'
import { type ReadContext, withIndex } from './read-commands.ts'

export function exportCommand(context: ReadContext, file: string, version: string): void {
  const { place, output } = context
  withIndex(place, ({ reader }) => {
    const { index, stale } = exportScip(reader, asIndexed(place.root), { root: place.root, version })
    const building = `${file}.building`
    try {
      writeFileSync(building, writeScip(index))
      renameSync(building, file)
    } catch (error) {
      throw new CommandRefusal(`${file} cannot be written (${error instanceof Error ? error.message : String(error)})`)
    }
    const occurrences = index.documents.reduce((sum, one) => sum + one.occurrences.length, 0)
    if (context.isJson) printJson(output, { file, files: index.documents.length, occurrences, stale })
    else output.line(`${index.documents.length} files, ${occurrences} places in ${file}${leftOut(stale)}`)
  })
}

export function importCommand(context: ReadContext, file: string): void {
  const { place, output } = context
  const scip = scipOf(file)
  withIndex(place, ({ reader }) => {
    const proofs = judgeEdges(reader, scip, asIndexed(place.root))
    if (proofs.length === 0)
      throw new CommandRefusal(
        `${file} says nothing about files of this index as they are now; it is of another project, or "indexer sync" is due`,
      )
    keepProofs(place, proofs)
    const edges = proofs.flatMap((one) => one.edges)
    const report = {
      tool: proofs[0]?.tool ?? '',
      files: proofs.length,
      proved: edges.filter((one) => one.isRight).length,
      refuted: edges.filter((one) => !one.isRight).length,
      missed: proofs.reduce((sum, one) => sum + one.missed.length, 0),
      sites: proofs.reduce((sum, one) => sum + one.sites, 0),
    }
    if (context.isJson) printJson(output, report)
    else
      output.line(
        `${report.files} files judged by ${report.tool || 'a tool without a name'}: ${report.proved} edges proved, ${report.refuted} refuted; of ${report.sites} uses of functions ${report.missed} have no edge`,
      )
  })
}

function scipOf(file: string): ScipIndex {
  try {
    const { size } = statSync(file)
    if (size > scipBytesMax) throw new CommandRefusal(`${file} has ${size} bytes; at most ${scipBytesMax} are read`)
    return readScip(readFileSync(file))
  } catch (error) {
    if (error instanceof CommandRefusal) throw error
    if (error instanceof DamagedMessageError) throw new CommandRefusal(`${file} is no SCIP index: ${error.message}`)
    throw new CommandRefusal(`${file} cannot be read (${error instanceof Error ? error.message : String(error)})`)
  }
}

function asIndexed(root: string): (file: FileRow) => string | undefined {
  return ({ path, hash }) => {
    const source = readSource(root, path)
    return typeof source === 'object' && source.hash === hash ? source.text : undefined
  }
}

function leftOut(stale: readonly string[]): string {
  return stale.length === 0 ? '' : `; left out, because not as indexed: ${stale.join(', ')}`
}
