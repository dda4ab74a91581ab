import * as z from '#shared/schema/deferred.ts'
import type { Reason } from '../core/reason/reason.ts'

/** The facts beside a sentence. Kinds may be added: whoever meets one that it does not know shows the sentence. */
export const wireReason = z.looseObject({ kind: z.string() }).meta({
  id: 'Reason',
  description: 'Why. Programs act on `kind`, and what else is there depends on it; the text beside it is for people.',
  // Left to itself it is a schema without a type, which readers of the document refuse.
  additionalProperties: true,
}) as unknown as z.ZodType<Reason>

/** Beside a sentence that is there only when something went wrong. */
export const withReason = { reason: wireReason.optional() }
