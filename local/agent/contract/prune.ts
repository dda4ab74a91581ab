import { z } from '@hono/zod-openapi'
import { pruneProtections } from '../core/prune-selection.ts'
import { pruneDaysMax } from '../limits.ts'
import { locationQuery } from './location.ts'
import { declareRoute, wholeNumber } from './route.ts'

const pruneBy = z.enum(['updated', 'created'])
const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

const counted = z.object({ rows: z.number().int(), bytes: z.number().int() })

const wirePruneReport = z
  .object({
    action: z.union([z.enum(['preview', 'delete']), z.object({ archive: z.object({ at_ms: z.number().int() }) })]),
    digest: z
      .string()
      .openapi({ description: 'Of the selection: the mutation takes it, and applies to nothing else.' }),
    selected_session_ids: z.array(z.string()),
    excluded: z.array(z.object({ session_id: z.string(), reasons: z.array(z.enum(pruneProtections)) })),
    database: z.object({
      tables: z.array(counted.extend({ table: z.string() })),
      total_rows: z.number().int(),
      total_bytes: z.number().int(),
      cost: z.number(),
      tokens: z.object({
        input: z.number().int(),
        output: z.number().int(),
        reasoning: z.number().int(),
        cache_read: z.number().int(),
        cache_write: z.number().int(),
      }),
    }),
    artifacts: z.object({
      items: z.array(
        z.object({
          path: z.string(),
          bytes: z.number().int(),
          kind: z.enum(['tool_output', 'snapshot_store', 'work_tree']),
          reason: z.string(),
          removed: z.boolean(),
        }),
      ),
      total_bytes: z.number().int(),
    }),
    derived: z
      .object({ permission_rules: z.number().int(), notes: z.number().int(), removed: z.boolean() })
      .openapi({ description: 'What was learned in the selected sessions, and goes on without them.' }),
    changed_sessions: z.number().int(),
    warnings: z.array(z.string()),
    notes: z
      .array(
        z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('more'), most: z.number().int() }),
          z.object({ kind: z.literal('left'), path: z.string() }),
        ]),
      )
      .openapi({ description: 'What `warnings` say.' }),
  })
  .openapi('PruneReport')

export type WirePruneReport = z.output<typeof wirePruneReport>

export const previewPrune = declareRoute('get', '/api/session/prune', {
  operationId: 'v2.session.prune.preview',
  summary: 'Which sessions an archive or delete would take; changes nothing',
  query: locationQuery.extend({
    olderThan: wholeNumber(0, pruneDaysMax).openapi({ description: 'Days' }),
    by: pruneBy.optional(),
    project: z.string().min(1).optional().openapi({ description: 'Id, or a directory of the project' }),
    allProjects: flag.optional(),
    includeRecent: flag.optional(),
  }),
  answer: z.object({ data: wirePruneReport }),
})

export const applyPrune = declareRoute('post', '/api/session/prune', {
  operationId: 'v2.session.prune.apply',
  summary: 'Archives or deletes what a preview has shown, once confirmed by `apply`',
  query: locationQuery,
  body: z.strictObject({
    olderThan: z.number().int().min(0).max(pruneDaysMax),
    by: pruneBy.optional(),
    project: z.string().min(1).optional(),
    allProjects: z.boolean().optional(),
    includeRecent: z.boolean().optional(),
    action: z.enum(['archive', 'delete']),
    apply: z.literal(true),
    digest: z.string().regex(/^[0-9a-f]{64}$/, 'must be the digest of a preview'),
    derived: z.enum(['keep', 'remove']).optional().openapi({ description: 'With delete; kept where nothing is said.' }),
  }),
  answer: z.object({ data: wirePruneReport }),
  failures: ['conflict', 'database_error'],
})
