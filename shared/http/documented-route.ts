/** A declaration as @hono/zod-openapi describes routes, for the generated document. */
import type { createRoute } from '@hono/zod-openapi'
import type { z } from 'zod'
import { madeSchema } from '../schema/deferred.ts'
import type { InputDeclaration } from './route-input.ts'

interface DescribedRoute extends InputDeclaration {
  readonly operationId: string
  readonly method: 'get' | 'post' | 'put' | 'delete'
  readonly path: string
  readonly summary: string
  readonly headers?: z.ZodObject
}

type Described = Parameters<typeof createRoute>[0]

/** `failures` in the order in which they are listed; those of one status stand in one description. */
export function documentedRoute(
  route: DescribedRoute,
  documented: {
    readonly mayOmitBody: boolean
    readonly success: Described['responses']
    readonly failures: readonly { readonly status: number; readonly name: string }[]
    readonly failureSchema: z.ZodType
  },
): Described {
  const { operationId, method, path, summary, params, query, headers, body } = route
  const namesByStatus = new Map<number, Set<string>>()
  for (const { status, name } of documented.failures) {
    namesByStatus.set(status, (namesByStatus.get(status) ?? new Set()).add(name))
  }
  const failures = [...namesByStatus].map(([status, names]) => [
    status,
    {
      description: [...names].join(', '),
      content: { 'application/json': { schema: madeSchema(documented.failureSchema) } },
    },
  ])
  return {
    operationId,
    method,
    path,
    summary,
    request: {
      ...(params === undefined ? {} : { params: madeSchema(params) }),
      ...(query === undefined ? {} : { query: madeSchema(query) }),
      ...(headers === undefined ? {} : { headers: madeSchema(headers) }),
      ...(body === undefined
        ? {}
        : {
            body: {
              required: !documented.mayOmitBody,
              content: { 'application/json': { schema: madeSchema(body) as z.ZodObject } },
            },
          }),
    },
    responses: { ...documented.success, ...Object.fromEntries(failures) },
  }
}
