import { Hono } from 'hono/tiny'
import { succeed } from '#shared/kernel/result.ts'
import { notFound } from './core/failure.ts'
import { once } from './core/once.ts'
import { answerWith } from './http/answer.ts'
import { failureBody, failureResponse, jsonResponse } from './http/render-failure.ts'
import type { ViewerDeps } from './ports.ts'

export interface Viewer {
  readonly app: Hono
  /** Loads the routes that nobody has asked yet. */
  readonly loadRoutes: () => Promise<unknown>
}

/** Routes only. The boundary stands in front of it, around Node's own listener. */
export function createViewer(deps: ViewerDeps): Viewer {
  const groups = routeGroups(deps)
  const app = new Hono({ strict: false })
  app.get('/api', async () => {
    const { endpoints } = await import('./http/endpoints.ts')
    return answerWith(
      succeed({
        name: 'code viewer',
        readOnly: deps.isReadOnly,
        writes: deps.isReadOnly ? [] : ['POST /api/trails', 'DELETE /api/trails/<id>'],
        endpoints,
      }),
    )
  })
  app.all('/api/:name{.+}', async (c, next) => {
    const [name = ''] = c.req.param('name').split('/')
    const routes = await groups.get(name)?.()
    return routes === undefined ? next() : routes.fetch(c.req.raw)
  })
  app.notFound((c) => otherResponse(deps, c.req.raw))
  app.onError((error, c) => failedResponse(deps, c.req.raw, error))
  return { app, loadRoutes: () => Promise.all([...groups.values()].map((load) => load())) }
}

/** By the name after `/api/`. Each file of routes is loaded when it is first asked: someone waits for the first answer. */
function routeGroups(deps: ViewerDeps): ReadonlyMap<string, () => Promise<Hono>> {
  const group = (load: () => Promise<Hono>) =>
    once(async () =>
      new Hono({ strict: false })
        .route('/', await load())
        .notFound((c) => otherResponse(deps, c.req.raw))
        .onError((error, c) => failedResponse(deps, c.req.raw, error)),
    )
  const graph = group(async () => (await import('./http/routes/graph-routes.ts')).graphRoutes(deps))
  const files = group(async () => (await import('./http/routes/file-routes.ts')).fileRoutes(deps))
  const overview = group(async () => (await import('./http/routes/overview-routes.ts')).overviewRoutes(deps))
  return new Map([
    ['search', graph],
    ['node', graph],
    ['nodes', graph],
    ['file', files],
    ['filecode', files],
    ['source', files],
    ['text', group(async () => (await import('./http/routes/text-routes.ts')).textRoutes(deps))],
    ['stats', overview],
    ['routes', overview],
    ['entrypoints', overview],
    ['handlers', group(async () => (await import('./http/routes/handler-routes.ts')).handlerRoutes(deps))],
    ['gaps', overview],
    ['tree', group(async () => (await import('./http/routes/tree-routes.ts')).treeRoutes(deps))],
    ['review', group(async () => (await import('./http/routes/review-routes.ts')).reviewRoutes(deps))],
    ['accuracy', group(async () => (await import('./http/routes/accuracy-routes.ts')).accuracyRoutes(deps))],
    ['blame', group(async () => (await import('./http/routes/blame-routes.ts')).blameRoutes(deps))],
    ['map', overview],
    ['deadcode', overview],
    ['screens', overview],
    ['flow', group(async () => (await import('./http/routes/flow-routes.ts')).flowRoutes(deps))],
    ['trails', group(async () => (await import('./http/routes/trail-routes.ts')).trailRoutes(deps))],
    ['events', group(async () => (await import('./http/routes/event-routes.ts')).eventRoutes(deps))],
  ])
}

/** What no route answers: the page, and what is nowhere. */
async function otherResponse(deps: ViewerDeps, { method, url }: Request): Promise<Response> {
  const { pathname } = new URL(url)
  if (pathname !== '/api' && !pathname.startsWith('/api/'))
    return (await import('./http/routes/page-routes.ts')).pageResponse(deps.pages, pathname)
  if (method === 'POST' || method === 'DELETE') {
    return jsonResponse(failureBody({ code: 'bad-request', message: 'nothing is written here' }), 400, {
      Allow: 'GET, HEAD',
    })
  }
  return answerWith(notFound('there is no such route', 'GET /api lists what is answered'))
}

function failedResponse(deps: ViewerDeps, { headers }: Request, error: Error): Response {
  deps.report(`request ${headers.get('x-request-id') ?? ''}: ${error.stack ?? error.message}`)
  return failureResponse({ code: 'internal', message: 'the viewer failed to answer; its log says more' })
}
