import type { Job } from './job.ts'

/** Brings what is complete into the library. */
export const organiseJob: Job = {
  name: 'organise',
  label: { zh: '整理入库', en: 'Filling the library' },
  scope: 'service',
  isVisit: false,
  /** Whatever made something complete, and whether or not it was cut off. */
  schedule: { eachRound: ({ organising }) => organising.plan() },
  run: ({ organising }) => organising.run(),
}
