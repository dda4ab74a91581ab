/** Has the compiler that comes along judge the edges of TypeScript and JavaScript, and says what is known of that. */
import { type CheckedFiles, checkedFiles } from '../core/compiler-check.ts'
import type { GraphReader } from '../core/graph-reader.ts'
import type { FileProof } from '../core/proofs.ts'
import { isOfIndexed } from '../core/verdicts.ts'
import { startProof } from '../prove/prove-in-process.ts'
import type { ProofOutcome } from '../prove/watch-proof.ts'
import type { IndexPlace } from '../store/index-folder.ts'
import { judgedTexts, readCheck, readProofs } from '../store/proof-store.ts'
import { notJudgedLines } from './check-lines.ts'
import { CommandRefusal, type Output, printJson } from './output.ts'
import { withIndex } from './read-commands.ts'

export interface ProveContext {
  readonly output: Output
  readonly place: IndexPlace
  readonly isJson: boolean
  readonly isQuiet: boolean
  readonly signal: AbortSignal
}

export async function proveCommand({ output, place, isJson, isQuiet, signal }: ProveContext): Promise<void> {
  // An index that cannot be read is told before anything is started.
  withIndex(place, () => undefined)
  const running = startProof(place, (done, total) => {
    if (!isQuiet) output.progress?.(`asking the compiler ${done}/${total}`)
  })
  const stop = (): void => running.stop()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const outcome = await running.ended.finally(() => output.progress?.(''))
  signal.removeEventListener('abort', stop)
  if (signal.aborted) throw new CommandRefusal('stopped; what was judged is kept', 130)
  if (outcome.kind === 'failed') throw new CommandRefusal(`nothing more can be proved: ${outcome.reason}`)
  const report = withIndex(place, ({ reader }) => reportOf(reader, place, outcome))
  if (isJson) printJson(output, report)
  else if (!isQuiet) for (const line of reportLines(report)) output.line(line)
}

interface ProofReport extends CheckedFiles {
  readonly tool: string
  readonly finished: boolean
  readonly proved: number
  readonly refuted: number
  readonly sites: number
  readonly missed: number
}

function reportOf(reader: GraphReader, place: IndexPlace, outcome: ProofOutcome): ProofReport {
  const check = readCheck(place)
  const proofs = readProofs(place).filter((one) => one.tool === check?.tool && isOfIndexed(reader.graph, one))
  const count = (of: (proof: FileProof) => number): number => proofs.reduce((sum, one) => sum + of(one), 0)
  return {
    tool: check?.tool ?? '',
    finished: outcome.kind === 'done',
    ...checkedFiles(reader.graph, check, judgedTexts(place)),
    proved: count((one) => one.edges.filter((edge) => edge.isRight).length),
    refuted: count((one) => one.edges.filter((edge) => !edge.isRight).length),
    sites: count((one) => one.sites),
    missed: count((one) => one.missed.length),
  }
}

function reportLines(report: ProofReport): string[] {
  const { tool, files, judged, proved, refuted, sites, missed, finished } = report
  if (files === 0) return ['nothing to prove: there is no TypeScript or JavaScript here']
  return [
    `${judged} of ${files} files judged by ${tool}: ${proved} edges proved, ${refuted} refuted; of ${sites} uses of functions ${missed} have no edge`,
    ...(finished ? [] : ['it took as long as one check may; "indexer prove" goes on']),
    ...notJudgedLines(report),
  ]
}
