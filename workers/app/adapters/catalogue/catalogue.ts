import { failWith, type Result } from '#shared/kernel/result.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import { metadataMs } from '../../limits.ts'
import type { CatalogueHost } from '../../objects/catalogue-object.ts'
import type { Catalogue } from '../../ports/catalogue.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { OwnerSettings } from '../../ports/settings.ts'
import type { ServiceRuntime } from './call-service.ts'
import { readProxy } from './catalogue-settings.ts'
import { tryKey } from './metadata-provider.ts'

type CatalogueStub = DurableObjectStub<CatalogueHost>

/** One object for the whole service, wherever its callers are: its caches, its pace and its slots exist once. */
export function createCatalogue(
  objects: DurableObjectNamespace<CatalogueHost>,
  deps: {
    readonly logger: Logger
    readonly settings: OwnerSettings
    readonly runtime: ServiceRuntime
  },
): Catalogue {
  async function ask<T>(
    question: (stub: CatalogueStub) => Promise<Result<T, ServiceFault>>,
  ): Promise<Result<T, ServiceFault>> {
    try {
      return await question(objects.get(objects.idFromName('catalogue')))
    } catch (error) {
      // The platform may reset an object at any moment; what it kept is not lost.
      deps.logger.error('catalogue object failed', { error })
      return failWith({ kind: 'interrupted' })
    }
  }

  return {
    titles: (wish) => ask(async (stub) => await stub.titles(wish)),
    details: (wish) => ask(async (stub) => await stub.details(wish)),
    byImdb: (imdbId) => ask(async (stub) => await stub.byImdb(imdbId)),
    image: (size, file) => ask(async (stub) => await stub.image(size, file)),
    async tryMetadataKey(apiUrl, key) {
      const proxy = await readProxy(deps.settings)
      return proxy.ok ? tryKey(deps.runtime, { apiUrl, key, proxy: proxy.value }, metadataMs) : proxy
    },
    releases: () => ask(async (stub) => await stub.releases()),
  }
}
