import type { Job } from './job.ts'

/** Searches for what is subscribed to, which takes as long as visits to sites do. */
export const subscriptionsJob: Job = {
  name: 'subscriptions',
  label: { zh: '搜索订阅', en: 'Search for subscriptions' },
  scope: 'service',
  isVisit: true,
  /** At the end of a look too: a subscription that was made while the job ran found it planned. */
  schedule: { eachLook: ({ searches }) => searches.plan() },
  run: ({ searches }) => searches.runDue(),
  /** What others found out about torrents may be what subscriptions wait for. */
  afterRound: ({ searches }) => searches.settle(),
}
