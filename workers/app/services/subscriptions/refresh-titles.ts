import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { TitleRefreshes } from '../../adapters/d1/title-refreshes.ts'
import { localDay } from '../../core/local-day.ts'
import { serviceReason } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { titleRunMs, titlesPerRun } from '../../limits.ts'
import type { Catalogue } from '../../ports/catalogue.ts'
import type { OwnerLocaleReader } from '../../ports/settings.ts'
import type { Subscriptions } from '../../ports/subscriptions.ts'

export interface RefreshDeps {
  readonly titles: TitleRefreshes
  readonly clock: Clock
  readonly locale: OwnerLocaleReader
  readonly catalogue: Pick<Catalogue, 'details'>
  readonly subscriptions: Pick<Subscriptions, 'read'>
}

/**
 * Looks at what is subscribed to again, once a day each and so many in one run, and lets what waited for its day of
 * release be searched for. Gives back when to look again.
 */
export async function refreshTitles(
  deps: RefreshDeps,
): Promise<{ readonly dueAtUnix: number | undefined; readonly reason?: Reason }> {
  const { clock, titles } = deps
  const { timeZone } = await deps.locale.read()
  const startedMs = clock.nowMs()
  const today = localDay(unixSeconds(clock), timeZone)
  const due = await titles.due(today, titlesPerRun)
  const gone: string[] = []
  let reason: Reason | undefined
  for (const { id, title, ...wish } of due) {
    // The rest has its turn in the next run, which begins at once.
    if (clock.nowMs() - startedMs >= titleRunMs) break
    const details = await deps.catalogue.details({ ...wish, today })
    if (details.ok) {
      await titles.store(id, details.value)
      const now = await deps.subscriptions.read(id)
      if (now?.record.status === 'done' && now.progress.inLibrary < now.progress.total) await titles.reopen(id)
    } else if (details.failure.kind === 'not_found') {
      gone.push(title)
      await titles.skip(id)
    } else {
      // Whatever keeps this one from being read keeps the others, too.
      reason = serviceReason('metadata', details.failure)
      await titles.postpone()
      break
    }
  }
  if (gone.length > 0) reason ??= { kind: 'media.titles_gone', titles: gone }
  // After what was found out: the day may have been put off.
  await titles.release(today)
  const dueAtUnix = await titles.next(today, timeZone)
  return { dueAtUnix, ...(reason === undefined ? {} : { reason }) }
}
