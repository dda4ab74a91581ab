/** Shapes that several answers share. */
import { z } from 'zod'
import { edgeKinds, languages, nodeKinds, resolutions, verdicts } from '../../indexer/core/vocabulary.ts'

const count = z.number().int().nonnegative()
const line = z.number().int().positive()

export const nodeRef = z.strictObject({
  id: z.string(),
  kind: z.enum(nodeKinds),
  name: z.string(),
  qualifiedName: z.string(),
  file: z.string(),
  line,
  endLine: line,
  language: z.enum(languages),
  test: z.boolean(),
  signature: z.string().optional(),
  exported: z.literal(true).optional(),
  generated: z.literal(true).optional(),
})

export const nodeDetail = nodeRef.extend({
  startColumn: count,
  endColumn: count,
  lines: line,
  docstring: z.string().optional(),
  visibility: z.string().optional(),
  async: z.literal(true).optional(),
  static: z.literal(true).optional(),
  abstract: z.literal(true).optional(),
  decorators: z.array(z.string()).optional(),
  typeParameters: z.array(z.string()).optional(),
  returnType: z.string().optional(),
})

export function listOf<T extends z.ZodType>(item: T) {
  return z
    .strictObject({ total: count, shown: count, truncated: z.boolean(), items: z.array(item) })
    .refine((list) => list.items.length === list.shown && list.truncated === list.shown < list.total)
}

/** By a compiler's index that was imported; absent where none said anything. */
export const verdict = z.enum(verdicts)

export const edge = z.strictObject({
  kind: z.enum(edgeKinds),
  line: line.optional(),
  col: count.optional(),
  confidence: z.number().gt(0).lte(1).optional(),
  resolvedBy: z.enum(resolutions).optional(),
  valueRef: z.literal(true).optional(),
  verdict: verdict.optional(),
})

export const relation = z.strictObject({
  node: nodeRef,
  edgeKinds: z.array(z.enum(edgeKinds)).min(1),
  edges: z.array(edge).min(1).max(40),
  edgeCount: z.number().int().positive(),
  lines: z.array(line),
  confidence: z.number().nullable(),
  uncertain: z.boolean(),
  synthesized: z.literal(false),
  /** One proved edge is enough; it is refuted only where each of its edges is. */
  verdict: verdict.optional(),
  fanIn: count.optional(),
  hub: z.boolean().optional(),
})

export const highlight = z.strictObject({
  engine: z.enum(['tree-sitter', 'plain']),
  grammar: z.string().nullable(),
  classes: z.tuple([
    z.literal('other'),
    z.literal('ident'),
    z.literal('comment'),
    z.literal('string'),
    z.literal('keyword'),
    z.literal('number'),
    z.literal('type'),
    z.literal('def'),
  ]),
  lines: z.array(z.array(z.tuple([count.max(7), z.string()]))),
  reason: z.string().optional(),
})

export const indexStamp = z.strictObject({ lastIndexedAt: z.number().nullable(), files: count })
export const timing = z.strictObject({ elapsedMs: count, cached: z.boolean() })
export { count, line }
