import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { localDay } from '../core/local-day.ts'
import { serviceReason } from '../core/reason/of-fault.ts'
import type { Reason } from '../core/reason/reason.ts'
import { titleRunMs, titlesPerRun } from '../limits.ts'
import type { Catalogue } from '../ports/catalogue.ts'
import type { OwnerLocaleReader } from '../ports/settings.ts'
import type { Subscriptions } from '../ports/subscriptions.ts'
import {
  nextTitleLook,
  postponeTitles,
  releaseTitles,
  reopenTitle,
  skipTitle,
  storeTitle,
  titlesDue,
} from './d1/title-refreshes.ts'

export interface RefreshDeps {
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
  db: DrizzleD1Database,
  deps: RefreshDeps,
): Promise<{ readonly dueAtUnix: number | undefined; readonly reason?: Reason }> {
  const { clock } = deps
  const { timeZone } = await deps.locale.read()
  const startedMs = clock.nowMs()
  const startedUnix = unixSeconds(clock)
  const today = localDay(startedUnix, timeZone)
  const due = await titlesDue(db, startedUnix, today, titlesPerRun)
  const gone: string[] = []
  let reason: Reason | undefined
  for (const { id, title, ...wish } of due) {
    // The rest has its turn in the next run, which begins at once.
    if (clock.nowMs() - startedMs >= titleRunMs) break
    const details = await deps.catalogue.details({ ...wish, today })
    if (details.ok) {
      await storeTitle(db, id, details.value, unixSeconds(clock))
      const now = await deps.subscriptions.read(id)
      if (now?.record.status === 'done' && now.progress.inLibrary < now.progress.total)
        await reopenTitle(db, id, unixSeconds(clock))
    } else if (details.failure.kind === 'not_found') {
      gone.push(title)
      await skipTitle(db, id, unixSeconds(clock))
    } else {
      // Whatever keeps this one from being read keeps the others, too.
      reason = serviceReason('metadata', details.failure)
      await postponeTitles(db, unixSeconds(clock))
      break
    }
  }
  if (gone.length > 0) reason ??= { kind: 'media.titles_gone', titles: gone }
  // After what was found out: the day may have been put off.
  await releaseTitles(db, unixSeconds(clock), today)
  const dueAtUnix = await nextTitleLook(db, today, timeZone)
  return { dueAtUnix, ...(reason === undefined ? {} : { reason }) }
}
