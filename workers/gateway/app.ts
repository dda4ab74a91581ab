import { Hono } from 'hono'
import { failure } from './core/failure.ts'
import { authenticate } from './http/authenticate.ts'
import { type Exchange, type ExchangeContext, failureResponse, respond } from './http/exchange.ts'
import type { GenerateDeps } from './http/generate.ts'
import { KeptRouter } from './http/kept-router.ts'
import { type Handle, preflightResponse, requestContext } from './http/request-context.ts'
import type { ServeTurn } from './http/response-socket.ts'
import {
  type AdminDeps,
  changeKey,
  endOldSecret,
  listKeys,
  makeKey,
  oneKey,
  removeKey,
  renewSecret,
} from './http/routes/admin-keys.ts'
import {
  type RoutesDeps,
  removeRoute,
  routeChanges,
  saveRoute,
  tryRoute,
  undoRouteChange,
} from './http/routes/admin-routes.ts'
import { endRest, type RoutingDeps, routing } from './http/routes/admin-routing.ts'
import { bodies, calls, usage } from './http/routes/admin-usage.ts'
import { chatCompletions } from './http/routes/chat-completions.ts'
import { completions } from './http/routes/completions.ts'
import { type EmbeddingsDeps, embeddings } from './http/routes/embeddings.ts'
import { countTokens, messages } from './http/routes/messages.ts'
import { listModels, type ModelsDeps, oneModel } from './http/routes/models.ts'
import { metrics, type OperatingDeps, readiness } from './http/routes/operating.ts'
import { openResponseSocket } from './http/routes/response-socket.ts'
import { countResponseInput, deleteResponse, inputItems, keptResponse, responses } from './http/routes/responses.ts'
import type { Settings } from './settings.ts'

export interface GatewayDeps
  extends GenerateDeps,
    EmbeddingsDeps,
    AdminDeps,
    OperatingDeps,
    ModelsDeps,
    RoutesDeps,
    RoutingDeps {
  readonly settings: Settings
}

interface Route {
  readonly path: string
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', Handle>>>
  readonly isOpen?: boolean
  /** Only for whoever holds the key of the settings. */
  readonly isForOwner?: boolean
}

const textType = { 'content-type': 'text/plain;charset=UTF-8' }

/** The whole gateway: its routes, and what stands in front of them, in the order it is asked. */
export function createGateway(deps: GatewayDeps): Hono<Exchange> {
  const prefix = deps.settings.routePrefix
  const serveTurn: ServeTurn = (request, client, connection) =>
    gateway.fetch(request as Request, { client, connection })
  const routes: readonly Route[] = [
    { path: '/health', isOpen: true, methods: { GET: health } },
    { path: '/ready', isOpen: true, methods: { GET: readiness(deps) } },
    { path: '/metrics', isForOwner: true, methods: { GET: metrics(deps) } },
    { path: '/chat/completions', methods: { POST: chatCompletions(deps) } },
    { path: '/responses', methods: { POST: responses(deps), GET: openResponseSocket(deps, serveTurn) } },
    { path: '/responses/input_tokens', methods: { POST: countResponseInput(deps) } },
    { path: '/responses/:id/input_items', methods: { GET: inputItems(deps) } },
    { path: '/responses/:id', methods: { GET: keptResponse(deps), DELETE: deleteResponse(deps) } },
    { path: '/completions', methods: { POST: completions(deps) } },
    ...['', '/v1'].flatMap((base): readonly Route[] => [
      // Clients of this dialect put /v1 behind the address they are given, which may be the prefix or what is above it.
      { path: `${base}/messages`, methods: { POST: messages(deps) } },
      { path: `${base}/messages/count_tokens`, methods: { POST: countTokens(deps) } },
      { path: `${base}/models`, methods: { GET: listModels(deps) } },
      { path: `${base}/models/:id{.+}`, methods: { GET: oneModel(deps, `${prefix}${base}/models`) } },
    ]),
    { path: '/embeddings', methods: { POST: embeddings(deps) } },
    { path: '/admin/keys', isForOwner: true, methods: { GET: listKeys(deps), POST: makeKey(deps) } },
    {
      path: '/admin/keys/:id',
      isForOwner: true,
      methods: { GET: oneKey(deps), POST: changeKey(deps), DELETE: removeKey(deps) },
    },
    {
      path: '/admin/keys/:id/secret',
      isForOwner: true,
      methods: { POST: renewSecret(deps), DELETE: endOldSecret(deps) },
    },
    { path: '/admin/usage', isForOwner: true, methods: { GET: usage(deps) } },
    { path: '/admin/requests', isForOwner: true, methods: { GET: calls(deps) } },
    { path: '/admin/bodies', isForOwner: true, methods: { GET: bodies(deps) } },
    { path: '/admin/routing', isForOwner: true, methods: { GET: routing(deps) } },
    { path: '/admin/providers/:name/rest', isForOwner: true, methods: { DELETE: endRest(deps) } },
    {
      path: '/admin/routes/:name',
      isForOwner: true,
      methods: { POST: saveRoute(deps), DELETE: removeRoute(deps) },
    },
    { path: '/admin/route-trials', isForOwner: true, methods: { POST: tryRoute(deps) } },
    { path: '/admin/route-changes', isForOwner: true, methods: { GET: routeChanges(deps) } },
    { path: '/admin/route-changes/:seq/undo', isForOwner: true, methods: { POST: undoRouteChange(deps) } },
  ]

  const gateway = new Hono<Exchange>({ router: new KeptRouter() })
  const serve = requestContext(deps)
  for (const route of routes) {
    const handle = handleOf(route, deps)
    // One handler a path: several that hand on to one another cost more than most of them do.
    gateway.all(prefix + route.path, (c) => serve(c, handle))
  }
  gateway.notFound((c) => serve(c, noSuchRoute))
  return gateway
}

/** What becomes of a request of a route, by its method and key. */
function handleOf({ path, methods, isOpen, isForOwner }: Route, { keys }: GatewayDeps): Handle {
  const names = Object.keys(methods)
  const byMethod = new Map<string, Handle>(Object.entries(methods))
  const atHead = byMethod.get('GET')
  // The router leaves the body of what is answered out.
  if (atHead !== undefined) byMethod.set('HEAD', atHead)
  const handleMethod = (c: ExchangeContext) => (byMethod.get(c.req.method) ?? methodNotAllowed(names.join(', ')))(c)
  const refusalOf = isOpen === true ? undefined : authenticate(keys, path, isForOwner === true)
  return async (c) => {
    if (c.req.method === 'OPTIONS') return preflightResponse(c, names)
    return (await refusalOf?.(c)) ?? handleMethod(c)
  }
}

function noSuchRoute(c: ExchangeContext): Response {
  // Routes of this dialect that are not served here are refused in it: its clients read no other.
  if (c.req.path.includes('/messages/')) c.set('dialect', 'messages')
  return failureResponse(c, failure('not_found', 'there is no such route'))
}

function health(c: ExchangeContext): Response {
  c.set('route', '/health')
  return respond(c, 'OK', 200, textType)
}

function methodNotAllowed(allowed: string): Handle {
  const failed = failure('method_not_allowed', `this route takes ${allowed}`)
  return (c) => failureResponse(c, failed, { allow: `${allowed}, OPTIONS` })
}
