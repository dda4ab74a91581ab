import { failWith, type Result } from '#shared/kernel/result.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import type { CatalogueObject } from '../../objects/catalogue-object.ts'
import type { Catalogue, Logger } from '../../ports.ts'

type CatalogueStub = DurableObjectStub<CatalogueObject>

/** One object for the whole service, wherever its callers are: its caches, its pace and its slots exist once. */
export function createCatalogue(
  objects: DurableObjectNamespace<CatalogueObject>,
  deps: { readonly logger: Logger },
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
    releases: () => ask(async (stub) => await stub.releases()),
  }
}
