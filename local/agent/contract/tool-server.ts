import { z } from '@hono/zod-openapi'
import { toolServerFaultKinds, toolServerStatuses } from '../core/vocabulary.ts'
import { located, locationQuery } from './location.ts'
import { declareRoute } from './route.ts'

const wireToolServer = z
  .object({
    name: z.string(),
    type: z.enum(['local', 'remote']),
    status: z.enum(toolServerStatuses),
    tools: z.number().int(),
    message: z.string().optional(),
    fault: z
      .object({
        kind: z.enum(toolServerFaultKinds),
        status: z.number().int().optional(),
        said: z.string().optional().openapi({ description: "In the server's words, or the system's." }),
      })
      .optional()
      .openapi({ description: 'What `message` says.' }),
    signedIn: z.boolean().openapi({ description: 'Whether a sign-in of the owner is kept for it.' }),
    takesSignIn: z.boolean().openapi({ description: 'It is an address without credentials of the configuration.' }),
  })
  .openapi('ToolServer')
export type WireToolServer = z.output<typeof wireToolServer>

const serverParams = z.object({ name: z.string().regex(/^[A-Za-z0-9-]{1,40}$/) })

export const listToolServers = declareRoute('get', '/api/mcp', {
  operationId: 'v2.mcp.list',
  summary: 'Tool servers of the configuration, reached as a turn would reach them',
  query: locationQuery,
  answer: located(z.array(wireToolServer)),
})

export const beginSignIn = declareRoute('post', '/api/mcp/{name}/sign-in', {
  operationId: 'v2.mcp.signIn.begin',
  summary: 'Begins a sign-in: the address for the browser, which ends at a port of this machine within ten minutes',
  params: serverParams,
  query: locationQuery,
  answer: located(z.object({ address: z.string() })),
  failures: ['not_found', 'conflict', 'backend_unavailable'],
})

export const finishSignIn = declareRoute('post', '/api/mcp/{name}/sign-in/finish', {
  operationId: 'v2.mcp.signIn.finish',
  summary: 'Finishes one whose browser is on another machine, by the address at which it ended',
  params: serverParams,
  query: locationQuery,
  body: z.strictObject({ address: z.url().max(8_000) }),
  answer: 'none',
  failures: ['not_found', 'conflict', 'backend_unavailable'],
})

export const forgetSignIn = declareRoute('delete', '/api/mcp/{name}/sign-in', {
  operationId: 'v2.mcp.signIn.forget',
  summary: 'Forgets the sign-in, and takes it back where that can be done',
  params: serverParams,
  query: locationQuery,
  answer: 'none',
  failures: ['not_found', 'conflict'],
})
