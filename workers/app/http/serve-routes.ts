/**
 * Turns a list of bound routes into a Hono app. The order of judgement is the same for all of them: unknown path (404),
 * who calls (401), method (405), audit, permission (403), input (400), and only then what the endpoint does.
 */

import { type Context, Hono } from 'hono'
import { callBound, serveBound } from '#shared/http/bound-route.ts'
import type { InputRules, UnreadBody } from '#shared/http/route-input.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { emptyBody, mayOmitBody, type RouteDeclaration } from '../contract/route.ts'
import { type Failure, failure } from '../core/failure.ts'
import { mayUse, type Principal } from '../core/principal.ts'
import type { Reason } from '../core/reason/reason.ts'
import { type Say, sayFor } from '../core/reason/say.ts'
import { bodyBytesMax, bodyDepthMax } from '../limits.ts'
import type { AppDeps } from '../ports.ts'
import { audited, isWrittenDown } from './audited.ts'
import { authenticate, isOwnPage, unauthorized } from './authenticate.ts'
import { type BoundRoute, FinishedJson, type Reply } from './bind.ts'
import { describeIssues } from './describe-issues.ts'
import { type Framed, frameAnswers } from './frame-answers.ts'
import { publicOrigin } from './public-origin.ts'
import { renderFailure } from './render-failure.ts'

type ServeDeps = Pick<
  AppDeps,
  | 'audit'
  | 'basedAt'
  | 'clock'
  | 'credentials'
  | 'identifiers'
  | 'logger'
  | 'background'
  | 'publicOrigins'
  | 'telemetry'
>

interface Served extends Framed {
  /** Of a group whose callers are known beforehand: handed in beside the request, where no header reaches. */
  Bindings: { readonly caller?: Principal }
}

export interface RouteGroup {
  readonly prefix: string
  /**
   * `session`: nothing below the prefix tells a caller without a sign-in more than 401, unknown paths included.
   * `known_caller`: no credential in a request counts.
   * `token`: a browser's cookie counts for nothing, so that no page elsewhere can make use of it.
   */
  readonly accepts: 'token_or_session' | 'session' | 'known_caller' | 'token'
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
  frameAnswers(app, deps)

  serveBound(app, group.routes, {
    prefix: group.prefix,
    serve: (bound, c) => serve(deps, group, bound, c.req.raw, c.req.param(), c.get('requestId'), () => callerOf(c)),
    async refuseMethod({ methods, routes }, c) {
      const isPublic = routes.some((route) => route.permission === 'public')
      const caller = isPublic ? succeed(undefined) : await callerOf(c)
      const say = sayFor(c.req.raw.headers)
      if (!caller.ok) return renderFailure(caller.failure, say)
      return renderFailure(failure('method_not_allowed', { kind: 'method', allowed: methods }), say, {
        allow: methods.join(', '),
      })
    },
    async refusePath(c) {
      const say = sayFor(c.req.raw.headers)
      if (group.accepts !== 'session') return renderFailure(notFound, say)
      const caller = await callerOf(c)
      return renderFailure(caller.ok ? notFound : caller.failure, say)
    },
  })
  return app
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
  bound: BoundRoute,
  request: Request,
  params: Record<string, string>,
  requestId: string,
  callerOf: () => Promise<Result<Principal, Failure>>,
): Promise<Response> {
  const { route } = bound
  const say = sayFor(request.headers)
  if (route.permission === 'public') {
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
    if (isWrite && !isOwnPage(request, deps.publicOrigins))
      return renderFailure(failure('forbidden', { kind: 'account.foreign_page' }), say)
    return answer(route, await act(deps, bound, request, params, requestId, nobody), say)
  }
  const caller = await callerOf()
  if (!caller.ok) return renderFailure(caller.failure, say)
  const principal = caller.value
  const run = async () => {
    const refused = refusePermission(route, principal)
    return refused === undefined ? await act(deps, bound, request, params, requestId, principal) : failWith(refused)
  }
  if (!isWrittenDown(route, principal)) return answer(route, await run(), say)
  const command = `${route.method.toUpperCase()} ${group.prefix}${route.path}`
  const whose = { channel: principal.kind, user: principal.id, command, requestId }
  return audited(deps, whose, { run, answer: (result) => answer(route, result, say) })
}

/** Stands in for the caller of endpoints that ask for none. */
const nobody: Principal = { kind: 'session', id: 'nobody', scopes: [] }

const scopeOf = { read: 'app:read', operate: 'app:write', configure: 'app:configure' } as const

function refusePermission(route: RouteDeclaration, principal: Principal): Failure | undefined {
  if (route.permission === 'session') return principal.kind === 'session' ? undefined : unauthorized
  const scope = scopeOf[route.permission === 'public' ? 'read' : route.permission]
  if (mayUse(principal, scope)) return undefined
  const holder = principal.kind === 'remote_device' ? 'device' : 'token'
  return failure('forbidden', { kind: 'account.no_permission', holder, scope })
}

async function act(
  { publicOrigins }: ServeDeps,
  bound: BoundRoute,
  request: Request,
  params: Record<string, string>,
  requestId: string,
  principal: Principal,
): Promise<Result<Reply<RouteDeclaration>, Failure>> {
  return callBound(inputRules, bound, request, params, {
    principal,
    requestId,
    url: request.url,
    origin: publicOrigin(request, publicOrigins),
    say: sayFor(request.headers),
  })
}

const bodyReasons = {
  empty: { kind: 'body.empty' },
  not_json: { kind: 'body.not_json' },
  too_deep: { kind: 'body.too_deep' },
  broken_off: { kind: 'body.broken_off' },
} as const satisfies Record<Exclude<UnreadBody, 'too_large'>, Reason>

const bytesMaxOf = (route: RouteDeclaration) => route.bodyBytesMax ?? bodyBytesMax

const inputRules: InputRules<RouteDeclaration, Failure> = {
  bodySchema: (route) => route.body,
  bodyBounds: (route) => ({ bytesMax: bytesMaxOf(route), depthMax: bodyDepthMax, rest: 'left' }),
  mayOmitBody,
  emptyQueryValue: 'absent',
  refuseValue: (part, value, error, route) =>
    part === 'body' && route.body === emptyBody
      ? failure('invalid_body', { kind: 'body.not_taken' })
      : describeIssues(part, value, error),
  refuseRepeated: (parameter) => failure('invalid_argument', { kind: 'field.once', field: parameter }),
  refuseBody: (reason, route) =>
    failure(
      'invalid_body',
      reason === 'too_large' ? { kind: 'body.too_large', limit: bytesMaxOf(route) } : bodyReasons[reason],
    ),
}

function answer(route: RouteDeclaration, result: Result<Reply<RouteDeclaration>, Failure>, say: Say): Response {
  if (!result.ok) return renderFailure(result.failure, say)
  const { body, headers, cookies = [] } = result.value
  const status = result.value.status ?? Number(Object.keys(route.answers)[0])
  const { [status]: kind } = route.answers
  if (kind === 'image' || kind === 'file')
    return new Response(body as Uint8Array<ArrayBuffer> | ReadableStream, {
      status,
      ...(headers === undefined ? {} : { headers }),
    })
  const response = new Response(body instanceof FinishedJson ? body.stream() : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}
