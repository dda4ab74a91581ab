import { z } from '@hono/zod-openapi'
import { saidTextMax } from '../limits.ts'
import { wireSession } from './message.ts'
import { declareRoute } from './route.ts'

const wireSaid = z
  .object({
    session: wireSession,
    messageID: z.string(),
    by: z.enum(['user', 'assistant']),
    excerpt: z.string().openapi({ description: 'Of the newest message that says it.' }),
    at: z.number().int().openapi({ description: 'Where in the excerpt the words begin, in UTF-16 units.' }),
  })
  .openapi('SaidMatch')

export const searchSaid = declareRoute('get', '/api/session/said', {
  operationId: 'v2.session.said',
  summary: 'Sessions in which the words were said, newest change first, as far as one request looks back',
  query: z.object({
    text: z.string().min(1).max(saidTextMax),
    cursor: z.string().optional(),
  }),
  answer: z.object({
    data: z.array(wireSaid),
    searchedBackTo: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'When the last session that was looked through changed; null once all were.' }),
    cursor: z.object({ next: z.string().nullable() }),
  }),
})
