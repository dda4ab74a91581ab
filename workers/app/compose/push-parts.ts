import { drizzle } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { planJob, serviceJob } from '../adapters/d1/job-list.ts'
import { createPushRecords, type PushRecordStore } from '../adapters/d1/push-records.ts'
import { createSiteFigures, type SiteFigureStore } from '../adapters/d1/site-figures.ts'
import { createDownloaderFleet } from '../adapters/downloaders/downloader-fleet.ts'
import { workerRuntime } from '../adapters/worker-runtime.ts'
import { taskFollowSeconds } from '../limits.ts'
import type { DownloaderHost } from '../objects/downloader-object.ts'
import type { DownloaderFleet } from '../ports/downloaders.ts'
import type { Logger } from '../ports/runtime.ts'
import { wakeOf } from './wake.ts'

/** What a push needs beside its site. */
export interface PushParts {
  readonly records: PushRecordStore
  readonly fleet: DownloaderFleet
  readonly figures: SiteFigureStore
  /** Has the scheduler keep the records in step with the downloaders, until all are complete. */
  follow(isFree: boolean): Promise<void>
  /** Has the scheduler look at its list, on which what was told stands. */
  passOn(): Promise<void>
}

export function createPushParts(
  env: Pick<Cloudflare.Env, 'DB' | 'DOWNLOADERS' | 'SCHEDULER'>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): PushParts {
  const db = drizzle(env.DB)
  // The generated types know the object's class by name only.
  const downloaders = env.DOWNLOADERS as DurableObjectNamespace<DownloaderHost>
  const wake = wakeOf(env)
  return {
    records: createPushRecords(db, clock),
    fleet: createDownloaderFleet(downloaders, { logger, runtime: workerRuntime }),
    figures: createSiteFigures(db, logger),
    async follow(isFree) {
      // What was free may have to be dealt with at once: its end may not be told.
      for (const name of isFree ? ['tasks', 'free_end'] : ['tasks'])
        await planJob(db, serviceJob(name), unixSeconds(clock) + taskFollowSeconds)
      await wake()
    },
    passOn: wake,
  }
}
