import type { JobScope } from '../core/vocabulary.ts'
import type { JobLabel } from '../ports/jobs.ts'
import type { DueRun, JobOutcome } from './job-list.ts'
import type { JobParts } from './job-parts.ts'

/** How a job comes onto the list. Each part that it needs, and each may be called at any time and twice. */
interface JobSchedule {
  /**
   * When it is due first for a subject that was added or changed, and for the service while it is not on the list.
   * Undefined when it is not wanted.
   */
  first?(parts: JobParts, subjectId: number): Promise<number | undefined>
  /** A subject of any scope was added or changed, and what it wants first is planned. */
  changed?(parts: JobParts, scope: JobScope, subjectId: number): Promise<void>
  /** At the beginning of each look at the list, and at its end. */
  eachLook?(parts: JobParts): Promise<void>
  /** Before each round of short runs, of which there are many in a look. */
  eachRound?(parts: JobParts): Promise<void>
  /** The owner wants it now: what else has to be brought forward. */
  soon?(parts: JobParts, subjectId: number): Promise<void>
}

/** Work that the service does by itself. All that the scheduler knows of it stands here. */
export interface Job {
  /** What it is called on the list and on the wire: never another one again. */
  readonly name: string
  readonly label: JobLabel
  readonly scope: JobScope
  /**
   * Whether a run may take as long as a visit to a site: so many of those run at a time, one for each subject. All others
   * run side by side, and do not wait for these.
   */
  readonly isVisit: boolean
  readonly schedule: JobSchedule
  /** Undefined when nobody wants it any more. */
  run(parts: JobParts, due: DueRun): Promise<JobOutcome | undefined>
  /** Once it is written down how the run went; `isOver` when it is off the list. */
  after?(parts: JobParts, subjectId: number, isOver: boolean): Promise<void>
  /** Once a round of short runs is over, of whichever jobs. */
  afterRound?(parts: JobParts): Promise<void>
  /** Clears what is old. Not called by looks that are for short runs alone: it may look through whole tables. */
  tidy?(parts: JobParts): Promise<void>
}
