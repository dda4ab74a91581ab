import { type Result, succeed } from '#shared/kernel/result.ts'
import { listDownloaders, type WireDownloader } from '../../contract/downloaders.ts'
import type { DownloaderStatus, DownloaderTarget } from '../../core/downloader.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { Say } from '../../core/reason/say.ts'
import { documentedType } from '../../core/vocabulary.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'

export function downloaderRoutes(deps: Pick<AppDeps, 'downloaders' | 'fleet'>): BoundRoute[] {
  return [bind(listDownloaders, async ({ say }) => succeed({ body: { items: await readDownloaders(deps, say) } }))]
}

export async function readDownloaders(
  deps: Pick<AppDeps, 'downloaders' | 'fleet'>,
  say: Say,
): Promise<WireDownloader[]> {
  const targets = await deps.downloaders.targets()
  return Promise.all(targets.map(async (target) => toWireDownloader(target, await deps.fleet.shownStatus(target), say)))
}

/** Figures that could not be read are 0; `reachable` tells them from a quiet downloader. */
function toWireDownloader(target: DownloaderTarget, read: Result<DownloaderStatus, Reason>, say: Say): WireDownloader {
  const identity = {
    id: target.id,
    name: target.name,
    type: documentedType(target.kind),
    program: target.kind,
    default: target.isDefault,
  }
  if (!read.ok) {
    const none = { upload_speed: 0, download_speed: 0, uploaded: 0, downloaded: 0, free_space: 0 }
    return { ...identity, reachable: false, ...explained(say, read.failure), ...none }
  }
  const status = read.value
  return {
    ...identity,
    reachable: true,
    version: status.version,
    upload_speed: status.uploadBytesPerSecond,
    download_speed: status.downloadBytesPerSecond,
    uploaded: status.uploadedBytes,
    downloaded: status.downloadedBytes,
    free_space: status.freeSpaceBytes ?? 0,
  }
}
