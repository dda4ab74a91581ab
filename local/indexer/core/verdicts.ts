/** What compilers said about single edges, of the text that is indexed and of no other. */
import type { CodeGraph } from './code-graph.ts'
import { type FileProof, targetName } from './proofs.ts'
import { type Verdict, verdicts } from './vocabulary.ts'

export function isOfIndexed(graph: CodeGraph, proof: FileProof): boolean {
  return graph.fileByPath(proof.path)?.hash === proof.hash
}

/** As `CodeGraph.hear` takes it. A proof names an edge by its text, as edges are numbered anew with every sync. */
export function edgeVerdicts(graph: CodeGraph, proofs: Iterable<FileProof>): Uint8Array {
  const found = new Uint8Array(graph.edges.source.length)
  const [proved, refuted] = [verdicts.indexOf('proved') + 1, verdicts.indexOf('refuted') + 1]
  const { target, line, col } = graph.edges
  for (const proof of proofs) {
    const file = graph.fileByPath(proof.path)
    if (file === undefined || !isOfIndexed(graph, proof)) continue
    const said = new Map(proof.edges.map((one) => [`${one.line} ${one.col} ${one.kind} ${one.target}`, one.isRight]))
    const [first] = graph.outgoingRange(file.firstNode)
    const [, end] = graph.outgoingRange(file.firstNode + file.nodeCount - 1)
    for (let edge = first; edge < end; edge += 1) {
      const isRight = said.get(
        `${line[edge]} ${col[edge]} ${graph.edgeKindOf(edge)} ${targetName(graph, target[edge] ?? 0)}`,
      )
      if (isRight !== undefined) found[edge] = isRight ? proved : refuted
    }
  }
  return found
}

/** Of a relation one proved edge is enough; it is refuted only where each of its edges is. */
export function verdictOfAll(verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  if (verdicts.includes('proved')) return 'proved'
  return verdicts.every((one) => one === 'refuted') ? 'refuted' : undefined
}
