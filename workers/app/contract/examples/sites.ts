import { getMeta } from '../meta.ts'
import { getOverview } from '../overview.ts'
import { carryOutSitePlan, makeSitePlan, readSitePlan, stopSitePlan, type WireSitePlan } from '../site-plans.ts'
import { getSiteHistory, getSiteStanding, listSeedingDuties, listSiteFigures } from '../site-watch.ts'
import { attendSite, getFavicon, listSites } from '../sites.ts'
import { getUpdates } from '../updates.ts'
import { showOperation } from './example.ts'

const params = { site: 'examplept' }
const planParams = { ...params, plan_id: '4' }

const plan: WireSitePlan = {
  id: 4,
  state: 'proposed',
  level: 'Elite User',
  at: 1796342400,
  planned_at: 1794614400,
  conditions: [
    { condition: 'days', need: 56, have: 70, met: true },
    {
      ...{ condition: 'bonus', need: 9000, have: 3000, met: false, at: 1796342400 },
      ...{ per_day: 188, pace_from: 'history', planned_at: 1794614400, adds_per_day: 312 },
    },
  ],
  steps: [
    {
      ...{ kind: 'seed', title: 'Example.Film.2024.1080p.WEB-DL', size: 6442450944, downloader: 'NAS' },
      ...{ info_hash: '0123456789abcdef0123456789abcdef01234567', bonus_per_day: 312, state: 'waiting' },
    },
  ],
  keeps: { count: 214, size: 8246337208320 },
  gaps: [],
  unread: [],
  pace_days: 14,
  read_at: 1793577600,
  made_at: 1793577900,
}
const running: WireSitePlan = { ...plan, state: 'running', begun_at: 1793578000 }

const attendance = {
  supported: true,
  enabled: true,
  day: '2026-11-02',
  status: 'signed',
  message: '签到成功，获得 30 魔力值',
  last_attempt_at: 1793577900,
} as const

export const siteExamples = [
  showOperation(getMeta, {
    answers: {
      200: {
        name: 'Wharf',
        version: '0.1.0',
        remote_api_level: 1,
        features: ['overview', 'sites', 'torrents', 'downloaders', 'search', 'push'],
        principal: { kind: 'api_token', name: 'Phone', scopes: ['app:read', 'app:write'] },
      },
    },
  }),
  showOperation(getOverview, {
    answers: {
      200: {
        totals: {
          uploaded: 8246337208320,
          downloaded: 2748779069440,
          ratio: 3,
          seeding: 214,
          leeching: 2,
          bonus: 152340.5,
          bonus_per_hour: 61.2,
          seeding_size: 5497558138880,
          site_count: 3,
          unread_messages: 1,
        },
        today: {
          from: '2026-11-01',
          to: '2026-11-02',
          uploaded: 32212254720,
          downloaded: 5368709120,
          bonus: 1468.8,
          sites: [
            { site: 'examplept', uploaded: 32212254720, downloaded: 5368709120, bonus: 1468.8 },
            { site: 'otherpt', uploaded: 0, downloaded: 0, bonus: 0, unknown: ['bonus'] },
          ],
        },
        updated_at: 1793577600,
      },
    },
  }),
  showOperation(listSites, {
    answers: {
      200: {
        items: [
          {
            name: 'examplept',
            display_name: 'Example PT',
            enabled: true,
            login: {
              tier: 'none',
              days_remaining: 58,
              last_active_at: 1793577600,
              last_probe_at: 1793577600,
              last_probe_status: 'ok',
            },
            attendance,
            user: {
              username: 'reader',
              level: 'Power User',
              uploaded: 8246337208320,
              downloaded: 2748779069440,
              ratio: 3,
              bonus: 152340.5,
              bonus_per_hour: 61.2,
              seeding: 214,
              leeching: 2,
              seeding_size: 5497558138880,
              unread_messages: 1,
              updated_at: 1793577600,
            },
          },
        ],
      },
    },
  }),
  showOperation(attendSite, { params, body: {}, answers: { 200: attendance } }),
  showOperation(getFavicon, { params, answers: {} }),
  showOperation(getSiteStanding, {
    params,
    answers: {
      200: {
        shown: 'Power User',
        known: true,
        level: 'Power User',
        next: {
          name: 'Elite User',
          conditions: [
            { condition: 'days', need: 56, have: 70, met: true },
            { condition: 'downloaded', need: 128849018880, have: 107374182400, met: false, at: 1794182400 },
          ],
          at: 1794182400,
        },
        pace_days: 14,
      },
    },
  }),
  showOperation(listSiteFigures, {
    params,
    answers: {
      200: {
        items: [
          { figure: 'uploaded', value: 8246337208320, page: 'userdetails.php', row: '传输', label: '上传量' },
          { figure: 'bonus', value: 152340.5, page: 'userdetails.php', row: '魔力值', doubt: 'places' },
          { figure: 'bonus_per_hour' },
        ],
        read_at: 1793577600,
      },
    },
  }),
  showOperation(getSiteHistory, {
    params,
    query: { days: '2' },
    answers: {
      200: {
        items: [
          { day: '2026-11-01', uploaded: 8214124953600, downloaded: 2743410360320, ratio: 2.994, bonus: 150871.7 },
          { day: '2026-11-02', uploaded: 8246337208320, downloaded: 2748779069440, ratio: 3, bonus: 152340.5 },
        ],
      },
    },
  }),
  showOperation(listSeedingDuties, {
    params,
    answers: {
      200: {
        rule: { seed_hours: 48, ratio: 2 },
        items: [
          {
            torrent_id: '48213',
            title: 'Example.Film.2024.1080p.WEB-DL',
            size: 6442450944,
            marked: true,
            downloader: 'NAS',
            downloader_id: 1,
            task_id: '5f0c3a9be2d14786a1b05c7d92e8f3046bd1c7aa',
            state: 'seeding',
            seeded: 86400,
            given: 3221225472,
            ratio: 0.5,
            left: 86400,
            free_at: 1793664000,
            looked_at: 1793577600,
          },
        ],
      },
    },
  }),
  showOperation(readSitePlan, { params, answers: { 200: { plan: running } } }),
  showOperation(makeSitePlan, { params, body: {}, answers: { 200: { plan } } }),
  showOperation(carryOutSitePlan, { params: planParams, body: {}, answers: { 200: running } }),
  showOperation(stopSitePlan, {
    params: planParams,
    body: {},
    answers: { 200: { ...running, state: 'stopped', ended_at: 1793579000 } },
  }),
  showOperation(getUpdates, {
    query: { include_prerelease: '1' },
    answers: {
      200: {
        current_version: '0.1.0',
        has_update: true,
        checked_at: 1793577600,
        new_releases: [
          {
            version: '0.2.0',
            name: '0.2.0',
            published_at: 1793491200,
            url: 'https://releases.example/wharf/0.2.0',
            changelog: 'Sites are read side by side.',
          },
        ],
      },
    },
  }),
]
