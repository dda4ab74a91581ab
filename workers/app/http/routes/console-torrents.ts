import type { z } from '@hono/zod-openapi'
import { failWith, succeed } from '#shared/kernel/result.ts'
import type { WireClause } from '../../contract/console-rules.ts'
import {
  exportTorrent,
  readTorrentHistory,
  streamTorrents,
  type WireTorrentEvent,
} from '../../contract/console-torrents.ts'
import { failure } from '../../core/failure.ts'
import type { Say } from '../../core/reason/say.ts'
import { torrentStreamsMax } from '../../limits.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { eventStreamHeaders } from '../event-stream.ts'
import { explained } from '../explained.ts'
import { followTorrents } from '../follow-torrents.ts'
import { owningDownloader } from '../owning-downloader.ts'
import { readTorrentGroups } from '../torrent-groups.ts'
import { readTorrentList } from '../torrent-list.ts'
import { readDownloaders } from './downloaders.ts'

type Deps = Pick<AppDeps, 'clock' | 'downloaders' | 'fleet' | 'torrentHistory' | 'wait'>

export function consoleTorrentRoutes(deps: Deps): BoundRoute[] {
  let open = 0
  return [
    bind(readTorrentHistory, readTorrentEvents(deps)),
    bind(exportTorrent, async ({ params: { downloader_id, task_id } }) => {
      const owner = await owningDownloader(deps.downloaders, downloader_id)
      if (!owner.ok) return owner
      const exported = await deps.fleet.exportFile(owner.value, task_id)
      if (!exported.ok) {
        // That it cannot, or has nothing to give yet, is no trouble of reaching it.
        const isRefusal =
          exported.failure.kind === 'downloader.unsupported' || exported.failure.kind === 'downloader.rejected'
        return failWith(failure(isRefusal ? 'busy_conflict' : 'unavailable', exported.failure))
      }
      if (exported.value === undefined) return failWith(failure('not_found', { kind: 'none', what: 'torrent' }))
      const file = new Blob([new Uint8Array(exported.value)])
      return succeed({
        body: file.stream(),
        headers: {
          'content-type': 'application/x-bittorrent',
          'content-length': String(file.size),
          'content-disposition': `attachment; filename="${task_id.replace(/[^0-9a-f]/gi, '')}.torrent"`,
        },
      })
    }),
    bind(streamTorrents, async ({ query: { from, count, ...asked }, say, signal }) => {
      if (open >= torrentStreamsMax)
        return failWith(failure('busy_slots', { kind: 'stream.too_many', limit: torrentStreamsMax }))
      open += 1
      const left = new AbortController()
      let isOver = false
      const end = () => {
        if (!isOver) open -= 1
        isOver = true
        left.abort()
      }
      signal.addEventListener('abort', end, { once: true })
      const events = followTorrents({
        readList: () => readTorrentList(deps, asked, { from, count }, say),
        readGroups: () => readTorrentGroups(deps, asked, say),
        readDownloaders: () => readDownloaders(deps, say),
        from,
        nowMs: () => deps.clock.nowMs(),
        wait: deps.wait,
        left: left.signal,
      })
      const encoder = new TextEncoder()
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(reader) {
            try {
              const next = await events.next()
              if (!next.done) return reader.enqueue(encoder.encode(next.value))
              reader.close()
            } catch (cause) {
              if (!left.signal.aborted) reader.error(cause)
            }
            end()
          },
          cancel: end,
        },
        { highWaterMark: 0 },
      )
      return succeed({ body, headers: eventStreamHeaders })
    }),
  ]
}

type TorrentParams = z.output<typeof readTorrentHistory.params>

export function readTorrentEvents({ torrentHistory }: Pick<AppDeps, 'torrentHistory'>) {
  return async ({ params, say }: { readonly params: TorrentParams; readonly say: Say }) => {
    const events = await torrentHistory.of(params.downloader_id, params.task_id)
    const items = events.map(
      ({ torrentId, clauses, reason, ...event }): WireTorrentEvent => ({
        ...event,
        ...(torrentId === undefined ? {} : { torrent_id: torrentId }),
        ...(clauses === undefined ? {} : { clauses: structuredClone(clauses) as WireClause[] }),
        ...(reason === undefined ? {} : explained(say, reason)),
      }),
    )
    return succeed({ body: { items } })
  }
}
