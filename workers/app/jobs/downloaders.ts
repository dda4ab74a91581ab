import type { Job } from './job.ts'

/** Looks whether downloaders answer and have space, while somebody wants to be told. */
export const downloadersJob: Job = {
  name: 'downloaders',
  label: { zh: '检查下载器', en: 'Downloaders reachable' },
  scope: 'service',
  isVisit: false,
  schedule: {},
  run: ({ downloaders }) => downloaders.watch(),
}
