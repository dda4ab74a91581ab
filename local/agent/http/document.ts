import { OpenAPIHono } from '@hono/zod-openapi'
import { type RouteDeclaration, toDocumentedRoute } from '../contract/route.ts'

/** Who may come in, and how. */
const entrances = {
  password: { type: 'http', scheme: 'basic', description: 'User name and password, where one is set' },
  browser: {
    type: 'apiKey',
    in: 'cookie',
    name: 'svc_',
    description:
      'Of a browser that was signed in by its address. The name goes on with what tells servers of one host apart',
  },
} as const

/** The OpenAPI 3.1 document of the routes that are served, and of no others. */
export function describeRoutes(routes: readonly RouteDeclaration[], version: string): string {
  const router = new OpenAPIHono()
  for (const route of routes) router.openAPIRegistry.registerPath(toDocumentedRoute(route))
  for (const [name, scheme] of Object.entries(entrances))
    router.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  const document = router.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Agent server',
      version,
      description: 'Sessions, turns, durable events, permissions and questions',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/' }],
    // Any of them; the last one is none at all, where the server was started without a password.
    security: [...Object.keys(entrances).map((name) => ({ [name]: [] })), {}],
  })
  return JSON.stringify(document)
}
