import type { Reason } from '../core/reason/reason.ts'
import type { JobScope } from '../core/vocabulary.ts'

/** What a job is called where people read. */
export interface JobLabel {
  readonly zh: string
  readonly en: string
}

/** Work of the service and how it last went. */
export interface JobRun {
  readonly scope: JobScope
  /** The number of a site or a downloader; the service itself has 0. */
  readonly subjectId: number
  readonly name: string
  readonly label: JobLabel
  readonly dueAtUnix: number
  readonly isRunning: boolean
  readonly lastStartedAtUnix?: number
  readonly lastFinishedAtUnix?: number
  readonly lastOk?: boolean
  /** Why the last run failed. */
  readonly lastReason?: Reason
}

/** What the service does by itself, and what of it the owner may ask for now. */
export interface Jobs {
  /** Of all jobs that there are. */
  readonly names: readonly string[]
  runs(): Promise<JobRun[]>
  /** After a site or a downloader was added or changed: what it needs is planned, and what it does not need any more is not. */
  subjectChanged(scope: JobScope, subjectId: number): Promise<void>
  /** Runs it as soon as its subject is free. False when there is no such work. */
  runSoon(job: Pick<JobRun, 'scope' | 'subjectId' | 'name'>): Promise<boolean>
}
