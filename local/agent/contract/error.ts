import { z } from '@hono/zod-openapi'
import type { Refusal } from '../core/refusal.ts'
import { failureCodes } from '../core/vocabulary.ts'
import { fileDiff } from './message.ts'

/** `why` of a refused request: its kind and the facts that the message says. */
export type WireRefusal = Refusal

/** The envelope, and beside it what clients of the second kind read. Two bodies have only the tagged shape. */
export const wireFailure = z
  .looseObject({
    error: z.object({ code: z.enum(failureCodes), message: z.string() }).optional(),
    _tag: z.string().optional(),
    message: z.string().optional(),
    /** The message as a kind and its facts, for who has words of his own: see `core/refusal.ts`. */
    why: z.looseObject({ kind: z.string() }).optional(),
    /** Of a conflict with what others did to files: the differences that would be lost. */
    files: z.array(fileDiff).optional(),
  })
  .openapi('Error', {
    description:
      'Clients branch on error.code or _tag, never on the message; `why.kind` tells refusals with one code apart, and more kinds may come.',
  })
