import { explainTorrent, listDecisions, listRemovals } from '../../contract/decisions.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { owningDownloader } from '../owning-downloader.ts'
import { readEnds } from './console-ends.ts'
import { readFeedItems } from './console-feed-items.ts'
import { readTorrentEvents } from './console-torrents.ts'

export function decisionRoutes(
  deps: Pick<AppDeps, 'feeds' | 'torrentEnds' | 'torrentHistory' | 'downloaders'>,
): BoundRoute[] {
  const eventsOf = readTorrentEvents(deps)
  return [
    bind(explainTorrent, async (call) => {
      const owner = await owningDownloader(deps.downloaders, call.params.downloader_id)
      return owner.ok ? eventsOf(call) : owner
    }),
    bind(listDecisions, readFeedItems(deps)),
    bind(listRemovals, readEnds(deps)),
  ]
}
