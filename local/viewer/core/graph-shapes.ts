/** Symbols and the relations between them, as the routes answer them. */

import { pushTo } from '#shared/kernel/push-to.ts'
import type { CodeGraph } from '../../indexer/core/code-graph.ts'
import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import type { EdgeRow, NodeRow } from '../../indexer/core/rows.ts'
import { verdictOfAll } from '../../indexer/core/verdicts.ts'
import type { Edge, NodeDetail, NodeRef, Relation } from '../contract/wire.ts'

/** Distinct callers from which on a symbol is a hub. */
export const hubCallers = 40
const edgesPerRelationMax = 40

export interface List<T> {
  readonly total: number
  readonly shown: number
  readonly truncated: boolean
  readonly items: readonly T[]
}

export function listOf<T>(all: readonly T[], limit: number): List<T> {
  const items = all.slice(0, limit)
  return { total: all.length, shown: items.length, truncated: items.length < all.length, items }
}

export function nodeRef(reader: GraphReader, node: NodeRow): NodeRef {
  const file = reader.file(node.file)
  return {
    id: node.id,
    kind: node.kind,
    name: node.name,
    qualifiedName: node.qualifiedName,
    file: file.path,
    line: node.line,
    endLine: node.endLine,
    language: file.language,
    test: file.isNonProduction,
    ...(node.signature === undefined ? {} : { signature: node.signature }),
    ...(node.isExported ? { exported: true as const } : {}),
    ...(file.isGenerated ? { generated: true as const } : {}),
  }
}

export function nodeDetail(reader: GraphReader, node: NodeRow): NodeDetail {
  return {
    ...nodeRef(reader, node),
    startColumn: node.col,
    endColumn: node.endCol,
    lines: node.endLine - node.line + 1,
    ...(node.doc === undefined ? {} : { docstring: node.doc }),
    ...(node.visibility === undefined ? {} : { visibility: node.visibility }),
    ...(node.isAsync ? { async: true as const } : {}),
    ...(node.isStatic ? { static: true as const } : {}),
    ...(node.isAbstract ? { abstract: true as const } : {}),
    ...(node.decorators.length === 0 ? {} : { decorators: node.decorators }),
    ...(node.typeParameters.length === 0 ? {} : { typeParameters: node.typeParameters }),
    ...(node.returnType === undefined ? {} : { returnType: node.returnType }),
  }
}

export function wireEdge(edge: EdgeRow): Edge {
  return {
    kind: edge.kind,
    line: edge.line,
    col: edge.col,
    confidence: edge.confidence,
    resolvedBy: edge.resolution,
    ...(edge.kind === 'references' ? { valueRef: true as const } : {}),
    ...(edge.verdict === undefined ? {} : { verdict: edge.verdict }),
  }
}

/** All edges between the focus and one other symbol, by line. */
export interface Bundle {
  readonly other: number
  readonly edges: readonly EdgeRow[]
  readonly firstLine: number
}

export function bundles(edges: readonly EdgeRow[], side: 'source' | 'target'): Bundle[] {
  const byOther = new Map<number, EdgeRow[]>()
  for (const edge of edges) pushTo(byOther, edge[side], edge)
  return [...byOther].map(([other, found]) => {
    const sorted = found.sort((left, right) => left.line - right.line || left.col - right.col)
    return { other, edges: sorted, firstLine: sorted[0]?.line ?? 0 }
  })
}

/** Folds the edges between the focus and another symbol into one relation. */
export function relationOf(reader: GraphReader, { other, edges }: Bundle): Relation {
  const confidence = Math.max(...edges.map((one) => one.confidence))
  const verdict = verdictOfAll(edges.map((one) => one.verdict))
  return {
    node: nodeRef(reader, reader.node(other)),
    edgeKinds: [...new Set(edges.map((one) => one.kind))],
    edges: edges.slice(0, edgesPerRelationMax).map(wireEdge),
    edgeCount: edges.length,
    lines: [...new Set(edges.map((one) => one.line))],
    confidence,
    uncertain: !edges.some((one) => one.isCertain),
    synthesized: false,
    ...(verdict === undefined ? {} : { verdict }),
  }
}

/** The first rows of a list, made only for those that are shown. */
export function shownOf<T, R>(all: readonly T[], limit: number, make: (one: T) => R): List<R> {
  const items = all.slice(0, limit).map(make)
  return { total: all.length, shown: items.length, truncated: items.length < all.length, items }
}

export function children(reader: GraphReader, node: NodeRow): NodeRow[] {
  return Array.from(reader.graph.childrenOf(node.n), (n) => reader.node(n))
}

/** How many edges end in a symbol, and how many start in it. */
export function fansOf(graph: CodeGraph, n: number): { readonly fanIn: number; readonly fanOut: number } {
  const [first, end] = graph.outgoingRange(n)
  return { fanIn: graph.incomingPlaces(n).length, fanOut: end - first }
}
