import { z } from '@hono/zod-openapi'
import type { Reason } from '../core/reason/reason.ts'

/** The facts beside a sentence. Kinds may be added: whoever meets one that it does not know shows the sentence. */
export const wireReason = z.looseObject({ kind: z.string() }).meta({
  id: 'Reason',
  description: '原因。kind 供程序判断，其余字段因 kind 而异；旁边的文字供人阅读。',
  // Left to itself it is a schema without a type, which readers of the document refuse.
  additionalProperties: true,
}) as unknown as z.ZodType<Reason>

/** Beside a sentence that is there only when something went wrong. */
export const withReason = { reason: wireReason.optional() }
