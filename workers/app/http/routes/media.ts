import { succeed } from '#shared/kernel/result.ts'
import { listMediaHistory, type WireMediaRecord } from '../../contract/media.ts'
import type { Say } from '../../core/reason/say.ts'
import type { MediaRecord } from '../../ports/library.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

export function mediaRoutes({ mediaHistory }: Pick<AppDeps, 'mediaHistory'>): BoundRoute[] {
  return [
    bind(listMediaHistory, async ({ query: { status, q, page, page_size }, say }) => {
      const { items, total } = await mediaHistory.page(
        { ...(status === undefined ? {} : { status }), ...(q === undefined ? {} : { keyword: q }) },
        page,
        page_size,
      )
      return succeed({ body: { items: items.map((record) => toWireRecord(record, say)), total, page, page_size } })
    }),
  ]
}

function toWireRecord(record: MediaRecord, say: Say): WireMediaRecord {
  return {
    id: record.id,
    media_type: record.mediaType,
    tmdb_id: record.tmdbId,
    title: record.title,
    ...(record.year === undefined ? {} : { year: record.year }),
    ...(record.season === undefined ? {} : { season: record.season }),
    ...(record.episode === undefined ? {} : { episode: record.episode }),
    ...(record.episodeEnd === undefined ? {} : { episode_end: record.episodeEnd }),
    torrent_name: record.torrentName,
    ...(record.library === '' ? {} : { library: record.library }),
    ...(record.targetPath === '' ? {} : { target_path: record.targetPath }),
    mode: record.mode,
    size: record.sizeBytes,
    status: record.status,
    ...(record.reason === undefined ? {} : { message: say(record.reason), reason: record.reason }),
    created_at: record.createdAtUnix,
  }
}
