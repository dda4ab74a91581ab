import { failWith } from '#shared/kernel/result.ts'
import { explainTorrent, listDecisions, listRemovals } from '../../contract/decisions.ts'
import { failure } from '../../core/failure.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { readEnds } from './console-ends.ts'
import { readFeedItems } from './console-feed-items.ts'
import { readTorrentEvents } from './console-torrents.ts'

export function decisionRoutes(
  deps: Pick<AppDeps, 'feeds' | 'torrentEnds' | 'torrentHistory' | 'downloaders'>,
): BoundRoute[] {
  const eventsOf = readTorrentEvents(deps)
  return [
    bind(explainTorrent, async (call) => {
      const known = await deps.downloaders.targets()
      if (known.some(({ id }) => id === call.params.downloader_id)) return eventsOf(call)
      return failWith(failure('not_found', { kind: 'none', what: 'downloader_on' }))
    }),
    bind(listDecisions, readFeedItems(deps)),
    bind(listRemovals, readEnds(deps)),
  ]
}
