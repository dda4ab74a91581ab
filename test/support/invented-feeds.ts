/** Feeds, rules and decisions for the console's tests and pictures. */
import type { WireCandidate, WireClause } from '../../workers/app/contract/console-rules.ts'
import { withReason } from './said.ts'
import type { StandInState } from './stand-in-console.ts'

const nothing = { taken: 0, billed: 0, size: 0 }

export function inventedFeeds(
  now: number,
): Pick<StandInState, 'feeds' | 'feedItems' | 'rules' | 'ruleTrial' | 'endRules' | 'ends' | 'transfers' | 'reseed'> {
  const far: WireCandidate = {
    site: 'lantern',
    torrent_id: '4712',
    title: 'Letters.from.Far.Hills.2022.2160p.WEB-DL-QUAY',
    subtitle: '远山来信',
    size: Math.round(15.42 * 1024 ** 3),
    seeders: 4,
    uploaded_at: now - 930,
    category: 'Films',
    discount: 'FREE',
    free_until: now + 21 * 3600,
    has_hr: false,
    listed: true,
  }
  const farClauses: WireClause[] = [
    {
      asked: { field: 'promotion', op: 'is_any', value: ['FREE', '2XFREE'] },
      ...{ state: 'met', found: 'FREE', from: 'list' },
    },
    { asked: { field: 'free_hours', op: 'at_least', value: 12 }, state: 'met', found: 21, from: 'list' },
    { asked: { field: 'size_gib', op: 'at_most', value: 15 }, state: 'unmet', found: 15.42, from: 'list' },
    { asked: { field: 'owned', op: 'is', value: false, or_unknown: true }, state: 'met', lack: 'unheard' },
    { asked: { field: 'per_day', op: 'at_most', value: 4 }, state: 'met', found: 2, from: 'pushes' },
  ]
  const target = { downloader_id: 0, category: '', tags: [], save_path: '' }
  return {
    feeds: [
      {
        id: 1,
        name: 'Lantern all',
        enabled: true,
        site: 'lantern',
        site_enabled: true,
        host: 'lantern.example',
        every_minutes: 10,
        due_at: now + 300,
        last_at: now - 300,
        last_item_at: now - 900,
        found: 212,
        taken: 9,
      },
      {
        id: 2,
        name: 'Tidepool newest',
        enabled: true,
        site: 'tidepool',
        site_enabled: true,
        host: '',
        every_minutes: 20,
        due_at: now + 1200,
        last_at: now - 1500,
        found: 41,
        taken: 2,
        last_error: '登录已失效，请更新 Cookie 或密钥',
        reason: { kind: 'site.login_expired' },
      },
    ],
    rules: [
      {
        id: 1,
        name: 'No screeners',
        enabled: true,
        rule: { action: 'skip', conditions: [{ field: 'title', op: 'has_any', value: ['CAM', 'TS'] }], target },
        taken: 0,
        taken_today: 0,
        size_today: 0,
      },
      {
        id: 2,
        name: 'Fresh and free',
        enabled: true,
        rule: {
          action: 'take',
          conditions: [
            { field: 'promotion', op: 'is_any', value: ['FREE', '2XFREE'] },
            { field: 'free_hours', op: 'at_least', value: 12 },
            { field: 'size_gib', op: 'at_most', value: 15 },
            { field: 'owned', op: 'is', value: false, or_unknown: true },
          ],
          target,
          per_day_max: 4,
        },
        taken: 30,
        taken_today: 2,
        size_today: 18 * 1024 ** 3,
      },
    ],
    feedItems: [
      {
        id: 2,
        feed: 'Lantern all',
        ...far,
        status: 'left',
        rule: 'Fresh and free',
        clauses: farClauses,
        found_at: now - 900,
        decided_at: now - 900,
      },
      {
        id: 1,
        feed: 'Lantern all',
        site: 'lantern',
        torrent_id: '4711',
        title: 'Salt.Road.S02E06.1080p.WEB-DL-QUAY',
        subtitle: '',
        size: 2 * 1024 ** 3,
        discount: '2XFREE',
        status: 'taken',
        rule: 'Fresh and free',
        clauses: [
          { asked: { field: 'promotion', op: 'is_any', value: ['FREE', '2XFREE'] }, state: 'met', found: '2XFREE' },
        ],
        found_at: now - 4000,
        decided_at: now - 4000,
      },
    ],
    ruleTrial: {
      judged: 4318,
      stored: { taken: 30, billed: 2, size: 378 * 1024 ** 3, unsized: 0, left: 4288 },
      tried: {
        ...{ taken: 31, billed: 2, size: 392 * 1024 ** 3, unsized: 0, left: 4287 },
        busiest: { until: now - 7 * 86_400, taken: 4, size: Math.round(61.8 * 1024 ** 3) },
      },
      rules: [
        { id: 1, name: 'No screeners', stored: nothing, tried: nothing },
        {
          ...{ id: 2, name: 'Fresh and free' },
          stored: { taken: 30, billed: 2, size: 378 * 1024 ** 3 },
          tried: { taken: 31, billed: 2, size: 392 * 1024 ** 3 },
        },
      ],
      changed: [
        {
          ...far,
          feed: 'Lantern all',
          at: now - 900,
          stored: { act: 'leave', rule: 'Fresh and free', clauses: farClauses },
          tried: {
            act: 'take',
            rule: 'Fresh and free',
            clauses: farClauses.map((clause) =>
              clause.asked.field === 'size_gib'
                ? { ...clause, asked: { ...clause.asked, value: 16 }, state: 'met' }
                : clause,
            ),
          },
        },
      ],
    },
    reseed: {
      ...{ enabled: true, sites: ['lantern'], asks_per_day: 50 },
      service: {
        ...{ address: '', has_token: true, sites: ['lantern', 'ginkgo'], asked_at: now - 900 },
        ...withReason('error', { kind: 'reseed.refused', quoted: '访问频率过快' }),
      },
      items: [
        {
          ...{ id: 2, downloader: 'nas-1', info_hash: 'da'.repeat(20), size: 14 * 1024 ** 3, site: 'lantern' },
          ...{ title: 'Harbour.Lights.2021.1080p.BluRay-QUAY', state: 'seeding', way: 'pieces', torrent_id: '88' },
          ...{ other_title: 'Harbour Lights 2021 1080p BluRay-QUAY', asked_at: now - 700, since: now - 600 },
        },
        {
          ...{ id: 1, downloader: 'nas-1', info_hash: 'db'.repeat(20), size: 9 * 1024 ** 3, site: 'lantern' },
          ...{
            title: 'Winter.Garden.S01.1080p.WEB-DL-QUAY',
            state: 'other',
            way: 'name',
            asked_at: now - 900,
            since: now - 900,
          },
          ...withReason('error', { kind: 'reseed.other_files' }),
        },
      ],
    },
    transfers: [
      {
        ...{ id: 2, from: 'nas-1', to: 'seedbox', info_hash: 'cd'.repeat(20), size: 5 * 1024 ** 3 },
        ...{ title: 'Harbour.Lights.2021.1080p.BluRay-QUAY', state: 'checking', stopping: false },
        ...{ created_at: now - 90, since: now - 60 },
      },
      {
        ...{ id: 1, from: 'nas-1', to: 'seedbox', info_hash: 'ce'.repeat(20), size: 2 * 1024 ** 3 },
        ...{ title: 'Winter.Garden.S01.1080p.WEB-DL-QUAY', state: 'failed', stopping: false },
        ...{ created_at: now - 900, since: now - 800 },
        ...withReason('error', { kind: 'transfer.not_whole', percent: 0 }),
      },
    ],
    endRules: [
      {
        id: 1,
        name: 'Disk nearly full',
        enabled: true,
        rule: {
          action: 'remove_with_files',
          conditions: [
            { field: 'free_gib', op: 'at_most', value: 200 },
            { field: 'ratio', op: 'at_least', value: 2 },
          ],
        },
        ended: 4,
        ended_today: 1,
      },
      {
        id: 2,
        name: 'Gone from its site',
        enabled: false,
        rule: { action: 'remove', conditions: [{ field: 'unregistered', op: 'is', value: true }] },
        ended: 0,
        ended_today: 0,
      },
    ],
    ends: [
      {
        id: 1,
        downloader_id: 1,
        downloader: 'nas-1',
        info_hash: 'ab'.repeat(20),
        title: 'Winter.Garden.S02.1080p.WEB-DL-QUAY',
        site: 'lantern',
        size: 3 * 1024 ** 3,
        action: 'remove_with_files',
        status: 'due',
        rule: 'Disk nearly full',
        clauses: [
          { asked: { field: 'free_gib', op: 'at_most', value: 200 }, state: 'met', found: 61.5 },
          { asked: { field: 'ratio', op: 'at_least', value: 2 }, state: 'met', found: 2.4 },
          { asked: { field: 'duty_done', op: 'is', value: true, or_unknown: true }, state: 'met', found: true },
        ],
        due_since: now - 600,
        decided_at: now - 60,
      },
    ],
  }
}
