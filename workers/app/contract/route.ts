/** How an endpoint is declared: everything about it that a caller can see, and nothing about what it does. */

import { createRoute } from '@hono/zod-openapi'
import { documentedRoute } from '#shared/http/documented-route.ts'
import type { InputDeclaration } from '#shared/http/route-input.ts'
import * as z from '#shared/schema/deferred.ts'
import type { FailureCode, FeatureGroup } from '../core/vocabulary.ts'
import { wireErrorCode } from './error.ts'
import { withReason } from './reason.ts'

/**
 * Who may call: `read` and `operate` are the interface's permissions; `session` is the console behind its sign-in;
 * `public` is what a browser must reach before anyone is signed in; `configure` is what of the console is also there for
 * tokens, under addresses of its own.
 */
type Permission = 'read' | 'operate' | 'session' | 'public' | 'configure'

export interface RouteDeclaration extends InputDeclaration {
  readonly operationId: string
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Below the family's prefix, with `{name}` for parameters. */
  readonly path: string
  readonly permission: Permission
  /** The feature group of `/meta` that is there once this endpoint is. */
  readonly feature?: FeatureGroup
  readonly summary: string
  /** Of the App API, whose document is English: what a stranger has to know. A test asks for it. */
  readonly description?: string
  /** Under which heading of the document, where that is not the feature group. */
  readonly tag?: DocumentTag
  /** `emptyBody` for a write that takes none. A route without a body ignores what is sent. */
  readonly body?: z.ZodType
  /** Of a body that may be larger than others. */
  readonly bodyBytesMax?: number
  /** Schema by status, `image` for bytes of an image, or `file` for those of any size. */
  readonly answers: Readonly<Record<number, z.ZodType | 'image' | 'file'>>
  /** A write by its method that only tries something out, or asks: it leaves no trace in the owner's audit log. */
  readonly isTrial?: true
  /** Codes beyond those every endpoint may answer (401, 403, 404, 405, 500, and 400 where it takes input). */
  readonly failures?: readonly FailureCode[]
}

/** For writes without a body: nothing at all, or `{}`. */
export const emptyBody = z.strictObject({}).meta({ description: 'No content, or an empty object' })

export function mayOmitBody(route: RouteDeclaration): boolean {
  return route.body === emptyBody
}

/** Headings of the document beside the feature groups. */
export type DocumentTag = FeatureGroup | 'service' | 'explore'

export function tagOf({ tag, feature }: Pick<RouteDeclaration, 'tag' | 'feature'>): DocumentTag | undefined {
  return tag ?? feature
}

type Head = 'permission' | 'method' | 'path'

export function declareRoute<
  const P extends Permission,
  const M extends RouteDeclaration['method'],
  const A extends string,
  const R extends Omit<RouteDeclaration, Head>,
>(permission: P, method: M, path: A, rest: R): { readonly permission: P; readonly method: M; readonly path: A } & R {
  return { permission, method, path, ...rest }
}

export const wireFailure = z.object({ error: z.string(), message: z.string(), ...withReason }).meta({
  id: 'Error',
  description:
    'What went wrong. Programs act on `error`; `message` is for people, in Chinese unless `Accept-Language` prefers English.',
  example: { error: 'not_found', message: 'There is no such address' },
})

const statusByPermission: Record<Permission, readonly FailureCode[]> = {
  read: ['unauthorized', 'forbidden', 'internal', 'unavailable'],
  operate: ['unauthorized', 'forbidden', 'internal', 'unavailable'],
  session: ['unauthorized', 'forbidden', 'internal', 'unavailable'],
  configure: ['unauthorized', 'forbidden', 'internal', 'unavailable'],
  public: ['internal', 'unavailable'],
}

const binaryTypes = { image: 'image/*', file: 'application/octet-stream' } as const

/** The declaration as @hono/zod-openapi describes routes, for the generated document. */
export function toDocumentedRoute(route: RouteDeclaration): ReturnType<typeof createRoute> {
  const takesInput = route.params !== undefined || route.query !== undefined || route.body !== undefined
  const codes = [
    ...(takesInput ? (['invalid_argument'] as const) : []),
    ...(route.body === undefined ? [] : (['invalid_body'] as const)),
    ...statusByPermission[route.permission],
    ...(route.failures ?? []),
  ]
  const responses: Record<string, { description: string; content?: Record<string, { schema: z.ZodType }> }> = {}
  for (const [status, schema] of Object.entries(route.answers)) {
    if (status === '304') {
      responses[status] = { description: 'Not changed' }
      continue
    }
    responses[status] = {
      description: route.summary,
      content:
        schema === 'image' || schema === 'file'
          ? { [binaryTypes[schema]]: { schema: z.madeSchema(z.string().meta({ format: 'binary' })) } }
          : { 'application/json': { schema: z.madeSchema(schema) } },
    }
  }
  const documented = documentedRoute(route, {
    mayOmitBody: mayOmitBody(route),
    success: responses,
    failures: codes.map((code) => {
      const { status, error } = wireErrorCode(code)
      return { status, name: error }
    }),
    failureSchema: wireFailure,
  })
  const tag = tagOf(route)
  return createRoute({
    ...documented,
    ...(tag === undefined ? {} : { tags: [tag] }),
    ...(route.description === undefined ? {} : { description: route.description }),
    'x-permission': route.permission,
  })
}
