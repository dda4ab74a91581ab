import { drizzle } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { taskFollowSeconds } from '../limits.ts'
import type { DownloaderObject } from '../objects/downloader-object.ts'
import type { DownloaderFleet, Logger } from '../ports.ts'
import { planJob, serviceJob } from './d1/job-list.ts'
import { createPushRecords, type PushRecordBook } from './d1/push-records.ts'
import { createSiteFigures, type SiteFigureBook } from './d1/site-figures.ts'
import { createDownloaderFleet } from './downloader-fleet.ts'
import { workerRuntime } from './worker-runtime.ts'

/** What a push needs beside its site. */
export interface PushParts {
  readonly records: PushRecordBook
  readonly fleet: DownloaderFleet
  readonly figures: SiteFigureBook
  /** Has the scheduler keep the records in step with the downloaders, until all are complete. */
  follow(): Promise<void>
  /** Has the scheduler look at its list, on which what was told stands. */
  passOn(): Promise<void>
}

/** The scheduler's object, as far as it is needed here. */
interface Wakeable extends Rpc.DurableObjectBranded {
  wake(): Promise<void>
}

export function createPushParts(
  env: Pick<Cloudflare.Env, 'DB' | 'DOWNLOADERS' | 'SCHEDULER'>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): PushParts {
  const db = drizzle(env.DB)
  // The generated types know the objects' classes by name only.
  const downloaders = env.DOWNLOADERS as DurableObjectNamespace<DownloaderObject>
  const schedulers = env.SCHEDULER as DurableObjectNamespace<Wakeable>
  const wake = async () => await schedulers.get(schedulers.idFromName('scheduler')).wake()
  return {
    records: createPushRecords(db, clock),
    fleet: createDownloaderFleet(downloaders, { logger, runtime: workerRuntime }),
    figures: createSiteFigures(db, logger),
    async follow() {
      await planJob(db, serviceJob('tasks'), unixSeconds(clock) + taskFollowSeconds)
      await wake()
    },
    passOn: wake,
  }
}
