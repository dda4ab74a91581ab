/** What compilers said about single edges, of the text that is indexed and of no other. */
import type { GraphReader } from './graph-reader.ts'
import { type FileProof, targetName } from './proofs.ts'
import type { EdgeRow } from './rows.ts'

export const verdicts = ['proved', 'refuted'] as const
export type Verdict = (typeof verdicts)[number]
/** Undefined: no compiler said anything about the edge. */
export type VerdictOf = (edge: EdgeRow) => Verdict | undefined

export function isOfIndexed(reader: GraphReader, proof: FileProof): boolean {
  return reader.fileByPath(proof.path)?.hash === proof.hash
}

export function verdictsOf(reader: GraphReader, proofs: readonly FileProof[]): VerdictOf {
  const said = new Map<number, ReadonlyMap<string, boolean>>()
  for (const proof of proofs) {
    const file = reader.fileByPath(proof.path)
    if (file !== undefined && isOfIndexed(reader, proof))
      said.set(
        file.n,
        new Map(proof.edges.map((one) => [`${one.line} ${one.col} ${one.kind} ${one.target}`, one.isRight])),
      )
  }
  return (edge) => {
    const ofFile = said.get(reader.graph.fileOfNode(edge.source).n)
    const isRight = ofFile?.get(`${edge.line} ${edge.col} ${edge.kind} ${targetName(reader, edge.target)}`)
    return isRight === undefined ? undefined : isRight ? 'proved' : 'refuted'
  }
}

/** Of a relation one proved edge is enough; it is refuted only where each of its edges is. */
export function verdictOfAll(verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  if (verdicts.includes('proved')) return 'proved'
  return verdicts.every((one) => one === 'refuted') ? 'refuted' : undefined
}
