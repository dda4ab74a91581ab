import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { WireJob } from '../../contract/console-jobs.ts'
import { fetchJobs, runJob } from '../api/service.ts'
import { JobOutcome, JobTimes } from '../components/job-parts.tsx'
import { AddButton, ListScreen } from '../components/list-screen.tsx'
import { FailureNote } from '../components/note.tsx'
import { SiteIcon } from '../components/site-parts.tsx'
import { type Column, Table } from '../components/table.tsx'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { arrangeJobs, type JobFilter, jobFilters, jobHash, jobKey, readJobFilter } from '../model/job-list.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'
import { useNamed, useSites } from '../use-sites.ts'

const everyMs = 5000

export function JobsPage({ query }: { readonly query: URLSearchParams }) {
  const text = words.value.jobs
  const show = readJobFilter(query)
  const sites = useSites()
  const { byName, labelOf: nameOf } = sites
  const jobs = useNamed(useResource('jobs', fetchJobs, everyMs), sites)
  const starting = useSignal<string | undefined>(undefined)
  const actions = useActions<never>(jobs)
  const { data } = jobs.state.value
  const labelOf = ({ site, downloader }: WireJob) =>
    site === undefined ? (downloader ?? text.everySite) : nameOf(site)
  const shown = arrangeJobs(data?.items ?? [], show, labelOf)
  const count = (one: JobFilter) => arrangeJobs(data?.items ?? [], one, labelOf).length

  async function run(job: WireJob): Promise<void> {
    starting.value = jobKey(job)
    await actions.after(await runJob(job.job, job.site, job.downloader))
    starting.value = undefined
  }

  const columns: readonly Column<WireJob>[] = [
    { head: text.job, td: 'name', cell: (job) => <b>{text.nameOf(job.label)}</b> },
    {
      head: text.site,
      td: 'nowrap',
      cell: (job) => {
        const { site, downloader } = job
        const label = labelOf(job)
        const id = site === undefined ? undefined : byName.get(site)?.id
        if (site === undefined) return <span class={downloader === undefined ? 'faint' : ''}>{label}</span>
        return id === undefined ? (
          label
        ) : (
          <a class="with-icon" href={`#/sites/${id}`}>
            <SiteIcon name={site} />
            {label}
          </a>
        )
      },
    },
    { head: text.lastRun, td: 'out', cell: (job) => <JobOutcome job={job} /> },
    { head: text.times, td: 'nowrap small', cell: (job) => <JobTimes job={job} /> },
    {
      head: text.run,
      isSpoken: true,
      td: 'num act',
      cell: (job) => (
        <button
          class="btn quiet"
          type="button"
          disabled={starting.value === jobKey(job) || job.running}
          aria-label={text.runOne(text.nameOf(job.label), labelOf(job))}
          onClick={() => void run(job)}
        >
          <Icon name="play" />
          {text.run}
        </button>
      ),
    },
  ]

  return (
    <ListScreen
      screen="jobs"
      of={jobs}
      text={text}
      skeletonRows={6}
      actions={actions}
      noteOf={(failure) => <FailureNote lead={text.notRun} failure={failure} />}
      toFill={<AddButton add="#/sites/new">{words.value.sites.add}</AddButton>}
    >
      {() => (
        <>
          <nav class="tabs" aria-label={text.filter}>
            {jobFilters.map((one) => (
              <a key={one} href={jobHash(one)} aria-current={one === show ? 'true' : undefined}>
                {text.filters[one]}
                <span class="n">{grouped(count(one))}</span>
              </a>
            ))}
          </nav>
          {shown.length === 0 ? (
            <Empty title={text.noneTitle[show]} body="" />
          ) : (
            <Table class="jobs" columns={columns} rows={shown} keyOf={jobKey} />
          )}
        </>
      )}
    </ListScreen>
  )
}
