/**
 * Turns a list of bound routes into a Hono app. The order of judgement is the same for all of them: unknown path (404),
 * who calls (401), method (405), audit, permission (403), input (400), and only then what the endpoint does.
 */

import { type Context, Hono } from 'hono'
import { readStrictJson } from '#shared/http/strict-json-body.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { emptyBody, type RouteDeclaration } from '../contract/route.ts'
import { type Failure, failure } from '../core/failure.ts'
import { mayUse, type Principal } from '../core/principal.ts'
import type { Reason } from '../core/reason/reason.ts'
import { type Say, sayFor } from '../core/reason/say.ts'
import { bodyBytesMax, bodyDepthMax } from '../limits.ts'
import type { AppDeps } from '../ports.ts'
import { authenticate, isOwnPage, unauthorized } from './authenticate.ts'
import { type BoundRoute, type Call, FinishedJson, type Reply } from './bind.ts'
import { describeIssues } from './describe-issues.ts'
import { type Framed, frameAnswers } from './frame-answers.ts'
import { renderFailure } from './render-failure.ts'

type ServeDeps = Pick<AppDeps, 'audit' | 'clock' | 'credentials' | 'identifiers' | 'logger' | 'background'>

interface Served extends Framed {
  /** Of a group whose callers are known beforehand: handed in beside the request, where no header reaches. */
  Bindings: { readonly caller?: Principal }
}

export interface RouteGroup {
  readonly prefix: string
  /**
   * `session`: nothing below the prefix tells a caller without a sign-in more than 401, unknown paths included.
   * `known_caller`: no credential in a request counts.
   */
  readonly accepts: 'token_or_session' | 'session' | 'known_caller'
  readonly routes: readonly BoundRoute[]
}

const notFound = failure('not_found', { kind: 'none', what: 'address' })

export function serveRoutes(deps: ServeDeps, group: RouteGroup): Hono<Served> {
  const app = new Hono<Served>()
  const callerOf = async (c: Context<Served>): Promise<Result<Principal, Failure>> => {
    if (group.accepts !== 'known_caller') return authenticate(deps, c.req.raw, group.accepts)
    if (c.env.caller === undefined) throw new Error('a request came without its caller')
    return succeed(c.env.caller)
  }
  const methodsByPath = new Map<string, { methods: string[]; isPublic: boolean }>()
  for (const { route } of group.routes) {
    const entry = methodsByPath.get(route.path) ?? { methods: [], isPublic: false }
    entry.methods.push(...(route.method === 'get' ? ['GET', 'HEAD'] : [route.method.toUpperCase()]))
    entry.isPublic ||= route.permission === 'public'
    methodsByPath.set(route.path, entry)
  }

  frameAnswers(app, deps)

  for (const bound of group.routes) {
    app.on(bound.route.method.toUpperCase(), honoPath(group.prefix, bound.route.path), async (c) =>
      serve(deps, group, bound, c.req.raw, c.req.param(), c.get('requestId'), () => callerOf(c)),
    )
  }
  // A written-out path before one with a parameter that would match it too.
  const paths = [...methodsByPath].sort(([left], [right]) => Number(left.includes('{')) - Number(right.includes('{')))
  for (const [path, { methods, isPublic }] of paths) {
    app.all(honoPath(group.prefix, path), async (c) => {
      const caller = isPublic ? succeed(undefined) : await callerOf(c)
      const say = sayFor(c.req.raw.headers)
      if (!caller.ok) return renderFailure(caller.failure, say)
      return renderFailure(failure('method_not_allowed', { kind: 'method', allowed: methods }), say, {
        allow: methods.join(', '),
      })
    })
  }
  app.notFound(async (c) => {
    const say = sayFor(c.req.raw.headers)
    if (group.accepts !== 'session') return renderFailure(notFound, say)
    const caller = await callerOf(c)
    return renderFailure(caller.ok ? notFound : caller.failure, say)
  })
  return app
}

function honoPath(prefix: string, path: string): string {
  return `${prefix}${path.replace(/\{([a-z_]+)\}/g, ':$1')}`
}

function serve(
  deps: ServeDeps,
  group: RouteGroup,
  bound: BoundRoute,
  request: Request,
  params: Record<string, string>,
  requestId: string,
  callerOf: () => Promise<Result<Principal, Failure>>,
): Promise<Response> {
  const answered = judge(deps, group, bound, request, params, requestId, callerOf)
  // Who asked may leave before the answer. What was begun is ended all the same, and written down.
  if (hasEffects(bound.route)) deps.background.run(answered.catch(() => undefined))
  return answered
}

/** Searching is a POST and only reads. */
function hasEffects({ method, permission }: RouteDeclaration): boolean {
  return method !== 'get' && permission !== 'read'
}

async function judge(
  deps: ServeDeps,
  group: RouteGroup,
  { route, handle }: BoundRoute,
  request: Request,
  params: Record<string, string>,
  requestId: string,
  callerOf: () => Promise<Result<Principal, Failure>>,
): Promise<Response> {
  const say = sayFor(request.headers)
  if (route.permission === 'public') {
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
    if (isWrite && !isOwnPage(request, new URL(request.url)))
      return renderFailure(failure('forbidden', { kind: 'account.foreign_page' }), say)
    return answer(route, await act(route, handle, request, params, requestId, nobody), say)
  }
  const caller = await callerOf()
  if (!caller.ok) return renderFailure(caller.failure, say)
  const principal = caller.value
  const run = async () => {
    const refused = refusePermission(route, principal)
    return refused === undefined ? await act(route, handle, request, params, requestId, principal) : failWith(refused)
  }
  if (route.permission !== 'operate' || principal.kind === 'session') return answer(route, await run(), say)
  return audited(deps, group, route, principal, requestId, say, run)
}

/** Stands in for the caller of endpoints that ask for none. */
const nobody: Principal = { kind: 'session', id: 'nobody', scopes: [] }

function refusePermission(route: RouteDeclaration, principal: Principal): Failure | undefined {
  if (route.permission === 'session') return principal.kind === 'session' ? undefined : unauthorized
  const scope = route.permission === 'operate' ? 'app:write' : 'app:read'
  if (mayUse(principal, scope)) return undefined
  const holder = principal.kind === 'remote_device' ? 'device' : 'token'
  return failure('forbidden', { kind: 'account.no_permission', holder, scope })
}

/**
 * Records a token's or device's Operate call before it takes effect, refused ones included, and how it ended. Without the first
 * record nothing happens: an action that left no trace is worse than one that has to be repeated.
 */
async function audited(
  deps: ServeDeps,
  group: RouteGroup,
  route: RouteDeclaration,
  principal: Principal,
  requestId: string,
  say: Say,
  run: () => Promise<Result<Reply<RouteDeclaration>, Failure>>,
): Promise<Response> {
  const startedMs = deps.clock.nowMs()
  let entry: number
  try {
    entry = await deps.audit.begin({
      channel: principal.kind,
      user: principal.id,
      command: `${route.method.toUpperCase()} ${group.prefix}${route.path}`,
      requestId,
    })
  } catch (cause) {
    deps.logger.error('audit_unavailable', { request_id: requestId, cause })
    return renderFailure(failure('unavailable', { kind: 'audit_unavailable' }), say)
  }
  let outcome: { result: string; status: number; reason?: Reason } = { result: 'error', status: 500 }
  try {
    const result = await run()
    const response = answer(route, result, say)
    const isError = response.status >= 400
    const reason = result.ok ? result.value.auditReason : result.failure.reason
    outcome = {
      ...(reason === undefined ? {} : { reason }),
      result: isError ? 'error' : ((result.ok ? result.value.auditResult : undefined) ?? 'ok'),
      status: response.status,
    }
    return response
  } finally {
    const finished = deps.audit.finish(entry, { ...outcome, latencyMs: deps.clock.nowMs() - startedMs })
    deps.background.run(
      finished.catch((cause) => deps.logger.error('audit_unfinished', { request_id: requestId, cause })),
    )
  }
}

async function act(
  route: RouteDeclaration,
  handle: BoundRoute['handle'],
  request: Request,
  params: Record<string, string>,
  requestId: string,
  principal: Principal,
): Promise<Result<Reply<RouteDeclaration>, Failure>> {
  const input = await readInput(route, request, params)
  if (!input.ok) return input
  const call: Call<RouteDeclaration> = {
    ...(input.value as Pick<Call<RouteDeclaration>, 'params' | 'query' | 'body'>),
    principal,
    requestId,
    signal: request.signal,
    headers: request.headers,
    isHttps: request.url.startsWith('https:'),
    say: sayFor(request.headers),
  }
  return handle(call)
}

async function readInput(
  route: RouteDeclaration,
  request: Request,
  params: Record<string, string>,
): Promise<Result<{ params: unknown; query: unknown; body: unknown }, Failure>> {
  const parsed: { params: unknown; query: unknown; body: unknown } = {
    params: undefined,
    query: undefined,
    body: undefined,
  }
  if (route.params !== undefined) {
    const outcome = route.params.safeParse(params)
    if (!outcome.success) return failWith(describeIssues('params', params, outcome.error))
    parsed.params = outcome.data
  }
  if (route.query !== undefined) {
    const query = readQuery(new URL(request.url).searchParams, route.query.shape)
    if (!query.ok) return query
    const outcome = route.query.safeParse(query.value)
    if (!outcome.success) return failWith(describeIssues('query', query.value, outcome.error))
    parsed.query = outcome.data
  }
  if (route.body !== undefined) {
    const body = await readStrictJson(request.body, { bytesMax: bodyBytesMax, depthMax: bodyDepthMax, rest: 'left' })
    if (!body.ok) {
      if (body.failure !== 'empty' || route.body !== emptyBody)
        return failWith(failure('invalid_body', bodyReasons[body.failure]))
      return succeed(parsed)
    }
    const outcome = route.body.safeParse(body.value)
    if (!outcome.success) {
      return failWith(
        route.body === emptyBody
          ? failure('invalid_body', { kind: 'body.not_taken' })
          : describeIssues('body', body.value, outcome.error),
      )
    }
    parsed.body = outcome.data
  }
  return succeed(parsed)
}

const bodyReasons = {
  too_large: { kind: 'body.too_large', limit: bodyBytesMax },
  empty: { kind: 'body.empty' },
  not_json: { kind: 'body.not_json' },
  too_deep: { kind: 'body.too_deep' },
} as const

/** An empty value counts as absent; a parameter given twice is ambiguous and refused. */
function readQuery(
  search: URLSearchParams,
  known: Readonly<Record<string, unknown>>,
): Result<Record<string, string>, Failure> {
  const query: Record<string, string> = {}
  for (const name of Object.keys(known)) {
    const values = search.getAll(name)
    if (values.length > 1) return failWith(failure('invalid_argument', { kind: 'field.once', field: name }))
    if (values[0] !== undefined && values[0] !== '') query[name] = values[0]
  }
  return succeed(query)
}

function answer(route: RouteDeclaration, result: Result<Reply<RouteDeclaration>, Failure>, say: Say): Response {
  if (!result.ok) return renderFailure(result.failure, say)
  const { body, headers } = result.value
  const status = result.value.status ?? Number(Object.keys(route.answers)[0])
  if (route.answers[status] === 'image')
    return new Response(body as Uint8Array<ArrayBuffer>, { status, ...(headers === undefined ? {} : { headers }) })
  return new Response(body instanceof FinishedJson ? new Blob([...body.parts]) : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  })
}
