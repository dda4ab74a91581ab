/** What routes that bring a torrent into a downloader share: where it goes, and how what came of it is answered. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { DownloaderTarget } from '../core/downloader.ts'
import { type Failure, failure, wrongField } from '../core/failure.ts'
import { chooseDownloader } from '../core/push-plan.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { Say } from '../core/reason/say.ts'
import type { DownloaderStore } from '../ports/downloaders.ts'
import type { SiteEntry } from '../ports/sites.ts'
import type { AppDeps } from '../ports.ts'

const noDownloader = {
  unknown: wrongField('downloader_id', { kind: 'none', what: 'downloader_on' }),
  none: failure('invalid_argument', { kind: 'none_enabled', what: 'downloader' }),
} as const

/** The one that is named, or the default one. */
export async function downloaderFor(
  downloaders: Pick<DownloaderStore, 'targets'>,
  id: number | undefined,
): Promise<Result<DownloaderTarget, Failure>> {
  const chosen = chooseDownloader(await downloaders.targets(), id ?? 0)
  return chosen.ok ? succeed(chosen.value) : failWith(noDownloader[chosen.failure])
}

/** Between which two a push goes: a site that is on, and the downloader that is named, or the default one. */
export async function endsOf(
  deps: Pick<AppDeps, 'sites' | 'downloaders'>,
  body: { readonly site: string; readonly downloader_id?: number | undefined },
): Promise<Result<{ readonly site: SiteEntry; readonly downloader: DownloaderTarget }, Failure>> {
  const site = await deps.sites.find(body.site.toLowerCase())
  if (site === undefined) return failWith(failure('not_found', { kind: 'none', what: 'site' }))
  if (!site.record.enabled) return failWith(failure('not_found', { kind: 'off', what: 'site' }))
  const chosen = await downloaderFor(deps.downloaders, body.downloader_id)
  return chosen.ok ? succeed({ site, downloader: chosen.value }) : chosen
}

/** Of a list with commas: each once. */
export function tagsIn(text: string | undefined): string[] {
  return [...new Set((text ?? '').split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
}

/** Where in a downloader it goes; what is left out is the usual. */
export function placeIn(body: {
  readonly category?: string | undefined
  readonly tags?: string | undefined
  readonly save_path?: string | undefined
}) {
  return { category: body.category ?? '', tags: tagsIn(body.tags), savePath: body.save_path ?? '' }
}

interface TakenUp {
  readonly kind: 'pushed' | 'added' | 'skipped' | 'present' | 'stopped' | 'refused'
  readonly reason?: Reason
}

/** 200 whatever came of it; the audit log keeps it as an error where the torrent is not there. */
export function takenUpReply<Facts extends object>(
  outcome: TakenUp,
  downloader: DownloaderTarget,
  facts: Facts,
  say: Say,
) {
  const isSkipped = outcome.kind === 'skipped' || outcome.kind === 'present'
  const isThere = isSkipped || outcome.kind === 'pushed' || outcome.kind === 'added'
  const reason: Reason | undefined = isSkipped ? { kind: 'push.there_already' } : outcome.reason
  return {
    body: {
      success: isThere,
      skipped: isSkipped,
      ...(reason === undefined ? {} : { message: say(reason), reason }),
      ...facts,
      downloader_id: downloader.id,
      downloader: downloader.name,
    },
    ...(isThere ? {} : { auditResult: `error:${outcome.kind}` as const }),
    ...(isThere || reason === undefined ? {} : { auditReason: reason }),
  }
}
