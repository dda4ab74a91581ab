import { type Result, succeed } from '#shared/kernel/result.ts'
import type { DownloaderTarget } from '../../core/downloader.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { Torrent } from '../../core/torrent.ts'
import { heldPageSize, heldTorrentsMax } from '../../limits.ts'
import type { DownloaderFleet } from '../../ports/downloaders.ts'

/** A list that could not be read to its end is none: what lives on a torrent's files may be in the rest. */
export async function allTorrentsOf(
  fleet: Pick<DownloaderFleet, 'select'>,
  target: DownloaderTarget,
): Promise<Result<Torrent[], Reason>> {
  const all = new Map<string, Torrent>()
  for (let from = 0; from < heldTorrentsMax; from += heldPageSize) {
    const page = await fleet.select(target, { sort: 'added_at', order: 'asc' }, { from, count: heldPageSize })
    if (!page.ok) return page
    // As of earlier, and not of now.
    if (page.value.late !== undefined) return { ok: false, failure: page.value.late.reason }
    for (const torrent of page.value.torrents) all.set(torrent.infoHash, torrent)
    if (from + heldPageSize >= page.value.total) return succeed([...all.values()])
  }
  return { ok: false, failure: { kind: 'too_many', what: 'torrent', limit: heldTorrentsMax } }
}
