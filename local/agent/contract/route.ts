/** How an endpoint is declared: everything about it that a caller can see, and nothing about what it does. */
import { createRoute, z } from '@hono/zod-openapi'
import { documentedRoute } from '#shared/http/documented-route.ts'
import type { InputDeclaration } from '#shared/http/route-input.ts'
import { statusOf } from '../core/failure-status.ts'
import type { FailureCode } from '../core/vocabulary.ts'
import { wireFailure } from './error.ts'

/**
 * `none` is 204 without a body, `text` plain text, `bytes` a file, `events` a server-sent event stream, `redirect` 303,
 * `socket` a WebSocket.
 */
type Answer = z.ZodType | 'none' | 'text' | 'bytes' | 'events' | 'redirect' | 'socket'

export interface RouteDeclaration extends InputDeclaration {
  readonly operationId: string
  readonly method: 'get' | 'post' | 'put' | 'delete'
  readonly path: string
  readonly summary: string
  readonly headers?: z.ZodObject
  /** A write without a body takes none: nothing at all, or `{}`. */
  readonly body?: z.ZodObject
  /** Where it is smaller than for every other body. */
  readonly bodyBytesMax?: number
  readonly answer: Answer
  /** Codes beyond those every endpoint may answer: 400 where it takes input, 401, 403, 405, 500. */
  readonly failures?: readonly FailureCode[]
}

export function declareRoute<
  const M extends RouteDeclaration['method'],
  const A extends string,
  const R extends Omit<RouteDeclaration, 'method' | 'path'>,
>(method: M, path: A, rest: R): { readonly method: M; readonly path: A } & R {
  return { method, path, ...rest }
}

/** A whole number in decimal, within bounds; anything else is refused, never adjusted. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^(?:0|[1-9]\d{0,14})$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`)
}

export function mayOmitBody(route: RouteDeclaration): boolean {
  return route.body === undefined || route.body.safeParse({}).success
}

/** The declaration as @hono/zod-openapi describes routes, for the live document. */
export function toDocumentedRoute(route: RouteDeclaration): ReturnType<typeof createRoute> {
  const takesInput = route.params !== undefined || route.query !== undefined || route.body !== undefined
  const codes: FailureCode[] = [
    ...(takesInput ? (['invalid_request'] as const) : []),
    'unauthorized',
    'forbidden',
    'internal',
    ...(route.failures ?? []),
  ]
  return createRoute(
    documentedRoute(route, {
      mayOmitBody: mayOmitBody(route),
      success: success(route),
      failures: codes.map((code) => ({ status: statusOf(code), name: code })),
      failureSchema: wireFailure,
    }),
  )
}

function success(route: RouteDeclaration) {
  const description = route.summary
  if (route.answer === 'none') return { 204: { description } }
  if (route.answer === 'redirect') return { 303: { description } }
  if (route.answer === 'socket') return { 101: { description } }
  if (route.answer === 'text') return { 200: { description, content: { 'text/plain': { schema: z.string() } } } }
  if (route.answer === 'bytes') {
    const schema = z.string().openapi({ format: 'binary' })
    return { 200: { description, content: { 'application/octet-stream': { schema } } } }
  }
  if (route.answer === 'events')
    return { 200: { description, content: { 'text/event-stream': { schema: z.string() } } } }
  return { 200: { description, content: { 'application/json': { schema: route.answer } } } }
}
