import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { DownloaderTarget } from '../../core/downloader.ts'
import { downloaderReason } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { downloaderWaitMs, pushWaitMs } from '../../limits.ts'
import type { DownloaderHost } from '../../objects/downloader-object.ts'
import type { DownloaderFleet } from '../../ports/downloaders.ts'
import type { Logger } from '../../ports/runtime.ts'
import { withTimeout } from '../with-timeout.ts'
import type { DriverRuntime } from './downloader-driver.ts'
import { createDriver } from './live-downloader.ts'

type DownloaderStub = DurableObjectStub<DownloaderHost>

/** One object for each downloader, wherever its callers are: its state and its sign-in exist once. */
export function createDownloaderFleet(
  objects: DurableObjectNamespace<DownloaderHost>,
  deps: { readonly logger: Logger; readonly runtime: DriverRuntime },
): DownloaderFleet {
  async function ask<T>(
    target: DownloaderTarget,
    question: (stub: DownloaderStub) => Promise<Result<T, Reason>>,
    waitMs = downloaderWaitMs,
  ): Promise<Result<T, Reason>> {
    const stub = objects.get(objects.idFromName(`downloader-${target.id}`))
    try {
      const answer = await withTimeout(waitMs, question(stub))
      return answer ?? failWith(downloaderReason({ kind: 'timeout' }, target.kind))
    } catch (error) {
      // The platform may reset an object at any moment; what it held is read again by the next call.
      deps.logger.error('downloader object failed', { downloaderId: target.id, error })
      return failWith(downloaderReason({ kind: 'interrupted' }, target.kind))
    }
  }

  return {
    status: (target) => ask(target, async (stub) => await stub.status(target)),
    shownStatus: (target) => ask(target, async (stub) => await stub.shownStatus(target)),
    select: (target, query, part) => ask(target, async (stub) => await stub.select(target, query, part)),
    sortKeys: (target, query, upTo) => ask(target, async (stub) => await stub.sortKeys(target, query, upTo)),
    groups: (target, filter) => ask(target, async (stub) => await stub.groups(target, filter)),
    matching: (target, filter) => ask(target, async (stub) => await stub.matching(target, filter)),
    called: (target, names) => ask(target, async (stub) => await stub.called(target, names)),
    find: (target, infoHashes) => ask(target, async (stub) => await stub.find(target, infoHashes)),
    space: (target, savePath) => ask(target, async (stub) => await stub.space(target, savePath)),
    async add(target, upload) {
      const added = await ask(target, async (stub) => await stub.add(target, upload), pushWaitMs)
      return added.ok ? added.value : { kind: 'refused', reason: added.failure, mayHaveArrived: true }
    },
    act: (target, action, infoHashes) => ask(target, async (stub) => await stub.act(target, action, infoHashes)),
    details: (target, infoHash) => ask(target, async (stub) => await stub.details(target, infoHash)),
    exportFile: (target, infoHash) => ask(target, async (stub) => await stub.exportFile(target, infoHash)),
    change: (target, change, infoHashes) => ask(target, async (stub) => await stub.change(target, change, infoHashes)),
    move: (target, infoHashes, folder) => ask(target, async (stub) => await stub.move(target, infoHashes, folder)),
    async probe(settings) {
      const reading = await createDriver(settings, deps.runtime).read(
        AbortSignal.timeout(deps.runtime.bounds.operationMs),
      )
      return reading.ok ? succeed(reading.value.status) : failWith(downloaderReason(reading.failure, settings.kind))
    },
  }
}
