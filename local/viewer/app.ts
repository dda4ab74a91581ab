import { Hono } from 'hono'
import { succeed } from '#shared/kernel/result.ts'
import { notFound } from './core/failure.ts'
import { answerWith } from './http/answer.ts'
import { endpoints } from './http/endpoints.ts'
import { failureBody, failureResponse, jsonResponse } from './http/render-failure.ts'
import { eventRoutes } from './http/routes/event-routes.ts'
import { fileRoutes } from './http/routes/file-routes.ts'
import { flowRoutes } from './http/routes/flow-routes.ts'
import { graphRoutes } from './http/routes/graph-routes.ts'
import { overviewRoutes } from './http/routes/overview-routes.ts'
import { pageResponse } from './http/routes/page-routes.ts'
import { trailRoutes } from './http/routes/trail-routes.ts'
import type { ViewerDeps } from './ports.ts'

/** Routes only. The boundary stands in front of it, around Node's own listener. */
export function createViewer(deps: ViewerDeps): Hono {
  const app = new Hono({ strict: false })
  app.get('/api', () =>
    answerWith(
      succeed({
        name: 'code viewer',
        readOnly: deps.isReadOnly,
        writes: deps.isReadOnly ? [] : ['POST /api/trails', 'DELETE /api/trails/<id>'],
        endpoints,
      }),
    ),
  )
  for (const routes of [
    graphRoutes(deps),
    fileRoutes(deps),
    overviewRoutes(deps),
    flowRoutes(deps),
    trailRoutes(deps),
    eventRoutes(deps),
  ])
    app.route('/', routes)
  app.notFound((c) => {
    const { pathname } = new URL(c.req.url)
    if (pathname !== '/api' && !pathname.startsWith('/api/')) return pageResponse(deps.pages, pathname)
    if (c.req.method === 'POST' || c.req.method === 'DELETE') {
      return jsonResponse(failureBody({ code: 'bad-request', message: 'nothing is written here' }), 400, {
        Allow: 'GET, HEAD',
      })
    }
    return answerWith(notFound('there is no such route', 'GET /api lists what is answered'))
  })
  app.onError((error) => {
    deps.report(error.stack ?? error.message)
    return failureResponse({ code: 'internal', message: 'the viewer failed to answer; its log says more' })
  })
  return app
}
