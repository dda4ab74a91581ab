/** Symbols and the relations between them, as the routes answer them. */
import type { EdgeRow, GraphReader, NodeRow } from '../../indexer/core/rows.ts'
import { type NodeKind, type Resolution, uncertainBelow } from '../../indexer/core/vocabulary.ts'

/** Distinct callers from which on a symbol is a hub. */
export const hubCallers = 40
const edgesPerRelationMax = 40

export interface NodeRef {
  readonly id: string
  readonly kind: NodeKind
  readonly name: string
  readonly qualifiedName: string
  readonly file: string
  readonly line: number
  readonly endLine: number
  readonly language: string
  readonly test: boolean
  readonly signature?: string
  readonly exported?: true
  readonly generated?: true
}

export interface NodeDetail extends NodeRef {
  readonly startColumn: number
  readonly endColumn: number
  readonly lines: number
  readonly docstring?: string
  readonly visibility?: string
  readonly async?: true
  readonly static?: true
  readonly abstract?: true
  readonly decorators?: readonly string[]
  readonly typeParameters?: readonly string[]
  readonly returnType?: string
}

export interface List<T> {
  readonly total: number
  readonly shown: number
  readonly truncated: boolean
  readonly items: readonly T[]
}

export interface WireEdge {
  readonly kind: string
  readonly line?: number
  readonly col?: number
  readonly confidence?: number
  readonly resolvedBy?: Resolution
  readonly valueRef?: true
}

export interface Relation {
  readonly node: NodeRef
  readonly edgeKinds: readonly string[]
  readonly edges: readonly WireEdge[]
  readonly edgeCount: number
  readonly lines: readonly number[]
  readonly confidence: number | null
  readonly uncertain: boolean
  readonly synthesized: boolean
  readonly fanIn?: number
  readonly hub?: boolean
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

export function wireEdge(edge: EdgeRow): WireEdge {
  return {
    kind: edge.kind,
    line: edge.line,
    col: edge.col,
    confidence: edge.confidence,
    resolvedBy: edge.resolution,
    ...(edge.kind === 'references' ? { valueRef: true as const } : {}),
  }
}

export function isCertain(edge: EdgeRow): boolean {
  return edge.confidence >= uncertainBelow
}

/** Folds the edges between the focus and each other symbol into one relation. */
export function relations(reader: GraphReader, edges: readonly EdgeRow[], side: 'source' | 'target'): Relation[] {
  const byOther = new Map<number, EdgeRow[]>()
  for (const edge of edges) {
    const list = byOther.get(edge[side])
    if (list === undefined) byOther.set(edge[side], [edge])
    else list.push(edge)
  }
  return [...byOther].map(([other, found]) => {
    const sorted = [...found].sort((left, right) => left.line - right.line || left.col - right.col)
    const confidence = Math.max(...sorted.map((one) => one.confidence))
    return {
      node: nodeRef(reader, reader.node(other)),
      edgeKinds: [...new Set(sorted.map((one) => one.kind))],
      edges: sorted.slice(0, edgesPerRelationMax).map(wireEdge),
      edgeCount: sorted.length,
      lines: [...new Set(sorted.map((one) => one.line))],
      confidence,
      uncertain: confidence < uncertainBelow,
      synthesized: false,
    }
  })
}

/** Symbols that depend on this one over edges that are certain. */
export function dependentsOf(reader: GraphReader, n: number): Set<number> {
  return new Set(
    reader
      .incoming(n)
      .filter((one) => isCertain(one) && one.source !== n)
      .map((one) => one.source),
  )
}

export function children(reader: GraphReader, node: NodeRow): NodeRow[] {
  return reader.nodesOf(reader.file(node.file)).filter((one) => one.parent === node.n && one.n !== node.n)
}
