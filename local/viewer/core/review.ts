/** What a change does to the rest: what reaches it, which tests would tell, what nothing uses any more, new circles. */

import { pushTo } from '#shared/kernel/push-to.ts'
import { type ChangedFile, changedSymbols, symbolsReaching, testsReaching } from '../../indexer/core/change-reach.ts'
import type { CodeGraph } from '../../indexer/core/code-graph.ts'
import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import type { EdgeKind, NodeKind, Verdict } from '../../indexer/core/vocabulary.ts'
import { type BrokenContract, brokenContracts } from './contracts.ts'
import { deadCode } from './dead-code.ts'
import { furtherKinds, usualKinds } from './dead-code-kinds.ts'
import type { ProjectTexts } from './mentions.ts'
import type { OwnersOf } from './owners.ts'
import type { Change, ReviewedSymbol } from './reviewed-change.ts'
import { compareText } from './search.ts'

/** A range of commits, by any names that git takes. */
export const reviewRangeCharsMax = 300

/** What is known of the project beside its index. */
interface ReviewTexts extends ProjectTexts {
  readonly owners: OwnersOf
}

interface ChangedSymbol extends ReviewedSymbol {
  readonly isExported: boolean
  /** Whether a test reaches it; null for what is no code that runs, and what is of the tests itself. */
  readonly tested: 'certain' | 'possible' | 'no' | null
}

export interface AffectedSymbol extends ReviewedSymbol {
  readonly isCertain: boolean
  readonly steps: number
  /** Where it leads on to the change, and to what. */
  readonly atLine: number
  readonly toward: string
  /** What a compiler said about that; null where none said anything. */
  readonly verdict: Verdict | null
}

interface ReviewedTest {
  readonly file: string
  readonly isCertain: boolean
  readonly through: readonly string[]
}

interface NewCircle {
  /** The line of the change that closes it. */
  readonly file: string
  readonly line: number
  /** From the file of that line round to itself. */
  readonly files: readonly string[]
}

export interface Review {
  readonly range: string
  /** Who looks after the changed files, with those that they look after. */
  readonly owners: readonly { readonly owner: string; readonly files: readonly string[] }[]
  readonly contracts: readonly BrokenContract[]
  readonly changed: readonly ChangedSymbol[]
  readonly affected: { readonly total: number; readonly items: readonly AffectedSymbol[] }
  readonly routes: readonly AffectedSymbol[]
  readonly tests: readonly ReviewedTest[]
  readonly newlyDead: readonly (ReviewedSymbol & { readonly isNew: boolean })[]
  readonly newlyCircular: readonly NewCircle[]
  /** Changed files of which the index knows nothing. */
  readonly notIndexed: readonly string[]
}

const affectedShown = 500
/** Symbols whose tests are looked for one by one. */
const testedMax = 200
const deadMax = 300
const circlesMax = 40
const runningKinds = new Set<NodeKind>(['function', 'method', 'component', 'class'])
const linkKinds = new Set<EdgeKind>([
  'calls',
  'imports',
  'references',
  'instantiates',
  'extends',
  'implements',
  'navigates',
])

export function reviewOf(reader: GraphReader, change: Change, texts: ReviewTexts): Review {
  const { graph } = reader
  const { symbols, notIndexed } = changedSymbols(graph, change.files)
  const reached = reachedSymbols(graph, symbols)
  return {
    range: change.range,
    owners: ownersOf(change, texts.owners),
    contracts: brokenContracts(reader, change, symbols, texts.of),
    changed: symbols.map((n, at) => changedSymbol(graph, n, at < testedMax)).sort(byPlace),
    affected: { total: reached.length, items: reached.slice(0, affectedShown) },
    routes: reached.filter((one) => one.kind === 'route'),
    tests: testsReaching(graph, symbols)
      .map(({ file, isCertain, through }) => ({ file: file.path, isCertain, through }))
      .sort((left, right) => Number(right.isCertain) - Number(left.isCertain) || compareText(left.file, right.file)),
    newlyDead: newlyDead(reader, change, symbols, texts),
    newlyCircular: newlyCircular(graph, change.files),
    notIndexed,
  }
}

function ownersOf({ files }: Change, owners: OwnersOf): Review['owners'] {
  const found = new Map<string, string[]>()
  for (const { path } of files) for (const owner of owners(path)) pushTo(found, owner, path)
  return [...found]
    .map(([owner, owned]) => ({ owner, files: owned }))
    .sort((left, right) => right.files.length - left.files.length || compareText(left.owner, right.owner))
}

function symbolOf(graph: CodeGraph, n: number): ReviewedSymbol {
  return {
    name: graph.qualifiedNameOf(n),
    kind: graph.kindOf(n),
    file: graph.fileOfNode(n).path,
    line: graph.nodes.line[n] ?? 1,
  }
}

function byPlace(left: ReviewedSymbol, right: ReviewedSymbol): number {
  return compareText(left.file, right.file) || left.line - right.line
}

function changedSymbol(graph: CodeGraph, n: number, isTestAsked: boolean): ChangedSymbol {
  const symbol = symbolOf(graph, n)
  const isProduction = !graph.fileOfNode(n).isNonProduction
  let tested: ChangedSymbol['tested'] = null
  if (isTestAsked && isProduction && runningKinds.has(symbol.kind)) {
    const tests = testsReaching(graph, [n])
    tested = tests.some((one) => one.isCertain) ? 'certain' : tests.length > 0 ? 'possible' : 'no'
  }
  return { ...symbol, isExported: graph.has(n, 'exported'), tested }
}

/** All that leads to the change and is none of it; what is sure first, then the nearest. */
function reachedSymbols(graph: CodeGraph, symbols: readonly number[]): AffectedSymbol[] {
  const steps = new Map<number, number>()
  const found: (AffectedSymbol & { readonly isNonProduction: boolean })[] = []
  for (const { node, toward, isCertain } of symbolsReaching(graph, symbols)) {
    const step = toward === 0 ? 0 : (steps.get(toward) ?? 0) + 1
    steps.set(node, step)
    if (toward === 0) continue
    const symbol = symbolOf(graph, node)
    found.push({
      ...symbol,
      isCertain,
      steps: step,
      ...edgeToward(graph, node, toward, symbol.line),
      toward: graph.qualifiedNameOf(toward),
      isNonProduction: graph.fileOfNode(node).isNonProduction,
    })
  }
  return found
    .sort(
      (left, right) =>
        Number(right.isCertain) - Number(left.isCertain) ||
        left.steps - right.steps ||
        Number(left.isNonProduction) - Number(right.isNonProduction) ||
        byPlace(left, right),
    )
    .map(({ isNonProduction: _used, ...one }) => one)
}

/** By the edge that says most for it: proved before certain before possible. */
function edgeToward(
  graph: CodeGraph,
  from: number,
  toward: number,
  ownLine: number,
): Pick<AffectedSymbol, 'atLine' | 'verdict'> {
  const [first, end] = graph.outgoingRange(from)
  let best: number | undefined
  const rank = (edge: number): number => (graph.verdictOf(edge) === 'proved' ? 2 : graph.isCertain(edge) ? 1 : 0)
  for (let edge = first; edge < end; edge += 1) {
    if (graph.edges.target[edge] !== toward || graph.isRefuted(edge)) continue
    if (best === undefined || rank(edge) > rank(best)) best = edge
  }
  if (best === undefined) return { atLine: ownLine, verdict: null }
  return { atLine: graph.edges.line[best] ?? ownLine, verdict: graph.verdictOf(best) ?? null }
}

/** What nothing reaches now, and either came with the change or was named by a line that it took away. */
function newlyDead(
  reader: GraphReader,
  change: Change,
  symbols: readonly number[],
  texts: ProjectTexts,
): Review['newlyDead'] {
  const named = new Set(
    [...change.removed.values()].flat().flatMap((line) => line.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []),
  )
  const { graph } = reader
  const added = new Set(symbols.filter((n) => isWholly(graph, n, change.files)).map((n) => placeOf(symbolOf(graph, n))))
  const dead = deadCode(
    reader,
    {
      limit: Number.MAX_SAFE_INTEGER,
      kinds: [...usualKinds, ...furtherKinds],
      includeExported: true,
      includeTests: false,
      includeGenerated: false,
    },
    texts,
  )
  return dead.rows.items
    .map((row) => ({ name: row.qualifiedName, kind: row.kind, file: row.file, line: row.line, own: row.name }))
    .map(({ own, ...row }) => ({ row: { ...row, isNew: added.has(placeOf(row)) }, isNamed: named.has(own) }))
    .filter(({ row, isNamed }) => row.isNew || isNamed)
    .slice(0, deadMax)
    .map(({ row }) => row)
    .sort(byPlace)
}

function placeOf({ file, line, name }: Pick<ReviewedSymbol, 'file' | 'line' | 'name'>): string {
  return `${file}:${line}:${name}`
}

/** Whether the line a symbol begins in came with the change. */
function isWholly(graph: CodeGraph, n: number, files: readonly ChangedFile[]): boolean {
  const path = graph.fileOfNode(n).path
  const changed = files.find((one) => one.path === path)
  return changed !== undefined && (changed.lines === 'all' || changed.lines.includes(graph.nodes.line[n] ?? 0))
}

/** Certain links between files that only lines of the change make, where a way leads back. */
function newlyCircular(graph: CodeGraph, files: readonly ChangedFile[]): NewCircle[] {
  const linesOf = new Map<number, ReadonlySet<number> | 'all'>()
  for (const { path, lines } of files) {
    const file = graph.fileByPath(path)
    if (file !== undefined) linesOf.set(file.n, lines === 'all' ? lines : new Set(lines))
  }
  const next = new Map<number, Set<number>>()
  const old = new Set<string>()
  const fresh = new Map<string, { from: number; to: number; line: number }>()
  const { source, target, line } = graph.edges
  for (let edge = 0; edge < source.length; edge += 1) {
    const from = graph.fileOf[source[edge] ?? 0] ?? 0
    const to = graph.fileOf[target[edge] ?? 0] ?? 0
    if (from === to || !linkKinds.has(graph.edgeKindOf(edge)) || !graph.isCertain(edge)) continue
    const targets = next.get(from)
    if (targets === undefined) next.set(from, new Set([to]))
    else targets.add(to)
    const lines = linesOf.get(from)
    const at = line[edge] ?? 0
    if (lines === 'all' || lines?.has(at) === true) fresh.set(`${from} ${to}`, { from, to, line: at })
    else old.add(`${from} ${to}`)
  }
  const found: NewCircle[] = []
  for (const [key, { from, to, line: at }] of fresh) {
    if (old.has(key) || found.length >= circlesMax || isOnePackage(graph, from, to)) continue
    const way = wayBetween(next, to, from)
    if (way === undefined) continue
    found.push({ file: graph.file(from).path, line: at, files: [from, ...way].map((n) => graph.file(n).path) })
  }
  return found
}

/** Files of one folder of Go need no import to use one another, and make no circle. */
function isOnePackage(graph: CodeGraph, from: number, to: number): boolean {
  const folder = (n: number): string => graph.file(n).path.replace(/[^/]*$/, '')
  return graph.file(from).language === 'go' && folder(from) === folder(to)
}

function wayBetween(next: ReadonlyMap<number, ReadonlySet<number>>, from: number, to: number): number[] | undefined {
  const before = new Map<number, number>([[from, 0]])
  const queue = [from]
  for (const at of queue) {
    if (at === to) break
    for (const one of next.get(at) ?? []) {
      if (before.has(one)) continue
      before.set(one, at)
      queue.push(one)
    }
  }
  if (!before.has(to)) return undefined
  const way: number[] = []
  for (let at = to; at !== 0; at = before.get(at) ?? 0) way.unshift(at)
  return way
}
