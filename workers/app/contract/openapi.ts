/** The machine-readable contract: OpenAPI 3.0, built from the same declarations that validate requests. */
import { OpenAPIHono } from '@hono/zod-openapi'
import type { RouteDeclaration } from './route.ts'
import { toDocumentedRoute } from './route.ts'

const securitySchemes = {
  token: { type: 'http', scheme: 'bearer', description: 'API 令牌，在控制台中创建' },
  session: { type: 'apiKey', in: 'cookie', name: 'wharf_session', description: '已登录的浏览器会话' },
} as const

export function buildOpenApi(routes: readonly RouteDeclaration[], version: string) {
  const documents = new OpenAPIHono()
  for (const [name, scheme] of Object.entries(securitySchemes)) {
    documents.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  }
  for (const route of routes) documents.openAPIRegistry.registerPath(toDocumentedRoute(route))
  return documents.getOpenAPIDocument({
    openapi: '3.0.3',
    info: {
      title: 'Wharf App API',
      version,
      description: '1.0 预览版。增加地址和字段不算不兼容的变化，客户端应忽略未知字段。',
    },
    servers: [{ url: '/api/app/v1' }],
    security: [{ token: [] }, { session: [] }],
  })
}
