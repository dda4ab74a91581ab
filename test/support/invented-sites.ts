/** Plausible sites for pictures and screens, with what the service knows of them. All of it is invented. */

import type { WireJob } from '../../workers/app/contract/console-jobs.ts'
import type { WireConsoleSite } from '../../workers/app/contract/console-sites.ts'
import type { WireSearchItem } from '../../workers/app/contract/search.ts'
import type { WireSite } from '../../workers/app/contract/sites.ts'
import type { WireTask } from '../../workers/app/contract/tasks.ts'
import type { Reason } from '../../workers/app/core/reason/reason.ts'
import { registry } from '../../workers/app/jobs/registry.ts'
import { withReason } from './said.ts'
import { abilitiesOf, type StandInState } from './stand-in-console.ts'

const gib = 1024 ** 3
const tib = 1024 ** 4
const day = 86_400

interface Line {
  readonly name: string
  readonly label: string
  readonly kind: WireConsoleSite['kind']
  readonly level: string
  readonly uploadedTib: number
  readonly downloadedTib: number
  readonly bonus: number
  readonly seeding: number
  readonly seedingTib: number
  readonly daysLeft: number | undefined
  readonly tier: WireSite['login']['tier']
  readonly status: NonNullable<WireSite['attendance']['status']>
  readonly todayGib: number
  readonly todayDownGib: number
  readonly unread?: number
  readonly hnr?: number
  readonly enabled?: boolean
  readonly fault?: Reason
}

const lines: readonly Line[] = [
  {
    name: 'lantern',
    label: 'Lantern',
    kind: 'nexusphp',
    level: 'Elite User',
    uploadedTib: 14.02,
    downloadedTib: 1.49,
    bonus: 412_310.5,
    seeding: 388,
    seedingTib: 9.1,
    daysLeft: 1,
    tier: 'banned-imminent',
    status: 'failed',
    todayGib: 88.1,
    todayDownGib: 0,
    fault: { kind: 'site.challenge' },
  },
  {
    name: 'ginkgo',
    label: 'Ginkgo 银杏',
    kind: 'nexusphp',
    level: 'Insane User',
    uploadedTib: 11.77,
    downloadedTib: 1.9,
    bonus: 301_442,
    seeding: 402,
    seedingTib: 8.4,
    daysLeft: 6,
    tier: '7d',
    status: 'signed',
    todayGib: 74.6,
    todayDownGib: 3.1,
    unread: 2,
    hnr: 1,
  },
  {
    name: 'cedar',
    label: 'Cedar',
    kind: 'unit3d',
    level: 'Power User',
    uploadedTib: 8.9,
    downloadedTib: 0.74,
    bonus: 220_104,
    seeding: 211,
    seedingTib: 6.02,
    daysLeft: 23,
    tier: 'none',
    status: 'unsupported',
    todayGib: 61,
    todayDownGib: 0,
  },
  {
    name: 'tidepool',
    label: 'Tidepool',
    kind: 'nexusphp',
    level: 'Veteran',
    uploadedTib: 6.31,
    downloadedTib: 1.14,
    bonus: 158_230,
    seeding: 190,
    seedingTib: 5.5,
    daysLeft: 118,
    tier: 'none',
    status: 'already',
    todayGib: 40.9,
    todayDownGib: 5.1,
  },
  {
    name: 'stargazer',
    label: '观星台',
    kind: 'nexusphp',
    level: 'Elite User',
    uploadedTib: 4.44,
    downloadedTib: 1.09,
    bonus: 96_101,
    seeding: 162,
    seedingTib: 4.3,
    daysLeft: 29,
    tier: 'none',
    status: 'signed',
    todayGib: 31.5,
    todayDownGib: 0,
  },
  {
    name: 'paper-crane',
    label: 'Paper Crane',
    kind: 'gazelle',
    level: 'User',
    uploadedTib: 2.16,
    downloadedTib: 0.65,
    bonus: 61_090,
    seeding: 88,
    seedingTib: 3.1,
    daysLeft: 24,
    tier: 'none',
    status: 'unsupported',
    todayGib: 11.8,
    todayDownGib: 0,
  },
  {
    name: 'saltmarsh',
    label: 'Saltmarsh',
    kind: 'mteam',
    level: 'User',
    uploadedTib: 1.02,
    downloadedTib: 0.46,
    bonus: 35_632,
    seeding: 45,
    seedingTib: 1.78,
    daysLeft: undefined,
    tier: 'unknown',
    status: 'unsupported',
    todayGib: 4.5,
    todayDownGib: 0,
  },
  {
    name: 'quarry',
    label: 'Quarry',
    kind: 'nexusphp',
    level: 'User',
    uploadedTib: 0.4,
    downloadedTib: 0.2,
    bonus: 9022,
    seeding: 12,
    seedingTib: 0.3,
    daysLeft: 12,
    tier: 'none',
    status: 'pending',
    todayGib: 0,
    todayDownGib: 0,
    fault: { kind: 'site.login_expired' },
  },
  {
    name: 'driftwood',
    label: 'Driftwood',
    kind: 'nexusphp',
    level: 'User',
    uploadedTib: 0.1,
    downloadedTib: 0.1,
    bonus: 310,
    seeding: 3,
    seedingTib: 0.1,
    daysLeft: 3,
    tier: '3d',
    status: 'pending',
    todayGib: 0,
    todayDownGib: 0,
    enabled: false,
  },
]

function settingsOf(line: Line, at: number): WireConsoleSite {
  const abilities = abilitiesOf(line.kind)
  return {
    id: at + 1,
    name: line.name,
    display_name: line.label,
    kind: line.kind,
    definition: line.kind === 'nexusphp' ? 'nexusphp' : '',
    address: `https://${line.name}.example`,
    has_cookie: abilities.credential !== 'api_key',
    has_api_key: abilities.credential !== 'cookie',
    enabled: line.enabled ?? true,
    auto_sign_in: abilities.sign_in,
    inactivity_days: 30,
    remind_before_days: 10,
    capacity_gib: line.name === 'cedar' ? 8192 : 0,
    overrides: line.name === 'ginkgo' ? { request_interval_ms: 2000, paths: { search: 'browse.php' } } : {},
    answered: [],
    ...abilities,
  }
}

function liveOf(line: Line, nowUnix: number): WireSite {
  const { sign_in } = abilitiesOf(line.kind)
  return {
    name: line.name,
    display_name: line.label,
    enabled: line.enabled ?? true,
    login: {
      tier: line.tier,
      days_remaining: line.daysLeft ?? 0,
      ...(line.daysLeft === undefined ? {} : { last_active_at: nowUnix - Math.max(0, 30 - line.daysLeft) * day }),
      last_probe_at: nowUnix - 3 * 3600,
      last_probe_status: line.fault === undefined ? 'ok' : 'login_expired',
    },
    attendance: {
      supported: sign_in,
      enabled: sign_in,
      day: new Date(nowUnix * 1000).toISOString().slice(0, 10),
      status: line.status,
      ...(line.status === 'failed' && line.fault !== undefined ? withReason('message', line.fault) : {}),
      last_attempt_at: nowUnix - 5 * 3600,
    },
    user: {
      username: 'harbourmaster',
      level: line.level,
      uploaded: Math.round(line.uploadedTib * tib),
      downloaded: Math.round(line.downloadedTib * tib),
      ratio: line.uploadedTib / line.downloadedTib,
      bonus: line.bonus,
      bonus_per_hour: Math.round(line.bonus / 310) / 10,
      seeding: line.seeding,
      leeching: line.name === 'ginkgo' ? 6 : 0,
      seeding_size: Math.round(line.seedingTib * tib),
      unread_messages: line.unread ?? 0,
      ...(line.hnr === undefined ? {} : { hnr_unsatisfied: line.hnr }),
      updated_at: nowUnix - 360,
    },
  }
}

export function labelled(job: Omit<WireJob, 'label'>): WireJob {
  const label = registry.find(({ name }) => name === job.job)?.label
  if (label === undefined) throw new Error(`no job is called ${job.job}`)
  return { ...job, label }
}

function jobsOf(line: Line, nowUnix: number): Omit<WireJob, 'label'>[] {
  if (line.enabled === false) return []
  const fault =
    line.fault === undefined ? { last_ok: true } : { last_ok: false, ...withReason('last_error', line.fault) }
  const ran = { running: false, last_started_at: nowUnix - 370, last_finished_at: nowUnix - 360 }
  return [
    { site: line.name, job: 'statistics', due_at: nowUnix + 6800, ...ran, ...fault },
    {
      site: line.name,
      job: 'probe',
      due_at: nowUnix + 31_000,
      ...ran,
      last_finished_at: nowUnix - 10_800,
      last_ok: true,
    },
    ...(line.kind === 'nexusphp'
      ? [
          {
            site: line.name,
            job: 'sign_in',
            due_at: nowUnix + 66_000,
            ...ran,
            last_finished_at: nowUnix - 18_000,
            last_ok: line.status !== 'failed',
            ...(line.status === 'failed' && line.fault !== undefined ? withReason('last_error', line.fault) : {}),
          },
        ]
      : []),
  ]
}

const upGib = [
  211, 166, 310, 142, 280, 229, 139, 270, 131, 246, 141, 0, 250, 366, 157, 188, 305, 402, 292, 240, 411, 134, 512, 208,
  165, 155, 262, 176, 228, 312.4,
]

export const growth = upGib.map((uploaded, at) => ({
  uploaded: Math.round(uploaded * gib),
  downloaded: uploaded === 0 ? 0 : ((at * 7) % 23) * gib,
  bonus: uploaded === 0 ? 0 : 7200 + ((at * 911) % 3400),
  sites: uploaded === 0 ? 0 : 8,
}))

type Result = readonly [
  title: string,
  subtitle: string,
  site: string,
  sizeGib: number,
  seeders: number,
  leechers: number,
  snatched: number,
  discount: NonNullable<WireSearchItem['discount']>,
  hoursLeft: number,
  hasHr: boolean,
  ageDays: number,
]

const results: readonly Result[] = [
  [
    'The.Salt.Road.S02E06.The.Long.Ebb.2160p.WEB-DL.DDP5.1.H.265-QUAY',
    '盐路 第二季 第 6 集 长退潮',
    'lantern',
    8.42,
    412,
    12,
    1208,
    'FREE',
    21,
    false,
    0.1,
  ],
  [
    'The.Salt.Road.S02E06.1080p.WEB-DL.DDP5.1.H.264-QUAY',
    '盐路 第二季 第 6 集',
    'lantern',
    3.17,
    286,
    9,
    903,
    'PERCENT_50',
    21,
    false,
    0.1,
  ],
  [
    'The.Salt.Road.S02E06.2160p.WEB-DL.DV.HDR.H.265-HARBR',
    '盐路 S02E06 2160p 杜比视界',
    'ginkgo',
    9.05,
    178,
    21,
    440,
    'FREE',
    0,
    true,
    0.05,
  ],
  [
    'The.Salt.Road.S02.2160p.WEB-DL.DDP5.1.H.265-TIDE',
    '盐路 第二季 全集打包',
    'stargazer',
    67.9,
    96,
    33,
    210,
    'NONE',
    0,
    true,
    1,
  ],
  [
    'The.Salt.Road.S01.COMPLETE.BluRay.1080p.AVC.DTS-HD.MA',
    '盐路 第一季 蓝光原盘',
    'cedar',
    8182.4,
    41,
    3,
    618,
    'NONE',
    0,
    false,
    383,
  ],
  [
    'The.Salt.Road.S01.1080p.BluRay.x264.2Audio-MOLE',
    '盐路 第一季 1080p 国英双语',
    'tidepool',
    38.66,
    37,
    2,
    1940,
    '2XFREE',
    0,
    false,
    389,
  ],
  [
    'The Salt Road (Original Score) FLAC 24-48',
    '盐路 原声音乐',
    'paper-crane',
    0.91,
    22,
    0,
    305,
    'NONE',
    0,
    false,
    463,
  ],
  ['The.Salt.Road.Behind.the.Water.2026.1080p.WEB.H264', '', 'saltmarsh', 2.24, 9, 1, 58, 'NONE', 0, false, 3],
]

function itemOf(line: Result, at: number, nowUnix: number): WireSearchItem {
  const [title, subtitle, site, sizeGib, seeders, leechers, snatched, discount, hoursLeft, hasHr, ageDays] = line
  return {
    site,
    torrent_id: String(7000 + at),
    title,
    ...(subtitle === '' ? {} : { subtitle }),
    size: Math.round(sizeGib * gib),
    seeders,
    leechers,
    snatched,
    uploaded_at: Math.round(nowUnix - ageDays * day),
    discount,
    ...(hoursLeft === 0 ? {} : { discount_end_at: nowUnix + hoursLeft * 3600 }),
    free: discount === 'FREE' || discount === '2XFREE',
    has_hr: hasHr,
  }
}

function taskOf(id: number, nowUnix: number, fields: Partial<WireTask>): WireTask {
  return {
    id,
    site: 'lantern',
    torrent_id: String(6000 + id),
    title: '',
    size: 0,
    free: false,
    has_hr: false,
    pushed: true,
    progress: 100,
    completed: true,
    downloader: 'nas-1',
    source: 'app_push',
    created_at: nowUnix - (8 - id) * 780,
    pushed_at: nowUnix - (8 - id) * 780 + 2,
    ...fields,
  }
}

export function inventedSites(nowUnix: number): Partial<StandInState> {
  const today = lines
    .filter((line) => line.enabled !== false && line.todayGib > 0)
    .map((line) => ({
      site: line.name,
      uploaded: Math.round(line.todayGib * gib),
      downloaded: Math.round(line.todayDownGib * gib),
      bonus: Math.round(line.bonus / 130),
    }))
  const sum = (read: (one: (typeof today)[number]) => number) => today.reduce((total, one) => total + read(one), 0)
  const date = new Date(nowUnix * 1000).toISOString().slice(0, 10)
  return {
    sites: lines.map(settingsOf),
    ownDefinitions: [],
    liveSites: lines.map((line) => liveOf(line, nowUnix)),
    today: {
      from: date,
      to: date,
      uploaded: sum((one) => one.uploaded),
      downloaded: sum((one) => one.downloaded),
      bonus: sum((one) => one.bonus),
      sites: today,
    },
    growth,
    jobs: [
      ...lines.flatMap((line) => jobsOf(line, nowUnix)),
      {
        job: 'tasks',
        due_at: nowUnix + 20,
        running: true,
        last_started_at: nowUnix - 4,
        last_ok: true,
        last_finished_at: nowUnix - 34,
      },
      { job: 'reminders', due_at: nowUnix + 3000, running: false, last_ok: true, last_finished_at: nowUnix - 600 },
    ].map(labelled),
    found: results.map((line, at) => itemOf(line, at, nowUnix)),
    searchErrors: [{ site: 'quarry', reason: { kind: 'site.login_expired' } }],
    tasks: [
      taskOf(7, nowUnix, {
        title: 'The.Salt.Road.S02E05.2160p.WEB-DL.DDP5.1.H.265-QUAY',
        size: 8.1 * gib,
        category: 'tv',
        free: true,
        progress: 41,
        completed: false,
      }),
      taskOf(6, nowUnix, {
        title: 'Copper.Season.2024.1080p.BluRay.x264-TIDE',
        site: 'cedar',
        size: 11.9 * gib,
        downloader: 'shelf',
        category: 'movie',
        completed_at: nowUnix - 300,
      }),
      taskOf(5, nowUnix, {
        title: '潮汐之下 第 3 集 1080p',
        site: 'stargazer',
        size: 2.11 * gib,
        pushed: false,
        completed: false,
        progress: 0,
        has_hr: true,
        ...withReason('error', {
          kind: 'push.space_too_little',
          left: 2.5 * 1024 ** 3,
          size: 2.11 * 1024 ** 3,
          kept: 1024 ** 3,
        }),
      }),
      taskOf(4, nowUnix, {
        title: 'Field Recordings, Vol. 7 (FLAC 24-96)',
        site: 'paper-crane',
        size: 0.62 * gib,
        category: 'music',
        completed_at: nowUnix - 2000,
      }),
      taskOf(3, nowUnix, {
        title: 'Kiln & Thread, a documentary in four parts 720p',
        site: 'tidepool',
        size: 6.2 * gib,
        downloader: 'shelf',
        completed: false,
        progress: 63.2,
        has_hr: true,
      }),
    ].map((task) => ({ ...task, size: Math.round(task.size) })),
  }
}
