import * as z from '#shared/schema/deferred.ts'
import { appScopes, featureGroups, principalKinds } from '../core/vocabulary.ts'
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
      scopes: z.array(z.enum(appScopes)),
    }),
  })
  .meta({ id: 'Meta' })

export const getMeta = declareRoute('read', 'get', '/meta', {
  operationId: 'getMeta',
  tag: 'service',
  summary: 'What this service is and what the caller may do',
  description:
    'Name, version, the feature groups that this version serves, and who is calling with which scopes. Ask this first: a client shows only what `features` names.',
  answers: { 200: wireMeta },
})
