import { succeed } from '#shared/kernel/result.ts'
import { getMeta } from '../../contract/meta.ts'
import type { RouteDeclaration } from '../../contract/route.ts'
import { featuresOf } from '../../contract/routes.ts'
import { appScopes } from '../../core/vocabulary.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

/** Rises only with an incompatible change (interface document, Versioning). */
const remoteApiLevel = 1

export function metaRoutes(deps: Pick<AppDeps, 'version'>, served: readonly RouteDeclaration[]): BoundRoute[] {
  const features = featuresOf(served)
  return [
    bind(getMeta, async ({ principal }) =>
      succeed({
        body: {
          name: 'wharf',
          version: deps.version,
          remote_api_level: remoteApiLevel,
          features,
          principal: {
            // A chat is as a paired device to what knows the documented words alone.
            kind: principal.kind === 'chatops' ? 'remote_device' : principal.kind,
            ...(principal.name === undefined ? {} : { name: principal.name }),
            scopes: appScopes.filter((scope) => principal.scopes.includes(scope)),
          },
        },
      }),
    ),
  ]
}
