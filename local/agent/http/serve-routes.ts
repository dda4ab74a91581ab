/** Turns a list of bound routes into a Hono app: unknown path, method, input, and only then what the endpoint does. */
import type { z } from '@hono/zod-openapi'
import { Hono } from 'hono'
import { readStrictJson } from '#shared/http/strict-json-body.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { mayOmitBody, type RouteDeclaration } from '../contract/route.ts'
import { type Failure, failure } from '../core/failure.ts'
import { bodyBytesMax, bodyDepthMax } from '../limits.ts'
import type { AgentDeps, ConnectTerminal, FileBytes } from '../ports.ts'
import type { BoundRoute, Call, JsonText } from './bind.ts'
import { renderFailure } from './render-failure.ts'
import { foreignText } from './security-headers.ts'

type ServeDeps = Pick<AgentDeps, 'logger' | 'faultOf'>

/** What stands around a request that asks to become a WebSocket: whoever takes it over, once it may. */
interface Surroundings {
  readonly accept?: (connect: ConnectTerminal) => void
}

export function serveRoutes(deps: ServeDeps, routes: readonly BoundRoute[]): Hono {
  const app = new Hono()
  // Known paths, whatever the method. Apart from the routes, which are looked up faster where only one of them fits.
  const paths = new Hono()
  const methodsByPath = new Map<string, string[]>()
  for (const bound of routes) {
    const path = honoPath(bound.route.path)
    const methods = bound.route.method === 'get' ? ['GET', 'HEAD'] : [bound.route.method.toUpperCase()]
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), ...methods])
    app.on(bound.route.method.toUpperCase(), path, (c) => serve(bound, c.req.raw, c.req.param(), c.env as Surroundings))
  }
  for (const [path, methods] of methodsByPath) {
    paths.all(path, () =>
      renderFailure(failure('method_not_allowed', `This path takes ${methods.join(', ')}`), {
        allow: methods.join(', '),
      }),
    )
  }
  paths.notFound(() => renderFailure(failure('not_found', 'There is no such route')))
  app.notFound((c) => paths.fetch(c.req.raw))
  app.onError((cause, c) => {
    const code = deps.faultOf(cause) ?? 'internal'
    deps.logger.error('request_failed', { method: c.req.method, route: c.req.routePath, code, cause })
    return renderFailure(failure(code, 'The server could not complete the request'))
  })
  return app
}

/** A wildcard takes every character of a path, line ends too: names of files have them. */
function honoPath(path: string): string {
  return path.replace(/\{(\*[A-Za-z]+)\}/g, ':$1{[\\s\\S]+}').replace(/\{([A-Za-z]+)\}/g, ':$1')
}

/** Answers at once where nothing has to be waited for: a promise costs a short answer as much as the rest of it. */
function serve(
  bound: BoundRoute,
  request: Request,
  rawParams: Record<string, string>,
  around: Surroundings,
): Response | Promise<Response> {
  const { route } = bound
  const params = parsePart('Params', route.params, rawParams)
  if (!params.ok) return renderFailure(params.failure)
  const query = route.query === undefined ? succeed(undefined) : readQuery(route.query, request.url)
  if (!query.ok) return renderFailure(query.failure)
  const input = { params: params.value, query: query.value }
  if (route.method === 'get' || route.method === 'delete')
    return handle(bound, request, { ...input, body: undefined }, around)
  return readBody(route, request).then((body) =>
    body.ok ? handle(bound, request, { ...input, body: body.value }, around) : renderFailure(body.failure),
  )
}

interface Input {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

function handle(
  bound: BoundRoute,
  request: Request,
  input: Input,
  { accept }: Surroundings,
): Response | Promise<Response> {
  const toResponse = (result: Result<unknown, Failure>) =>
    result.ok ? answerTo(request, bound.route, result.value, accept) : renderFailure(result.failure)
  const result = bound.handle({
    ...(input as Pick<Call<RouteDeclaration>, 'params' | 'query' | 'body'>),
    canUpgrade: accept !== undefined,
    // Made when they are asked for, which most endpoints do not do.
    get headers() {
      return request.headers
    },
    get signal() {
      return request.signal
    },
  })
  return result instanceof Promise ? result.then(toResponse) : toResponse(result)
}

async function readBody(route: RouteDeclaration, request: Request): Promise<Result<unknown, Failure>> {
  const bounds = { bytesMax: route.bodyBytesMax ?? bodyBytesMax, depthMax: bodyDepthMax }
  // Only a connection that breaks can throw here: nobody reads the answer, and nothing is wrong with the server.
  const read = await readStrictJson(request.body, bounds).catch(() => failWith('broken_off' as const))
  if (!read.ok) {
    // A body of which everything is optional may be left out: clients do.
    if (read.failure === 'empty' && mayOmitBody(route)) return parsePart('Payload', route.body, {})
    return failWith(failure('invalid_request', bodyMessages[read.failure], payload('')))
  }
  const contentType = request.headers.get('content-type') ?? ''
  if (!/^application\/json(?:\s*;|$)/i.test(contentType.trim())) {
    return failWith(failure('invalid_request', 'The body must have the content type application/json', payload('')))
  }
  if (route.body !== undefined) return parsePart('Payload', route.body, read.value)
  const isEmptyObject = typeof read.value === 'object' && read.value !== null && Object.keys(read.value).length === 0
  return isEmptyObject
    ? succeed(undefined)
    : failWith(failure('invalid_request', 'This route takes no body', payload('')))
}

const bodyMessages = {
  too_large: 'The body is too large',
  empty: 'A JSON body is missing',
  not_json: 'The body is not JSON',
  too_deep: 'The body is nested too deeply',
  broken_off: 'The body broke off',
} as const

function payload(field: string) {
  return { kind: 'field', part: 'Payload', field } as const
}

/** A parameter given twice is ambiguous and refused; one that is not known is ignored. */
function readQuery(schema: z.ZodObject, url: string): Result<unknown, Failure> {
  const start = url.indexOf('?')
  const search = new URLSearchParams(start < 0 ? '' : url.slice(start + 1))
  const query: Record<string, string> = {}
  for (const name of Object.keys(schema.shape)) {
    const values = search.getAll(name)
    if (values.length > 1) {
      return failWith(
        failure('invalid_request', `${name} is given twice`, { kind: 'field', part: 'Query', field: name }),
      )
    }
    if (values[0] !== undefined) query[name] = values[0]
  }
  const parsed = parsePart('Query', schema, query)
  const subject = parsed.ok ? undefined : parsed.failure.subject
  if (subject?.kind !== 'field' || Object.hasOwn(query, subject.field)) return parsed
  return failWith(
    failure('invalid_request', `${subject.field} is missing`, { kind: 'missing_query', key: subject.field }),
  )
}

function parsePart(
  part: 'Query' | 'Payload' | 'Params',
  schema: z.ZodObject | undefined,
  value: unknown,
): Result<unknown, Failure> {
  if (schema === undefined) return succeed(undefined)
  const outcome = schema.safeParse(value)
  if (outcome.success) return succeed(outcome.data)
  const issue = outcome.error.issues[0]
  const field = issue?.path.map(String).join('.') ?? ''
  const name = /^[A-Za-z0-9_.[\]-]{1,80}$/.test(field) ? `${field}: ` : ''
  return failWith(
    failure('invalid_request', `${name}${issue?.message ?? 'invalid value'}`, { kind: 'field', part, field }),
  )
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
