import { brushJob } from './brush.ts'
import { chatsJob } from './chats.ts'
import { dayEndJob } from './day-end.ts'
import { downloadersJob } from './downloaders.ts'
import { endsJob } from './ends.ts'
import { feedsJob } from './feeds.ts'
import { freeEndJob } from './free-end.ts'
import { hitAndRunJob } from './hit-and-run.ts'
import type { Job } from './job.ts'
import { organiseJob } from './organise.ts'
import { outboxJob } from './outbox.ts'
import { probeJob } from './probe.ts'
import { pruneJob } from './prune.ts'
import { remindersJob } from './reminders.ts'
import { reseedJob } from './reseed.ts'
import { signInJob } from './sign-in.ts'
import { sitePlansJob } from './site-plans.ts'
import { statisticsJob } from './statistics.ts'
import { subscriptionsJob } from './subscriptions.ts'
import { tasksJob } from './tasks.ts'
import { titlesJob } from './titles.ts'
import { torrentRunsJob } from './torrent-runs.ts'
import { transfersJob } from './transfers.ts'
import { watchlistsJob } from './watchlists.ts'

/** All that the service does by itself. A new job is a file beside these, and a line here. */
export const registry: readonly Job[] = [
  statisticsJob,
  dayEndJob,
  probeJob,
  signInJob,
  brushJob,
  feedsJob,
  tasksJob,
  torrentRunsJob,
  transfersJob,
  reseedJob,
  sitePlansJob,
  freeEndJob,
  hitAndRunJob,
  endsJob,
  remindersJob,
  downloadersJob,
  outboxJob,
  chatsJob,
  titlesJob,
  watchlistsJob,
  subscriptionsJob,
  organiseJob,
  pruneJob,
]
