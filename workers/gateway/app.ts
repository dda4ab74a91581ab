import { Hono } from 'hono'
import { failure } from './core/failure.ts'
import { accompany, preflightResponse } from './http/accompany.ts'
import { authenticate } from './http/authenticate.ts'
import { accompanied, type Exchange, type ExchangeContext, failureResponse } from './http/exchange.ts'
import type { GenerateDeps } from './http/generate.ts'
import { chatCompletions } from './http/routes/chat-completions.ts'
import { completions } from './http/routes/completions.ts'
import { type EmbeddingsDeps, embeddings } from './http/routes/embeddings.ts'
import { listModels, oneModel } from './http/routes/models.ts'
import { responses } from './http/routes/responses.ts'
import type { KeyCheck } from './ports.ts'
import type { Settings } from './settings.ts'

export interface GatewayDeps extends GenerateDeps, EmbeddingsDeps {
  readonly settings: Settings
  readonly keys: KeyCheck
}

interface Route {
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly isOpen?: boolean
  readonly handle: (c: ExchangeContext) => Promise<Response> | Response
}

const textType = { 'content-type': 'text/plain;charset=UTF-8' }

/** The whole gateway: its routes, and what stands in front of them, in the order it is asked. */
export function createGateway(deps: GatewayDeps): Hono<Exchange> {
  const prefix = deps.settings.routePrefix
  const routes: readonly Route[] = [
    { path: '/health', method: 'GET', isOpen: true, handle: health },
    { path: '/chat/completions', method: 'POST', handle: chatCompletions(deps) },
    { path: '/responses', method: 'POST', handle: responses(deps) },
    { path: '/completions', method: 'POST', handle: completions(deps) },
    { path: '/embeddings', method: 'POST', handle: embeddings(deps) },
    { path: '/models', method: 'GET', handle: listModels(deps) },
    { path: '/models/:id{.+}', method: 'GET', handle: oneModel(deps, `${prefix}/models`) },
  ]

  const gateway = new Hono<Exchange>()
  gateway.use(accompany(deps))
  for (const route of routes) {
    const path = prefix + route.path
    gateway.options(path, (c) => preflightResponse(c, [route.method]))
    if (route.isOpen !== true) gateway.use(path, authenticate(deps.keys, route.path))
    gateway.on(route.method, path, (c) => route.handle(c))
    gateway.all(path, (c) => methodNotAllowed(c, route.method))
  }
  gateway.notFound((c) => failureResponse(c, failure('not_found', 'there is no such route')))
  gateway.onError((error, c) => {
    deps.log({
      level: 'error',
      event: 'bug',
      requestId: c.get('requestId'),
      message: error.message,
      stack: error.stack,
    })
    return failureResponse(c, failure('internal_error', 'the gateway failed'))
  })
  return gateway
}

function health(c: ExchangeContext): Response {
  c.set('route', '/health')
  return accompanied(c, 'OK', 200, textType)
}

function methodNotAllowed(c: ExchangeContext, allowed: string): Response {
  const failed = failure('method_not_allowed', `this route takes ${allowed}`)
  return failureResponse(c, failed, { allow: `${allowed}, OPTIONS` })
}
