/** What the service did or left by itself, and why: for scripts, as the console shows it. */
import * as z from '#shared/schema/deferred.ts'
import { listEnds } from './console-ends.ts'
import { listFeedItems } from './console-feed-items.ts'
import { readTorrentHistory } from './console-torrents.ts'
import { declareRoute } from './route.ts'

const itemsOf = <T extends z.ZodType>(item: T, id: string) => z.object({ items: z.array(item.meta({ id })) })

export const listDecisions = declareRoute('read', 'get', '/decisions', {
  operationId: 'listDecisions',
  feature: 'tasks',
  summary: 'What turned up in feeds, what was decided about it, and why',
  description:
    'Newest first, a bounded number of the last 30 days; `before` goes on from the `id` of the last one. `clauses` are those of the rule that decided or came nearest, with what was found and where that was read; without any rule only what is free is taken, and `rule` is empty.',
  query: listFeedItems.query,
  answers: { 200: itemsOf(listFeedItems.answers[200].shape.items.element, 'FeedDecision') },
})

export const listRemovals = declareRoute('read', 'get', '/removals', {
  operationId: 'listRemovals',
  feature: 'torrents',
  summary: 'Torrents that rules end or ended, and why',
  description: 'What is due first, then what was ended in the last 30 days, newest first.',
  answers: { 200: itemsOf(listEnds.answers[200].shape.items.element, 'Removal') },
})

export const explainTorrent = declareRoute('read', 'get', '/torrents/{downloader_id}/{task_id}/history', {
  operationId: 'explainTorrent',
  feature: 'torrents',
  summary: 'What this service did about one torrent, and why',
  description:
    'Newest first: what was found, pushed, taken by a brush task, organised and ended, each with the rule and the clauses that decided.',
  params: readTorrentHistory.params,
  answers: { 200: itemsOf(readTorrentHistory.answers[200].shape.items.element, 'TorrentEvent') },
  failures: ['not_found'],
})
