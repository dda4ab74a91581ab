import { failWith, succeed } from '#shared/kernel/result.ts'
import { pushTorrent } from '../../contract/push.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import type { PushFailure } from '../../core/push-fault.ts'
import { chooseDownloader } from '../../core/push-plan.ts'
import { pushReason } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { AppDeps, PushOutcome } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

const noDownloader = {
  unknown: wrongField('downloader_id', { kind: 'none', what: 'downloader_on' }),
  none: failure('invalid_argument', { kind: 'none_enabled', what: 'downloader' }),
} as const

export function pushRoutes(deps: Pick<AppDeps, 'sites' | 'downloaders' | 'pushDesk'>): BoundRoute[] {
  return [
    bind(pushTorrent, async ({ body, principal, say }) => {
      const site = await deps.sites.find(body.site.toLowerCase())
      if (site === undefined) return failWith(failure('not_found', { kind: 'none', what: 'site' }))
      if (!site.record.enabled) return failWith(failure('not_found', { kind: 'off', what: 'site' }))
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
      const reason = reasonOf(outcome)
      const isThere = outcome.kind === 'pushed' || outcome.kind === 'skipped'
      return succeed({
        body: {
          success: isThere,
          skipped: outcome.kind === 'skipped',
          ...(reason === undefined ? {} : { message: say(reason), reason }),
          info_hash: outcome.infoHash,
          downloader_id: downloader.id,
          downloader: downloader.name,
        },
        ...(isThere ? {} : { auditResult: `error:${outcome.kind}` as const }),
        ...(isThere || reason === undefined ? {} : { auditReason: reason }),
      })
    }),
  ]
}

function reasonOf(outcome: PushOutcome): Reason | undefined {
  if (outcome.kind === 'skipped') return { kind: 'push.there_already' }
  return 'reason' in outcome ? outcome.reason : undefined
}

const codes = { busy: 'busy_conflict', interrupted: 'internal', download: 'download_failed' } as const

function toFailure(pushed: PushFailure): Failure {
  return failure(codes[pushed.kind], pushReason(pushed))
}
