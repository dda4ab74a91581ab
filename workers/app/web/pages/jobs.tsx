import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { WireJob } from '../../contract/console-jobs.ts'
import { type ApiFailure, fetchJobs, fetchSiteSettings, runJob } from '../api-client.ts'
import { JobOutcome, JobTimes } from '../components/job-parts.tsx'
import { Bones } from '../components/list-states.tsx'
import { FailureNote } from '../components/note.tsx'
import { Shell } from '../components/shell.tsx'
import { SiteIcon } from '../components/site-parts.tsx'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { arrangeJobs, type JobFilter, jobFilters, jobHash, jobKey, readJobFilter } from '../model/job-list.ts'
import { siteLabel } from '../model/site-board.ts'
import { useResource } from '../resource.ts'

const everyMs = 5000

function JobRow(props: { job: WireJob; label: string; id: number | undefined; busy: boolean; onRun: () => void }) {
  const { job, label } = props
  const text = words.value.jobs
  return (
    <tr>
      <td class="name">
        <b>{text.nameOf(job.label)}</b>
      </td>
      <td class="nowrap">
        {job.site === undefined ? (
          <span class={job.downloader === undefined ? 'faint' : ''}>{label}</span>
        ) : props.id === undefined ? (
          label
        ) : (
          <a class="with-icon" href={`#/sites/${props.id}`}>
            <SiteIcon name={job.site} />
            {label}
          </a>
        )}
      </td>
      <td class="out">
        <JobOutcome job={job} />
      </td>
      <td class="nowrap small">
        <JobTimes job={job} />
      </td>
      <td class="num act">
        <button
          class="btn quiet"
          type="button"
          disabled={props.busy || job.running}
          aria-label={text.runOne(text.nameOf(job.label), label)}
          onClick={props.onRun}
        >
          <Icon name="play" />
          {text.run}
        </button>
      </td>
    </tr>
  )
}

export function JobsPage({ query }: { readonly query: URLSearchParams }) {
  const text = words.value.jobs
  const show = readJobFilter(query)
  const jobs = useResource('jobs', fetchJobs, everyMs)
  const settings = useResource('site-settings', fetchSiteSettings)
  const starting = useSignal<string | undefined>(undefined)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const { data, failure: loadFailure } = jobs.state.value
  const sites = settings.state.value.data?.items ?? []
  const byName = new Map(sites.map((one) => [one.name, one]))
  const labelOf = (job: WireJob) => {
    const site = job.site === undefined ? undefined : byName.get(job.site)
    return job.site === undefined ? (job.downloader ?? text.everySite) : site === undefined ? job.site : siteLabel(site)
  }
  const shown = arrangeJobs(data?.items ?? [], show, labelOf)
  const count = (one: JobFilter) => arrangeJobs(data?.items ?? [], one, labelOf).length

  async function run(job: WireJob): Promise<void> {
    starting.value = jobKey(job)
    const answer = await runJob(job.job, job.site, job.downloader)
    failure.value = answer.ok ? undefined : answer.failure
    await jobs.reload()
    starting.value = undefined
  }

  return (
    <Shell screen="jobs" title={words.value.screens.jobs}>
      <p class="muted lead">{text.lead}</p>
      {failure.value === undefined ? null : <FailureNote lead={text.notRun} failure={failure.value} />}
      {loadFailure === undefined ? null : (
        <FailureNote
          lead={words.value.common.loadFailed}
          role={data === undefined ? 'alert' : 'status'}
          failure={loadFailure}
          retry={() => void jobs.reload()}
        />
      )}
      {data === undefined ? (
        loadFailure === undefined ? (
          <Bones />
        ) : null
      ) : data.items.length === 0 ? (
        <Empty title={text.emptyTitle} body={text.emptyBody}>
          <a class="btn primary" href="#/sites/new">
            <Icon name="plus" />
            {words.value.sites.add}
          </a>
        </Empty>
      ) : (
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
            <table class="fold jobs">
              <thead>
                <tr>
                  <th scope="col">{text.job}</th>
                  <th scope="col">{text.site}</th>
                  <th scope="col">{text.lastRun}</th>
                  <th scope="col">{text.times}</th>
                  <th scope="col">
                    <span class="vh">{text.run}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((job) => (
                  <JobRow
                    key={jobKey(job)}
                    job={job}
                    label={labelOf(job)}
                    id={job.site === undefined ? undefined : byName.get(job.site)?.id}
                    busy={starting.value === jobKey(job)}
                    onRun={() => void run(job)}
                  />
                ))}
              </tbody>
            </table>
          )}
        </>
      )}
    </Shell>
  )
}
