import { z } from '@hono/zod-openapi'
import { featureGroups, principalKinds, scopes } from '../core/vocabulary.ts'
import { declareRoute } from './route.ts'

const wireMeta = z
  .object({
    name: z.string(),
    version: z.string(),
    remote_api_level: z.int(),
    features: z.array(z.enum(featureGroups)),
    principal: z.object({
      kind: z.enum(principalKinds),
      name: z.string().optional(),
      scopes: z.array(z.enum(scopes)),
    }),
  })
  .meta({ id: 'Meta' })

export const getMeta = declareRoute({
  operationId: 'getMeta',
  method: 'get',
  path: '/meta',
  permission: 'read',
  summary: '服务名称、版本、可用功能与调用者',
  answers: { 200: wireMeta },
})
