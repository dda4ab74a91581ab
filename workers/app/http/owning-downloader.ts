import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { DownloaderTarget } from '../core/downloader.ts'
import { type Failure, failure } from '../core/failure.ts'
import { unknownDownloader } from '../core/torrent-action-plan.ts'
import type { DownloaderStore } from '../ports/downloaders.ts'

/** The one that the address of a torrent names. */
export async function owningDownloader(
  downloaders: Pick<DownloaderStore, 'targets'>,
  named: number,
): Promise<Result<DownloaderTarget, Failure>> {
  const owner = (await downloaders.targets()).find(({ id }) => id === named)
  return owner === undefined ? failWith(failure('not_found', unknownDownloader)) : succeed(owner)
}
