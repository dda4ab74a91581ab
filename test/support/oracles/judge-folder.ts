/** Certain edges of an index, and uses that have none, judged by a compiler's index of the same project. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { ScipIndex } from '../../../local/indexer/core/compiler-index.ts'
import type { GraphReader } from '../../../local/indexer/core/graph-reader.ts'
import { judgedKinds, judgeEdges } from '../../../local/indexer/core/proofs.ts'
import { edgeVerdicts } from '../../../local/indexer/core/verdicts.ts'
import { uncertainBelow } from '../../../local/indexer/core/vocabulary.ts'
import { indexPlaceIn } from '../../../local/indexer/store/index-folder.ts'
import { openIndex } from '../../../local/indexer/store/open-index.ts'
import { syncIndex } from '../../../local/indexer/sync.ts'
import { unwrap } from '../unwrap.ts'
import { type JudgedLanguage, oracles } from './oracles.ts'

export interface Truth {
  /** Files that the compiler and the index both know. */
  readonly files: number
  readonly right: number
  readonly wrong: readonly string[]
  /** Functions and methods that are named, as the compiler knows. */
  readonly sites: number
  readonly missed: readonly string[]
}

/** Indexes the folder somewhere else and judges it; `more` is what the compiler is given. */
export async function judgeFolder(
  language: JudgedLanguage,
  root: string,
  more: readonly string[] = [],
): Promise<Truth> {
  const scip = oracles[language](root, more)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'wharf-truth-'))
  try {
    const place = indexPlaceIn(path.join(folder, 'index'), root)
    const built = await syncIndex({ place, isFull: true, nowMs: Date.now(), version: 'truth' })
    if (built.kind !== 'done') throw new Error(built.kind)
    const open = unwrap(openIndex(place))
    try {
      return judgeProject(root, open.reader, scip)
    } finally {
      open.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function judgeProject(root: string, reader: GraphReader, scip: ScipIndex): Truth {
  const { graph } = reader
  const proofs = judgeEdges(reader, scip, ({ path: file }) => readFileSync(path.join(root, file), 'utf8'))
  graph.hear(() => edgeVerdicts(graph, proofs))
  const meant = meantAt(scip)
  const wrong: string[] = []
  const missed: string[] = []
  let right = 0
  for (const proof of proofs) {
    const file = reader.fileByPath(proof.path)
    if (file === undefined) continue
    const lines = readFileSync(path.join(root, proof.path), 'utf8').split('\n')
    const shown = (line: number): string => (lines[line - 1] ?? '').trim().slice(0, 120)
    const certain = reader
      .nodesOf(file)
      .flatMap(({ n }) => reader.outgoing(n))
      .filter(({ kind, confidence }) => judgedKinds.has(kind) && confidence >= uncertainBelow)
    for (const edge of certain) {
      if (edge.verdict === 'proved') right += 1
      if (edge.verdict !== 'refuted') continue
      const ours = `${graph.fileOfNode(edge.target).path}#${graph.qualifiedNameOf(edge.target)}`
      const said = meant.get(`${proof.path}:${edge.line - 1}:${graph.nameOf(edge.target)}`) ?? 'something else'
      wrong.push(`${proof.path}:${edge.line}:${edge.col} ${edge.kind} ${ours}, but it is ${said} | ${shown(edge.line)}`)
    }
    for (const { line, col, target } of proof.missed)
      missed.push(`${proof.path}:${line}:${col} ${target} | ${shown(line)}`)
  }
  const sites = proofs.reduce((sum, one) => sum + one.sites, 0)
  return { files: proofs.length, right, wrong, sites, missed }
}

/** What the compiler's index means by a name on a line. */
function meantAt(scip: ScipIndex): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { path: file, occurrences } of scip.documents)
    for (const { line, symbol, isDefinition } of occurrences) {
      const name = /(\w+)\W*$/.exec(symbol)?.[1]
      if (!isDefinition && name !== undefined) found.set(`${file}:${line}:${name}`, symbol)
    }
  return found
}
