import type { Job } from './job.ts'

/** Sends what happened to the channels that want to know. */
export const outboxJob: Job = {
  name: 'notices',
  label: { zh: '发送通知', en: 'Notifications' },
  scope: 'service',
  isVisit: false,
  schedule: {},
  run: ({ outbox }) => outbox.deliver(),
  /** What happened while it ran brought its next run forward, and that was overwritten. */
  after: ({ outbox }) => outbox.plan(),
}
