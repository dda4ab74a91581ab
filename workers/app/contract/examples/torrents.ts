import { listBrushTasks } from '../brush.ts'
import type { WireClause } from '../console-rules.ts'
import { explainTorrent, listDecisions, listRemovals } from '../decisions.ts'
import { listDownloaders } from '../downloaders.ts'
import { pushTorrent } from '../push.ts'
import { explainPush } from '../push-why.ts'
import { search } from '../search.ts'
import { listTasks } from '../tasks.ts'
import {
  beginTorrentRun,
  listTorrentRuns,
  readTorrentRun,
  stopTorrentRun,
  undoTorrentRun,
  type WireTorrentRun,
} from '../torrent-runs.ts'
import { actOnTorrents, addTorrent, changeTorrents, groupTorrents, listTorrents, readTorrent } from '../torrents.ts'
import { showOperation } from './example.ts'

const freeClause: WireClause = {
  asked: { field: 'promotion', op: 'is_any', value: ['FREE', '2XFREE'] },
  state: 'met',
  found: 'FREE',
  from: 'list',
}
const hash = '0123456789abcdef0123456789abcdef01234567'

const torrent = {
  downloader_id: 1,
  downloader: 'NAS',
  task_id: hash,
  info_hash: hash,
  title: 'Example.Film.2024.1080p.WEB-DL',
  progress: 62.5,
  size: 6442450944,
  state: 'downloading',
  ratio: 0.12,
  seeds: 14,
  peers: 3,
  upload_speed: 131072,
  download_speed: 8388608,
  eta: 288,
  added_at: 1793577000,
  completed_at: 0,
  category: 'films',
  tags: 'wharf',
  save_path: '/downloads/films',
  tracker: 'tracker.example.org',
} as const

const run: WireTorrentRun = {
  id: 7,
  deed: 'pause',
  status: 'done',
  total: 1200,
  succeeded: 1200,
  failed: 0,
  failures: [],
  unread: [],
  created_at: 1793577000,
  finished_at: 1793577021,
}

export const torrentExamples = [
  showOperation(listTorrents, {
    query: { state: 'downloading', sort: 'added_at', order: 'desc', page: '1', page_size: '20' },
    answers: {
      200: {
        items: [torrent],
        total: 1,
        page: 1,
        page_size: 20,
        total_size: 6442450944,
        counts: { states: { downloading: 1 }, conditions: {} },
        failures: [{ downloader_id: 2, downloader: 'Attic', error: '连接失败' }],
      },
    },
  }),
  showOperation(groupTorrents, {
    query: { state: 'downloading' },
    answers: {
      200: {
        trackers: [{ name: 'tracker.example.org', total: 3, total_size: 12884901888 }],
        categories: [{ name: 'films', total: 3, total_size: 12884901888 }],
        tags: [
          { name: 'wharf', total: 2, total_size: 10737418240 },
          { name: '', total: 1, total_size: 2147483648 },
        ],
        folders: [{ name: '/downloads/films', total: 3, total_size: 12884901888 }],
        downloaders: [{ downloader_id: 1, downloader: 'NAS', total: 3 }],
        matters: [
          {
            condition: 'tracker_error',
            condition_said: 'torrent not registered with this tracker',
            tracker: 'tracker.example.org',
            total: 2,
          },
        ],
        failures: [],
      },
    },
  }),
  showOperation(actOnTorrents, {
    body: { action: 'pause', targets: [{ downloader_id: 1, task_id: hash }] },
    answers: {
      200: { succeeded: 1, failed: 0, results: [{ downloader_id: 1, task_id: hash, success: true }] },
    },
  }),
  showOperation(listTorrentRuns, { answers: { 200: { items: [run] } } }),
  showOperation(beginTorrentRun, {
    body: { deed: { kind: 'pause' }, state: 'seeding', q: 'example', at_most: 1200 },
    answers: { 200: { ...run, status: 'running', succeeded: 0 } },
  }),
  showOperation(readTorrentRun, { params: { run_id: '7' }, answers: { 200: run } }),
  showOperation(stopTorrentRun, {
    body: {},
    params: { run_id: '7' },
    answers: { 200: { ...run, status: 'stopped', succeeded: 400 } },
  }),
  showOperation(undoTorrentRun, {
    body: {},
    params: { run_id: '7' },
    answers: { 200: { ...run, id: 8, deed: 'resume', status: 'running', succeeded: 0 } },
  }),
  showOperation(addTorrent, {
    body: { magnet: `magnet:?xt=urn:btih:${hash}`, downloader_id: 1, category: 'films', paused: true },
    answers: {
      200: {
        success: true,
        skipped: false,
        title: 'Example.Film.2024.1080p.WEB-DL',
        info_hash: hash,
        downloader_id: 1,
        downloader: 'NAS',
      },
    },
  }),
  showOperation(readTorrent, {
    params: { downloader_id: '1', task_id: hash },
    answers: {
      200: {
        torrent,
        comment: '',
        private: true,
        pieces: 1536,
        piece_size: 4194304,
        availability: 3.25,
        piece_map: [100, 100, 40, 0],
        super_seeding: false,
        sequential: false,
        first_last: false,
        upload_limit: 0,
        download_limit: 0,
        files: [{ index: 0, path: 'Example.Film.2024.mkv', size: 6442450944, progress: 62.5, priority: 'normal' }],
        trackers: [{ host: 'tracker.example', state: 'working', seeds: 14, peers: 3 }],
        peers: [
          {
            address: '203.0.113.7:51413',
            client: 'Example 1.0',
            progress: 100,
            download_speed: 8388608,
            upload_speed: 0,
          },
        ],
      },
    },
  }),
  showOperation(changeTorrents, {
    body: { change: { kind: 'move', save_path: '/downloads/films' }, targets: [{ downloader_id: 1, task_id: hash }] },
    answers: {
      200: { succeeded: 1, failed: 0, results: [{ downloader_id: 1, task_id: hash, success: true }] },
    },
  }),
  showOperation(listDownloaders, {
    answers: {
      200: {
        items: [
          {
            id: 1,
            name: 'NAS',
            type: 'qbittorrent',
            program: 'qbittorrent',
            default: true,
            reachable: true,
            version: 'v5.1.2',
            upload_speed: 1310720,
            download_speed: 8388608,
            uploaded: 8246337208320,
            downloaded: 2748779069440,
            free_space: 1099511627776,
          },
        ],
      },
    },
  }),
  showOperation(search, {
    body: { keyword: 'example film', sites: ['examplept'], free_only: false, min_seeders: 1 },
    answers: {
      200: {
        items: [
          {
            site: 'examplept',
            torrent_id: '48213',
            title: 'Example.Film.2024.1080p.WEB-DL',
            subtitle: '示例影片',
            size: 6442450944,
            seeders: 14,
            leechers: 3,
            snatched: 120,
            uploaded_at: 1793404800,
            category: '电影',
            discount: 'FREE',
            discount_end_at: 1793664000,
            discount_end: 'known',
            free: true,
            has_hr: false,
            imdb_id: 'tt0000001',
          },
        ],
        total: 1,
        sites: { examplept: 1 },
        errors: [],
        duration_ms: 812,
      },
    },
  }),
  showOperation(pushTorrent, {
    body: { site: 'examplept', torrent_id: '48213', downloader_id: 1, category: 'films', tags: 'wharf' },
    answers: {
      200: { success: true, skipped: false, info_hash: hash, downloader_id: 1, downloader: 'NAS' },
    },
  }),
  showOperation(explainPush, {
    body: {
      site: 'examplept',
      torrent_id: '48213',
      title: 'Example.Film.2024.1080p.WEB-DL',
      size: 6442450944,
      seeders: 14,
      leechers: 3,
      discount: 'FREE',
      has_hr: false,
    },
    answers: {
      200: {
        act: 'take',
        rule: 'Free films',
        clauses: [freeClause, { asked: { field: 'size_gib', op: 'at_most', value: 20 }, state: 'met', found: 6 }],
        downloader_id: 1,
        downloader: 'NAS',
        gates: [
          { gate: 'present', state: 'unknown' },
          { gate: 'capacity', state: 'open', seeding: 751619276800, limit: 1073741824000 },
          {
            gate: 'space',
            state: 'shut',
            error: 'Too little space: 5.0 GiB are left, the torrent has 6.0 GiB, 1.0 GiB are kept free',
            reason: { kind: 'push.space_too_little', left: 5368709120, size: 6442450944, kept: 1073741824 },
            left: 5368709120,
            kept: 1073741824,
          },
        ],
      },
    },
  }),
  showOperation(explainTorrent, {
    params: { downloader_id: '1', task_id: hash },
    answers: {
      200: {
        items: [
          {
            at: 1795446000,
            kind: 'pushed',
            site: 'examplept',
            torrent_id: '48213',
            source: 'filter_rule',
            rule: 'Free films',
            by: 'Example feed',
            clauses: [freeClause],
          },
        ],
      },
    },
  }),
  showOperation(listDecisions, {
    query: { status: 'left', before: '4812' },
    answers: {
      200: {
        items: [
          {
            id: 4811,
            feed: 'Example feed',
            site: 'examplept',
            torrent_id: '48214',
            title: 'Example.Film.2024.2160p.WEB-DL',
            subtitle: '',
            size: 16557232128,
            discount: 'FREE',
            listed: true,
            status: 'left',
            rule: 'Free films',
            clauses: [
              freeClause,
              {
                asked: { field: 'size_gib', op: 'at_most', value: 15 },
                state: 'unmet',
                found: 15.42,
                from: 'list',
              },
            ],
            found_at: 1795446000,
            decided_at: 1795446000,
          },
        ],
      },
    },
  }),
  showOperation(listRemovals, {
    answers: {
      200: {
        items: [
          {
            id: 7,
            downloader: 'NAS',
            downloader_id: 1,
            info_hash: hash,
            title: 'Example.Film.2024.1080p.WEB-DL',
            size: 6442450944,
            action: 'remove',
            rule: 'Seeded enough',
            clauses: [
              { asked: { field: 'ratio', op: 'at_least', value: 2 }, state: 'met', found: 2.1, from: 'downloader' },
            ],
            status: 'due',
            due_since: 1795446000,
            decided_at: 1795446000,
          },
        ],
      },
    },
  }),
  showOperation(listTasks, {
    query: { site: 'examplept', pushed: '1', page: '1', page_size: '20' },
    answers: {
      200: {
        items: [
          {
            id: 31,
            site: 'examplept',
            torrent_id: '48213',
            title: 'Example.Film.2024.1080p.WEB-DL',
            size: 6442450944,
            category: 'films',
            tags: 'wharf',
            free: true,
            free_level: 'FREE',
            free_end_at: 1793664000,
            free_end: 'known',
            has_hr: false,
            pushed: true,
            pushed_at: 1793577000,
            downloader: 'NAS',
            progress: 62.5,
            completed: false,
            source: 'app_push',
            created_at: 1793577000,
          },
        ],
        total: 1,
        page: 1,
        page_size: 20,
      },
    },
  }),
  showOperation(listBrushTasks, {
    answers: {
      200: [
        {
          id: 4,
          name: 'Fresh and free',
          enabled: true,
          site: 'examplept',
          site_enabled: true,
          downloader: 'NAS',
          active: 12,
          downloading: 1,
          active_size: 128849018880,
          today: { uploaded: 32212254720, downloaded: 5368709120, added: 3, removed: 2 },
          total: { uploaded: 1099511627776, downloaded: 214748364800, added: 140, removed: 128 },
        },
      ],
    },
  }),
]
