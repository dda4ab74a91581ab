import { z } from '@hono/zod-openapi'
import { idPattern } from '../core/identifier.ts'
import { backgroundStatuses } from '../core/vocabulary.ts'
import { declareRoute, wholeNumber } from './route.ts'
import { sessionParams } from './session.ts'

const wireBackground = z
  .object({
    id: z.string(),
    sessionID: z.string(),
    messageID: z.string(),
    callID: z.string(),
    command: z.string(),
    status: z.enum(backgroundStatuses),
    bytes: z.number().int(),
    log: z.string(),
    exit: z.number().int().optional(),
    time: z.object({ started: z.number(), ended: z.number().optional() }),
  })
  .openapi('BackgroundCommand')

const backgroundParams = sessionParams.extend({
  commandID: z.string().regex(idPattern.background, 'must start with bgc_'),
})

export const listBackground = declareRoute('get', '/api/session/{sessionID}/background', {
  operationId: 'v2.session.background.list',
  summary: 'Commands that the model started in the background, oldest first, those that ended last included',
  params: sessionParams,
  answer: z.object({ data: z.array(wireBackground) }),
  failures: ['not_found'],
})

export const readBackground = declareRoute('get', '/api/session/{sessionID}/background/{commandID}', {
  operationId: 'v2.session.background.read',
  summary: 'What such a command said after a mark, or both ends of it where that is long',
  params: backgroundParams,
  query: z.object({ after: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional() }),
  answer: z.object({
    data: wireBackground.extend({
      output: z.string(),
      mark: z.number().int().openapi({ description: 'Where what follows begins.' }),
      leftOut: z.number().int().openapi({ description: 'Bytes that are not shown.' }),
    }),
  }),
  failures: ['not_found'],
})

export const stopBackground = declareRoute('delete', '/api/session/{sessionID}/background/{commandID}', {
  operationId: 'v2.session.background.stop',
  summary: 'Ends such a command, which stays on the list; answers when it has ended',
  params: backgroundParams,
  answer: 'none',
  failures: ['not_found'],
})
