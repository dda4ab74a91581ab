import { z } from '@hono/zod-openapi'
import { type FailureCode, failureCodes } from '../core/vocabulary.ts'
import { fileDiff } from './message.ts'

const statusByCode = {
  invalid_request: 400,
  invalid_event_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  file_too_large: 413,
  backend_unavailable: 503,
  database_error: 500,
  filesystem_error: 500,
  event_stream_failed: 500,
  internal: 500,
} as const satisfies Record<FailureCode, number>

export function statusOf(code: FailureCode): number {
  return statusByCode[code]
}

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
