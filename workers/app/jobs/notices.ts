import type { Job } from './job.ts'

/** Sends what happened to the channels that want to know. */
export const noticesJob: Job = {
  name: 'notices',
  label: { zh: '发送通知', en: 'Notifications' },
  scope: 'service',
  isVisit: false,
  schedule: {},
  run: ({ notices }) => notices.deliver(),
  /** What happened while it ran brought its next run forward, and that was overwritten. */
  after: ({ notices }) => notices.plan(),
}
