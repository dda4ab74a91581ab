import { z } from '@hono/zod-openapi'
import { failureCodes } from '../core/vocabulary.ts'
import { fileDiff } from './message.ts'

/** The envelope, and beside it what clients of the second kind read. Two bodies have only the tagged shape. */
export const wireFailure = z
  .looseObject({
    error: z.object({ code: z.enum(failureCodes), message: z.string() }).optional(),
    _tag: z.string().optional(),
    message: z.string().optional(),
    /** Of a conflict with what others did to files: the differences that would be lost. */
    files: z.array(fileDiff).optional(),
  })
  .openapi('Error', { description: 'Clients branch on error.code or _tag, never on the message.' })
