import type { DownloaderTarget } from '../../core/downloader.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { DownloaderFleet } from '../../ports/downloaders.ts'

/** Gives back why it did not come to be: a downloader that says nothing of the torrent has not done it. */
export async function actOnOne(
  fleet: Pick<DownloaderFleet, 'act'>,
  target: DownloaderTarget,
  action: Parameters<DownloaderFleet['act']>[1],
  infoHash: string,
): Promise<Reason | undefined> {
  const acted = await fleet.act(target, action, [infoHash])
  if (!acted.ok) return acted.failure
  const [outcome] = acted.value
  return outcome?.success === true ? undefined : (outcome?.reason ?? { kind: 'internal' })
}
