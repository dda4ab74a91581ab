/** How right the edges of this index are, as far as a compiler has said anything about them. */

import { type CompilerCheck, checkedFiles } from '../../indexer/core/compiler-check.ts'
import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import { type FileProof, judgedKinds } from '../../indexer/core/proofs.ts'
import type { EdgeRow, FileRow } from '../../indexer/core/rows.ts'
import { isOfIndexed } from '../../indexer/core/verdicts.ts'
import { type Language, uncertainBelow } from '../../indexer/core/vocabulary.ts'
import type { AccuracyAnswer, OfIndex } from '../contract/wire.ts'
import { listOf, nodeRef } from './graph-shapes.ts'
import { compareText } from './search.ts'

type Body = OfIndex<AccuracyAnswer>
type LanguageRow = Body['languages'][number]
type WrongRow = Body['wrong']['items'][number]
type MissedRow = Body['missed']['items'][number]

interface Judged {
  edges: number
  judged: number
  right: number
}

interface Counts {
  files: number
  judgedFiles: number
  readonly certain: Judged
  readonly possible: Judged
  sites: number
  found: number
}

export function accuracyOf(
  reader: GraphReader,
  proofs: readonly FileProof[],
  check: CompilerCheck | undefined,
  limit: number,
): Omit<Body, 'checking'> {
  const byPath = new Map(proofs.map((one) => [one.path, one]))
  const byLanguage = new Map<Language, Counts>()
  const tools = new Map<string, number>()
  const wrong: WrongRow[] = []
  const missed: MissedRow[] = []
  let changed = 0
  for (const file of reader.graph.files) {
    const counts = byLanguage.get(file.language) ?? noCounts()
    byLanguage.set(file.language, counts)
    counts.files += 1
    const kept = byPath.get(file.path)
    const proof = kept !== undefined && isOfIndexed(reader.graph, kept) ? kept : undefined
    if (kept !== undefined && proof === undefined) changed += 1
    if (proof !== undefined) {
      counts.judgedFiles += 1
      tools.set(proof.tool, (tools.get(proof.tool) ?? 0) + 1)
      counts.sites += proof.sites
      counts.found += proof.sites - proof.missed.length
      missed.push(...proof.missed.map(({ line, target }) => ({ file: file.path, line, target })))
    }
    wrong.push(...judgeFile(reader, file, counts))
  }
  const languages = [...byLanguage]
    .map(([language, counts]): LanguageRow => ({ language, ...withShares(counts) }))
    .sort((left, right) => right.certain.edges - left.certain.edges || compareText(left.language, right.language))
  return {
    languages,
    all: withShares([...byLanguage.values()].reduce(added, noCounts())),
    tools: [...tools].map(([name, files]) => ({ name, files })),
    changedFiles: changed,
    check: check === undefined ? null : checkShape(reader, proofs, check, limit),
    wrong: listOf(wrong, limit),
    missed: listOf(missed, limit),
  }
}

function checkShape(
  reader: GraphReader,
  proofs: readonly FileProof[],
  check: CompilerCheck,
  limit: number,
): NonNullable<Body['check']> {
  const { files, judged, notJudged } = checkedFiles(
    reader.graph,
    check,
    new Map(proofs.map(({ path, hash }) => [path, hash])),
  )
  const rows = notJudged.map(({ path, reason }) => ({ file: path, reason }))
  return { tool: check.tool, endedMs: check.endedMs ?? null, files, judged, notJudged: listOf(rows, limit) }
}

function judgeFile(reader: GraphReader, file: FileRow, counts: Counts): WrongRow[] {
  const wrong: WrongRow[] = []
  for (const edge of edgesOf(reader, file)) {
    // As the index itself holds it: that is what is judged.
    const isCertain = edge.confidence >= uncertainBelow
    const judged = isCertain ? counts.certain : counts.possible
    judged.edges += 1
    const { verdict } = edge
    if (verdict === undefined) continue
    judged.judged += 1
    if (verdict === 'proved') judged.right += 1
    else
      wrong.push({
        source: nodeRef(reader, reader.node(edge.source)),
        target: nodeRef(reader, reader.node(edge.target)),
        line: edge.line,
        certain: isCertain,
      })
  }
  return wrong
}

function edgesOf(reader: GraphReader, file: FileRow): EdgeRow[] {
  const found: EdgeRow[] = []
  for (let n = file.firstNode; n < file.firstNode + file.nodeCount; n += 1)
    for (const edge of reader.outgoing(n)) if (judgedKinds.has(edge.kind)) found.push(edge)
  return found
}

function noCounts(): Counts {
  const none = (): Judged => ({ edges: 0, judged: 0, right: 0 })
  return { files: 0, judgedFiles: 0, certain: none(), possible: none(), sites: 0, found: 0 }
}

function added(left: Counts, right: Counts): Counts {
  const sum = (one: Judged, other: Judged): Judged => ({
    edges: one.edges + other.edges,
    judged: one.judged + other.judged,
    right: one.right + other.right,
  })
  return {
    files: left.files + right.files,
    judgedFiles: left.judgedFiles + right.judgedFiles,
    certain: sum(left.certain, right.certain),
    possible: sum(left.possible, right.possible),
    sites: left.sites + right.sites,
    found: left.found + right.found,
  }
}

function withShares({ certain, possible, ...rest }: Counts): Omit<LanguageRow, 'language'> {
  return {
    ...rest,
    certain: { ...certain, likely: likelyShare(certain.right, certain.judged) },
    possible: { ...possible, likely: likelyShare(possible.right, possible.judged) },
  }
}

/**
 * Between which shares the true one lies, 19 times of 20, if those judged are as the others are (the interval of Wilson).
 * Null where nothing was judged.
 */
export function likelyShare(right: number, judged: number): { readonly from: number; readonly to: number } | null {
  if (judged === 0) return null
  const z2 = 1.96 ** 2
  const share = right / judged
  const middle = (share + z2 / (2 * judged)) / (1 + z2 / judged)
  const half = Math.sqrt(z2 * ((share * (1 - share)) / judged + z2 / (4 * judged * judged))) / (1 + z2 / judged)
  const rounded = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1e4) / 1e4
  return { from: rounded(middle - half), to: rounded(middle + half) }
}
