import { failWith, succeed } from '#shared/kernel/result.ts'
import { pushTorrent } from '../../contract/push.ts'
import { type Failure, failure } from '../../core/failure.ts'
import { describePushFailure, type PushFailure } from '../../core/push-fault.ts'
import { chooseDownloader } from '../../core/push-plan.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

const noDownloader = {
  unknown: failure('invalid_argument', '字段 downloader_id 不正确：没有这个下载器，或它未启用'),
  none: failure('invalid_argument', '没有已启用的下载器'),
} as const

export function pushRoutes(deps: Pick<AppDeps, 'sites' | 'downloaders' | 'pushDesk'>): BoundRoute[] {
  return [
    bind(pushTorrent, async ({ body, principal }) => {
      const site = await deps.sites.find(body.site.toLowerCase())
      if (site === undefined) return failWith(failure('not_found', '没有这个站点'))
      if (!site.record.enabled) return failWith(failure('not_found', '站点未启用'))
      const chosen = chooseDownloader(await deps.downloaders.targets(), body.downloader_id ?? 0)
      if (!chosen.ok) return failWith(noDownloader[chosen.failure])
      const downloader = chosen.value
      const pushed = await deps.pushDesk.push(site.target, downloader, {
        torrentId: body.torrent_id,
        // The console's own page calls as the signed-in owner; everybody else calls the interface.
        source: principal.kind === 'session' ? 'manual_push' : 'app_push',
        title: body.title ?? '',
        category: body.category ?? '',
        tags: [...new Set((body.tags ?? '').split(',').map((tag) => tag.trim()))].filter((tag) => tag !== ''),
        savePath: body.save_path ?? '',
      })
      if (!pushed.ok) return failWith(toFailure(pushed.failure))
      const outcome = pushed.value
      const isThere = outcome.kind === 'pushed' || outcome.kind === 'skipped'
      return succeed({
        body: {
          success: isThere,
          skipped: outcome.kind === 'skipped',
          ...('message' in outcome ? { message: outcome.message } : {}),
          ...(outcome.kind === 'skipped' ? { message: '下载器中已有这个种子' } : {}),
          info_hash: outcome.infoHash,
          downloader_id: downloader.id,
          downloader: downloader.name,
        },
        ...(isThere ? {} : { auditResult: `error:${outcome.kind}` as const }),
      })
    }),
  ]
}

const codes = { busy: 'busy_conflict', interrupted: 'internal', download: 'download_failed' } as const

function toFailure(pushed: PushFailure): Failure {
  return failure(codes[pushed.kind], describePushFailure(pushed))
}
