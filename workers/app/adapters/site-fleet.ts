import { failWith, type Result } from '#shared/kernel/result.ts'
import type { PushFailure } from '../core/push-fault.ts'
import type { SiteTarget } from '../core/site.ts'
import type { SiteFault } from '../core/site-fault.ts'
import { pushDownloadMs, pushWaitMs, searchSiteMs, signInMs, siteVisitMs } from '../limits.ts'
import type { SiteHost } from '../objects/site-object.ts'
import type { PushForesight, PushOutcome, PushService } from '../ports/pushes.ts'
import type { Logger } from '../ports/runtime.ts'
import type { SiteFleet } from '../ports/sites.ts'
import { createSiteDriver } from './sites/create-driver.ts'
import type { SiteRuntime } from './sites/site-driver.ts'
import { withTimeout } from './with-timeout.ts'

type SiteStub = DurableObjectStub<SiteHost>

/** Beyond a visit's own limit, for the way there and back. */
const graceMs = 1000

/**
 * One object for each site, wherever its callers are: its turn, its pause and its one sign-in exist once. Pushes go
 * through it too: they take turns there.
 */
export function createSiteFleet(
  objects: DurableObjectNamespace<SiteHost>,
  deps: { readonly logger: Logger; readonly runtime: SiteRuntime },
): SiteFleet & PushService & PushForesight {
  async function ask<T>(
    target: SiteTarget,
    limitMs: number,
    question: (stub: SiteStub) => Promise<Result<T, SiteFault>>,
  ): Promise<Result<T, SiteFault>> {
    try {
      const answer = await withTimeout(limitMs, question(objects.get(objects.idFromName(`site-${target.id}`))))
      return answer ?? failWith({ kind: 'timeout' })
    } catch (error) {
      // The platform may reset an object at any moment; nothing it held is lost for good.
      deps.logger.error('site object failed', { siteId: target.id, error })
      return failWith({ kind: 'interrupted' })
    }
  }

  return {
    probe: (target) => ask(target, siteVisitMs + graceMs, async (stub) => await stub.probe(target)),
    read: (target) => ask(target, siteVisitMs + graceMs, async (stub) => await stub.read(target)),
    search: (target, wish) => ask(target, searchSiteMs + graceMs, async (stub) => await stub.search(target, wish)),
    download: (target, torrentId) =>
      ask(target, pushDownloadMs + graceMs, async (stub) => await stub.download(target, torrentId)),
    fixture: (target) => ask(target, siteVisitMs + graceMs, async (stub) => await stub.fixture(target)),
    messages: (target) => ask(target, siteVisitMs + graceMs, async (stub) => await stub.messages(target)),
    feedAddress: (target) => ask(target, siteVisitMs + graceMs, async (stub) => await stub.feedAddress(target)),
    mayFindByPieces: (target) => ask(target, siteVisitMs, async (stub) => await stub.mayFindByPieces(target)),
    findByPieces: (target, hashes) =>
      ask(target, siteVisitMs + graceMs, async (stub) => await stub.findByPieces(target, hashes)),
    calls: (target) => ask(target, siteVisitMs, async (stub) => await stub.calls()),
    signIn: (target) => ask(target, signInMs + graceMs, async (stub) => await stub.signIn(target)),
    foresee: (target, downloader, wish) =>
      ask(target, siteVisitMs + graceMs, async (stub) => await stub.foresee(target, downloader, wish)),
    async push(target, downloader, order) {
      const limitMs = 2 * pushWaitMs + pushDownloadMs
      const stub = objects.get(objects.idFromName(`site-${target.id}`))
      try {
        const pushed = await withTimeout<Result<PushOutcome, PushFailure>>(
          limitMs,
          (async () => await stub.push(target, downloader, order))(),
        )
        return pushed ?? failWith({ kind: 'busy' })
      } catch (error) {
        deps.logger.error('site object failed', { siteId: target.id, error })
        return failWith({ kind: 'interrupted' })
      }
    },
    async icon(target) {
      const icon = await ask(target, siteVisitMs + graceMs, async (stub) => await stub.icon(target))
      return icon.ok ? icon.value : undefined
    },
    tryOut: (settings) => createSiteDriver(settings, deps.runtime).read(AbortSignal.timeout(siteVisitMs)),
  }
}
