import { type Result, succeed } from '#shared/kernel/result.ts'
import { listDownloaders, type WireDownloader } from '../../contract/downloaders.ts'
import type { DownloaderStatus, DownloaderTarget } from '../../core/downloader.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

export function downloaderRoutes(deps: Pick<AppDeps, 'downloaders' | 'fleet'>): BoundRoute[] {
  return [
    bind(listDownloaders, async () => {
      const targets = await deps.downloaders.targets()
      const items = await Promise.all(
        targets.map(async (target) => toWireDownloader(target, await deps.fleet.status(target))),
      )
      return succeed({ body: { items } })
    }),
  ]
}

/** Figures that could not be read are 0; `reachable` tells them from a quiet downloader. */
function toWireDownloader(target: DownloaderTarget, read: Result<DownloaderStatus, string>): WireDownloader {
  const identity = { id: target.id, name: target.name, type: target.kind, default: target.isDefault }
  if (!read.ok) {
    const none = { upload_speed: 0, download_speed: 0, uploaded: 0, downloaded: 0, free_space: 0 }
    return { ...identity, reachable: false, error: read.failure, ...none }
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
