/** The work the service does by itself, as a list: what failed first, then what runs next. */
import type { WireJob } from '../../contract/console-jobs.ts'

export const jobFilters = ['all', 'failed', 'running'] as const
export type JobFilter = (typeof jobFilters)[number]

export function readJobFilter(search: URLSearchParams): JobFilter {
  return jobFilters.find((one) => one === search.get('show')) ?? 'all'
}

export function jobHash(show: JobFilter): string {
  return show === 'all' ? '#/jobs' : `#/jobs?show=${show}`
}

export function jobKey(job: WireJob): string {
  return `${job.job} ${job.site ?? ''} ${job.downloader ?? ''}`
}

export function hasFailed(job: WireJob): boolean {
  return job.last_ok === false && !job.running
}

/** Running, or due and about to run. */
export function isUnderWay(job: WireJob, nowSeconds: number): boolean {
  return job.running || job.due_at <= nowSeconds
}

export function arrangeJobs(jobs: readonly WireJob[], show: JobFilter, labelOf: (job: WireJob) => string): WireJob[] {
  const rank = (job: WireJob) => (job.running ? 0 : hasFailed(job) ? 1 : 2)
  return jobs
    .filter((job) => show === 'all' || (show === 'failed' ? hasFailed(job) : job.running))
    .toSorted((a, b) => rank(a) - rank(b) || a.due_at - b.due_at || (labelOf(a) + a.job < labelOf(b) + b.job ? -1 : 1))
}
