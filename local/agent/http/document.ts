import { OpenAPIHono } from '@hono/zod-openapi'
import { type RouteDeclaration, toDocumentedRoute } from '../contract/route.ts'

/** The OpenAPI 3.1 document of the routes that are served, and of no others. */
export function describeRoutes(routes: readonly RouteDeclaration[], version: string): string {
  const router = new OpenAPIHono()
  for (const route of routes) router.openAPIRegistry.registerPath(toDocumentedRoute(route))
  const document = router.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Agent server', version, description: 'Sessions, turns, durable events, permissions and questions' },
  })
  return JSON.stringify(document)
}
