/** Which calls stand beside which line of a listing, and which words of the line are links. Pure. */
import { pushTo } from '#shared/kernel/push-to.ts'
import type { Edge, Highlight, NodeRef, Relation } from '../../contract/wire.ts'

export interface Call {
  readonly node: NodeRef
  readonly line: number
  readonly col: number
  readonly kind: Edge['kind']
  readonly confidence: number | null
  readonly resolvedBy?: Edge['resolvedBy']
  readonly isGuess: boolean
  readonly verdict?: Edge['verdict']
  /** The symbol inside the listing that makes the call, where it is not the listing's own. */
  readonly owner?: string
}

export interface OutsideCall {
  readonly name: string
  readonly line: number
  readonly col: number
}

export type CallRow = { readonly call: Call } | { readonly outside: OutsideCall }

/** One call a line and symbol: the edges of a relation at one line are the same fact. */
export function callsOf(relation: Relation, owner?: string): Call[] {
  const byLine = new Map<number, Call>()
  for (const edge of relation.edges) {
    if (edge.line === undefined || byLine.has(edge.line)) continue
    byLine.set(edge.line, {
      node: relation.node,
      line: edge.line,
      col: edge.col ?? 0,
      kind: edge.kind,
      confidence: edge.confidence ?? null,
      ...(edge.resolvedBy === undefined ? {} : { resolvedBy: edge.resolvedBy }),
      isGuess: relation.uncertain,
      ...(edge.verdict === undefined ? {} : { verdict: edge.verdict }),
      ...(owner === undefined ? {} : { owner }),
    })
  }
  return [...byLine.values()]
}

const typeKinds: ReadonlySet<string> = new Set([
  'interface',
  'type_alias',
  'class',
  'struct',
  'enum',
  'union',
  'trait',
  'protocol',
])

/** Naming a type is no call: it is a link in the code and no row beside it. */
export function isTypeUse({ node, edgeKinds }: Relation): boolean {
  return typeKinds.has(node.kind) && edgeKinds.every((kind) => kind === 'references' || kind === 'imports')
}

/** What the index knows comes first, in the order of the line; what it cannot follow comes after it. */
function compareRows(a: CallRow, b: CallRow): number {
  if ('call' in a) return 'call' in b ? a.call.col - b.call.col : -1
  return 'call' in b ? 1 : a.outside.col - b.outside.col
}

export function rowsByLine(calls: readonly Call[], outside: readonly OutsideCall[]): Map<number, CallRow[]> {
  const rows = new Map<number, CallRow[]>()
  for (const call of calls) pushTo(rows, call.line, { call })
  for (const one of outside) {
    const isNamed = rows.get(one.line)?.some((row) => 'outside' in row && row.outside.name === one.name) === true
    if (!isNamed) pushTo(rows, one.line, { outside: one })
  }
  for (const list of rows.values()) list.sort(compareRows)
  return rows
}

export interface PlacedCalls {
  /** One below the other, beside this line and the free lines after it. */
  readonly stacked: readonly CallRow[]
  /** Side by side in the last of those lines, by name alone. */
  readonly inline: readonly CallRow[]
}

/**
 * A line of code keeps its height whatever it calls: its calls take the lines down to the next one that calls, and what
 * has no line of its own stands in the last of them side by side. A block of `blockLines` lines is drawn on its own, so
 * nothing reaches past its end.
 */
export function placeCalls(
  rows: ReadonlyMap<number, readonly CallRow[]>,
  range: { readonly from: number; readonly to: number; readonly blockLines: number },
): Map<number, PlacedCalls> {
  const lines = [...rows.keys()].filter((line) => line >= range.from && line <= range.to).sort((a, b) => a - b)
  const placed = new Map<number, PlacedCalls>()
  for (const [at, line] of lines.entries()) {
    const block = Math.floor((line - range.from) / range.blockLines)
    const blockEnd = Math.min(range.to + 1, range.from + (block + 1) * range.blockLines)
    const slots = Math.max(1, Math.min(lines[at + 1] ?? blockEnd, blockEnd) - line)
    const all = rows.get(line) ?? []
    placed.set(
      line,
      all.length <= slots
        ? { stacked: all, inline: [] }
        : { stacked: all.slice(0, slots - 1), inline: all.slice(slots - 1) },
    )
  }
  return placed
}

export interface WordLink {
  readonly id: string
  /** The word that should be the link; an edge may begin before it, as `core.Error` begins at `core`. */
  readonly name: string
  readonly isGuess: boolean
  readonly title: string
}

/** Links of a listing by line and the column where the edge begins; where two meet, the certain one wins. */
export function wordLinks(relations: readonly Relation[]): Map<number, Map<number, WordLink>> {
  const links = new Map<number, Map<number, WordLink>>()
  for (const { node, edges, uncertain } of relations) {
    for (const { line, col } of edges) {
      if (line === undefined || col === undefined) continue
      const ofLine = links.get(line) ?? new Map<number, WordLink>()
      if (ofLine.get(col)?.isGuess !== false)
        ofLine.set(col, {
          id: node.id,
          name: node.name,
          isGuess: uncertain,
          title: `${node.qualifiedName} ${node.file}:${node.line}`,
        })
      links.set(line, ofLine)
    }
  }
  return links
}

/** The columns of the words that become links: the named word itself, or else the word where the edge begins. */
export function linkedColumns(
  tokens: Highlight['lines'][number],
  links: ReadonlyMap<number, WordLink>,
): Map<number, WordLink> {
  const words: { text: string; column: number }[] = []
  let column = 0
  for (const [, text] of tokens) {
    words.push({ text, column })
    column += text.length
  }
  const placed = new Map<number, WordLink>()
  for (const [begin, link] of [...links].sort(([a], [b]) => a - b)) {
    const named = words.find((word) => word.column >= begin && word.text === link.name && !placed.has(word.column))
    const at = named?.column ?? begin
    if (!placed.has(at)) placed.set(at, link)
  }
  return placed
}
