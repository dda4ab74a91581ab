import { succeed } from '#shared/kernel/result.ts'
import { listTasks, type WireTask } from '../../contract/tasks.ts'
import { discountEndOf } from '../../core/free-end.ts'
import type { Say } from '../../core/reason/say.ts'
import type { PushRecord } from '../../ports/pushes.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'

export function taskRoutes(deps: Pick<AppDeps, 'pushRecords'>): BoundRoute[] {
  return [
    bind(listTasks, async ({ query, say }) => {
      const { items, total } = await deps.pushRecords.page(
        {
          ...(query.site === undefined ? {} : { site: query.site }),
          ...(query.q === undefined ? {} : { keyword: query.q }),
          pushedOnly: query.pushed === '1',
        },
        query.page,
        query.page_size,
      )
      return succeed({
        body: {
          items: items.map((record) => toWireTask(record, say)),
          total,
          page: query.page,
          page_size: query.page_size,
        },
      })
    }),
  ]
}

function toWireTask(record: PushRecord, say: Say): WireTask {
  return {
    id: record.id,
    site: record.site,
    torrent_id: record.torrentId,
    title: record.title,
    size: record.sizeBytes,
    ...(record.category === '' ? {} : { category: record.category }),
    ...(record.tags === '' ? {} : { tags: record.tags }),
    free: record.free,
    ...(record.freeLevel === undefined ? {} : { free_level: record.freeLevel }),
    ...(record.freeEndAtUnix === undefined ? {} : { free_end_at: record.freeEndAtUnix }),
    ...(record.free ? { free_end: discountEndOf(record.freeEndAtUnix) } : {}),
    ...(record.freeEnding === undefined ? {} : { free_ending: record.freeEnding }),
    has_hr: record.hasHr,
    pushed: record.pushed,
    ...(record.pushedAtUnix === undefined ? {} : { pushed_at: record.pushedAtUnix }),
    downloader: record.downloader,
    progress: record.progressPercent,
    completed: record.completed,
    ...(record.completedAtUnix === undefined ? {} : { completed_at: record.completedAtUnix }),
    source: record.source,
    ...(record.reason === undefined ? {} : explained(say, record.reason)),
    created_at: record.createdAtUnix,
  }
}
