import type { NodeRow } from '../../../indexer/core/rows.ts'
import { Evidence } from './evidence.ts'
import { namedSymbol, symbolParameters } from './named-symbol.ts'
import type { Report } from './report.ts'
import type { Given, IndexTool, Sensed } from './tool.ts'

/** A question about one symbol, which the program names. */
export function aboutSymbol(tool: {
  readonly name: string
  readonly description: string
  /** What it takes beside the symbol. */
  readonly parameters?: IndexTool['parameters']
  readonly report: (sensed: Sensed, node: NodeRow, evidence: Evidence, given: Given) => Omit<Report, 'notes'>
}): IndexTool {
  const { report, parameters, ...named } = tool
  return {
    ...named,
    parameters: { ...symbolParameters, ...parameters },
    ask(sensed, given) {
      const found = namedSymbol(sensed.reader, given)
      if (!found.ok) return found
      const evidence = new Evidence(sensed)
      return { ok: true, value: { ...report(sensed, found.value, evidence, given), notes: () => evidence.notes() } }
    },
  }
}
