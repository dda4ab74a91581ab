import type { Reason } from '../core/reason/reason.ts'
import type { JobScope } from '../core/vocabulary.ts'

/** One job of one subject, as the list names it. */
export interface JobKey {
  readonly scope: JobScope
  /** The number of a site or a downloader; the service itself has 0. */
  readonly subjectId: number
  readonly name: string
}

/** A run that is due. */
export interface DueRun {
  readonly subjectId: number
  readonly dueAtUnix: number
}

export interface JobOutcome {
  /** Undefined when there is nothing left to do. */
  readonly dueAtUnix: number | undefined
  /** Why it failed, fit to show; undefined for a success. */
  readonly reason?: Reason
}

/** What is due, and how it went. */
export interface JobList {
  all(): Promise<ListedJob[]>
  /** Due and not running. */
  due(nowUnix: number): Promise<ListedJob[]>
  /** Undefined when it was planned anew, or begun, since it was read. */
  lease(job: ListedJob, nowUnix: number): Promise<number | undefined>
  /** What was planned anew while it ran stays planned: it is for what is true now. */
  end(job: JobKey, leaseUntilUnix: number): Promise<void>
  planNext(
    job: JobKey,
    leaseUntilUnix: number,
    next: { readonly dueAtUnix: number; readonly reason: Reason | undefined; readonly nowUnix: number },
  ): Promise<void>
  /** What is planned already stays as it is. */
  plan(job: JobKey, dueAtUnix: number): Promise<void>
  /** In place of all there is for the subject. */
  replace(
    subject: Pick<JobKey, 'scope' | 'subjectId'>,
    runs: readonly { readonly name: string; readonly dueAtUnix: number }[],
  ): Promise<void>
  /** False when there is no such job. */
  bringForward(job: JobKey, dueAtUnix: number): Promise<boolean>
}

export interface ListedJob extends JobKey, DueRun {
  readonly leaseUntilUnix: number
  readonly lastStartedAtUnix: number | null
  readonly lastFinishedAtUnix: number | null
  readonly lastOk: boolean | null
  readonly lastReason: Reason | undefined
}
