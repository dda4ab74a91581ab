import { z } from '@hono/zod-openapi'
import { browserAuthPath } from '../core/raw-paths.ts'
import { declareRoute } from './route.ts'

/** Answered before routing, on the raw request: its token is nobody else's to see. */
export const exchangeBrowserToken = declareRoute('get', browserAuthPath, {
  operationId: 'auth.browser',
  summary: 'Exchanges the token that was printed at the start, once, for a cookie of 30 days',
  query: z.object({ token: z.string() }),
  answer: 'redirect',
})
