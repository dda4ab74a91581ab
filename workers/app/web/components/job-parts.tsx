/** How one piece of background work last went, and when it runs again. */

import type { WireJob } from '../../contract/console-jobs.ts'
import { words } from '../locales/words.ts'
import { Moment } from './figure.tsx'
import { ReasonWords } from './reason.tsx'
import { StateMark } from './state-mark.tsx'

export function JobOutcome({ job }: { job: WireJob }) {
  const text = words.value.jobs
  const [mark, tone, word] = job.running
    ? (['m-part', 'acc', text.running] as const)
    : job.last_ok === undefined
      ? (['m-guess', 'faint', text.notYet] as const)
      : job.last_ok
        ? (['m-done', 'good', text.ok] as const)
        : (['m-bad', 'bad', text.failed] as const)
  return (
    <>
      <StateMark mark={mark} tone={tone}>
        {word}
      </StateMark>
      {job.running || job.last_ok !== false || job.reason === undefined ? null : (
        <span class="sub small muted">
          <ReasonWords reason={job.reason} todo />
        </span>
      )}
    </>
  )
}

export function JobTimes({ job }: { job: WireJob }) {
  const text = words.value.jobs
  const isDue = job.due_at <= Date.now() / 1000
  return (
    <span class="times">
      <span class="faint">{text.last}</span> <Moment seconds={job.last_finished_at} none={words.value.common.never} />
      <span class="faint">{text.next}</span> {job.running ? '—' : isDue ? text.dueNow : <Moment seconds={job.due_at} />}
    </span>
  )
}
