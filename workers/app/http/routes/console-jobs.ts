import { failWith, succeed } from '#shared/kernel/result.ts'
import { listJobs, runJob, type WireJob } from '../../contract/console-jobs.ts'
import { failure, wrongField } from '../../core/failure.ts'
import type { Say } from '../../core/reason/say.ts'
import type { JobRun } from '../../ports/jobs.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

const noJob = failure('not_found', { kind: 'none', what: 'job' })

export function consoleJobRoutes(deps: Pick<AppDeps, 'jobs' | 'sites' | 'downloaders'>): BoundRoute[] {
  return [
    bind(listJobs, async ({ say }) => {
      const [runs, sites, downloaders] = await Promise.all([
        deps.jobs.runs(),
        deps.sites.list(),
        deps.downloaders.list(),
      ])
      const names = {
        site: new Map(sites.map(({ record }) => [record.id, record.name])),
        downloader: new Map(downloaders.map(({ id, name }) => [id, name])),
      }
      return succeed({
        body: {
          items: runs.flatMap((run) => {
            if (run.scope === 'service') return [toWireJob({}, run, say)]
            const name = names[run.scope].get(run.subjectId)
            return name === undefined ? [] : [toWireJob({ [run.scope]: name }, run, say)]
          }),
        },
      })
    }),
    bind(runJob, async ({ body }) => {
      const { site, downloader, job: name } = body
      const { jobs } = deps
      if (!jobs.names.includes(name)) return failWith(wrongField('job', { kind: 'rule.one_of', values: jobs.names }))
      const subject = await subjectOf(site, downloader)
      return subject !== undefined && (await jobs.runSoon({ ...subject, name }))
        ? succeed({ body: { ok: true as const } })
        : failWith(noJob)
    }),
  ]

  /** Undefined for one that is not there, and for a site and a downloader at once. */
  async function subjectOf(site: string | undefined, downloader: string | undefined) {
    if (site === undefined && downloader === undefined) return { scope: 'service', subjectId: 0 } as const
    if (site !== undefined && downloader !== undefined) return undefined
    if (site !== undefined) {
      const entry = await deps.sites.find(site)
      return entry === undefined ? undefined : ({ scope: 'site', subjectId: entry.record.id } as const)
    }
    const found = (await deps.downloaders.list()).find((one) => one.name === downloader)
    return found === undefined ? undefined : ({ scope: 'downloader', subjectId: found.id } as const)
  }
}

function toWireJob(subject: Pick<WireJob, 'site' | 'downloader'>, run: JobRun, say: Say): WireJob {
  return {
    ...subject,
    job: run.name,
    label: run.label,
    due_at: run.dueAtUnix,
    running: run.isRunning,
    ...(run.lastStartedAtUnix === undefined ? {} : { last_started_at: run.lastStartedAtUnix }),
    ...(run.lastFinishedAtUnix === undefined ? {} : { last_finished_at: run.lastFinishedAtUnix }),
    ...(run.lastOk === undefined ? {} : { last_ok: run.lastOk }),
    ...(run.lastReason === undefined ? {} : { last_error: say(run.lastReason), reason: run.lastReason }),
  }
}
