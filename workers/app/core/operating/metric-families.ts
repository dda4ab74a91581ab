/** What an owner would want to be told of, as figures: ages as times, so that whoever watches chooses the bound. */
import { type MetricFamily, metricLabels } from '#shared/http/metrics-text.ts'
import type { MachineReport } from './machine.ts'

/** What the service knows of its own work. */
export interface OperatingFigures {
  readonly sites: readonly {
    readonly name: string
    readonly addedAtUnix: number
    /** Absent before the first time. */
    readonly figuresAtUnix?: number
    readonly probedAtUnix?: number
    readonly isProbeOk?: boolean
  }[]
  /** Looks in a row that a downloader did not answer. */
  readonly downloaders: readonly { readonly name: string; readonly misses: number }[]
  readonly jobs: readonly {
    readonly name: string
    readonly planned: number
    readonly failed: number
    /** Due for longer than any of them waits for its turn. */
    readonly overdue: number
  }[]
  readonly queues: Readonly<Record<QueueName, number>>
}

type QueueName = 'notices' | 'deliveries' | 'pushes' | 'followed'

export function operatingFamilies(
  figures: OperatingFigures,
  machine: MachineReport | undefined,
  version: string,
): MetricFamily[] {
  const { sites, downloaders, jobs, queues } = figures
  const perSite = (name: string, help: string, of: (site: OperatingFigures['sites'][number]) => number | undefined) =>
    gauge(
      name,
      help,
      sites.map((site) => [{ site: site.name }, of(site)]),
    )
  const perJob = (name: string, help: string, of: (job: OperatingFigures['jobs'][number]) => number) =>
    gauge(
      name,
      help,
      jobs.map((job) => [{ job: job.name }, of(job)]),
    )
  return [
    gauge('wharf_info', 'Always 1; what runs stands in the labels.', [
      [{ version, runtime: machine?.runtime ?? 'edge' }, 1],
    ]),
    perSite(
      'wharf_site_figures_timestamp_seconds',
      'When the figures of an account were last read; 0 for never.',
      (site) => site.figuresAtUnix ?? 0,
    ),
    perSite(
      'wharf_site_probe_timestamp_seconds',
      'When a site was last looked at; 0 for never.',
      (site) => site.probedAtUnix ?? 0,
    ),
    perSite('wharf_site_up', '1 where the last look at a site went well, 0 where it did not.', (site) =>
      site.isProbeOk === undefined ? undefined : Number(site.isProbeOk),
    ),
    perSite('wharf_site_added_timestamp_seconds', 'Since when a site is there.', (site) => site.addedAtUnix),
    gauge(
      'wharf_downloader_up',
      '1 where a downloader answered the last look, 0 where it did not.',
      downloaders.map(({ name, misses }) => [{ downloader: name }, misses === 0 ? 1 : 0]),
    ),
    perJob('wharf_jobs', 'Jobs on the list, by what they do.', (job) => job.planned),
    perJob('wharf_jobs_failed', 'Of these, those whose last run failed.', (job) => job.failed),
    perJob('wharf_jobs_overdue', 'Of these, those that should have begun long ago.', (job) => job.overdue),
    gauge(
      'wharf_queue_length',
      'What waits: events to be addressed, messages to be delivered, pushes under way, pushes followed to their end.',
      Object.entries(queues).map(([queue, length]) => [{ queue }, length]),
    ),
    ...(machine === undefined ? [] : machineFamilies(machine)),
  ]
}

function machineFamilies(machine: MachineReport): MetricFamily[] {
  const { disk, databases, problems, backups } = machine
  const kinds = [...new Set(problems.map(({ kind }) => kind.replace('machine.', '').replace('.', '_')))]
  return [
    gauge('wharf_start_time_seconds', 'When this service was started.', [[{}, machine.startedAtUnix]]),
    gauge('wharf_disk_free_bytes', 'Free on the disk of the data folder.', [[{}, disk.freeBytes]]),
    gauge('wharf_disk_size_bytes', 'Size of the disk of the data folder.', [[{}, disk.totalBytes]]),
    gauge('wharf_database_size_bytes', 'Files of databases: the main one, and those of all objects.', [
      [{ database: 'main' }, databases.mainBytes],
      [{ database: 'objects' }, databases.objectBytes],
    ]),
    gauge('wharf_objects', 'Objects that have a database of their own.', [[{}, databases.objects]]),
    gauge('wharf_backups', 'Backups that are kept on this machine.', [[{}, backups.count]]),
    gauge('wharf_backups_size_bytes', 'Their files.', [[{}, backups.bytes]]),
    gauge('wharf_backup_newest_timestamp_seconds', 'When the newest of them was made; 0 for never.', [
      [{}, backups.newestAtUnix ?? 0],
    ]),
    gauge('wharf_host_resident_bytes', 'Memory of the host’s process.', [[{}, machine.residentBytes]]),
    gauge(
      'wharf_problem',
      '1 for each thing that is wrong with this machine; /readyz and the console say it in words.',
      kinds.map((kind) => [{ problem: kind }, 1]),
    ),
    gauge('wharf_migrations_missing', 'Steps of the database that are not applied.', [
      [{}, machine.migrations.missing.length],
    ]),
  ]
}

type Figure = readonly [labels: Readonly<Record<string, string>>, value: number | undefined]

function gauge(name: string, help: string, figures: readonly Figure[]): MetricFamily {
  const lines = figures.flatMap(([labels, value]) => {
    if (value === undefined) return []
    const written = metricLabels(labels)
    return [`${name}${written === '' ? '' : `{${written}}`} ${value}`]
  })
  return { name, type: 'gauge', help, lines }
}
