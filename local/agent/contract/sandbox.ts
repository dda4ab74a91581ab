import { z } from '@hono/zod-openapi'
import { outsideKinds } from '../core/vocabulary.ts'
import { located, locationQuery } from './location.ts'
import { declareRoute } from './route.ts'

const wireSandbox = z
  .discriminatedUnion('state', [
    z.object({
      state: z.literal('on'),
      hosts: z.array(z.string()).openapi({ description: 'That commands may reach without asking.' }),
    }),
    z.object({
      state: z.literal('off'),
      kind: z.enum(outsideKinds),
      detail: z.string(),
      reason: z.string().openapi({ description: 'For people, in English.' }),
    }),
  ])
  .openapi('SandboxState')
export type WireSandbox = z.output<typeof wireSandbox>

export const readSandbox = declareRoute('get', '/api/sandbox', {
  operationId: 'v2.sandbox.get',
  summary: 'Whether commands of the model run in a sandbox in this location, or why each of them is asked for',
  query: locationQuery,
  answer: located(wireSandbox),
  failures: ['backend_unavailable'],
})
