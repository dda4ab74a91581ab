/** Turns a list of bound routes into a Hono app: unknown path, method, input, and only then what the endpoint does. */
import { z } from '@hono/zod-openapi'
import { Hono } from 'hono'
import { callBound, serveBound } from '#shared/http/bound-route.ts'
import type { InputPart, InputRules, UnreadBody } from '#shared/http/route-input.ts'
import { type BodyBounds, type BodyFailure, parseStrictJson, readStrictJson } from '#shared/http/strict-json-body.ts'
import { failWith, type Result } from '#shared/kernel/result.ts'
import { mayOmitBody, type RouteDeclaration } from '../contract/route.ts'
import { type Failure, failure } from '../core/failure.ts'
import { bodyBytesMax, bodyDepthMax } from '../limits.ts'
import type { AgentDeps, ConnectTerminal, FileBytes } from '../ports.ts'
import type { BoundRoute, JsonText } from './bind.ts'
import { pageFile } from './page-file.ts'
import { renderFailure } from './render-failure.ts'
import { foreignText } from './security-headers.ts'
import { StaticFirstRouter } from './static-first-router.ts'

type ServeDeps = Pick<AgentDeps, 'logger' | 'faultOf' | 'pages' | 'settle'>

/** What stands around a request that asks to become a WebSocket: whoever takes it over, once it may. */
interface Surroundings {
  readonly accept?: (connect: ConnectTerminal) => void
}

export function serveRoutes(deps: ServeDeps, routes: readonly BoundRoute[]): Hono {
  const app = new Hono({ router: new StaticFirstRouter() })
  serveBound(app, routes, {
    serve: (bound, c) => serve(deps, bound, c.req.raw, c.req.param(), c.env as Surroundings),
    refuseMethod: ({ methods }) =>
      renderFailure(failure('method_not_allowed', { kind: 'methods', names: methods.join(', ') }), {
        allow: methods.join(', '),
      }),
    // Routes come first: no file of the page can stand in for one.
    refusePath: ({ req }) =>
      pageFile(deps.pages, req.method, req.path) ?? renderFailure(failure('not_found', { kind: 'no_route' })),
  })
  app.onError((cause, c) => {
    const { code, why } = deps.faultOf(cause) ?? { code: 'internal' as const, why: undefined }
    deps.logger.error('request_failed', {
      request_id: c.req.header('x-request-id'),
      method: c.req.method,
      route: c.req.routePath,
      code,
      cause,
    })
    return renderFailure(failure(code, why ?? { kind: 'not_completed' }))
  })
  return app
}

function serve(
  deps: Pick<ServeDeps, 'settle'>,
  bound: BoundRoute,
  request: Request,
  rawParams: Record<string, string>,
  { accept }: Surroundings,
): Response | Promise<Response> {
  const toResponse = (result: Result<unknown, Failure>) => {
    deps.settle()
    return result.ok ? answerTo(request, bound.route, result.value, accept) : renderFailure(result.failure)
  }
  const result = callBound(inputRules, bound, request, rawParams, { canUpgrade: accept !== undefined })
  return result instanceof Promise ? result.then(toResponse) : toResponse(result)
}

/** Of a write that takes no body. */
const noBody = z.unknown().refine((body) => typeof body === 'object' && body !== null && Object.keys(body).length === 0)

const inputRules: InputRules<RouteDeclaration, Failure> = {
  bodySchema: ({ method, body }) => (method === 'get' || method === 'delete' ? undefined : (body ?? noBody)),
  readJson: readShortJson,
  bodyBounds: (route) => ({ bytesMax: route.bodyBytesMax ?? bodyBytesMax, depthMax: bodyDepthMax }),
  // A body of which everything is optional may be left out: clients do.
  mayOmitBody,
  emptyQueryValue: 'kept',
  refuseValue,
  refuseRepeated: (parameter) =>
    failure('invalid_request', { kind: 'parameter_twice', name: parameter }, at('query', parameter)),
  refuseBody: (reason) => failure('invalid_request', { kind: bodyKinds[reason] }, at('body', '')),
  refuseType(request) {
    const contentType = request.headers.get('content-type') ?? ''
    if (/^application\/json(?:\s*;|$)/i.test(contentType.trim())) return undefined
    return failure('invalid_request', { kind: 'content_type' }, at('body', ''))
  },
}

/**
 * A stream costs as much as the rest of a short request: a body whose length is told, and no more than may come, is taken whole. The
 * server reads no more of it than was told.
 */
async function readShortJson(request: Request, bounds: BodyBounds): Promise<Result<unknown, BodyFailure>> {
  const told = request.headers.get('content-length') ?? ''
  if (!/^\d{1,15}$/.test(told) || Number(told) > bounds.bytesMax) return readStrictJson(request.body, bounds)
  const bytes = new Uint8Array(await request.arrayBuffer())
  return bytes.length > bounds.bytesMax ? failWith('too_large') : parseStrictJson(bytes, bounds.depthMax)
}

const bodyKinds = {
  too_large: 'body_too_large',
  empty: 'body_empty',
  not_json: 'body_not_json',
  too_deep: 'body_too_deep',
  broken_off: 'body_broken_off',
} as const satisfies Record<UnreadBody, string>

function refuseValue(part: InputPart, value: unknown, error: z.ZodError, route: RouteDeclaration): Failure {
  if (part === 'body' && route.body === undefined)
    return failure('invalid_request', { kind: 'body_unwanted' }, at('body', ''))
  const issue = error.issues[0]
  const field = issue?.path.map(String).join('.') ?? ''
  if (part === 'query' && !Object.hasOwn(value as object, field))
    return failure('invalid_request', { kind: 'parameter_missing', name: field }, { kind: 'missing_query', key: field })
  const named = /^[A-Za-z0-9_.[\]-]{1,80}$/.test(field) ? field : ''
  const said = issue?.message ?? 'invalid value'
  return failure('invalid_request', { kind: 'value', field: named, said, ...boundOf(issue) }, at(part, field))
}

/** Of a length or an amount, as a number. */
function boundOf(issue: z.core.$ZodIssue | undefined): { readonly least?: number; readonly most?: number } {
  if (issue?.code === 'too_big') return { most: Number(issue.maximum) }
  return issue?.code === 'too_small' ? { least: Number(issue.minimum) } : {}
}

const partNames = { params: 'Params', query: 'Query', body: 'Payload' } as const

function at(part: InputPart, field: string) {
  return { kind: 'field', part: partNames[part], field } as const
}

/** The body of an answer that nobody reads is let go of: what it holds open would stay open. */
function answerTo(request: Request, route: RouteDeclaration, value: unknown, accept: Surroundings['accept']): Response {
  // Where a socket is taken over nobody reads the answer.
  if (route.answer === 'socket') accept?.(value as ConnectTerminal)
  const response = answer(route, value)
  if (request.method === 'HEAD') void response.body?.cancel()
  return response
}

function answer(route: RouteDeclaration, value: unknown): Response {
  if (route.answer === 'none' || route.answer === 'socket') return new Response(null, { status: 204 })
  if (route.answer === 'text') {
    return new Response(String(value), { headers: { 'content-type': 'text/plain; charset=utf-8' } })
  }
  if (route.answer === 'bytes') {
    const { type, size, body } = value as FileBytes
    return new Response(body, {
      headers: { ...foreignText, 'content-type': type, 'content-length': String(size), 'cache-control': 'no-store' },
    })
  }
  if (route.answer === 'events') {
    return new Response(value as ReadableStream<Uint8Array>, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      },
    })
  }
  const json = value as JsonText | { readonly value: unknown }
  return new Response('json' in json ? json.json : JSON.stringify(json.value), {
    headers: { 'content-type': 'application/json; charset=utf-8' },
  })
}
