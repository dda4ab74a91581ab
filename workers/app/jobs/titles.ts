import type { Job } from './job.ts'

/** Looks at what is subscribed to again, and lets what waited for its day of release be searched for. */
export const titlesJob: Job = {
  name: 'titles',
  label: { zh: '更新订阅资料', en: 'Subscribed titles' },
  scope: 'service',
  isVisit: false,
  /** At the end of a look too: a subscription that was made while the job ran found it planned. */
  schedule: { eachLook: ({ titles }) => titles.plan() },
  run: ({ titles }) => titles.refresh(),
}
