import type { MediaHistoryBook } from '../../adapters/d1/media-history.ts'
import type { DownloaderFleet } from '../../ports/downloaders.ts'

/** Files that are deleted through this service are not in the library any more, whoever asks for it. */
export function libraryAwareFleet(
  fleet: DownloaderFleet,
  history: Pick<MediaHistoryBook, 'filesRemoved'>,
): DownloaderFleet {
  return {
    ...fleet,
    async act(target, action, infoHashes) {
      const acted = await fleet.act(target, action, infoHashes)
      if (action !== 'delete_with_files' || !acted.ok) return acted
      const removed = acted.value.filter(({ success }) => success).map(({ infoHash }) => infoHash)
      if (removed.length > 0) await history.filesRemoved(target.id, removed)
      return acted
    },
  }
}
